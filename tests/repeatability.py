"""The promises that take several runs to see: STABLE (the same again, elsewhere, later) and LINEAR
(work and memory counted at three sizes). No clock is read: counts are the same on every machine.
"""

from __future__ import annotations

import gc
import pickle
import sys
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from types import FrameType
from typing import Any

import msgspec

from chunkwright import Block, Chunking, Document
from trial import Cutter, Violation

WORST_GROWTH = 2.5
"""How much twice the input may cost: 2 for linear work, 4 for quadratic."""

Identity = tuple[str, str, int]


def check_stable(
    cutter: Cutter, document: Document, blocks: Sequence[Block] | None = None
) -> Iterator[Violation]:
    """The same twice and after pickling; ids know nothing of the commit or of lines above."""
    first = cutter.chunk(document, blocks)
    if _differ(first, cutter.chunk(document, blocks)):
        yield Violation("STABLE", None, "cuts otherwise the second time")
    copy = pickle.loads(pickle.dumps(cutter))  # noqa: S301  # our own, from the line itself
    if _differ(first, copy.chunk(document, blocks)):
        yield Violation("STABLE", None, "cuts otherwise after pickling")
    committed = cutter.chunk(msgspec.structs.replace(document, commit="c0ffee"), blocks)
    if _ids(committed) != _ids(first):
        yield Violation("STABLE", None, "ids depend on the commit")
    if blocks is None:
        yield from _check_moved(cutter, document, first)


def _check_moved(cutter: Cutter, document: Document, first: Chunking) -> Iterator[Violation]:
    moved = cutter.chunk(msgspec.structs.replace(document, text="\n" + document.text))
    before = _ids_by_identity(first)
    for identity, own in _ids_by_identity(moved).items():
        if before.get(identity, own) != own:
            yield Violation("STABLE", None, f"a line above gave {identity[1][:30]!r} another id")


def _differ(one: Chunking, other: Chunking) -> bool:
    return one != other or _ids(one) != _ids(other)


def _ids(chunking: Chunking) -> list[str]:
    return [chunk.id for chunk in chunking]


def _ids_by_identity(chunking: Chunking) -> dict[Identity, str]:
    return {(chunk.kind, chunk.text, chunk.occurrence): chunk.id for chunk in chunking}


class CountingMeasure:
    """Code points, and how many of them it was asked to look at."""

    name = "counting"

    def __init__(self) -> None:
        self.looked_at = 0

    def count(self, text: str) -> int:
        self.looked_at += len(text)
        return len(text)


def count_steps(work: Callable[[], object]) -> int:
    """How many lines of Python the work executes."""
    steps = 0

    def trace(_frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal steps
        steps += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return steps


MEMORY_RUNS = 3
"""When the interpreter collects garbage, and when a table of its own grows, is not the work's
doing: the least of a few runs is."""


def count_memory(work: Callable[[], object]) -> int:
    """The most bytes the work holds at once."""
    return min(_held(work) for _ in range(MEMORY_RUNS))


def _held(work: Callable[[], object]) -> int:
    gc.collect()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def check_linear(
    make: Callable[[CountingMeasure], Cutter], text: str, path: str = ""
) -> Iterator[Violation]:
    """Twice and four times the text cost at most 2.5 times as much, in each of three meters."""
    counting = CountingMeasure()
    cutter = make(counting)
    sizes = [Document(text * times, path) for times in (1, 2, 4)]
    cutter.chunk(sizes[0])  # imports and caches are not the text's cost

    def looked_at(document: Document) -> int:
        counting.looked_at = 0
        cutter.chunk(document)
        return counting.looked_at

    meters: dict[str, Callable[[Document], int]] = {
        "lines executed": lambda document: count_steps(lambda: cutter.chunk(document)),
        "bytes held": lambda document: count_memory(lambda: cutter.chunk(document)),
        "code points measured": looked_at,
    }
    for unit, meter in meters.items():
        costs = [meter(document) for document in sizes]
        if any(later > WORST_GROWTH * earlier for earlier, later in pairwise(costs)):
            yield Violation("LINEAR", None, f"{unit} grow {costs[0]}, {costs[1]}, {costs[2]}")
