"""pyromark's events as raw blocks: what stands where, in code points, and what headings say. What
blocks become of them is `markdown`'s.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from re import compile as compile_plain
from typing import Any, Final

import msgspec
import pyromark
from pyromark import Options

from chunkwright.parsing.headings import MAX_DEPTH
from chunkwright.parsing.positions import in_code_points

OPTIONS = (
    Options.ENABLE_TABLES
    | Options.ENABLE_FOOTNOTES
    | Options.ENABLE_STRIKETHROUGH
    | Options.ENABLE_TASKLISTS
    | Options.ENABLE_MATH
)

BLOCKS: Final = {
    "BlockQuote": "quote",
    "CodeBlock": "fence",
    "FootnoteDefinition": "definition",
    "Heading": "paragraph",
    "HtmlBlock": "html",
    "Item": "item",
    "List": "list",
    "Paragraph": "paragraph",
    "Table": "table",
    "TableHead": "",
    "TableRow": "row",
}
"""pyromark's tags of blocks -> ours; a heading in a container is a paragraph."""

CONTAINERS: Final = frozenset({"BlockQuote", "FootnoteDefinition", "Item", "List"})

TITLE_FORMS: Final = {
    "Code": "{}",
    "DisplayMath": "$${}$$",
    "HardBreak": " ",
    "InlineMath": "${}$",
    "SoftBreak": " ",
    "Text": "{}",
}
"""Inline events that show in a heading's plain text, and how; markup and HTML do not."""

LONE_CARRIAGE_RETURN: Final = compile_plain(r"\r(?!\n)")

NOT_SPACES: Final = "\v\f"
"""pyromark takes these two for spaces, CommonMark does not: `#` and a form feed is no heading."""

NO_SPACE: Final = "\x1f"

CLOSED_AFTER_TAB: Final = compile_plain(r"\t#+[ \t\r\n]*\Z")
CLOSING: Final = compile_plain(r"(?:^| )#+$")

LONGEST_TITLE: Final = 500
"""Code points of a heading that its title is made of: it is repeated with every chunk."""

FORMULA_MARK: Final = "$$"


class Raw(msgspec.Struct, gc=False):
    """A block as pyromark gives it: in bytes at first, then in code points of the document."""

    start: int
    end: int
    kind: str
    level: int
    """Of a heading; of anything else, how many containers it is in."""
    title: str = ""
    info: str = ""
    head: int = 0
    """Where the header row of a table ends."""


def read(text: str, short: int) -> tuple[str, list[Raw]]:
    """`text` as pyromark is given it, every offset kept, and its blocks in the order they open.

    Of text between two headings that is at most `short` bytes long, no blocks are told.
    """
    body = _for_pyromark(text)
    raws = _Reader(body, short).read()
    _place_in_code_points(raws, body)
    _mend_titles(raws, body)
    return body, raws


def _for_pyromark(text: str) -> str:
    """`text` with what pyromark reads otherwise than CommonMark replaced, every offset kept.

    It takes a lone carriage return for a part of a fence's info string.
    """
    body = LONE_CARRIAGE_RETURN.sub("\n", text) if "\r" in text else text
    for mark in NOT_SPACES:
        body = body.replace(mark, NO_SPACE)
    return body


class _Reader:
    """Collects the blocks of a text without lone carriage returns, in bytes of that text."""

    def __init__(self, body: str, short: int) -> None:
        self._body = body
        self._short = short
        self._raws: list[Raw] = []
        self._told = 0
        """Number of blocks up to the last heading, itself included."""
        self._reached = 0
        """Where that begins."""
        self._container_ends: list[int] = []
        self._heading: Raw | None = None
        self._title: list[str] = []
        self._room = LONGEST_TITLE

    def read(self) -> list[Raw]:
        """Every block, in the order they open."""
        has_formulas = "$" in self._body and FORMULA_MARK in self._body
        events: Iterator[tuple[Any, dict[str, int]]]
        events = pyromark.events_with_range(self._body, options=OPTIONS)  # type: ignore[assignment]  # ranges are dicts
        for event, span in events:
            # Most events are inline, and outside headings they say nothing: be done with them.
            tag = event.get("Start") if isinstance(event, dict) else None
            if tag is not None:
                name = tag if isinstance(tag, str) else next(iter(tag))
                if name in BLOCKS:
                    self._open(name, tag, span["start"], span["end"])
            elif self._heading is not None:
                self._in_heading(event)
            elif has_formulas and isinstance(event, dict) and "DisplayMath" in event:
                self._formula(span["start"], span["end"])
        return self._raws

    def _open(self, name: str, tag: Any, first: int, last: int) -> None:
        ends = self._container_ends
        while ends and ends[-1] <= first:
            ends.pop()
        depth = len(ends)
        if name in CONTAINERS:
            ends.append(last)
        if depth > MAX_DEPTH:
            return
        if name == "TableHead":
            self._raws[-1].head = last
        elif name == "Heading" and not depth:
            if first - self._reached <= self._short:
                del self._raws[self._told :]
            level = int(tag[name]["level"][1:])
            self._heading = Raw(first, last, "heading", level)
            self._raws.append(self._heading)
            self._told, self._reached = len(self._raws), first
        elif name == "CodeBlock":
            fence = tag[name]
            info = "" if isinstance(fence, str) else fence["Fenced"]
            kind = "indented" if isinstance(fence, str) else "fence"
            self._raws.append(Raw(first, last, kind, depth, "", info))
        else:
            self._raws.append(Raw(first, last, BLOCKS[name], depth))

    def _in_heading(self, event: Any) -> None:
        kind, value = (event, "") if isinstance(event, str) else next(iter(event.items()))
        if kind in TITLE_FORMS and self._room > 0:
            shown = TITLE_FORMS[kind].format(value)[: self._room]
            self._title.append(shown)
            self._room -= len(shown)
        elif kind == "End" and isinstance(value, dict) and "Heading" in value and self._heading:
            self._heading.title = " ".join("".join(self._title).split())
            self._heading = None
            self._title = []
            self._room = LONGEST_TITLE

    def _formula(self, first: int, last: int) -> None:
        """A paragraph that is one formula, give or take its line end, is a `math` block."""
        raw = self._raws[-1] if self._raws else None
        if raw and raw.kind == "paragraph" and raw.start == first and raw.end - last <= 2:
            raw.kind = "math"


def _place_in_code_points(raws: Sequence[Raw], body: str) -> None:
    """The one conversion from bytes of `body` to code points of it."""
    if body.isascii():
        return
    offsets = [raw.start for raw in raws]
    offsets += [raw.end for raw in raws]
    tables = [raw for raw in raws if raw.head]
    offsets += [raw.head for raw in tables]
    places = iter(in_code_points(body.encode(), offsets))
    for raw in raws:
        raw.start = next(places)
    for raw in raws:
        raw.end = next(places)
    for raw in tables:
        raw.head = next(places)


def _mend_titles(raws: Sequence[Raw], body: str) -> None:
    """A heading's closing `#` after a tab is no part of its title, though pyromark takes it so."""
    if "\t" not in body:
        return
    for raw in raws:
        is_closed = raw.kind == "heading" and body.find("\t#", raw.start, raw.end) >= 0
        if is_closed and CLOSED_AFTER_TAB.search(body, raw.start, raw.end):
            raw.title = CLOSING.sub("", raw.title)
