"""Reads a broken source anew, from one definition to the next, so that one syntax error does not
swallow the intact definitions around it. Sound stretches are not touched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from tree_sitter import Node, TreeCursor

from chunkwright.parsing.frames import Found
from chunkwright.parsing.rules import Reader
from chunkwright.parsing.syntax import TooMuchWorkError, parse_within_bounds
from chunkwright.parsing.walking import walk

Stretch = tuple[int, int]

PRELUDE: Final = re.compile(rb"(?:@|#|//|/\*| ?\*)[^\n]*\n\Z")
"""A line of comment or decorator, which belongs to the definition below it."""

TEXTS: Final = ("comment", "string", "heredoc_body", "heredoc_content")
"""Words in the kinds of nodes that are no code."""

PRELUDE_LINES: Final = 200
"""Lines looked back over for comments above a definition."""


def walk_broken(root: Node, source: bytes, reader: Reader, detail: int) -> list[Found]:
    """Like `walk`, for a tree with errors: stretches of the outermost level that hold an error
    and several beginnings of definitions are parsed again, piece by piece."""
    found = walk(root, source, reader, detail)
    for start, end in _broken_stretches(root, source, reader):
        pieces = list(_pieces(root, source, reader, (start, end)))
        if len(pieces) > 1:
            anew = _walk_pieces(pieces, source, reader, detail)
            kept = [block for block in found if not start <= block.start < end]
            found = sorted([*kept, *anew], key=lambda block: (block.start, -block.end))
    return found


def _broken_stretches(root: Node, source: bytes, reader: Reader) -> Iterator[Stretch]:
    """Runs of outermost nodes with errors, up to the next sound one that begins a line."""
    if root.is_error:  # its children are loose tokens without errors of their own
        yield root.start_byte, root.end_byte
        return
    start = comments = None
    for node in root.children:
        if start is not None and not node.has_error and _at_line_start(source, node):
            yield start, node.start_byte
            start = None
        if start is None and node.has_error:
            start = node.start_byte if comments is None else comments
        is_comment = node.kind_id in reader.leading
        comments = (node.start_byte if comments is None else comments) if is_comment else None
    if start is not None:
        yield start, root.end_byte


def _at_line_start(source: bytes, node: Node) -> bool:
    return source[node.start_byte - 1 : node.start_byte] in (b"", b"\n")


def _pieces(root: Node, source: bytes, reader: Reader, stretch: Stretch) -> Iterator[Stretch]:
    """A stretch cut before each line that begins a definition, with what belongs to it."""
    start, end = stretch
    begin = start
    starts = reader.starts.finditer(source, start, end) if reader.starts else ()
    places = [match.start() for match in starts]
    for place, is_text in zip(places, _in_text(root, places, reader), strict=True):
        if is_text:
            continue
        cut = _prelude_start(source, max(begin, start), place)
        if source[begin:cut].strip():
            yield begin, cut
            begin = cut
    yield begin, end


def _in_text(root: Node, positions: list[int], reader: Reader) -> Iterator[bool]:
    """For each position, in order, whether it lies in a comment or a string. One way through the
    tree for all of them."""
    cursor = root.walk()
    for position in positions:
        while _forward(cursor, position):
            pass
        node = cursor.node
        yield node is not None and node.start_byte <= position and _is_text(node, reader)


def _forward(cursor: TreeCursor, position: int) -> bool:
    """Go one step towards the innermost node at a position; False where that is reached."""
    node = cursor.node
    if node is None:
        return False
    if node.end_byte > position:
        return node.start_byte <= position and cursor.goto_first_child()
    if cursor.goto_next_sibling():
        return True
    if not cursor.goto_parent():
        return False
    above = cursor.node
    return above is not None and above.end_byte <= position


def _is_text(node: Node, reader: Reader) -> bool:
    kind: str = node.type
    return node.kind_id in reader.comments or any(word in kind for word in TEXTS)


def _prelude_start(source: bytes, low: int, position: int) -> int:
    """Where the comments and decorators directly above `position` begin."""
    for _ in range(PRELUDE_LINES):
        line_start = source.rfind(b"\n", low, max(low, position - 1)) + 1 or low
        if line_start >= position:
            break
        if source[line_start:position].rstrip().endswith(b"*/"):
            opening = source.rfind(b"/*", low, position)
            line_start = source.rfind(b"\n", low, max(low, opening)) + 1 or low
        elif not PRELUDE.match(source, line_start, position):
            break
        position = line_start
    return position


def _walk_pieces(
    pieces: Iterable[Stretch], source: bytes, reader: Reader, detail: int
) -> list[Found]:
    return [
        _moved(block, start - len(reader.preamble))
        for start, end in pieces
        for block in _walk_piece(reader.preamble + source[start:end], reader, detail)
        if block.start >= len(reader.preamble)
    ]


def _walk_piece(piece: bytes, reader: Reader, detail: int) -> list[Found]:
    try:
        root = parse_within_bounds(reader.tongue, piece).root_node
    except TooMuchWorkError:
        return []  # the whole was within bounds: its piece stays text without symbols
    return walk(root, piece, reader, detail)


def _moved(block: Found, by: int) -> Found:
    block.start += by
    block.end += by
    if block.name:
        block.head += by
        block.body += by if block.body else 0
        block.doc_start += by
        block.doc_end += by
    return block
