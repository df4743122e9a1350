"""The tables of an evaluation as HTML: scores with intervals and verdicts, facts, what the measures
mean. In which sentences they stand is not decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from chunkwright.evaluation import Comparison, Report, Row
from chunkwright.web import naming
from chunkwright.web.evaluation_plots import in_order, size_name
from chunkwright.web.markup import escaped
from chunkwright.web.scales import is_drawable

Cells = Callable[[Sequence[str], Row], Iterable[str]]
"""The cells of a row, given the measures of a table."""


def scores_tables(report: Report) -> Iterator[str]:
    """Every row with every score, its interval, and the verdict against the baseline: a table for
    each kind of score. Those of other depths than the report's are folded."""
    every = dict.fromkeys(name for row in report.rows for name in row.scores)
    best = {name: _best(report, name) for name in every}

    def cells(names: Sequence[str], row: Row) -> Iterator[str]:
        return (_score_cell(row, name, best[name]) for name in names)

    depths = {naming.depth_of(name) for name in every}
    for depth in sorted(depths, key=lambda depth: (len(depth), depth)):
        names = [name for name in every if naming.depth_of(name) == depth]
        tables = _tables(report, names, f"scores{depth}", cells)
        yield from _folded(f"The same of the first {depth}", tables) if depth else tables


def differences_tables(report: Report) -> Iterator[str]:
    """Every row's differences to the baseline, folded: the scores' tables tell what they show."""
    names = dict.fromkeys(name for row in report.rows for name in row.against)

    def cells(names: Sequence[str], row: Row) -> Iterator[str]:
        return (_difference_cell(row.against.get(name)) for name in names)

    if names:
        tables = _tables(report, list(names), "differences", cells)
        yield from _folded(f"Differences to {report.baseline}", tables)


def facts_tables(report: Report) -> Iterator[str]:
    """Every row with everything that needs no question: a table for each kind of fact."""

    def cells(names: Sequence[str], row: Row) -> Iterator[str]:
        for name in names:
            value = naming.valued(row.facts.get(name), naming.measure(name).form)
            yield f"<td>{escaped(value)}</td>"

    every = dict.fromkeys(name for row in report.rows for name in row.facts)
    yield from _tables(report, list(every), "facts", cells)


def meanings(report: Report) -> Iterator[str]:
    """What each measure in the report means, where that is known."""
    groups = naming.grouped(name for row in report.rows for name in (*row.scores, *row.facts))
    for title, names in groups.items():
        known = [name for name in names if naming.about(name, report)]
        if not known:
            continue
        yield f"<h3>{escaped(title)}</h3>\n<dl>\n"
        for name in known:
            yield f"<dt>{escaped(naming.label(name, report))}</dt>"
            yield f"<dd>{escaped(naming.about(name, report))}</dd>\n"
        yield "</dl>\n"


def _folded(summary: str, tables: Iterable[str]) -> Iterator[str]:
    yield f"<details><summary>{escaped(summary)}</summary>\n"
    yield from tables
    yield "</details>\n"


def _tables(report: Report, every: Sequence[str], key: str, cells: Cells) -> Iterator[str]:
    """A table for each group of measures, divided by strategies."""
    yield '<div class="tables">\n'
    for number, (title, names) in enumerate(naming.grouped(every).items()):
        yield from _opened(f"{key}-{number}", title, names, report)
        for rows in in_order(report).values():
            yield "<tbody>\n"
            for row in rows:
                yield f"{_row_head(row, report)}{''.join(cells(names, row))}</tr>\n"
            yield "</tbody>\n"
        yield "</table></div>\n"
    yield "</div>\n"


def _opened(key: str, caption: str, names: Sequence[str], report: Report) -> Iterator[str]:
    """A table up to its first row, in a region that the keyboard can scroll."""
    yield f'<div class="wide" role="region" tabindex="0" aria-labelledby="{key}-caption"><table>\n'
    yield f'<caption id="{key}-caption"><span>{escaped(caption)}</span></caption>\n'
    yield '<thead><tr><th scope="col">Strategy, size</th>'
    for name in names:
        yield f'<th scope="col">{escaped(naming.label(name, report))}</th>'
    yield "</tr></thead>\n"


def _row_head(row: Row, report: Report) -> str:
    name = f'{escaped(row.strategy)} <span class="size">{escaped(size_name(row))}</span>'
    if report.baseline and row.name == report.baseline:
        name += ' <span class="baseline">baseline</span>'
    return f'<tr><th scope="row">{name}</th>'


def _score_cell(row: Row, name: str, best: float | None) -> str:
    score = row.scores.get(name)
    if score is None or not is_drawable(score.value):
        return f"<td>{naming.MISSING}</td>"
    form = naming.measure(name).form
    value, low, high = (naming.valued(one, form) for one in (score.value, score.low, score.high))
    shown = f"<strong>{value}</strong>" if score.value == best else value
    verdict = _verdict(row.against.get(name))
    return f"<td>{verdict}{shown} {_interval(low, high)}</td>"


def _difference_cell(comparison: Comparison | None) -> str:
    if comparison is None:
        return f"<td>{naming.MISSING}</td>"
    told = comparison.difference
    low, high = f"{told.low:+z.3f}", f"{told.high:+z.3f}"
    return f"<td>{_verdict(comparison)}{told.value:+z.3f} {_interval(low, high)}</td>"


def _interval(low: str, high: str) -> str:
    return f'<span class="interval">{low} to {high}</span>'


def _verdict(comparison: Comparison | None) -> str:
    if comparison is None:
        return ""
    words = naming.VERDICTS[comparison.verdict]
    return f'<span class="verdict {comparison.verdict}">{words}</span> '


def _value(row: Row, name: str) -> float | None:
    score = row.scores.get(name)
    return score.value if score and is_drawable(score.value) else None


def _best(report: Report, name: str) -> float | None:
    """The best value of a column; None where it is not known which is better."""
    better = naming.measure(name).better
    values = [value for row in report.rows if (value := _value(row, name)) is not None]
    if not better or len(report.rows) < 2 or not values:
        return None
    return max(values) if better == "higher" else min(values)
