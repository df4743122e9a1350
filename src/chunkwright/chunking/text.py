"""Long prose and memories: segments of one size with an overlap, at the best breaks there are.
Documents with a structure of their own are the other chunkers'.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from msgspec.structs import replace

from chunkwright.characters import Lines, is_whitespace_only
from chunkwright.chunking.base import (
    Chunker,
    Draft,
    assemble,
    over_cap,
    require,
    require_measure,
    require_size,
    require_whole_number,
    usable_overlap,
)
from chunkwright.chunking.budgeting import room_in
from chunkwright.chunking.packing import Span, layout, pack
from chunkwright.measuring import MeasureLike, Ruler
from chunkwright.parsing.base import given, start
from chunkwright.types import Block, Chunking, Diagnostic, Document, Parsed

PARSER = "text"

BELOW_MIN_SIZE = Diagnostic(
    "info", "below_min_size", "the content is at or under `min_size`: min_size=0 cuts it anyway"
)
SIZE_NOT_POSITIVE = Diagnostic("warning", "truncated", "`size` is 0 or less: no chunks were made")


class TextChunker(Chunker, frozen=True, kw_only=True):
    """Cuts text into segments that overlap, each ending at the strongest break near its cap.

    Blocks given by the caller stay whole where they fit, and their edges are the best breaks.
    """

    size: int = 1200
    """In the unit of `measure`, as `overlap` and `min_size` are; 0 or less gives no chunks."""
    overlap: int = 200
    """At most; from 0, where it is negative, to half of `size`, where it is `size` or more."""
    min_size: int = 1200
    """Content of at most this gives no chunks: one vector of the whole serves it."""
    max_chunks: int | None = 64
    """What is left after so many is left out; None: no limit."""
    stable: bool = False
    """True: cuts depend on the text around them, so that an edit changes few chunks."""
    measure: MeasureLike = "chars"
    budget_includes_context: bool = False

    def __post_init__(self) -> None:
        for option in ("size", "overlap", "min_size"):
            require_whole_number(getattr(self, option), option)
        require_size(self.max_chunks, "max_chunks", optional=True)
        require(isinstance(self.stable, bool), "stable", self.stable, "True or False")
        require_measure(self.measure)

    def _cut(self, document: Document, blocks: Sequence[Block] | None) -> Chunking:
        parsed = start(document, PARSER) if blocks is None else given(document, blocks)
        ruler = Ruler(parsed.text, self.measure, max(self.size, 1))
        if self.size <= 0:
            return _nothing(document, parsed, ruler, SIZE_NOT_POSITIVE)
        if self._is_short(ruler):
            return _nothing(document, parsed, ruler, BELOW_MIN_SIZE)
        if self.budget_includes_context:
            ruler = ruler.capped(room_in(document, parsed, self.measure, self.size))
        return self._chunking(document, parsed, ruler)

    def _is_short(self, ruler: Ruler) -> bool:
        return self.min_size > 0 and ruler.fits(0, len(ruler.text), self.min_size)

    def _chunking(self, document: Document, parsed: Parsed, ruler: Ruler) -> Chunking:
        limit = self.max_chunks
        # One more than may become chunks tells whether text is left over.
        spans = list(islice(self._spans(parsed, ruler), None if limit is None else limit + 1))
        truncated = limit is not None and len(spans) > limit
        drafts = [
            Draft(span.start, span.end, "segment", span.overlap, span.boundary)
            for span in spans[:limit]
        ]
        lines = Lines(parsed.text)
        diagnostics = over_cap(drafts, lines)
        if truncated:
            diagnostics.append(_truncation(drafts, lines))
        return assemble(
            document,
            parsed,
            drafts,
            ruler,
            truncated=truncated,
            diagnostics=diagnostics,
            lines=lines,
        )

    def _spans(self, parsed: Parsed, ruler: Ruler) -> Iterator[Span]:
        return pack(
            ruler,
            0,
            len(parsed.text),
            overlap=usable_overlap(self.overlap, ruler.size),
            plan=layout(parsed.blocks, ruler),
            stable=self.stable,
        )


def _truncation(drafts: Sequence[Draft], lines: Lines) -> Diagnostic:
    message = f"text is left over after {len(drafts)} chunks, the most that `max_chunks` allows"
    return Diagnostic("warning", "truncated", message, lines.number(drafts[-1].end))


def _nothing(document: Document, parsed: Parsed, ruler: Ruler, why: Diagnostic) -> Chunking:
    """No chunks, and nothing said to be covered; `truncated` where that leaves text over."""
    empty = assemble(document, parsed, (), ruler)
    if is_whitespace_only(parsed.text) and why is not BELOW_MIN_SIZE:
        return empty
    truncated = why is SIZE_NOT_POSITIVE
    return replace(empty, covered=0, truncated=truncated, diagnostics=(*empty.diagnostics, why))
