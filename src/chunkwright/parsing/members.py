"""Reads a broken type anew, member by member: each inside a type of its own that has the same
head, so that one syntax error does not swallow the members around it. Members are told by their
indentation.
"""

from __future__ import annotations

import re
from typing import Final

from chunkwright.parsing.frames import Found
from chunkwright.parsing.rules import Reader
from chunkwright.parsing.source_bytes import pieces
from chunkwright.parsing.syntax import TooMuchWorkError, parse_within_bounds
from chunkwright.parsing.walking import walk
from chunkwright.types import TYPE_KINDS

HEAD: Final = re.compile(rb"\s*\S[^\n]*?(?:\n[^\n]+?){0,20}?[{:][ \t]*(?:(?://|#)[^\n]*)?\n")
"""A type up to the line on which its body opens."""

HEAD_BYTES: Final = 2000
"""It is read again with every member."""

BODY: Final = re.compile(rb"(?:[ \t]*\n)*([ \t]+)\S")

OUTSIDE: Final = re.compile(rb"(?m)^(?:\}[^\n]*\n?|(?=[^\s}]))")
"""What ends a body: a closing bracket in the first column, or anything else that begins there."""

MEMBER: Final = rb"(?=[A-Za-z_@~$\[+-])"
"""What a member's first line begins with, and a closing bracket does not."""


def read_members(piece: bytes, reader: Reader, detail: int) -> list[Found]:
    """The type that `piece` begins with, and what its members define; nothing where it begins with
    no type."""
    head = HEAD.match(piece)
    if head is None or head.end() > HEAD_BYTES:
        return []
    body = BODY.match(piece, head.end())
    closer = b"}\n" if b"{" in head[0][head[0].rstrip().rfind(b"\n") + 1 :] else b"    pass\n"
    owner = _owner(head[0] + closer, reader)
    if body is None or owner is None:
        return []
    low = head.end()
    after = OUTSIDE.search(piece, low)
    stop = len(piece) if after is None else after.end()
    owner.end = len(piece[:stop].rstrip())
    found = [owner]
    members = re.compile(rb"(?m)^" + re.escape(body[1]) + MEMBER)
    places = (match.start() for match in members.finditer(piece, low, stop))
    for start, end in pieces(piece, low, stop, places):
        text = head[0] + piece[start:end] + (closer if closer.startswith(b"}") else b"")
        inside = low + end - start
        found += [
            one.moved(start - low)
            for one in read_apart(text, reader, detail)[0]
            if one.start >= low and one.end <= inside
        ]
    return found + [one.moved(stop) for one in read_apart(piece[stop:], reader, detail)[0]]


def _owner(text: bytes, reader: Reader) -> Found | None:
    named = [one for one in read_apart(text, reader, len(text))[0] if one.name]
    return named[0] if named and named[0].kind in TYPE_KINDS else None


def read_apart(source: bytes, reader: Reader, detail: int) -> tuple[list[Found], bool]:
    """What a part of a source that is within bounds defines, and whether it has no errors."""
    try:
        root = parse_within_bounds(reader.tongue, source).root_node
    except TooMuchWorkError:
        return [], True  # it stays text without symbols
    return walk(root, source, reader, detail), not root.has_error
