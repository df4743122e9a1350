"""reStructuredText to blocks: titles to sections, and what else stays together. How a table is
made up is `rst_tables`'; what a title says, `rst_titles`'.

The rules are those of the reStructuredText Markup Specification, told apart in the order in which
docutils tells them. docutils itself would run what a document asks for and tells lines only;
tree-sitter's grammar takes time that grows with the square of the input, and cannot be stopped.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from chunkwright.characters import WHITE_SPACE
from chunkwright.parsing.headings import MAX_DEPTH
from chunkwright.parsing.line_blocks import TAB, LineBlocks
from chunkwright.parsing.rst_tables import rows, table_at
from chunkwright.parsing.rst_titles import SHORT, plain, reaches
from chunkwright.types import Document, Parsed

PARSER = "rst"

BULLET = re.compile(r"[-+*\u2022\u2023\u2043](?: +|$)")
ENUMERATOR = re.compile(
    r"(?P<open>\()?(?P<number>[0-9]{1,9}|[a-z]|[A-Z]|[ivxlcdm]+|[IVXLCDM]+|#)"
    r"(?P<close>(?(open)\)|[.)]))(?: +|$)"
)
ROMAN = re.compile(r"(?i)M{0,4}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
FIELD = re.compile(r":(?![: ])(?:[^:\\]|\\.|:(?![ `]|$))*(?<! ):(?: +|$)")
DOCTEST = re.compile(r">>>(?: +|$)")
LINE_BLOCK = re.compile(r"\|(?: +|$)")
EXPLICIT = re.compile(r"(?:\.\.|__)(?: +|$)")
ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*$")

LABEL = re.compile(r"\.\. _(?:`[^`]*`|[^`:\\]|\\.|:(?!$))+:$")
"""An internal target: it belongs to the title it stands before."""
TARGET = re.compile(r"__|\.\. _")
NOTE = re.compile(r"\.\. +\[[^\]]+\](?: |$)")
DIRECTIVE = re.compile(r"\.\. +(?P<name>\S+?) ?::(?: +(?P<arguments>.*)|$)")

CODE_DIRECTIVES = frozenset(
    {"code", "code-block", "doctest", "ipython", "parsed-literal", "prompt", "sourcecode"}
    | {"testcode", "testoutput"}
)
OPAQUE_DIRECTIVES = {"csv-table": "quote", "math": "math", "raw": "html"}
"""Directives whose content is not reStructuredText -> kinds of block."""

LITERAL_FOLLOWS = re.compile(r"(?<!\\)(?:\\\\)*::$")
PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"


def parse(document: Document) -> Parsed:
    """The sections and blocks of a reStructuredText document. Raises nothing."""
    scanner = _Scanner(document.text)
    scanner.read()
    return scanner.found.parsed(document, PARSER)


class _Region(NamedTuple):
    """Lines whose content begins at one column: a document, or what is inside a block."""

    first: int
    end: int
    margin: int
    """Where the content begins; on the first line a marker may stand before it."""
    depth: int

    @property
    def has_titles(self) -> bool:
        return self.depth == 0


class _Scanner:
    """Goes through the lines of a text once for every block that is around them."""

    def __init__(self, text: str) -> None:
        self.found = LineBlocks(text)
        raw = self.found.raw
        self._lines = [_spaced(line) for line in raw]
        self._indents = [len(line) - len(line.lstrip(" ")) for line in self._lines]
        self._levels: dict[tuple[str, bool], int] = {}
        self._label = -1
        """The first of the labels right before the line that is read; -1 without one."""
        self._waiting = [_Region(0, len(raw), 0, 0)]

    def read(self) -> None:
        """Find every heading and every block."""
        while self._waiting:
            region = self._waiting.pop()
            at = region.first
            while at < region.end:
                at = self._step(region, at) if self._lines[at] else at + 1

    def _step(self, region: _Region, at: int) -> int:
        """Read what begins at a line; gives the line after it."""
        end = self._block(region, at)
        if not LABEL.match(self._lines[at], region.margin) or end > at + 1:
            self._label = -1
        elif self._label < 0:
            self._label = at
        return end

    def _block(self, region: _Region, at: int) -> int:
        if self._indents[at] > region.margin:
            return self._quote(region, at)
        for pattern, form in FORMS:
            found = pattern.match(self._lines[at], region.margin)
            end = form(self, region, at, found) if found else 0
            if end:
                return end
        return self._table(region, at) or self._text(region, at)

    def _quote(self, region: _Region, at: int) -> int:
        end = self._indented(region, at, region.margin + 1)
        self._add(region, at, end, "quote")
        self._inside(region, at, end)
        return end

    def _bullets(self, region: _Region, at: int, found: re.Match[str]) -> int:
        def content(line: int) -> int:
            again = BULLET.match(self._lines[line], region.margin)
            return _content(region, again) if again and again[0][0] == found[0][0] else 0

        return self._list(region, at, content)

    def _enumerated(self, region: _Region, at: int, found: re.Match[str]) -> int:
        def content(line: int) -> int:
            item = found.re.match(self._lines[line], region.margin)
            following = self._below(region, line)[region.margin :].rstrip()
            return _content(region, item) if item and _is_item(item, following) else 0

        return self._list(region, at, content)

    def _fields(self, region: _Region, at: int, found: re.Match[str]) -> int:
        def content(line: int) -> int:
            again = found.re.match(self._lines[line], region.margin)
            return region.margin + 1 if again else 0

        return self._list(region, at, content)

    def _list(self, region: _Region, at: int, content: Callable[[int], int]) -> int:
        """Items, as long as `content` tells the column in which the content of one begins.

        What is behind the marker is not looked at where that is the column after the margin.
        """
        items: list[tuple[int, int, int]] = []
        while at < region.end and self._indents[at] <= region.margin and (column := content(at)):
            end = self._indented(region, at + 1, column)
            items.append((at, end, column))
            at = self._next(region, end)
        if not items:
            return 0
        self._add(region, items[0][0], items[-1][1], "list")
        inner = region._replace(depth=region.depth + 1)
        for first, end, column in items:
            self._add(inner, first, end, "item")
            if column > region.margin + 1:
                self._wait(_Region(first, end, column, inner.depth + 1))
            else:
                self._inside(inner, first + 1, end)
        return items[-1][1]

    def _doctest(self, region: _Region, at: int, _found: re.Match[str]) -> int:
        end = at
        while end < region.end and self._lines[end]:
            end += 1
        self._add(region, at, end, "fence")
        return end

    def _line_block(self, region: _Region, at: int, found: re.Match[str]) -> int:
        end = at
        while end < region.end and (
            found.re.match(self._lines[end], region.margin) or self._indents[end] > region.margin
        ):
            end += 1
        self._add(region, at, end, "quote")
        return end

    def _explicit(self, region: _Region, at: int, found: re.Match[str]) -> int:
        """A directive, a footnote, a comment; a target, which a blank line ends."""
        line, margin = self._lines[at], region.margin
        if found.end() == len(line) and not self._below(region, at):
            return at + 1
        end = self._indented(region, at + 1, margin + 1)
        directive = DIRECTIVE.match(line, margin)
        if TARGET.match(line, margin):
            end = next((below for below in range(at, end) if not self._lines[below]), end)
        elif NOTE.match(line, margin):
            self._add(region, at, end, "definition")
            self._inside(region, at + 1, end)
        elif directive:
            self._directive(region, at, end, directive)
        else:
            self._add(region, at, end, "comment")
        return end

    def _directive(self, region: _Region, at: int, end: int, found: re.Match[str]) -> None:
        name, arguments = found["name"], found["arguments"] or ""
        if name in CODE_DIRECTIVES:
            body = self._content_line(at, end, bool(arguments))
            self._add(region, at, end, "fence", body, arguments)
            return
        self._add(region, at, end, OPAQUE_DIRECTIVES.get(name, "quote"))
        if name not in OPAQUE_DIRECTIVES:
            self._inside(region, at + 1, end)

    def _content_line(self, at: int, end: int, has_arguments: bool) -> int:
        """The line with which the content of a directive begins: under a blank line, unless there
        is nothing for it to set apart."""
        line = at + 1
        if has_arguments or (line < end and self._lines[line].lstrip().startswith(":")):
            while line < end and self._lines[line]:
                line += 1
        while line < end and not self._lines[line]:
            line += 1
        return line

    def _adorned(self, region: _Region, at: int, _found: re.Match[str]) -> int:
        """A line of one mark: over a title, between paragraphs, or text."""
        length = len(self._lines[at]) - region.margin
        if not region.has_titles:
            return 0 if length < SHORT else at + 1
        title, under = self._below(region, at), self._below(region, at + 1)
        is_title = bool(title) and not ADORNMENT.match(title) and under == self._lines[at]
        if is_title and reaches(under, title):
            return self._title(at, at + 1, at + 2)
        if length < SHORT:
            return 0
        # As in docutils, what is no title takes the lines that might have been one with it.
        lines = 1 if not title else 2 if ADORNMENT.match(title) else 3
        return min(at + lines, region.end)

    def _table(self, region: _Region, at: int) -> int:
        table = table_at(self._lines, at, region.end, region.margin)
        if not table:
            return 0
        self._add(region, at, table.end, "table", table.head)
        inner = region._replace(depth=region.depth + 1)
        for first, end in rows(self._lines, table, region.margin):
            self._add(inner, first, end, "row")
        return table.end

    def _text(self, region: _Region, at: int) -> int:
        """A title, a term with its definition, or a paragraph."""
        title, under = self._lines[at], self._below(region, at)
        if under[region.margin :].startswith(" "):
            end = self._indented(region, at + 1, region.margin + 1)
            self._add(region, at, end, "definition")
            self._inside(region, at + 1, end)
            return end
        if region.has_titles and ADORNMENT.match(under) and reaches(under, title):
            return self._title(at, at, at + 1)
        return self._paragraph(region, at)

    def _title(self, first: int, title: int, under: int) -> int:
        style = (self._lines[under][0], first < title)
        level = self._levels.setdefault(style, len(self._levels) + 1)
        begin = first if self._label < 0 else self._label
        self.found.add_heading(begin, under + 1, level, plain(self._lines[title]))
        return under + 1

    def _paragraph(self, region: _Region, at: int) -> int:
        end = at + 1
        while end < region.end and self._lines[end] and self._indents[end] <= region.margin:
            end += 1
        self._add(region, at, end, "paragraph")
        literal = LITERAL_FOLLOWS.search(self._lines[end - 1])
        return self._literal(region, self._next(region, end)) if literal else end

    def _literal(self, region: _Region, at: int) -> int:
        """The lines after a paragraph with `::` at its end: indented, or each with one mark."""
        end = at
        if at < region.end and self._indents[at] > region.margin:
            end = self._indented(region, at, region.margin + 1)
        elif at < region.end and self._lines[at][region.margin] in PUNCTUATION:
            mark = self._lines[at][region.margin]
            while end < region.end and self._lines[end].startswith(mark, region.margin):
                end += 1
        if end > at:
            self._add(region, at, end, "fence")
        return end

    def _below(self, region: _Region, at: int) -> str:
        return self._lines[at + 1] if at + 1 < region.end else ""

    def _next(self, region: _Region, at: int) -> int:
        """The first line from here on that is not blank."""
        while at < region.end and not self._lines[at]:
            at += 1
        return at

    def _indented(self, region: _Region, at: int, column: int) -> int:
        """The line after those indented this far; blank ones at their end are not theirs."""
        while at < region.end and (not self._lines[at] or self._indents[at] >= column):
            at += 1
        while not self._lines[at - 1]:
            at -= 1
        return at

    def _inside(self, region: _Region, first: int, end: int) -> None:
        """Read these lines later, as what is inside a block of the region."""
        indents = [self._indents[line] for line in range(first, end) if self._lines[line]]
        if indents:
            self._wait(_Region(first, end, min(indents), region.depth + 1))

    def _wait(self, region: _Region) -> None:
        if region.depth < MAX_DEPTH:
            self._waiting.append(region)

    def _add(
        self, region: _Region, at: int, end: int, kind: str, body: int = 0, info: str = ""
    ) -> None:
        """A block of whole lines; `body` is the line with which its content begins."""
        self.found.add(region.depth, at, end, kind, body, info)


Form = Callable[[_Scanner, _Region, int, re.Match[str]], int]

FORMS: tuple[tuple[re.Pattern[str], Form], ...] = (
    (BULLET, _Scanner._bullets),
    (ENUMERATOR, _Scanner._enumerated),
    (FIELD, _Scanner._fields),
    (DOCTEST, _Scanner._doctest),
    (LINE_BLOCK, _Scanner._line_block),
    (EXPLICIT, _Scanner._explicit),
    (ADORNMENT, _Scanner._adorned),
)
"""How the first line of a block that is neither text nor a table begins, and what reads it, in the
order of trial. What gives 0 found that it is text after all."""


def _spaced(line: str) -> str:
    """A line without white space at its end, with spaces for other white space at its start."""
    line = line.rstrip(WHITE_SPACE)
    if "\t" in line or "\v" in line or "\f" in line:
        return line.replace("\v", " ").replace("\f", " ").expandtabs(TAB)
    return line


def _content(region: _Region, marker: re.Match[str]) -> int:
    """The column of an item's content; that after the margin where its marker stands alone."""
    return marker.end() if marker.end() < len(marker.string) else region.margin + 1


def _is_item(item: re.Match[str], following: str) -> bool:
    """Whether an enumerator begins an item: where neither a blank line nor an indented one follows,
    nor the next item, both lines are text."""
    number, first, last = item["number"], item["open"] or "", item["close"]
    is_roman = number in ("i", "I") or (len(number) > 1 and number.isalpha())
    if is_roman and not ROMAN.fullmatch(number):
        return False
    if following[:1] in ("", " ") or following.startswith(f"{first}#{last} "):
        return True
    after = ENUMERATOR.match(following)
    if not after or (after["open"] or "", after["close"]) != (first, last):
        return False
    if is_roman:
        return ROMAN.fullmatch(after["number"]) is not None
    return after["number"] == _successor(number)


def _successor(number: str) -> str:
    return str(int(number) + 1) if number.isdecimal() else chr(ord(number) + 1)
