"""Sections on frontiers: what a budget of tokens buys, and how well cuts fit the answers, at equal
mean size. Peers that are better than ours by more than chance are named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.corpora import SEED
from benchmarks.facts import Line
from benchmarks.page import plots
from benchmarks.page.curves import Curve, Scores, shared_sizes
from benchmarks.page.tables import table
from benchmarks.page.words import heading
from chunkwright.evaluation import Comparison, Estimate
from chunkwright.evaluation.statistics import compare, estimate

REFERENCES = {
    "frontier of text": "chunkwright MarkdownChunker",
    "frontier of code": "chunkwright CodeChunker",
}
"""Whom others are compared with: what chunkwright uses by default for such files."""

RESAMPLES = 1000
"""Enough for the first decimal place of a per cent."""

MARKS = {"better": " ▲", "worse": " ▼", "unclear": ""}

Cells = dict[Curve, tuple[Estimate, Comparison | None]]
"""What is known of each at one size; the reference itself is compared with nobody."""


def frontier(lines: Sequence[Line]) -> Iterator[str]:
    """For each corpus, model and ranking: a plot and a table of each measure, and who is better."""
    for group, measure, found in plots.frontiers(lines):
        yield heading(group[0], plots.title(group, measure))
        yield plots.embedded(group, measure)
        yield from _compared(found, measure, REFERENCES[group[0]])


def _compared(found: Sequence[Curve], measure: str, reference: str) -> Iterator[str]:
    sizes = list(shared_sizes(found))
    base = next((one for one in reversed(found) if one.name == reference), found[0])
    columns = {size: _cells(found, base, size, measure) for size in sizes}
    rows = [
        [_shown(one), *(_cell(*cells[one]) if one in cells else "" for cells in columns.values())]
        for one in found
    ]
    yield table(" | ".join(["chunker", *map(str, sizes)]), rows)
    yield _better(base, columns)


def _cells(found: Sequence[Curve], base: Curve, size: int, measure: str) -> Cells:
    known = {one: one.at(size, measure) for one in found}
    return {
        one: (_estimate(scores), _against(one, scores, base, known[base]))
        for one, scores in known.items()
        if scores is not None
    }


def _estimate(scores: Scores) -> Estimate:
    return estimate(scores.tolist(), seed=SEED, resamples=RESAMPLES)


def _against(one: Curve, scores: Scores, base: Curve, others: Scores | None) -> Comparison | None:
    if one is base or others is None:
        return None
    return compare(scores.tolist(), others.tolist(), seed=SEED, resamples=RESAMPLES)


def _cell(value: Estimate, against: Comparison | None) -> str:
    shown = f"{100 * value.value:.1f} ({100 * value.low:.1f}–{100 * value.high:.1f})"
    return shown + (MARKS[against.verdict] if against else "")


def _better(base: Curve, columns: dict[int, Cells]) -> str:
    """Where a peer wins, in words."""
    said = [
        f"{one.called} at {size} ({_difference(against.difference)})"
        for size, cells in columns.items()
        for one, (_, against) in cells.items()
        if against and against.verdict == "better" and not one.is_ours
    ]
    if said:
        return f"Peers better than {base.called} by more than chance: {'; '.join(said)}."
    return f"No peer is better than {base.called} by more than chance at any of these sizes."


def _difference(change: Estimate) -> str:
    return f"{100 * change.value:+.1f}, {100 * change.low:+.1f} to {100 * change.high:+.1f}"


def _shown(one: Curve) -> str:
    return f"**{one.called}**" if one.is_ours else one.called
