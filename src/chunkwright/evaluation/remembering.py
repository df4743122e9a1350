"""An embedder that remembers what it has embedded, and what that cost: rows of an evaluation share
most of their chunks. How many texts are embedded is not decided here.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from chunkwright import measuring
from chunkwright.embedding import dim_of
from chunkwright.embedding.answers import checked
from chunkwright.types import Embedder

Vector = npt.NDArray[np.float32]


TOKENS = "tokens"
"""What an embedder reads is counted in where it brings no tokenizer."""


class Cost(NamedTuple):
    """What vectors cost."""

    tokens: int
    """That were read."""
    seconds: float


class RememberingEmbedder:
    """Another's vectors, each made once. What else the other says of itself it says too."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._made: dict[bytes, Vector] = {}
        self._asked: dict[bytes, Vector] = {}
        self._seconds: dict[bytes, float] = {}
        self._tokens: dict[bytes, int] = {}
        self._measure = measuring.resolve(getattr(embedder, "measure", None) or TOKENS)
        self._lock = threading.Lock()
        self.name = embedder.name
        self.dim = dim_of(embedder)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._embedder, name)

    def embed(self, texts: Sequence[str], /) -> Vector:
        """Vectors of documents."""
        return self._remembered(self._made, self._timed, texts)

    def embed_query(self, texts: Sequence[str], /) -> Vector:
        """Vectors of queries."""
        ask = getattr(self._embedder, "embed_query", None)
        return self._remembered(self._asked, ask, texts) if ask else self.embed(texts)

    def cost(self, texts: Iterable[str]) -> Cost:
        """What the vectors of these texts cost, each text once, whenever they were made."""
        keys = {_key(text): text for text in texts}
        tokens = sum(self._count(key, text) for key, text in keys.items())
        return Cost(tokens, sum(self._seconds.get(key, 0.0) for key in keys))

    def _count(self, key: bytes, text: str) -> int:
        if key not in self._tokens:
            self._tokens[key] = self._measure.count(text)
        return self._tokens[key]

    def _timed(self, texts: Sequence[str]) -> Any:
        """The vectors; the time of a call is shared among its texts by their lengths."""
        started = time.perf_counter()
        answer = self._embedder.embed(texts)
        each = (time.perf_counter() - started) / max(1, sum(map(len, texts)))
        self._seconds.update((_key(text), each * len(text)) for text in texts)
        return answer

    def _remembered(
        self, known: dict[bytes, Vector], make: Callable[[list[str]], Any], texts: Sequence[str]
    ) -> Vector:
        keys = [_key(text) for text in texts]
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if new:
            vectors = checked(self, make(list(new.values())), len(new))
            with self._lock:
                known.update(zip(new, vectors, strict=True))
        return np.stack([known[key] for key in keys]) if keys else np.zeros((0, self.dim), "f4")


def _key(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
