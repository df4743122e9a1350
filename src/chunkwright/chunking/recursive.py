"""Splitting by a hierarchy of separators: the first that occurs splits, pieces are joined again up
to the cap, and a piece that is too long goes on to the next separator. Exact cuts are packing's.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from re import Pattern, escape, split
from re import compile as compile_plain
from typing import NamedTuple

from chunkwright.characters import cluster_floor, is_whitespace_only, trim
from chunkwright.chunking.assembling import assemble_segments
from chunkwright.chunking.base import (
    Chunker,
    require,
    require_measure,
    require_size,
    require_whole_number,
    usable_overlap,
)
from chunkwright.chunking.budgeting import room_in
from chunkwright.chunking.packing import EXACT, PROSE, Span, pack
from chunkwright.measuring import MeasureLike, Ruler
from chunkwright.parsing.base import given, start
from chunkwright.types import Block, Chunking, Document

PARSER = "recursive"

SEPARATORS = ("\n\n", "\n", " ", "")

ANY_LINE_END = r"(?>\r\n|\n|\r)"
"""What a line end in a separator stands for: LF, CRLF or a lone CR."""


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
    """At most, in whole pieces; from 0, where it is negative, to half of `size`."""
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
        given_texts = not isinstance(self.separators, str) and all(
            isinstance(separator, str) for separator in self.separators
        )
        require(given_texts, "separators", self.separators, "a tuple of texts")
        require(
            isinstance(self.keep_separator, bool), "keep_separator", self.keep_separator, "a bool"
        )

    def _cut(self, document: Document, blocks: Sequence[Block] | None) -> Chunking:
        parsed = start(document, PARSER) if blocks is None else given(document, blocks)
        ruler = Ruler(parsed.text, self.measure, self.size)
        if self.budget_includes_context:
            ruler = ruler.capped(room_in(document, parsed, self.measure, self.size))
        return assemble_segments(document, parsed, _Splitter(self, ruler).spans(), ruler)


class _Piece(NamedTuple):
    start: int
    end: int


class _Separator(NamedTuple):
    text: str
    pattern: Pattern[str]
    blank: bool
    """Whether it is white space: dropped between chunks."""


class _Joiner:
    """Joins the pieces of one level up to the cap, and keeps some of them as overlap."""

    def __init__(self, ruler: Ruler, overlap: int, reason: str) -> None:
        self._ruler = ruler
        self._overlap = overlap
        self._reason = reason
        self._pieces: deque[_Piece] = deque()
        self._reach = 0
        self._covered = 0

    def add(self, piece: _Piece) -> Iterator[Span]:
        """Take a piece that fits; gives the spans that are complete without it."""
        if self._pieces and piece.end > self._reach:
            yield from self._joined()
            self._keep_overlap(piece)
        if not self._pieces:
            self._reach = self._ruler.reach(piece.start)
        self._pieces.append(piece)

    def flush(self) -> Iterator[Span]:
        """Give what is left, and begin anew without an overlap."""
        if self._pieces:
            yield from self._joined()
        self._pieces.clear()

    def _joined(self) -> Iterator[Span]:
        first, last = self._pieces[0].start, self._pieces[-1].end
        overlap = max(0, self._covered - first)
        self._covered = last
        if self._ruler.fits(first, last):
            yield Span(first, last, overlap, self._reason)
        else:  # tokens: more in the whole than the reach foretold
            yield from pack(self._ruler, first + overlap, last)

    def _keep_overlap(self, piece: _Piece) -> None:
        """Keep pieces from the end while they fit the overlap, and fit the cap before `piece`."""
        first, last = self._pieces[0].start, self._pieces[-1].end
        low = self._ruler.reach_back(last, self._overlap, first)
        if low < last and self._ruler.size is not None:
            low = max(low, self._ruler.reach_back(piece.end, self._ruler.size, first))
        self._pieces.popleft()  # always one, for the next chunk begins after this one does
        while self._pieces and self._pieces[0].start < low:
            self._pieces.popleft()
        if self._pieces:
            self._reach = self._ruler.reach(self._pieces[0].start)


class _Level(NamedTuple):
    """One stretch being split by one separator."""

    pieces: Iterator[_Piece]
    joiner: _Joiner
    next_separator: int


class _Splitter:
    """Goes down the hierarchy with a list of levels, so that no depth is too deep."""

    def __init__(self, chunker: RecursiveChunker, ruler: Ruler) -> None:
        self._text = ruler.text
        self._ruler = ruler
        self._size = ruler.size or chunker.size
        self._overlap = usable_overlap(chunker.overlap, self._size)
        self._keep = chunker.keep_separator
        self._style = EXACT if "" in chunker.separators else PROSE
        self._separators = [_separator(text) for text in chunker.separators]

    def spans(self) -> Iterator[Span]:
        """Every span of the text, in order."""
        whole = _Piece(*trim(self._text, 0, len(self._text)))
        if whole.start == whole.end:
            return
        levels = list(self._enter(whole, 0))
        if not levels:
            yield from self._exact(whole)
        while levels:
            level = levels[-1]
            piece = next(level.pieces, None)
            if piece is None:
                yield from level.joiner.flush()
                levels.pop()
            elif self._ruler.fits(*piece, self._size - 1):
                yield from level.joiner.add(piece)
            else:
                yield from level.joiner.flush()
                deeper = list(self._enter(piece, level.next_separator))
                levels += deeper
                if not deeper:
                    yield from self._exact(piece)

    def _enter(self, piece: _Piece, first: int) -> Iterator[_Level]:
        """The level of the first separator that occurs, or nothing where only exact cuts help."""
        for number in range(first, len(self._separators)):
            separator = self._separators[number]
            if not separator.text:
                return
            if separator.pattern.search(self._text, *piece):
                joiner = _Joiner(self._ruler, self._overlap, _reason(separator.text))
                yield _Level(self._pieces(piece, separator), joiner, number + 1)
                return

    def _exact(self, piece: _Piece) -> Iterator[Span]:
        return pack(self._ruler, *piece, overlap=self._overlap, style=self._style)

    def _pieces(self, piece: _Piece, separator: _Separator) -> Iterator[_Piece]:
        """The pieces of a stretch that are more than white space, without any at their edges."""
        position = piece.start
        for match in separator.pattern.finditer(self._text, *piece):
            end, after = self._edges(match.start(), match.end(), separator.blank)
            if cluster_floor(self._text, position, end) < end:
                continue
            if cluster_floor(self._text, position, after) < after:
                continue
            yield from self._kept(position, end)
            position = after
        yield from self._kept(position, piece.end)

    def _edges(self, start: int, end: int, blank: bool) -> tuple[int, int]:
        """Where the piece before a separator ends, and where the one after it begins."""
        if self._keep:
            return start, start
        return (start, end) if blank else (end, end)

    def _kept(self, start: int, end: int) -> Iterator[_Piece]:
        first, last = trim(self._text, start, end)
        if first < last:
            yield _Piece(first, last)


def _separator(text: str) -> _Separator:
    parts = split(r"\r\n|\n|\r", text)
    pattern = compile_plain(ANY_LINE_END.join(map(escape, parts)))
    return _Separator(text, pattern, is_whitespace_only(text))


def _reason(separator: str) -> str:
    """What a chunk's boundary is called after a separator."""
    names = {"\n\n": "blank line", "\n": "line", " ": "word"}
    return names.get(separator, f"separator {separator!r}")
