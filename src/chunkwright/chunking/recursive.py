"""Splitting by a hierarchy of separators: the first that occurs splits, and a piece that is too
long goes on to the next. What one separator does is separators', exact cuts are packing's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from chunkwright.characters import trim
from chunkwright.chunking.assembling import assemble_segments
from chunkwright.chunking.base import (
    Chunker,
    require,
    require_measure,
    require_size,
    require_switch,
    require_whole_number,
    usable_overlap,
)
from chunkwright.chunking.budgeting import room_in
from chunkwright.chunking.packing import END, EXACT, OVER_CAP, PROSE, Span, pack
from chunkwright.chunking.separators import Piece, Splitting, separator
from chunkwright.chunking.window_cuts import CLUSTER
from chunkwright.measuring import MeasureLike, Ruler
from chunkwright.parsing.base import given, start
from chunkwright.types import Block, Chunking, Document

PARSER = "recursive"

SEPARATORS = ("\n\n", "\n", " ", "")


class RecursiveChunker(Chunker, frozen=True, kw_only=True):
    """Cuts text at the first separator that occurs in it, and recursively what is still too long.

    Guarantees: those of every chunker (verbatim, complete, within the cap, in order, through no
    cluster that fits); only white space is ever dropped, and the cap holds whatever the separators
    are. Time and memory are linear, and no depth is too deep.

    Algorithm: the first of `separators` that occurs in a stretch splits it. Pieces that count less
    than `size` are joined while they fit with what separates them; then a chunk is complete, and
    whole pieces from its end, up to `overlap`, begin the next where the next piece still fits. A
    longer piece ends the joining, and is split by the separators after that one. What none of them
    helps with is cut like prose, or exactly at the cap where "" is among them.

    Blocks given by the caller are taken as facts about the document; they move no cut.
    """

    size: int = 3200
    """In the unit of `measure`, as `overlap` is."""
    overlap: int = 320
    """At most, in whole pieces; a negative one is 0, one of `size` or more half of `size`."""
    separators: Sequence[str] = SEPARATORS
    """Tried in order; a line end in one stands for any, and "" for a cut anywhere."""
    keep_separator: bool = False
    """True: every piece but the first begins with its separator. False: one that is not white
    space ends the piece before it."""
    measure: MeasureLike = "chars"
    budget_includes_context: bool = False

    def __post_init__(self) -> None:
        require_size(self.size)
        require_whole_number(self.overlap, "overlap")
        require_measure(self.measure)
        ordered = isinstance(self.separators, tuple | list) and all(
            _is_text(text) for text in self.separators
        )
        require(ordered, "separators", self.separators, "a tuple or list of texts, in order")
        require_switch(self.keep_separator, "keep_separator")
        require_switch(self.budget_includes_context, "budget_includes_context")

    def _cut(self, document: Document, blocks: Sequence[Block] | None) -> Chunking:
        parsed = start(document, PARSER) if blocks is None else given(document, blocks)
        ruler = Ruler(parsed.text, self.measure, self.size)
        if self.budget_includes_context:
            ruler = ruler.capped(room_in(document, parsed, self.measure, self.size))
        return assemble_segments(document, parsed, _Splitter(self, ruler).spans(), ruler)


def _is_text(value: object) -> bool:
    """Whether a value is a text that can be written: no lone surrogates."""
    return isinstance(value, str) and not any(
        "\ud800" <= character <= "\udfff" for character in value
    )


class _Splitter:
    """Goes down the hierarchy with a list of levels, so that no depth is too deep."""

    def __init__(self, chunker: RecursiveChunker, ruler: Ruler) -> None:
        self._text = ruler.text
        self._ruler = ruler
        overlap = usable_overlap(chunker.overlap, ruler.size)
        self._splitting = Splitting(ruler, overlap, plain="\r" not in ruler.text)
        self._style = EXACT if "" in chunker.separators else PROSE
        self._separators = [
            separator(text, keep=chunker.keep_separator) for text in chunker.separators
        ]

    def spans(self) -> Iterator[Span]:
        """Every span of the text, in order."""
        whole = Piece(*trim(self._text, 0, len(self._text)))
        if whole.start == whole.end:
            return
        levels = [self._enter(whole, 0)]
        while levels:
            parts, deeper = levels[-1]
            part = next(parts, None)
            if part is None:
                levels.pop()
            elif isinstance(part, Span):
                yield replace(part, boundary=self._boundary(part, whole.end))
            else:
                levels.append(self._enter(part, deeper))

    def _boundary(self, span: Span, last: int) -> str:
        """Why a span ends where it does: by the separator that is there, whichever it was that
        split it off."""
        if span.boundary == OVER_CAP:
            return OVER_CAP
        if span.end == last:
            return END
        for by in self._separators:
            if by.text and (
                by.pattern.match(self._text, span.end)
                or (not by.blank and self._text.endswith(by.text, span.start, span.end))
            ):
                return by.reason
        return CLUSTER if span.boundary == END else span.boundary

    def _enter(self, piece: Piece, first: int) -> tuple[Iterator[Span | Piece], int]:
        """The level of the first separator that occurs, and the number of the one after it; or the
        cuts of prose, or exact ones, where none does."""
        for number in range(first, len(self._separators)):
            by = self._separators[number]
            if not by.text:
                break
            if by.pattern.search(self._text, *piece):
                return self._splitting.level(piece, by), number + 1
        return pack(self._ruler, *piece, overlap=self._splitting.overlap, style=self._style), first
