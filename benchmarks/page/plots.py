"""The plots of the page: a file for each measure of each frontier. How lines are drawn is
chunkwright.web's; what is said beside the plots, frontier's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from benchmarks.facts import Line
from benchmarks.page.curves import Curve, curves
from benchmarks.page.tables import grouped
from chunkwright.web.plots import Axis, Point, Series, lines, standalone

MEASURES = {
    "recall_at_budget": "recall of 1,000 tokens",
    "precision_omega": "best precision that the cuts allow",
}

ALONE = "precision_omega"
"""The measure that no model and no ranking has a part in: it is there once."""

BESIDE = {"index": "cosine and words"}
"""Ranking -> that of the others with which it is shown."""

Group = tuple[str, str, str, str]
"""Measurement, corpus, model, ranking (that of BESIDE)."""


def frontiers(results: Sequence[Line]) -> Iterator[tuple[Group, str, list[Curve]]]:
    """What there is a plot of, in order: a group, a measure, and the curves."""
    points = [line for line in results if line["what"].startswith("frontier")]
    together = [line | {"group": BESIDE.get(line["ranking"], line["ranking"])} for line in points]
    seen = set()
    for group, several in grouped("what corpus model group", together).items():
        yield group, "recall_at_budget", curves(several)
        plain = [line for line in several if line["embedded"] == "text"]
        if plain and group[:2] not in seen:
            seen.add(group[:2])
            yield group, ALONE, curves(plain)


def title(group: Group, measure: str) -> str:
    """What a plot shows, and of what."""
    _, corpus, model, ranking = group
    of = (corpus,) if measure == ALONE else (corpus, model, ranking)
    return ", ".join([MEASURES[measure], *of])


def drawn(results: Sequence[Line]) -> dict[str, str]:
    """File name -> SVG."""
    return {
        file_of(group, measure): _drawing(title(group, measure), measure, found)
        for group, measure, found in frontiers(results)
    }


def embedded(group: Group, measure: str) -> str:
    """What shows a plot on the page."""
    return f"![{title(group, measure)}](benchmarks/{file_of(group, measure)})"


def file_of(group: Group, measure: str) -> str:
    """The name of a plot's file."""
    name = f"{group[0].removeprefix('frontier of ')} {title(group, measure)}"
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") + ".svg"


def _drawing(called: str, measure: str, found: Sequence[Curve]) -> str:
    """Curves over the mean size."""
    series = [Series(one.called, tuple(_points(one, measure))) for one in found]
    x = Axis("mean tokens of a chunk", ratios=True)
    plot = lines(series, x=x, y=Axis(f"{MEASURES[measure]}, %"), title=called)
    return standalone(plot)


def _points(one: Curve, measure: str) -> Iterator[Point]:
    for size, mean in one.means(measure):
        about = f"{one.called}: {100 * mean:.1f} at {size:.1f}"
        yield Point(x=size, y=100 * mean, about=about)
