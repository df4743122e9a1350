"""Markdown to blocks: front matter set apart, then raw blocks made into sections, paragraphs,
lists, quotes, tables, fences, HTML. How the parser's events are read is `markdown_events`'s, where
to cut is not decided here.

CommonMark with tables, footnotes, task lists, strikethrough and math. Definition lists are found
among finished paragraphs: the parser's own extension turns some setext headings of CommonMark
into something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from re import compile as compile_plain
from typing import Final

import pyromark

from chunkwright.characters import WHITE_SPACE, is_whitespace_only
from chunkwright.languages import UNKNOWN
from chunkwright.parsing import frontmatter
from chunkwright.parsing.base import language_name, start
from chunkwright.parsing.frontmatter import BYTE_ORDER_MARK, FrontMatter
from chunkwright.parsing.headings import Heading, sections
from chunkwright.parsing.markdown_events import FORMULA_MARK, OPTIONS, Raw, read
from chunkwright.types import Block, Diagnostic, Document, Excluded, Parsed

PARSER = "pyromark"
LANGUAGE = "markdown"
"""The language of a document that does not say another."""

_WHITE: Final = frozenset(WHITE_SPACE)

TERM_AND_DEFINITION: Final = compile_plain(r"[^\r\n]+(?:\r\n|\n|\r) {0,3}:[ \t]")
DEFINITION: Final = compile_plain(r" {0,3}:[ \t]")
FOOTNOTE: Final = compile_plain(r"[ \t]*\[(\^[^\]\s]+)\]:")

LONGEST_NOTE: Final = 300
"""Code points of a footnote that are embedded where it is referred to."""

ATTRIBUTES: Final = compile_plain(r"(?:^| )\{:? ?(?:#([\w:.-]+)|\.[\w-]+)(?: [^{}]*)?\}$")
"""What may follow a title in braces, by many dialects: `{#anchor}`, `{#anchor .class}`, `{.class}`.
"""


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
    body, raws = read(text[first:], short)
    is_read = front is not None and front.values is not None
    blocks = (*_opaque(text, front), *_Placer(body, first).blocks(raws))
    return start(
        document,
        PARSER,
        language=language_of(document),
        blocks=blocks,
        excluded=(Excluded(0, first, "front_matter"),) if is_read else (),
        frontmatter=front.values if front else None,
        links=(*_links(body, text[first:]), *_notes(text, blocks)),
        diagnostics=tuple(_complaints(front)),
    )


def language_of(document: Document) -> str:
    """What the document says it is written in, else Markdown."""
    language = language_name(document)
    return LANGUAGE if language == UNKNOWN else language


class _Placer:
    """Turns raw blocks, in code points of `body`, into blocks of the text it is the end of, which
    start and end where lines do."""

    def __init__(self, body: str, first: int) -> None:
        self._body = body
        self._first = first

    def blocks(self, raws: Sequence[Raw]) -> list[Block]:
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

    def _heading(self, raw: Raw) -> Heading:
        body = self._first + self._after(raw.end - 1)
        given = ATTRIBUTES.search(raw.title) if raw.title.endswith("}") else None
        title = raw.title[: given.start()] if given else raw.title
        anchor = given[1] or "" if given else ""
        return Heading(self._first + raw.start, body, raw.level, title, anchor)

    def _leaf(self, raw: Raw) -> Block:
        first, kind = self._first, raw.kind
        body = 0
        if kind in ("fence", "table"):
            body = first + min(self._after(raw.head), raw.end)
        elif kind == "indented":
            kind = "fence"
        start, end = first + raw.start, first + raw.end
        return Block(start, end, raw.level, kind, "", body, "", "", raw.info)

    def _definition_lists(self, raws: Sequence[Raw]) -> Iterator[Block]:
        """A term and its definitions: paragraphs that follow one another with `: ` in front."""
        group: tuple[Raw, Raw] | None = None
        for before, raw in pairwise([None, *raws, None]):
            if raw and before and self._defines(before, raw):
                group = (group[0] if group else before, raw)
                continue
            if group:
                yield self._around(*group, "definition")
            group = (raw, raw) if raw and self._is_term_with_definition(raw) else None

    def _defines(self, term: Raw, raw: Raw) -> bool:
        """Whether a paragraph is a definition of the term before it, or one more."""
        return (
            raw.kind == term.kind == "paragraph"
            and raw.level == term.level
            and self._body[raw.start] in " :"
            and DEFINITION.match(self._body, raw.start) is not None
            and is_whitespace_only(self._body[term.end : raw.start])
        )

    def _is_term_with_definition(self, raw: Raw) -> bool:
        """Whether the second line of a paragraph defines the first."""
        if raw.kind != "paragraph":
            return False
        end = self._body.find("\n", raw.start, raw.end)
        if end < 0 or self._body[end + 1] not in " :":
            return False
        return TERM_AND_DEFINITION.match(self._body, raw.start) is not None

    def _formulas(self, raws: Sequence[Raw]) -> Iterator[Block]:
        """Formulas with blank lines in them, which the parser takes for paragraphs: from a block
        that begins with an open `$$` to the one that closes it."""
        if "$" not in self._body or FORMULA_MARK not in self._body:
            return
        opening: Raw | None = None
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

    def _around(self, first: Raw, last: Raw, kind: str) -> Block:
        return Block(self._first + first.start, self._first + last.end, first.level, kind)

    def _set_edges(self, raw: Raw) -> None:
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
