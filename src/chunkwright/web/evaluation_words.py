"""What an evaluation shows, in sentences, and in which circumstances it was made. Tables and plots
are not here; which row is best was found out where the questions were asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from chunkwright.evaluation import Report, Verdict
from chunkwright.web import naming

SEARCHES: Mapping[str, str] = {
    "vectors": "by meaning (vectors)",
    "words": "by words",
    "both": "by words and by meaning (vectors)",
}
"""Kind of search -> how it is told."""

COUNTED: Mapping[Verdict, str] = {
    "better": "better",
    "worse": "worse",
    "unclear": "inside the noise",
}
"""Verdict -> what is said of the rows that have it, in this order."""


def headline(report: Report) -> Iterator[str]:
    """Sentences, the most important first."""
    rows = "1 row" if len(report.rows) == 1 else f"{len(report.rows):,} rows"
    if report.conclusion:
        yield from report.concluded
    elif any(row.scores for row in report.rows):
        yield f"{rows} of strategies and sizes compared."
    else:
        yield f"How the files are cut, in {rows}."
    yield from _tally(report)


def circumstances(report: Report) -> Iterator[tuple[str, str]]:
    """(what, value) of everything that the numbers depend on."""
    yield "Corpus", report.corpus
    yield "Files", f"{report.files:,} with {report.code_points:,} code points"
    yield "Questions", f"{report.questions:,}" if report.questions else "none"
    yield "Sizes in", report.unit
    if report.questions:
        yield "Embedder", report.embedder or "none"
        yield "Search", SEARCHES.get(report.search, report.search) or "none"
        yield "First chunks looked at (k)", str(report.k)
        yield "Budget", f"{report.budget:,} {report.unit} of retrieved text"
        yield "Baseline", report.baseline or "none"
    yield "Seed", str(report.seed)
    if report.versions:
        yield "Versions", ", ".join(f"{name} {value}" for name, value in report.versions.items())
    if report.machine:
        yield "Machine", ", ".join(f"{name}: {value}" for name, value in report.machine.items())


def in_short(report: Report) -> str:
    """How much was evaluated, in a sentence."""
    if not report.questions:
        return f"{report.files:,} files, no questions."
    searched = SEARCHES.get(report.search, report.search)
    how = f", searched {searched}" if searched else ""
    return f"{report.questions:,} questions about {report.files:,} files{how}."


def _tally(report: Report) -> Iterator[str]:
    """How all rows compare with the baseline by the measure that leads."""
    name = naming.measured(report, naming.MAIN) or ""
    verdicts = Counter(row.against[name].verdict for row in report.rows if name in row.against)
    if verdicts.total() > 1:
        counted = [f"{verdicts[one]:,} {words}" for one, words in COUNTED.items() if verdicts[one]]
        label = naming.label(name, report)
        yield f"Compared with {report.baseline} by {label}, rows are: {', '.join(counted)}."
