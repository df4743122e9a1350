"""Where a long function, or whatever source code is over the cap, is split: into parts of whole
lines, of even size, at the shallowest borders. Only a line over the cap alone is cut inside, by
packing.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from chunkwright.characters import Lines, is_blank, last_up_to
from chunkwright.chunking.grouping import FRAGMENT
from chunkwright.chunking.layouts import BLOCK
from chunkwright.chunking.packing import CODE, Span, pack
from chunkwright.measuring import Ruler
from chunkwright.types import DEFINITION, Block

LINE: Final = "line"
END: Final = "end of text"

NO_BORDER: Final = -1

QUARTERS: Final = 4
"""An overlap leaves at least a quarter of a part's new lines."""

UNEVEN: Final = 0.4
"""Part of an even share by which a part may be longer or shorter to end at a better border."""


def pack_lines(
    ruler: Ruler,
    lines: Lines,
    stretch: tuple[int, int],
    *,
    overlap: int = 0,
    blocks: Sequence[Block] = (),
    even: bool = True,
) -> Iterator[Span]:
    """Spans of at most the ruler's cap over the lines of `stretch`, (start, end) in the text.

    Blank lines at a span's edges are left out. `overlap` is in the ruler's measure and always
    whole lines. A symbol that fits is cut only where its lines do not, and so is
    a statement that takes half of the cap at most or has no parts. A line that is over the
    ruler's cap, but fits it before room was kept for context, stays whole too. Not `even`: each
    span is as long as can be.
    """
    return _LinePacker(ruler, lines, stretch, overlap, blocks, even).spans()


class _LinePacker:
    """One stretch being cut. Its lines are numbered from 0."""

    def __init__(
        self,
        ruler: Ruler,
        lines: Lines,
        stretch: tuple[int, int],
        overlap: int,
        blocks: Sequence[Block],
        even: bool,
    ) -> None:
        self._ruler = ruler
        self._text = ruler.text
        self._lines = lines
        self._low, self._high = stretch
        self._starts = lines.starts_between(self._low, self._high)
        self._count = len(self._starts)
        self._overlap = overlap
        self._even = even
        self._ranks: list[int] = [NO_BORDER] * (self._count + 1)
        """For each line the rank of the strongest border right before it."""
        self._reasons: list[str] = [LINE] * (self._count + 1)
        """The reasons of those borders."""
        self._whole_from: list[int] = []
        self._whole_to: list[int] = []
        """First line of every block that stays whole, and the line after its last."""
        self._read(blocks)

    def _start(self, line: int) -> int:
        return max(self._low, self._starts[line])

    def _end(self, line: int) -> int:
        return min(self._high, self._lines.end_of(self._starts[line]))

    def spans(self) -> Iterator[Span]:
        """Every span, in order."""
        first, covered_from = self._next_kept(0), None
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
        reason = END if self._next_kept(after) == self._count else self._reasons[after]
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
        needed = self._end(self._unit_end(first) - 1)
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
        if after in (first, self._count) or not self._even:
            return after
        best = self._best(begin, first, after)
        return best if self._fits(begin, best) else after

    def _fits(self, begin: int, after: int) -> bool:
        """Whether a span from line `begin` to before `after` fits, blank lines at its end left out
        (without them, tokens can be more)."""
        return self._ruler.fits(self._start(begin), self._end_before(after))

    def _best(self, begin: int, first: int, after: int) -> int:
        """The shallowest border near an even share of what is left, that cuts no whole block; of
        several, one after which the rest needs no further part, then one at a blank line, which
        parts what its author thought of as steps, then the nearest."""
        start = self._start(first)
        rest = self._high - start
        room = max(1, self._end(after - 1) - self._start(begin))
        parts = -(-rest // room)
        share = rest / parts
        low = max(first + 1, bisect_left(self._starts, int(start + (1 - UNEVEN) * share)))
        high = min(after, bisect_right(self._starts, int(start + (1 + UNEVEN) * share)) - 1)
        enough = self._high - (parts - 1) * room
        ideal = start + share
        found = first
        best: tuple[int, bool, bool, float] | None = None
        for line in range(low, high + 1):
            rank = self._ranks[line]
            if rank == NO_BORDER or (best is not None and rank > best[0]):
                continue
            place = self._starts[line]
            key = rank, place < enough, not self._is_blank(line - 1), abs(place - ideal)
            if (best is None or key < best) and self._before_whole(first, line) == line:
                best, found = key, line
        return self._nearest(first, after, ideal) if best is None else found

    def _nearest(self, first: int, after: int, ideal: float) -> int:
        """The border nearest to a place, where none is near, but leaving no fragment before it;
        where there is none at all, the nearest line."""
        low = max(first + 1, bisect_left(self._starts, self._start(first) + FRAGMENT))
        lines = [
            line
            for line in range(low, after + 1)
            if self._ranks[line] != NO_BORDER and self._before_whole(first, line) == line
        ]
        if lines:
            return min(lines, key=lambda line: abs(self._starts[line] - ideal))
        line = min(after, max(self._unit_end(first), bisect_left(self._starts, int(ideal))))
        return self._before_whole(first, line)

    def _before_whole(self, first: int, after: int) -> int:
        """`after`, or the first line of the whole block it would cut, where that is new."""
        if self._whole_from and self._whole_from[0] < after:
            at = last_up_to(self._whole_from, after - 1)
            if first < self._whole_from[at] and after < self._whole_to[at]:
                return self._whole_from[at]
        return after

    def _unit_end(self, first: int) -> int:
        """The line after the whole block that begins with `first`, or after `first` alone."""
        at = bisect_left(self._whole_from, first)
        begins = at < len(self._whole_from) and self._whole_from[at] == first
        return self._whole_to[at] if begins else first + 1

    def _read(self, blocks: Sequence[Block]) -> None:
        """Note the borders of blocks, ranked by how many blocks are around them, and which blocks
        stay whole: of those that fit, symbols, what has no blocks inside, and whatever takes half
        of the cap at most. A block that crosses another, which a parser never gives, is left out.
        """
        ends: list[int] = []
        line, whole_until = 0, -1
        for number, block in enumerate(blocks):
            start, end = block.start, block.end
            while ends and ends[-1] <= start:
                ends.pop()
            if start < whole_until or (ends and end > ends[-1]):
                continue
            kind: str = block.kind
            line = last_up_to(self._starts, start, line)
            last = last_up_to(self._starts, end, line)
            first, after = self._border(line, start), self._border(last, end)
            self._note(first, len(ends), kind)
            self._note(after, len(ends), kind)
            ends.append(end)
            whole = self._ruler.size
            is_parted = number + 1 < len(blocks) and blocks[number + 1].start < end
            if whole is not None and is_parted and not (kind == DEFINITION or block.name):
                whole //= 2
            if self._ruler.fits(start if first < 0 else self._starts[first], end, whole):
                whole_until = end
                self._whole_from.append(line)
                self._whole_to.append(last if self._starts[last] == end else last + 1)

    def _note(self, line: int, rank: int, kind: str) -> None:
        """Note a border before a line, where there is none of a block that is around it."""
        if line >= 0 and self._ranks[line] == NO_BORDER:
            self._ranks[line] = rank
            self._reasons[line] = kind or BLOCK

    def _border(self, line: int, position: int) -> int:
        """The line that a cut at `position`, on a line, would come before; -1 inside its text."""
        if is_blank(self._text, self._starts[line], position):
            return line
        return line + 1 if is_blank(self._text, position, self._after_line(line)) else -1

    def _after_line(self, line: int) -> int:
        """Where the next line starts, or the text ends."""
        if line + 1 < self._count:
            return self._starts[line + 1]
        return self._lines.end_of(self._starts[line])

    def _next_kept(self, line: int) -> int:
        while line < self._count and self._is_blank(line):
            line += 1
        return line

    def _is_blank(self, line: int) -> bool:
        return is_blank(self._text, self._starts[line], min(self._high, self._after_line(line)))
