"""Measures of retrieval against values worked out by hand."""

from __future__ import annotations

from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright.evaluation import (
    Span,
    hit_rate,
    intersection,
    length,
    mean_reciprocal_rank,
    ndcg_at,
    precision_omega,
    recall_at,
    reciprocal_rank,
    span_iou,
    span_precision,
    span_recall,
    union,
)

span_lists = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=8)


def points(spans: list[Span]) -> set[int]:
    return {point for start, end in spans for point in range(start, end)}


def test_union_joins_what_overlaps_or_touches() -> None:
    """Sorted, apart, without empty spans."""
    assert union([(8, 9), (0, 3), (2, 5), (5, 6), (7, 7), (9, 4)]) == [(0, 6), (8, 9)]
    assert length([(0, 3), (2, 5)]) == 5


@given(span_lists, span_lists)
def test_spans_are_sets_of_points(one: list[Span], other: list[Span]) -> None:
    """Union, intersection and length say what sets of code points say."""
    assert points(union(one)) == points(one)
    assert points(intersection(one, other)) == points(one) & points(other)
    assert length(one) == len(points(one))


@given(span_lists, span_lists)
def test_ratios_lie_between_nothing_and_all(one: list[Span], other: list[Span]) -> None:
    """For any spans, empty and reversed ones included."""
    for measure in (span_recall, span_precision, span_iou, precision_omega):
        assert 0 <= measure(one, other) <= 1


def test_span_measures() -> None:
    """Reference 10 to 20 and 30 to 40; retrieved 0 to 15 and 30 to 35: 10 right ones."""
    reference, retrieved = [(10, 20), (30, 40)], [(0, 15), (30, 35)]
    assert span_recall(retrieved, reference) == 10 / 20
    assert span_precision(retrieved, reference) == 10 / 20
    assert span_iou(retrieved, reference) == 10 / 30


def test_repeated_text_costs_precision() -> None:
    """The same right span twice: recall is whole, half of what was retrieved is wasted."""
    twice = [(0, 10), (0, 10)]
    assert span_recall(twice, [(0, 10)]) == 1
    assert span_precision(twice, [(0, 10)]) == 0.5
    assert span_iou(twice, [(0, 10)]) == 0.5


def test_precision_omega_judges_the_cuts() -> None:
    """Chunks of 10; the reference 8 to 12 lies in two of them: 4 of 20. 0 to 4: 4 of 10."""
    chunks = [(0, 10), (10, 20), (20, 30)]
    assert precision_omega(chunks, [(8, 12)]) == 4 / 20
    assert precision_omega(chunks, [(0, 4)]) == 4 / 10
    assert precision_omega(chunks, [(50, 60)]) == 0


def test_precision_omega_counts_what_chunks_share_once() -> None:
    """0 to 12 and 8 to 20 hold 9 to 11, which is 2 of 20 code points; and what no chunk holds."""
    assert precision_omega([(0, 12), (8, 20)], [(9, 11)]) == 2 / 20
    assert precision_omega([(0, 10)], [(5, 10), (15, 20)]) == 5 / 15


def test_span_measures_of_nothing() -> None:
    """Nothing to find is found; nothing retrieved is not precise."""
    assert span_recall([], []) == 1
    assert span_recall([], [(0, 5)]) == 0
    assert span_precision([], [(0, 5)]) == 0
    assert span_precision([(0, 5)], []) == 0
    assert span_iou([], []) == 1


def test_rank_measures() -> None:
    """The second and fourth of four are relevant, and a third one is missing."""
    ranked, relevant = ["a", "b", "c", "d"], {"b", "d", "x"}
    assert [hit_rate(ranked, relevant, k) for k in (1, 2)] == [0, 1]
    assert [recall_at(ranked, relevant, k) for k in (1, 2, 4)] == [0, 1 / 3, 2 / 3]
    assert reciprocal_rank(ranked, relevant) == 1 / 2
    assert reciprocal_rank(ranked, {"x"}) == 0
    assert mean_reciprocal_rank([(ranked, relevant), (ranked, {"x"}), (ranked, {"a"})]) == 0.5


def test_ndcg() -> None:
    """Gains 0, 1, 0, 1 against the best order 1, 1, 1."""
    ranked, relevant = ["a", "b", "c", "d"], ["b", "d", "x"]
    best = 1 + 1 / log2(3) + 1 / log2(4)
    assert ndcg_at(ranked, relevant, 4) == pytest.approx((1 / log2(3) + 1 / log2(5)) / best)
    assert ndcg_at(ranked, relevant, 1) == 0
    assert ndcg_at(["b", "d", "x"], relevant, 10) == 1


def test_ndcg_with_gains() -> None:
    """Gains 1, 3 in that order, where 3, 1 was best."""
    expected = (1 + 3 / log2(3)) / (3 + 1 / log2(3))
    assert ndcg_at(["low", "high"], {"high": 3.0, "low": 1.0}, 2) == pytest.approx(expected)


def test_an_item_ranked_twice_counts_once() -> None:
    """No measure goes over 1."""
    assert ndcg_at(["a", "a"], ["a", "b"], 2) == pytest.approx(1 / (1 + 1 / log2(3)))
    assert recall_at(["a", "a"], ["a", "b"], 2) == 0.5


def test_rank_measures_of_nothing() -> None:
    """No answers, nothing relevant, no runs."""
    assert hit_rate([], {"a"}, 5) == 0
    assert recall_at(["a"], set(), 5) == 1
    assert ndcg_at(["a"], [], 5) == 1
    assert mean_reciprocal_rank([]) == 0
