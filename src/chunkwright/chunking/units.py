"""Tiles a source file with units: stretches of whole lines, each a symbol, the head of one, or what
lies between. Which units share a chunk, and where one over the cap is cut, is not decided here.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from chunkwright.characters import Lines, last_ink
from chunkwright.chunking.assembling import OF_SYMBOLS
from chunkwright.types import Block

SYMBOL: Final = "symbol"
IMPORT: Final = "import"
COMMENT: Final = "comment"
OTHER: Final = "other"

CALLABLE: Final = frozenset({"Function", "Method", "Macro"})

BETWEEN: Final = frozenset({IMPORT, COMMENT})
"""What else a unit can be of its own kind."""

OWN: Final = OF_SYMBOLS - {"Constant", "Variable"}
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


class Tree:
    """The blocks of a document with where each one's own blocks end, and what is asked of them
    again and again: a list's item is sooner read than a block's field."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.blocks = blocks
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.kinds: list[str] = []
        self.after = [len(blocks)] * len(blocks)
        """Number of the first block behind a block and all that is in it."""
        around: list[int] = []
        for number, block in enumerate(blocks):
            start: int = block.start
            while around and self.ends[around[-1]] <= start:
                self.after[around.pop()] = number
            around.append(number)
            self.starts.append(start)
            self.ends.append(block.end)
            self.kinds.append(block.kind)

    def between(self, start: int, end: int) -> Sequence[Block]:
        """The blocks that begin in a stretch of the text."""
        return self.blocks[bisect_left(self.starts, start) : bisect_left(self.starts, end)]


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

    def __init__(self, tree: Tree, text: str, lines: Lines, opening: Opening) -> None:
        self._tree = tree
        self._text = text
        self._lines = lines
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
        begin = self._tree.starts[number]
        last = last_ink(self._text, begin, self._tree.ends[number])
        start = self._lines.start_of(begin)
        end = self._lines.end_of(begin if last is None else last)
        self._fill(level, start)
        if start >= self._reached and self._opening.opens(number):
            return self._opened(level, number, end)
        self._add(level, start, end, number)
        return None

    def _opened(self, level: _Level, number: int, end: int) -> _Level:
        block = self._tree.blocks[number]
        named = self._tree.kinds[number] in OF_SYMBOLS
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
        """What lies before `end` and is no unit yet, in whole lines, without blank ones at its
        edges."""
        begin = self._reached
        last = last_ink(self._text, begin, end)
        if last is None:
            return
        first = end - len(self._text[begin:end].lstrip())
        start = max(begin, self._lines.start_of(first))
        self._append(level, start, min(end, self._lines.end_of(last)), OTHER, None)

    def _add(self, level: _Level, start: int, end: int, number: int) -> None:
        if start < self._reached:
            self._join(end, level)
            return
        kind = self._tree.kinds[number]
        if kind in OF_SYMBOLS:
            self._append(level, start, end, SYMBOL, self._tree.blocks[number])
        else:
            self._append(level, start, end, kind if kind in BETWEEN else OTHER, None)

    def _append(self, level: _Level, start: int, end: int, kind: str, block: Block | None) -> None:
        if last_ink(self._text, start, end) is None:
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
    if one is other:
        return one
    shared = 0
    while shared < min(len(one), len(other)) and one[shared] == other[shared]:
        shared += 1
    return one[:shared]


def _own_name(block: Block, around: tuple[str, ...]) -> tuple[str, ...]:
    """A symbol's name without that of the scopes it is in: the last item of a breadcrumb."""
    qualified = ".".join(around) + "." if around else ""
    name = block.name.removeprefix(qualified)
    return (name,) if name else ()
