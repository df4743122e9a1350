"""Where a long function, or whatever source code is over the cap, is split: into spans of whole
lines, at the strongest borders. Only a line over the cap alone is cut inside, by packing.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from chunkwright.characters import is_whitespace_only
from chunkwright.chunking.grouping import FRAGMENT
from chunkwright.chunking.packing import CODE, Layout, Span, pack
from chunkwright.chunking.units import LineRanges
from chunkwright.measuring import Ruler

LINE = "line"
END = "end of text"

QUARTERS = 4
"""A border counts when a quarter of the window's new lines stand before it."""


def pack_lines(
    ruler: Ruler,
    ranges: LineRanges,
    stretch: tuple[int, int],
    *,
    overlap: int = 0,
    plan: Layout = Layout(),  # noqa: B008  # immutable
) -> Iterator[Span]:
    """Spans of at most the ruler's cap over the lines of `stretch`, (start, end) in the text.

    Blank lines at a span's edges are left out. `overlap` is in the ruler's measure and always
    whole lines. A block that `plan` calls whole is cut only where its lines do not fit. A line
    that is over the ruler's cap, but fits it before room was kept for context, stays whole too.
    """
    return _LinePacker(ruler, ranges, stretch, overlap, plan).spans()


class _LinePacker:
    """One stretch being cut. Lines are numbered from 0, in the whole text."""

    def __init__(
        self,
        ruler: Ruler,
        ranges: LineRanges,
        stretch: tuple[int, int],
        overlap: int,
        plan: Layout,
    ) -> None:
        self._ruler = ruler
        self._text = ruler.text
        self._ranges = ranges
        self._starts = ranges.starts
        self._low, self._high = stretch
        self._first = bisect_right(self._starts, self._low) - 1
        self._count = bisect_left(self._starts, self._high)
        self._tail = bisect_right(self._starts, self._high - FRAGMENT) - 1
        """The last line that begins no fragment."""
        self._overlap = overlap
        self._ranks = self._ranked(plan)
        self._whole = self._whole_lines(plan)

    def _start(self, line: int) -> int:
        return max(self._low, self._starts[line])

    def _end(self, line: int) -> int:
        return min(self._high, self._ranges.end(self._starts[line]))

    def spans(self) -> Iterator[Span]:
        """Every span, in order."""
        first, covered_from = self._next_kept(self._first), None
        while first < self._count:
            after = self._after(first, first)
            if after == first:
                yield from self._pieces_of(first)
                first, covered_from = self._next_kept(first + 1), None
                continue
            begin, after = self._with_overlap(first, after, covered_from)
            yield self._span(begin, first, after)
            first, covered_from = self._next_kept(after), begin

    def _pieces_of(self, line: int) -> Iterator[Span]:
        """A line that is over the cap alone."""
        start, end = self._start(line), self._end(line)
        if self._ruler.fits(start, end, self._ruler.full):
            yield Span(start, end, 0, LINE)
        else:
            yield from pack(self._ruler, start, end, overlap=self._overlap, style=CODE)

    def _span(self, begin: int, first: int, after: int) -> Span:
        repeated = 0
        if begin < first:
            repeated = self._end_before(first) - self._start(begin)
        reason = END if self._next_kept(after) == self._count else self._reason(after)
        return Span(self._start(begin), self._end_before(after), repeated, reason)

    def _end_before(self, after: int) -> int:
        """Where a span that ends before the line `after` ends."""
        last = after - 1
        while self._is_blank(last):
            last -= 1
        return self._end(last)

    def _with_overlap(self, first: int, after: int, previous: int | None) -> tuple[int, int]:
        """Where a span of new lines first to after begins and ends, with as many lines before it
        as fit the overlap and leave it at least a quarter of its new lines."""
        if previous is None or not self._overlap:
            return first, after
        end = self._end_before(first)
        low = self._ruler.reach_back(end, self._overlap)
        begin = max(bisect_left(self._starts, low), previous + 1)
        needed = self._end(self._whole_from(first) - 1)
        while begin < first and (
            self._is_blank(begin)
            or not self._ruler.fits(self._start(begin), end, self._overlap)
            or not self._ruler.fits(self._start(begin), needed)
        ):
            begin += 1
        if begin >= first:
            return first, after
        shorter = self._after(begin, first)
        enough = shorter - first >= max(1, (after - first) // QUARTERS)
        return (begin, shorter) if enough else (first, after)

    def _after(self, begin: int, first: int) -> int:
        """The line after a span that begins with line `begin` and whose new lines start at
        `first`; `first` where none of them fits."""
        reach = self._ruler.reach(self._start(begin))
        after = min(self._count, max(first, bisect_right(self._starts, reach)))
        while after > first and not self._fits(begin, after):
            after -= 1
        if after in (first, self._count):
            return after
        best = self._best(first, after)
        return best if self._fits(begin, best) else after

    def _fits(self, begin: int, after: int) -> bool:
        """Whether a span from line `begin` to before `after` fits, blank lines at its end left out
        (without them, tokens can be more)."""
        return self._ruler.fits(self._start(begin), self._end_before(after))

    def _best(self, first: int, after: int) -> int:
        """The strongest border among the lines first to after that cuts no whole block, and
        leaves no fragment behind where that can be."""
        if self._whole_from(first) <= self._tail < after:
            shorter = self._strongest(first, self._tail)
            if self._end(shorter - 1) - self._start(first) >= FRAGMENT:
                return shorter
        return self._strongest(first, after)

    def _strongest(self, first: int, after: int) -> int:
        after = self._before_whole(first, after)
        low = first + max(1, (after - first) // QUARTERS)
        ranked = [
            (self._ranks[line][0], -line) for line in range(low, after + 1) if line in self._ranks
        ]
        return self._before_whole(first, -min(ranked)[1]) if ranked else after

    def _before_whole(self, first: int, after: int) -> int:
        """`after`, or the first line of the whole block it would cut, where that is new."""
        at = bisect_left(self._whole, (after, 0)) - 1
        if at >= 0 and first < self._whole[at][0] < after < self._whole[at][1]:
            return self._whole[at][0]
        return after

    def _whole_from(self, first: int) -> int:
        """The line after the whole block that begins with `first`, or after `first` alone."""
        at = bisect_left(self._whole, (first, 0))
        begins = at < len(self._whole) and self._whole[at][0] == first
        return self._whole[at][1] if begins else first + 1

    def _reason(self, after: int) -> str:
        return self._ranks[after][1] if after in self._ranks else LINE

    def _ranked(self, plan: Layout) -> dict[int, tuple[int, str]]:
        """Line -> the strongest border that lies right before it."""
        ranks: dict[int, tuple[int, str]] = {}
        for border in plan.borders:
            line = self._line_at(border.position)
            if line is not None and border.rank < ranks.get(line, (border.rank + 1, ""))[0]:
                ranks[line] = (border.rank, border.reason)
        return ranks

    def _line_at(self, position: int) -> int | None:
        """The line that a cut at `position` would come before; None inside a line's text."""
        line = bisect_right(self._starts, position) - 1
        if line < 0:
            return None
        if is_whitespace_only(self._text[self._starts[line] : position]):
            return line
        if is_whitespace_only(self._text[position : self._end(line)]):
            return line + 1
        return None

    def _whole_lines(self, plan: Layout) -> list[tuple[int, int]]:
        """(first line, line after the last) of every block that stays whole."""
        return [
            (bisect_right(self._starts, start) - 1, bisect_left(self._starts, end))
            for start, end in plan.whole
        ]

    def _next_kept(self, line: int) -> int:
        while line < self._count and self._is_blank(line):
            line += 1
        return line

    def _is_blank(self, line: int) -> bool:
        return is_whitespace_only(self._text[self._starts[line] : self._end(line)])
