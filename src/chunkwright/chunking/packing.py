"""The one packer: cuts a stretch of text into spans under a cap. Formats contribute data (borders,
blocks to keep whole, a style), never loops of their own; kinds of breaks are `breaks`'.

A window reaches from where a span begins as far as the cap allows. The cut is looked for in the
part of it that is new text, at the strongest border or break, and everything costs a constant
number of looks at each window, so that the whole is linear.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple
from zlib import crc32

from chunkwright.characters import (
    INDENTATION,
    INK,
    WHITE_SPACE,
    cluster_ceiling,
    cluster_floor,
    is_whitespace_only,
    trim,
)
from chunkwright.chunking.breaks import (
    CODE,
    EXACT,
    FINDERS,
    PROSE,
    STABLE_KINDS,
    STARTS,
    STYLES,
    Attempt,
    can_be_cut_anywhere,
    heading_at_end,
    keep_from_start,
    unit_end,
)
from chunkwright.chunking.layouts import BLOCK, OVER_CAP, Border, Layout, Span, layout
from chunkwright.chunking.prose_windows import ProseWindows
from chunkwright.chunking.unspaced import first_word_break, last_word_break
from chunkwright.measuring import Ruler

__all__ = ["CODE", "EXACT", "OVER_CAP", "PROSE", "Border", "Layout", "Span", "layout", "pack"]

END = "end of text"
CLUSTER = "cluster"

QUARTERS = 4
"""A span brings at least a quarter of the window of new text, wherever it can."""

FURTHEST_LOOK = 64
"""Code points beyond a reach in which the end of a cluster is looked for that fits after all:
token counts can shrink as a text grows."""

MOST_REJECTED = 32
"""Breaks of a kind that may turn out to lie within clusters (marks on spaces) before the kind is
given up in a window."""

SURROUNDINGS = 16
"""Code points on either side of a break that decide a stable cut."""


def pack(
    ruler: Ruler,
    start: int,
    end: int,
    *,
    overlap: int = 0,
    plan: Layout = Layout(),  # noqa: B008  # immutable
    style: str = PROSE,
    stable: bool = False,
) -> Iterator[Span]:
    """Cut text[start:end] into spans of at most the ruler's cap, lazily and in order.

    `overlap` is in the ruler's measure. Spans hold every character but white space, begin and end
    on none (a line's indentation is kept where a span begins with it), and their starts and ends
    strictly increase. `style` is PROSE, CODE or EXACT; with `stable`, a cut depends on the text
    around it rather than on the cuts before it, so that an edit changes few spans.
    """
    return _Packer(ruler, (start, end), overlap, plan, style, stable).spans()


class _Cut(NamedTuple):
    end: int
    boundary: str


class _Window(NamedTuple):
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


class _Packer:
    """One stretch being cut. Positions are cluster boundaries unless the cap forbids it."""

    def __init__(
        self,
        ruler: Ruler,
        stretch: tuple[int, int],
        overlap: int,
        plan: Layout,
        style: str,
        stable: bool,
    ) -> None:
        self._stable = stable
        self._ruler = ruler
        self._text = ruler.text
        self._start, self._end = stretch
        self._stop = trim(ruler.text, *stretch)[1]
        self._boundary = 0
        """End of the last cluster that had to be cut: a boundary again."""
        self._overlap = overlap if ruler.size is None else min(overlap, ruler.size // 2)
        """No more than half, so that there is new text to choose a break in."""
        self._style = STYLES[style]
        self._borders = plan.borders
        self._border_positions = [border.position for border in plan.borders]
        self._whole = plan.whole
        self._whole_starts = [start for start, _ in plan.whole]

    def spans(self) -> Iterator[Span]:
        """Every span of the stretch."""
        usual = self._usual_windows()
        previous = None
        position = self._start
        while True:
            if usual and previous and previous.end == position:
                for span in usual.after(previous):
                    yield span
                    previous = span
                position = previous.end
            fresh = self._next_kept(position)
            if fresh >= self._stop:
                return
            span = self._span(position, fresh, previous)
            position = span.end
            if not is_whitespace_only(self._text[span.start : position]):
                previous = span
                yield span

    def _usual_windows(self) -> ProseWindows | None:
        """The shorter way, where nothing but the text itself says where to cut."""
        if self._style is not STYLES[PROSE] or self._stable or self._borders or self._whole:
            return None
        stretch = (self._start, self._stop)
        return ProseWindows(
            self._ruler,
            stretch,
            self._overlap,
            self._floor,
            self._indentation_start,
            self._overlap_start,
        )

    def _next_kept(self, position: int) -> int:
        """The first character after white space; not a mark alone whose base is a space."""
        match = INK.search(self._text, position, self._end)
        return self._floor(position, match.start()) if match else self._end

    def _span(self, position: int, fresh: int, previous: Span | None) -> Span:
        """The span that brings the new text from `fresh` on, with an overlap where that costs no
        unit its wholeness."""
        begin = self._overlap_start(previous) if previous else None
        cut = self._cut(begin, fresh) if begin is not None else None
        if previous is None or begin is None or cut is None:
            return self._plain_span(position, fresh)
        if cut.boundary in self._style.splitting and self._cuts_a_unit(previous, fresh, cut):
            plain = self._plain_span(position, fresh)
            if plain.boundary not in (cut.boundary, OVER_CAP):
                return plain
        return Span(begin, cut.end, previous.end - begin, cut.boundary)

    def _cuts_a_unit(self, previous: Span, fresh: int, cut: _Cut) -> bool:
        """Whether the word or line cut through begins in the new text: if the span before cut it
        already, there is nothing left to keep whole."""
        begins_here = previous.boundary not in self._style.splitting
        return begins_here or FINDERS["word"](self._text, fresh, cut.end) >= 0

    def _plain_span(self, position: int, fresh: int) -> Span:
        """The span without an overlap, its first line indented where that takes little room."""
        for begin in sorted({self._indentation_start(position, fresh), fresh}):
            cut = self._cut(begin, fresh)
            if cut is None or cut.boundary in self._style.splitting:
                cut = self._unit_without_context(begin, fresh, cut) or cut
            if cut:
                return Span(begin, cut.end, 0, cut.boundary)
        end = self._cut_in_cluster(fresh, fresh + 1).end
        fits = self._ruler.fits(fresh, end, self._ruler.full)
        return Span(fresh, end, 0, CLUSTER if fits else OVER_CAP)

    def _unit_without_context(self, begin: int, fresh: int, cut: _Cut | None) -> _Cut | None:
        """A cut beside the unit that `cut` goes through, where that unit fits the whole cap: it
        is kept before any context is."""
        unit, full, text = self._style.unit, self._ruler.full, self._text
        if not unit or full == self._ruler.size:
            return None
        cut_at = cut.end if cut else fresh
        before = FINDERS[unit](text, fresh, cut_at)
        if before >= 0 and self._floor(begin, before) < before:
            return None
        start = begin if before < 0 else self._next_kept(before)
        reach = self._ruler.reach(start, full)
        end = unit_end(unit, text, cut_at, min(self._stop, reach + 1))
        end = self._stop if end < 0 and reach >= self._stop else end
        if end < 0 or not self._ruler.fits(start, end, full):
            return None
        return _Cut(trim(text, begin, end if before < 0 else before)[1], unit)

    def _indentation_start(self, position: int, fresh: int) -> int:
        begin = position + len(self._text[position:fresh].rstrip(INDENTATION))
        at_line_start = begin == 0 or self._text[begin - 1] in "\r\n"
        if begin == fresh or not at_line_start:
            return fresh
        return begin if 2 * (fresh - begin) < self._ruler.reach(begin) - begin else fresh

    def _overlap_start(self, previous: Span) -> int | None:
        """Where the overlap with the previous span begins; None where there can be none."""
        if self._overlap < 1:
            return None
        text, floor, high = self._text, previous.start, previous.end
        low = max(self._ruler.reach_back(high, self._overlap, floor), floor + 1)
        for latest in (high - (high - low) // QUARTERS, high):
            for kind in self._style.starts:
                begin = STARTS[kind](text, low, latest)
                while begin >= 0 and self._floor(floor, begin) < begin:
                    begin = STARTS[kind](text, begin + 1, latest)
                if begin >= 0:
                    return begin
        begin = first_word_break(text, low, high)
        if begin >= 0:
            return begin
        begin = self._next_kept(floor + cluster_ceiling(text[floor:high], 0, low - floor))
        return begin if begin < high else None

    def _cut(self, begin: int, fresh: int) -> _Cut | None:
        """Where the span from `begin` ends; None where it would bring too little new text."""
        reach = self._ruler.reach(begin)
        if reach >= self._stop:
            if self._ruler.fits(begin, self._stop):
                return _Cut(self._stop, END)
            reach = self._stop - 1
        step = 1
        while reach > fresh:
            cut = self._best_cut(begin, fresh, reach)
            if cut is None or self._ruler.fits(begin, cut.end):
                return cut
            if cut.boundary == CLUSTER and self._ruler.fits(begin, cut.end, self._ruler.full):
                return cut
            reach, step = cut.end - step, step * 2
        return None

    def _best_cut(self, begin: int, fresh: int, reach: int) -> _Cut | None:
        high = self._floor(begin, reach)
        if begin < fresh and (high - fresh) * QUARTERS < high - begin:
            return None
        if high <= fresh:
            return self._cut_in_cluster(fresh, reach)
        block = self._block_around(high)
        if block is None:
            return self._cut_in(_Window(begin, fresh, high, self._edge(high)))
        before = self._floor(begin, block[0])
        if before > fresh:
            return self._cut_before(_Window(begin, fresh, high, high), before)
        if begin < fresh:
            return None
        return self._cut_in(_Window(begin, fresh, high, self._edge(high)))

    def _cut_before(self, window: _Window, block: int) -> _Cut:
        """A cut at or before the start of a whole block that would not fit any more."""
        if block <= window.low(1):
            return self._finish(window, block, BLOCK)
        return self._cut_in(_Window(window.begin, window.fresh, block, block))

    def _cut_in_cluster(self, fresh: int, reach: int) -> _Cut:
        """A cut where even the first cluster counts too much, unless it fits as a whole
        (into what is reserved for context, if need be)."""
        near = self._text[fresh : reach + FURTHEST_LOOK]
        end = fresh + cluster_ceiling(near, 0, reach - fresh)
        if end == fresh + len(near) < len(self._text):
            return _Cut(reach, CLUSTER)
        self._boundary = max(self._boundary, end)
        return _Cut(end if self._ruler.fits(fresh, end, self._ruler.full) else reach, CLUSTER)

    def _floor(self, begin: int, place: int) -> int:
        """The last cluster boundary at or before `place`, where `begin` is one, or lies in a
        cluster that had to be cut."""
        low = self._boundary if begin < self._boundary <= place else begin
        return cluster_floor(self._text, low, place)

    def _edge(self, high: int) -> int:
        match = INK.search(self._text, high, self._end)
        return match.start() if match else self._end

    def _cut_in(self, window: _Window) -> _Cut:
        found = self._border(window) or (self._stable_break(window) if self._stable else None)
        place, boundary = found or self._break(window)
        return self._finish(window, place, boundary)

    def _border(self, window: _Window) -> tuple[int, str] | None:
        """The last of the strongest borders that leave a quarter of the new text behind."""
        first = bisect_right(self._border_positions, window.low(1))
        last = bisect_right(self._border_positions, window.edge)
        here = [border for border in self._borders[first:last] if self._allows(window, border[0])]
        if not here:
            return None
        best = min(here, key=lambda border: (border.rank, -border.position))
        return best.position, best.reason

    def _break(self, window: _Window) -> tuple[int, str]:
        """The break that the style's first successful attempt finds, else a cluster's edge."""
        for attempt in self._style.attempts:
            if attempt.share < 2 and can_be_cut_anywhere(self._text, window.high):
                break
            place = self._attempt(window, attempt)
            if place >= 0:
                return place, attempt.kind
        return self._between_clusters(window)

    def _between_clusters(self, window: _Window) -> tuple[int, str]:
        """A place where there is no break: between two words of a script that writes none, else
        between two clusters."""
        if not self._style.attempts:
            return window.high, CLUSTER
        high, low = self._stable_cluster(window) if self._stable else window.high, window.low(1)
        word = last_word_break(self._text, low, high)
        if word >= 0 and self._allows(window, word):
            return word, "word"
        return keep_from_start(self._text, window.begin, low, high), CLUSTER

    def _stable_break(self, window: _Window) -> tuple[int, str] | None:
        """The break in the window's second half whose surroundings have the lowest checksum: the
        same one, most times, wherever the window begins."""
        for kinds in STABLE_KINDS:
            places = {
                place: kind for kind in kinds for place in self._breaks(window, kind, window.low(2))
            }
            if places:
                best = min(places, key=lambda place: (self._checksum(place), -place))
                return best, places[best]
        return None

    def _stable_cluster(self, window: _Window) -> int:
        """As above, of all edges of clusters: what is left where there is no break at all."""
        places = range(window.high, window.low(2), -1)
        best = sorted(places, key=self._checksum)[:MOST_REJECTED]
        return next((place for place in best if self._allows(window, place)), window.high)

    def _breaks(self, window: _Window, kind: str, low: int) -> Iterator[int]:
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

    def _attempt(self, window: _Window, attempt: Attempt) -> int:
        """The last break of the attempt's kind that leaves its share behind; or -1."""
        low = window.low(attempt.share)
        place = self._last(window, attempt.kind, low, window.edge)
        if place < 0 or self._kept_end(low, place) == low:
            return -1
        if attempt.share == 0 and not self._unit_fits(attempt.kind, place, window.high):
            return -1
        return place

    def _last(self, window: _Window, kind: str, low: int, high: int) -> int:
        """The last break of a kind in low < break <= high where a cut is allowed; or -1."""
        rejected = 0
        while high > low and rejected < MOST_REJECTED:
            place = FINDERS[kind](self._text, low, high)
            if place < 0 or self._allows(window, place):
                return place
            block = self._block_around(place)
            rejected += block is None
            high = block[0] if block else place - 1
        return -1

    def _kept_end(self, low: int, place: int) -> int:
        """Where the text before `place` ends; `low` where there is only white space after it."""
        return low + len(self._text[low:place].rstrip(WHITE_SPACE))

    def _allows(self, window: _Window, place: int) -> bool:
        """Whether a cut at `place` goes through no cluster and no whole block."""
        if self._block_around(place):
            return False
        return self._floor(window.begin, place) == place

    def _block_around(self, place: int) -> tuple[int, int] | None:
        """The whole block that `place` lies strictly inside of."""
        at = bisect_right(self._whole_starts, place) - 1
        if at < 0 or not self._whole[at][0] < place < self._whole[at][1]:
            return None
        return self._whole[at]

    def _unit_fits(self, kind: str, place: int, high: int) -> bool:
        """Whether the unit that a cut at `high` would go through fits when it begins a span."""
        reach = self._ruler.reach(self._next_kept(place))
        return reach >= self._stop or unit_end(kind, self._text, high, reach + 1) >= 0

    def _finish(self, window: _Window, place: int, boundary: str) -> _Cut:
        """The cut without white space before it, and without a heading that belongs after it."""
        end = trim(self._text, window.begin, place)[1]
        while self._style.headings:
            heading = heading_at_end(self._text, window.fresh, end, self._stop)
            if heading <= window.low(1) or not self._allows(window, heading):
                break
            end, boundary = trim(self._text, window.begin, heading)[1], "heading"
        return _Cut(end, boundary)
