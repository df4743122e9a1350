"""Lists the statements and comments in a part of a tree where no definition can be: the borders
where something long may be cut.
"""

from __future__ import annotations

from tree_sitter import Node

from chunkwright.parsing.extents import Extents
from chunkwright.parsing.frames import Found, Waits
from chunkwright.parsing.rules import Reader
from chunkwright.parsing.source_bytes import SourceBytes
from chunkwright.parsing.waiting import Waiting


class _Level(Waits):
    """A node being gone through."""

    def __init__(self, children: list[Node], end: int, depth: int) -> None:
        super().__init__(end, depth, detailed=True)
        self.children = children
        self.next = 0
        self.documented: Found | None = None
        """The assignment right before, which a string may document."""


class Statements:
    """Lists statements for one walk, into what it found."""

    def __init__(
        self,
        source: SourceBytes,
        reader: Reader,
        found: list[Found],
        extents: Extents,
        waiting: Waiting,
    ) -> None:
        self._source = source
        self._reader = reader
        self._found = found
        self._extents = extents
        self._waiting = waiting

    def describe(self, node: Node, depth: int, end: int, threshold: int) -> None:
        """Add the statements in a node, up to the byte `end`, and those in each of them that is
        longer than `threshold` bytes. They are as deep in definitions as the node, `depth`."""
        levels = [_Level(node.named_children, end, depth)]
        while levels:
            level = levels[-1]
            if level.next == len(level.children):
                self._waiting.release(level)
                levels.pop()
                continue
            child = level.children[level.next]
            level.next += 1
            number: int = child.kind_id
            if number in self._reader.leading:
                level.documented = None
                self._waiting.wait(level, child)
            elif self._add(level, child, number) > threshold:
                levels.append(_Level(child.named_children, end, depth))

    def _add(self, level: _Level, child: Node, number: int) -> int:
        """Add a statement where it begins a line; its length."""
        begin: int = child.start_byte
        end: int = min(child.end_byte, level.end)
        start = self._waiting.taken(level, begin)
        if start >= end or not self._source.begins_line(start):
            level.documented = None
            return end - begin
        above = level.documented
        if above is not None and self._extents.documents(child, above.end):
            above.end = child.end_byte
            return 0
        kind = "import" if number in self._reader.imports else "statement"
        found = Found(start, max(start + 1, self._source.inked(end)), kind, level.depth)
        self._found.append(found)
        level.documented = found if self._is_documented(child, number) else None
        return end - begin

    def _is_documented(self, child: Node, number: int) -> bool:
        if not self._reader.documented or number not in self._reader.wrappers:
            return False
        inner = child.child(0) if child.child_count else None
        return inner is not None and inner.kind_id in self._reader.documented
