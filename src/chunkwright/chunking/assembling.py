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
    symbols = symbols_of(parsed, lines)
    maker = _ChunkMaker(document, parsed, ruler, lines, symbols)
    chunks = [maker.make(index, draft) for index, draft in enumerate(drafts)]
    return _chunking(document, parsed, chunks, outline or _outline(parsed, symbols))


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
    symbols = symbols_of(parsed, Lines(parsed.text))
    return _chunking(document, parsed, (), _outline(parsed, symbols))


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
        symbols: Sequence[Symbol],
    ) -> None:
        self._document = document
        self._parsed = parsed
        self._ruler = ruler
        self._lines = lines
        self._symbols = symbols
        self._seen: dict[tuple[str, str], int] = {}
        self._facts = _facts(document, parsed)
        self._cells = {b.cell: b.start for b in parsed.blocks if b.cell is not None}
        self._next_symbol = 0

    def make(self, index: int, draft: Draft) -> Chunk:
        document, parsed = self._document, self._parsed
        text = parsed.text[draft.start : draft.end]
        first_line = self._first_line(draft.cell)
        chunk = Chunk(
            text,
            draft.start,
            draft.end,
            self._lines.number(draft.start) - first_line,
            self._lines.number(draft.end - 1) - first_line,
            document.path,
            draft.language or parsed.language,
            document.commit,
            draft.kind,
            draft.name,
            draft.symbol_kind,
            self._symbols_in(draft),
            draft.breadcrumb,
            draft.depth,
            EXTRA_VIEWS.get(draft.kind, 0),
            index,
            draft.part,
            draft.parts,
            self._count(draft.kind, text),
            size=self._ruler.count(draft.start, draft.end),
            overlap=draft.overlap,
            cell=draft.cell,
            carry=draft.carry,
            carry_after=draft.carry_after,
            links=draft.links,
            prefix=draft.prefix,
            boundary=draft.boundary,
        )
        return replace(chunk, **self._facts) if self._facts else chunk

    def _first_line(self, cell: int | None) -> int:
        """Lines before the notebook cell, so that its own count from 1; 0 elsewhere."""
        return self._lines.number(self._cells[cell]) - 1 if cell in self._cells else 0

    def _symbols_in(self, draft: Draft) -> tuple[Symbol, ...]:
        """Symbols whose first code point is new in this chunk (an overlap repeats none)."""
        if not self._symbols:
            return ()
        fresh = draft.start + draft.overlap
        if draft.kind in EXTRA_VIEWS:
            return tuple(s for s in self._symbols if fresh <= s.start < draft.end)
        found = []
        while self._next_symbol < len(self._symbols):
            symbol = self._symbols[self._next_symbol]
            if symbol.start >= draft.end:
                break
            self._next_symbol += 1
            found.append(symbol)
        return tuple(found)

    def _count(self, kind: str, text: str) -> int:
        seen = self._seen.get((kind, text), 0)
        self._seen[kind, text] = seen + 1
        return seen


def symbols_of(parsed: Parsed, lines: Lines) -> list[Symbol]:
    """The symbols among the blocks of a parsed document."""
    symbols: list[Symbol] = []
    for block in parsed.blocks:
        kind = block.kind
        if kind in OF_SYMBOLS:
            start: int = block.start
            end: int = block.end
            first = lines.number(start)
            last = lines.number(max(start, end - 1))
            symbols.append(
                Symbol(block.name, kind, start, end, first, last, block.signature, block.doc)
            )
    return symbols


def _outline(parsed: Parsed, symbols: Sequence[Symbol]) -> tuple[OutlineItem, ...]:
    """The symbols of a parsed document as outline items."""
    depths = [block.depth for block in parsed.blocks if block.kind in OF_SYMBOLS]
    return tuple(
        OutlineItem(depth, symbol.name, symbol.start_line, "", symbol.kind)
        for depth, symbol in zip(depths, symbols, strict=True)
    )
