"""Where a definition begins, ends and is documented: beyond and within what its node says."""

from __future__ import annotations

from tree_sitter import Node

from chunkwright.parsing.rules import Reader
from chunkwright.parsing.source_bytes import LAST_BLANK, LINE_FEED, SourceBytes


class Extents:
    """Reads the edges of definitions in one source."""

    def __init__(self, source: SourceBytes, reader: Reader) -> None:
        self._bytes = source
        self._source = source.source
        self._reader = reader
        self._leading = reader.leading

    def end(self, start: int, node: Node) -> tuple[int, list[Node]]:
        """Where a definition ends, without white space and comments below its last statement:
        where blocks are told by indentation a grammar counts them in. And those of the comments
        that begin in its own column, first to last."""
        end = self._bytes.inked(node.end_byte)
        trailing: list[Node] = []
        while end > start and self._may_be_comment(start, end):
            last = node.descendant_for_byte_range(end - 1, end)
            if last is None or last.kind_id not in self._reader.comments:
                break
            comment: int = last.start_byte
            if comment <= start or not self._bytes.begins_line(comment):
                break
            end = self._bytes.inked(comment)
            if last.start_point.column == node.start_point.column:
                trailing.insert(0, last)
        return end, trailing

    def _may_be_comment(self, start: int, end: int) -> bool:
        """Whether the last line of a definition can be a comment below it: not one with a closing
        brace, nor, where blocks are told by indentation, one that begins with a word."""
        if not self._reader.bodies:
            return self._source[end - 1 : end] != b"}"
        ink = end
        for at in range(end - 1, start - 1, -1):
            code = self._source[at]
            if code == LINE_FEED:
                break
            if code > LAST_BLANK:
                ink = at
        return not self._source[ink : ink + 1].isalnum()

    def head(self, child: Node, begin: int) -> int:
        """Where a definition's own first line starts, after decorators and attributes that stand
        on lines of their own. (Attributes begin with a mark.)"""
        if not self._reader.has_attributes or self._source[begin : begin + 1].isalnum():
            return begin
        row = [child]
        at = 0
        while children := row[at].children:
            row = children + row[at + 1 : at + 2]
            at = self._after_attributes(row)
        start: int = row[at].start_byte
        return start

    def _after_attributes(self, row: list[Node]) -> int:
        """Number of the first node that is no attribute, or one with something beside it."""
        for at, part in enumerate(row[:-1]):
            if part.kind_id not in self._leading or not self._bytes.parted(
                part.end_byte, row[at + 1].start_byte
            ):
                return at
        return len(row) - 1

    def doc(self, body: Node | None, body_start: int) -> tuple[int, int] | None:
        """The range of the string that documents a definition, where the language has such."""
        if body is None or not body_start or not self._reader.docstring:
            return None
        for at in range(min(3, body.named_child_count)):
            statement = body.named_child(at)
            if statement is None:
                break
            if statement.kind_id in self._reader.comments:
                continue
            if statement.kind_id not in self._reader.docstring:
                return None
            text = self.said(statement)
            return None if text is None else (text.start_byte, text.end_byte)
        return None

    def documents(self, statement: Node, end: int) -> bool:
        """Whether a statement is a string that says what ends right above it, at `end`, is."""
        string = self._reader.documentation
        return (
            string is not None
            and statement.kind_id in self._reader.docstring
            and string.follow(statement) is not None
            and self._bytes.adjacent(end, statement.start_byte)
        )

    def said(self, statement: Node) -> Node | None:
        """The text in a statement that is a documentation string."""
        path = self._reader.docstring_in
        return None if path is None else path.follow(statement)
