"""What is near a question: its vector, and the chunks whose vectors lie in its direction. Words are
not looked at here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from chunkwright.errors import ChunkwrightError, EmbedError
from chunkwright.store.rows import Vectors
from chunkwright.store.terms import MAX_QUERY
from chunkwright.types import Embedder

LEAST_COSINE = 0.4
"""A chunk that shares no word with the query must be at least this near: what is further away is
near by chance."""

REAL = "fiu"
"""Kinds of numpy types a query's vector may have."""

Vector = npt.NDArray[np.float32]


def by_meaning(
    vectors: Vectors,
    vector: Vector,
    wanted: Sequence[int],
    allowed: npt.NDArray[np.int64] | None,
    depth: int,
) -> dict[int, float]:
    """Row -> cosine, of the nearest chunks and of those already found by words."""
    if not len(vectors.rows) or not vector.any():
        return {}
    # All rows have length 1 or 0; so has the query. The rows are in the order of ids, so equal
    # cosines stay in that order.
    cosines = vectors.matrix @ vector
    nearest = _nearest(cosines, vectors.rows, allowed, depth)
    known = np.flatnonzero(np.isin(vectors.rows, np.array(wanted, dtype=np.int64)))
    places = np.union1d(nearest, known)
    return dict(
        zip(vectors.rows[places].tolist(), cosines[places].astype(float).tolist(), strict=True)
    )


def _nearest(
    cosines: Vector,
    rows: npt.NDArray[np.int64],
    allowed: npt.NDArray[np.int64] | None,
    depth: int,
) -> npt.NDArray[np.intp]:
    """Places of the `depth` highest cosines that are not too low."""
    usable = cosines >= LEAST_COSINE
    if allowed is not None:
        usable &= np.isin(rows, allowed)
    places: npt.NDArray[np.intp] = np.flatnonzero(usable)
    if len(places) <= depth:
        return places
    border = np.partition(cosines[places], -depth)[-depth]
    best: npt.NDArray[np.intp] = places[cosines[places] >= border]
    order = np.argsort(-cosines[best], kind="stable")[:depth]
    return best[order]


def stored_vector(vectors: Vectors, row: int) -> Vector | None:
    """The vector of one chunk; None where it has none."""
    places = np.flatnonzero(vectors.rows == row)
    return vectors.matrix[places[0]] if len(places) else None


def embedded(embedder: Embedder, query: str) -> Vector:
    """The query's vector; the length of 1 makes a scalar product a cosine."""
    try:
        answer = np.asarray(embedder.embed([query[:MAX_QUERY]]))
    except ChunkwrightError:
        raise
    except Exception as error:  # whatever an embedder raises, a search says which one it was
        raise EmbedError(
            embedder.name,
            f"{type(error).__name__} for the query: {error}",
            "check the embedder, or search with embedder=False for words only",
        ) from error
    is_real = answer.dtype.kind in REAL
    if answer.shape != (1, embedder.dim) or not is_real or not np.isfinite(answer).all():
        raise EmbedError(
            embedder.name,
            f"no finite vector of {embedder.dim} for the query",
            "embed(texts) must return numpy float32 of shape (len(texts), dim)",
        )
    vector = answer[0].astype(np.float64)
    # By its largest value first: the square of a huge one would overflow.
    largest = np.abs(vector).max()
    if largest > 0:
        vector /= largest
        vector /= np.sqrt((vector**2).sum())
    unit: Vector = vector.astype(np.float32)
    return unit
