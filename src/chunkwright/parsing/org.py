"""Org to blocks: headlines to sections, and what else stays together.

The rules are those of the Org Syntax specification, which are told by whole lines. orgparse, which
is well kept, tells lines only and knows no blocks; tree-sitter's grammar takes time that grows with
the square of the input, and cannot be stopped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import NamedTuple

from chunkwright.characters import WHITE_SPACE
from chunkwright.parsing.headings import MAX_DEPTH
from chunkwright.parsing.line_blocks import LONGEST_TITLE, TAB, LineBlocks
from chunkwright.types import Document, Parsed

PARSER = "org"

HEADLINE = re.compile(r"(?P<stars>\*+) (?P<title>.*)")
KEYWORDS = re.compile(r"(?i)[ \t]*#\+(?:seq_|typ_)?todo:(?P<words>.*)")
DEFAULT_KEYWORDS = frozenset({"DONE", "TODO"})
PRIORITY = re.compile(r"\[#[0-9A-Za-z]+\]")
COMMENT = "COMMENT"
TAGS = re.compile(r":(?:[0-9A-Za-z_@#%\x80-\U0010ffff]+:)+")

LINK = re.compile(r"\[\[([^\[\]]+)\](?:\[([^\[\]]+)\])?\]")
EMPHASIS = re.compile(
    r"(?<![^\s\-'\"({])(?P<mark>[*/_=~+])(?P<shown>\S|\S.*?\S)(?P=mark)(?![^\s\-.,;:!?'\")}\\\[])"
)

OPENING = re.compile(
    r"(?i)[ \t]*(?:#\+begin_(?P<block>\S+)(?P<info>.*)|#\+begin:|:(?P<drawer>[^\s:]+):$)"
)
CLOSING = re.compile(r"(?i)[ \t]*(?:#\+end_(?P<block>\S+)|#\+end:?|:end:)$")
KINDS = {"comment": "comment", "example": "fence", "export": "html", "src": "fence"}
"""Blocks that hold no others -> kinds of block."""
CODE = "fence"

AFFILIATED = re.compile(
    r"(?i)[ \t]*#\+(?:attr_\S+?|caption|headers?|name|plot|results)(?:\[.*\])?:"
)
KEYWORD = re.compile(r"[ \t]*#(?:\+\S|[ \t]|$)")
FIXED_WIDTH = re.compile(r"[ \t]*:(?:[ \t]|$)")
TABLE = re.compile(r"[ \t]*\|")
RULE = re.compile(r"[ \t]*\|-")
FORMULA = re.compile(r"(?i)[ \t]*#\+tblfm:")
ITEM = re.compile(r"(?:[ \t]*(?:[-+]|[0-9]+[.)])|[ \t]+\*)(?:[ \t]|$)")


def parse(document: Document) -> Parsed:
    """The sections and blocks of an Org document. Raises nothing."""
    scanner = _Scanner(document.text)
    scanner.read()
    return scanner.found.parsed(document, PARSER)


class _Region(NamedTuple):
    """Lines of one section, or of what is inside a block."""

    first: int
    end: int
    depth: int


class _Scanner:
    """Goes through the lines of a text once for every block that is around them."""

    def __init__(self, text: str) -> None:
        self.found = LineBlocks(text)
        raw = self.found.raw
        self._headlines = {
            at: found for at, line in enumerate(raw) if (found := HEADLINE.match(line))
        }
        self._lines = [line.rstrip(WHITE_SPACE) for line in raw]
        self._indents = [_indentation(line) for line in self._lines]
        self._keywords = _keywords(self._lines)
        self._closings = self._closing_lines()
        self._waiting: list[_Region] = []

    def read(self) -> None:
        """Find every headline, and every block between two of them."""
        first = 0
        for at, found in self._headlines.items():
            self._waiting.append(_Region(first, at, 0))
            first = at + 1
            title = _title(found["title"], self._keywords)
            self.found.add_heading(at, first, len(found["stars"]), title)
        self._waiting.append(_Region(first, len(self._lines), 0))
        while self._waiting:
            self._scan(self._waiting.pop())

    def _scan(self, region: _Region) -> None:
        at = region.first
        while at < region.end:
            at = self._block(region, at) if self._lines[at] else at + 1

    def _block(self, region: _Region, at: int) -> int:
        """Read what begins at a line; gives the line after it."""
        first = at
        while at + 1 < region.end and AFFILIATED.match(self._lines[at]) and self._lines[at + 1]:
            at += 1
        for pattern, form in FORMS:
            found = pattern.match(self._lines[at])
            end = form(self, region, first, at, found) if found else 0
            if end:
                return end
        return self._paragraph(region, first, at)

    def _delimited(self, region: _Region, first: int, at: int, found: re.Match[str]) -> int:
        """A block or a drawer; 0 where it is not closed."""
        end = self._closings.get(at, region.end) + 1
        if end > region.end:
            return 0
        kind = "comment" if found["drawer"] else KINDS.get(_name(found), "quote")
        info = (found["info"] or "").strip() if kind == CODE else ""
        self._add(region, first, end, kind, at + 1 if kind == CODE else end, info)
        if kind == "quote":
            self._wait(_Region(at + 1, end - 1, region.depth + 1))
        return end

    def _table(self, region: _Region, first: int, at: int, _found: re.Match[str]) -> int:
        end = self._while(region, at, lambda line: bool(TABLE.match(line) or FORMULA.match(line)))
        rules = [line for line in range(at, end) if RULE.match(self._lines[line])]
        head = next((rule + 1 for rule in rules if rule > at), at + 1 if rules else at)
        self._add(region, first, end, "table", head if head > at else end)
        inner = region._replace(depth=region.depth + 1)
        plain = [line for line in range(head, end) if _is_row(self._lines[line])]
        for row, following in pairwise([*plain, end]):
            self._add(inner, row, following, "row")
        return end

    def _fixed_width(self, region: _Region, first: int, at: int, _found: re.Match[str]) -> int:
        end = self._while(region, at, lambda line: bool(FIXED_WIDTH.match(line)))
        self._add(region, first, end, CODE)
        return end

    def _keyword(self, _region: _Region, _first: int, at: int, _found: re.Match[str]) -> int:
        return at + 1

    def _list(self, region: _Region, first: int, at: int, _found: re.Match[str]) -> int:
        """Items that begin in one column."""
        column = self._indents[at]
        items: list[tuple[int, int]] = []
        line = at
        while self._is_item(region, line, column):
            end = self._item_end(region, line + 1, column)
            items.append((line, end))
            is_blank = end < region.end and not self._lines[end]
            line = end + 1 if is_blank else end  # two blank lines end a list
        self._add(region, first, items[-1][1], "list")
        inner = region._replace(depth=region.depth + 1)
        for line, end in items:
            self._add(inner, line, end, "item")
            self._wait(_Region(line + 1, end, inner.depth + 1))
        return items[-1][1]

    def _is_item(self, region: _Region, at: int, column: int) -> bool:
        return (
            at < region.end
            and self._indents[at] == column
            and ITEM.match(self._lines[at]) is not None
        )

    def _item_end(self, region: _Region, at: int, column: int) -> int:
        """The line after an item: it ends before a line that is not indented further than its
        marker, but not inside a block, and before two blank lines."""
        last = at
        while at < region.end and at - last < 2:
            closing = self._closings.get(at, region.end)
            if self._lines[at] and self._indents[at] <= column:
                break
            at = closing + 1 if closing < region.end else at + 1
            last = at if self._lines[at - 1] else last
        return last

    def _paragraph(self, region: _Region, first: int, at: int) -> int:
        end = at + 1
        while end < region.end and self._lines[end] and not self._begins(end):
            end += 1
        self._add(region, first, end, "paragraph")
        return end

    def _begins(self, at: int) -> bool:
        """Whether a line ends the paragraph before it."""
        line = self._lines[at]
        return at in self._closings or any(form.match(line) for form in (TABLE, ITEM, FIXED_WIDTH))

    def _while(self, region: _Region, at: int, belongs: Callable[[str], bool]) -> int:
        while at < region.end and belongs(self._lines[at]):
            at += 1
        return at

    def _closing_lines(self) -> dict[int, int]:
        """Lines that open a block -> the line that closes it, in the same section."""
        closings: dict[int, int] = {}
        last: dict[str, int] = {}
        for at in range(len(self._lines) - 1, -1, -1):
            line = self._lines[at]
            if at in self._headlines:
                last.clear()
            elif ":" not in line and "#" not in line:
                continue
            elif found := CLOSING.match(line):
                last[_name(found)] = at
            elif (found := OPENING.match(line)) and _name(found) in last:
                closings[at] = last[_name(found)]
        return closings

    def _wait(self, region: _Region) -> None:
        if region.depth < MAX_DEPTH:
            self._waiting.append(region)

    def _add(
        self, region: _Region, at: int, end: int, kind: str, body: int = 0, info: str = ""
    ) -> None:
        """A block of whole lines; `body` is the line with which its content begins."""
        self.found.add(region.depth, at, end, kind, body, info)


Form = Callable[[_Scanner, _Region, int, int, re.Match[str]], int]

FORMS: tuple[tuple[re.Pattern[str], Form], ...] = (
    (OPENING, _Scanner._delimited),
    (TABLE, _Scanner._table),
    (FIXED_WIDTH, _Scanner._fixed_width),
    (ITEM, _Scanner._list),
    (KEYWORD, _Scanner._keyword),
)
"""How the first line of what is no paragraph begins, and what reads it, in the order of trial."""


def _indentation(line: str) -> int:
    """Columns of white space before a line's first mark."""
    blank = line[: len(line) - len(line.lstrip(" \t"))]
    return len(blank.expandtabs(TAB))


def _name(found: re.Match[str]) -> str:
    """What an opening line and its closing line share."""
    block = found["block"]
    return block.lower() if block else "#" if "#" in found[0] else ":"


def _is_row(line: str) -> bool:
    return bool(TABLE.match(line)) and not RULE.match(line)


def _keywords(lines: Iterable[str]) -> frozenset[str]:
    """The words that may stand before a title: those the document names, else Org's own."""
    named = (found["words"] for line in lines if "#+" in line and (found := KEYWORDS.match(line)))
    words = {word.partition("(")[0] for line in named for word in line.split()}
    return frozenset(words - {"|", ""}) or DEFAULT_KEYWORDS


def _title(text: str, keywords: frozenset[str]) -> str:
    """A headline's title without keyword, priority, tags and inline markup, on one line."""
    words = text.split()
    if words and words[0] in keywords:
        del words[0]
    if words and PRIORITY.fullmatch(words[0]):
        del words[0]
    if words and words[0] == COMMENT:
        del words[0]
    if words and TAGS.fullmatch(words[-1]):
        del words[-1]
    title = " ".join(words)
    if len(title) > LONGEST_TITLE:
        return title
    title = LINK.sub(lambda link: link[2] or link[1], title)
    return EMPHASIS.sub(lambda marked: marked["shown"], title)
