"""Embedding many texts with an embedder that may fail: batches, halving, bisection, and the check
that what comes back is vectors. Which embedder, and where vectors go, is not decided here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from chunkwright.errors import EmbedError
from chunkwright.types import Embedder

BATCH = 32
"""Texts a call: what services and small machines take without complaint."""

SHORTEST = 256
"""Code points: a failing text is halved down to this before it is given up. Shorter ones do not
fail because of their length."""

PROBE = "a"
"""If even this fails, it is the embedder that is down, not the text that is bad."""


class Embedding(NamedTuple):
    """Vectors of some texts, and which texts could not be embedded as they are."""

    vectors: npt.NDArray[np.float32]
    """Shape (texts, dim); zeros where the text failed."""
    failed: dict[int, str]
    """Position of a text without a vector -> reason."""
    shortened: dict[int, str]
    """Position of a text whose vector is that of its beginning -> reason."""


def embed_safely(embedder: Embedder, texts: Sequence[str]) -> Embedding:
    """Embed every text that can be embedded.

    Raises EmbedError where the embedder is down, or answers with anything but finite float32
    rows of shape (texts, dim).
    """
    run = _Run(embedder, texts)
    waiting = [(start, min(start + BATCH, len(texts))) for start in range(0, len(texts), BATCH)]
    waiting.reverse()
    while waiting:
        waiting.extend(run.attempt(*waiting.pop()))
    return Embedding(run.vectors, run.failed, run.shortened)


class _Run:
    """One pass over the texts: what is done, and what failed."""

    def __init__(self, embedder: Embedder, texts: Sequence[str]) -> None:
        self._embedder = embedder
        self._texts = texts
        self._batch = BATCH
        self.vectors = np.zeros((len(texts), embedder.dim), dtype=np.float32)
        self.failed: dict[int, str] = {}
        self.shortened: dict[int, str] = {}

    def attempt(self, start: int, stop: int) -> list[tuple[int, int]]:
        """Embed texts[start:stop]; returns the ranges still to be done, the last one first."""
        if stop - start > self._batch:
            return _halves(start, stop)
        try:
            answer = self._embedder.embed(self._texts[start:stop])
        except MemoryError as error:
            # Later batches of this size would fail as well.
            self._batch = max(1, (stop - start) // 2)
            return self._divide(start, stop, error)
        except Exception as error:  # any embedder, any error: the texts decide what it means
            return self._divide(start, stop, error)
        self.vectors[start:stop] = _checked(self._embedder, answer, stop - start)
        return []

    def _divide(self, start: int, stop: int, error: Exception) -> list[tuple[int, int]]:
        if stop - start > 1:
            return _halves(start, stop)
        self._shorten(start, error)
        return []

    def _shorten(self, position: int, error: Exception) -> None:
        """Embed the longest beginning that works, or give the text up."""
        text = self._texts[position]
        reason = f"{type(error).__name__}: {error}"
        length = len(text) // 2
        while length >= SHORTEST:
            try:
                answer = self._embedder.embed([text[:length]])
            except Exception:  # the first error is the one to report
                length //= 2
                continue
            self.vectors[position] = _checked(self._embedder, answer, 1)[0]
            self.shortened[position] = f"only {length} of {len(text)} characters; {reason}"
            return
        self._probe(error)
        self.failed[position] = reason

    def _probe(self, cause: Exception) -> None:
        try:
            answer = self._embedder.embed([PROBE])
        except Exception as error:  # whatever it is, the embedder cannot be used
            if isinstance(cause, EmbedError):
                raise cause from error
            raise EmbedError(
                self._embedder.name,
                f"down, a text of one letter fails ({type(cause).__name__}: {cause})",
                "check that it runs, then refresh again: what is done is kept",
            ) from error
        _checked(self._embedder, answer, 1)


def _halves(start: int, stop: int) -> list[tuple[int, int]]:
    middle = (start + stop) // 2
    return [(middle, stop), (start, middle)]


def _checked(embedder: Embedder, answer: object, count: int) -> npt.NDArray[np.float32]:
    """The answer, if it is vectors. Raises EmbedError if not."""
    try:
        vectors = np.asarray(answer)
    except Exception as error:  # rows of unequal lengths, or an object that cannot be an array
        raise _nonsense(embedder, f"no shape ({error})") from error
    wanted = (count, embedder.dim)
    if vectors.shape != wanted:
        raise _nonsense(embedder, f"shape {vectors.shape} for {count} texts, not {wanted}")
    if vectors.dtype != np.float32:
        raise _nonsense(embedder, f"dtype {vectors.dtype}, not float32")
    if not np.isfinite(vectors).all():
        raise _nonsense(embedder, "NaN or infinite values")
    return vectors


def _nonsense(embedder: Embedder, found: str) -> EmbedError:
    return EmbedError(
        embedder.name,
        f"its answer has {found}",
        "embed(texts) must return finite numpy float32 of shape (len(texts), dim)",
    )
