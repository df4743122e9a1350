"""What is near a question: the chunks whose vectors lie in the direction of its own. Words are not
looked at here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from chunkwright.store.rows import Vectors

LEAST_COSINE = 0.5
"""A chunk that shares no word with the query must be at least this near: what is further away is
near by chance. Of questions and chunks of other repositories one pair in 300 is nearer."""

Vector = npt.NDArray[np.float32]


class Cosines(NamedTuple):
    """How near each vector of an index is to a question's."""

    vectors: Vectors
    values: Vector

    def of(self, rows: Sequence[int]) -> dict[int, float]:
        """Row -> cosine, for those of the rows that have a vector."""
        places = self.vectors.places(rows)
        found = self.vectors.rows[places].tolist()
        return dict(zip(found, self.values[places].astype(float).tolist(), strict=True))

    def nearest(self, allowed: npt.NDArray[np.bool_] | None, depth: int) -> list[int]:
        """Rows of the `depth` nearest chunks that are not too far away; `allowed` says of each
        vector whether it may be one of them."""
        usable = self.values >= LEAST_COSINE
        usable[self.vectors.of_chunks :] = False
        if allowed is not None:
            usable &= allowed
        places: npt.NDArray[np.intp] = np.flatnonzero(usable)
        if len(places) > depth:
            near = self.values[places]
            places = places[near >= np.partition(near, -depth)[-depth]]
            # Chunks are in the order of ids, so equal cosines stay in that order.
            places = places[np.argsort(-self.values[places], kind="stable")[:depth]]
        rows: list[int] = self.vectors.rows[places].tolist()
        return rows


def cosines(vectors: Vectors, vector: Vector) -> Cosines | None:
    """None where nothing can be near: without vectors, or for a question without meaning."""
    if not len(vectors.rows) or not vector.any():
        return None
    # All rows have length 1 or 0; so has the question.
    return Cosines(vectors, vectors.matrix @ vector)


def stored_vector(vectors: Vectors, row: int) -> Vector | None:
    """The vector of one chunk; None where it has none."""
    places = vectors.places([row])
    return vectors.matrix[places[0]] if len(places) else None
