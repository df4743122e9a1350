"""From numbers to places on paper: scales, the round numbers marked on them, and how a number is
written. Nothing is drawn here.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, floor, isfinite, log10
from typing import NamedTuple

LARGEST = 1e15
"""What is drawn lies between this and its negative: beyond it differences drown in rounding."""

SMALLEST = 1e-12
"""Differences below this are not told apart."""

ROUND = (1, 2, 5)
"""Steps, times a power of ten, that people count in."""

LOGARITHMIC_FROM = 6.0
"""The largest over the least from which a logarithmic scale shows more than a linear one."""

CROWDED = 8
"""Marks on a logarithmic axis above which only powers of ten are marked."""

MARGIN = 0.04
"""Share of a logarithmic scale left free at each end, so that no mark is cut in half."""


class Scale(NamedTuple):
    """A range of numbers laid on a range of places, both from the first to the last."""

    low: float
    high: float
    start: float
    end: float
    ticks: tuple[float, ...]
    """Round numbers within the range, rising."""
    logarithmic: bool = False

    def marks(self) -> list[str]:
        """The ticks as they are written: on a linear scale with as many decimals each."""
        if self.logarithmic:
            return [written(tick) for tick in self.ticks]
        decimals = max((len(f"{tick:.12g}".partition(".")[2]) for tick in self.ticks), default=0)
        return [f"{tick:,.{decimals}f}" for tick in self.ticks]

    def at(self, value: float) -> float:
        """The place of a number."""
        low, high = self.low, self.high
        if self.logarithmic:
            low, high, value = log10(low), log10(high), log10(value)
        return self.start + (value - low) / (high - low) * (self.end - self.start)


def is_drawable(value: float | None) -> bool:
    """Whether a number has a place: neither missing nor endless."""
    return value is not None and isfinite(value) and abs(value) <= LARGEST


def linear(values: Iterable[float], start: float, end: float, *, marks: int = 6) -> Scale:
    """A scale from the round number below all values to the one above, about `marks` marked."""
    low, high = _range(values)
    step = round_step((high - low) / (marks - 1))
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    ticks = tuple(_exact(number, step) for number in range(first, last + 1))
    return Scale(ticks[0], ticks[-1], start, end, ticks)


def logarithmic(values: Iterable[float], start: float, end: float) -> Scale:
    """A scale on which equal ratios are equally far; a linear one where values are too near each
    other, or not above 0, for it to make sense."""
    found = [*values]
    low, high = _range(found)
    if low <= SMALLEST or high / low < LOGARITHMIC_FROM:
        return linear(found, start, end)
    spare = (high / low) ** MARGIN
    low, high = low / spare, high * spare
    return Scale(low, high, start, end, _log_ticks(low, high), logarithmic=True)


def written(value: float) -> str:
    """A number for a person: thousands apart, no more digits than it needs."""
    if value == 0 or not isfinite(value):
        return "0" if value == 0 else "–"
    if abs(value) >= LARGEST:
        return f"{value:.3g}"
    digits = max(0, 2 - floor(log10(abs(value))))
    text = f"{value:,.{digits}f}" if digits < 7 else f"{value:.2g}"
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text


def round_step(least: float) -> float:
    """The smallest of 1, 2 and 5 times the powers of ten that is at least so much."""
    power = 10.0 ** floor(log10(max(least, SMALLEST)))
    return next((power * step for step in ROUND if power * step >= least * (1 - 1e-9)), power * 10)


def _range(values: Iterable[float]) -> tuple[float, float]:
    """The least and the largest; a range around the one value, or of 0 to 1 without any."""
    found = [*values] or [0.0, 1.0]
    low, high = min(found), max(found)
    if high - low > max(SMALLEST, max(abs(low), abs(high)) * 1e-9):
        return low, high
    around = abs(low) / 2 if abs(low) > SMALLEST else 0.5
    return low - around, high + around


def _exact(number: int, step: float) -> float:
    """A multiple of a step without the dust of floating point."""
    return float(f"{number * step:.12g}")


def _log_ticks(low: float, high: float) -> tuple[float, ...]:
    """1, 2 and 5 times each power of ten, or some of the powers where those are many."""
    powers = range(floor(log10(low)), ceil(log10(high)) + 1)
    every = [float(f"{step}e{power}") for power in powers for step in ROUND]
    ticks = [tick for tick in every if low <= tick <= high]
    if len(ticks) > CROWDED:
        ticks = [tick for tick in (10.0**power for power in powers) if low <= tick <= high]
    return tuple(ticks[:: ceil(len(ticks) / CROWDED)])
