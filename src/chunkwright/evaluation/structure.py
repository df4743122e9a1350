"""What a document is made of, as far as a cut can harm it: symbols, sections, fences, tables, list
items, paragraphs. Asked of the parsers once a document, whatever number of chunkers is compared;
how they were cut is not looked at here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import msgspec

from chunkwright.characters import trim
from chunkwright.languages import CODE, TEXT, find
from chunkwright.parsing import parse
from chunkwright.types import SYMBOL_KINDS, Block, Document, Parsed

KINDS = ("symbols", "sections", "fences", "tables", "items", "paragraphs")
"""What can be kept whole, in the order in which it is told."""

_KIND_OF = {
    "fence": "fences",
    "table": "tables",
    "item": "items",
    "paragraph": "paragraphs",
    **dict.fromkeys(SYMBOL_KINDS, "symbols"),
}

_OF_LINES = frozenset({"fence", "table", "math", "html", "directive", "cell", "definition"})
"""Blocks of documents in which a line, not a sentence, is what should not be torn."""

_PARAGRAPH = re.compile(r"\S(?:.|\n(?![^\S\n]*\n)|\r(?!\n?[^\S\r\n]*[\r\n]))*")
"""A stretch without blank lines, of a text that no parser tells the paragraphs of."""


class Thing(msgspec.Struct, frozen=True, gc=False):
    """A stretch that is best kept whole; no white space at its edges."""

    kind: str
    """One of KINDS."""
    start: int
    end: int
    body: int = 0
    """Where its own content begins, behind an opening fence or a table's header; 0 without."""


class Structure(msgspec.Struct, frozen=True):
    """One document's things, in order; those of one kind may hold others of it."""

    text: str
    path: str
    things: tuple[Thing, ...]
    lined: tuple[tuple[int, int], ...]
    """Sorted stretches whose lines are their sentences: all of source code, fences, tables."""


def structure_of(document: Document) -> Structure:
    """What the parser for the document's language says of it.

    A section is a heading with the text up to the next heading, whatever its level: no chunker for
    documents joins more on purpose.
    """
    parsed = parse(document)
    row = find(parsed.language)
    is_code = row is not None and row.family in (CODE, TEXT)
    lined = [(0, len(parsed.text))] if is_code else _lined(parsed.blocks)
    things = sorted(_things(parsed, is_code), key=lambda thing: (thing.start, -thing.end))
    return Structure(parsed.text, document.path, tuple(things), tuple(lined))


def _lined(blocks: Iterable[Block]) -> list[tuple[int, int]]:
    """The outermost of them: they may lie in one another."""
    found: list[tuple[int, int]] = []
    for block in blocks:
        if block.kind in _OF_LINES and (not found or block.start >= found[-1][1]):
            found.append((block.start, block.end))
    return found


def _things(parsed: Parsed, is_code: bool) -> Iterator[Thing]:
    sections = [block for block in parsed.blocks if block.kind == "section"]
    for block, end in _own(sections, len(parsed.text)):
        yield from _thing(parsed.text, "sections", block.start, end)
    for block in parsed.blocks:
        if block.kind in _KIND_OF:
            kind = _KIND_OF[block.kind]
            yield from _thing(parsed.text, kind, block.start, block.end, block.body)
    if not parsed.blocks and not is_code:
        for match in _PARAGRAPH.finditer(parsed.text):
            yield from _thing(parsed.text, "paragraphs", *match.span())


def _own(sections: Sequence[Block], length: int) -> Iterator[tuple[Block, int]]:
    """Each section with the end of its own text."""
    for block, following in pairwise([*sections, Block(length, length)]):
        yield block, min(block.end, following.start)


def _thing(text: str, kind: str, start: int, end: int, body: int = 0) -> Iterator[Thing]:
    first, last = trim(text, start, end)
    if first < last:
        yield Thing(kind, first, last, body)
