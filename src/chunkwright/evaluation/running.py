"""An evaluation: a corpus is cut by every strategy at every size, asked every question, and
measured. How each of that is done is in its own room.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from statistics import fmean
from typing import NamedTuple

from chunkwright import embedding
from chunkwright.embedding import EmbedderLike
from chunkwright.evaluation import circumstances, comparing, docstrings
from chunkwright.evaluation.comparing import Measured
from chunkwright.evaluation.corpus import Corpus, CorpusLike, corpus_of
from chunkwright.evaluation.cutting import Cutting, cut_by
from chunkwright.evaluation.describing import Describer
from chunkwright.evaluation.docstrings import without_documentation
from chunkwright.evaluation.making import BLANKED, KINDS, NOTES, OF_ALL
from chunkwright.evaluation.nouns import Asked, Progress, Question, Report, Row, row_name
from chunkwright.evaluation.plans import (
    BUDGET,
    SIZES,
    STRATEGIES,
    VECTORS,
    K,
    Plan,
    asked,
    number,
    searched,
    silent,
    size_list,
    unit_of,
)
from chunkwright.evaluation.retrieving import Finder, NearestChunks, index_answers
from chunkwright.evaluation.scoring import ALSO_AT, Judge, Scores
from chunkwright.evaluation.strategies import Strategy
from chunkwright.evaluation.strategies import strategies as named
from chunkwright.measuring import MeasureLike

DEPTH = 100
"""Chunks that are looked at for a question, at least: what ranks below counts as not found."""

FEW = 50
"""Questions. With fewer, intervals are too short (see `statistics.estimate`)."""


def evaluate(  # noqa: PLR0913  # each is asked for by name, and few at a time
    corpus: CorpusLike,
    questions: Sequence[Question] | None = None,
    *,
    strategies: str | Sequence[str | Strategy] = STRATEGIES,
    sizes: Sequence[int | None] = SIZES,
    unit: MeasureLike = "tokens",
    overlap: int = 0,
    embedder: EmbedderLike = None,
    embedder_options: Mapping[str, object] | None = None,
    search: str = VECTORS,
    k: int = K,
    budget: int = BUDGET,
    baseline: str | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Report:
    """Cut a corpus in several ways and measure what answers the questions; without questions, the
    cuts alone.

    `corpus`: a folder, a file, or texts by path; where questions were made of documentation, that
    is blanked. What `strategies` there are is told in the room of that name. `sizes` and `overlap`
    are in `unit`; a size of None is no cap. `search`: by the exact cosine with every chunk
    (`vectors`), or as an index answers, by `words` or by `both`. `embedder` and its options: as
    for an Index; with False nothing is embedded, and of `vectors` only PrecisionOmega is left.
    `k`: chunks that are looked at (the first 5 as well). `budget`: units of retrieved text.
    `baseline`: the row, as `auto:200`, that the others are compared with; by default the best.
    `progress` is called with (stage, done, total, row).

    Raises ConfigError for what cannot be meant, PathError for a corpus without files.
    """
    whole = corpus_of(corpus)
    wanted = asked(questions or (), whole)
    whole = _without_the_questions(whole, wanted)
    how, embeds = searched(search, embedder, embedder_options, wanted)
    plan = Plan(
        corpus=whole,
        questions=wanted,
        strategies=named(strategies),
        sizes=size_list(sizes),
        measure=unit_of(unit),
        overlap=number("overlap", overlap, 0),
        embedder=embeds,
        search=how,
        embeds=embedder is not False and embedder != embedding.WORDS_ONLY,
        k=number("k", k, 1),
        budget=number("budget", budget, 1),
        seed=number("seed", seed, 0),
        progress=progress or silent,
    )
    base = comparing.baseline_of(baseline, plan.names)
    return _report(plan, list(_rows(plan)), base)


class _Noted(NamedTuple):
    row: Measured
    notes: list[str]


def _rows(plan: Plan) -> Iterator[_Noted]:
    """One at a time: of each, only numbers are kept. A strategy that does not fit is known before
    the first."""
    describer = Describer(plan)
    cutters = [
        (strategy, size, strategy.cutter(Asked(size, plan.measure, plan.overlap)))
        for strategy in plan.strategies
        for size in plan.sizes
    ]
    for done, (strategy, size, cutter) in enumerate(cutters):
        plan.progress("rows", done, len(cutters), row_name(strategy.name, size))
        yield _measured(plan, cut_by(cutter, plan.corpus, strategy, size), describer)
    plan.progress("rows", len(cutters), len(cutters), "")


def _measured(plan: Plan, cutting: Cutting, describer: Describer) -> _Noted:
    """A cutting, asked every question."""
    with _finder(plan, cutting) as finder:
        scores = list(_scores(plan, cutting, finder))
        notes = [*cutting.notes(), *(finder.notes if finder else ())]
    values = {name: [each[name] for each in scores] for name in (scores[0] if scores else ())}
    facts = describer.facts(cutting)
    return _Noted(Measured(cutting.strategy, cutting.size, values, facts, cutting.sizes), notes)


def _finder(plan: Plan, cutting: Cutting) -> AbstractContextManager[Finder | None]:
    if plan.search == VECTORS and plan.embedder is not None:
        return nullcontext(NearestChunks(cutting, plan.embedder, plan.progress))
    if plan.search:
        return index_answers(plan.corpus, cutting, plan.embedder, plan.progress)
    return nullcontext(None)


def _scores(plan: Plan, cutting: Cutting, finder: Finder | None) -> Iterator[Scores]:
    """Of every question, in order."""
    judge = Judge(plan.corpus, cutting)
    depth = _depth(plan, cutting)
    for done, question in enumerate(plan.questions, start=1):
        if finder is None:
            yield judge.omega(question)
        else:
            found = finder.find(question.text, depth)
            yield judge.scores(question, found, plan.k, plan.budget)
        plan.progress("ask", done, len(plan.questions), cutting.name)


def _depth(plan: Plan, cutting: Cutting) -> int:
    """How many chunks are asked for: enough to spend the budget on ones of half the mean size."""
    affordable = math.ceil(2 * plan.budget / max(1.0, fmean(cutting.sizes)))
    return max(DEPTH, plan.k, ALSO_AT, affordable)


def _report(plan: Plan, measured: Sequence[_Noted], baseline: str) -> Report:
    rows = [one.row for one in measured]
    ranked = comparing.best_of(rows)
    base = baseline or (ranked[0].name if ranked else "")
    budget = f"{plan.budget:,} {plan.measure.name}"
    return Report(
        corpus=plan.corpus.name,
        files=len(plan.corpus.documents),
        code_points=plan.corpus.code_points,
        questions=len(plan.questions),
        unit=plan.measure.name,
        embedder=plan.embedder.name if plan.embedder else "",
        search=plan.search,
        k=plan.k,
        budget=plan.budget,
        baseline=base if plan.questions else "",
        seed=plan.seed,
        rows=tuple(_compared(plan, rows, base)),
        conclusion=comparing.conclusion(rows, baseline, budget, plan.seed),
        notes=tuple(dict.fromkeys([*plan.corpus.notes, *_notes(plan, measured)])),
        versions=circumstances.versions(),
        machine=circumstances.machine(),
    )


def _compared(plan: Plan, rows: Sequence[Measured], baseline: str) -> Iterator[Row]:
    for done, row in enumerate(comparing.compared(rows, baseline, plan.seed), start=1):
        plan.progress("compare", done, len(rows), row.name)
        yield row


def _notes(plan: Plan, measured: Sequence[_Noted]) -> Iterator[str]:
    """What the numbers cannot show."""
    for one in measured:
        yield from one.notes
    if not plan.questions:
        yield "No questions were asked: nothing here tells how well answers are found."
    elif len(plan.questions) < FEW:
        yield (
            f"With fewer than {FEW} questions an interval is rather too short: it misses the"
            " truth more often than once in twenty times."
        )
    if plan.search and any(sum(one.row.sizes) <= plan.budget for one in measured):
        yield (
            f"The budget of {plan.budget:,} {plan.measure.name} has room for all there is, so that"
            " recall within it says little: give a smaller one."
        )
    made = [kind for kind in KINDS if any(one.origin == kind for one in plan.questions)]
    yield from (NOTES[kind] for kind in made)
    if made:
        yield OF_ALL


def _without_the_questions(corpus: Corpus, questions: Sequence[Question]) -> Corpus:
    """The corpus without the documentation that questions were made of, which would be found by
    its own words."""
    if all(question.origin != docstrings.ORIGIN for question in questions):
        return corpus
    return corpus.with_texts(without_documentation(corpus.texts), BLANKED)
