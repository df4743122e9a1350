"""Sections of one Markdown document made into drafts: which text opens and closes a chunk, what
each is called, how much room its context leaves. Where headings are, and how a section over the
cap is cut, is not decided here.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from re import compile as compile_plain
from typing import TYPE_CHECKING

from chunkwright.characters import INK, Lines, cluster_floor, is_whitespace_only, trim_to_lines
from chunkwright.chunking.assembling import Draft
from chunkwright.chunking.base import require, usable_overlap
from chunkwright.chunking.budgeting import room_in
from chunkwright.chunking.carrying import NOTHING, Carried, Carrier
from chunkwright.chunking.markdown_layout import Planner
from chunkwright.chunking.packing import MARKUP, Span, pack
from chunkwright.chunking.sections import Stretch, Trail, kept, stretches
from chunkwright.measuring import Ruler
from chunkwright.parsing.headings import SECTION
from chunkwright.rendering import Definitions
from chunkwright.types import Diagnostic, Document, Parsed

if TYPE_CHECKING:
    from chunkwright.chunking.markdown import MarkdownChunker

END_OF_SECTION = "end of section"
SECOND_CHUNKER = "second chunker"

SAYS_NOTHING = compile_plain(
    r"(?:\s++"
    r"|<!--(?:[^-]++|-(?!->))*+-->"
    r"|<a\s[^<>]*+(?:/>|>\s*+</a>)|<br\s*+/?>"
    r"|(?m:^[ ]{0,3}(?:(?:-[ \t]*+){3,}+|(?:\*[ \t]*+){3,}+|(?:_[ \t]*+){3,}+)$)"
    r"|\{/\*(?:[^*]++|\*(?!/\}))*+\*/\})*+"
)
"""What says nothing by itself: comments, anchors, rules."""

MAY_SAY_NOTHING = frozenset("<-*_{")
"""First characters of that."""

OFFSETS_ALLOWED = "its pieces have `start` < `end` inside the text they were cut from"


class _Waiting:
    """Headings with nothing under them, which the next chunk is to open with."""

    def __init__(self, start: int) -> None:
        self.start = self.end = start
        self._starts: list[int] = []
        self._trails: list[Trail] = []

    def add(self, start: int, end: int, trail: Trail) -> None:
        """One more heading, adjoining the others."""
        self.end = end
        self._starts.append(start)
        self._trails.append(trail)

    def trail_at(self, position: int) -> Trail:
        """That of the last heading which starts before `position`."""
        return self._trails[bisect_left(self._starts, position) - 1]


class Sectioner:
    """Makes the drafts of one document, section after section."""

    def __init__(
        self,
        options: MarkdownChunker,
        document: Document,
        parsed: Parsed,
        ruler: Ruler,
        lines: Lines,
    ) -> None:
        self._options = options
        self._document = document
        self._parsed = parsed
        self._text = parsed.text
        self._ruler = ruler
        self._planner = Planner(parsed.blocks, self._text, lines)
        self._carrier = Carrier(parsed.blocks, ruler, lines)
        self._definitions = Definitions(parsed.links) if options.reference_links else None
        self._overlap = usable_overlap(options.overlap, options.size)
        self._waiting: _Waiting | None = None
        self._drafts: list[tuple[Draft, Trail]] = []

    def drafts(self) -> list[Draft]:
        """Every chunk of the document, in order."""
        sections = [block for block in self._parsed.blocks if block.kind == SECTION]
        for stretch in stretches(self._text, sections, self._options.split_levels):
            self._take(stretch)
        self._settle()
        if self._options.merge_small:
            return self._merged()
        return [draft for draft, _ in self._drafts]

    def complaints(self, lines: Lines) -> Iterator[Diagnostic]:
        """What had to be left out of the drafts."""
        lost = self._carrier.without_head
        if lost:
            message = f"{len(lost)} pieces without the opening they need, which is over their share"
            yield Diagnostic("warning", "context_dropped", message, lines.number(lost[0]))

    def _take(self, stretch: Stretch) -> None:
        runs = [
            run
            for run in kept(stretch.start, stretch.end, self._parsed.excluded)
            if INK.search(self._text, *run)
        ]
        if any(self._has_body(run, stretch) for run in runs):
            self._add(stretch, runs)
            return
        for start, end in runs:
            self._wait(start, end, stretch.trail)

    def _has_body(self, run: tuple[int, int], stretch: Stretch) -> bool:
        """Whether there is more in a run than the heading and what says nothing by itself."""
        body = max(run[0], stretch.body)
        ink = INK.search(self._text, body, run[1])
        if ink is None or ink[0] not in MAY_SAY_NOTHING:
            return ink is not None
        return SAYS_NOTHING.fullmatch(self._text, body, run[1]) is None

    def _wait(self, start: int, end: int, trail: Trail) -> None:
        """Keep a heading without a body for the next chunk."""
        if self._waiting and not self._adjoin(self._waiting.end, start):
            self._settle()
        self._waiting = self._waiting or _Waiting(start)
        self._waiting.add(start, end, trail)

    def _settle(self) -> None:
        """Waiting headings that no chunk opens with close the one before, or are one alone."""
        waiting, self._waiting = self._waiting, None
        if not waiting:
            return
        start, end = trim_to_lines(self._text, waiting.start, waiting.end)
        last, trail = self._drafts[-1] if self._drafts else (None, Trail())
        if (
            last
            and self._adjoin(last.end, start)
            and self._ruler_under(trail).fits(last.start, end)
        ):
            last.end, last.boundary = end, END_OF_SECTION
            return
        ruler = self._ruler_under(waiting.trail_at(waiting.end))
        for span in self._spans(ruler, waiting.start, waiting.end, waiting.start):
            trail = waiting.trail_at(span.end)
            self._drafts.append((self._draft(span, SECTION, trail), trail))

    def _adjoin(self, end: int, start: int) -> bool:
        """Whether nothing but white space lies between."""
        return is_whitespace_only(self._text[end:start])

    def _add(self, stretch: Stretch, runs: list[tuple[int, int]]) -> None:
        """The chunks of a section that has a body, the first with the waiting headings."""
        ruler = self._ruler_under(stretch.trail)
        if self._options.budget_includes_context:
            carried = self._carrier.most(ruler, stretch.start, stretch.end)
            ruler = self._ruler_under(stretch.trail, carried) if any(carried) else ruler
        runs[0] = (self._opening(ruler, *runs[0]), runs[0][1])
        waiting, self._waiting = self._waiting, None
        spans = [span for run in runs for span in self._spans(ruler, *run, stretch.body)]
        for part, span in enumerate(spans):
            in_headings = span.end <= stretch.start
            trail = waiting.trail_at(span.end) if waiting and in_headings else stretch.trail
            draft = self._draft(span, _kind(stretch, len(spans)), trail)
            draft.part, draft.parts = part, len(spans)
            self._drafts.append((draft, trail))

    def _opening(self, ruler: Ruler, start: int, end: int) -> int:
        """Where the first chunk of start:end begins: at the waiting headings, unless it would
        then need a cut that it does not need alone."""
        waiting = self._waiting
        if not waiting:
            return start
        fits_alone = ruler.fits(*trim_to_lines(self._text, start, end))
        fits = ruler.fits(*trim_to_lines(self._text, waiting.start, end))
        if not self._adjoin(waiting.end, start) or (fits_alone and not fits):
            self._settle()
            return start
        return waiting.start

    def _ruler_under(self, trail: Trail, carried: Carried = NOTHING) -> Ruler:
        """The ruler for text under these headings: the cap, less the context where it counts."""
        size = self._ruler.size
        if size is None or not self._options.budget_includes_context:
            return self._ruler
        left = room_in(
            self._document,
            self._parsed,
            self._ruler.measure,
            size,
            kind=SECTION if trail.depth else "preamble",
            name=trail.name,
            breadcrumb=trail.names,
            depth=trail.depth,
            carry=carried.before,
            carry_after=carried.after,
        )
        return self._ruler.capped(left)

    def _draft(self, span: Span, kind: str, trail: Trail) -> Draft:
        carried = self._carrier.carried(span.start, span.end)
        used_in = self._definitions.used_in if self._definitions else None
        links = used_in(self._text[span.start : span.end]) if used_in else ()
        return Draft(
            span.start,
            span.end,
            kind,
            span.overlap,
            span.boundary,
            trail.name,
            breadcrumb=trail.names,
            depth=trail.depth,
            carry=carried.before,
            carry_after=carried.after,
            links=links,
        )

    def _spans(self, ruler: Ruler, start: int, end: int, body: int) -> Iterator[Span]:
        """start:end whole where it fits, else cut."""
        pieces = [(start, end)]
        if not self._options.join_table_rows:
            pieces = self._by_rows(start, end, body)
        for first, last in pieces:
            trimmed = trim_to_lines(self._text, first, last)
            if trimmed[0] < trimmed[1] and ruler.fits(*trimmed):
                yield Span(*trimmed, 0, END_OF_SECTION)
            elif trimmed[0] < trimmed[1]:
                yield from self._cut(ruler, first, last, body)

    def _by_rows(self, start: int, end: int, body: int) -> list[tuple[int, int]]:
        """Every table row apart, the first with its header, and with a heading before it."""
        cuts = [
            cut
            for cut in self._planner.rows(start, end)
            if not is_whitespace_only(self._text[max(start, min(body, cut)) : cut])
        ]
        return list(zip([start, *cuts], [*cuts, end], strict=True))

    def _cut(self, ruler: Ruler, start: int, end: int, body: int) -> Iterator[Span]:
        if self._options.second_chunker is None:
            return self._packed(ruler, start, end, body)
        return self._by_second_chunker(ruler, start, end)

    def _by_second_chunker(self, ruler: Ruler, start: int, end: int) -> Iterator[Span]:
        """The second chunker's pieces; what it leaves out, and what is over the cap, is packed."""
        reached = Span(start - 1, start, 0, "")
        for first, last in [*self._second_pieces(start, end), (end, end)]:
            for span in self._packed(ruler, reached.end, max(first, reached.end), start):
                yield span
                reached = span
            for span in self._second_piece(ruler, first, last, reached):
                yield span
                reached = span

    def _second_pieces(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        second = self._options.second_chunker
        pieces = second.chunk(self._text[start:end])
        require(isinstance(pieces, Iterable), "second_chunker", second, OFFSETS_ALLOWED)
        for piece in pieces:
            offsets = getattr(piece, "start", None), getattr(piece, "end", None)
            whole = all(type(offset) is int for offset in offsets)
            require(whole, "second_chunker", second, OFFSETS_ALLOWED)
            first, last = start + piece.start, start + piece.end
            require(start <= first < last <= end, "second_chunker", second, OFFSETS_ALLOWED)
            yield cluster_floor(self._text, start, first), cluster_floor(self._text, start, last)

    def _second_piece(self, ruler: Ruler, first: int, last: int, reached: Span) -> Iterator[Span]:
        """A piece as spans: none where it brings nothing new, several where it is over the cap."""
        start, end = trim_to_lines(self._text, first, last)
        if is_whitespace_only(self._text[reached.end : end]):
            return
        if start <= reached.start:
            start, end = trim_to_lines(self._text, reached.end, last)
        if ruler.fits(start, end):
            yield Span(start, end, max(0, reached.end - start), SECOND_CHUNKER)
        else:
            yield from self._packed(ruler, max(start, reached.end), last, reached.end)

    def _packed(self, ruler: Ruler, start: int, end: int, body: int) -> Iterator[Span]:
        plan = self._planner.layout(ruler, start, end, body)
        before: Span | None = None
        is_prose = self._planner.is_prose(ruler, start, end)
        spans = pack(
            ruler,
            start,
            end,
            overlap=self._overlap,
            plan=plan,
            style=MARKUP,
            even_from=max(start, body) if is_prose else None,
        )
        for span in spans:
            before = self._carrier.at_row(span, before, self._overlap)
            yield before

    def _merged(self) -> list[Draft]:
        """Neighbours joined while they fit, under the headings they share. A section is joined
        with all that stands under it or not at all, and never to one that stands deeper."""
        merged: list[tuple[Draft, Trail]] = []
        level = 0
        for (draft, trail), end in zip(self._drafts, self._subtree_ends(), strict=True):
            last, before = merged[-1] if merged else (draft, trail)
            shared = before.shared(trail)
            joins = last is not draft and trail.depth >= level
            if not (joins and self._can_join(last, draft, end, shared)):
                merged.append((draft, trail))
                level = trail.depth
                continue
            last.end, last.boundary, last.kind = draft.end, draft.boundary, SECTION
            last.name, last.breadcrumb, last.depth = shared.name, shared.names, shared.depth
            last.links = tuple(dict.fromkeys([*last.links, *draft.links]))
            merged[-1] = (last, shared)
        return [draft for draft, _ in merged]

    def _subtree_ends(self) -> list[int]:
        """For each draft, where the last one ends that stands under its heading."""
        ends = [draft.end for draft, _ in self._drafts]
        open_drafts: list[int] = []
        for at, (_, trail) in enumerate(self._drafts):
            while open_drafts and self._drafts[open_drafts[-1]][1].depth >= trail.depth:
                ends[open_drafts.pop()] = ends[at - 1]
            open_drafts.append(at)
        for at in open_drafts:
            ends[at] = ends[-1]
        return ends

    def _can_join(self, last: Draft, draft: Draft, end: int, trail: Trail) -> bool:
        """Whether a draft, with what stands under it up to `end`, can be joined to the last."""
        return (
            last.parts == draft.parts == 1
            and self._adjoin(last.end, draft.start)
            and self._ruler_under(trail).fits(last.start, end)
        )


def _kind(stretch: Stretch, parts: int) -> str:
    if not stretch.trail.depth:
        return "preamble"
    return SECTION if parts == 1 else "section_part"
