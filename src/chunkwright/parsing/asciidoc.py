"""AsciiDoc to blocks: section titles to sections, and what else stays together. Both are told by
whole lines, so that a pass over the lines finds them; no parser of the format for Python tells
where things stand.

The rules are those of the AsciiDoc Language Documentation, as Asciidoctor applies them. What a
document includes is not read, and no attribute is resolved.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from chunkwright.characters import WHITE_SPACE
from chunkwright.parsing.headings import MAX_DEPTH
from chunkwright.parsing.line_blocks import LONGEST_TITLE, LineBlocks
from chunkwright.types import Document, Parsed

PARSER = "asciidoc"

TITLE = re.compile(r"(?P<marks>={1,6}|#{1,6})[ \t]+(?P<title>\S.*)")
UNDERLINE = re.compile(r"(?P<mark>[=\-~^+])(?P=mark)+")
UNDERLINE_LEVELS = {mark: level for level, mark in enumerate("=-~^+", 1)}
LONGEST_DIFFERENCE = 1
"""Characters by which a title and the line under it may differ in length."""

DELIMITER = re.compile(
    r"(?P<marks>(?P<mark>[-.=*+_/])(?P=mark){3,}|--|[|,:!]={3,}|`{3,}(?=(?P<info>[^`\s]*)$))"
)
KINDS = {
    "-": "fence",
    ".": "fence",
    "`": "fence",
    "+": "html",
    "/": "comment",
    "|": "table",
    ",": "table",
    ":": "table",
    "!": "table",
}
"""First characters of the delimiters of blocks that hold no others -> kinds of block."""
OPEN = "--"

ATTRIBUTES = re.compile(r"\[(?:[A-Za-z\x80-\U0010ffff_{,.#\"'%].*|\[[^\[\]]+\])?\]|\.[^\s.].*")
"""A line of attributes, an anchor or a block's title: it belongs to what follows."""
NO_SECTION = re.compile(r"\[(?:discrete|float)\b.*\]")
VERBATIM = re.compile(r"\[(?:source|listing|literal)\b.*\]")
LANGUAGE = re.compile(r"\[(?:source)?(?:%[^,\]]*)?,[ \t]*(?P<language>[^,\]]+)")
HEADER = re.compile(r"%header|(?<![a-z])header(?![a-z])")
"""In the attributes of a table: `%header`, or one of its `options`."""

COMMENT = re.compile(r"//(?!/)")
ALONE = re.compile(r"//(?!/)|:!?[^\s:][^:]*:(?:\s|$)|[A-Za-z][^\s:]*::[^\[]*\[.*\]$|'''$|<<<$")
"""A comment, an attribute's value, a macro, a directive, a rule: a line that is no paragraph."""
ITEM = re.compile(
    r"[ \t]*(?:-|\*{1,5}|\.{1,5}|[0-9]+\.|[A-Za-z]\.|[IVXivx]+\)|<(?:[0-9]+|\.)>)[ \t]+\S"
    r"|(?!//)\S.*?(?::{2,4}|;;)(?:[ \t]|$)"
)
INDENTED = re.compile(r"[ \t]")

ANCHOR = re.compile(r"\[\[[^\[\]]*\]\]")
REFERENCE = re.compile(
    r"(?:link:|mailto:|xref:|https?://)[^\s\[\]]+\[(?P<text>[^\[\]]+)\]|<<[^<>,]+,(?P<label>[^<>]+)>>"
)
MARKED = re.compile(
    r"(?:\[[^\[\]]*\])?(?:(?P<double>\*\*|__|``|##)(?P<inside>\S|\S.*?\S)(?P=double)"
    r"|(?<![0-9A-Za-z_;:}])(?P<single>[*_`#+])(?P<shown>\S|\S.*?\S)(?P=single)(?![0-9A-Za-z_]))"
)


def parse(document: Document) -> Parsed:
    """The sections and blocks of an AsciiDoc document. Raises nothing."""
    scanner = _Scanner(document.text)
    scanner.read()
    return scanner.found.parsed(document, PARSER)


class _Region(NamedTuple):
    """Lines of a document, or of what is inside a block."""

    first: int
    end: int
    depth: int


class _Scanner:
    """Goes through the lines of a text once for every block that is around them."""

    def __init__(self, text: str) -> None:
        self.found = LineBlocks(text)
        raw = self.found.raw
        self._lines = [line.rstrip(WHITE_SPACE) for line in raw]
        self._delimiters = _places(self._lines)
        self._waiting = [_Region(0, len(raw), 0)]

    def read(self) -> None:
        """Find every section title and every block."""
        while self._waiting:
            region = self._waiting.pop()
            at = region.first
            while at < region.end:
                at = self._block(region, at) if self._lines[at] else at + 1

    def _block(self, region: _Region, first: int) -> int:
        """Read what begins at a line, with the lines that belong to it; gives the line after it."""
        at = first
        while at < region.end and self._belongs(at, at > first):
            at += 1
        if at == region.end:
            return at
        if region.depth == 0 and (end := self._title(first, at)):
            return end
        if last := self._last(region, at):
            return self._delimited(region, first, at, last)
        if ALONE.match(self._lines[at]):
            return at + 1
        return self._paragraph(region, first, at)

    def _belongs(self, at: int, is_led: bool) -> bool:
        """Whether a line, led by one that does or not, belongs to the block that follows."""
        line = self._lines[at]
        return ATTRIBUTES.fullmatch(line) is not None or (
            is_led and (not line or COMMENT.match(line) is not None)
        )

    def _title(self, first: int, at: int) -> int:
        """A section title, or a title that begins no section; 0 where neither stands here."""
        found = self._one_line_title(at) or self._two_line_title(at)
        if not found:
            return 0
        level, title, under = found
        if not any(NO_SECTION.fullmatch(self._lines[line]) for line in range(first, at)):
            self.found.add_heading(first, under, level, _plain(title))
        return under

    def _one_line_title(self, at: int) -> tuple[int, str, int] | None:
        """Level, title and the line after it."""
        found = TITLE.fullmatch(self._lines[at])
        if not found:
            return None
        marks = found["marks"]
        return len(marks), found["title"].removesuffix(f" {marks}"), at + 1

    def _two_line_title(self, at: int) -> tuple[int, str, int] | None:
        title = self._lines[at]
        under = self._lines[at + 1] if at + 1 < len(self._lines) else ""
        found = UNDERLINE.fullmatch(under)
        fits = abs(len(title) - len(under)) <= LONGEST_DIFFERENCE
        if not found or not fits or not _has_word(title) or ALONE.match(title):
            return None
        return UNDERLINE_LEVELS[found["mark"]], title, at + 2

    def _last(self, region: _Region, at: int) -> int:
        """The line that closes the block which a line opens; 0 where it opens none."""
        marks = _marks(self._lines[at])
        places = self._delimiters.get(marks, [])
        following = bisect_right(places, at)
        last = places[following] if following < len(places) else region.end
        return last if last < region.end else 0

    def _delimited(self, region: _Region, first: int, at: int, last: int) -> int:
        kind = "quote" if self._lines[at] == OPEN else KINDS.get(self._lines[at][0], "quote")
        if kind == "quote" and self._is_verbatim(first, at):
            kind = "fence"
        if kind == "fence":
            self._add(region, first, last + 1, kind, at + 1, self._language(first, at))
        elif kind == "table":
            self._table(region, first, at, last)
        else:
            self._add(region, first, last + 1, kind)
        if kind == "quote" and region.depth < MAX_DEPTH:
            self._waiting.append(_Region(at + 1, last, region.depth + 1))
        return last + 1

    def _is_verbatim(self, first: int, at: int) -> bool:
        return any(VERBATIM.fullmatch(line) for line in self._lines[first:at])

    def _language(self, first: int, at: int) -> str:
        """The language that a fence, or a line of attributes before it, names."""
        for line in self._lines[first:at]:
            if found := LANGUAGE.match(line):
                return found["language"].strip()
        return self._lines[at].lstrip("`") if self._lines[at].startswith("`") else ""

    def _table(self, region: _Region, first: int, at: int, last: int) -> None:
        body = self._under_header(first, at, last)
        self._add(region, first, last + 1, "table", body)
        inner = region._replace(depth=region.depth + 1)
        begins = _rows(self._lines, body, last, self._lines[at][0])
        for row, end in pairwise([*begins, last + 1]):
            self._add(inner, row, end, "row")

    def _under_header(self, first: int, at: int, last: int) -> int:
        """The first line of a table under its header, or under its delimiter where it has none.

        A header is one where the attributes say so, or a blank line follows the first row, which
        is then one line.
        """
        row = at + 1
        is_told = any(line[:1] == "[" and HEADER.search(line) for line in self._lines[first:at])
        if row + 1 >= last or not self._lines[row]:
            return row
        if not self._lines[row + 1]:
            return row + 2
        return row + 1 if is_told else row

    def _paragraph(self, region: _Region, first: int, at: int) -> int:
        """Text, an item of a list, or code."""
        end = at + 1
        is_item = ITEM.match(self._lines[at])
        while end < region.end and self._goes_on(region, end, bool(is_item)):
            end += 1
        is_code = INDENTED.match(self._lines[at]) or self._is_verbatim(first, at)
        if is_code and not is_item:
            self._add(
                region, first, end, "fence", at if at > first else 0, self._language(first, at)
            )
        else:
            self._add(region, first, end, "item" if is_item else "paragraph")
        return end

    def _goes_on(self, region: _Region, at: int, is_item: bool) -> bool:
        """Whether a line is one more of the paragraph before it."""
        line = self._lines[at]
        if not line or (is_item and ITEM.match(line)):
            return False
        return not (line.startswith("[") and ATTRIBUTES.fullmatch(line)) and not self._last(
            region, at
        )

    def _add(
        self, region: _Region, at: int, end: int, kind: str, body: int = 0, info: str = ""
    ) -> None:
        """A block of whole lines, without blank ones at its end; `body` is the line with which its
        content begins."""
        while not self._lines[end - 1]:
            end -= 1
        self.found.add(region.depth, at, end, kind, body, info)


def _places(lines: Sequence[str]) -> dict[str, list[int]]:
    """Lines that may close a block, by what they say."""
    places: dict[str, list[int]] = {}
    for at, line in enumerate(lines):
        if _marks(line) == line != "":
            places.setdefault(line, []).append(at)
    return places


def _marks(line: str) -> str:
    """The marks of a line that may open a block; "" of any other."""
    found = DELIMITER.match(line)
    if not found or (found.end() < len(line) and found["info"] is None):
        return ""
    return found["marks"]


def _rows(lines: Sequence[str], first: int, end: int, mark: str) -> Iterator[int]:
    """Where the rows of a table begin: under blank lines if there are any, else at every line that
    begins with the mark of a cell."""
    inked = [line for line in range(first, end) if lines[line]]
    by_blank = any(below - line > 1 for line, below in pairwise(inked))
    for line in inked:
        if line == inked[0] or (
            not lines[line - 1] if by_blank else mark != "|" or lines[line].startswith(mark)
        ):
            yield line


def _has_word(title: str) -> bool:
    return any(mark.isalnum() or mark >= "\x80" for mark in title) and title[0] != "."


def _plain(title: str) -> str:
    """A title without its inline markup, on one line."""
    title = ANCHOR.sub("", title)
    if len(title) <= LONGEST_TITLE:
        title = REFERENCE.sub(lambda found: found["text"] or found["label"], title)
        for _ in "12":  # one kind of markup inside another
            title = MARKED.sub(lambda found: found["inside"] or found["shown"], title)
    return " ".join(title.split())
