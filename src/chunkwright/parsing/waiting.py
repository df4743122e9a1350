"""Comments and attributes above something wait for it: directly above, they belong to it."""

from __future__ import annotations

from tree_sitter import Node

from chunkwright.parsing.frames import Found, Waits
from chunkwright.parsing.rules import Reader
from chunkwright.parsing.source_bytes import SourceBytes


class Waiting:
    """Lets comments of one source wait, and become blocks of their own where nothing follows."""

    def __init__(self, source: SourceBytes, reader: Reader, found: list[Found]) -> None:
        self._bytes = source
        self._reader = reader
        self._found = found

    def wait(self, waits: Waits, comment: Node) -> None:
        """Let a comment wait, with those it stands right below."""
        start: int = comment.start_byte
        if start >= waits.end:
            return
        end = self._bytes.inked(comment.end_byte)
        is_comment = comment.kind_id in self._reader.comments
        if waits.wait_start >= 0 and self._bytes.adjacent(waits.wait_end, start):
            waits.wait_end = end
            if is_comment:
                waits.commented = end
            return
        self.release(waits)
        if self._bytes.begins_line(start):
            waits.wait_start, waits.wait_end = start, end
            waits.commented = end if is_comment else -1

    def release(self, waits: Waits) -> None:
        """Nothing follows what waits."""
        if waits.wait_start >= 0 and waits.detailed:
            self._found.append(Found(waits.wait_start, waits.wait_end, "comment", waits.depth))
        waits.wait_start = -1

    def taken(self, waits: Waits, start: int) -> int:
        """Where something begins, with the comments directly above it."""
        if waits.wait_start < 0:
            return start
        if self._bytes.adjacent(waits.wait_end, start):
            start = waits.wait_start
            waits.wait_start = -1
        else:
            self.release(waits)
        return start
