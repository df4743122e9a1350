"""What is drawn of an evaluation: which measures against which, one series a strategy. How it is
drawn is in `plots` and `histograms`.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import fmean, median

from chunkwright.evaluation import Estimate, Report, Row
from chunkwright.web import naming
from chunkwright.web.histograms import histogram
from chunkwright.web.plots import Axis, Plot, Point, Series, lines, scatter
from chunkwright.web.scales import is_drawable, written

UNCAPPED = float("inf")
"""Where a row without a cap stands in the order of sizes."""


def plots(report: Report) -> list[Plot]:
    """Those for which there are scores, the most important first."""
    drawn = [naming.measured(report, names) for names in naming.BY_SIZE]
    first, *others = [by_size(report, name) if name else None for name in drawn]
    both = any(one.points for one in _found(report))
    every = [first, precision_by_recall(report) if both else None, *others]
    return [plot for plot in every if plot]


def by_size(report: Report, name: str) -> Plot:
    """A measure against the mean size of a chunk: a line for each strategy."""
    label = naming.label(name, report)

    def point(row: Row) -> Point | None:
        score, size = _scored(row, name), mean_size(row)
        if not score or size is None:
            return None
        about = f"{row.name}: {label} {_told(score.value)}, mean size {written(size)}"
        return Point(x=size, y=score.value, y_interval=(score.low, score.high), about=about)

    series = _series(report, point)
    title = f"{label} against the mean size of a chunk"
    x = Axis(f"mean size of a chunk, {report.unit}", ratios=True)
    about = f"{title}, a line for each strategy. {_spoken(series)}"
    return lines(series, x=x, y=Axis(label), title=title, description=about)


def precision_by_recall(report: Report) -> Plot:
    """How much of what is found is right, against how much of what is right is found."""
    series = _found(report)
    x, y = (naming.label(name, report) for name in (naming.TEXT_RECALL, naming.TEXT_PRECISION))
    title = f"{y} against {x}"
    about = f"{title}, a point for each size. {_spoken(series)}"
    return scatter(series, x=Axis(x), y=Axis(y), title=title, description=about)


def size_histogram(row: Row, unit: str) -> Plot:
    """How large the chunks of a row are, with its cap."""
    title = f"Sizes of chunks: {row.name}"
    limit = None if row.size is None else (float(row.size), f"cap {row.size:,}")
    about = f"{title}. {sizes_told(row, unit)}"
    return histogram(row.sizes, label=unit, title=title, description=about, limit=limit)


def sizes_told(row: Row, unit: str) -> str:
    """How many chunks there are, and how large most of them are."""
    if not row.sizes:
        return "No chunks."
    number = "1 chunk" if len(row.sizes) == 1 else f"{len(row.sizes):,} chunks"
    rising = sorted(row.sizes)
    tenth, most = (rising[(len(rising) - 1) * share // 10] for share in (1, 9))
    return (
        f"{number}, median {written(median(rising))} {unit},"
        f" eight in ten from {written(tenth)} to {written(most)}."
    )


def mean_size(row: Row) -> float | None:
    """Of a chunk, as measured or of the sizes that are told; None where neither is."""
    if is_drawable(row.facts.get(naming.MEAN_SIZE)):
        return row.facts[naming.MEAN_SIZE]
    return fmean(row.sizes) if row.sizes else None


def size_name(row: Row) -> str:
    """The cap of a row by itself."""
    return "no cap" if row.size is None else f"{row.size:,}"


def in_order(report: Report) -> dict[str, list[Row]]:
    """Strategies as they come first, the rows of each by size."""
    found: dict[str, list[Row]] = {}
    for row in report.rows:
        found.setdefault(row.strategy, []).append(row)
    for rows in found.values():
        rows.sort(key=lambda row: UNCAPPED if row.size is None else row.size)
    return found


def _scored(row: Row, name: str) -> Estimate | None:
    score = row.scores.get(name)
    return score if score and is_drawable(score.value) else None


def _series(report: Report, point: Callable[[Row], Point | None]) -> list[Series]:
    """One for each strategy, also where it has no points: its mark is the same in every plot."""
    return [
        Series(strategy, tuple(found for row in rows if (found := point(row))))
        for strategy, rows in in_order(report).items()
    ]


def _found(report: Report) -> list[Series]:
    """Precision and recall of the rows that have both."""

    def point(row: Row) -> Point | None:
        names = naming.TEXT_RECALL, naming.TEXT_PRECISION
        recall, precision = (_scored(row, name) for name in names)
        if not recall or not precision:
            return None
        told = f"recall {_told(recall.value)}, precision {_told(precision.value)}"
        return Point(
            x=recall.value,
            y=precision.value,
            x_interval=(recall.low, recall.high),
            y_interval=(precision.low, precision.high),
            about=f"{row.name}: {told}",
            tag=size_name(row),
        )

    return _series(report, point)


def _told(value: float) -> str:
    return naming.valued(value, "share")


def _spoken(series: list[Series]) -> str:
    """The points in words, for who does not see them."""
    return " ".join(f"{point.about}." for one in series for point in one.points)
