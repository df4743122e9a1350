"""What a piece of a fence or of a table carries so that it stands alone: the opening fence and a
closer, the header rows. Where the pieces are cut is not decided here.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from re import compile as compile_plain
from typing import NamedTuple

from msgspec.structs import replace

from chunkwright.characters import LINE_END, Lines, trim_to_lines
from chunkwright.chunking.packing import Span
from chunkwright.measuring import Ruler
from chunkwright.types import Block

FENCE, TABLE = "fence", "table"

MARGIN = compile_plain(r"[> \t]*")
LEADING_SPACE = compile_plain(r" {4,}|[ ]*\t[ \t]*")
FENCE_MARKS = compile_plain(r"`{3,}|~{3,}")
CLOSING_FENCE = compile_plain(r"[> \t]*(?:`{3,}|~{3,})[ \t]*")
FENCE_OPENING = compile_plain(r"([^`~]*(?:`{3,}|~{3,})[ \t]*)\{?\.?([^\s{}:,`]*)")
TABLE_DELIMITER = compile_plain(r"[|,:!]={3,}")
"""The first and last line of a table of AsciiDoc."""
END_OF_BLOCK = "#+end"
"""Begins the last line of a block of Org, whatever the case."""

PADDING = compile_plain(r"[ \t]{2,}")
DASHES = compile_plain(r"-{4,}")

TAB = 4
"""Columns to which a tab leads on, in Markdown."""

INDENTED = 4
"""Columns of indentation with which a fence would be indented code, were it in no list."""

SHARE_OF_SIZE = 4
"""What is carried takes at most one part in this many of the cap."""


class Carried(NamedTuple):
    """What a renderer puts around a piece."""

    before: str = ""
    after: str = ""


NOTHING = Carried()


class Carrier:
    """Knows, for any cut of a text, what the pieces on both sides of it need."""

    def __init__(self, blocks: Sequence[Block], ruler: Ruler, lines: Lines) -> None:
        """`blocks` sorted and nested; fences and tables hold no other of their kind."""
        self._ruler = ruler
        self._text: str = ruler.text
        self._lines = lines
        self._blocks = [b for b in blocks if b.kind in (FENCE, TABLE)]
        self._starts = [block.start for block in self._blocks]
        self.without_head: list[int] = []
        """Where pieces begin that carry nothing, though they are in need of it: it is too much."""

    def carried(self, start: int, end: int) -> Carried:
        """What the piece start:end needs around it."""
        first, last = self._inside(start), self._inside(end) or self._left_open(start, end)
        in_line = not self._begins_line(start)
        before = self._head(first, in_line) if first and start >= first.body else ""
        if first and first.body and start >= first.body and not before:
            self.without_head.append(start)
        if last is None or end < last.body:
            return Carried(before)
        opens = start < last.body or (last is first and before != "")
        return Carried(before, self._closer(last, in_line and last is first) if opens else "")

    def most(self, ruler: Ruler, start: int, end: int) -> Carried:
        """The longest that a piece of start:end carries when it is cut by `ruler`."""
        first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
        cut = [b for b in self._blocks[first:last] if not ruler.fits(b.start, b.end)]
        carried = [Carried(self._head(b), self._closer(b)) for b in cut if b.body]
        return max(
            carried, key=lambda around: len(around.before) + len(around.after), default=NOTHING
        )

    def at_row(self, span: Span, before: Span | None, overlap: int) -> Span:
        """`span`, its overlap with the span `before` made of whole rows or code lines.

        `overlap` is what was asked for, in the ruler's measure.
        """
        if not before or not span.overlap:
            return span
        start = self._row_start(span, before, overlap)
        if start <= before.start:  # where the span before was itself shortened
            start = before.end
        start, _ = trim_to_lines(self._text, start, span.end)
        return replace(span, start=start, overlap=max(0, before.end - start))

    def _row_start(self, span: Span, before: Span, overlap: int) -> int:
        block = self._inside(span.start)
        if not block:
            return span.start
        low = self._ruler.reach_back(before.end, overlap, before.start)
        line = self._line_from(max(low, block.body, before.start + 1))
        if line < span.start and not (
            self._ruler.fits(line, span.end) and self._ruler.fits(line, before.end, overlap)
        ):
            line = self._line_from(span.start)
        return before.end if self._only_closes(block, line) else min(line, before.end)

    def _only_closes(self, block: Block, line: int) -> bool:
        """Whether nothing of a fence but its closing line begins at `line`."""
        closing = CLOSING_FENCE.match(self._text, line, block.end)
        return block.kind == FENCE and closing is not None and closing.end() == block.end

    def _line_from(self, position: int) -> int:
        """The first line that starts at `position` or later; the text's end without one."""
        if self._lines.start_of(position) == position:
            return position
        following = self._lines.next_start(position)
        return len(self._text) if following is None else following

    def _inside(self, position: int) -> Block | None:
        """The fence or table that a cut at `position` falls into."""
        at = bisect_right(self._starts, position) - 1
        block = self._blocks[at] if at >= 0 else None
        return block if block and block.start < position < block.end else None

    def _left_open(self, start: int, end: int) -> Block | None:
        """The fence without a closing line that ends with a piece which is not all of it."""
        at = bisect_left(self._starts, end) - 1
        block = self._blocks[at] if at >= 0 else None
        if not block or block.kind != FENCE or block.end != end or start <= block.start:
            return None
        line = self._lines.start_of(block.end - 1)
        is_closed = line >= block.body and CLOSING_FENCE.fullmatch(self._text, line, block.end)
        return None if is_closed or not self._marks(block) else block

    def _begins_line(self, position: int) -> bool:
        return not self._text[self._lines.start_of(position) : position].strip()

    def _head(self, block: Block, in_line: bool = False) -> str:
        """What is carried in the block's first lines' stead: these, or less of them where they
        are too much; "" where that is too much too. `in_line` of a piece that begins inside a line,
        without its indentation."""
        opening = self._opening(block, in_line) if block.body else ""
        shorter = _first_word(opening) if block.kind == FENCE else _without_padding(opening)
        return next((head for head in (opening, shorter) if self._is_small(head)), "")

    def _is_small(self, head: str) -> bool:
        size = self._ruler.size
        return size is None or self._ruler.measure.count(head) * SHARE_OF_SIZE <= size

    def _closer(self, block: Block, in_line: bool = False) -> str:
        """The line that ends a piece of a block, with the line end before it; "" for none."""
        newline = LINE_END.search(self._text, block.start, block.body)
        if not newline:
            return ""
        marks = self._marks(block)
        if marks:
            return f"{newline[0]}{self._margin(block, in_line)}{marks}"
        last = self._text[self._lines.start_of(block.end - 1) : block.end].strip()
        closes = last.lower().startswith(END_OF_BLOCK) or TABLE_DELIMITER.fullmatch(last)
        opening = self._text[block.start : block.body].split()
        mirrors = block.kind == FENCE and last in opening
        return f"{newline[0]}{last}" if closes or mirrors else ""

    def _marks(self, block: Block) -> str:
        """The marks that open a fence of Markdown; "" for any other block."""
        first = MARGIN.match(self._text, block.start, block.end)
        marks = FENCE_MARKS.match(self._text, first.end()) if first else None
        return marks[0] if marks and block.kind == FENCE else ""

    def _margin(self, block: Block, in_line: bool) -> str:
        """What stands before a block in its line: quote marks kept, list markers as spaces."""
        inside = MARGIN.match(self._text, block.start, block.end)
        before = self._text[self._lines.start_of(block.start) : block.start]
        quoted = "".join(mark if mark in "> \t" else " " for mark in before)
        margin = quoted + (inside[0] if inside else "")
        if in_line or ">" in margin:
            return LEADING_SPACE.sub("   ", margin)
        return margin.expandtabs(TAB)

    def _opening(self, block: Block, in_line: bool) -> str:
        """The lines before the block's body. What is indented so far that it would be code by
        itself is put into lists that indent it as far."""
        margin = self._margin(block, in_line)
        inside = MARGIN.match(self._text, block.start, block.end)
        rest = self._text[inside.end() if inside else block.start : block.body]
        width = _width(margin)
        return (_list_markers(width) if width >= INDENTED else margin) + rest


def _width(margin: str) -> int:
    """Columns of indentation; 0 where there are quote marks."""
    return 0 if ">" in margin else len(margin)


def _list_markers(width: int) -> str:
    """Markers of nested items whose text begins in the column `width`, 2 or more."""
    markers = ""
    while width:
        # A marker is followed by one to four spaces.
        taken = width if width <= INDENTED + 1 else INDENTED
        markers += "-".ljust(taken)
        width -= taken
    return markers


def _first_word(opening: str) -> str:
    """The opening line of a fence with the language alone for its info string."""
    line = FENCE_OPENING.match(opening)
    newline = LINE_END.search(opening)
    return f"{line[1]}{line[2]}".rstrip() + newline[0] if line and newline else opening


def _without_padding(rows: str) -> str:
    """The header of a table without the spaces and dashes that only align it."""
    return PADDING.sub(" ", DASHES.sub("---", rows))
