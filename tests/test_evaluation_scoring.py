"""What a question says of a cut: every measure, worked out by hand for chunks of known places."""

from __future__ import annotations

import math

import pytest

from chunkwright.evaluation.corpus import Corpus, of_texts
from chunkwright.evaluation.cutting import Cutting, cut
from chunkwright.evaluation.nouns import Asked, Question, Reference
from chunkwright.evaluation.scoring import Judge
from chunkwright.evaluation.strategies import of_factory
from chunkwright.measuring import resolve

CORPUS = of_texts({"a.txt": "aaaabbbbccccdddd", "b.txt": "eeeeffff"})
"""Chunks 0 to 3 are a's, 4 and 5 are b's, each of four letters."""


def quarters(corpus: Corpus) -> Cutting:
    made = of_factory(
        "quarters", lambda size: lambda text: [text[at : at + 4] for at in range(0, len(text), 4)]
    )
    return cut(corpus, made, Asked(4, resolve("chars")))


@pytest.fixture
def judge() -> Judge:
    return Judge(CORPUS, quarters(CORPUS))


IN_BOTH = Question("?", (Reference("a.txt", 6, 10), Reference("b.txt", 4, 8)))
"""Half of chunks 1 and 2, all of chunk 5."""


def test_text_is_judged_over_all_documents_together(judge: Judge) -> None:
    """Lengths are summed, not ratios: 4 of 8 wanted, in 12 that were found."""
    scores = judge.scores(IN_BOTH, [5, 0, 4, 1, 2, 3], k=3, budget=100)

    assert scores["recall"] == 4 / 8
    assert scores["precision"] == 4 / 12
    assert scores["iou"] == 4 / 16
    assert scores["recall@5"] == 1
    assert scores["precision@5"] == 8 / 20


def test_the_same_offset_of_another_document_is_not_it(judge: Judge) -> None:
    """Places are told apart by their documents."""
    assert judge.scores(IN_BOTH, [0, 4], k=2, budget=100)["recall"] == 0


def test_the_best_that_the_cuts_allow_needs_nothing_found(judge: Judge) -> None:
    """The chunks with some of the reference hold 12 code points, 8 of them right."""
    assert judge.omega(IN_BOTH) == {"precision_omega": 8 / 12}
    assert judge.scores(IN_BOTH, [], k=3, budget=1)["precision_omega"] == 8 / 12


@pytest.mark.parametrize(
    ("budget", "recall"), [(3, 0), (4, 4 / 8), (7, 4 / 8), (8, 4 / 8), (12, 6 / 8), (99, 1)]
)
def test_a_budget_is_spent_on_whole_chunks_in_order(
    judge: Judge, budget: int, recall: float
) -> None:
    """The first that does not fit ends it, whatever would fit behind it."""
    assert judge.scores(IN_BOTH, [5, 3, 1, 2], k=1, budget=budget)["budget_recall"] == recall


def test_a_large_chunk_ends_the_budget_though_a_small_one_follows() -> None:
    """Nothing is picked from below: a reader reads from the top."""
    corpus = of_texts({"a.txt": "aaaaaaaaaa", "b.txt": "b"})
    judge = Judge(
        corpus,
        cut(
            corpus,
            of_factory("whole", lambda size: lambda text: [text]),
            Asked(9, resolve("chars")),
        ),
    )
    question = Question("?", (Reference("b.txt", 0, 1),))
    assert judge.scores(question, [0, 1], k=2, budget=5)["budget_recall"] == 0
    assert judge.scores(question, [1, 0], k=2, budget=5)["budget_recall"] == 1


def test_ranks_are_judged_by_chunks_that_hold_some_of_it(judge: Judge) -> None:
    """Chunks 1, 2 and 5 are right; found second and fourth of four."""
    scores = judge.scores(IN_BOTH, [0, 1, 3, 5], k=4, budget=100)

    assert scores["hit_rate"] == 1
    assert scores["mrr"] == 1 / 2
    assert scores["chunk_recall"] == 2 / 3
    best = 1 + 1 / math.log2(3) + 1 / math.log2(4)
    assert scores["ndcg"] == pytest.approx((1 / math.log2(3) + 1 / math.log2(5)) / best)


def test_ranks_are_judged_by_files_too(judge: Judge) -> None:
    """A file stands where its first chunk does, and counts once."""
    in_b = Question("?", (Reference("b.txt", 0, 1),))
    scores = judge.scores(in_b, [0, 1, 2, 5, 4], k=1, budget=100)

    assert (scores["file_hit_rate"], scores["file_hit_rate@5"]) == (0, 1)
    assert scores["file_mrr"] == 1 / 2
    assert scores["file_ndcg@5"] == pytest.approx(1 / math.log2(3))
    assert (scores["file_recall"], scores["file_recall@5"]) == (0, 1)
    assert scores["mrr"] == 1 / 5


def test_what_no_chunk_holds_is_not_found() -> None:
    """A reference that a cut leaves out costs: nothing there to find would be a full score."""
    corpus = of_texts({"a.txt": "aaaabbbb"})
    half = of_factory("half", lambda size: lambda text: [text[:4]])
    judge = Judge(corpus, cut(corpus, half, Asked(4, resolve("chars"))))
    scores = judge.scores(Question("?", (Reference("a.txt", 5, 8),)), [0], k=5, budget=9)

    assert {name for name, value in scores.items() if value} == {
        "file_hit_rate",
        "file_mrr",
        "file_ndcg",
        "file_recall",
    }


def test_the_first_five_are_looked_at_once_where_they_are_k(judge: Judge) -> None:
    """Names tell the depth only where it is another than k."""
    assert not any("@" in name for name in judge.scores(IN_BOTH, [0], k=5, budget=9))
    names = set(judge.scores(IN_BOTH, [0], k=10, budget=9))
    assert {name for name in names if name.endswith("@5")} == {
        f"{name}@5"
        for name in names
        if "@" not in name and name not in {"mrr", "file_mrr", "budget_recall", "precision_omega"}
    }
