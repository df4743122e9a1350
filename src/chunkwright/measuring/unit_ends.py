"""Where the units of a text end, as far as anyone asked: what a measure with `ends` says of it,
piece by piece. What a ruler makes of that is not here.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Sequence

import numpy as np

PIECE = 65_536
"""Code points given at once to `Measure.ends`: bounds what one unbroken run can cost."""

PIECE_TAIL = 1_024
"""Code points before a piece's end in which a seam or white space is looked for, to end there."""

NEAR_AN_END = 64
"""Code points from the ends of a stretch within which its first and last seams are looked for."""

MOST_INT = 2**31
"""Code points from which on a place takes eight bytes; below, half of that."""

Find = Callable[[str, int, int], re.Match[str] | None]


class UnitEnds:
    """Where every unit of a text ends, measured piece by piece, as far as is asked for."""

    __slots__ = ("_ends", "_first_seam", "_last_seam", "_measured", "_of_piece", "_rough", "_text")

    def __init__(
        self,
        text: str,
        ends: Callable[[str], Sequence[int]],
        seams: re.Pattern[str] | None = None,
    ) -> None:
        self._text = text
        self._of_piece = ends
        self._ends = array("i" if len(text) < MOST_INT else "q")
        self._measured = 0
        self._first_seam = seams.search if seams else None
        self._last_seam = re.compile(f"(?s:.*)(?:{seams.pattern})").match if seams else None
        self._rough = [0]
        """Where pieces begin that do not begin at a seam: units near by may not be the text's."""

    def reach(self, start: int, units: int) -> int:
        """Where the last of so many units ends that begin with the one around `start`: the text's
        end where there are no more. `units` is 1 or more."""
        last = self._unit_at(start) + units - 1
        ends = self._ends
        while len(ends) <= last and self._measure_more():
            pass
        return ends[last] if last < len(ends) else len(self._text)

    def reach_back(self, end: int, units: int) -> int:
        """Where the first of so many units begins that end with the one around `end` - 1."""
        before = self._unit_at(end - 1) - units
        return self._ends[before] if before >= 0 else 0

    def count(self, start: int, end: int, count: Callable[[str], int]) -> int:
        """`count` of text[start:end], of which it is given what is before the first seam and after
        the last: in between, units are those of the whole text."""
        text = self._text
        first = self._seam(self._first_seam, start, min(start + NEAR_AN_END, end))
        last = self._seam(self._last_seam, max(end - NEAR_AN_END, first), end)
        if 0 <= first < last:
            before, after = self._units_until(first), self._units_until(last)
            rough = self._rough
            is_smooth = bisect_right(rough, first) == bisect_right(rough, last)
            if is_smooth and self._ends[before - 1] == first and self._ends[after - 1] == last:
                return count(text[start:first]) + after - before + count(text[last:end])
        return count(text[start:end])

    def between(self, low: int, high: int) -> int:
        """How many units of the whole text end in low < end <= high."""
        return self._units_until(high) - self._units_until(low)

    def _seam(self, find: Find | None, low: int, high: int) -> int:
        """Where the seam is that `find` finds; -1 where it finds none."""
        match = find(self._text, low, high) if find else None
        return match.end() if match else -1

    def _units_until(self, position: int) -> int:
        """Number of units that end at or before `position`."""
        while self._measured < position and self._measure_more():
            pass
        return bisect_right(self._ends, position)

    def _unit_at(self, position: int) -> int:
        """Number of the first unit that ends after `position`."""
        while self._measured <= position and self._measure_more():
            pass
        return bisect_right(self._ends, position)

    def _measure_more(self) -> bool:
        start = self._measured
        if start >= len(self._text):
            return False
        self._measured = self._piece_end(start)
        piece = self._text[start : self._measured]
        ends = np.asarray(self._of_piece(piece))
        placed = np.add(ends, start, dtype=f"i{self._ends.itemsize}", casting="unsafe")
        self._ends.frombytes(placed.view(np.uint8).data)
        return True

    def _piece_end(self, start: int) -> int:
        end = start + PIECE
        if end >= len(self._text):
            return len(self._text)
        seam = self._seam(self._last_seam, end - PIECE_TAIL, end)
        if seam >= 0:
            return seam
        tail = self._text[end - PIECE_TAIL : end]
        breaks = max(tail.rfind(" "), tail.rfind("\n"))
        end = end - PIECE_TAIL + breaks if breaks > 0 else end
        self._rough.append(end)
        return end
