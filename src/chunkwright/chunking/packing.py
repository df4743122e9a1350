"""The one packer: cuts a stretch of text into spans under a cap. Formats contribute data (borders,
blocks to keep whole, a style), never loops of their own. Which cut in a window is the best, and
where an overlap begins, is decided elsewhere.

A window reaches from where a span begins as far as the cap allows. The cut is looked for in the
part of it that is new text, at the strongest border or break, and everything costs a constant
number of looks at each window, so that the whole is linear.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from chunkwright.characters import INDENTATION, cluster_ceiling, is_whitespace_only, trim
from chunkwright.chunking.breaks import (
    CODE,
    EXACT,
    FINDERS,
    MARKUP,
    PROSE,
    STYLES,
    unit_end,
)
from chunkwright.chunking.clusters import Clusters
from chunkwright.chunking.evening import EvenCuts, PlaceFinder, even_cuts
from chunkwright.chunking.layouts import BLOCK, OVER_CAP, Border, Layout, Span, layout
from chunkwright.chunking.overlapping import Overlaps
from chunkwright.chunking.prose_windows import ProseWindows
from chunkwright.chunking.window_cuts import CLUSTER, QUARTERS, Cut, Window, WindowCutter
from chunkwright.measuring import Ruler

__all__ = [
    "CODE",
    "EXACT",
    "MARKUP",
    "OVER_CAP",
    "PROSE",
    "Border",
    "Layout",
    "Span",
    "layout",
    "pack",
]

END: Final = "end of text"

FURTHEST_LOOK: Final = 64
"""Code points beyond a reach in which the end of a cluster is looked for that fits after all:
token counts can shrink as a text grows."""


def pack(
    ruler: Ruler,
    start: int,
    end: int,
    *,
    overlap: int = 0,
    plan: Layout = Layout(),  # noqa: B008  # immutable
    style: str = PROSE,
    stable: bool = False,
    even_from: int | None = None,
) -> Iterator[Span]:
    """Cut text[start:end] into spans of at most the ruler's cap, lazily and in order.

    `overlap` is in the ruler's measure. Spans hold every character but white space, begin and end
    on none (a line's indentation is kept where a span begins with it), and their starts and ends
    strictly increase. `style` is PROSE, MARKUP, CODE or EXACT; with `stable`, a cut depends on the
    text around it rather than on the cuts before it, so that an edit changes few spans. With
    `even_from`, spans are of like sizes from there on, well under the cap, instead of as large as
    can be; none ends before it but where the cap asks for it.
    """
    return _Packer(ruler, (start, end), overlap, plan, style, stable, even_from).spans()


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
        even_from: int | None,
    ) -> None:
        self._ruler = ruler
        self._text = ruler.text
        self._start, self._end = stretch
        self._stop = trim(ruler.text, *stretch)[1]
        self._style = STYLES[style]
        self._plain = style == PROSE and not (stable or plan.borders or plan.whole)
        self._clusters = Clusters(ruler.text, stretch)
        self._overlaps = Overlaps(ruler, overlap, self._style, self._clusters)
        self._cutter = WindowCutter(
            ruler, self._end, self._stop, plan, self._style, self._clusters, stable=stable
        )
        self._even: EvenCuts | None = None
        if even_from is not None:
            self._plain = False
            finder = PlaceFinder(
                ruler.text, (even_from, self._stop), plan.borders, self._style, self._cutter
            )
            self._even = even_cuts(ruler, finder, self._overlaps.most)

    def spans(self) -> Iterator[Span]:
        """Every span of the stretch."""
        usual = self._usual_windows()
        previous = None
        position = self._start
        while True:
            if usual and previous and previous.end == position:
                previous = yield from usual.after(previous)
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
        if not self._plain:
            return None
        return ProseWindows(
            self._ruler,
            (self._start, self._stop),
            self._overlaps,
            self._clusters,
            self._indentation_start,
        )

    def _next_kept(self, position: int) -> int:
        """The first character after white space; not a mark alone whose base is a space."""
        ink = self._cutter.next_ink(position)
        return ink if ink == self._end else self._clusters.floor(position, ink)

    def _span(self, position: int, fresh: int, previous: Span | None) -> Span:
        """The span that brings the new text from `fresh` on, with an overlap where that costs no
        unit its wholeness."""
        begin = self._overlaps.start(previous) if previous else None
        cut = self._cut(begin, fresh) if begin is not None else None
        if previous is None or begin is None or cut is None:
            return self._plain_span(position, fresh)
        if cut.boundary in self._style.splitting and self._cuts_a_unit(previous, fresh, cut):
            plain = self._plain_span(position, fresh)
            if plain.boundary not in (cut.boundary, OVER_CAP):
                return plain
        return Span(begin, cut.end, previous.end - begin, cut.boundary)

    def _cuts_a_unit(self, previous: Span, fresh: int, cut: Cut) -> bool:
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
        end, boundary = self._cut_in_cluster(fresh, fresh + 1)
        fits = self._ruler.fits(fresh, end, self._ruler.full)
        return Span(fresh, end, 0, boundary if fits else OVER_CAP)

    def _unit_without_context(self, begin: int, fresh: int, cut: Cut | None) -> Cut | None:
        """A cut beside the unit that `cut` goes through, where that unit fits the whole cap: it
        is kept before any context is."""
        unit, full, text = self._style.unit, self._ruler.full, self._text
        if not unit or full == self._ruler.size:
            return None
        cut_at = cut.end if cut else fresh
        before = FINDERS[unit](text, fresh, cut_at)
        if before >= 0 and self._clusters.floor(begin, before) < before:
            return None
        start = begin if before < 0 else self._next_kept(before)
        reach = self._ruler.reach(start, full)
        end = unit_end(unit, text, cut_at, min(self._stop, reach + 1))
        end = self._stop if end < 0 and reach >= self._stop else end
        if end < 0 or not self._ruler.fits(start, end, full):
            return None
        place = trim(text, begin, end if before < 0 else before)[1]
        if place <= fresh or self._clusters.floor(begin, place) != place:
            return None
        return Cut(place, unit)

    def _indentation_start(self, position: int, fresh: int) -> int:
        begin = position + len(self._text[position:fresh].rstrip(INDENTATION))
        at_line_start = begin == 0 or self._text[begin - 1] in "\r\n"
        if begin == fresh or not at_line_start:
            return fresh
        return begin if 2 * (fresh - begin) < self._ruler.reach(begin) - begin else fresh

    def _cut(self, begin: int, fresh: int) -> Cut | None:
        """Where the span from `begin` ends; None where it would bring too little new text."""
        if self._even and (planned := self._planned(begin, fresh, self._even)):
            return planned
        reach = self._ruler.reach(begin)
        if reach >= self._stop:
            if self._ruler.fits(begin, self._stop):
                return Cut(self._stop, END)
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

    def _planned(self, begin: int, fresh: int, cuts: EvenCuts) -> Cut | None:
        """The next even cut, if it fits and goes through no cluster."""
        place = cuts.after(fresh)
        if place is None or self._clusters.floor(begin, place.position) != place.position:
            return None
        end = trim(self._text, begin, place.position)[1]
        return Cut(end, place.reason) if self._ruler.fits(begin, end) else None

    def _best_cut(self, begin: int, fresh: int, reach: int) -> Cut | None:
        high = self._clusters.floor(begin, reach)
        if begin < fresh and (high - fresh) * QUARTERS < high - begin:
            return None
        if high <= fresh:
            return self._cut_in_cluster(fresh, reach)
        block = self._cutter.block_around(high)
        if block is None:
            return self._cutter.cut(Window(begin, fresh, high, self._cutter.next_ink(high)))
        before = self._clusters.floor(begin, block[0])
        if before > fresh:
            return self._cut_before(Window(begin, fresh, high, high), before)
        if begin < fresh:
            return None
        return self._cutter.cut(Window(begin, fresh, high, self._cutter.next_ink(high)))

    def _cut_before(self, window: Window, block: int) -> Cut:
        """A cut at or before the start of a whole block that would not fit any more."""
        if block <= window.low(1):
            return self._cutter.finish(window, block, BLOCK)
        return self._cutter.cut(Window(window.begin, window.fresh, block, block))

    def _cut_in_cluster(self, fresh: int, reach: int) -> Cut:
        """A cut where even the first cluster counts too much, unless it fits as a whole
        (into what is reserved for context, if need be)."""
        near = self._text[fresh : reach + FURTHEST_LOOK]
        end = fresh + cluster_ceiling(near, 0, reach - fresh)
        if end == fresh + len(near) < len(self._text):
            return Cut(reach, CLUSTER)
        self._clusters.force(end)
        if not self._ruler.fits(fresh, end, self._ruler.full):
            return Cut(reach, CLUSTER)
        return Cut(end, self._cutter.kind_at(fresh, end, CLUSTER))
