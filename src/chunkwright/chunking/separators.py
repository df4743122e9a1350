"""One level of a hierarchy of separators: a stretch is split where one of them occurs, and what
lies between is joined again up to the cap. Which separator's turn it is, is decided elsewhere.

A level gives `Span`s, in order, and between them the `Piece`s that are too long for it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from re import Pattern, escape, split
from re import compile as compile_plain
from typing import NamedTuple

from chunkwright.characters import (
    INK,
    WHITE_SPACE,
    cluster_floor,
    is_edge,
    is_whitespace_only,
    trim,
)
from chunkwright.chunking.layouts import Span
from chunkwright.measuring import Ruler

ANY_LINE_END = r"(?>\r\n|\n|\r)"
"""What a line end in a separator stands for: LF, CRLF or a lone CR."""


class Piece(NamedTuple):
    """A stretch without white space at its edges."""

    start: int
    end: int


class Separator(NamedTuple):
    """What splits a stretch."""

    text: str
    pattern: Pattern[str]
    blank: bool
    """Whether it is white space: dropped between chunks."""
    keep: bool
    """Whether it begins the piece after it."""
    reason: str
    """What the boundary of a chunk is called that ends before it."""


def separator(text: str, *, keep: bool) -> Separator:
    """A separator; a line end in `text` stands for any."""
    parts = split(r"\r\n|\n|\r", text)
    pattern = compile_plain(ANY_LINE_END.join(map(escape, parts)))
    names = {"\n\n": "blank line", "\n": "line", " ": "word"}
    reason = names.get(text, f"separator {text!r}")
    return Separator(text, pattern, is_whitespace_only(text), keep, reason)


class Splitting(NamedTuple):
    """What all levels of one text share."""

    ruler: Ruler
    overlap: int
    """In the ruler's measure."""
    plain: bool
    """Whether LF is all that ends a line, so that a separator is found as it is written."""

    def is_short(self, piece: Piece) -> bool:
        """Whether a piece is joined with others rather than split: strictly under the cap."""
        size = self.ruler.size
        return size is None or self.ruler.fits(piece.start, piece.end, size - 1)

    def level(self, stretch: Piece, by: Separator) -> Iterator[Span | Piece]:
        """The spans of a stretch split by a separator, and the pieces that are too long."""
        if by.blank and self.plain:
            return _Windows(self, stretch, by).parts()
        return _piece_by_piece(self, stretch, by)


class _Windows:
    """A level whose separator is plain white space: only the separators near a cut are looked at,
    for all those before it are within the cap."""

    def __init__(self, splitting: Splitting, stretch: Piece, by: Separator) -> None:
        self._splitting = splitting
        self._text = splitting.ruler.text
        self._last = stretch.end
        self._first = stretch.start
        self._by = by
        self._always = self._text.isascii()
        """Whether every place is the edge of a cluster, there being no CR."""

    def parts(self) -> Iterator[Span | Piece]:
        """The spans, and the pieces that are too long."""
        position: int | None = self._first
        begin = covered = self._first
        while position is not None:
            piece = self._piece_at(position)
            if not self._splitting.is_short(piece):
                yield piece
                begin = covered = piece.end
                position = self._next(piece.end)
                continue
            begin = self._begin(begin, covered, piece) if begin < covered else position
            if begin < position and not self._fits(begin, piece.end):
                begin = position
            end = self._end(begin, piece)
            yield Span(begin, end, max(0, covered - begin), self._by.reason)
            covered = end
            position = self._next(end)

    def _fits(self, begin: int, end: int) -> bool:
        return self._splitting.ruler.fits(begin, end)

    def _piece_at(self, start: int) -> Piece:
        """The piece that begins at `start`, up to the next separator."""
        by = self._by.text
        found = self._text.find(by, start, self._last)
        while found >= 0 and not self._separates(found):
            found = self._text.find(by, found + 1, self._last)
        return Piece(start, self._trimmed(start, self._last if found < 0 else found))

    def _separates(self, found: int) -> bool:
        """Whether the separator at `found` is none of a cluster's own white space."""
        if self._always:
            return True
        text, after = self._text, found + len(self._by.text)
        before = found == 0 or bool(is_edge(text[found - 1], text[found]))
        return before and (after >= len(text) or bool(is_edge(text[after - 1], text[after])))

    def _trimmed(self, start: int, end: int) -> int:
        if self._always:
            return start + len(self._text[start:end].rstrip(WHITE_SPACE))
        return trim(self._text, start, end)[1]

    def _next(self, end: int) -> int | None:
        """Where the piece after one that ends at `end` begins."""
        match = INK.search(self._text, end, self._last)
        if not match:
            return None
        return match.start() if self._always else cluster_floor(self._text, end, match.start())

    def _end(self, begin: int, piece: Piece) -> int:
        """The furthest end of `piece` or one after it, such that all since `begin` fits."""
        ruler, text, by = self._splitting.ruler, self._text, self._by.text
        reach = ruler.reach(begin)
        if reach >= self._last and self._fits(begin, self._last):
            return self._last
        beyond = INK.search(text, min(reach, self._last), self._last)
        high = beyond.start() if beyond else self._last  # white space costs no room
        while high > piece.end:
            found = text.rfind(by, piece.end, high)
            if found < 0:
                break
            if not self._separates(found):
                high = found + len(by) - 1
                continue
            end = self._trimmed(begin, found)
            if self._fits(begin, end):
                return end
            high = end
        return piece.end

    def _begin(self, begin: int, covered: int, piece: Piece) -> int:
        """Where the pieces begin that are repeated: they fit the overlap, and the cap with `piece`;
        at least one of those from `begin` on is left behind."""
        ruler, by = self._splitting.ruler, self._by.text
        low = ruler.reach_back(covered, self._splitting.overlap, begin)
        if low < covered and ruler.size is not None:
            low = max(low, ruler.reach_back(piece.end, ruler.size, begin))
        # The separator may have other white space after it, up to where its piece begins.
        found = self._text.find(by, self._trimmed(begin, low), covered)
        while found >= 0:
            start: int | None = found + 1
            if self._separates(found):
                start = self._next(found + len(by))
                if start is None or start >= covered:
                    break
                if start >= low and ruler.fits(start, covered, self._splitting.overlap):
                    return start
            found = self._text.find(by, start, covered)
        return piece.start


def _piece_by_piece(splitting: Splitting, stretch: Piece, by: Separator) -> Iterator[Span | Piece]:
    """A level on which every separator has to be looked at."""
    joiner = _Joiner(splitting, by.reason)
    for piece in _pieces(splitting.ruler.text, stretch, by):
        if splitting.is_short(piece):
            yield from joiner.add(piece)
        else:
            yield from joiner.flush()
            yield piece
    yield from joiner.flush()


def _pieces(text: str, stretch: Piece, by: Separator) -> Iterator[Piece]:
    """The pieces of a stretch that are more than white space, without any at their edges."""
    position = stretch.start
    for match in by.pattern.finditer(text, *stretch):
        end, after = _edges(by, match.start(), match.end())
        if cluster_floor(text, position, end) < end:
            continue
        if cluster_floor(text, position, after) < after:
            continue
        yield from _kept(text, position, end)
        position = after
    yield from _kept(text, position, stretch.end)


def _edges(by: Separator, start: int, end: int) -> tuple[int, int]:
    """Where the piece before a separator ends, and where the one after it begins."""
    if by.keep:
        return start, start
    return (start, end) if by.blank else (end, end)


def _kept(text: str, start: int, end: int) -> Iterator[Piece]:
    first, last = trim(text, start, end)
    if first < last:
        yield Piece(first, last)


class _Joiner:
    """Joins pieces up to the cap, and keeps some of them as overlap."""

    def __init__(self, splitting: Splitting, reason: str) -> None:
        self._ruler = splitting.ruler
        self._overlap = splitting.overlap
        self._reason = reason
        self._pieces: deque[Piece] = deque()
        self._reach = 0
        self._covered = 0

    def add(self, piece: Piece) -> Iterator[Span]:
        """Take a piece that fits; gives the spans that are complete without it."""
        while self._pieces and piece.end > self._reach:
            left_over = self._too_many()
            if self._pieces[-1].end > self._covered:
                yield self._joined()
                self._keep_overlap(left_over[0] if left_over else piece)
            else:
                self._pieces.clear()
            self._begin_with(left_over)
            if not left_over:
                break
        self._begin_with([piece])

    def flush(self) -> Iterator[Span]:
        """Give what is left, and begin anew without an overlap."""
        while self._pieces:
            left_over = self._too_many()
            if self._pieces[-1].end > self._covered:
                yield self._joined()
            self._pieces.clear()
            self._begin_with(left_over)

    def _begin_with(self, pieces: list[Piece]) -> None:
        for piece in pieces:
            if not self._pieces:
                self._reach = self._ruler.reach(piece.start)
            self._pieces.append(piece)

    def _too_many(self) -> list[Piece]:
        """The last pieces, taken off, without which the others fit: tokens can be more in the whole
        than a reach foretold."""
        left_over: deque[Piece] = deque()
        while len(self._pieces) > 1 and not self._fit():
            left_over.appendleft(self._pieces.pop())
        return list(left_over)

    def _fit(self) -> bool:
        return self._ruler.fits(self._pieces[0].start, self._pieces[-1].end)

    def _joined(self) -> Span:
        first, last = self._pieces[0].start, self._pieces[-1].end
        overlap = max(0, self._covered - first)
        self._covered = last
        return Span(first, last, overlap, self._reason)

    def _keep_overlap(self, piece: Piece) -> None:
        """Keep pieces from the end while they fit the overlap, and fit the cap before `piece`."""
        first, last = self._pieces[0].start, self._pieces[-1].end
        low = self._ruler.reach_back(last, self._overlap, first)
        if low < last and self._ruler.size is not None:
            low = max(low, self._ruler.reach_back(piece.end, self._ruler.size, first))
        self._pieces.popleft()  # always one, for the next chunk begins after this one does
        while self._pieces and (
            self._pieces[0].start < low
            or not self._ruler.fits(self._pieces[0].start, last, self._overlap)
        ):
            self._pieces.popleft()
        if self._pieces:
            self._reach = self._ruler.reach(self._pieces[0].start)
