"""What is near a question: the chunks whose vectors lie in the direction of its own. Words are not
looked at here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from chunkwright.store.rows import Vectors

LEAST_COSINE = 0.5
"""A chunk that shares no word with the query must be at least this near: what is further away is
near by chance. Of questions and chunks of other repositories one pair in 300 is nearer."""

Vector = npt.NDArray[np.float32]


def by_meaning(
    vectors: Vectors,
    vector: Vector,
    wanted: Sequence[int],
    allowed: npt.NDArray[np.bool_] | None,
    depth: int,
) -> dict[int, float]:
    """Row -> cosine, of the nearest chunks and of those already found by words; `allowed` says of
    each vector whether it may be one of the nearest."""
    if not len(vectors.rows) or not vector.any():
        return {}
    # All rows have length 1 or 0; so has the query. The rows are in the order of ids, so equal
    # cosines stay in that order.
    cosines = vectors.matrix @ vector
    places = np.union1d(_nearest(cosines, allowed, depth), vectors.places(wanted))
    return dict(
        zip(vectors.rows[places].tolist(), cosines[places].astype(float).tolist(), strict=True)
    )


def _nearest(
    cosines: Vector,
    allowed: npt.NDArray[np.bool_] | None,
    depth: int,
) -> npt.NDArray[np.intp]:
    """Places of the `depth` highest cosines that are not too low."""
    usable = cosines >= LEAST_COSINE
    if allowed is not None:
        usable &= allowed
    places: npt.NDArray[np.intp] = np.flatnonzero(usable)
    if len(places) <= depth:
        return places
    border = np.partition(cosines[places], -depth)[-depth]
    best: npt.NDArray[np.intp] = places[cosines[places] >= border]
    order = np.argsort(-cosines[best], kind="stable")[:depth]
    return best[order]


def stored_vector(vectors: Vectors, row: int) -> Vector | None:
    """The vector of one chunk; None where it has none."""
    places = vectors.places([row])
    return vectors.matrix[places[0]] if len(places) else None
