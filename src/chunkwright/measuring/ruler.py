"""A measure laid along a text: counting stretches, and finding how far a size reaches without
measuring the text anew for every cut. Nothing here knows where a good cut is.

Token counts are neither additive nor monotonic (a longer text can have fewer of them), so a
reach is estimated first and then confirmed by a count of the very stretch in question.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Protocol

from chunkwright.measuring.exact import ExactMeasure
from chunkwright.measuring.resolving import MeasureLike, resolve

PIECE = 16_384
"""Code points given at once to `Measure.ends`: bounds what one unbroken run can cost."""

PIECE_TAIL = 1_024
"""Code points before a piece's end in which white space is looked for, to end it there."""

ADJUSTMENTS = 6
"""Times an estimate from `ends` is corrected by a count before a plain search takes over."""

STRAIGHT_PROBES = 3
"""Probes of a search that trust a steady rate of code points a unit before it bisects."""

REMEMBERED = 4_096
"""Counts of stretches kept, so that a cutter may ask twice; then they are forgotten at once."""

FAR = 16
"""Code points a unit beyond which a stretch is not counted whole to learn that it does not fit."""

FIRST_STEP = 8
"""Code points of the first step, then doubled, of a search that has no upper bound yet."""


class UnitEnds:
    """Where every unit of a text ends, measured piece by piece, as far as is asked for."""

    def __init__(self, text: str, ends: Callable[[str], Sequence[int]]) -> None:
        self._text = text
        self._of_piece = ends
        self._ends = array("q")
        self._measured = 0

    def unit_at(self, position: int) -> int:
        """Number of the first unit that ends after `position`."""
        while self._measured <= position and self._measure_more():
            pass
        return bisect_right(self._ends, position)

    def end_of(self, unit: int) -> int:
        """End of a unit; 0 before the first, the text's end after the last."""
        while len(self._ends) <= unit and self._measure_more():
            pass
        if unit < 0:
            return 0
        return self._ends[unit] if unit < len(self._ends) else len(self._text)

    def _measure_more(self) -> bool:
        start = self._measured
        if start >= len(self._text):
            return False
        self._measured = self._piece_end(start)
        piece = self._text[start : self._measured]
        self._ends.extend(start + end for end in self._of_piece(piece))
        return True

    def _piece_end(self, start: int) -> int:
        end = start + PIECE
        if end >= len(self._text):
            return len(self._text)
        tail = self._text[end - PIECE_TAIL : end]
        breaks = max(tail.rfind(" "), tail.rfind("\n"))
        return end - PIECE_TAIL + breaks if breaks > 0 else end


class Ruler:
    """A measure laid along one text: how much a stretch counts, how far a cap reaches."""

    __slots__ = ("_counts", "_exact", "_rate", "_units", "full", "measure", "size", "text")

    def __init__(self, text: str, measure: MeasureLike, size: int | None) -> None:
        self.text = text
        self.measure = resolve(measure)
        self.size = size
        self.full = size
        """The cap on the text alone: more than `size` where some of it is kept for context."""
        self._exact = self.measure if isinstance(self.measure, ExactMeasure) else None
        self._counts: dict[tuple[int, int], int] = {}
        self._rate = (1, 1)
        ends = getattr(self.measure, "ends", None)
        self._units = UnitEnds(text, ends) if callable(ends) else None

    def capped(self, size: int | None) -> Ruler:
        """The same ruler, with what it has measured so far, under a lower cap."""
        other = Ruler(self.text, self.measure, size)
        other.full = self.full
        other._counts, other._units, other._rate = self._counts, self._units, self._rate
        return other

    def count(self, start: int, end: int) -> int:
        """measure.count(text[start:end])."""
        if self._exact:
            return self._exact.count(self.text[start:end])
        counted = self._counts.get((start, end))
        if counted is None:
            if len(self._counts) >= REMEMBERED:
                self._counts.clear()
            counted = self._counts[start, end] = self.measure.count(self.text[start:end])
        return counted

    def fits(self, start: int, end: int, size: int | None = None) -> bool:
        """Whether text[start:end] is at most `size` (default: the ruler's cap; None: no cap).

        The work is bounded by `size`, not by the length of the stretch.
        """
        size = self.size if size is None else size
        if size is None or start >= end:
            return True
        if self._exact or end - start > FAR * size:
            return self.reach(start, size) >= end
        return self.count(start, end) <= size

    def reach(self, start: int, size: int | None = None) -> int:
        """The furthest end such that text[start:end] fits; `start` where not even one code
        point does. Any code point position: snapping to clusters is the cutter's."""
        size = self.size if size is None else size
        most = len(self.text) - start
        if size is None:
            return len(self.text)
        if size < 1 or most < 1:
            return start
        if self._exact:
            return self._exact.reach(self.text, start, size)
        return start + self._longest(size, most, _Forward(self, start))

    def reach_back(self, end: int, size: int, low: int = 0) -> int:
        """The earliest start, not before the cluster boundary `low`, such that text[start:end]
        counts at most `size`; `end` where there is none."""
        if size < 1 or end <= low:
            return end
        if self._exact:
            return self._exact.reach_back(self.text, end, size, low)
        return end - self._longest(size, end - low, _Backward(self, end))

    def _longest(self, size: int, most: int, side: _Side) -> int:
        """Length of the longest stretch of 1 to `most` code points that counts at most `size`
        (the measure may be capricious: one that does fit, about the longest); 0 if none does."""
        if self._units is not None:
            low, high = _by_estimates(side, self._units, size, most)
            if low:
                return low
            return _by_probes(side.count, size, high - 1, high // 2)
        length, units = self._rate
        longest = _by_probes(side.count, size, most, size * length // units)
        if longest:
            self._rate = (longest, size)
        return longest


class _Side(Protocol):
    """Stretches that share one end: the longer, the more they count, give or take a little."""

    def count(self, length: int) -> int: ...
    def length_of(self, units: int, ends: UnitEnds) -> int: ...


class _Forward:
    """Stretches that begin at one place."""

    def __init__(self, ruler: Ruler, start: int) -> None:
        self._ruler = ruler
        self._start = start

    def count(self, length: int) -> int:
        return self._ruler.count(self._start, self._start + length)

    def length_of(self, units: int, ends: UnitEnds) -> int:
        return ends.end_of(ends.unit_at(self._start) + units - 1) - self._start


class _Backward:
    """Stretches that end at one place."""

    def __init__(self, ruler: Ruler, end: int) -> None:
        self._ruler = ruler
        self._end = end

    def count(self, length: int) -> int:
        return self._ruler.count(self._end - length, self._end)

    def length_of(self, units: int, ends: UnitEnds) -> int:
        return self._end - ends.end_of(ends.unit_at(self._end - 1) - units)


def _by_estimates(side: _Side, ends: UnitEnds, size: int, most: int) -> tuple[int, int]:
    """A length that fits (0: none was met) and a longer one that does not, from unit ends."""
    low, high, units = 0, most + 1, size
    for _ in range(ADJUSTMENTS):
        length = min(side.length_of(units, ends), most)
        if not low < length < high:
            break
        spare = size - side.count(length)
        low, high = (low, length) if spare < 0 else (length, high)
        if spare == 0 or length == most:
            break
        units += spare
    return low, high


def _by_probes(count: Callable[[int], int], size: int, most: int, guess: int) -> int:
    """The longest of 0 to `most` code points that fits, by interpolation, then bisection."""
    low, high, step, tries = 0, most + 1, FIRST_STEP, 0
    probe = guess
    while high - low > 1:
        probe = min(max(probe, low + 1), high - 1)
        counted = count(probe)
        low, high = (probe, high) if counted <= size else (low, probe)
        tries += 1
        if tries <= STRAIGHT_PROBES:
            probe += (size - counted) * probe // max(counted, 1) or 1
        elif high > most:
            probe, step = low + step, step * 2
        elif low == 0:
            probe, step = high - step, step * 2
        else:
            probe = (low + high) // 2
    return low
