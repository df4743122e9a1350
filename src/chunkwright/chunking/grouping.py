"""Which units of a source file share a chunk, where small neighbours may. What fits is told from
outside; how a unit over the cap is cut is not decided here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from chunkwright.characters import INK
from chunkwright.chunking.units import COMMENT, IMPORT, SYMBOL, Unit

FRAGMENT: Final = 100
"""Code points below which a chunk says too little by itself."""

Group = list[Unit]


class Fitting:
    """What tells whether units fit a chunk together."""

    def fits(self, units: list[Unit], first: int, after: int) -> bool:
        """Whether units[first:after] do."""
        raise NotImplementedError


A_CHUNK: Final = 1000
"""What each chunk costs. The costs below are measured against it."""

A_FRAGMENT: Final = 1000
"""A chunk below FRAGMENT."""

TWO_SCOPES: Final = 1500
"""A chunk over the border of a class or another opened scope: worth it only to save a fragment."""

INTO_PARTS: Final = 300
"""A fragment that joins a unit which has to be cut."""

COMMENT_LAST: Final = 200
"""A comment parted from what follows it."""

IMPORTS_APART: Final = 200
"""Imports in two chunks."""

UNEVEN: Final = 100
"""A chunk that is all but empty, by the square of what is missing."""

CANDIDATES: Final = 64
"""Places where a group may begin that are looked at, from the furthest on: work is linear."""


def with_tails(units: Sequence[Unit], text: str, fitting: Fitting) -> list[Unit]:
    """Units, where a comment indented deeper than the symbol above it has become part of that:
    it stands at the end of its body. Where both do not fit together they stay apart."""
    joined: list[Unit] = []
    for unit in units:
        above = joined[-1] if joined else None
        if above is not None and _is_tail(above, unit, text) and fitting.fits([above, unit], 0, 2):
            above.end = unit.end
        else:
            joined.append(unit)
    return joined


def _is_tail(above: Unit, unit: Unit, text: str) -> bool:
    if above.block is None or unit.block is not None or above.scope != unit.scope:
        return False
    return above.end >= above.block.end and _indent(unit, text) > _indent(above, text)


def _indent(unit: Unit, text: str) -> int:
    ink = INK.search(text, unit.start, unit.end)
    return (ink.start() if ink else unit.end) - unit.start


def by_symbol(units: Sequence[Unit], fitting: Fitting) -> list[Group]:
    """Each symbol is a group of its own; what lies between is packed."""
    groups: list[Group] = []
    between: list[Unit] = []
    for unit in units:
        if unit.kind == SYMBOL:
            groups += packed(between, fitting)
            between = []
            groups.append([unit])
        else:
            between.append(unit)
    return groups + packed(between, fitting)


def packed(units: list[Unit], fitting: Fitting) -> list[Group]:
    """As few groups as can be, none of them a fragment where that can be, each within one scope;
    among those, the groups most even. Every unit that does not fit alone is a group, with at most
    a fragment on either side.

    The cheapest of all ways to cut the row, by the costs above: a dynamic programme over where
    the last group begins.
    """
    if not units:
        return []
    if fitting.fits(units, 0, len(units)):
        return [units]
    alone = [fitting.fits(units, number, number + 1) for number in range(len(units))]
    groups: list[Group] = []
    for start, end in _cheapest(units, alone, fitting):
        # What fits was told for the largest groups: a measure need not be monotonic.
        if (
            end - start == 1
            or fitting.fits(units, start, end)
            or _joins_one_over(units, alone, start, end)
        ):
            groups.append(units[start:end])
        else:
            groups += _one_by_one(units, start, end, fitting)
    return groups


def _cheapest(units: list[Unit], alone: list[bool], fitting: Fitting) -> list[tuple[int, int]]:
    """Where each group begins and ends, as numbers of units."""
    count = len(units)
    firsts = _furthest(units, fitting)
    longest = max([units[end].end - units[firsts[end]].start for end in range(count)])
    changes = _changes(units)
    starts = [unit.start for unit in units]
    fits_all = all(alone)
    best: list[float] = [0.0]
    """The cost of all chunks up to a unit."""
    opened: list[float] = []
    """The same, with what one that begins with this unit costs wherever it ends."""
    begins: list[int] = [0]
    for end in range(1, count + 1):
        last = units[end - 1]
        last_end, scope, is_whole = last.end, changes[end - 1], alone[end - 1]
        tail = COMMENT_LAST if last.kind == COMMENT and end < count else 0
        opened.append(best[end - 1] + A_CHUNK + _imports_apart(units, end - 1))
        lowest, begin = -1.0, end - 1
        for start in _candidates(firsts[end - 1], end, changes):
            length = last_end - starts[start]
            cost = opened[start] + tail
            if is_whole:
                missing = 1 - length / longest
                cost += UNEVEN * missing * missing
            if changes[start] != scope:
                cost += TWO_SCOPES * (scope - changes[start])
            if length < FRAGMENT:
                cost += A_FRAGMENT
            if lowest < 0 or cost < lowest:
                lowest, begin = cost, start
        for start in range(end - 2, max(end - 4, -1), -1):
            if not fits_all and _joins_one_over(units, alone, start, end):
                cost = best[start] + A_CHUNK + INTO_PARTS * (end - start - 1) + tail
                cost += TWO_SCOPES * (scope - changes[start])
                if cost < lowest:
                    lowest, begin = cost, start
        best.append(lowest)
        begins.append(begin)
    return _ways(begins, count)


def _imports_apart(units: list[Unit], start: int) -> int:
    """What it costs to begin a chunk between imports."""
    apart = start and units[start].kind == IMPORT and units[start - 1].kind == IMPORT
    return IMPORTS_APART if apart else 0


def _ways(begins: list[int], count: int) -> list[tuple[int, int]]:
    """The groups, first to last, from where the one that ends at each place begins."""
    groups: list[tuple[int, int]] = []
    end = count
    while end:
        groups.append((begins[end], end))
        end = begins[end]
    groups.reverse()
    return groups


def _furthest(units: list[Unit], fitting: Fitting) -> list[int]:
    """For each unit, the first of the longest group that ends with it and fits."""
    firsts: list[int] = []
    first = 0
    for last in range(len(units)):
        while first < last and not fitting.fits(units, first, last + 1):
            first += 1
        firsts.append(first)
    return firsts


def _changes(units: list[Unit]) -> list[int]:
    """For each unit, how often the scope has changed up to it."""
    changes = [0]
    for number in range(1, len(units)):
        changes.append(changes[-1] + (units[number].scope != units[number - 1].scope))
    return changes


def _candidates(first: int, end: int, changes: list[int]) -> Sequence[int]:
    """Where a group before `end` may begin: the furthest places, and the last one that keeps it
    within its scope."""
    if end - first <= CANDIDATES:
        return range(first, end)
    furthest = range(first, first + CANDIDATES)
    scope = end - 1
    while scope > first + CANDIDATES and changes[scope - 1] == changes[end - 1]:
        scope -= 1
    return [*furthest, scope, end - 1] if scope < end - 1 else [*furthest, end - 1]


def _joins_one_over(units: list[Unit], alone: list[bool], start: int, end: int) -> bool:
    """Whether units are one that has to be cut, and fragments that join it."""
    over = 0
    for number in range(start, end):
        if not alone[number]:
            over += 1
        elif units[number].end - units[number].start >= FRAGMENT:
            return False
    return over == 1


def _one_by_one(units: list[Unit], start: int, end: int, fitting: Fitting) -> list[Group]:
    """Groups that fit, each as long as can be."""
    groups: list[Group] = []
    first = start
    for last in range(start + 1, end + 1):
        if last == end or not fitting.fits(units, first, last + 1):
            groups.append(units[first:last])
            first = last
    return groups
