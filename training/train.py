"""Trains the token vectors.

    python train.py --texts texts.jsonl --vectors vectors --pieces piece_vectors \
        --pairs pairs.jsonl --tokenizer tokenizer.json RESULT

A text's vector is the sum of its tokens' vectors, scaled to length 1. The start is the teacher's
vector of each token alone, less their mean, in the principal directions of the teacher's vectors
of texts, rare tokens weighing more (a / (a + frequency), as in SIF). Then, by Adam: texts are drawn
to the teacher's vectors (--distil), and short texts to the chunks they are about, away from other
chunks of the same source (--contrast).
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch.nn import functional

RARE = 5e-4
"""SIF's a."""

TEMPERATURE = 0.05
PAIRS = 256
"""Pairs of one source that are told apart at once."""

SOURCES = 2
"""Sources of a batch."""

TEXTS = 1024
"""Teacher's texts of a batch."""

CROP = 160
"""Tokens of a chunk that a step reads."""

SEED = 7

Rows = list[np.ndarray]


def main() -> None:
    given = _arguments()
    torch.manual_seed(SEED)
    torch.set_num_threads(given.threads)
    tokenizer = Tokenizer.from_file(str(given.tokenizer))
    targets, ends = _vectors(given.vectors)
    lines = given.texts.read_text("utf-8").splitlines()[: len(targets)]
    texts = [json.loads(line)["text"][:end] for line, end in zip(lines, ends, strict=True)]
    rows = _encode(tokenizer, texts)
    counts = np.bincount(np.concatenate(rows), minlength=tokenizer.get_vocab_size())
    mean = targets.mean(0)
    axes = np.linalg.svd(targets - mean, full_matrices=False)[2][: given.dim].T
    start = _start(_vectors(given.pieces)[0], axes, counts)
    _write(given.result, "start", start)
    learner = Learner(start, given)
    learner.teach(rows, functional.normalize(torch.tensor((targets - given.centre * mean) @ axes)))
    if given.contrast:
        learner.pair(*_pairs(given.pairs, tokenizer, given.most_pairs))
    for epoch in range(given.steps // given.save):
        began = time.monotonic()
        told = learner.run(given.save)
        print(
            f"{(epoch + 1) * given.save} steps, {time.monotonic() - began:.0f} s, {told}",
            flush=True,
        )
        _write(given.result, f"step-{(epoch + 1) * given.save}", learner.table())


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("texts", "vectors", "pieces", "pairs", "tokenizer"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("result", type=Path)
    parser.add_argument("--dim", type=int, default=256)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--save", type=int, default=200, help="steps between two results")
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--distil", type=float, default=1.0)
    parser.add_argument("--contrast", type=float, default=0.05)
    parser.add_argument("--centre", type=float, default=0.0, help="share of the mean taken off")
    parser.add_argument("--most-pairs", type=int, default=70_000)
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args()


def _vectors(folder: Path) -> tuple[np.ndarray, np.ndarray]:
    pieces = [np.load(path) for path in sorted(folder.glob("*.npz"))]
    vectors = np.concatenate([piece["vectors"] for piece in pieces]).astype(np.float32)
    return vectors, np.concatenate([piece["ends"] for piece in pieces])


def _encode(tokenizer: Tokenizer, texts: Sequence[str]) -> Rows:
    found: Rows = []
    for start in range(0, len(texts), 4096):
        batch = tokenizer.encode_batch_fast(
            list(texts[start : start + 4096]), add_special_tokens=False
        )
        found += [np.array(one.ids, dtype=np.int32) for one in batch]
    return found


def _start(pieces: np.ndarray, axes: np.ndarray, counts: np.ndarray) -> np.ndarray:
    share = counts / counts.sum()
    return ((pieces - pieces.mean(0)) @ axes) * (RARE / (RARE + share))[:, None].astype(np.float32)


def _pairs(path: Path, tokenizer: Tokenizer, most: int) -> tuple[Rows, Rows, list[np.ndarray]]:
    """Questions, answers, and which of them are of each source."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()[:most]]
    sources: dict[str, list[int]] = {}
    for at, line in enumerate(lines):
        sources.setdefault(line["source"], []).append(at)
    questions = _encode(tokenizer, [line["text"] for line in lines])
    answers = _encode(tokenizer, [line["answer"] for line in lines])
    return questions, answers, [np.array(rows) for rows in sources.values()]


class Learner:
    """The table of token vectors and what it is drawn to."""

    def __init__(self, start: np.ndarray, given: argparse.Namespace) -> None:
        self._bag = torch.nn.EmbeddingBag.from_pretrained(
            torch.tensor(start, dtype=torch.float32), freeze=False, mode="sum"
        )
        # One unit is the typical length of a token's vector, whatever that is.
        unit = float(np.linalg.norm(start, axis=1).mean()) / start.shape[1] ** 0.5
        self._steps = torch.optim.Adam(self._bag.parameters(), lr=given.rate * unit / 0.02)
        self._schedule = torch.optim.lr_scheduler.CosineAnnealingLR(self._steps, given.steps)
        self._given = given
        self._chance = np.random.default_rng(SEED)

    def teach(self, rows: Rows, targets: torch.Tensor) -> None:
        self._rows, self._targets = rows, targets

    def pair(self, questions: Rows, answers: Rows, sources: list[np.ndarray]) -> None:
        self._questions, self._answers, self._sources = questions, answers, sources
        sizes = np.array([len(rows) for rows in sources], dtype=float)
        self._odds = sizes / sizes.sum()

    def table(self) -> np.ndarray:
        return self._bag.weight.detach().numpy()

    def run(self, steps: int) -> str:
        totals = np.zeros(2)
        for _ in range(steps):
            self._steps.zero_grad()
            losses = torch.zeros(2)
            if self._given.distil:
                losses[0] = self._distance()
            if self._given.contrast:
                losses[1] = self._confusion()
            (losses[0] * self._given.distil + losses[1] * self._given.contrast).backward()
            self._steps.step()
            self._schedule.step()
            totals += losses.detach().numpy()
        return "distance {:.4f}, confusion {:.4f}".format(*(totals / steps))

    def _embed(self, rows: Rows) -> torch.Tensor:
        rows = [row if len(row) else np.zeros(1, dtype=np.int32) for row in rows]
        starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])[:-1]])
        summed = self._bag(
            torch.from_numpy(np.concatenate(rows).astype(np.int64)), torch.from_numpy(starts)
        )
        return functional.normalize(summed)

    def _distance(self) -> torch.Tensor:
        taken = self._chance.integers(0, len(self._rows), TEXTS)
        vectors = self._embed([self._rows[at] for at in taken])
        return (1 - (vectors * self._targets[taken]).sum(1)).mean()

    def _confusion(self) -> torch.Tensor:
        losses = []
        for source in self._chance.choice(len(self._sources), SOURCES, p=self._odds):
            rows = self._sources[source]
            taken = self._chance.choice(rows, min(PAIRS, len(rows)), replace=False)
            questions = self._embed([self._questions[at] for at in taken])
            answers = self._embed([self._cropped(self._answers[at]) for at in taken])
            alike = questions @ answers.T / TEMPERATURE
            right = torch.arange(len(taken))
            losses.append(functional.cross_entropy(alike, right))
            losses.append(functional.cross_entropy(alike.T, right))
        return torch.stack(losses).mean()

    def _cropped(self, row: np.ndarray) -> np.ndarray:
        return row[:CROP]


def _write(folder: Path, name: str, table: np.ndarray) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / f"{name}.npy", table.astype(np.float32))


if __name__ == "__main__":
    main()
