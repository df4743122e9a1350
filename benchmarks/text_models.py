"""Embedding models for the evaluation on text, their answers kept on disk. What is compared by
their vectors is elsewhere."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from chunkwright.embedding import resolve
from chunkwright.types import Embedder

Vectors = npt.NDArray[np.float32]
Embed = Callable[[Sequence[str]], Vectors]

SAVED_EACH = 256
"""Texts after which what was computed is written to the cache."""

MODELS = ("minilm", "static")
"""Names of our embedders."""


@cache
def _model(name: str) -> Embedder:
    model = resolve(name)
    assert model is not None
    return model


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
            vectors = _model(name).embed([missing[key] for key in part])
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
