"""What of a Markdown section stays together when it has to be cut: a heading with what follows it,
the lines of a fence, the rows of a table. Carrying and caps are not decided here.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from re import compile as compile_plain
from re import escape

from msgspec.structs import replace

from chunkwright.characters import WHITE_SPACE, Lines, is_whitespace_only, trim
from chunkwright.chunking.packing import Layout, layout
from chunkwright.measuring import Ruler
from chunkwright.types import Block

QUOTE_MARGIN = compile_plain(r"[> \t]*")
CELL_BORDER = compile_plain(r"(?<!\\)\|")

WORD = compile_plain(f"[^{escape(WHITE_SPACE)}]+")

LINE, CELL = "line", "cell"
"""Kinds of the blocks made here, for the lines of a fence and the cells of a row."""


class Planner:
    """Makes the packer's layout for any stretch of one document."""

    def __init__(self, blocks: Sequence[Block], text: str, lines: Lines) -> None:
        """`blocks` are sorted and nested, without sections."""
        self._text = text
        self._lines = lines
        self._blocks = blocks

    def layout(self, ruler: Ruler, start: int, end: int, body: int) -> Layout:
        """What to keep together in start:end, whose heading, if it has one, ends at `body`."""
        blocks = list(self._with_parts(ruler, self._between(start, end)))
        if not start < body < end:
            return layout(blocks, ruler)
        led = _led_by_heading(ruler, blocks, start)
        plan = layout(led, ruler)
        if led and led[0].start == start:
            return plan
        # No block leaves the heading room, so its first word has to; what is not a border of the
        # text is none of the layout either.
        word = WORD.search(self._text, body)
        room = led[0].start if led else end
        if not word or word.end() > room or not ruler.fits(start, word.end()):
            return plan
        return Layout(plan.borders, ((start, word.end()), *plan.whole))

    def rows(self, start: int, end: int) -> list[int]:
        """Where start:end has to be cut for every table row to stand alone: at each row but the
        first, which keeps its header, and around the table."""
        cuts: set[int] = set()
        table: Block | None = None
        for block in self._between(start, end):
            if block.kind == "table":
                table = block
                cuts |= {self._margin_start(block), block.end}
            elif block.kind == "row" and table and self._is_later_row(table, block):
                cuts.add(self._margin_start(block))
        return sorted(cut for cut in cuts if start < cut < end)

    def _is_later_row(self, table: Block, row: Block) -> bool:
        return row.start > table.body and not is_whitespace_only(
            self._text[table.body : row.start].strip("> \t")
        )

    def _between(self, start: int, end: int) -> Iterator[Block]:
        first = bisect_left(self._blocks, start, key=lambda block: block.start)
        for at in range(first, len(self._blocks)):
            block = self._blocks[at]
            if block.start >= end:
                break
            if block.end <= end:
                yield replace(block, start=max(start, self._margin_start(block)))

    def _margin_start(self, block: Block) -> int:
        """The line's start where only quote marks stand between: they go with what they quote."""
        line = self._lines.start_of(block.start)
        margin = QUOTE_MARGIN.match(self._text, line, block.start)
        return line if margin and margin.end() == block.start else block.start

    def _with_parts(self, ruler: Ruler, blocks: Iterable[Block]) -> Iterator[Block]:
        """Blocks, with blocks for the lines of a fence and the cells of a row over the cap."""
        header: Block | None = None
        for block in blocks:
            if ruler.fits(block.start, block.end):
                first_row = header if block.kind == "row" else None
                yield _joined(ruler, first_row, block) if first_row else block
                header = None if first_row else header
                continue
            yield block
            header = block if block.kind == "table" and block.body else None
            if block.kind == "fence":
                yield from self._fence_lines(block)
            elif block.kind == "row":
                yield from self._cells(block)

    def _fence_lines(self, fence: Block) -> Iterator[Block]:
        """A block a line; the first with the opening fence, the last with the closing one."""
        edges = list(self._line_edges(fence))
        if len(edges) > 2 and fence.body:
            opening, first, *between, closing = edges
            edges = [(opening[0], first[1]), *between]
            edges[-1] = (edges[-1][0], closing[1])
        for start, end in edges:
            yield Block(start, end, fence.depth + 1, LINE)

    def _line_edges(self, block: Block) -> Iterator[tuple[int, int]]:
        """Start and end of each line that is not blank."""
        position: int | None = block.start
        while position is not None and position < block.end:
            following = self._lines.next_start(position)
            end = block.end if following is None else min(following, block.end)
            _, last = trim(self._text, position, end)
            if not is_whitespace_only(self._text[position:last]):
                yield position, last
            position = following

    def _cells(self, row: Block) -> Iterator[Block]:
        """The cells of a row, each with the border before it."""
        borders = [mark.start() for mark in CELL_BORDER.finditer(self._text, row.start, row.end)]
        edges = [row.start, *(at for at in borders if at > row.start), row.end]
        for start, end in pairwise(edges):
            if end - start > 1:
                yield Block(start, end, row.depth + 1, CELL)


def _joined(ruler: Ruler, header: Block, row: Block) -> Block:
    """The first row of a table with the header rows, where the two fit."""
    return replace(row, start=header.start) if ruler.fits(header.start, row.end) else row


def _led_by_heading(ruler: Ruler, blocks: Sequence[Block], heading: int) -> list[Block]:
    """Blocks, with the heading that starts at `heading` joined to the first.

    One that does not fit beside the heading is no unit: its parts are tried in its place.
    """
    end = heading
    for at, block in enumerate(blocks):
        if end > heading and block.start >= end:
            return list(blocks[at:])
        if ruler.fits(heading, block.end):
            return [replace(block, start=heading), *blocks[at + 1 :]]
        end = block.end
    return []
