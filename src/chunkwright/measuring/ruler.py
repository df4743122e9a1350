"""A measure laid along a text: counting stretches, and finding how far a size reaches without
measuring the text anew for every cut. Nothing here knows where a good cut is.

Token counts are neither additive nor monotonic (a longer text can have fewer of them): where
tokens end in the whole text only foretells what a stretch of it counts by itself, so what is cut
in the end is counted by itself, once.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from operator import index
from typing import TYPE_CHECKING, Final

from chunkwright.errors import ConfigError
from chunkwright.measuring.exact import Characters, is_exact
from chunkwright.measuring.resolving import MeasureLike, resolve
from chunkwright.types import Measure

if TYPE_CHECKING:
    from chunkwright.measuring.unit_ends import UnitEnds

STRAIGHT_PROBES: Final = 3
"""Probes of a search that trust a steady rate of code points a unit before it bisects."""

REMEMBERED: Final = 65_536
"""Counts of stretches kept, so that what was counted to be cut is not counted again when it has
become a chunk, in texts of up to some 100 MB; then they are forgotten at once."""

FAR: Final = 8
"""Code points a unit beyond which a stretch is not counted whole to learn that it does not fit."""

FURTHER: Final = 8
"""A stretch is not counted where the unit ends put it over a size by an eighth and eight units."""

FIRST_STEP: Final = 8
"""Code points of the first step, then doubled, of a search that has no upper bound yet."""


class Ruler:
    """A measure laid along one text: how much a stretch counts, how far a cap reaches."""

    __slots__ = (
        "_by_length",
        "_counts",
        "_exact",
        "_rate",
        "_units",
        "full",
        "measure",
        "size",
        "text",
    )

    def __init__(self, text: str, measure: MeasureLike, size: int | None) -> None:
        self.text = text
        self.measure = resolve(measure)
        self.size = size
        self.full = size
        """The cap on the text alone: more than `size` where some of it is kept for context."""
        self._exact = self.measure if is_exact(self.measure) else None
        self._by_length = isinstance(self.measure, Characters)
        self._counts: dict[tuple[int, int], int] = {}
        self._rate = (1, 1)
        self._units = _unit_ends(text, self.measure)

    def capped(self, size: int | None) -> Ruler:
        """The same ruler, with what it has measured so far, under a lower cap."""
        other = Ruler(self.text, self.measure, size)
        other.full = self.full
        other._counts, other._units, other._rate = self._counts, self._units, self._rate
        return other

    def count(self, start: int, end: int) -> int:
        """measure.count(text[start:end])."""
        if self._by_length:
            return end - start
        if self._exact:
            return self._exact.count(self.text[start:end])
        counted = self._counts.get((start, end))
        if counted is None:
            if len(self._counts) >= REMEMBERED:
                self._counts.clear()
            counted = self._counts[start, end] = self.count_once(start, end)
        return counted

    def count_once(self, start: int, end: int) -> int:
        """As `count`, for who asks of no stretch twice."""
        if self._units is not None:
            return self._units.count(start, end, self.count_text)
        return self.count_text(self.text[start:end])

    def count_text(self, text: str) -> int:
        """measure.count(text), which must be a whole number: ConfigError where it is not."""
        count: Callable[[str], object] = self.measure.count  # a caller's may give anything
        counted = count(text)
        if isinstance(counted, int) and type(counted) is int and counted >= 0:
            return counted
        try:
            return _whole(counted)
        except (TypeError, ValueError):
            allowed = f"one that counts in whole numbers, 0 or more; it gave {counted!r}"
            raise ConfigError("measure", self.measure.name, allowed) from None

    def fits(self, start: int, end: int, size: int | None = None) -> bool:
        """Whether text[start:end] is at most `size` (default: the ruler's cap; None: no cap).

        The work is bounded by `size`, not by the length of the stretch.
        """
        size = self.size if size is None else size
        if size is None or start >= end:
            return True
        if self._by_length:
            return end - start <= size
        if self._exact:
            if (end - start) * self._exact.most <= size:
                return True
            return size > 0 and self._exact.reach(self.text, start, size) >= end
        if end - start > FAR * size and self._is_far_over(start, end, size):
            return False
        return self.count(start, end) <= size

    def _is_far_over(self, start: int, end: int, size: int) -> bool:
        """Whether a stretch need not be counted whole to learn that it does not fit."""
        if self._units is None or size < 1:
            return self.reach(start, size) < end
        return self._units.reach(start, size + size // FURTHER + FURTHER) < end

    def reach(self, start: int, size: int | None = None) -> int:
        """The furthest end such that text[start:end] fits; `start` where not even one code
        point does. Any code point position: snapping to clusters is the cutter's.

        Of a measure with unit ends it is an estimate, one code point or more, that a count of the
        stretch which is then cut has to confirm (`fits`).
        """
        size = self.size if size is None else size
        most = len(self.text) - start
        if size is None:
            return len(self.text)
        if size < 1 or most < 1:
            return start
        if self._exact:
            return self._exact.reach(self.text, start, size)
        if self._units is not None:
            return self._units.reach(start, size)
        return start + self._longest(size, most, lambda length: self.count(start, start + length))

    def reach_of_cap(self) -> Callable[[int], int]:
        """`reach` under the ruler's cap, in the fewest calls: for who asks it of every cut.

        It is asked for places before the text's end, and may tell of one beyond.
        """
        size = self.size
        if size is None or size < 1:
            return self.reach
        if isinstance(self.measure, Characters):
            return size.__add__
        if self._units is not None:
            return partial(self._units.reach, units=size)
        return self.reach

    def reach_back(self, end: int, size: int, low: int = 0) -> int:
        """The earliest start, not before the cluster boundary `low`, such that text[start:end]
        counts at most `size`; `end` where there is none. As with `reach`, an estimate where a
        measure tells unit ends, to be confirmed by `fits`."""
        if size < 1 or end <= low:
            return end
        if self._exact:
            return self._exact.reach_back(self.text, end, size, low)
        if self._units is not None:
            return max(low, self._units.reach_back(end, size))
        return end - self._longest(size, end - low, lambda length: self.count(end - length, end))

    def along(self, positions: Sequence[int]) -> array[int]:
        """How much of the text stands before each position: roughly, where the measure is not
        exact. Positions are sorted; the first stands at 0."""
        marks = array("q", [0])
        for low, high in pairwise(positions):
            marks.append(marks[-1] + self._roughly(low, high))
        return marks

    def _roughly(self, low: int, high: int) -> int:
        """About what a stretch counts, in the least work."""
        if self._by_length:
            return high - low
        if self._units is not None:
            return self._units.between(low, high)
        return self.count_text(self.text[low:high])

    def _longest(self, size: int, most: int, count: Callable[[int], int]) -> int:
        """Length of the longest stretch of 1 to `most` code points that counts at most `size`
        (the measure may be capricious: one that does fit, about the longest); 0 if none does."""
        length, units = self._rate
        longest = _by_probes(count, size, most, size * length // units)
        if longest:
            self._rate = (longest, size)
        return longest


def _whole(counted: object) -> int:
    """What is a whole number though no int, as numpy's are."""
    number = index(counted)  # type: ignore[arg-type]  # TypeError is what it is asked for
    if number < 0:
        raise ValueError
    return number


def _unit_ends(text: str, measure: Measure) -> UnitEnds | None:
    """The unit ends of a text, where the measure tells them."""
    ends = getattr(measure, "ends", None)
    if not callable(ends):
        return None
    from chunkwright.measuring.unit_ends import UnitEnds

    seams = getattr(measure, "seams", None)
    return UnitEnds(text, ends, seams if isinstance(seams, re.Pattern) else None)


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
