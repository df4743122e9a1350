"""How labels find room: how wide a text is, labels pushed apart in a column, labels beside points
where nothing else stands, entries of a legend in rows. What they say is not decided here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from unicodedata import east_asian_width

LETTER = 0.58
"""Width of a letter in heights of the font: of sans-serif system fonts a little more than most
texts take, since which font it will be is not known."""

WIDE_LETTER = 1.05
"""Width of an ideograph or an emoji in heights of the font."""


class Box(NamedTuple):
    """A rectangle on paper."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """Whether the two share more than an edge."""
        apart = (
            self.right <= other.left
            or other.right <= self.left
            or self.bottom <= other.top
            or other.bottom <= self.top
        )
        return not apart

    def holds(self, other: Box) -> bool:
        """Whether the other lies within this one."""
        return (
            self.left <= other.left
            and self.top <= other.top
            and other.right <= self.right
            and other.bottom <= self.bottom
        )


def width(text: str, height: float) -> float:
    """About how wide a text is in a font of this height."""
    wide = sum(east_asian_width(letter) in "WF" for letter in text)
    return height * (LETTER * (len(text) - wide) + WIDE_LETTER * wide)


def shortened(text: str, room: float, height: float) -> str:
    """A text that fits, its middle left out where it must: ends are what tells names apart."""
    if width(text, height) <= room:
        return text
    kept = max(2, int(room / height / LETTER) - 1)
    while kept > 2 and width(text[: (kept + 1) // 2] + text[-(kept // 2) :], height) > room:
        kept -= 1
    return f"{text[: (kept + 1) // 2]}…{text[-(kept // 2) :]}"


def spread(wanted: Sequence[float], apart: float, top: float, bottom: float) -> list[float]:
    """Places in a column as near as can be to those wanted, each at least `apart` from the next
    and in the same order, within `top` and `bottom` if there is room for all.

    Labels that would overlap become a block around the middle of what they wanted; blocks that
    meet become one.
    """
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    blocks: list[list[int]] = []
    starts: list[float] = []
    for index in order:
        blocks.append([index])
        starts.append(_start([wanted[index]], apart, top, bottom))
        while len(blocks) > 1 and starts[-1] < starts[-2] + len(blocks[-2]) * apart:
            joined = blocks[-2] + blocks[-1]
            blocks[-2:] = [joined]
            starts[-2:] = [_start([wanted[one] for one in joined], apart, top, bottom)]
    placed = [0.0] * len(wanted)
    for block, start in zip(blocks, starts, strict=True):
        for place, index in enumerate(block):
            placed[index] = start + place * apart
    return placed


def beside(point: tuple[float, float], size: tuple[float, float], gap: float) -> Iterator[Box]:
    """Where a label of this width and height may stand at a point, the best place first: in the
    quarters that bars of intervals leave free, then beside, above and below."""
    (x, y), (wide, high) = point, size
    lefts, tops = (x + gap / 3, x - gap / 3 - wide), (y - gap - high, y + gap)
    places = [(left, top) for top in tops for left in lefts]
    places += [(left, y - high / 2) for left in (x + gap, x - gap - wide)]
    places += [(x - wide / 2, top) for top in tops]
    for left, top in places:
        yield Box(left, top, left + wide, top + high)


def free(places: Iterator[Box], within: Box, taken: Sequence[Box]) -> Box | None:
    """The first place inside that meets nothing taken; None where there is none."""
    for box in places:
        if within.holds(box) and not any(box.meets(other) for other in taken):
            return box
    return None


def rows(widths: Sequence[float], room: float) -> list[tuple[float, int]]:
    """(left, row) of things set one after another in rows; one too wide has a row of its own."""
    places: list[tuple[float, int]] = []
    left, row = 0.0, 0
    for wide in widths:
        if left and left + wide > room:
            left, row = 0.0, row + 1
        places.append((left, row))
        left += wide
    return places


def _start(wanted: Sequence[float], apart: float, top: float, bottom: float) -> float:
    """Where a block of labels begins so that they are nearest to where they would be."""
    ideal = sum(one - place * apart for place, one in enumerate(wanted)) / len(wanted)
    return max(top, min(ideal, bottom - (len(wanted) - 1) * apart))
