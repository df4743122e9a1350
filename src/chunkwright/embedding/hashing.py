"""A deterministic embedder for tests: hashed words, no model, no files. Not for finding meaning."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
import numpy.typing as npt
import regex

from chunkwright.errors import ConfigError

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}_]+")


class HashingEmbedder:
    """Adds up one signed unit a lower-cased word, in a place chosen by the word's hash.

    The same words in any order give the same vector on every platform; texts that share no word
    are nearly always at a right angle. Rows have length 1, or 0 for a text without words.
    """

    is_cheap = True
    max_tokens = 2**31 - 1
    """A sum takes a text of any length."""

    def __init__(self, dim: int = 64, name: str | None = None) -> None:
        if not isinstance(dim, int) or isinstance(dim, bool) or dim < 1:
            raise ConfigError("dim", dim, "a whole number of 1 or more")
        self.dim = dim
        self.name = f"hashing-{dim}" if name is None else name

    def embed(self, texts: Sequence[str], /) -> npt.NDArray[np.float32]:
        """Vectors of shape (len(texts), dim)."""
        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in _WORD.findall(text.lower()):
                place, sign = self._place(word)
                row[place] += sign
        lengths = np.sqrt((rows.astype(np.float64) ** 2).sum(axis=1, keepdims=True))
        np.divide(rows, lengths, out=rows, where=lengths > 0, casting="same_kind")
        return rows

    def _place(self, word: str) -> tuple[int, float]:
        number = int.from_bytes(blake2b(word.encode(), digest_size=8).digest(), "big")
        return (number >> 1) % self.dim, 1.0 if number & 1 else -1.0
