"""Where the documentation of each symbol stands, and its text without the marks of comments. Blocks
tell no more than its first line; who takes it away, or asks with it, needs the whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from chunkwright.characters import LINE_END
from chunkwright.languages import find
from chunkwright.parsing.base import language_name
from chunkwright.parsing.code import DETAIL
from chunkwright.parsing.component_markup import FORMATS
from chunkwright.parsing.describing import BARE_MARKS, CLOSERS, COMMENT_MARKS, DIRECTIVE
from chunkwright.parsing.frames import Found
from chunkwright.parsing.generated import is_minified
from chunkwright.parsing.reading import read
from chunkwright.types import Document

LINE_COMMENT: Final = re.compile(r"//|#|--|;|%|!|'|\"(?!\"\")")
"""What a comment of one line begins with, in any language."""

OPENS: Final = re.compile(r"/\*|\(\*|\{-|<#|\"\"\"|=(?:begin|pod|head\d|item|over|encoding)\b")
"""What a comment of several lines begins with, or a string that is one."""

EDGES: Final = re.compile(
    r"(?P<both>\"\"\")|(?P<opens>/\*|\(\*|\{-|<#|^=(?:begin|pod|head\d|item|over|encoding)\b)"
    r"|\*/|\*\)|-\}|#>|^=(?:cut|end)\b"
)
"""Where such comments begin and end."""

QUOTES: Final = ('"', "'")
"""What stands before documentation that is a string."""


class Documented(NamedTuple):
    """A symbol and what documents it, in code points of the text."""

    name: str
    """Qualified with dots."""
    start: int
    """With comments above it."""
    end: int
    said: tuple[tuple[int, int], ...]
    """Stretches of documentation, sorted: of comments each line, marks included, but for those
    that are meant for tools; of a string what is between its quotation marks."""
    text: str
    """The same without marks, line by line."""


def documented(document: Document) -> Iterator[Documented]:
    """Every symbol of a source file that is documented, in order; of those that share one
    documentation, the first. Nothing of components, minified files and unknown languages."""
    row = find(language_name(document))
    text = document.text
    if row is None or row.grammar is None or row.name in FORMATS:
        return
    if is_minified(text, row.name, document.path):
        return
    before = (0, 0)
    for one in read(text, row, DETAIL).found:
        start, end = one.doc_start, one.doc_end
        if one.name and start < end and (start, end) != before:
            before = start, end
            yield _documented(text, one)


def _documented(text: str, one: Found) -> Documented:
    start, end = one.doc_start, one.doc_end
    if text[start - 1 : start] in QUOTES:
        said = text[start:end]
        return Documented(one.name, one.start, one.end, ((start, end),), said)
    lines = tuple(_comment_lines(text, start, end))
    bare = "\n".join(_bare(text[first:last]) for first, last in lines)
    return Documented(one.name, one.start, one.end, lines, bare)


def _comment_lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The lines of comments that are not meant for tools; attributes may stand between."""
    is_open = False
    at = start
    while at < end:
        after = LINE_END.search(text, at, end)
        stop = end if after is None else after.start()
        line = text[at:stop].strip()
        is_line = LINE_COMMENT.match(line) is not None and not is_open
        opens = is_open or OPENS.match(line) is not None
        if opens or (is_line and DIRECTIVE.match(line) is None):
            yield at, stop
        if opens and not is_line:
            is_open = _stays_open(line, is_open)
        at = end if after is None else after.end()


def _stays_open(line: str, is_open: bool) -> bool:
    """Whether a comment goes on after a line of it."""
    for mark in EDGES.finditer(line):
        is_open = not is_open if mark["both"] else mark["opens"] is not None
    return is_open


def _bare(line: str) -> str:
    """A line of a comment without its marks."""
    line = line.strip()
    if line in BARE_MARKS:
        return ""
    marks = COMMENT_MARKS.match(line)
    said = line[marks.end() if marks else 0 :].strip()
    for closer in CLOSERS:
        said = said.removesuffix(closer).rstrip()
    return said
