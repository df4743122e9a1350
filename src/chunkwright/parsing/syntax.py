"""Runs tree-sitter within bounds: size, nesting and work are limited before and while it parses.
What the tree means is not known here.
"""

from __future__ import annotations

import ctypes
import re
import sys
from itertools import accumulate

from tree_sitter import Language as Tongue
from tree_sitter import Node, Parser, Point, Tree

MAX_BYTES = 2 * 1024 * 1024
"""A tree takes 20 to 50 bytes a byte of ordinary source, 1,200 in the worst case seen."""

MAX_NESTING = 50_000
"""Brackets open at once. One level takes about 700 bytes of tree."""

SMALL = 256 * 1024
"""Bytes under which nesting cannot cost more than is allowed anyway, and is not counted."""

CALLS_AT_LEAST, BYTES_A_CALL = 10_000, 5
"""Work allowed, in tree-sitter's progress callbacks (one every 100 steps). Python's own library
takes one for 185 bytes on average and one for 69 at most; a text of brackets one for 14."""

READ_BYTES, READ_AGAIN_BYTES = 16 * 1024, 256
"""Bytes handed to tree-sitter at a time: usually, and once it has gone back often."""

OFTEN = 4
"""Times the source handed over, from which on tree-sitter goes back often. Perl's grammar does so
34,000 times in 217 KB."""

HANDED_AT_LEAST, TIMES_HANDED = 8 * 1024 * 1024, 100
"""Bytes handed over before parsing is given up, so many and so many times the source: for each
comment or string that nothing closes, a grammar reads on to the end, and goes back."""

LEVELS = re.compile(rb"(?m)^([ \t]*)((?:[-?:](?:[ \t]+|$))*)")
"""The beginning of a line: its indentation, and marks each of which begins a level."""

NO_CONTENT = (b"", b"\n", b"#")
"""What follows the indentation of a line that says nothing."""

BLANK = b" " * READ_BYTES
"""What is read instead of a source that is given up."""

PIECES_KEPT = 4096
"""Pieces handed over before those that are done with are let go."""

_STEPS = {**dict.fromkeys(b"([{", 1), **dict.fromkeys(b")]}", -1)}
_NO_BRACKETS = bytes(code for code in range(256) if code not in _STEPS)


class TooMuchWorkError(Exception):
    """The source is over a bound; the message says which. Never leaves `parsing`."""


def as_read(text: str) -> bytes:
    """The UTF-8 that is parsed: that of `text`, with a line feed for every CRLF and lone CR.

    Grammars know the lone CR not as a line end, some not CRLF, and NUL not as a character.
    """
    source = text.encode("utf-8", "replace")
    if b"\r" in source:
        source = source.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return source.replace(b"\0", b" ")


def parse_within_bounds(tongue: Tongue, source: bytes, earlier: Tree | None = None) -> Tree:
    """The tree of `source`; what an earlier one has, that was told of the edits, is taken from it.
    Raises TooMuchWorkError over a bound."""
    if len(source) > MAX_BYTES:
        raise TooMuchWorkError(f"{len(source)} bytes, over {MAX_BYTES}")
    if len(source) > SMALL and _nesting(source) > MAX_NESTING:
        raise TooMuchWorkError(f"over {MAX_NESTING} brackets open at once")
    budget = CALLS_AT_LEAST + len(source) // BYTES_A_CALL
    last = len(source) - 1  # a slice of the whole would be the source itself, not a copy
    most = HANDED_AT_LEAST + TIMES_HANDED * len(source)
    calls = handed = 0
    pieces: list[bytes] = []

    def read(offset: int, _point: Point) -> bytes:
        nonlocal handed
        if handed > most:
            # No callback may come for long; and to end too soon makes tree-sitter crash.
            return BLANK[: max(0, len(source) - offset)]
        if len(pieces) == PIECES_KEPT:
            done = pieces[:-1]
            del pieces[:-1]
            _let_go(done)
        end = offset + (READ_BYTES if handed < OFTEN * len(source) else READ_AGAIN_BYTES)
        piece = source[offset : min(end, last) if offset < last else end]
        handed += len(piece)
        pieces.append(piece)
        return piece

    def over_budget(_offset: int, _has_error: bool) -> bool:
        nonlocal calls
        calls += 1
        return calls > budget or handed > most

    try:
        if earlier is None:
            tree = Parser(tongue).parse(read, progress_callback=over_budget)
        else:
            tree = Parser(tongue).parse(read, earlier, progress_callback=over_budget)
    except ValueError as error:  # how the binding reports that the callback cancelled
        raise TooMuchWorkError(f"over {budget} rounds of parsing") from error
    finally:
        _let_go(pieces)
    if handed > most:
        raise TooMuchWorkError(f"over {most} bytes read while parsing")
    return tree


def _let_go(pieces: list[bytes]) -> None:
    """Give back the references that tree-sitter's Python binding (0.26) keeps to what it has read,
    or every source parsed would stay in memory for good. How many references there are otherwise
    is told by bytes that it has not seen; where nothing is kept, nothing is given back.
    """
    unread = bytes(2)
    usual = 0
    for piece in [unread, *pieces]:
        references = sys.getrefcount(piece)
        if piece is unread:
            usual = references
        elif len(piece) > 1:  # the interpreter shares shorter ones
            for _ in range(references - usual):
                ctypes.pythonapi.Py_DecRef(ctypes.py_object(piece))


def require_levels(source: bytes, most: int) -> None:
    """Raise TooMuchWorkError where blocks told by indentation may be nested deeper than `most`, as
    `- - a` is in YAML. Looks at the beginnings of lines alone, and so may count too many."""
    columns: list[int] = []
    for match in LEVELS.finditer(source):
        following = source[match.end() : match.end() + 1]
        if not match[2] and following in NO_CONTENT:
            continue
        column = match.end(1) - match.start(1)
        while columns and columns[-1] >= column:
            columns.pop()
        columns.append(column)
        columns += range(column + 1, column + 1 + len(match[2].split()))
        if len(columns) > most:
            raise TooMuchWorkError(f"over {most} levels of indentation")


def first_error(root: Node) -> int | None:
    """Byte offset of the first syntax error; None where there is none."""
    if not root.has_error:
        return None
    node = root
    while broken := next((child for child in node.children if child.has_error), None):
        node = broken
    return node.start_byte


def _nesting(source: bytes) -> int:
    brackets = source.translate(None, _NO_BRACKETS)
    return max(accumulate(map(_STEPS.__getitem__, brackets)), default=0)
