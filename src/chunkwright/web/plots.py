"""Plots as SVG: series of points with intervals, joined or not. What they show is not decided here
(nor are histograms drawn); nothing is run by them or read from elsewhere.

A `Plot` becomes part of a page by `inline` and a file of its own by `standalone`; its colours
follow the reader's choice of light or dark in both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from chunkwright.web import ink
from chunkwright.web.ink import LETTERS, STYLE, TAG_LETTERS
from chunkwright.web.labels import Box, beside, free, rows, shortened, spread, width
from chunkwright.web.markup import COLOURS, escaped
from chunkwright.web.scales import Scale, is_drawable, linear, logarithmic

WIDTH, HEIGHT = 440, 330
"""Of a plot without its legend, in its own units: on a narrow telephone four fifths of a CSS
pixel each, so that its letters are of 10 pixels there."""

LONGEST_NAME = 18
"""Letters of a series' name up to which it may stand beside the end of its line."""

MOST_NAMES = 8
"""Lines that are named at their ends; more of them, or longer names, have a legend."""

ROW = 18
"""From one label to the next below it."""

HEAD_ROOM, FOOT_ROOM = 30, 46
"""Above and below the marks: for the label of the vertical axis, for numbers and label of the
horizontal one."""

RIGHT_ROOM = 20
"""Beside the marks, for half of the last number, where no names stand there."""

SMALL_GAP = 6
"""Between an axis and its numbers, a mark and its tag."""

NAME_INDENT = 16
"""From the left edge of a mark in a label to the name."""

MARK_REACH = 5.0
"""From the middle of a mark to its edge."""

BOLDER = 1.08
"""Width of a name over that of the same letters not in bold."""


class Point(msgspec.Struct, frozen=True, kw_only=True):
    """A mark, and how far it may be off."""

    x: float
    y: float
    x_interval: tuple[float, float] | None = None
    y_interval: tuple[float, float] | None = None
    about: str = ""
    """What a pointer resting on it is told."""
    tag: str = ""
    """Shown beside it where there is room."""


class Series(msgspec.Struct, frozen=True):
    """Points of one kind, in the order in which a line goes through them.

    Its place among the others decides on its mark: give one without points to keep that place.
    """

    name: str
    points: tuple[Point, ...]


class Axis(msgspec.Struct, frozen=True):
    """What is measured along an edge."""

    label: str
    ratios: bool = False
    """Whether equal ratios lie equally far, where values differ enough. Horizontal axes only."""


class Plot(msgspec.Struct, frozen=True, kw_only=True):
    """A drawn plot, without what depends on where it is shown."""

    title: str
    description: str
    """For who does not see it."""
    width: float
    height: float
    body: str


class _Area(NamedTuple):
    """Where the marks are, and what places there mean."""

    box: Box
    x: Scale
    y: Scale

    def at(self, point: Point) -> tuple[float, float]:
        return self.x.at(point.x), self.y.at(point.y)


def lines(series: Sequence[Series], *, x: Axis, y: Axis, title: str, description: str = "") -> Plot:
    """A line for each series through its points, with bars for their intervals."""
    shown = [_drawable(one) for one in series]
    named = sum(bool(one.points) for one in shown) <= MOST_NAMES
    if not named or max((len(one.name) for one in shown), default=0) > LONGEST_NAME:
        return _with_legend(shown, x, y, (title, description), joined=True)
    longest = max((width(one.name, LETTERS) for one in shown), default=0.0)
    area = _area(shown, x, NAME_INDENT + 2 * SMALL_GAP + longest * BOLDER)
    parts = [*_frame(area, x, y), *_marks(shown, area, joined=True), *_names(shown, area)]
    return _plot(shown, parts, (title, description), HEIGHT)


def scatter(
    series: Sequence[Series], *, x: Axis, y: Axis, title: str, description: str = ""
) -> Plot:
    """The points of each series with bars for their intervals, tags where there is room, and a
    legend."""
    shown = [_drawable(one) for one in series]
    return _with_legend(shown, x, y, (title, description), joined=False)


def inline(plot: Plot, key: str) -> str:
    """An element of a page that has `COLOURS` and `STYLE`; `key` tells its ids from others'."""
    return _element(plot, escaped(key), "", "")


def standalone(plot: Plot) -> str:
    """A file of its own, on a ground of its own."""
    size = f'width="{plot.width:g}" height="{plot.height:g}"'
    ground = f'<style>{COLOURS}{STYLE}</style><rect class="ground" {size}/>'
    return _element(plot, "plot", f' xmlns="http://www.w3.org/2000/svg" {size}', ground) + "\n"


def _element(plot: Plot, key: str, attributes: str, before: str) -> str:
    return (
        f'<svg class="plot" viewBox="0 0 {plot.width:g} {plot.height:g}" role="img"'
        f' aria-labelledby="{key}-title {key}-about"{attributes}>'
        f'<title id="{key}-title">{escaped(plot.title)}</title>'
        f'<desc id="{key}-about">{escaped(plot.description)}</desc>'
        f"{before}{plot.body}</svg>"
    )


def _plot(
    shown: Sequence[Series], parts: Sequence[str], words: tuple[str, str], height: float
) -> Plot:
    title, description = words
    if not any(series.points for series in shown):
        parts = [*parts, ink.text(WIDTH / 2, HEIGHT / 2, "nothing to show", "number", "middle")]
    body = "".join(parts)
    return Plot(title=title, description=description, width=WIDTH, height=height, body=body)


def _with_legend(
    shown: Sequence[Series], x: Axis, y: Axis, words: tuple[str, str], *, joined: bool
) -> Plot:
    area = _area(shown, x, RIGHT_ROOM)
    legend, height = _legend(shown)
    parts = [*_frame(area, x, y), *_marks(shown, area, joined=joined), *legend]
    return _plot(shown, parts, words, HEIGHT + height)


def _drawable(series: Series) -> Series:
    """A series without what has no place: points that miss a coordinate, endless intervals."""
    points = tuple(
        msgspec.structs.replace(
            point, x_interval=_interval(point.x_interval), y_interval=_interval(point.y_interval)
        )
        for point in series.points
        if is_drawable(point.x) and is_drawable(point.y)
    )
    return Series(series.name, points)


def _interval(ends: tuple[float, float] | None) -> tuple[float, float] | None:
    return ends if ends and all(map(is_drawable, ends)) else None


def _area(shown: Sequence[Series], x: Axis, right_room: float) -> _Area:
    points = [point for series in shown for point in series.points]
    top, bottom = float(HEAD_ROOM), float(HEIGHT - FOOT_ROOM)
    heights = [value for point in points for value in (point.y, *(point.y_interval or ()))]
    vertical = linear(heights, bottom, top)
    numbers = max(width(mark, LETTERS) for mark in vertical.marks())
    left, right = numbers + 2 * SMALL_GAP, WIDTH - right_room
    places = [value for point in points for value in (point.x, *(point.x_interval or ()))]
    horizontal = (logarithmic if x.ratios else linear)(places, left, right)
    return _Area(Box(left, top, right, bottom), horizontal, vertical)


def _frame(area: _Area, x: Axis, y: Axis) -> Iterator[str]:
    """Both axes: lines of the grid, numbers, labels."""
    box = area.box
    for tick, number in zip(area.y.ticks, area.y.marks(), strict=True):
        at = area.y.at(tick)
        yield ink.stroke([(box.left, at), (box.right, at)], "grid")
        yield ink.text(box.left - SMALL_GAP, at + LETTERS / 3, number, "number", "end")
    yield ink.stroke([(box.left, box.bottom), (box.right, box.bottom)], "axis")
    yield from numbers_below(area.x, box)
    room = WIDTH - 2 * SMALL_GAP
    yield ink.text(1, LETTERS + 2, shortened(y.label, room, LETTERS), "label")
    label = shortened(x.label, room, LETTERS)
    middle = max((box.left + box.right) / 2, width(label, LETTERS) / 2 + SMALL_GAP)
    yield ink.text(middle, box.bottom + 2.9 * LETTERS, label, "label", "middle")


def numbers_below(scale: Scale, box: Box, style: str = "number") -> Iterator[str]:
    """A tick for each, a number for those that have room beside the one before."""
    free_from, letters = 0.0, TAG_LETTERS if "tag" in style else LETTERS
    for tick, number in zip(scale.ticks, scale.marks(), strict=True):
        at, half = scale.at(tick), width(number, letters) / 2
        yield ink.stroke([(at, box.bottom), (at, box.bottom + 4)], "axis")
        if at - half < free_from:
            continue
        free_from = at + half + SMALL_GAP
        yield ink.text(at, box.bottom + letters + SMALL_GAP, number, style, "middle")


def _marks(shown: Sequence[Series], area: _Area, *, joined: bool) -> Iterator[str]:
    """Intervals below lines below marks below tags."""
    for index, series in enumerate(shown):
        for point in series.points:
            for bar in _bars(point, area):
                ends = [(bar.left, bar.top), (bar.right, bar.bottom)]
                yield ink.stroke(ends, f"interval {ink.own(index)}")
    for index, series in enumerate(shown):
        if joined and len(series.points) > 1:
            path = [area.at(point) for point in series.points]
            yield ink.stroke(path, f"line {ink.own(index)}", ink.dashes(index))
    for index, series in enumerate(shown):
        for point in series.points:
            yield ink.mark(*area.at(point), index, point.about)
    yield from _tags([point for series in shown for point in series.points], area)


def _bars(point: Point, area: _Area) -> Iterator[Box]:
    """Where the intervals of a point lie: boxes without a width, or without a height."""
    x, y = area.at(point)
    if point.y_interval:
        low, high = map(area.y.at, point.y_interval)
        yield Box(x, high, x, low)
    if point.x_interval:
        low, high = map(area.x.at, point.x_interval)
        yield Box(low, y, high, y)


def _tags(points: Sequence[Point], area: _Area) -> Iterator[str]:
    """What stands beside the points: none over a mark or a bar, over another or outside."""
    taken = [_around(*area.at(point)) for point in points]
    taken += [bar for point in points for bar in _bars(point, area)]
    for point in filter(lambda point: point.tag, points):
        size = width(point.tag, TAG_LETTERS), float(TAG_LETTERS)
        found = free(beside(area.at(point), size, SMALL_GAP), area.box, taken)
        if found:
            taken.append(found)
            yield ink.text(found.left, found.bottom - 2, point.tag, "tag")


def _around(x: float, y: float) -> Box:
    return Box(x - MARK_REACH, y - MARK_REACH, x + MARK_REACH, y + MARK_REACH)


def _names(shown: Sequence[Series], area: _Area) -> Iterator[str]:
    """The name of each line at its end, moved up or down where two would overlap."""
    ends = [(index, area.at(one.points[-1])) for index, one in enumerate(shown) if one.points]
    heights = spread([y for _, (_, y) in ends], ROW, area.box.top, area.box.bottom)
    left = area.box.right + SMALL_GAP + MARK_REACH
    for (index, (x, y)), height in zip(ends, heights, strict=True):
        way = [(x + MARK_REACH, y), (left - MARK_REACH, height)]
        yield ink.stroke(way, f"lead {ink.own(index)}")
        yield from _named(left, height, index, shown[index].name)


def _legend(shown: Sequence[Series]) -> tuple[list[str], float]:
    """Mark and name of each series in rows below the plot, and how high they are together."""
    room = WIDTH - 2 * SMALL_GAP
    names = [
        (index, shortened(one.name, room - NAME_INDENT, LETTERS))
        for index, one in enumerate(shown)
        if one.points
    ]
    widths = [NAME_INDENT + width(name, LETTERS) * BOLDER + 2 * LETTERS for _, name in names]
    places = rows(widths, room)
    parts = [
        part
        for (index, name), (left, row) in zip(names, places, strict=True)
        for part in _named(left + SMALL_GAP + MARK_REACH, HEIGHT + (row + 0.5) * ROW, index, name)
    ]
    return parts, (places[-1][1] + 1) * ROW + SMALL_GAP if places else 0.0


def _named(left: float, middle: float, index: int, name: str) -> Iterator[str]:
    yield ink.mark(left, middle, index)
    style = f"name {ink.own(index)}"
    yield ink.text(left + NAME_INDENT - MARK_REACH, middle + LETTERS / 3, name, style)
