"""Windows of whole physical lines that overlap, for text and code without a parser. A line that is
over the cap alone is cut by packing.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from chunkwright.characters import Lines, is_whitespace_only
from chunkwright.chunking.assembling import Draft, assemble
from chunkwright.chunking.base import (
    Chunker,
    require,
    require_measure,
    require_size,
    require_switch,
    require_whole_number,
    usable_overlap,
)
from chunkwright.chunking.budgeting import room_in
from chunkwright.chunking.packing import CODE, END, pack
from chunkwright.measuring import MeasureLike, Ruler
from chunkwright.parsing.base import given, start
from chunkwright.types import Block, Chunking, Document

PARSER = "lines"

HEADER = "header"
"""Key of `Document.metadata` that wins over the option `header`."""


class LineChunker(Chunker, frozen=True, kw_only=True):
    """Cuts text into windows of `lines` whole lines, `overlap` of them repeated.

    Guarantees: those of every chunker (verbatim, complete, in order, within the cap where there is
    one); windows begin and end with whole physical lines, unless a line alone is over `size`, and
    each brings lines that none before it had: there is no tail of repeated lines only. Time and
    memory are linear.

    Algorithm: a window begins `lines - overlap` lines after the one before it, and ends with the
    text. With a `size`, it has as many lines fewer as it takes to fit, and the overlap is at most
    half of them; a line over the cap is cut to pieces between words. A document of fewer than
    `min_lines` lines is one chunk without a header. Windows that bring nothing but blank lines are
    left out. Blocks given by the caller move no cut.
    """

    lines: int = 60
    overlap: int = 15
    """Lines, at most; from 0, where it is negative, to half of a window."""
    min_lines: int = 30
    header: str = ""
    """Goes with a line's end into `carry` of every window; `Document.metadata["header"]` wins."""
    size: int | None = None
    """In the unit of `measure`: a window over it has fewer lines. None: no cap."""
    measure: MeasureLike = "chars"
    budget_includes_context: bool = False

    def __post_init__(self) -> None:
        require_size(self.lines, "lines")
        require_whole_number(self.overlap, "overlap")
        require_whole_number(self.min_lines, "min_lines")
        require_size(self.size, optional=True)
        require(isinstance(self.header, str), "header", self.header, "a text")
        require_switch(self.budget_includes_context, "budget_includes_context")
        require_measure(self.measure)

    def _cut(self, document: Document, blocks: Sequence[Block] | None) -> Chunking:
        parsed = start(document, PARSER) if blocks is None else given(document, blocks)
        lines = Lines(parsed.text)
        ruler = Ruler(parsed.text, self.measure, self.size)
        windows = _Windows(self, ruler, lines)
        carry = self._carry(document) if windows.count >= self.min_lines else ""
        if self.budget_includes_context and self.size:
            room = room_in(document, parsed, self.measure, self.size, carry=carry)
            windows = _Windows(self, ruler.capped(room), lines)
        drafts = list(windows.drafts())
        for draft in drafts:
            draft.carry = carry
        return assemble(document, parsed, drafts, ruler, lines)

    def _carry(self, document: Document) -> str:
        header = str(document.metadata.get(HEADER, self.header))
        return header if not header or header[-1] in "\r\n" else f"{header}\n"


class _Windows:
    """The windows of one text. Line numbers here count from 0."""

    def __init__(self, chunker: LineChunker, ruler: Ruler, lines: Lines) -> None:
        self._text = ruler.text
        self._ruler = ruler
        self._most = chunker.lines
        self._overlap = usable_overlap(chunker.overlap, chunker.lines)
        self._starts = lines.starts[:-1] if lines.starts[-1] == len(self._text) else lines.starts
        self._ends = self._line_ends(lines.starts)
        self.count = len(self._starts)
        """Physical lines; what follows the last line's end is none."""
        self._whole = self.count < chunker.min_lines

    def _line_ends(self, starts: Sequence[int]) -> list[int]:
        """Where each line's text ends, before what ends the line."""
        text = self._text
        ends = [at - (2 if text[at - 2 : at] == "\r\n" else 1) for at in starts[1:]]
        return ends if len(ends) == len(self._starts) else [*ends, len(text)]

    def drafts(self) -> Iterator[Draft]:
        """A draft for every window that brings more than blank lines."""
        covered = 0
        for draft in self._windows():
            fresh = max(covered, draft.start)
            if is_whitespace_only(self._text[fresh : draft.end]):
                continue
            draft.overlap = max(0, covered - draft.start)
            covered = draft.end
            yield draft

    def _windows(self) -> Iterator[Draft]:
        first = 0
        while first < self.count:
            last = self._last(first)
            if last == first:
                yield from self._pieces_of(first)
                first += 1
                continue
            reason = END if last == self.count else "line"
            yield Draft(self._starts[first], self._end(first, last), "window", boundary=reason)
            if last == self.count:
                return
            first = self._next_first(first, last)

    def _end(self, first: int, last: int) -> int:
        """Where the text of lines `first` to `last` ends; empty lines at the end have none."""
        while last - first > 1 and self._ends[last - 1] == self._starts[last - 1]:
            last -= 1
        return self._ends[last - 1]

    def _last(self, first: int) -> int:
        """The line after the window that begins with line `first`; that line where none fits."""
        most = self.count if self._whole else min(self.count, first + self._most)
        last = min(most, bisect_right(self._ends, self._ruler.reach(self._starts[first])))
        while last > first and not self._ruler.fits(self._starts[first], self._end(first, last)):
            last -= 1
        return last if last > first else first + self._fits_without_context(first)

    def _fits_without_context(self, line: int) -> bool:
        return self._ruler.fits(self._starts[line], self._ends[line], self._ruler.full)

    def _next_first(self, first: int, last: int) -> int:
        """Where the window after lines `first` to `last` begins, so that it brings line `last`."""
        begin = last - min(self._overlap, (last - first) // 2)
        if self._ruler.size is None:
            return begin
        earliest = self._ruler.reach_back(self._ends[last], self._ruler.size, self._starts[begin])
        return min(last, max(begin, bisect_left(self._starts, earliest)))

    def _pieces_of(self, line: int) -> Iterator[Draft]:
        """A line that is over the cap, cut to pieces."""
        for span in pack(self._ruler, self._starts[line], self._ends[line], style=CODE):
            yield Draft(span.start, span.end, "window", boundary=span.boundary)
