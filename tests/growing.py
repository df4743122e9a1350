"""How the time of a piece of work grows with its input: what regular expressions and grammars do
inside cannot be counted in lines executed. Only ratios are looked at, never seconds.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

TIMES = 4
"""How much longer the longer input is."""

WORST = 8.0
"""Growth that is still taken for linear: linear is 4, quadratic 16."""

SUSPECT = 6.0
"""Growth from which on it is measured again."""

ATTEMPTS = 10
"""Further measurements of which the fastest count: what else a machine does makes none faster."""


def grows_too_fast(make: Callable[[int], Callable[[], object]], small: int) -> float:
    """Growth of the work that `make` gives for a length, from `small` to four times as much, where
    that is too much; else 0."""
    little, much = make(small), make(small * TIMES)
    first, second = seconds(little), seconds(much)
    for _ in range(ATTEMPTS):
        if second <= SUSPECT * first:
            return 0
        first, second = min(first, seconds(little)), min(second, seconds(much))
    return second / first if second > WORST * first else 0


def seconds(run: Callable[[], object]) -> float:
    """Of this process, not of the clock."""
    start = process_time()
    run()
    return max(1e-9, process_time() - start)
