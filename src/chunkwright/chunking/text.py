"""Long prose, memories and transcripts: segments of one size with an overlap, at the best breaks
there are. Documents with a structure of their own are the other chunkers'.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from chunkwright.characters import is_whitespace_only
from chunkwright.chunking.assembling import assemble_segments, empty
from chunkwright.chunking.base import (
    Chunker,
    require_measure,
    require_size,
    require_switch,
    require_whole_number,
    usable_overlap,
)
from chunkwright.chunking.budgeting import room_in
from chunkwright.chunking.packing import Layout, Span, layout, pack
from chunkwright.measuring import MeasureLike, Ruler
from chunkwright.parsing import transcripts
from chunkwright.parsing.base import given, start
from chunkwright.types import Block, Chunking, Diagnostic, Document, Parsed

PARSER = "text"

BELOW_MIN_SIZE = Diagnostic(
    "info", "below_min_size", "the content is at or under `min_size`: min_size=0 cuts it anyway"
)
SIZE_NOT_POSITIVE = Diagnostic("warning", "truncated", "`size` is 0 or less: no chunks were made")


class TextChunker(Chunker, frozen=True, kw_only=True):
    """Cuts text into segments that overlap, each ending at the strongest break near its cap.

    Guarantees: texts are verbatim slices, every character but white space is in one (up to
    `covered` where `max_chunks` ends it), none counts more than `size`, none cuts a grapheme
    cluster that fits, none lies inside another; each brings a quarter of a window of new text or
    more, unless the text ends, a word is longer, or a block that stays whole comes next. An edit
    moves few cuts with `stable`, most often only those beside it. Time and memory are linear.

    Algorithm: a window reaches from where a segment begins as far as the cap allows. It is cut at
    the last of the strongest breaks in the second half of its new text: blank line, line, sentence,
    clause, word, in that order; else at one in all but the window's first quarter; else between
    clusters. A heading-like line at the end goes with what follows it. The next segment begins at
    the first start of a sentence, else of a line, else of a word, within `overlap` before the cut.
    With `stable`, of all breaks in that half the one is taken whose surroundings have the lowest
    checksum, which is the same one wherever the window begins (content-defined chunking).

    Blocks given by the caller stay whole where they fit, and their edges are the best breaks. So do
    the turns of a transcript (`User: ...`, `[12:30] alice: ...`, `<alice> ...`), which is known by
    its first 65,536 code points; `blocks=[]` makes it plain text.
    """

    size: int = 1200
    """In the unit of `measure`, as `overlap` and `min_size` are; 0 or less gives no chunks."""
    overlap: int = 200
    """At most, and never more than half of `size`; a negative one is 0."""
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
        require_switch(self.stable, "stable")
        require_switch(self.budget_includes_context, "budget_includes_context")
        require_measure(self.measure)

    def _cut(self, document: Document, blocks: Sequence[Block] | None) -> Chunking:
        parsed = start(document, PARSER) if blocks is None else given(document, blocks)
        ruler = Ruler(parsed.text, self.measure, max(self.size, 1))
        if self.size <= 0:
            return _nothing(document, parsed, SIZE_NOT_POSITIVE)
        if self._is_short(ruler):
            return _nothing(document, parsed, BELOW_MIN_SIZE)
        if blocks is None:
            parsed = _with_turns(parsed)
        if self.budget_includes_context:
            ruler = ruler.capped(room_in(document, parsed, self.measure, self.size))
        spans = self._spans(parsed, ruler)
        return assemble_segments(document, parsed, spans, ruler, limit=self.max_chunks)

    def _is_short(self, ruler: Ruler) -> bool:
        return self.min_size > 0 and ruler.fits(0, len(ruler.text), self.min_size)

    def _spans(self, parsed: Parsed, ruler: Ruler) -> Iterator[Span]:
        return pack(
            ruler,
            0,
            len(parsed.text),
            overlap=usable_overlap(self.overlap, ruler.size),
            plan=self._plan(parsed, ruler),
            stable=self.stable,
        )

    def _plan(self, parsed: Parsed, ruler: Ruler) -> Layout:
        plan = layout(parsed.blocks, ruler)
        # Which border comes last in a window depends on where that begins: turns are left whole,
        # and of the breaks between them the content decides.
        return Layout(whole=plan.whole) if self.stable and _is_transcript(parsed) else plan


def _with_turns(parsed: Parsed) -> Parsed:
    turns = transcripts.turns(parsed.text)
    return replace(parsed, parser=transcripts.PARSER, blocks=turns) if turns else parsed


def _is_transcript(parsed: Parsed) -> bool:
    return parsed.parser == transcripts.PARSER


def _nothing(document: Document, parsed: Parsed, why: Diagnostic) -> Chunking:
    """No chunks, and nothing said to be covered; `truncated` where that leaves text over."""
    nothing = empty(document, parsed)
    if is_whitespace_only(parsed.text) and why is not BELOW_MIN_SIZE:
        return nothing
    truncated = why is SIZE_NOT_POSITIVE
    return replace(nothing, covered=0, truncated=truncated, diagnostics=(*nothing.diagnostics, why))
