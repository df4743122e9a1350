"""How plots look: colours, marks and dashes of series, and the few elements of SVG they are made
of. Where things stand is not decided here.

Series are told apart by the shape of their marks, by dashes and by labels; colour only helps.
"""

from __future__ import annotations

from collections.abc import Sequence

from chunkwright.web.markup import escaped

LETTERS = 13
"""Height of the font of a plot, in its own units."""

TAG_LETTERS = 11
"""Height of the font of what stands beside a mark."""

LIGHT = ("#0b62c4", "#b04a00", "#0a7547", "#7b3fb5", "#c0243b", "#00707f", "#6b6500", "#565c66")
DARK = ("#6cb2ff", "#ffa25c", "#4fd197", "#c79bff", "#ff8a96", "#4fd0e0", "#d2cc4a", "#b3b9c4")
"""Of series, in turn, on either ground: as text each has a contrast of 4.5 and more."""

SHAPES = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
    "M-3.6-3.6h7.2v7.2h-7.2z",
    "M0-4.9L4.7 3.5H-4.7z",
    "M0-5.2L5.2 0 0 5.2-5.2 0z",
    "M0 4.9L4.7-3.5H-4.7z",
    "M-1.6-4.6h3.2v3h3v3.2h-3v3h-3.2v-3h-3v-3.2h3z",
    "M0-5L4.8-1.5 2.9 4.1H-2.9L-4.8-1.5z",
    "M-5.4-4.6L0-1 5.4-4.6V4.6L0 1-5.4 4.6z",
)
"""Marks around the origin, in turn: disc, square, triangle, diamond, triangle upside down, plus,
pentagon, bow tie. After the last they come again, hollow."""

DASHES = ("", "7 3", "2 3", "9 3 2 3")
"""Of lines, in turn."""


def _colours(colours: Sequence[str]) -> str:
    return " ".join(f"--series-{index}: {colour};" for index, colour in enumerate(colours))


_OWN_COLOURS = "\n".join(
    f".plot .s{index} {{ --own: var(--series-{index}); }}" for index in range(len(LIGHT))
)

STYLE = f"""
:root {{ {_colours(LIGHT)} }}
@media (prefers-color-scheme: dark) {{ :root {{ {_colours(DARK)} }} }}
.plot {{ font: {LETTERS}px system-ui, sans-serif; fill: var(--ink); stroke: none; }}
.plot .ground {{ fill: var(--paper); }}
.plot .grid {{ stroke: var(--line); fill: none; }}
.plot .axis {{ stroke: var(--quiet); fill: none; }}
.plot .number {{ fill: var(--quiet); }}
.plot .line {{ stroke: var(--own); stroke-width: 1.8; fill: none; }}
.plot .interval {{ stroke: var(--own); stroke-opacity: .5; stroke-width: 1.4; fill: none; }}
.plot .mark {{ fill: var(--own); stroke: var(--paper); }}
.plot .hollow {{ fill: var(--paper); stroke: var(--own); stroke-width: 1.6; }}
.plot .lead {{ stroke: var(--own); stroke-opacity: .4; fill: none; }}
.plot .name {{ fill: var(--own); font-weight: 600; }}
.plot .tag {{ font-size: {TAG_LETTERS}px; stroke: var(--paper); stroke-width: 3;
  paint-order: stroke; }}
.plot .bar {{ fill: var(--series-0); }}
.plot .limit {{ stroke: var(--series-1); stroke-width: 1.8; stroke-dasharray: 4 3; fill: none; }}
.plot .limit-name {{ fill: var(--series-1); font-weight: 600; }}
{_OWN_COLOURS}
"""
"""What plots on a page need besides the page's `COLOURS`."""


def place(value: float) -> str:
    """A coordinate, to a tenth."""
    return f"{value:.1f}".removesuffix(".0")


def own(index: int) -> str:
    """The class that gives an element the colour of a series."""
    return f"s{index % len(LIGHT)}"


def text(x: float, y: float, words: str, style: str, anchor: str = "start") -> str:
    """Words whose baseline begins, has its middle or ends at a place."""
    where = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text class="{style}" x="{place(x)}" y="{place(y)}"{where}>{escaped(words)}</text>'


def stroke(points: Sequence[tuple[float, float]], style: str, dashes: str = "") -> str:
    """A line through places."""
    path = "L".join(f"{place(x)} {place(y)}" for x, y in points)
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<path class="{style}" d="M{path}"{dashed}/>'


def mark(x: float, y: float, index: int, about: str = "") -> str:
    """The mark of a series; `about` is shown to who points at it."""
    hollow = index // len(SHAPES) % 2
    style = f"{'hollow' if hollow else 'mark'} {own(index)}"
    where = f'transform="translate({place(x)} {place(y)})" d="{SHAPES[index % len(SHAPES)]}"'
    return f'<path class="{style}" {where}>{_hint(about)}</path>'


def dashes(index: int) -> str:
    """Of the line of a series; "" for a solid one."""
    return DASHES[index % len(DASHES)]


def bar(left: float, top: float, wide: float, high: float, about: str) -> str:
    """A bar of a histogram."""
    size = f'width="{place(wide)}" height="{place(high)}"'
    return f'<rect class="bar" x="{place(left)}" y="{place(top)}" {size}>{_hint(about)}</rect>'


def _hint(about: str) -> str:
    return f"<title>{escaped(about)}</title>" if about else ""
