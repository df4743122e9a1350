"""Times of rival calls, taken so that noise hits all of them alike. What is called is elsewhere."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from itertools import pairwise
from time import perf_counter
from typing import Any

Call = Callable[[], Any]
Make = Callable[[], Call]
"""Prepares a call anew: what it prepares, caches included, is not timed and not kept."""

PARTS = (1 / 200, 1 / 100, 1 / 50, 1 / 20, 1 / 10, 1 / 5, 1 / 2, 1.0)
"""Shares of a text that a slow contestant may be given instead of the whole."""

GROWTH_MARGIN = 1.2
"""How much longer than in proportion a larger part is expected to take."""


def seconds(make: Make) -> float:
    """Time of one call."""
    call = make()
    gc.collect()
    begun = perf_counter()
    result = call()
    taken = perf_counter() - begun
    del result
    return taken


def interleaved(makes: Mapping[str, Make], rounds: int) -> dict[str, float]:
    """The shortest time of each, over rounds in which each is called once: A B C, A B C."""
    set_aside_what_is_loaded()
    best = dict.fromkeys(makes, float("inf"))
    for _ in range(rounds):
        for name, make in makes.items():
            best[name] = min(best[name], seconds(make))
    return best


def part_in_time(make: Callable[[int], Make], length: int, limit: float) -> int:
    """The largest part of a text that a contestant can do within `limit` seconds.

    It grows from the smallest, which also warms the contestant up.
    """
    for share, larger in pairwise(PARTS):
        part = max(int(length * share), 1)
        expected = seconds(make(part)) * larger / share * GROWTH_MARGIN
        if expected > limit:
            return part
    return length


def set_aside_what_is_loaded() -> None:
    """Keep the collector from walking libraries' objects while it runs during a call: the more
    libraries are loaded to compare with, the slower everything that makes objects would be.
    """
    gc.collect()
    gc.freeze()
