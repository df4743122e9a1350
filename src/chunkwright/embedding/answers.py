"""What an embedder answers, held against what it should: vectors, finite, of the right shape.
Nothing is asked here.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from chunkwright.errors import EmbedError
from chunkwright.types import Embedder

Vectors = npt.NDArray[np.float32]

REAL = "fiu"
"""Kinds of numpy types that are taken: real and whole numbers of any width."""

CONTRACT = "embed(texts) must return finite numbers of shape (len(texts), dim)"


def checked(embedder: Embedder, answer: object, count: int) -> Vectors:
    """The answer as float32, if it is vectors: an array, or lists of numbers, of any precision.

    Raises EmbedError if not: a final one, but where single values are not finite, which may be
    due to one text.
    """
    try:
        found = np.asarray(answer)
    except Exception as error:  # rows of unequal lengths, or an object that cannot be an array
        raise _nonsense(embedder, f"no shape ({error})") from error
    wanted = (count, embedder.dim)
    if found.shape != wanted:
        raise _nonsense(embedder, f"shape {found.shape} for {count} texts, not {wanted}")
    if found.dtype.kind not in REAL:
        raise _nonsense(embedder, f"dtype {found.dtype}, not numbers")
    with np.errstate(over="ignore"):  # what is too large for float32 is infinite, and refused
        vectors = found.astype(np.float32, copy=False)
    if not np.isfinite(vectors).all():
        raise _nonsense(embedder, "NaN or infinite values", is_final=False)
    return vectors


def unit(vector: Vectors) -> Vectors:
    """The vector with length 1, or 0, so that a scalar product is a cosine."""
    exact = vector.astype(np.float64)
    # By its largest value first: the square of a huge one would overflow.
    largest = np.abs(exact).max(initial=0.0)
    if largest > 0:
        exact /= largest
        exact /= np.sqrt((exact**2).sum())
    scaled: Vectors = exact.astype(np.float32)
    return scaled


def _nonsense(embedder: Embedder, found: str, *, is_final: bool = True) -> EmbedError:
    return EmbedError(embedder.name, f"its answer has {found}", CONTRACT, is_final=is_final)
