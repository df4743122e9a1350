"""Which units of a source file share a chunk, where small neighbours may. What fits is told from
outside; how a group over the cap is cut is not decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from chunkwright.characters import WHITE_SPACE
from chunkwright.chunking.units import SYMBOL, Unit

FRAGMENT = 100
"""Code points below which a chunk says too little by itself: it joins a neighbour with room."""

Group = list[Unit]
Fits = Callable[[Sequence[Unit]], bool]


def with_tails(units: Sequence[Unit], text: str, fits: Fits) -> list[Unit]:
    """Units, where a comment indented deeper than the symbol above it has become part of that:
    it stands at the end of its body. Where both do not fit together they stay apart."""
    joined: list[Unit] = []
    for unit in units:
        above = joined[-1] if joined else None
        if above and _is_tail(above, unit, text) and fits([above, unit]):
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


def packed(units: Sequence[Unit], fits: Fits) -> list[Group]:
    """As many neighbours of one scope as fit, in one group; no fragment where that can be."""
    return _without_fragments(_greedy(units, fits), fits)


def by_symbol(units: Sequence[Unit], fits: Fits) -> list[Group]:
    """Each symbol is a group of its own; what lies between is packed."""
    groups: list[Group] = []
    for unit in units:
        apart = not groups or SYMBOL in (unit.kind, groups[-1][-1].kind)
        if apart or not _shares(groups[-1], unit, fits):
            groups.append([])
        groups[-1].append(unit)
    return groups


def _greedy(units: Sequence[Unit], fits: Fits) -> list[Group]:
    groups: list[Group] = []
    for unit in units:
        if not groups or not _shares(groups[-1], unit, fits):
            groups.append([])
        groups[-1].append(unit)
    return groups


def _shares(group: Group, unit: Unit, fits: Fits) -> bool:
    related = unit.scope == group[-1].scope
    return (related or _is_fragment(group) or _is_fragment([unit])) and fits([*group, unit])


def _is_fragment(group: Sequence[Unit]) -> bool:
    return group[-1].end - group[0].start < FRAGMENT


def _without_fragments(groups: list[Group], fits: Fits) -> list[Group]:
    """A group that is a fragment takes a unit from a neighbour, or becomes part of one that has
    to be cut anyway."""
    settled: list[Group] = []
    for number, group in enumerate(groups):
        following = groups[number + 1] if number + 1 < len(groups) else []
        if _is_fragment(group):
            if settled and _lends(settled[-1], -1, group, fits):
                group.insert(0, settled[-1].pop())
            elif _lends(following, 0, group, fits):
                group.append(following.pop(0))
            elif settled and not fits(settled[-1][-1:]):
                settled[-1].extend(group)
                continue
            elif following and not fits(following[:1]):
                following[:0] = group
                continue
        settled.append(group)
    return settled


def _lends(lender: Group, at: int, group: Group, fits: Fits) -> bool:
    """Whether a group can give its first or last unit to a fragment and be none itself."""
    if len(lender) < 2:
        return False
    left, moved = (lender[:-1], [lender[-1], *group]) if at else (lender[1:], [*group, lender[0]])
    return not _is_fragment(left) and not _is_fragment(moved) and fits(moved)
