"""The teacher's vectors of the training texts, in pieces, so that a stopped run goes on.

    python teach.py texts.jsonl TEACHER vectors

TEACHER is the folder of all-MiniLM-L6-v2 (model.safetensors, tokenizer.json). Each piece of the
result holds float16 vectors of length 1 and how many code points of each text were read.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from transformers import AutoModel

PIECE = 4096
"""Texts of a file of the result."""

TOKENS = 128
"""Word pieces of a text that are read: what the teacher was trained with."""

BATCH_TOKENS = 4096
"""Of a batch, padding included."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("texts", type=Path)
    parser.add_argument("teacher", type=Path)
    parser.add_argument("result", type=Path)
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    lines = given.texts.read_text("utf-8").splitlines()
    texts = [json.loads(line)["text"] for line in lines]
    given.result.mkdir(exist_ok=True)
    teacher = Teacher(given.teacher)
    for start in range(0, len(texts), PIECE):
        place = given.result / f"{start:07}.npz"
        if place.exists():
            continue
        began = time.monotonic()
        vectors, ends = teacher.read(texts[start : start + PIECE])
        unfinished = place.with_suffix(".part")
        with unfinished.open("wb") as file:
            np.savez(file, vectors=vectors, ends=ends)
        unfinished.rename(place)
        print(
            f"{start + len(vectors)} of {len(texts)}: {time.monotonic() - began:.0f} s", flush=True
        )


class Teacher:
    """The network, in bfloat16: cosines with its float32 vectors are 0.999."""

    def __init__(self, folder: Path) -> None:
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(TOKENS)
        self._network: Any = AutoModel.from_pretrained(str(folder)).to(torch.bfloat16).eval()

    def read(self, texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """Vectors, and the end of what was read of each text."""
        encoded = self._tokenizer.encode_batch(list(texts))
        ends = np.array([max((end for _, end in one.offsets), default=0) for one in encoded])
        vectors = np.zeros((len(texts), 384), dtype=np.float16)
        order = sorted(range(len(texts)), key=lambda at: len(encoded[at].ids))
        for batch in _batches(order, [len(one.ids) for one in encoded]):
            vectors[batch] = self._mean([encoded[at].ids for at in batch])
        return vectors, ends

    @torch.inference_mode()
    def _mean(self, rows: Sequence[Sequence[int]]) -> np.ndarray:
        longest = max(map(len, rows))
        ids = torch.zeros((len(rows), longest), dtype=torch.long)
        mask = torch.zeros_like(ids)
        for at, row in enumerate(rows):
            ids[at, : len(row)] = torch.tensor(row)
            mask[at, : len(row)] = 1
        hidden = self._network(input_ids=ids, attention_mask=mask).last_hidden_state.float()
        summed = (hidden * mask[..., None]).sum(1)
        return torch.nn.functional.normalize(summed, dim=1).numpy().astype(np.float16)


def _batches(order: Sequence[int], lengths: Sequence[int]) -> list[list[int]]:
    found: list[list[int]] = [[]]
    for at in order:
        if (len(found[-1]) + 1) * lengths[at] > BATCH_TOKENS:
            found.append([])
        found[-1].append(at)
    return found


if __name__ == "__main__":
    main()
