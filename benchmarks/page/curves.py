"""Curves of a frontier: a measure over the mean size of chunks, for each contestant, with the score
of each question, so that two may be compared over the same questions at an equal mean size.

Between two sizes that were measured a score is taken to change evenly with the logarithm of the
size; outside of them nothing is said.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from benchmarks.facts import Line
from benchmarks.page.tables import grouped
from benchmarks.peers import OURS

Scores = npt.NDArray[np.float64]
"""One a question."""

GRID = (50, 75, 100, 150, 200, 250)
"""Mean sizes in tokens at which curves are compared."""


@dataclass(frozen=True, eq=False)
class Curve:
    """One contestant."""

    name: str
    distribution: str
    ranking: str
    embedded: str
    points: tuple[Line, ...]
    """By mean size."""

    @cached_property
    def sizes(self) -> list[float]:
        return [line["mean_tokens"] for line in self.points]

    @property
    def is_ours(self) -> bool:
        return self.distribution == OURS

    @property
    def called(self) -> str:
        """Its name, with what is embedded besides the text, and whose search it is."""
        context = ", with context" if self.embedded == "context" else ""
        return self.name + (", own search" if self.ranking == "index" else context)

    def at(self, size: float, measure: str) -> Scores | None:
        """The scores at a mean size; None outside of what was measured."""
        if not self.sizes[0] <= size <= self.sizes[-1]:
            return None
        above = bisect_left(self.sizes, size)
        upper = np.array(self.points[above][measure])
        if self.sizes[above] == size:
            return upper
        lower, least = np.array(self.points[above - 1][measure]), self.sizes[above - 1]
        share = np.log(size / least) / np.log(self.sizes[above] / least)
        return lower + share * (upper - lower)

    def means(self, measure: str) -> list[tuple[float, float]]:
        """Mean size and mean score of each point."""
        return [(line["mean_tokens"], float(np.mean(line[measure]))) for line in self.points]


def curves(lines: Sequence[Line]) -> list[Curve]:
    """Each contestant's, of lines that differ in nothing else but size; ours first."""
    fields = "chunker distribution ranking embedded"
    found = [
        Curve(*key, tuple(sorted(several, key=lambda line: line["mean_tokens"])))
        for key, several in grouped(fields, lines).items()
    ]
    return sorted(found, key=lambda one: not one.is_ours)


def shared_sizes(found: Sequence[Curve]) -> Iterator[int]:
    """Those of GRID that two curves at least have something at."""
    for size in GRID:
        if sum(one.sizes[0] <= size <= one.sizes[-1] for one in found) > 1:
            yield size
