"""Measures against implementations that are not ours: trec_eval's, through ir_measures, for
rankings; and the scores that the code of Chroma's evaluation gave for made-up chunks.

`data/evaluation/chroma_scores.jsonl` has a case a line: chunks and references at random places of a
document "a" and chunks of another, which of them were retrieved, and the four scores. Cases of the
kinds `touching` and `overlapping references` are those on which Chroma's code differs on purpose
of ours.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from chunkwright.evaluation import (
    Span,
    hit_rate,
    mean_reciprocal_rank,
    ndcg_at,
    precision_omega,
    recall_at,
    span_iou,
    span_precision,
    span_recall,
)

CASES = Path(__file__).parent / "data" / "evaluation" / "chroma_scores.jsonl"

RUNS = 60

Run = tuple[list[str], dict[str, int]]
"""A ranking, best first, and what is judged: gains of 0 to 3."""


def runs() -> list[Run]:
    """Rankings of 1 to 30 of 40 documents, up to 12 of which are relevant; some of those are not
    ranked, and in some runs none is."""
    chance = random.Random(20240229)  # noqa: S311  # test data
    made = []
    for _ in range(RUNS):
        documents = [f"document {number}" for number in range(40)]
        judged = chance.sample(documents, chance.randint(1, 12))
        gains = {name: chance.choice((0, 1, 1, 2, 3)) for name in judged} | {judged[0]: 1}
        made.append((chance.sample(documents, chance.randint(1, 30)), gains))
    return made


def of_trec(measure: str, found: list[Run]) -> list[float]:
    """What ir_measures says of each run. Scores fall by one a place: there are no ties."""
    ir_measures = pytest.importorskip("ir_measures", exc_type=ImportError)
    judged = {str(number): gains for number, (_, gains) in enumerate(found)}
    ranked = {
        str(number): {name: float(len(names) - place) for place, name in enumerate(names)}
        for number, (names, _) in enumerate(found)
    }
    parsed = ir_measures.parse_measure(measure)
    scores = {one.query_id: one.value for one in ir_measures.iter_calc([parsed], judged, ranked)}
    return [scores[str(number)] for number in range(len(found))]


def relevant(gains: dict[str, int]) -> set[str]:
    return {name for name, gain in gains.items() if gain > 0}


@pytest.mark.parametrize("k", [1, 3, 5, 10, 100])
def test_ndcg_is_that_of_trec_eval(k: int) -> None:
    """With gains of 0 to 3, relevant documents that are missing, and fewer than k ranked."""
    ours = [ndcg_at(ranked, gains, k) for ranked, gains in runs()]
    assert ours == pytest.approx(of_trec(f"nDCG@{k}", runs()))


@pytest.mark.parametrize("k", [1, 3, 5, 10, 100])
def test_recall_and_hit_rate_are_those_of_trec_eval(k: int) -> None:
    """Whatever is judged above 0 is relevant."""
    recalls = [recall_at(ranked, relevant(gains), k) for ranked, gains in runs()]
    hits = [hit_rate(ranked, relevant(gains), k) for ranked, gains in runs()]
    assert recalls == pytest.approx(of_trec(f"R@{k}", runs()))
    assert hits == pytest.approx(of_trec(f"Success@{k}", runs()))


def test_mean_reciprocal_rank_is_that_of_trec_eval() -> None:
    """0 for a run that ranks nothing relevant."""
    theirs = of_trec("RR", runs())
    assert 0 in theirs
    ours = mean_reciprocal_rank((ranked, relevant(gains)) for ranked, gains in runs())
    assert ours == pytest.approx(sum(theirs) / len(theirs))


def cases(kind: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]
    return [case for case in found if case["kind"] == kind]


def our_scores(case: dict[str, Any]) -> dict[str, float]:
    """Chunks of the other document, moved to where nothing is wanted, cost precision too."""
    reference = [(start, end) for start, end in case["references"]]
    retrieved = [case["chunks"][number] for number in case["retrieved"]]
    right: list[Span] = [(start, end) for name, start, end in retrieved if name == "a"]
    wrong: list[Span] = [(start - end, 0) for name, start, end in retrieved if name != "a"]
    chunks = [(start, end) for name, start, end in case["chunks"] if name == "a"]
    return {
        "recall": span_recall(right, reference),
        "precision": span_precision(right + wrong, reference),
        "iou": span_iou(right + wrong, reference),
        "precision_omega": precision_omega(chunks, reference),
    }


def test_span_measures_are_those_of_chroma() -> None:
    """Thirty cases with and without overlap, one to four references, chunks of another document."""
    found = cases("plain")
    assert len(found) == 30
    for case in found:
        assert our_scores(case) == pytest.approx(case["scores"])


def test_a_chunk_that_only_touches_a_reference_holds_none_of_it() -> None:
    """Chroma's code counts a chunk that ends where a reference begins as one that holds some: the
    best precision of cuts right at the reference is then far from 1. Ours is higher."""
    found = cases("touching")
    assert len(found) == 6
    for case in found:
        ours = our_scores(case)
        assert ours["precision_omega"] > case["scores"]["precision_omega"]
        alike = {name: score for name, score in ours.items() if name != "precision_omega"}
        assert alike == pytest.approx({name: case["scores"][name] for name in alike})


def test_references_that_overlap_can_be_retrieved_whole() -> None:
    """Chroma's code has text that two references share twice in what is wanted and once in what is
    found, so that its recall stays under 1. Ours has it once."""
    found = cases("overlapping references")
    assert len(found) == 6
    for case in found:
        assert our_scores(case)["recall"] >= case["scores"]["recall"]
        assert our_scores(case)["precision_omega"] == pytest.approx(
            case["scores"]["precision_omega"]
        )
