"""What one question says of a row: every measure of what was found for it, by name. Means over
questions are in `statistics`, the measures themselves in `measures`.

    recall, precision, iou           of the text of the first k chunks
    budget_recall                    recall of as many whole chunks as fit into the budget
    precision_omega                  of the best that the chunks allow, whatever is found
    hit_rate, mrr, ndcg,             of the first k chunks; right is one that holds some of a
    chunk_recall                     reference
    file_hit_rate, file_mrr,         of the first k files; right is one with a reference
    file_ndcg, file_recall
    recall@5, ...                    the same of the first 5, where k is another
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, takewhile

import msgspec
import numpy as np
import numpy.typing as npt

from chunkwright.evaluation import measures
from chunkwright.evaluation.corpus import Corpus, places
from chunkwright.evaluation.cutting import Cutting
from chunkwright.evaluation.measures import Span
from chunkwright.evaluation.nouns import Question

ALSO_AT = 5
"""The first so many are looked at besides the first k: what a reader or a prompt takes of them."""

BUDGET_RECALL = "budget_recall"
OMEGA = "precision_omega"

NOWHERE = frozenset({-1})
"""In place of the chunks that are right, where no chunk holds any of a reference: it is not found,
rather than nothing being there to find."""

Scores = dict[str, float]


class Judge:
    """The places of a cutting's chunks, and what is right for a question.

    Documents lie one behind the other on one axis, so that a span tells its document too and
    lengths sum over documents.
    """

    def __init__(self, corpus: Corpus, cutting: Cutting) -> None:
        self._places = places(corpus)
        self._paths = [chunk.path for chunk in cutting.chunks]
        self._sizes = cutting.sizes
        starts = [self._places[chunk.path] + chunk.start for chunk in cutting.chunks]
        self._starts = np.array(starts, dtype=np.int64)
        self._ends = self._starts + [chunk.end - chunk.start for chunk in cutting.chunks]

    def omega(self, question: Question) -> Scores:
        """What is known before anything is looked for."""
        wanted = self._wanted(question)
        chunks = self._spans(self._holding(wanted))
        return {OMEGA: measures.precision_omega(chunks, wanted)}

    def scores(self, question: Question, found: Sequence[int], k: int, budget: int) -> Scores:
        """Every measure; `found` are positions of chunks, the best first."""
        wanted = self._wanted(question)
        right = _Right(
            spans=wanted,
            chunks=frozenset(self._holding(wanted).tolist()) or NOWHERE,
            files=frozenset(one.path for one in question.references),
        )
        files = list(dict.fromkeys(self._paths[chunk] for chunk in found))
        scores = self.omega(question)
        scores[BUDGET_RECALL] = measures.span_recall(self._affordable(found, budget), right.spans)
        scores |= {
            "mrr": measures.reciprocal_rank(found, right.chunks),
            "file_mrr": measures.reciprocal_rank(files, right.files),
        }
        for depth, mark in {k: "", ALSO_AT: "" if k == ALSO_AT else f"@{ALSO_AT}"}.items():
            spans = self._spans(found[:depth])
            at_depth = _of_text(spans, right) | _of_ranks(found, files, right, depth)
            scores |= {f"{name}{mark}": value for name, value in at_depth.items()}
        return scores

    def _wanted(self, question: Question) -> list[Span]:
        return [
            (self._places[one.path] + one.start, self._places[one.path] + one.end)
            for one in question.references
        ]

    def _holding(self, wanted: Sequence[Span]) -> npt.NDArray[np.intp]:
        """Positions of the chunks that hold some of the wanted."""
        holds = np.zeros(len(self._starts), dtype=bool)
        for start, end in wanted:
            holds |= (self._starts < end) & (self._ends > start)
        return np.flatnonzero(holds)

    def _spans(self, chunks: Sequence[int] | npt.NDArray[np.intp]) -> list[Span]:
        return [(int(self._starts[chunk]), int(self._ends[chunk])) for chunk in chunks]

    def _affordable(self, found: Sequence[int], budget: int) -> list[Span]:
        """The first chunks, whole ones, whose sizes together stay within the budget."""
        spent = accumulate(self._sizes[chunk] for chunk in found)
        return self._spans(found[: sum(1 for _ in takewhile(budget.__ge__, spent))])


class _Right(msgspec.Struct, frozen=True):
    """What answers a question."""

    spans: list[Span]
    chunks: frozenset[int]
    files: frozenset[str]


def _of_text(spans: Sequence[Span], right: _Right) -> Scores:
    return {
        "recall": measures.span_recall(spans, right.spans),
        "precision": measures.span_precision(spans, right.spans),
        "iou": measures.span_iou(spans, right.spans),
    }


def _of_ranks(found: Sequence[int], files: Sequence[str], right: _Right, depth: int) -> Scores:
    """Of the order in which chunks, and so files, were found."""
    return {
        "hit_rate": measures.hit_rate(found, right.chunks, depth),
        "ndcg": measures.ndcg_at(found, dict.fromkeys(right.chunks, 1.0), depth),
        "chunk_recall": measures.recall_at(found, right.chunks, depth),
        "file_hit_rate": measures.hit_rate(files, right.files, depth),
        "file_ndcg": measures.ndcg_at(files, dict.fromkeys(right.files, 1.0), depth),
        "file_recall": measures.recall_at(files, right.files, depth),
    }
