"""Markdown to blocks: front matter set apart, then pyromark's events made into sections,
paragraphs, lists, quotes, tables, fences, HTML. Where to cut is not decided here.

CommonMark with tables, footnotes, task lists, strikethrough and math. Definition lists are found
among finished paragraphs: the parser's own extension turns some setext headings of CommonMark
into something else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from re import compile as compile_plain
from typing import Any, NamedTuple

import pyromark
from pyromark import Options

from chunkwright.characters import WHITE_SPACE, Lines, is_whitespace_only
from chunkwright.languages import UNKNOWN
from chunkwright.parsing import frontmatter
from chunkwright.parsing.base import language_name, start
from chunkwright.parsing.frontmatter import BYTE_ORDER_MARK, FrontMatter
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

KINDS = {
    "BlockQuote": "quote",
    "FootnoteDefinition": "definition",
    "HtmlBlock": "html",
    "Item": "item",
    "List": "list",
    "Paragraph": "paragraph",
    "Table": "table",
    "TableRow": "row",
}
"""pyromark's tags of plain blocks -> ours."""

CONTAINERS = frozenset({"BlockQuote", "FootnoteDefinition", "Item", "List"})

TITLE_FORMS = {
    "Code": "{}",
    "DisplayMath": "$${}$$",
    "HardBreak": " ",
    "InlineMath": "${}$",
    "SoftBreak": " ",
    "Text": "{}",
}
"""Inline events that show in a heading's plain text, and how; markup and HTML do not."""

LONE_CARRIAGE_RETURN = compile_plain(r"\r(?!\n)")

HEADING_WITH_TABS = compile_plain(r"(?m)^ {0,3}#[^\n]*\t[^\n]*")

NOT_SPACES = str.maketrans("\v\f", "\x1f\x1f")
"""pyromark takes these two for spaces, CommonMark does not: `#` and a form feed is no heading."""

CONTINUATION = bytes(range(0x80, 0xC0))
"""UTF-8 bytes that begin no code point."""

TERM_AND_DEFINITION = compile_plain(r"[^\r\n]+(?:\r\n|\n|\r) {0,3}:[ \t]")
DEFINITION = compile_plain(r" {0,3}:[ \t]")


class _Raw(NamedTuple):
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


def parse(document: Document, *, front_matter: bool = True) -> Parsed:
    """The blocks of a Markdown document, its front matter and its reference definitions.

    Without `front_matter`, for a text that is a part of another, none is looked for. Raises
    nothing: any text is Markdown. Front matter that is closed but cannot be read is one `html`
    block, and the diagnostic `frontmatter_invalid`.
    """
    text = document.text
    front = frontmatter.find(text) if front_matter else None
    first = front.end if front else len(text) - len(text.removeprefix(BYTE_ORDER_MARK))
    body = _for_pyromark(text[first:])
    raws = _in_code_points(_Reader(body).read(), body, first)
    read = front is not None and front.values is not None
    blocks = [*_opaque(text, front), *_Placer(text).blocks(raws)]
    return start(
        document,
        PARSER,
        language=language_of(document),
        blocks=tuple(sorted(blocks, key=lambda block: (block.start, -block.end))),
        excluded=(Excluded(0, first, "front_matter"),) if read else (),
        frontmatter=front.values if front else None,
        links=_links(body, text[first:]),
        diagnostics=tuple(_complaints(front)),
    )


def language_of(document: Document) -> str:
    """What the document says it is written in, else Markdown."""
    language = language_name(document)
    return LANGUAGE if language == UNKNOWN else language


def _for_pyromark(text: str) -> str:
    """`text` with what pyromark reads otherwise than CommonMark replaced, every offset kept.

    It takes a lone carriage return for a part of a fence's info string, and a heading's closing
    `#` after a tab for a part of its title.
    """
    body = LONE_CARRIAGE_RETURN.sub("\n", text).translate(NOT_SPACES)
    if "\t" in body:
        body = HEADING_WITH_TABS.sub(lambda line: line[0].replace("\t", " "), body)
    return body


class _Reader:
    """Collects the blocks of a text without lone carriage returns, in bytes of that text."""

    def __init__(self, body: str) -> None:
        self._body = body
        self._raws: list[_Raw] = []
        self._depth = 0
        self._title: list[str] | None = None

    def read(self) -> list[_Raw]:
        """Every block, in the order they open."""
        for event, span in pyromark.events_with_range(self._body, options=OPTIONS):
            if isinstance(event, str):
                self._inline(event, "")
                continue
            kind, value = next(iter(event.items()))
            if kind == "Start":
                self._open(value, span["start"], span["end"])
            elif kind == "End":
                self._close(value)
            else:
                self._inline(kind, value)
                if kind == "DisplayMath":
                    self._math(span["start"], span["end"])
        return self._raws

    def _open(self, tag: Any, first: int, last: int) -> None:
        name = tag if isinstance(tag, str) else next(iter(tag))
        raw = self._raw(name, tag, first, last)
        if raw and self._depth <= MAX_DEPTH:
            self._raws.append(raw)
        elif name == "TableHead" and self._depth <= MAX_DEPTH:
            self._raws[-1] = self._raws[-1]._replace(head=last)
        self._depth += name in CONTAINERS

    def _raw(self, name: str, tag: Any, first: int, last: int) -> _Raw | None:
        if name in KINDS:
            return _Raw(first, last, KINDS[name], self._depth)
        if name == "CodeBlock":
            fence = tag[name]
            if isinstance(fence, str):
                return _Raw(first, last, "indented", self._depth)
            return _Raw(first, last, "fence", self._depth, info=fence["Fenced"])
        if name == "Heading" and self._depth:
            return _Raw(first, last, "paragraph", self._depth)
        if name == "Heading":
            self._title = []
            return _Raw(first, last, "heading", int(tag[name]["level"][1:]))
        return None

    def _close(self, tag: Any) -> None:
        name = tag if isinstance(tag, str) else next(iter(tag))
        self._depth -= name in CONTAINERS
        if name == "Heading" and self._title is not None:
            title = " ".join("".join(self._title).split())
            self._raws[-1] = self._raws[-1]._replace(title=title)
            self._title = None

    def _inline(self, kind: str, value: Any) -> None:
        if self._title is not None and kind in TITLE_FORMS:
            self._title.append(TITLE_FORMS[kind].format(value))

    def _math(self, first: int, last: int) -> None:
        """A paragraph that is one formula, give or take its line end, is a `math` block."""
        raw = self._raws[-1] if self._raws else None
        if raw and raw.kind == "paragraph" and raw.start == first and raw.end - last <= 2:
            self._raws[-1] = raw._replace(kind="math")


def _in_code_points(raws: Sequence[_Raw], body: str, first: int) -> list[_Raw]:
    """The one conversion from bytes of `body` to code points of the text it begins at `first`."""
    data = body.encode()
    offsets = sorted({offset for raw in raws for offset in (raw.start, raw.end, raw.head)})
    places: dict[int, int] = {}
    last, count = 0, first
    for offset in offsets:
        count += _code_points(data[last:offset]) if len(data) > len(body) else offset - last
        places[offset] = count
        last = offset
    return [
        raw._replace(start=places[raw.start], end=places[raw.end], head=places[raw.head])
        for raw in raws
    ]


def _code_points(data: bytes) -> int:
    return len(data.translate(None, CONTINUATION))


class _Placer:
    """Turns raw blocks, in code points, into blocks that start and end where lines do."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = Lines(text)

    def blocks(self, raws: Sequence[_Raw]) -> Iterator[Block]:
        """Sections, then everything else."""
        headings = [raw for raw in raws if raw.kind == "heading"]
        yield from self._sections(headings)
        yield from self._definition_lists(raws)
        for raw in raws:
            first, last = self._edges(raw)
            if raw.kind != "heading" and first < last:
                yield self._leaf(raw, first, last)

    def _sections(self, headings: Sequence[_Raw]) -> Iterator[Block]:
        """Each from its heading to the next of the same or a higher level."""
        ends = [len(self._text)] * len(headings)
        open_sections: list[int] = []
        for at, heading in enumerate(headings):
            while open_sections and headings[open_sections[-1]].level >= heading.level:
                ends[open_sections.pop()] = self._edges(heading)[0]
            open_sections.append(at)
        for heading, end in zip(headings, ends, strict=True):
            first, last = self._edges(heading)
            yield Block(first, end, heading.level, "section", heading.title, self._after(last - 1))

    def _leaf(self, raw: _Raw, first: int, last: int) -> Block:
        heads = {"fence": raw.start, "table": raw.head}
        body = min(self._after(heads[raw.kind]), last) if raw.kind in heads else 0
        kind = "fence" if raw.kind == "indented" else raw.kind
        return Block(first, last, raw.level, kind, body=body, info=raw.info)

    def _definition_lists(self, raws: Sequence[_Raw]) -> Iterator[Block]:
        """A term and its definitions: paragraphs that follow one another with `: ` in front."""
        group: list[_Raw] = []
        for raw in (*raws, None):
            if raw and group and self._defines(group[-1], raw):
                group.append(raw)
                continue
            if len(group) > 1 or (group and TERM_AND_DEFINITION.match(self._text, group[0].start)):
                first, last = self._edges(group[0])[0], self._edges(group[-1])[1]
                yield Block(first, last, group[0].level, "definition")
            group = [raw] if raw and raw.kind == "paragraph" else []

    def _defines(self, term: _Raw, raw: _Raw) -> bool:
        return (
            raw.kind == "paragraph"
            and raw.level == term.level
            and DEFINITION.match(self._text, raw.start) is not None
            and is_whitespace_only(self._text[term.end : raw.start])
        )

    def _edges(self, raw: _Raw) -> tuple[int, int]:
        """Start at the line's start where only indentation is before; end at the last mark."""
        line = self._lines.start_of(raw.start)
        indentation = self._text[line : raw.start].lstrip(BYTE_ORDER_MARK)
        first = line if is_whitespace_only(indentation) else raw.start
        last = raw.start + len(self._text[raw.start : raw.end].rstrip(WHITE_SPACE))
        return first, last

    def _after(self, position: int) -> int:
        """Start of the line after the one that `position` lies on."""
        following = self._lines.next_start(position)
        return len(self._text) if following is None else following


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
