"""Where grapheme clusters of a text may be cut, while it is being cut: one that the cap forced
apart has an edge inside. What a cluster is, is characters'.
"""

from __future__ import annotations

from chunkwright.characters import cluster_floor


class Clusters:
    """The edges of the clusters in one stretch of a text."""

    def __init__(self, text: str, stretch: tuple[int, int]) -> None:
        self._text = text
        self.everywhere = text.isascii() and text.find("\r", *stretch) < 0
        """Whether every place in the stretch is an edge."""
        self._forced = 0
        """End of the last cluster that had to be cut: an edge again."""

    def force(self, end: int) -> None:
        """The cluster that ends at `end` has to be cut."""
        self._forced = max(self._forced, end)

    def floor(self, begin: int, place: int) -> int:
        """The last edge at or before `place`, where `begin` is one, or lies in a cluster that had
        to be cut."""
        low = self._forced if begin < self._forced <= place else begin
        return cluster_floor(self._text, low, place)
