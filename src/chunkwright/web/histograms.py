"""Histograms as SVG: shares of values in stretches of equal width, small enough to stand many side
by side. What they show is not decided here.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import ceil
from typing import NamedTuple

from chunkwright.web import ink
from chunkwright.web.ink import TAG_LETTERS
from chunkwright.web.labels import Box, width
from chunkwright.web.plots import SMALL_GAP, Plot, numbers_below
from chunkwright.web.scales import Scale, is_drawable, linear, round_step, written

WIDTH, HEIGHT = 240, 136
"""Of a histogram, in its own units."""

BOX = Box(34.0, 20.0, WIDTH - 12.0, HEIGHT - 38.0)
"""Where the bars are."""

BARS = 24
"""The most bars up to the limit or the last value."""

FAR_OVER = 1.5
"""Limits to which the bars reach at most; a last one holds all that is beyond."""

LONG_TAIL = 4
"""Without a limit the bars reach this often the value that nine in ten do not exceed."""


class Bin(NamedTuple):
    """How many values are over `low` and not over `high`; the last stretch may be endless."""

    low: float
    high: float
    number: int
    endless: bool = False

    def told(self) -> str:
        """What a pointer is told."""
        end = "" if self.endless else f" to {written(self.high)}"
        return f"over {written(self.low)}{end}: {self.number:,}"


def histogram(
    values: Sequence[float],
    *,
    label: str,
    title: str,
    description: str = "",
    limit: tuple[float, str] | None = None,
) -> Plot:
    """Shares of values of 0 and more; a line, with a name, where a limit lies.

    `label` says what the values are.
    """
    found = sorted(value for value in values if is_drawable(value) and value >= 0)
    bars = bins(found, limit[0] if limit else None)
    x = _horizontal(bars, limit)
    share = max((one.number for one in bars), default=1) / max(1, len(found)) * 100
    y = linear([0.0, share], BOX.bottom, BOX.top, marks=5)
    parts = [*_frame(x, y, label), *_bars(bars, x, y, len(found)), *_limit(limit, x)]
    if not found:
        parts.append(ink.text(WIDTH / 2, HEIGHT / 2, "nothing to show", "number tag", "middle"))
    body = "".join(parts)
    return Plot(title=title, description=description, width=WIDTH, height=HEIGHT, body=body)


def bins(rising: Sequence[float], limit: float | None) -> list[Bin]:
    """Sorted values of 0 and more in stretches of equal width. One of them ends at the limit, so
    that a value at the limit is not shown beyond it; the first may be narrower for that."""
    if not rising:
        return []
    usual = limit or _usual(rising)
    step = _width(usual) if limit else max(round_step(usual / BARS), _least(rising))
    first = max(0.0, usual - step * int(usual / step + 1e-9)) if limit else 0.0
    far = min(rising[-1], usual * (FAR_OVER if limit else 1))
    number = max(1, ceil((far - first) / step - 1e-9))
    edges = sorted({0.0, *(first + step * place for place in range(number + 1))})
    counts = [bisect_right(rising, edge) for edge in edges[1:]]
    found = [
        Bin(low, high, after - before)
        for (low, high), before, after in zip(pairwise(edges), [0, *counts], counts, strict=False)
    ]
    beyond = len(rising) - counts[-1]
    return [*found, Bin(edges[-1], edges[-1] + step, beyond, endless=True)] if beyond else found


def _usual(rising: Sequence[float]) -> float:
    """How far most values reach, a long tail left out."""
    return min(rising[-1], LONG_TAIL * rising[(len(rising) - 1) * 9 // 10]) or 1.0


def _least(rising: Sequence[float]) -> float:
    """The least width of a stretch: whole numbers are not halved."""
    return 1.0 if all(float(value).is_integer() for value in rising) else 0.0


def _width(limit: float) -> float:
    """A width of which a limit is a multiple, if it can be."""
    if not float(limit).is_integer():
        return limit / BARS
    whole = (limit / number for number in range(BARS, BARS // 2 - 1, -1) if limit % number == 0)
    return next(whole, float(ceil(limit / BARS)))


def _horizontal(bars: Sequence[Bin], limit: tuple[float, str] | None) -> Scale:
    """From 0 to the last bar or the limit, whichever is farther."""
    high = max([bars[-1].high if bars else 0.0, *([limit[0] * 1.04] if limit else [])]) or 1.0
    ticks = linear([0.0, high], BOX.left, BOX.right).ticks
    return Scale(0.0, high, BOX.left, BOX.right, tuple(tick for tick in ticks if tick <= high))


def _frame(x: Scale, y: Scale, label: str) -> Iterator[str]:
    for tick in y.ticks:
        at = y.at(tick)
        yield ink.stroke([(BOX.left, at), (BOX.right, at)], "grid")
        number = f"{written(tick)}%"
        middle = at + TAG_LETTERS / 3
        yield ink.text(BOX.left - SMALL_GAP, middle, number, "number tag", "end")
    yield ink.stroke([(BOX.left, BOX.bottom), (BOX.right, BOX.bottom)], "axis")
    yield from numbers_below(x, BOX, "number tag")
    yield ink.text((BOX.left + BOX.right) / 2, HEIGHT - 5, label, "tag", "middle")


def _bars(bars: Sequence[Bin], x: Scale, y: Scale, number: int) -> Iterator[str]:
    for one in bars:
        if one.number:
            left, right = x.at(one.low), x.at(one.high)
            top = y.at(one.number / number * 100)
            wide = max(1.0, right - left - 0.8)
            yield ink.bar(left, top, wide, BOX.bottom - top, one.told())


def _limit(limit: tuple[float, str] | None, x: Scale) -> Iterator[str]:
    if limit:
        at, half = x.at(limit[0]), width(limit[1], TAG_LETTERS) / 2
        yield ink.stroke([(at, BOX.top), (at, BOX.bottom)], "limit")
        middle = max(half, min(at, WIDTH - half - 2))
        yield ink.text(middle, BOX.top - 6, limit[1], "limit-name tag", "middle")
