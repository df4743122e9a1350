"""Where a long stretch of prose is best cut as a whole: pieces of an even size, well under the cap,
that end where the text itself ends something. The packer follows these cuts where they fit, and
finds its own where they do not; caps and overlaps are its business.

The cheapest of all ways to cut the row of possible places, by the costs below: a dynamic programme
over where the last piece begins. The costs were chosen by the share of answers' text in the pieces
that hold some of it (PrecisionOmega) over the five corpora of Chroma's evaluation of chunking, see
docs/benchmarks.md: at equal mean size it is 2 to 7 points above that of windows filled to the cap.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from re import MULTILINE
from re import compile as compile_plain
from typing import Final, NamedTuple

from chunkwright.characters import LINE_END, trim
from chunkwright.chunking.breaks import Style, heading_at_end, last_word_end
from chunkwright.chunking.layouts import Border
from chunkwright.chunking.sentences import last_clause_end, last_sentence_end
from chunkwright.chunking.window_cuts import WindowCutter
from chunkwright.measuring import Ruler

TARGET: Final = 0.7
"""Share of the cap that a piece is best as large as."""

NONE: Final = 1e300
"""More than any cost. A piece costs the third power of how far from the best size it is."""

BLANK_LINE: Final = -0.4
"""A cut at a blank line, or at the edge of an outermost block: it gains something."""

LINE_AND_SENTENCE: Final = -0.1
"""Where a sentence and its line end."""

INNER: Final = -0.1
"""At the edge of a block inside another."""

SENTENCE: Final = 0.0

LINE: Final = 0.1
"""Where a line ends and no sentence does."""

CLAUSE: Final = 0.5

WORD: Final = 2.0

RULE: Final = compile_plain(r"(?:(?:-[ \t]*+){3,}|(?:\*[ \t]*+){3,}|(?:_[ \t]*+){3,})$", MULTILINE)
"""A line that ends what stands before it."""

LONG: Final = 2
"""Parts of the best size: where no sentence ends for longer than one, clauses and words are looked
for."""

WORDS: Final = 8
"""Words looked at in a stretch as long as the best size."""

FINEST: Final = 32
"""Parts of the best size: of two places nearer than one, the better is kept, so that the work is
linear."""


class Place(NamedTuple):
    """Where a piece may end and the next begin."""

    position: int
    """Where the next one begins: no white space."""
    cost: float
    reason: str


class EvenCuts:
    """The cuts of one stretch, asked for from the first to the last."""

    def __init__(self, places: list[Place]) -> None:
        self._places = places
        self._next = 0

    def after(self, position: int) -> Place | None:
        """The first one after `position`; positions never fall."""
        places = self._places
        while self._next < len(places) and places[self._next].position <= position:
            self._next += 1
        return places[self._next] if self._next < len(places) else None


class PlaceFinder:
    """Looks for the places of text[start:stop], which ends on no white space: none is at `start` or
    before it."""

    def __init__(
        self,
        text: str,
        stretch: tuple[int, int],
        borders: Sequence[Border],
        style: Style,
        cutter: WindowCutter,
    ) -> None:
        self._text = text
        self._start, self._stop = stretch
        self._borders = borders
        self._headings = style.headings
        self._cutter = cutter
        """Of the same stretch: knows what stays whole."""
        self._found: dict[int, Place] = {}

    def edges(self, places: Sequence[Place]) -> list[int]:
        """Positions of places, with the start and the end of the stretch around them."""
        return [self._start, *[place.position for place in places], self._stop]

    def places(self) -> list[Place]:
        """Edges of blocks, blank lines, lines and sentences, in order."""
        for border in self._borders:
            self._put(border.position, BLANK_LINE if not border.rank else INNER, border.reason)
        self._put_each(last_sentence_end, SENTENCE, "sentence", self._start, self._stop)
        self._put_lines()
        return sorted(self._found.values())

    def finer(self, places: list[Place], marks: array[int], target: float) -> list[Place]:
        """Clauses and words where the places, which `marks` tells of, are far apart."""
        before = set(self._found)
        edges = self.edges(places)
        for at in range(1, len(edges)):
            length = marks[at] - marks[at - 1]
            if length * LONG > target:
                low, high = edges[at - 1], edges[at]
                self._put_each(last_clause_end, CLAUSE, "clause", low, high)
                self._put_words(low, high, int(length * WORDS / target) + 1)
        return [place for place in self._found.values() if place.position not in before]

    def _put_each(
        self, last: Callable[[str, int, int], int], cost: float, reason: str, low: int, high: int
    ) -> None:
        """Every break of a kind, the last first."""
        place = last(self._text, low, high)
        while place > low:
            self._put(place, cost, reason)
            place = last(self._text, low, place - 1)

    def _put_words(self, low: int, high: int, count: int) -> None:
        for number in range(1, count):
            near = low + (high - low) * number // count
            place = last_word_end(self._text, low, near)
            if place > low:
                self._put(place, WORD, "word")

    def _put_lines(self) -> None:
        ink = -1
        for match in LINE_END.finditer(self._text, self._start, self._stop):
            before, ink = ink, self._cutter.next_ink(match.end())
            if ink == before:
                self._put(ink, BLANK_LINE, "blank line")
            else:
                after_sentence = ink in self._found
                self._put(ink, LINE_AND_SENTENCE if after_sentence else LINE, "line")

    def _put(self, position: int, cost: float, reason: str) -> None:
        """Remember a place, unless a better reason for it is known."""
        position = self._cutter.next_ink(position)
        known = self._found.get(position)
        if known is not None and known.cost <= cost:
            return
        if self._start < position < self._stop and self._allows(position, reason):
            self._found[position] = Place(position, cost, reason)

    def _allows(self, position: int, reason: str) -> bool:
        """Whether a cut there goes through no whole block, leaves no heading behind, and begins no
        piece with a rule."""
        if self._cutter.block_around(position) or RULE.match(self._text, position):
            return False
        if not self._headings or "line" not in reason:
            return True
        end = trim(self._text, self._start, position)[1]
        return heading_at_end(self._text, self._start, end, self._stop) < 0


def even_cuts(ruler: Ruler, finder: PlaceFinder, overlap: int) -> EvenCuts:
    """The cuts of a finder's stretch, for pieces that have `overlap` of the one before in them."""
    cap = max((ruler.size or 1) - overlap, 1)
    target = max(cap * TARGET, 1.0)
    places = finder.places()
    marks = ruler.along(finder.edges(places))
    finer = finder.finer(places, marks, target)
    if finer:
        places = sorted([*places, *finer])
        marks = ruler.along(finder.edges(places))
    places, marks = _thinned(places, marks, target / FINEST)
    return EvenCuts(_cheapest(places, marks, cap, target))


def _thinned(
    places: list[Place], marks: array[int], least: float
) -> tuple[list[Place], array[int]]:
    """The places without the worse ones of those that are next to each other, and their marks."""
    kept: list[Place] = []
    their = array("q", [marks[0]])
    for at in range(len(places)):
        place, mark = places[at], marks[at + 1]
        if kept and mark - their[len(kept)] < least:
            if place.cost >= kept[-1].cost:
                continue
            kept.pop()
            their.pop()
        kept.append(place)
        their.append(mark)
    their.append(marks[len(marks) - 1])
    return kept, their


def _cheapest(places: list[Place], marks: array[int], cap: int, target: float) -> list[Place]:
    """Of the places in a row, those that cost least together. `marks` says how much of the text
    stands before the start, before each of them, and before the end."""
    count = len(marks)
    best = array("d", bytes(8 * count))
    begins = array("q", bytes(8 * count))
    furthest = 0
    for end in range(1, count):
        mark = marks[end]
        while furthest < end - 1 and mark - marks[furthest] > cap:
            furthest += 1
        lowest, begin = NONE, end - 1
        for start in range(furthest, end):
            away = abs((mark - marks[start]) / target - 1.0)
            cost = best[start] + away * away * away
            if cost < lowest:
                lowest, begin = cost, start
        best[end] = lowest + (places[end - 1].cost if end < count - 1 else 0.0)
        begins[end] = begin
    chosen: list[Place] = []
    at = begins[count - 1]
    while at > 0:
        chosen.append(places[at - 1])
        at = begins[at]
    chosen.reverse()
    return chosen
