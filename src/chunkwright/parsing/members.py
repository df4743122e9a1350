"""Reads a broken type anew, member by member: each inside a type of its own that has the same
head, so that one syntax error does not swallow the members around it. Members are told by their
indentation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from chunkwright.parsing.definitions import TYPES
from chunkwright.parsing.frames import Found
from chunkwright.parsing.rules import Reader
from chunkwright.parsing.source_bytes import prelude_start
from chunkwright.parsing.syntax import TooMuchWorkError, parse_within_bounds
from chunkwright.parsing.walking import walk

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
    for start, end in _cuts(piece, low, stop, body[1]):
        text = head[0] + piece[start:end] + (closer if closer.startswith(b"}") else b"")
        inside = low + end - start
        found += [
            one.moved(start - low)
            for one in _walked(text, reader, detail)
            if one.start >= low and one.end <= inside
        ]
    return found + [one.moved(stop) for one in _walked(piece[stop:], reader, detail)]


def _owner(text: bytes, reader: Reader) -> Found | None:
    named = [one for one in _walked(text, reader, len(text)) if one.name]
    return named[0] if named and named[0].kind in TYPES else None


def _walked(text: bytes, reader: Reader, detail: int) -> list[Found]:
    try:
        root = parse_within_bounds(reader.tongue, text).root_node
    except TooMuchWorkError:
        return []  # the whole was within bounds: this stays text without symbols
    return walk(root, text, reader, detail)


def _cuts(piece: bytes, begin: int, stop: int, indentation: bytes) -> Iterator[tuple[int, int]]:
    """Stretches of the body, each from where a member begins, with what belongs to it."""
    starts = re.compile(rb"(?m)^" + re.escape(indentation) + MEMBER)
    for match in starts.finditer(piece, begin, stop):
        cut = prelude_start(piece, begin, match.start())
        if piece[begin:cut].strip():
            yield begin, cut
            begin = cut
    yield begin, stop
