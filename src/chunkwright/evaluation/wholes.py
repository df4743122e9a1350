"""What the cuts left whole, and what the torn pieces lack: symbols, sections, fences, tables, list
items and paragraphs in one chunk; fences that are not closed and rows without their header in
others. What there is to keep is in `structure`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from chunkwright.evaluation.structure import KINDS, Structure, Thing
from chunkwright.types import Chunk, Measure

MARK = 3
"""Characters that open a fence, at least."""


def kept_whole(
    cut: Sequence[tuple[Structure, Sequence[Chunk]]], cap: int | None, measure: Measure
) -> dict[str, float]:
    """For each kind of thing: how many there are, the share in one chunk, and how many do not fit.

    `symbols` counts those that fit a chunk (`cap`, in `measure`) or are whole in one all the same;
    `symbols_whole` is the share of them, 0 to 1, that some chunk holds from end to end, and is left
    out where there are none; `symbols_too_large` counts the others, which no cut could keep whole.
    """
    whole, torn, too_large = (dict.fromkeys(KINDS, 0) for _ in range(3))
    for structure, chunks in cut:
        spans = _Spans(chunks)
        for thing in structure.things:
            if spans.hold(thing):
                whole[thing.kind] += 1
            elif cap is None or measure.count(structure.text[thing.start : thing.end]) <= cap:
                torn[thing.kind] += 1
            else:
                too_large[thing.kind] += 1
    facts: dict[str, float] = {}
    for kind in KINDS:
        count = whole[kind] + torn[kind]
        facts[kind] = count
        if count:
            facts[f"{kind}_whole"] = whole[kind] / count
        facts[f"{kind}_too_large"] = too_large[kind]
    return facts


def balance(cut: Sequence[tuple[Structure, Sequence[Chunk]]]) -> dict[str, float]:
    """`fences_open`: of the chunks with some of a fence, the share whose fence is not opened or not
    closed again. `tables_headless`: of those with rows of a table, the share without its header.

    0 to 1, left out where there are no such chunks. What a chunk carries (`carry`, `carry_after`)
    is part of it, for that is what is embedded and shown.
    """
    facts = {}
    for name, kind, lacks in (
        ("fences_open", "fences", _is_open),
        ("tables_headless", "tables", _is_headless),
    ):
        found = [
            any(lacks(structure.text, chunk, thing) for thing in things)
            for structure, chunks in cut
            for chunk, things in _with(chunks, _outermost(structure.things, kind))
        ]
        if found:
            facts[name] = sum(found) / len(found)
    return facts


class _Spans:
    """Chunks of one document, asked which of them reaches furthest from a place on."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        ordered = sorted((chunk.start, chunk.end) for chunk in chunks)
        self._starts = [start for start, _ in ordered]
        self._reach = list(accumulate((end for _, end in ordered), max))

    def hold(self, thing: Thing) -> bool:
        """Whether one of them holds all of it."""
        at = bisect_right(self._starts, thing.start)
        return at > 0 and self._reach[at - 1] >= thing.end


def _outermost(things: Sequence[Thing], kind: str) -> list[Thing]:
    found: list[Thing] = []
    for thing in things:
        if thing.kind == kind and (not found or thing.start >= found[-1].end):
            found.append(thing)
    return found


def _with(chunks: Sequence[Chunk], things: Sequence[Thing]) -> Iterator[tuple[Chunk, list[Thing]]]:
    """Every chunk that holds some of the things, with these; they do not lie in one another."""
    ends = [thing.end for thing in things]
    starts = [thing.start for thing in things]
    for chunk in chunks:
        first, last = bisect_right(ends, chunk.start), bisect_left(starts, chunk.end)
        if first < last:
            yield chunk, list(things[first:last])


def _is_open(text: str, chunk: Chunk, fence: Thing) -> bool:
    mark = text[fence.start : fence.start + MARK]
    if not fence.body:  # indented code, which nothing opens
        return False
    begins_inside = fence.start < chunk.start and mark not in chunk.carry
    ends_inside = chunk.end < fence.end and mark not in chunk.carry_after
    return begins_inside or ends_inside


def _is_headless(text: str, chunk: Chunk, table: Thing) -> bool:
    """Rows begin at the table's body; its first line is in what a piece carries."""
    if not table.body or chunk.end <= table.body or chunk.start <= table.start:
        return False
    header = text[table.start : table.body].strip().splitlines()[0].strip()
    return header not in chunk.carry
