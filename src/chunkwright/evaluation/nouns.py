"""What an evaluation is told and what it tells: questions, estimates, rows, the report. Nothing is
read, measured or shown here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, NamedTuple

import msgspec

from chunkwright.types import Chunking, Document, Measure

Verdict = Literal["better", "worse", "unclear"]
"""What a comparison shows; `unclear` where the difference may be chance."""


Cut = Callable[[Document], Chunking]
"""What cuts a document."""


Progress = Callable[[str, int, int, str], None]
"""Called with (stage, done, total, row): stages are `rows`, of each `embed` and `ask`, and
at last `compare`."""


class Asked(NamedTuple):
    """How large chunks are to be."""

    size: int | None
    """In the measure; None: no cap."""
    measure: Measure
    overlap: int = 0
    """At most so much repeated, in the measure; a strategy's own option wins."""


class Reference(msgspec.Struct, frozen=True):
    """A stretch that answers a question: half-open, in code points of the document's text."""

    path: str
    """Relative to the corpus, with `/`."""
    start: int
    end: int


class Question(msgspec.Struct, frozen=True):
    """What is asked, and the stretches that answer it."""

    text: str
    references: tuple[Reference, ...]
    id: str = ""
    origin: str = ""
    """What it was made of, where it was made: `docstring`, `heading` or `commit`."""


class Estimate(msgspec.Struct, frozen=True):
    """A mean over questions and its 95% bootstrap interval."""

    value: float
    low: float
    high: float


class Comparison(msgspec.Struct, frozen=True):
    """The paired difference to the baseline, over the same questions."""

    difference: Estimate
    verdict: Verdict


def row_name(strategy: str, size: int | None) -> str:
    """A strategy at a size, as a baseline is named."""
    return f"{strategy} {'none' if size is None else size}"


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One strategy at one size."""

    strategy: str
    size: int | None
    """In the report's unit; None: no cap."""
    scores: dict[str, Estimate] = {}
    """Name of a measure -> its mean over the questions; empty where none were asked."""
    facts: dict[str, float] = {}
    """What needs no question: counts, sizes, shares of 0 to 1, seconds."""
    sizes: tuple[int, ...] = ()
    """Size of each chunk, in the report's unit and in order: what a histogram is drawn of."""
    against: dict[str, Comparison] = {}
    """Name of a measure -> the comparison with the baseline; empty in the baseline's own row."""

    @property
    def name(self) -> str:
        """As a baseline is named."""
        return row_name(self.strategy, self.size)


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """All rows of an evaluation, and in which circumstances they were made."""

    corpus: str
    files: int
    code_points: int
    questions: int
    unit: str
    """What sizes are in: a measure's name."""
    embedder: str
    """Its name; "" where nothing was embedded."""
    search: str
    """How chunks were found: `vectors`, `words` or `both`; "" where none were looked for."""
    k: int
    """Chunks retrieved for the measures that look at the first k."""
    budget: int
    """Units of retrieved text for the measures that look at an equal budget."""
    baseline: str
    """Of the comparisons, as `Row.name`; "" where there are none."""
    seed: int
    rows: tuple[Row, ...]
    versions: dict[str, str] = {}
    machine: dict[str, str | int] = {}
    conclusion: str = ""
    """Which row is best, and whether that may be chance, in sentences; "" without questions."""
    notes: tuple[str, ...] = ()
    """What the numbers can not show, in sentences."""

    @property
    def concluded(self) -> list[str]:
        """The conclusion, sentence by sentence."""
        return re.split(r"(?<=\.) (?=\S)", self.conclusion) if self.conclusion else []
