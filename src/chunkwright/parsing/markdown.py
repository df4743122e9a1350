"""Markdown to blocks: front matter set apart, then pyromark's events made into sections,
paragraphs, lists, quotes, tables, fences, HTML. Where to cut is not decided here.

CommonMark with tables, footnotes, task lists, strikethrough and math. Definition lists are found
among finished paragraphs: the parser's own extension turns some setext headings of CommonMark
into something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from re import compile as compile_plain
from typing import Any, Final

import msgspec
import pyromark
from pyromark import Options

from chunkwright.characters import WHITE_SPACE, is_whitespace_only
from chunkwright.languages import UNKNOWN
from chunkwright.parsing import frontmatter
from chunkwright.parsing.base import language_name, start
from chunkwright.parsing.frontmatter import BYTE_ORDER_MARK, FrontMatter
from chunkwright.parsing.headings import Heading, sections
from chunkwright.parsing.positions import in_code_points
from chunkwright.types import Block, Diagnostic, Document, Excluded, Parsed

PARSER = "pyromark"
LANGUAGE = "markdown"
"""The language of a document that does not say another."""

OPTIONS = (
    Options.ENABLE_TABLES
    | Options.ENABLE_FOOTNOTES
    | Options.ENABLE_STRIKETHROUGH
    | Options.ENABLE_TASKLISTS
    | Options.ENABLE_MATH
)

MAX_DEPTH = 32
"""Containers nested deeper stay inside the block around them: a cutter gains nothing from more,
and a line of 200,000 quote markers would be as many blocks."""

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

_WHITE: Final = frozenset(WHITE_SPACE)

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

TERM_AND_DEFINITION: Final = compile_plain(r"[^\r\n]+(?:\r\n|\n|\r) {0,3}:[ \t]")
DEFINITION: Final = compile_plain(r" {0,3}:[ \t]")
CLOSED_AFTER_TAB: Final = compile_plain(r"\t#+[ \t\r\n]*\Z")
CLOSING: Final = compile_plain(r"(?:^| )#+$")


FOOTNOTE: Final = compile_plain(r"[ \t]*\[(\^[^\]\s]+)\]:")

LONGEST_NOTE: Final = 300
"""Code points of a footnote that are embedded where it is referred to."""

LONGEST_TITLE: Final = 500
"""Code points of a heading that its title is made of: it is repeated with every chunk."""

ATTRIBUTES: Final = compile_plain(r"(?:^| )\{:? ?(?:#([\w:.-]+)|\.[\w-]+)(?: [^{}]*)?\}$")
"""What may follow a title in braces, by many dialects: `{#anchor}`, `{#anchor .class}`, `{.class}`.
"""

FORMULA_MARK: Final = "$$"


class _Raw(msgspec.Struct, gc=False):
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


def parse(document: Document, *, front_matter: bool = True, short: int = 0) -> Parsed:
    """The blocks of a Markdown document, its front matter and its reference definitions.

    Of text between two headings that is at most `short` bytes long, no blocks are told.

    Without `front_matter`, for a text that is a part of another, none is looked for. Raises
    nothing: any text is Markdown. Front matter that is closed but cannot be read is one `html`
    block, and the diagnostic `frontmatter_invalid`.
    """
    text = document.text
    front = frontmatter.find(text) if front_matter else None
    first = front.end if front else len(text) - len(text.removeprefix(BYTE_ORDER_MARK))
    body = _for_pyromark(text[first:])
    raws = _Reader(body, short).read()
    _place_in_code_points(raws, body)
    _mend_titles(raws, body)
    read = front is not None and front.values is not None
    blocks = (*_opaque(text, front), *_Placer(body, first).blocks(raws))
    return start(
        document,
        PARSER,
        language=language_of(document),
        blocks=blocks,
        excluded=(Excluded(0, first, "front_matter"),) if read else (),
        frontmatter=front.values if front else None,
        links=(*_links(body, text[first:]), *_notes(text, blocks)),
        diagnostics=tuple(_complaints(front)),
    )


def language_of(document: Document) -> str:
    """What the document says it is written in, else Markdown."""
    language = language_name(document)
    return LANGUAGE if language == UNKNOWN else language


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
        self._raws: list[_Raw] = []
        self._told = 0
        """Number of blocks up to the last heading, itself included."""
        self._reached = 0
        """Where that begins."""
        self._container_ends: list[int] = []
        self._heading: _Raw | None = None
        self._title: list[str] = []
        self._room = LONGEST_TITLE

    def read(self) -> list[_Raw]:
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
            self._heading = _Raw(first, last, "heading", level)
            self._raws.append(self._heading)
            self._told, self._reached = len(self._raws), first
        elif name == "CodeBlock":
            fence = tag[name]
            info = "" if isinstance(fence, str) else fence["Fenced"]
            kind = "indented" if isinstance(fence, str) else "fence"
            self._raws.append(_Raw(first, last, kind, depth, "", info))
        else:
            self._raws.append(_Raw(first, last, BLOCKS[name], depth))

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


def _place_in_code_points(raws: Sequence[_Raw], body: str) -> None:
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


def _mend_titles(raws: Sequence[_Raw], body: str) -> None:
    """A heading's closing `#` after a tab is no part of its title, though pyromark takes it so."""
    if "\t" not in body:
        return
    for raw in raws:
        is_closed = raw.kind == "heading" and body.find("\t#", raw.start, raw.end) >= 0
        if is_closed and CLOSED_AFTER_TAB.search(body, raw.start, raw.end):
            raw.title = CLOSING.sub("", raw.title)


class _Placer:
    """Turns raw blocks, in code points of `body`, into blocks of the text it is the end of, which
    start and end where lines do."""

    def __init__(self, body: str, first: int) -> None:
        self._body = body
        self._first = first

    def blocks(self, raws: Sequence[_Raw]) -> list[Block]:
        """Every block, sorted and nested."""
        for raw in raws:
            self._set_edges(raw)
        headings = [self._heading(raw) for raw in raws if raw.kind == "heading"]
        found = sections(headings, self._first + len(self._body))
        blocks = [
            next(found) if raw.kind == "heading" else self._leaf(raw)
            for raw in raws
            if raw.start < raw.end
        ]
        extra = [*self._definition_lists(raws), *self._formulas(raws)]
        if extra:
            blocks = sorted([*extra, *blocks], key=lambda block: (block.start, -block.end))
        return blocks

    def _heading(self, raw: _Raw) -> Heading:
        body = self._first + self._after(raw.end - 1)
        given = ATTRIBUTES.search(raw.title) if raw.title.endswith("}") else None
        title = raw.title[: given.start()] if given else raw.title
        anchor = given[1] or "" if given else ""
        return Heading(self._first + raw.start, body, raw.level, title, anchor)

    def _leaf(self, raw: _Raw) -> Block:
        first, kind = self._first, raw.kind
        body = 0
        if kind in ("fence", "table"):
            body = first + min(self._after(raw.head), raw.end)
        elif kind == "indented":
            kind = "fence"
        start, end = first + raw.start, first + raw.end
        return Block(start, end, raw.level, kind, "", body, "", "", raw.info)

    def _definition_lists(self, raws: Sequence[_Raw]) -> Iterator[Block]:
        """A term and its definitions: paragraphs that follow one another with `: ` in front."""
        group: tuple[_Raw, _Raw] | None = None
        for before, raw in pairwise([None, *raws, None]):
            if raw and before and self._defines(before, raw):
                group = (group[0] if group else before, raw)
                continue
            if group:
                yield self._around(*group, "definition")
            group = (raw, raw) if raw and self._is_term_with_definition(raw) else None

    def _defines(self, term: _Raw, raw: _Raw) -> bool:
        """Whether a paragraph is a definition of the term before it, or one more."""
        return (
            raw.kind == term.kind == "paragraph"
            and raw.level == term.level
            and self._body[raw.start] in " :"
            and DEFINITION.match(self._body, raw.start) is not None
            and is_whitespace_only(self._body[term.end : raw.start])
        )

    def _is_term_with_definition(self, raw: _Raw) -> bool:
        """Whether the second line of a paragraph defines the first."""
        if raw.kind != "paragraph":
            return False
        end = self._body.find("\n", raw.start, raw.end)
        if end < 0 or self._body[end + 1] not in " :":
            return False
        return TERM_AND_DEFINITION.match(self._body, raw.start) is not None

    def _formulas(self, raws: Sequence[_Raw]) -> Iterator[Block]:
        """Formulas with blank lines in them, which the parser takes for paragraphs: from a block
        that begins with an open `$$` to the one that closes it."""
        if "$" not in self._body or FORMULA_MARK not in self._body:
            return
        opening: _Raw | None = None
        for raw in raws:
            is_odd = self._body.count(FORMULA_MARK, raw.start, raw.end) % 2 == 1
            if raw.kind == "heading":
                opening = None
            elif raw.kind == "paragraph" and is_odd and opening:
                if raw.level == opening.level:
                    yield self._around(opening, raw, "math")
                opening = None
            elif raw.kind == "paragraph" and is_odd:
                opens = self._body.startswith(FORMULA_MARK, raw.start)
                opening = raw if opens else None

    def _around(self, first: _Raw, last: _Raw, kind: str) -> Block:
        return Block(self._first + first.start, self._first + last.end, first.level, kind)

    def _set_edges(self, raw: _Raw) -> None:
        """Start at the line's start where only indentation is before; end at the last mark."""
        body, first, last = self._body, raw.start, raw.end
        if raw.kind == "fence":
            raw.head = first
        while last > first and body[last - 1] in _WHITE:
            last -= 1
        raw.end = last
        line = body.rfind("\n", 0, first) + 1
        if line < first < last and not body[line:first].strip(WHITE_SPACE):
            raw.start = line

    def _after(self, position: int) -> int:
        """Start of the line after the one that `position` lies on."""
        return self._body.find("\n", position) + 1 or len(self._body)


def _opaque(text: str, front: FrontMatter | None) -> Iterator[Block]:
    """Front matter that cannot be read: one block, no heading inside it."""
    if front and front.values is None:
        yield Block(0, len(text[: front.end].rstrip(WHITE_SPACE)), 0, "html")


def _complaints(front: FrontMatter | None) -> Iterator[Diagnostic]:
    if front and front.problem:
        message = f"the front matter is kept as text: {front.problem}"
        yield Diagnostic("warning", "frontmatter_invalid", message, 1)


def _links(body: str, text: str) -> tuple[tuple[str, str], ...]:
    """(label, definition line) of every reference definition; the first of a label counts.

    `text` is what `body` was made from, with the same offsets.
    """
    if "]:" not in body:
        return ()
    data = text.encode()
    return tuple(
        (label, data[found["span"]["start"] : found["span"]["end"]].decode().strip())
        for label, found in pyromark.reference_definitions(body, options=OPTIONS).items()
    )


def _notes(text: str, blocks: Iterable[Block]) -> Iterator[tuple[str, str]]:
    """(label, definition on one line) of every footnote, or the beginning of a long one; the first
    of a label counts."""
    found: dict[str, str] = {}
    for block in blocks:
        note = FOOTNOTE.match(text, block.start, block.end) if block.kind == "definition" else None
        if note:
            said = text[block.start : min(block.end, note.end() + LONGEST_NOTE)]
            found.setdefault(note[1], " ".join(said.split()))
    yield from found.items()
