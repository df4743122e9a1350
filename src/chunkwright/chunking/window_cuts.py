"""The best cut in one window of text: at a border that a format would like, a break that a style
looks for, or between clusters. How far a window reaches is the packer's.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Final, NamedTuple
from zlib import crc32

from chunkwright.characters import INK, WHITE_SPACE, trim
from chunkwright.chunking.breaks import (
    FINDERS,
    STABLE_KINDS,
    Attempt,
    Style,
    can_be_cut_anywhere,
    heading_at_end,
    keep_from_start,
    unit_end,
)
from chunkwright.chunking.clusters import Clusters
from chunkwright.chunking.layouts import Layout
from chunkwright.chunking.unspaced import last_word_break
from chunkwright.measuring import Ruler

CLUSTER: Final = "cluster"

QUARTERS: Final = 4
"""A span brings at least a quarter of the window of new text, wherever it can."""

MOST_REJECTED: Final = 32
"""Breaks of a kind that may turn out to lie within clusters (marks on spaces) before the kind is
given up in a window."""

SURROUNDINGS: Final = 16
"""Code points on either side of a break that decide a stable cut."""


class Cut(NamedTuple):
    """Where a span ends, and why."""

    end: int
    boundary: str


class Window(NamedTuple):
    """What can be in a span that begins at `begin` and brings new text from `fresh` on."""

    begin: int
    fresh: int
    high: int
    """The furthest place to cut at: within the cap, through no cluster and no whole block."""
    edge: int
    """The end of the white space after `high`: a break up to there costs no room."""

    def low(self, share: int) -> int:
        """The place that leaves room for `share` quarters before it: one is a quarter of the whole
        window, two are half of its new text."""
        length = self.high - (self.begin if share == 1 else self.fresh)
        return self.fresh + length * share // QUARTERS


class WindowCutter:
    """Cuts the windows of a stretch that ends at `end`, one at a time."""

    def __init__(
        self,
        ruler: Ruler,
        end: int,
        stop: int,
        plan: Layout,
        style: Style,
        clusters: Clusters,
        *,
        stable: bool,
    ) -> None:
        self._ruler = ruler
        self._text = ruler.text
        self._end = end
        self._stop = stop
        """Where the last character of the stretch that is not white space ends."""
        self._style = style
        self._kinds = tuple(dict.fromkeys(attempt.kind for attempt in style.attempts))
        """Kinds of break, the strongest first."""
        self._clusters = clusters
        self._stable = stable
        self._borders = plan.borders
        self._border_positions = [border.position for border in plan.borders]
        self._whole = plan.whole
        self._whole_starts = [start for start, _ in plan.whole]

    def cut(self, window: Window) -> Cut:
        """The best cut in a window."""
        found = self._border(window)
        if found:
            return self.finish(window, *found)
        found = self._stable_break(window) if self._stable else None
        place, boundary = found or self._break(window)
        return self.finish(window, place, boundary)

    def kind_at(self, fresh: int, end: int, otherwise: str) -> str:
        """The strongest kind of break at `end`, where text that begins at `fresh` ends."""
        edge = self.next_ink(end)
        for kind in self._kinds:
            found = FINDERS[kind](self._text, fresh, edge)
            if found >= end and self._kept_end(fresh, found) == end:
                return kind
        return otherwise

    def _border(self, window: Window) -> tuple[int, str] | None:
        """The last of the strongest borders that leave a quarter of the new text behind."""
        first = bisect_right(self._border_positions, window.low(1))
        last = bisect_right(self._border_positions, window.edge)
        here = [border for border in self._borders[first:last] if self._allows(window, border[0])]
        if not here:
            return None
        best = min(here, key=lambda border: (border.rank, -border.position))
        return best.position, best.reason

    def _break(self, window: Window) -> tuple[int, str]:
        """The break that the style's first successful attempt finds, else a cluster's edge."""
        for attempt in self._style.attempts:
            if attempt.share < 2 and can_be_cut_anywhere(self._text, window.high):
                break
            place = self._attempt(window, attempt)
            if place >= 0:
                return place, attempt.kind if attempt.share else self._told(window, place)
        return self._between_clusters(window)

    def _between_clusters(self, window: Window) -> tuple[int, str]:
        """A place where there is no break: between two words of a script that writes none, else
        between two clusters."""
        if not self._style.attempts:
            return window.high, CLUSTER
        high, low = self._stable_cluster(window) if self._stable else window.high, window.low(1)
        word = last_word_break(self._text, low, high)
        if word >= 0 and self._allows(window, word):
            return word, "word"
        place = keep_from_start(self._text, window.begin, low, high)
        return place, self._told(window, place)

    def _stable_break(self, window: Window) -> tuple[int, str] | None:
        """The break in the window's second half whose surroundings have the lowest checksum: the
        same one, most times, wherever the window begins."""
        for kinds in STABLE_KINDS:
            places = {
                place for kind in kinds for place in self._breaks(window, kind, window.low(2))
            }
            if places:
                best = min(places, key=lambda place: (self._checksum(place), -place))
                return best, self._told(window, best)
        return None

    def _stable_cluster(self, window: Window) -> int:
        """As above, of all edges of clusters: what is left where there is no break at all."""
        places = range(window.high, window.low(2), -1)
        best = sorted(places, key=self._checksum)[:MOST_REJECTED]
        return next((place for place in best if self._allows(window, place)), window.high)

    def _breaks(self, window: Window, kind: str, low: int) -> Iterator[int]:
        """Every break of a kind in low < break <= edge, the last first."""
        high = window.edge
        while (place := self._last(window, kind, low, high)) >= 0:
            end = self._kept_end(low, place)
            if end > low:
                yield place
            high = min(end, place - 1)

    def _checksum(self, place: int) -> int:
        around = self._text[max(0, place - SURROUNDINGS) : place + SURROUNDINGS]
        return crc32(around.encode())

    def _attempt(self, window: Window, attempt: Attempt) -> int:
        """The last break of the attempt's kind that leaves its share behind; or -1."""
        low = window.low(attempt.share)
        place = self._last(window, attempt.kind, low, window.edge)
        if place < 0 or self._kept_end(low, place) == low:
            return -1
        if attempt.share == 0 and not self._unit_fits(attempt.kind, place, window.high):
            return -1
        return place

    def _told(self, window: Window, place: int) -> str:
        """What a cut at `place` is called, however it was found."""
        return self.kind_at(window.fresh, self._kept_end(window.fresh, place), CLUSTER)

    def _last(self, window: Window, kind: str, low: int, high: int) -> int:
        """The last break of a kind in low < break <= high where a cut is allowed; or -1."""
        rejected = 0
        while high > low and rejected < MOST_REJECTED:
            place = FINDERS[kind](self._text, low, high)
            if place < 0 or self._allows(window, place):
                return place
            block = self.block_around(place)
            rejected += block is None
            high = block[0] if block else place - 1
        return -1

    def _kept_end(self, low: int, place: int) -> int:
        """Where the text before `place` ends; `low` where there is only white space after it."""
        return low + len(self._text[low:place].rstrip(WHITE_SPACE))

    def _allows(self, window: Window, place: int) -> bool:
        """Whether a cut at `place` goes through no cluster and no whole block."""
        if self.block_around(place):
            return False
        return self._clusters.floor(window.begin, place) == place

    def block_around(self, place: int) -> tuple[int, int] | None:
        """The whole block that `place` lies strictly inside of."""
        at = bisect_right(self._whole_starts, place) - 1
        if at < 0 or not self._whole[at][0] < place < self._whole[at][1]:
            return None
        return self._whole[at]

    def _unit_fits(self, kind: str, place: int, high: int) -> bool:
        """Whether the unit that a cut at `high` would go through fits when it begins a span."""
        reach = self._ruler.reach(self._clusters.floor(place, self.next_ink(place)))
        return reach >= self._stop or unit_end(kind, self._text, high, reach + 1) >= 0

    def next_ink(self, place: int) -> int:
        """The first character at or after `place` that is not white space; the stretch's end."""
        match = INK.search(self._text, place, self._end)
        return match.start() if match else self._end

    def finish(self, window: Window, place: int, boundary: str) -> Cut:
        """The cut without white space before it, and with no heading at its end that belongs to
        what follows: it goes there or, where too little would be left, brings some of that along.
        """
        end = trim(self._text, window.begin, place)[1]
        while self._style.headings:
            heading = heading_at_end(self._text, window.fresh, end, self._stop)
            if heading < 0 or not self._allows(window, heading):
                break
            if heading <= window.low(1):
                return self._after_heading(window, end) or Cut(end, boundary)
            end, boundary = trim(self._text, window.begin, heading)[1], "heading"
        return Cut(end, boundary)

    def _after_heading(self, window: Window, heading_end: int) -> Cut | None:
        """The strongest cut after a heading, with a word after it at least."""
        low = self.next_ink(heading_end)
        for kind in self._kinds:
            place = self._last(window, kind, low, window.edge)
            if place >= 0 and self._kept_end(low, place) > low:
                end = trim(self._text, window.begin, place)[1]
                return Cut(end, self.kind_at(window.fresh, end, kind))
        return None
