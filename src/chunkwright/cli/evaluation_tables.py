"""A report of an evaluation for a reader: tables, and what their marks mean. JSON and the page are
elsewhere.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from chunkwright.cli import printing
from chunkwright.evaluation import Estimate, Report, Row

BEST, UNCLEAR = "*", "≈"
"""Marks: the best value of a column, and one that may differ from the baseline's by chance."""

BASELINE = ">"
"""Marks the baseline's row."""

LONGEST_NAME = 22
"""Columns of a strategy's name; of a longer one the middle is left out."""

WIDTH = 100
"""Columns that a table takes at most."""

GAP = 2
"""Columns between two, or one where the table would be too wide."""


class Column(NamedTuple):
    """A measure in a table."""

    name: str
    heading: tuple[str, str]
    shown: Callable[[float], str]
    is_better_high: bool = False
    """Whether the best is marked."""


class Cell(NamedTuple):
    """What stands in a table, and how it looks on a terminal."""

    text: str
    style: str = ""


def _share(value: float) -> str:
    return f"{value:.3f}"


def _rounded(value: float) -> str:
    return f"{value:.2f}"


def _count(value: float) -> str:
    return f"{value:,.0f}"


def _seconds(value: float) -> str:
    return f"{value:,.1f}"


def score_columns(report: Report) -> list[Column]:
    """The measures of answers that a table has room for."""
    at_k = f"@{report.k}"
    named = (
        ("budget_recall", ("budget", "recall")),
        ("recall", ("recall", at_k)),
        ("precision", ("prec.", at_k)),
        ("iou", ("IoU", at_k)),
        ("precision_omega", ("prec.", "Ω")),
        ("hit_rate", ("hits", at_k)),
        ("mrr", ("MRR", "")),
        ("ndcg", ("NDCG", at_k)),
        ("file_recall", ("files", at_k)),
    )
    return [Column(name, heading, _share, True) for name, heading in named]


WHOLE = "_whole"
"""Ends the names of facts about what was kept whole."""

FACT_COLUMNS = (
    Column("chunks", ("chunks", ""), _count),
    Column("size_mean", ("mean", "size"), _count),
    Column("fragments", ("frag-", "ments"), _count),
    Column("symbols_whole", ("whole", "symb."), _rounded),
    Column("sections_whole", ("whole", "sect."), _rounded),
    Column("fences_whole", ("whole", "fence"), _rounded),
    Column("tables_whole", ("whole", "table"), _rounded),
    Column("begins_inside_sentence", ("broken", "starts"), _rounded),
    Column("boundary_strength", ("topic", "border"), _rounded),
    Column("kept_after_edit_in_middle", ("edit", "keeps"), _rounded),
    Column("embed_seconds", ("embed", "sec."), _seconds),
)


def show(report: Report) -> None:
    """The whole report on stdout."""
    if any(row.scores for row in report.rows):
        _table(_scored(report))
        _lines("", *_legend(report), "")
    _table(_counted(report))
    _lines("", *_cuts_legend(report))


def _lines(*lines: str) -> None:
    for line in lines:
        printing.line(line)


def conclude(report: Report) -> None:
    """What it comes to, and what it does not show: a sentence a line, a paragraph each."""
    for paragraph in (report.concluded, report.notes):
        if paragraph:
            printing.line()
        for sentence in paragraph:
            printing.sentence(sentence)


def show_all(report: Report) -> None:
    """Every measure of every row with its interval, one a line."""
    for row in report.rows:
        printing.line()
        printing.line(f"{row.name}:")
        rows = [(name, _told(score), _compared(row, name)) for name, score in row.scores.items()]
        facts = [(name, f"{value:,.4g}", "") for name, value in row.facts.items()]
        printing.table([*rows, *facts], indent=printing.INDENT)


def _told(score: Estimate) -> str:
    return f"{score.value:.3f} ({score.low:.3f} to {score.high:.3f})"


def _compared(row: Row, name: str) -> str:
    found = row.against.get(name)
    if found is None:
        return ""
    one = found.difference
    return f"{one.value:+z.3f} ({one.low:+z.3f} to {one.high:+z.3f}) {found.verdict}"


def _scored(report: Report) -> Iterator[list[Cell]]:
    """A heading of two lines, then two lines a row: values, and half of their intervals."""
    columns = [one for one in score_columns(report) if one.name in report.rows[0].scores]
    yield from _headings(columns)
    best = {one.name: max(row.scores[one.name].value for row in report.rows) for one in columns}
    for row in report.rows:
        yield [*_row_name(report, row), *(_value(row, one, best[one.name]) for one in columns)]
        yield [Cell(""), Cell(""), *(_half(row.scores[one.name]) for one in columns)]


def _value(row: Row, column: Column, best: float) -> Cell:
    value = row.scores[column.name].value
    is_best = column.shown(value) == column.shown(best)
    found = row.against.get(column.name)
    unclear = UNCLEAR if found is not None and found.verdict == "unclear" else " "
    text = f"{column.shown(value)}{BEST if is_best else unclear}"
    return Cell(text, "bold" if is_best else "")


def _half(score: Estimate) -> Cell:
    half = f"{(score.high - score.low) / 2:.3f}"
    return Cell(f"±{half.removeprefix('0')} ", "dim")


def _counted(report: Report) -> Iterator[list[Cell]]:
    columns = [one for one in FACT_COLUMNS if any(one.name in row.facts for row in report.rows)]
    yield from _headings(columns)
    for row in report.rows:
        shown = (
            one.shown(row.facts[one.name]) if one.name in row.facts else "-" for one in columns
        )
        yield [*_row_name(report, row), *map(Cell, shown)]


def _headings(columns: Sequence[Column]) -> Iterator[list[Cell]]:
    for line, (first, second) in enumerate((("strategy", "size"), ("", ""))):
        yield [
            Cell(text, "dim") for text in (first, second, *(one.heading[line] for one in columns))
        ]


def _row_name(report: Report, row: Row) -> tuple[Cell, Cell]:
    mark = f"{BASELINE} " if row.name == report.baseline else "  "
    size = "none" if row.size is None else f"{row.size:,}"
    return Cell(mark + _shortened(row.strategy)), Cell(size)


def _shortened(name: str) -> str:
    plain = printing.one_line(name)
    if len(plain) <= LONGEST_NAME:
        return plain
    return f"{plain[: LONGEST_NAME // 2]}…{plain[-(LONGEST_NAME // 2 - 1) :]}"


def _table(rows: Iterator[list[Cell]]) -> None:
    """Aligned: names to the left, numbers to the right."""
    from rich.cells import cell_len

    lines = list(rows)
    widths = [max(cell_len(line[at].text) for line in lines) for at in range(len(lines[0]))]
    gap = GAP if sum(widths) + GAP * len(widths) <= WIDTH else 1
    for line in lines:
        padded = []
        for at, (cell, width) in enumerate(zip(line, widths, strict=True)):
            room = " " * (width - cell_len(cell.text))
            padded.append(cell._replace(text=f"{room}{cell.text}" if at else f"{cell.text}{room}"))
        _line(padded, " " * gap)


def _line(cells: Sequence[Cell], gap: str) -> None:
    if not printing.is_terminal(sys.stdout):
        printing.line(gap.join(cell.text for cell in cells).rstrip())
        return
    from rich.text import Text

    parts = [part for cell in cells for part in (gap, (cell.text, cell.style))]
    printing.console(sys.stdout).print(Text.assemble(*parts[1:]), soft_wrap=True)


def _cuts_legend(report: Report) -> Iterator[str]:
    """What the headings about cuts mean."""
    named = {name for row in report.rows for name in row.facts}
    yield "fragments: under a tenth of the cap"
    if any(one.name in named for one in FACT_COLUMNS if one.name.endswith(WHOLE)):
        yield "whole: share of those that fit into a chunk"
    yield "broken starts: share of chunks that begin inside a sentence, or a line of code"
    if "boundary_strength" in named:
        yield "topic border: how often a cut is a greater change of topic than borders near it"
    if "kept_after_edit_in_middle" in named:
        yield "edit keeps: share of chunks that an edit in the middle of a document leaves alone"


def _legend(report: Report) -> Iterator[str]:
    """What the marks and the headings mean."""
    marks = [f"{BEST} best of its column", "± half of the 95% interval"]
    if len(report.rows) > 1:
        marks.insert(1, f"{UNCLEAR} may differ from the baseline ({BASELINE}) by chance alone")
    yield ", ".join(marks)
    budget = f"{report.budget:,} {report.unit}"
    if any("budget_recall" in row.scores for row in report.rows):
        yield f"budget recall: of as many whole chunks as fit into {budget}"
        yield "hits, MRR, NDCG: of chunks with some of the answer; files: recall of files"
    yield "prec. Ω: the best precision that the cuts allow, however they are found"
