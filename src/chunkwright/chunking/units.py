"""Tiles a source file with units: stretches of whole lines, each a symbol, the head of one, or what
lies between. Which units share a chunk, and where one over the cap is cut, is not decided here.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final

from chunkwright.characters import WHITE_SPACE, Lines, last_ink
from chunkwright.types import SYMBOL_KINDS, Block

SYMBOL: Final = "symbol"
IMPORT: Final = "import"
COMMENT: Final = "comment"
OTHER: Final = "other"

CALLABLE: Final = frozenset({"Function", "Method", "Macro"})

OWN: Final = frozenset(SYMBOL_KINDS) - {"Constant", "Variable"}
"""Symbols that are a chunk of their own where every symbol is to be one."""


class Unit:
    """Whole lines, without the last one's end. `scope` is the number of the opened block around it
    (-1: outermost); `block` is the symbol it is, or whose head it is."""

    def __init__(
        self,
        start: int,
        end: int,
        kind: str,
        scope: int,
        breadcrumb: tuple[str, ...],
        block: Block | None,
    ) -> None:
        self.start = start
        self.end = end
        self.kind = kind
        self.scope = scope
        self.breadcrumb = breadcrumb
        self.block = block


class LineRanges:
    """Positions of a text as whole lines."""

    def __init__(self, text: str, lines: Lines) -> None:
        self.text = text
        self.starts = lines.starts
        self._lines = lines

    def line(self, position: int) -> int:
        """Number of the line of `position`, from 0."""
        return self._lines.index_of(position)

    def start(self, position: int) -> int:
        """Where the line of `position` begins."""
        return self.starts[self._lines.index_of(position)]

    def end(self, position: int) -> int:
        """Where the line of `position` ends, before its line end."""
        line = self._lines.index_of(position)
        if line + 1 == len(self.starts):
            return len(self.text)
        start, end = self.starts[line], self.starts[line + 1]
        if end > start and self.text[end - 1] == "\n":
            end -= 1
        if end > start and self.text[end - 1] == "\r":
            end -= 1
        return end

    def starts_between(self, start: int, end: int) -> Iterator[int]:
        """Where each line begins that begins in a stretch and is not blank."""
        for at in range(bisect_left(self.starts, start), bisect_left(self.starts, end)):
            first = self.starts[at]
            if self.text[first : min(end, self.end(first))].strip(WHITE_SPACE):
                yield first

    def last(self, start: int, end: int) -> int:
        """The last character in text[start:end] that is not white space; `start` without one."""
        found = last_ink(self.text, start, end)
        return start if found is None else found

    def kept(self, start: int, end: int) -> tuple[int, int] | None:
        """text[start:end] as whole lines, without blank ones at its edges; None if all are."""
        stretch = self.text[start:end]
        first = end - len(stretch.lstrip(WHITE_SPACE))
        if first == end:
            return None
        last = start + len(stretch.rstrip(WHITE_SPACE)) - 1
        return max(start, self.start(first)), min(end, self.end(last))


class Tree:
    """The blocks of a document with where each one's own blocks end."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.blocks = blocks
        self.after = [len(blocks)] * len(blocks)
        """Number of the first block behind a block and all that is in it."""
        around: list[int] = []
        for number, block in enumerate(blocks):
            while around and blocks[around[-1]].end <= block.start:
                self.after[around.pop()] = number
            around.append(number)

    def inside(self, number: int) -> range:
        """Numbers of the blocks in a block."""
        return range(number + 1, self.after[number])

    def between(self, start: int, end: int) -> Sequence[Block]:
        """The blocks that begin in a stretch of the text."""
        return self.blocks[self._first(start) : self._first(end)]

    def _first(self, position: int) -> int:
        """Number of the first block that begins at a place or behind it."""
        return bisect_left(self.blocks, position, key=_start_of)


def _start_of(block: Block) -> int:
    return block.start


class _Level:
    """A run of blocks being tiled, `next` to before `stop`: those of an opened block, or the
    outermost ones. Its text ends at `end`. `head` is the opened symbol, until its head has become
    a unit, and `outer` the symbol's own breadcrumb."""

    def __init__(
        self,
        first: int,
        stop: int,
        end: int,
        scope: int,
        breadcrumb: tuple[str, ...],
        head: Block | None,
        outer: tuple[str, ...],
    ) -> None:
        self.next = first
        self.stop = stop
        self.end = end
        self.scope = scope
        self.breadcrumb = breadcrumb
        self.head = head
        self.outer = outer


class Opening:
    """What decides which blocks give way to those in them, and which are no units."""

    def opens(self, number: int) -> bool:
        """Whether a block gives way to the blocks in it."""
        raise NotImplementedError

    def skips(self, number: int) -> int:
        """The block to go on with instead of making a unit of this one; -1 to make one."""
        raise NotImplementedError


class Tiler:
    """Tiles one document, from its first line to its last."""

    def __init__(self, tree: Tree, ranges: LineRanges, opening: Opening) -> None:
        self._tree = tree
        self._ranges = ranges
        self._text = ranges.text
        self._opening = opening
        self._units: list[Unit] = []
        self._reached = 0

    def units(self) -> list[Unit]:
        """Every unit, in order; none shares a line with another."""
        levels = [_Level(0, len(self._tree.blocks), len(self._text), -1, (), None, ())]
        while levels:
            level = levels[-1]
            if level.next < level.stop:
                opened = self._take(level)
                if opened is not None:
                    levels.append(opened)
            else:
                self._fill(level, level.end)
                levels.pop()
        return self._units

    def _take(self, level: _Level) -> _Level | None:
        number = level.next
        further = self._opening.skips(number)
        if further >= 0:
            level.next = further
            return None
        level.next = self._tree.after[number]
        block = self._tree.blocks[number]
        start = self._ranges.start(block.start)
        end = self._ranges.end(self._ranges.last(block.start, block.end))
        self._fill(level, start)
        if start >= self._reached and self._opening.opens(number):
            return self._opened(level, number, end)
        self._add(level, start, end, block)
        return None

    def _opened(self, level: _Level, number: int, end: int) -> _Level:
        block = self._tree.blocks[number]
        named = block.kind in SYMBOL_KINDS
        own = _own_name(block, level.breadcrumb) if named else ()
        return _Level(
            number + 1,
            self._tree.after[number],
            end,
            number,
            (*level.breadcrumb, *own),
            block if named else None,
            level.breadcrumb,
        )

    def _fill(self, level: _Level, end: int) -> None:
        """What lies before `end` and is no unit yet."""
        kept = self._ranges.kept(self._reached, end) if end > self._reached else None
        if kept:
            self._append(level, *kept, OTHER, None)

    def _add(self, level: _Level, start: int, end: int, block: Block) -> None:
        if start < self._reached:
            self._join(end, level)
            return
        kind = SYMBOL if block.kind in SYMBOL_KINDS else block.kind
        kind = kind if kind in (SYMBOL, IMPORT, COMMENT) else OTHER
        self._append(level, start, end, kind, block if kind == SYMBOL else None)

    def _append(self, level: _Level, start: int, end: int, kind: str, block: Block | None) -> None:
        if last_ink(self._ranges.text, start, end) is None:
            return  # a caller's block of nothing
        breadcrumb = level.breadcrumb
        if level.head:
            kind, block, breadcrumb = SYMBOL, level.head, level.outer
            level.head = None
        self._units.append(Unit(start, end, kind, level.scope, breadcrumb, block))
        self._reached = max(self._reached, end)

    def _join(self, end: int, level: _Level) -> None:
        """A block that shares its first line with the last unit becomes part of that."""
        unit = self._units[-1]
        unit.end = max(unit.end, end)
        self._reached = max(self._reached, end)
        if unit.block is None or unit.end > unit.block.end:
            unit.breadcrumb = common(unit.breadcrumb, level.breadcrumb)
            unit.kind, unit.block = OTHER, None


def common(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """The scopes that both are in."""
    shared = 0
    while shared < min(len(one), len(other)) and one[shared] == other[shared]:
        shared += 1
    return one[:shared]


def _own_name(block: Block, around: tuple[str, ...]) -> tuple[str, ...]:
    """A symbol's name without that of the scopes it is in: the last item of a breadcrumb."""
    qualified = ".".join(around) + "." if around else ""
    name = block.name.removeprefix(qualified)
    return (name,) if name else ()
