"""The one place that makes `Chunk`s: from where they lie and what a format says of them to every
field they have. Where they lie is decided elsewhere.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from chunkwright.characters import Lines, line_numbers
from chunkwright.chunking.layouts import OVER_CAP, Span
from chunkwright.measuring import Ruler
from chunkwright.measuring.exact import Characters
from chunkwright.types import (
    EXTRA_VIEWS,
    SYMBOL_KINDS,
    Block,
    Chunk,
    Chunking,
    Diagnostic,
    Document,
    OutlineItem,
    Parsed,
    Symbol,
)

SEGMENT = "segment"

SAMPLED = 16
"""Code points, spread evenly over a text, that tell it from most others sooner than all would."""


OF_SYMBOLS: Final = frozenset(SYMBOL_KINDS)


class Draft(msgspec.Struct, gc=False):
    """A chunk to be: where it lies and what the format says of it. `assemble` adds the rest."""

    start: int
    end: int
    kind: str
    overlap: int = 0
    boundary: str = ""
    name: str = ""
    symbol_kind: str = ""
    breadcrumb: tuple[str, ...] = ()
    depth: int = 0
    part: int = 0
    parts: int = 1
    carry: str = ""
    carry_after: str = ""
    links: tuple[tuple[str, str], ...] = ()
    cell: int | None = None
    prefix: bool = True
    language: str = ""
    """Where it is another than the document's."""


def assemble(
    document: Document,
    parsed: Parsed,
    drafts: Sequence[Draft],
    ruler: Ruler,
    lines: Lines,
    *,
    outline: tuple[OutlineItem, ...] = (),
) -> Chunking:
    """Make the `Chunking` of a document from its drafts, in the order they are given."""
    symbols, listed = _symbols_of(parsed, lines)
    maker = _ChunkMaker(document, parsed, ruler, lines, symbols)
    chunks = [maker.make(index, draft) for index, draft in enumerate(drafts)]
    return _chunking(document, parsed, chunks, outline or listed)


def assemble_segments(
    document: Document,
    parsed: Parsed,
    spans: Iterable[Span],
    ruler: Ruler,
    *,
    limit: int | None = None,
) -> Chunking:
    """Make the `Chunking` of a document of which nothing is known but where its segments lie.

    Segments after the first `limit` are left out, and that is said. Each costs as few calls as can
    be: this is where long texts spend their time.
    """
    spans = iter(spans)
    limit = None if limit is None else min(limit, sys.maxsize)
    kept, sizes = _measured(islice(spans, limit), ruler)
    truncated = limit is not None and next(spans, None) is not None
    if parsed.blocks:
        drafts = [
            Draft(span.start, span.end, SEGMENT, span.overlap, span.boundary) for span in kept
        ]
        chunking = assemble(document, parsed, drafts, ruler, Lines(parsed.text))
    else:
        chunking = _chunking(document, parsed, _segments(document, parsed, kept, sizes))
    return _truncated(chunking) if truncated else chunking


def empty(document: Document, parsed: Parsed) -> Chunking:
    """The `Chunking` of a document in which there is nothing to cut."""
    return _chunking(document, parsed, (), _symbols_of(parsed, Lines(parsed.text))[1])


def _chunking(
    document: Document,
    parsed: Parsed,
    chunks: Sequence[Chunk],
    outline: tuple[OutlineItem, ...] = (),
) -> Chunking:
    return Chunking(
        chunks=tuple(chunks),
        path=document.path,
        text=parsed.text,
        language=parsed.language,
        parser=parsed.parser,
        covered=len(parsed.text),
        excluded=parsed.excluded,
        frontmatter=parsed.frontmatter,
        outline=outline,
        diagnostics=(*parsed.diagnostics, *_over_cap(chunks)),
    )


def _over_cap(chunks: Iterable[Chunk]) -> list[Diagnostic]:
    """A diagnostic for every chunk that is one code point over the cap."""
    return [
        Diagnostic("warning", OVER_CAP, "one code point is over `size`", chunk.start_line)
        for chunk in chunks
        if chunk.boundary == OVER_CAP
    ]


def _truncated(chunking: Chunking) -> Chunking:
    last = chunking[-1]
    said = f"text is left over after {len(chunking)} chunks, the most that `max_chunks` allows"
    diagnostic = Diagnostic("warning", "truncated", said, last.end_line)
    return replace(
        chunking,
        truncated=True,
        covered=last.end,
        diagnostics=(*chunking.diagnostics, diagnostic),
    )


def _measured(spans: Iterable[Span], ruler: Ruler) -> tuple[list[Span], list[int]]:
    """The spans and how much each counts, asked while the ruler still remembers."""
    if isinstance(ruler.measure, Characters):
        kept = list(spans)
        return kept, [span.end - span.start for span in kept]
    kept, sizes = [], []
    for span in spans:
        kept.append(span)
        sizes.append(span.size if span.size >= 0 else ruler.count(span.start, span.end))
    return kept, sizes


def _segments(
    document: Document, parsed: Parsed, spans: Sequence[Span], sizes: Sequence[int]
) -> list[Chunk]:
    text, path, language, commit = parsed.text, document.path, parsed.language, document.commit
    starts, ends = [span.start for span in spans], [span.end for span in spans]
    first_lines, last_lines = line_numbers(text, starts, ends)
    chunks: list[Chunk] = []
    samples: set[str] = set()
    # One row after the other, as a text that was just made is at hand in the processor's cache.
    for index, (start, end, first, last, span, size) in enumerate(
        zip(starts, ends, first_lines, last_lines, spans, sizes, strict=True)
    ):
        piece = text[start:end]
        samples.add(piece[:: (end - start) // SAMPLED + 1])
        # What is left out is the default: a keyword costs as much as a field.
        chunk = Chunk(
            piece,
            start,
            end,
            first,
            last,
            path,
            language,
            commit,
            SEGMENT,
            index=index,
            size=size,
            overlap=span.overlap,
            boundary=span.boundary,
        )
        chunks.append(chunk)
    if len(samples) < len(chunks):
        chunks = _numbered(chunks)
    facts = _facts(document, parsed)
    return [replace(chunk, **facts) for chunk in chunks] if facts else chunks


def _facts(document: Document, parsed: Parsed) -> dict[str, Any]:
    """What else is true of every chunk of a document, where it is not the default."""
    facts = {
        "is_attachment": bool(document.attachment_path),
        "attachment_path": document.attachment_path,
        "is_test": parsed.is_test,
        "doc_kind": parsed.doc_kind,
        "entry": document.summary,
    }
    return {name: value for name, value in facts.items() if value}


def _numbered(chunks: Sequence[Chunk]) -> list[Chunk]:
    """The same chunks, each with how many before it have its text."""
    seen: Counter[str] = Counter()
    numbered = []
    for chunk in chunks:
        number = seen[chunk.text]
        seen[chunk.text] += 1
        numbered.append(replace(chunk, occurrence=number) if number else chunk)
    return numbered


class _ChunkMaker:
    """Fills in what place, document and neighbours say about each draft."""

    def __init__(
        self,
        document: Document,
        parsed: Parsed,
        ruler: Ruler,
        lines: Lines,
        symbols: list[Symbol],
    ) -> None:
        self._text: str = parsed.text
        self._path: str = document.path
        self._language: str = parsed.language
        self._commit: str = document.commit
        self._entry: str = document.summary
        self._attachment_path: str = document.attachment_path
        self._is_test: bool = parsed.is_test
        self._doc_kind: str = parsed.doc_kind
        self._ruler = ruler
        self._lines = lines
        self._symbols = symbols
        self._seen: dict[tuple[str, str], int] = {}
        self._cells = {b.cell: b.start for b in parsed.blocks if b.cell is not None}
        self._next_symbol = 0

    def make(self, index: int, draft: Draft) -> Chunk:
        start: int = draft.start
        end: int = draft.end
        kind: str = draft.kind
        overlap: int = draft.overlap
        cell: int | None = draft.cell
        text = self._text[start:end]
        before = self._first_line(cell)
        # A keyword costs as much as a field.
        return Chunk(
            text,
            start,
            end,
            self._lines.number(start) - before,
            self._lines.number(end - 1) - before,
            self._path,
            draft.language or self._language,
            self._commit,
            kind,
            draft.name,
            draft.symbol_kind,
            self._symbols_in(kind, start + overlap, end),
            draft.breadcrumb,
            draft.depth,
            EXTRA_VIEWS.get(kind, 0),
            index,
            draft.part,
            draft.parts,
            self._count(kind, text),
            "",
            self._ruler.count(start, end),
            overlap,
            False,
            bool(self._attachment_path),
            self._attachment_path,
            self._is_test,
            self._doc_kind,
            cell,
            draft.carry,
            draft.carry_after,
            self._entry,
            draft.links,
            draft.prefix,
            draft.boundary,
        )

    def _first_line(self, cell: int | None) -> int:
        """Lines before the notebook cell, so that its own count from 1; 0 elsewhere."""
        if cell is None:
            return 0
        return self._lines.number(self._cells[cell]) - 1 if cell in self._cells else 0

    def _symbols_in(self, kind: str, fresh: int, end: int) -> tuple[Symbol, ...]:
        """Symbols whose first code point is new in this chunk (an overlap repeats none)."""
        if not self._symbols:
            return ()
        if kind in EXTRA_VIEWS:
            return tuple([symbol for symbol in self._symbols if fresh <= symbol.start < end])
        first = at = self._next_symbol
        while at < len(self._symbols) and self._symbols[at].start < end:
            at += 1
        self._next_symbol = at
        return tuple(self._symbols[first:at])

    def _count(self, kind: str, text: str) -> int:
        seen = self._seen.get((kind, text), 0)
        self._seen[kind, text] = seen + 1
        return seen


def _symbols_of(parsed: Parsed, lines: Lines) -> tuple[list[Symbol], tuple[OutlineItem, ...]]:
    """The symbols among the blocks of a parsed document, and the same as outline items."""
    blocks = [block for block in parsed.blocks if block.kind in OF_SYMBOLS]
    first_lines, last_lines = _lines_of(blocks, lines)
    symbols: list[Symbol] = []
    outline: list[OutlineItem] = []
    for block, first, last in zip(blocks, first_lines, last_lines, strict=True):
        name, kind = block.name, block.kind
        symbols.append(
            Symbol(name, kind, block.start, block.end, first, last, block.signature, block.doc)
        )
        outline.append(OutlineItem(block.depth, name, first, "", kind))
    return symbols, tuple(outline)


def _lines_of(blocks: Sequence[Block], lines: Lines) -> tuple[list[int], list[int]]:
    """The lines on which nested blocks begin and end, asked from the first to the last: to go
    back for what stands in a class costs another look at it."""
    first_lines: list[int] = []
    last_lines: list[int] = [0] * len(blocks)
    ends: list[int] = []
    around: list[int] = []
    for number, block in enumerate(blocks):
        start: int = block.start
        while around and ends[around[-1]] <= start:
            ended = around.pop()
            last_lines[ended] = lines.number(ends[ended] - 1)
        first_lines.append(lines.number(start))
        ends.append(max(block.end, start + 1))
        around.append(number)
    while around:
        ended = around.pop()
        last_lines[ended] = lines.number(ends[ended] - 1)
    return first_lines, last_lines
