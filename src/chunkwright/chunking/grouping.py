"""Which units of a source file share a chunk, where small neighbours may. What fits is told from
outside; how a unit over the cap is cut is not decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from chunkwright.characters import WHITE_SPACE
from chunkwright.chunking.units import COMMENT, IMPORT, SYMBOL, Unit

FRAGMENT: Final = 100
"""Code points below which a chunk says too little by itself."""

Group = list[Unit]
Fits = Callable[[Sequence[Unit]], bool]

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


def with_tails(units: Sequence[Unit], text: str, fits: Fits) -> list[Unit]:
    """Units, where a comment indented deeper than the symbol above it has become part of that:
    it stands at the end of its body. Where both do not fit together they stay apart."""
    joined: list[Unit] = []
    for unit in units:
        above = joined[-1] if joined else None
        if above is not None and _is_tail(above, unit, text) and fits([above, unit]):
            above.end = unit.end
        else:
            joined.append(unit)
    return joined


def _is_tail(above: Unit, unit: Unit, text: str) -> bool:
    if above.block is None or unit.block is not None or above.scope != unit.scope:
        return False
    return above.end >= above.block.end and _indent(unit, text) > _indent(above, text)


def _indent(unit: Unit, text: str) -> int:
    line = text[unit.start : unit.end]
    return len(line) - len(line.lstrip(WHITE_SPACE))


def by_symbol(units: Sequence[Unit], fits: Fits) -> list[Group]:
    """Each symbol is a group of its own; what lies between is packed."""
    groups: list[Group] = []
    between: list[Unit] = []
    for unit in units:
        if unit.kind == SYMBOL:
            groups += packed(between, fits)
            between = []
            groups.append([unit])
        else:
            between.append(unit)
    return groups + packed(between, fits)


def packed(units: Sequence[Unit], fits: Fits) -> list[Group]:
    """As few groups as can be, none of them a fragment where that can be, each within one scope;
    among those, the groups most even. Every unit that does not fit alone is a group, with at most
    a fragment on either side.

    The cheapest of all ways to cut the row, by the costs above: a dynamic programme over where
    the last group begins.
    """
    if not units:
        return []
    if fits(units):
        return [list(units)]
    groups: list[Group] = []
    for start, end in _cheapest(units, fits):
        group = list(units[start:end])
        # What fits is told for the largest groups: a measure need not be monotonic.
        fine = (
            len(group) == 1
            or fits(group)
            or _joins_one_over(group, [fits([unit]) for unit in group])
        )
        groups += [group] if fine else _one_by_one(group, fits)
    return groups


def _cheapest(units: Sequence[Unit], fits: Fits) -> list[tuple[int, int]]:
    """Where each group begins and ends, as numbers of units."""
    count = len(units)
    firsts = _furthest(units, fits)
    alone = [fits(units[number : number + 1]) for number in range(count)]
    longest = max(units[end].end - units[firsts[end]].start for end in range(count))
    changes = _changes(units)
    best: list[float] = [0.0] * (count + 1)
    begins: list[int] = [0] * (count + 1)
    for end in range(1, count + 1):
        last = units[end - 1]
        tail = COMMENT_LAST if last.kind == COMMENT and end < count else 0
        lowest, begin = -1.0, end - 1
        first = firsts[end - 1]
        for start in _candidates(first, end, changes):
            length = last.end - units[start].start
            missing = 1 - length / longest if alone[end - 1] else 0.0
            cost = best[start] + A_CHUNK + tail + UNEVEN * missing * missing
            cost += TWO_SCOPES * (changes[end - 1] - changes[start])
            if length < FRAGMENT:
                cost += A_FRAGMENT
            if start and units[start].kind == IMPORT == units[start - 1].kind:
                cost += IMPORTS_APART
            if lowest < 0 or cost < lowest:
                lowest, begin = cost, start
        for start in range(end - 2, max(end - 4, -1), -1):
            if _joins_one_over(units[start:end], alone[start:end]):
                cost = best[start] + A_CHUNK + INTO_PARTS * (end - start - 1) + tail
                cost += TWO_SCOPES * (changes[end - 1] - changes[start])
                if cost < lowest:
                    lowest, begin = cost, start
        best[end], begins[end] = lowest, begin
    return _ways(begins, count)


def _ways(begins: Sequence[int], count: int) -> list[tuple[int, int]]:
    """The groups, first to last, from where the one that ends at each place begins."""
    groups: list[tuple[int, int]] = []
    end = count
    while end:
        groups.append((begins[end], end))
        end = begins[end]
    groups.reverse()
    return groups


def _furthest(units: Sequence[Unit], fits: Fits) -> list[int]:
    """For each unit, the first of the longest group that ends with it and fits."""
    firsts: list[int] = []
    first = 0
    for last in range(len(units)):
        while first < last and not fits(units[first : last + 1]):
            first += 1
        firsts.append(first)
    return firsts


def _changes(units: Sequence[Unit]) -> list[int]:
    """For each unit, how often the scope has changed up to it."""
    changes = [0]
    for number in range(1, len(units)):
        changes.append(changes[-1] + (units[number].scope != units[number - 1].scope))
    return changes


def _candidates(first: int, end: int, changes: Sequence[int]) -> list[int]:
    """Where a group before `end` may begin: the furthest places, and the last one that keeps it
    within its scope."""
    furthest = list(range(first, min(end, first + CANDIDATES)))
    if end - first <= CANDIDATES:
        return furthest
    scope = end - 1
    while scope > first + CANDIDATES and changes[scope - 1] == changes[end - 1]:
        scope -= 1
    return [*furthest, scope, end - 1] if scope < end - 1 else [*furthest, end - 1]


def _joins_one_over(group: Sequence[Unit], alone: Sequence[bool]) -> bool:
    """Whether units are one that has to be cut, and fragments that join it."""
    if sum(alone) != len(group) - 1:
        return False
    return all(
        unit.end - unit.start < FRAGMENT for unit, fits in zip(group, alone, strict=True) if fits
    )


def _one_by_one(units: Sequence[Unit], fits: Fits) -> list[Group]:
    """Groups that fit, each as long as can be."""
    groups: list[Group] = []
    for unit in units:
        if not groups or not fits([*groups[-1], unit]):
            groups.append([])
        groups[-1].append(unit)
    return groups
