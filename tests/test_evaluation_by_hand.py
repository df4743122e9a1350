"""An evaluation that is small enough to be worked out on paper: three documents, three questions,
two strategies. Every number below was.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from chunkwright.evaluation import Question, Reference, Report, evaluate, of_factory

TEXTS = {"one.txt": "AAAA\n\nBBBB\n\nABAB", "two.txt": "CCCC\n\nCCCA", "three.txt": "DDDD"}
QUESTIONS = [
    Question("A", (Reference("one.txt", 0, 4),)),
    Question("C", (Reference("two.txt", 8, 10), Reference("three.txt", 0, 2))),
    Question("B", (Reference("one.txt", 12, 16),)),
]
PARAGRAPHS = of_factory("paragraphs", lambda size: lambda text: text.split("\n\n"))
WHOLE = of_factory("whole", lambda size: lambda text: [text])


class Letters:
    """Counts the capital letters from A to D: a cosine is then known at sight, and what an index
    puts in front of a chunk has none of them."""

    name = "letters"
    dim = 4
    max_tokens = 100

    def embed(self, texts: Sequence[str], /) -> npt.NDArray[np.float32]:
        counts = [[text.count(letter) for letter in "ABCD"] for text in texts]
        return np.array(counts, dtype=np.float32)


@pytest.fixture(scope="module")
def report() -> Report:
    return evaluate(
        TEXTS,
        QUESTIONS,
        strategies=[PARAGRAPHS, WHOLE],
        sizes=(None,),
        unit="chars",
        embedder=Letters(),
        k=1,
        budget=8,
    )


def test_numbers_of_small_chunks_are_those_on_paper(report: Report) -> None:
    """AAAA comes first for A. For C it is CCCC, then the CCCA that was wanted; for B it is BBBB,
    then ABAB. Two chunks fit into the budget."""
    assert scores(report, "paragraphs none") == pytest.approx(
        {
            "budget_recall": (1 + 1 / 2 + 1) / 3,
            "recall": 1 / 3,
            "precision": 1 / 3,
            "iou": 1 / 3,
            "precision_omega": (1 + 4 / 8 + 1) / 3,
            "hit_rate": 1 / 3,
            "mrr": (1 + 1 / 2 + 1 / 2) / 3,
            "ndcg": 1 / 3,
            "chunk_recall": 1 / 3,
            "file_hit_rate": 1,
            "file_mrr": 1,
            "file_ndcg": 1,
            "file_recall": (1 + 1 / 2 + 1) / 3,
        }
    )


def test_numbers_of_large_chunks_are_those_on_paper(report: Report) -> None:
    """one.txt (16) comes first for A and B, two.txt (10) for C. None fits into the budget."""
    assert scores(report, "whole none") == pytest.approx(
        {
            "budget_recall": 0,
            "recall": (1 + 2 / 4 + 1) / 3,
            "precision": (4 / 16 + 2 / 10 + 4 / 16) / 3,
            "iou": (4 / 16 + 2 / 12 + 4 / 16) / 3,
            "precision_omega": (4 / 16 + 4 / 14 + 4 / 16) / 3,
            "hit_rate": 1,
            "mrr": 1,
            "ndcg": 1,
            "chunk_recall": (1 + 1 / 2 + 1) / 3,
            "file_hit_rate": 1,
            "file_mrr": 1,
            "file_ndcg": 1,
            "file_recall": (1 + 1 / 2 + 1) / 3,
        }
    )


def test_the_comparison_is_that_on_paper(report: Report) -> None:
    """Three questions prove nothing, however far apart the rows are."""
    against = report.rows[1].against
    assert report.baseline == "paragraphs none"
    assert against["budget_recall"].difference.value == pytest.approx(-5 / 6)
    assert against["precision"].difference.value == pytest.approx(7 / 30 - 1 / 3)
    assert {found.verdict for found in against.values()} == {"unclear"}


def test_what_is_counted_is_what_is_there(report: Report) -> None:
    """Numbers and sizes of chunks."""
    assert [row.sizes for row in report.rows] == [(4, 4, 4, 4, 4, 4), (16, 4, 10)]
    assert [row.facts["chunks"] for row in report.rows] == [6, 3]
    assert [row.facts["size_mean"] for row in report.rows] == [4, 10]


def scores(report: Report, name: str) -> dict[str, float]:
    """The means of a row, without those of the first five."""
    (row,) = (row for row in report.rows if row.name == name)
    return {name: one.value for name, one in row.scores.items() if "@" not in name}
