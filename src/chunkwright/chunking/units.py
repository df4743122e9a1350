"""Tiles a source file with units: stretches of whole lines, each a symbol, the head of one, or what
lies between. Which units share a chunk, and where one over the cap is cut, is not decided here.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

import msgspec

from chunkwright.characters import WHITE_SPACE, Lines, last_ink
from chunkwright.types import SYMBOL_KINDS, Block

SYMBOL, IMPORT, COMMENT, OTHER = "symbol", "import", "comment", "other"

MEMBERED = frozenset(
    {"Class", "Contract", "Enum", "Impl", "Interface", "Module", "Struct", "Trait"}
)
"""Symbols that can be opened: their members become units of their own."""

CALLABLE = frozenset({"Function", "Method", "Macro"})

OWN = frozenset(SYMBOL_KINDS) - {"Constant", "Variable"}
"""Symbols that are a chunk of their own where every symbol is to be one."""


class Unit(msgspec.Struct):
    """Whole lines, without the last one's end."""

    start: int
    end: int
    kind: str
    scope: int
    """Number of the opened block around it; -1 outermost."""
    breadcrumb: tuple[str, ...]
    block: Block | None = None
    """The symbol it is, or whose head it is."""


class LineRanges:
    """Positions of a text as whole lines."""

    def __init__(self, text: str, lines: Lines) -> None:
        self.text = text
        self.starts = lines.starts
        self._lines = lines

    def start(self, position: int) -> int:
        """Where the line of `position` begins."""
        return self._lines.start_of(position)

    def end(self, position: int) -> int:
        """Where the line of `position` ends, before its line end."""
        following = self._lines.next_start(position)
        if following is None:
            return len(self.text)
        end = following
        if self.text[end - 1] == "\n" and end > self._lines.start_of(position):
            end -= 1
        if end > self._lines.start_of(position) and self.text[end - 1] == "\r":
            end -= 1
        return end

    def starts_between(self, start: int, end: int) -> Iterator[int]:
        """Where each line begins that begins in a stretch and is not blank."""
        for at in range(bisect_left(self.starts, start), bisect_left(self.starts, end)):
            first = self.starts[at]
            if self.text[first : min(end, self.end(first))].strip(WHITE_SPACE):
                yield first

    def begins(self, position: int) -> bool:
        """Whether only white space stands before `position` on its line."""
        return not self.text[self.start(position) : position].strip(WHITE_SPACE)

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
        self.starts = [block.start for block in blocks]
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
        return self.blocks[bisect_left(self.starts, start) : bisect_left(self.starts, end)]


class _Level(msgspec.Struct):
    """A run of blocks being tiled: those of an opened block, or the outermost ones."""

    next: int
    stop: int
    end: int
    """Where the text of the level ends."""
    scope: int
    breadcrumb: tuple[str, ...]
    head: Block | None = None
    """The opened symbol, until its head has become a unit."""
    outer: tuple[str, ...] = ()
    """Breadcrumb of the opened symbol itself."""


class Tiler:
    """Tiles one document, from its first line to its last.

    `opens(number)` says whether a block gives way to the blocks in it; `skips(number)`, which
    block to go on with instead of making a unit of this one.
    """

    def __init__(
        self,
        tree: Tree,
        ranges: LineRanges,
        *,
        opens: Callable[[int], bool],
        skips: Callable[[int], int | None],
    ) -> None:
        self._tree = tree
        self._ranges = ranges
        self._opens = opens
        self._skips = skips
        self._units: list[Unit] = []
        self._reached = 0

    def units(self) -> list[Unit]:
        """Every unit, in order; none shares a line with another."""
        levels = [_Level(0, len(self._tree.blocks), len(self._ranges.text), -1, ())]
        while levels:
            level = levels[-1]
            if level.next < level.stop:
                opened = self._take(level)
                levels += [opened] if opened else []
            else:
                self._fill(level, level.end)
                levels.pop()
        return self._units

    def _take(self, level: _Level) -> _Level | None:
        number = level.next
        further = self._skips(number)
        if further is not None:
            level.next = further
            return None
        level.next = self._tree.after[number]
        block = self._tree.blocks[number]
        start = self._ranges.start(block.start)
        end = self._ranges.end(self._ranges.last(block.start, block.end))
        self._fill(level, start)
        if start >= self._reached and self._opens(number):
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
