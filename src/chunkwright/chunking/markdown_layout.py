"""What of a section stays together when it has to be cut: its blocks, the statements and lines of a
fence, the rows of a table, and what `bonds` says. Carrying and caps are not decided here.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from re import compile as compile_plain

from msgspec.structs import replace

from chunkwright.characters import Lines, is_whitespace_only, trim
from chunkwright.chunking.bonds import Bonds
from chunkwright.chunking.carrying import CLOSING_FENCE, FENCE_MARKS
from chunkwright.chunking.packing import Layout, layout
from chunkwright.measuring import Ruler
from chunkwright.parsing.headings import SECTION
from chunkwright.types import Block, Document

QUOTE_MARGIN = compile_plain(r"[> \t]*")
CELL_BORDER = compile_plain(r"(?<!\\)\|")

INFO_WORD = compile_plain(r"\{?\.?([^\s{}:,]+)")
"""The language of a fence in its info string: `py`, `{.py}`, `py:file.py`."""


PROSE = frozenset({"definition", "item", "list", "paragraph", "quote"})
"""Kinds of blocks that say as much in two pieces."""

LINE, CELL = "line", "cell"
"""Kinds of the blocks made here, for the lines of a fence and the cells of a row."""


class Planner:
    """Makes the packer's layout for any stretch of one document."""

    def __init__(self, blocks: Sequence[Block], text: str, lines: Lines) -> None:
        """`blocks` are sorted and nested."""
        self._text = text
        self._lines = lines
        self._blocks = [block for block in blocks if block.kind != SECTION]
        self._headings = [(block.start, block.body) for block in blocks if block.kind == SECTION]

    def layout(self, ruler: Ruler, start: int, end: int, body: int) -> Layout:
        """What to keep together in start:end, whose heading, if it has one, ends at `body`."""
        blocks = list(self._with_parts(ruler, self._between(start, end)))
        headings = [(start, body)] if start < body < end else []
        headings += self._headings_inside(start, end)
        bonds, alone = Bonds(ruler, blocks).find(headings, end)
        # Prose is rather cut than parted from its heading.
        kept = (b for b in blocks if b.kind not in PROSE or not _overlaps(alone, (b.start, b.end)))
        together = sorted([*bonds, *kept], key=lambda block: (block.start, -block.end))
        plan = layout(together, ruler)
        if not alone:
            return plan
        apart = (bond for bond in alone if not _overlaps(plan.whole, bond))
        return Layout(plan.borders, tuple(sorted([*apart, *plan.whole])))

    def is_prose(self, ruler: Ruler, start: int, end: int) -> bool:
        """Whether nothing in start:end has to be cut but running text."""
        return all(
            block.kind in PROSE or ruler.fits(block.start, block.end)
            for block in self._between(start, end)
        )

    def _headings_inside(self, start: int, end: int) -> list[tuple[int, int]]:
        """Headings between start and end that split nothing: where each begins and ends."""
        first = bisect_right(self._headings, (start, end))
        last = bisect_left(self._headings, (end, 0))
        return [(begin, min(body, end)) for begin, body in self._headings[first:last]]

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
                begin = max(start, self._margin_start(block))
                yield block if begin == block.start else replace(block, start=begin)

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
            if header:
                end = trim(self._text, header.start, header.body)[1]
                yield Block(header.start, end, header.depth + 1, "row")
            if block.kind == "fence":
                yield from self._fence_parts(block)
            elif block.kind == "row":
                yield from self._cells(block)

    def _fence_parts(self, fence: Block) -> list[Block]:
        """What a fence is made of: units of its language, where that is known, and its lines. The
        first has the opening fence, the last the closing one."""
        edges = list(self._line_edges(fence))
        closes = len(edges) > 2 and fence.body and CLOSING_FENCE.fullmatch(self._text, *edges[-1])
        inside = edges[1 : -1 if closes else None] if fence.body else edges
        if not inside:
            return []
        lines = [Block(start, end, fence.depth + 1, LINE) for start, end in inside]
        parts = [*self._code_units(fence, inside), *lines]
        first, last = inside[0][0], inside[-1][1]
        widened = [
            replace(
                part,
                start=fence.start if part.start == first else part.start,
                end=fence.end if part.end == last else part.end,
            )
            for part in parts
        ]
        return sorted(widened, key=lambda part: (part.start, -part.end))

    def _code_units(self, fence: Block, edges: Sequence[tuple[int, int]]) -> Iterator[Block]:
        """The symbols and statements of a fence, in the language that its info string begins with.

        `edges` are those of its lines that are not blank. What stands before the fence in its own
        line stands before each of them, and is not of that language.
        """
        named = INFO_WORD.match(fence.info)
        if not named:
            return
        from chunkwright.parsing import code

        margin = self._margin_of(fence)
        lines = [self._text[start:end].removeprefix(margin) for start, end in edges]
        starts = [0, *accumulate(len(line) + 1 for line in lines)]
        for unit in code.parse(Document("\n".join(lines), language=named[1])).blocks:
            first = bisect_right(starts, unit.start) - 1
            last = bisect_left(starts, unit.end) - 1
            begins = not lines[first][: unit.start - starts[first]].strip()
            if begins and unit.end - starts[last] == len(lines[last]):
                yield Block(edges[first][0], edges[last][1], fence.depth + 1, unit.kind)

    def _margin_of(self, fence: Block) -> str:
        """What stands before a fence's marks in its line, list markers as spaces."""
        line = self._lines.start_of(fence.start)
        marks = FENCE_MARKS.search(self._text, line, fence.end)
        before = self._text[line : marks.start()] if marks else ""
        return "".join(mark if mark in "> \t" else " " for mark in before)

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


def _overlaps(whole: Sequence[tuple[int, int]], bond: tuple[int, int]) -> bool:
    """Whether a bond shares text with one of the stretches, which are sorted and disjoint."""
    at = bisect_left(whole, bond[1], key=lambda stretch: stretch[0]) - 1
    return at >= 0 and whole[at][1] > bond[0]
