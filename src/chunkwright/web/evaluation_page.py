"""One self-contained HTML page of an evaluation: what it shows in plain words, plots, every number
in a table, and what the numbers depend on. Nothing is computed anew here.

Like every page here it loads and runs nothing. Whatever is drawn stands in a table too.
"""

from __future__ import annotations

from collections.abc import Iterator

from chunkwright.evaluation import Report, Row
from chunkwright.web import ink
from chunkwright.web.evaluation_plots import (
    in_order,
    plots,
    size_histogram,
    size_name,
    sizes_told,
)
from chunkwright.web.evaluation_tables import (
    differences_tables,
    facts_tables,
    meanings,
    scores_tables,
)
from chunkwright.web.evaluation_words import circumstances, headline, in_short
from chunkwright.web.markup import END, escaped, head
from chunkwright.web.plots import inline

_STYLE = """
body { max-width: 72rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .75rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .75rem; } h3 { font-size: 1rem; margin: 1.5rem 0 .25rem;
  overflow-wrap: anywhere; }
p, li, dd { max-width: 46rem; overflow-wrap: anywhere; }
.answer { font-size: 1.15rem; border-left: 4px solid var(--series-0); padding-left: 1rem; }
.answer p { margin: .35rem 0; } .answer p:first-child { font-weight: 650; font-size: 1.25rem; }
nav a { margin-right: 1rem; } a { color: var(--series-0); }
:focus-visible { outline: 3px solid var(--series-0); outline-offset: 2px; }
figure { margin: 0; min-width: 0; } figcaption { font-weight: 600; overflow-wrap: anywhere; }
svg { display: block; width: 100%; height: auto; }
.plots { display: grid; gap: 2rem; align-items: start;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); }
.plots figure { max-width: 34rem; }
.small { display: grid; gap: 1rem;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 14rem), 1fr)); }
.small figcaption { font-size: 13px; font-weight: 400; } .small svg { max-width: 20rem; }
.tables { display: flex; flex-wrap: wrap; gap: 1.25rem; margin-bottom: 1.25rem; }
summary { cursor: pointer; margin: 1rem 0; font-weight: 600; }
.wide { max-width: 100%; box-sizing: border-box;
  overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; }
table { border-collapse: separate; border-spacing: 0; font-size: 13.5px;
  font-variant-numeric: tabular-nums; }
caption { text-align: left; padding: .6rem .75rem; font-weight: 600; }
caption span { display: inline-block; position: sticky; left: .75rem;
  max-width: calc(100vw - 4rem); }
th, td { padding: .45rem .75rem; text-align: right; vertical-align: top; white-space: nowrap;
  border-top: 1px solid var(--line); }
tbody + tbody tr:first-child > * { border-top: 2px solid var(--quiet); }
th { font-weight: 600; } thead th { vertical-align: bottom; white-space: normal; min-width: 4rem; }
th:first-child { text-align: left; position: sticky; left: 0; background: var(--paper);
  unicode-bidi: isolate; white-space: normal; overflow-wrap: anywhere; min-width: 7rem;
  max-width: 16rem; }
.size { color: var(--quiet); font-weight: 400; white-space: nowrap; }
.baseline { font-size: 11.5px; font-weight: 400; border: 1px solid var(--quiet);
  border-radius: 9px; padding: 0 .45rem; }
.interval, .verdict { font-size: 12px; color: var(--quiet); } .interval { display: block; }
.verdict { margin-right: .5rem; }
.better { color: var(--series-2); font-weight: 600; }
.worse { color: var(--series-4); font-weight: 600; }
dt { font-weight: 600; } dd { margin: 0 0 .6rem; overflow-wrap: anywhere; }
.facts { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr; gap: .3rem 1.25rem; }
.facts dt { color: var(--quiet); font-weight: 400; } .facts dd { margin: 0; }
@media (max-width: 40rem) { body { padding: 1rem; } .answer p:first-child { font-size: 1.15rem; }
  th:first-child { max-width: 8rem; } th, td { padding: .4rem .5rem; }
  .verdict { display: block; margin: 0; } }
"""


def page(report: Report) -> Iterator[str]:
    """The page, piece by piece."""
    yield head(f"Cuts of {report.corpus} compared", ink.STYLE + _STYLE)
    yield "<main>\n"
    yield from _answer(report)
    yield from _plots(report)
    if any(row.scores for row in report.rows):
        yield '<h2 id="scores">Scores</h2>\n'
        yield f'<p class="quiet">{escaped(_how_to_read(report))}</p>\n'
        yield from scores_tables(report)
        yield from differences_tables(report)
    if any(row.facts for row in report.rows):
        yield '<h2 id="facts">Chunks</h2>\n'
        yield from facts_tables(report)
    yield from _histograms(report)
    yield from _notes(report)
    yield from _meanings(report)
    yield from _circumstances(report)
    yield "</main>\n"
    yield END


def _answer(report: Report) -> Iterator[str]:
    yield '<section class="answer" aria-label="Result">\n'
    for sentence in headline(report):
        yield f"<p>{escaped(sentence)}</p>\n"
    yield "</section>\n"
    link = '<a href="#made">How this was made</a>'
    yield f'<p class="quiet">{escaped(in_short(report))} {link}</p>\n'


def _plots(report: Report) -> Iterator[str]:
    found = plots(report)
    if not found:
        return
    yield '<h2>Plots</h2>\n<div class="plots">\n'
    for number, plot in enumerate(found):
        caption = f"<figcaption>{escaped(plot.title)}</figcaption>"
        yield f"<figure>{caption}{inline(plot, f'plot{number}')}</figure>\n"
    yield "</div>\n"
    yield '<p class="quiet">Bars are 95% intervals. Every number is in the tables.</p>\n'


def _how_to_read(report: Report) -> str:
    told = "Below each score its 95% interval; the best of a column is bold."
    if any(row.against for row in report.rows):
        told += (
            f" Better and worse are against {report.baseline}, over the same questions;"
            " a difference that may be chance is inside the noise."
        )
    return told


def _histograms(report: Report) -> Iterator[str]:
    if not any(row.sizes for row in report.rows):
        return
    yield "<h2>Sizes of chunks</h2>\n"
    yield f'<p class="quiet">Share of chunks by size in {escaped(report.unit)}.</p>\n'
    number = 0
    for strategy, rows in in_order(report).items():
        yield f'<h3>{escaped(strategy)}</h3>\n<div class="small">\n'
        for row in rows:
            number += 1
            yield _small(row, report.unit, number)
        yield "</div>\n"


def _small(row: Row, unit: str, number: int) -> str:
    told = f"<strong>{escaped(size_name(row))}</strong>: {escaped(sizes_told(row, unit))}"
    drawn = inline(size_histogram(row, unit), f"sizes{number}")
    return f"<figure><figcaption>{told}</figcaption>{drawn}</figure>\n"


def _notes(report: Report) -> Iterator[str]:
    if report.notes:
        yield "<h2>What these numbers cannot show</h2>\n<ul>\n"
        yield from (f"<li>{escaped(note)}</li>\n" for note in report.notes)
        yield "</ul>\n"


def _meanings(report: Report) -> Iterator[str]:
    if any(row.scores or row.facts for row in report.rows):
        yield "<h2>What the measures mean</h2>\n"
        yield from meanings(report)


def _circumstances(report: Report) -> Iterator[str]:
    yield '<h2 id="made">How this was made</h2>\n<dl class="facts">\n'
    for what, value in circumstances(report):
        yield f"<dt>{escaped(what)}</dt><dd>{escaped(value)}</dd>\n"
    yield "</dl>\n"
