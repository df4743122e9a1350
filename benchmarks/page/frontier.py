"""Sections on frontiers: what a budget of tokens buys, and how well cuts fit the answers, at equal
mean size. Peers that are better than ours by more than chance are named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.facts import Line
from benchmarks.page import plots
from benchmarks.page.curves import Curve, curves, shared_sizes
from benchmarks.page.intervals import Scores, comparisons, estimates
from benchmarks.page.tables import grouped, table
from benchmarks.page.words import heading
from chunkwright.evaluation import Comparison, Estimate

MEASURES = {
    "recall_at_budget": "recall of 1,000 tokens",
    "precision_omega": "best precision that the cuts allow",
}

REFERENCES = {
    "frontier of text": "chunkwright MarkdownChunker",
    "frontier of code": "chunkwright CodeChunker",
}
"""Whom others are compared with: what chunkwright uses by default for such files."""

MARKS = {"better": " ▲", "worse": " ▼", "unclear": ""}


def frontier(lines: Sequence[Line]) -> Iterator[str]:
    """For each corpus and model: a plot and a table of each measure, and who is better."""
    what = lines[0]["what"]
    for (corpus, model, ranking), several in grouped("corpus model ranking", lines).items():
        found = curves(several)
        for measure, called in MEASURES.items():
            if measure == "precision_omega" and ranking != lines[0]["ranking"]:
                continue  # cuts are the same whoever ranks
            yield heading(what, f"{called}, {corpus}, {model}, {ranking}")
            yield plots.embedded(what, measure, corpus, model, ranking)
            yield from _compared(found, measure, REFERENCES[what])


def _compared(found: Sequence[Curve], measure: str, reference: str) -> Iterator[str]:
    sizes = list(shared_sizes(found))
    base = next((one for one in found if one.name == reference), found[0])
    columns = {size: _column(found, base, size, measure) for size in sizes}
    rows = [[_called(one), *(columns[size].get(one, "") for size in sizes)] for one in found]
    yield table(" | ".join(["chunker", *map(str, sizes)]), rows)
    yield _better(found, base, sizes, measure)


def _column(found: Sequence[Curve], base: Curve, size: int, measure: str) -> dict[Curve, str]:
    """What stands in the cells of a size."""
    scores = _at(found, size, measure)
    values = estimates(list(scores.values()))
    against = _against(scores, base)
    return {one: _cell(value, against.get(one)) for one, value in zip(scores, values, strict=True)}


def _at(found: Sequence[Curve], size: int, measure: str) -> dict[Curve, Scores]:
    known = {one: one.at(size, measure) for one in found}
    return {one: scores for one, scores in known.items() if scores is not None}


def _against(scores: dict[Curve, Scores], base: Curve) -> dict[Curve, Comparison]:
    """The others' differences to the reference, where it has something at the size."""
    others = [one for one in scores if one is not base and base in scores]
    compared = comparisons([scores[one] for one in others], scores[base]) if others else []
    return dict(zip(others, compared, strict=True))


def _cell(value: Estimate, against: Comparison | None) -> str:
    shown = f"{_percent(value.value)} ({_percent(value.low)}–{_percent(value.high)})"
    return shown + (MARKS[against.verdict] if against else "")


def _better(found: Sequence[Curve], base: Curve, sizes: Sequence[int], measure: str) -> str:
    """Where a peer wins, in words."""
    said = []
    for size in sizes:
        for one, against in _against(_at(found, size, measure), base).items():
            if against.verdict == "better" and not one.is_ours:
                change = against.difference
                range_ = f"{100 * change.low:+.1f} to {100 * change.high:+.1f}"
                said.append(f"{_plainly(one)} at {size} ({100 * change.value:+.1f}, {range_})")
    if said:
        return f"Peers better than {base.name} by more than chance: {'; '.join(said)}."
    return f"No peer is better than {base.name} by more than chance at any of these sizes."


def _called(one: Curve) -> str:
    return f"**{_plainly(one)}**" if one.is_ours else _plainly(one)


def _plainly(one: Curve) -> str:
    return f"{one.name}, with context" if one.embedded == "context" else one.name


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"
