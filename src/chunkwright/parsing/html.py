"""HTML to blocks: headings to sections, and elements that had better stay whole. What a tag is, is
the HTML standard's tokenization; of its tree, what a cutter needs. Where to cut is not decided
here.

There is no grammar behind it: tree-sitter's takes quadratic time on nested elements and gigabytes
on open comments, and loses headings without an end tag; other parsers that can be had do not tell
where in the source an element ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

from chunkwright.characters import INK, last_ink
from chunkwright.parsing.base import start
from chunkwright.parsing.headings import MAX_DEPTH, Heading, with_indentation, with_sections
from chunkwright.types import Block, Document, Parsed

PARSER = "html"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


LEVELS = {f"h{level}": level for level in range(1, 7)}

KINDS = {
    "blockquote": "quote",
    "dd": "item",
    "details": "html",
    "dl": "list",
    "dt": "item",
    "figure": "html",
    "li": "item",
    "math": "math",
    "ol": "list",
    "p": "paragraph",
    "pre": "fence",
    "script": "html",
    "style": "html",
    "svg": "html",
    "table": "table",
    "td": "item",
    "th": "item",
    "tr": "row",
    "ul": "list",
}
"""Elements that stay whole where they fit -> kinds of block; a `cell` is a notebook's."""

OPAQUE = frozenset({"math", "pre", "svg"})
"""Elements whose parts are no blocks."""

RAW_TEXT = _words("iframe noembed noframes script style textarea title xmp")
"""Elements in which nothing but their own end tag is a tag."""

OUTERMOST = frozenset({"body", "head", "html"})
"""Elements that no section begins with, though its heading is the first thing in them."""

VOID = _words("area base br col embed hr img input link meta source track wbr")
"""Elements that hold nothing and have no end tag."""

BLOCK_LEVEL = _words(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset "
    "figcaption figure footer form header hgroup hr html li main menu nav ol p pre search section "
    "summary table tbody td tfoot th thead tr ul"
)
"""Elements whose tags end a paragraph, a heading without an end tag, and a word of a title."""

TEMPLATE = "template"

SPACES = BLOCK_LEVEL | {"br"}
"""Elements that part words of a title."""

CELLS, ROWS, ITEMS, TERMS, TABLE = {"td", "th"}, {"tr"}, {"li"}, {"dd", "dt"}, {"table"}
ENDED_BY: dict[str, tuple[set[str], set[str]]] = {
    **dict.fromkeys(("tbody", "tfoot", "thead", "tr"), (ROWS, TABLE)),
    **dict.fromkeys(("td", "th"), (CELLS, ROWS | TABLE)),
    **dict.fromkeys(("dd", "dt"), (TERMS, {"dl"} | TABLE)),
    "li": (ITEMS, {"ol", "ul"} | TABLE),
}
"""Start tag -> the open elements that it ends, and those it does not look beyond: what stands for
the end tags that authors may leave out."""

LONGEST_TITLE = 2_000
"""Code points of a heading's source, tags apart, that its title is made of."""

PERMALINKS = frozenset({"#", "§", "¶", "🔗", "\u200b"})
"""What generators of documentation put into a link from a heading to itself."""

MARKUP = re.compile(r"<(?=[A-Za-z/!?])")
TAG = re.compile(
    r"""<(?P<closes>/?)(?P<name>[A-Za-z][^\s/>]*+)(?P<attributes>(?:[\s/]*+[^\s/>][^\s/>=]*+"""
    r"""(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|(?!["'])[^\s>]*+))?+)*+)(?P<ends>[\s/]*+)>""",
    re.ASCII,
)
COMMENT_END = re.compile(r"--!?>")
RAW_TEXT_END = {
    name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE | re.ASCII) for name in RAW_TEXT
}
ALTERNATIVE = re.compile(
    r"""[\s"']alt\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE | re.ASCII
)
REST_OF_LINE = re.compile(r"[ \t]*(?:\r\n|\n|\r)")


class _Token(NamedTuple):
    """A tag; without a name, a comment or something else that shows nowhere."""

    start: int
    end: int
    name: str = ""
    """In lower case."""
    closes: bool = False
    is_whole: bool = False
    """Whether no end tag belongs to it."""
    attributes: str = ""


def parse(document: Document) -> Parsed:
    """The sections and blocks of an HTML document. Raises nothing: any text is HTML."""
    reader = _Reader(document.text)
    reader.read()
    blocks = with_sections(reader.headings, reader.blocks, len(document.text))
    return start(document, PARSER, blocks=blocks)


def _tokens(text: str) -> Iterator[_Token]:
    """The markup of a text in order, the last one at its end. As in a browser, a comment, a tag or
    raw text without an end is all the rest."""
    position = 0
    while markup := MARKUP.search(text, position):
        tag = TAG.match(text, markup.start())
        token = _tag(tag) if tag else _Token(markup.start(), _end_of_other(text, markup.start()))
        yield token
        position = token.end
        if token.name in RAW_TEXT and not token.closes and not token.is_whole:
            ending = RAW_TEXT_END[token.name].search(text, position)
            if not ending:
                yield _Token(position, len(text))
                return
            position = ending.start()
    yield _Token(len(text), len(text))


def _tag(tag: re.Match[str]) -> _Token:
    name = tag["name"].lower()
    is_whole = name in VOID or tag["ends"].endswith("/")
    return _Token(*tag.span(), name, bool(tag["closes"]), is_whole, tag["attributes"])


def _end_of_other(text: str, first: int) -> int:
    """The end of a comment, a declaration or a tag that has none."""
    if text.startswith("<!--", first):
        if text.startswith((">", "->"), first + 4):
            return text.index(">", first) + 1
        ending = COMMENT_END.search(text, first + 4)
        return ending.end() if ending else len(text)
    letter = text[first + 2 : first + 3] if text.startswith("</", first) else text[first + 1]
    is_tag = letter.isascii() and letter.isalpha()
    return len(text) if is_tag else text.find(">", first) + 1 or len(text)


class _Title:
    """A heading whose end has not been reached."""

    def __init__(self, begin: int, level: int) -> None:
        self.begin = begin
        self.level = level
        self._parts: list[str] = []
        self._left = LONGEST_TITLE
        self._has_ink = False
        self._picture = ""
        self._limit: tuple[int, int] | None = None
        """Where it ends without an end tag, and how many parts it has by then."""

    def add_text(self, text: str) -> None:
        """Text as it stands in the source."""
        if self._left > 0:
            self._parts.append(unescape(text[: self._left]))
            self._left -= len(text)
            self._has_ink = self._has_ink or bool(text.strip())

    def add_tag(self, token: _Token) -> None:
        """A tag inside it."""
        if token.name in SPACES and self._left > 0:
            self._parts.append(" ")
        if token.name in BLOCK_LEVEL and self._has_ink and not self._limit:
            self._limit = token.start, len(self._parts)
        if token.name == "img" and not self._picture:
            alternative = ALTERNATIVE.search(token.attributes)
            self._picture = next(filter(None, alternative.groups()), "") if alternative else ""

    def ended(self, position: int, *, closed: bool) -> Heading:
        """The heading: up to `position`, or without an end tag to the first block in it."""
        end, count = position, len(self._parts)
        if self._limit and not closed:
            end, count = self._limit
        title = "".join(self._parts[:count])
        if not self._has_ink:
            title = unescape(self._picture[:LONGEST_TITLE])
        return Heading(self.begin, end, self.level, " ".join(title.split()))


class _Open(NamedTuple):
    """An element that becomes a block when its end is reached."""

    name: str
    start: int


class _Blocks:
    """Makes blocks of elements, from their tags."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._open: list[_Open] = []
        """From the outside in."""
        self._table_body = 0
        self.found: list[Block] = []

    def take_start(self, token: _Token) -> None:
        """A start tag: ends what cannot hold its element, and begins a block."""
        if token.name in BLOCK_LEVEL or token.name in LEVELS:
            self._end_paragraph(token.start)
        if token.name in ENDED_BY:
            self._end_nearest(*ENDED_BY[token.name], token.start, token.start)
        if token.name not in KINDS or token.is_whole or len(self._open) >= MAX_DEPTH:
            return
        if not self._open or self._open[-1].name not in OPAQUE:
            self._open.append(_Open(token.name, token.start))

    def take_end(self, token: _Token) -> None:
        """An end tag: ends its element and what is open inside, but nothing outside a table."""
        if token.name == "thead":
            self._take_table_head(token)
        if token.name in KINDS:
            self._end_nearest({token.name}, TABLE, token.start, token.end)
        elif token.name in BLOCK_LEVEL:
            self._end_paragraph(token.start)

    def end_all(self, position: int) -> None:
        """The end of the text."""
        while self._open:
            self._end_last(position)

    def _end_paragraph(self, position: int) -> None:
        if self._open and self._open[-1].name == "p":
            self._end_last(position)

    def _end_nearest(self, names: set[str], around: set[str], inside: int, end: int) -> None:
        """End the innermost element of these names at `end`, what is open in it at `inside`."""
        for element in reversed(self._open):
            if element.name in names:
                while self._open[-1] is not element:
                    self._end_last(inside)
                self._end_last(end)
                return
            if element.name in around:
                return

    def _end_last(self, position: int) -> None:
        name, first = self._open.pop()
        end = (last_ink(self._text, first, position) or first) + 1
        body = 0
        if name == "table" and not self._tables():
            body, self._table_body = self._table_body, 0
        body = body if body < end else 0
        self.found.append(Block(first, end, len(self._open), KINDS[name], body=body))

    def _take_table_head(self, token: _Token) -> None:
        """The head of a table that is in no other can be carried, if its line ends with it."""
        line = REST_OF_LINE.match(self._text, token.end)
        if line and self._tables() == 1:
            self._table_body = line.end()

    def _tables(self) -> int:
        return sum(element.name == "table" for element in self._open)


class _Reader:
    """Collects headings and blocks of a text, in one pass over its tags."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._blocks = _Blocks(text)
        self._title: _Title | None = None
        self._templates = 0
        """How many are open: what is in one is shown only when a script takes it out."""
        self._reached = 0
        """The end of the last tag."""
        self._outer: int | None = None
        """Start of the outermost element of which nothing has been seen but start tags."""
        self.headings: list[Heading] = []

    @property
    def blocks(self) -> list[Block]:
        return self._blocks.found

    def read(self) -> None:
        """Everything, once."""
        for token in _tokens(self._text):
            adjoins = INK.search(self._text, self._reached, token.start) is None
            if not adjoins:
                self._outer = None
            if self._title:
                self._title.add_text(self._shown_before(token))
            if token.closes:
                self._take_end(token, adjoins)
            elif token.name:
                self._take_start(token)
            self._reached = token.end
        self._end_title(len(self._text))
        self._blocks.end_all(len(self._text))

    def _shown_before(self, token: _Token) -> str:
        """The text since the last tag, as far as a heading shows it."""
        text = self._text[self._reached : token.start]
        is_hidden = token.closes and (
            token.name in RAW_TEXT or (token.name == "a" and text.strip() in PERMALINKS)
        )
        return "" if is_hidden else text

    def _take_start(self, token: _Token) -> None:
        self._blocks.take_start(token)
        self._templates += token.name == TEMPLATE and not token.is_whole
        if token.name in LEVELS and not self._templates:
            self._begin_title(token)
        elif self._title:
            self._title.add_tag(token)
        elif token.is_whole or token.name in OUTERMOST:
            self._outer = None
        elif self._outer is None:
            self._outer = token.start

    def _take_end(self, token: _Token, adjoins: bool) -> None:
        self._blocks.take_end(token)
        self._outer = None
        self._templates -= token.name == TEMPLATE and self._templates > 0
        if token.name in LEVELS:
            self._end_title(token.end, closed=True)
        elif self._title:
            self._title.add_tag(token)
        elif adjoins and self.headings and self.headings[-1].body == self._reached:
            # The ends of what the heading stands in are nothing that stands under it.
            self.headings[-1] = self.headings[-1]._replace(body=token.end)

    def _begin_title(self, token: _Token) -> None:
        begin = token.start if self._outer is None else self._outer
        self._end_title(begin)
        self._outer = None
        self._title = _Title(with_indentation(self._text, begin), LEVELS[token.name])
        if token.is_whole:
            self._end_title(token.end, closed=True)

    def _end_title(self, position: int, *, closed: bool = False) -> None:
        if self._title:
            self.headings.append(self._title.ended(position, closed=closed))
            self._title = None
