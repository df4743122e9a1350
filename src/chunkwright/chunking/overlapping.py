"""Where the overlap of one span with the one before begins: at a sentence, a line or a word, and
within what was asked for. Where spans end is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from chunkwright.characters import INK, cluster_ceiling, is_edge
from chunkwright.chunking.breaks import STARTS, Style
from chunkwright.chunking.clusters import Clusters
from chunkwright.chunking.layouts import Span
from chunkwright.chunking.unspaced import first_word_break
from chunkwright.measuring import Ruler
from chunkwright.measuring.exact import Characters, is_exact

QUARTERS: Final = 4
"""A start is looked for in the first three quarters of what may be repeated, and only then in the
last: one there leaves little of it."""

MOST_TRIED: Final = 32
"""Starts of a kind that may lie within clusters, or count too much, before it is given up."""

LONGEST_TAIL: Final = 24
"""Code points before a reach in tokens at which a word may begin that counts less than its own
tail does: more than the longest words have that are one token."""


class Overlaps:
    """Finds where overlaps begin."""

    def __init__(self, ruler: Ruler, overlap: int, style: Style, clusters: Clusters) -> None:
        self._ruler = ruler
        self._text = ruler.text
        self._clusters = clusters
        self.most = overlap if ruler.size is None else min(overlap, ruler.size // 2)
        """In the ruler's measure; no more than half the cap, so that a window has new text in which
        to choose a break."""
        self._exact = is_exact(ruler.measure)
        self._by_length = isinstance(ruler.measure, Characters)
        self._always = clusters.everywhere
        self._kinds = style.starts
        self._usual_start = STARTS[style.starts[0]]

    def start(self, previous: Span) -> int | None:
        """Where the overlap with the span before begins; None where there can be none."""
        if self.most < 1:
            return None
        first, high = previous.start + 1, previous.end
        tried = 0
        if self._by_length:
            low = max(high - self.most, first)
            usual = self._usual_start(self._text, low, high - (high - low) // QUARTERS)
            if usual >= 0 and self._is_edge(usual):
                return usual  # what follows would find the same
            tried = usual < 0
        else:
            low = max(self._ruler.reach_back(high, self.most, previous.start), first)
        begin = self._good_start(low, previous, self._kinds[tried:])
        if begin is None and not self._has_start(low, high):
            begin = self._any_start(low, previous)
        return begin if begin is not None and begin < high else None

    def _is_edge(self, place: int) -> bool:
        """Whether a cluster certainly begins at a place; a False needs a closer look."""
        return self._always or bool(is_edge(self._text[place - 1], self._text[place]))

    def _good_start(self, low: int, previous: Span, kinds: Sequence[str]) -> int | None:
        """The first place where a unit begins, of `kinds` or, in the last quarter, of any."""
        high = previous.end
        soon = high - (high - low) // QUARTERS
        if not self._exact:
            low = max(previous.start + 1, low - LONGEST_TAIL)
        for start, end, some in ((low, soon, kinds), (soon, high, self._kinds)):
            for kind in some:
                for begin in self._starts(kind, start, end):
                    if self._fits(begin, previous):
                        return begin
        return None

    def _starts(self, kind: str, low: int, high: int) -> Iterator[int]:
        find, text = STARTS[kind], self._text
        for _ in range(MOST_TRIED):
            begin = find(text, low, high)
            if begin < 0:
                return
            yield begin
            low = begin + 1

    def _has_start(self, low: int, high: int) -> bool:
        """Whether a unit begins there, though what would be repeated from it on is too much."""
        return any(STARTS[kind](self._text, low, high) >= 0 for kind in self._kinds)

    def _any_start(self, low: int, previous: Span) -> int | None:
        """The first place between words of a script without spaces, or between clusters."""
        text, floor, high = self._text, previous.start, previous.end
        begin = first_word_break(text, low, high)
        if begin < 0:
            edge = floor + cluster_ceiling(text[floor:high], 0, low - floor)
            match = INK.search(text, edge, high)
            begin = self._clusters.floor(edge, match.start()) if match else high
        return begin if begin < high and self._fits(begin, previous) else None

    def _fits(self, begin: int, previous: Span) -> bool:
        """Whether a cluster begins there, and what would be repeated is not too much: tokens are
        counted anew, for less text may be more of them."""
        if not self._always and self._clusters.floor(previous.start, begin) != begin:
            return False
        return self._exact or self._ruler.fits(begin, previous.end, self.most)
