"""Points of a frontier: how much of the answers a budget of tokens buys, and how well the cuts fit
them, for chunks of one size. Who cuts and what is asked is told by the measurements.

Chunks are taken best first, whole, while the sum of their tokens (cl100k, of the text without any
context) stays within the budget; the first that does not fit ends it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchmarks import scoring
from benchmarks.facts import Line
from benchmarks.vocabulary import counter
from chunkwright.evaluation import Question, Reference

BUDGET = 1000
"""Tokens: about what a prompt spends on each question; five chunks of the report's 200."""

FIRST = 5
"""Chunks, as in the report's tables."""

BOTH = "cosine and words"
"""A ranking: by cosine and BM25, fused by rank, the same for all."""

RRF = 60
"""Constant of reciprocal rank fusion, as in the paper (Cormack and others, 2009)."""

PLACES = 4
"""Decimal places of a question's score: saved lines stay short."""

NAME = re.compile(r"\w+")
PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
"""Of a name in camel case or with underscores."""

Order = Sequence[int] | npt.NDArray[np.intp]
"""Positions of chunks, best first."""


@dataclass(frozen=True)
class Cuts:
    """All chunks of one contestant at one size."""

    places: Sequence[Reference]
    texts: Sequence[str]
    tokens: npt.NDArray[np.int64]


def cuts(places: Sequence[Reference], texts: Sequence[str]) -> Cuts:
    """With their tokens counted."""
    count = counter("cl100k")
    return Cuts(places, texts, np.array([count(text) for text in texts]))


def point(cut: Cuts, questions: Sequence[Question], orders: Iterable[Order]) -> Line:
    """The fields of a line that say how it came out; `orders` has the ranking for each question."""
    chunks = scoring.by_path(cut.places)
    rows = [
        _scores(cut, scoring.by_path(question.references), order, chunks)
        for question, order in zip(questions, orders, strict=True)
    ]
    columns = {name: [round(row[name], PLACES) for row in rows] for name in rows[0]}
    return {
        "questions": len(questions),
        "chunks": len(cut.places),
        "mean_tokens": float(cut.tokens.mean()),
        "budget": BUDGET,
        **columns,
    }


def _scores(cut: Cuts, wanted: scoring.Spans, order: Order, chunks: scoring.Spans) -> Line:
    ranked = np.asarray(order, dtype=np.intp)
    fitting = int((np.cumsum(cut.tokens[ranked]) <= BUDGET).sum())
    return {
        "recall_at_budget": scoring.recall([cut.places[at] for at in ranked[:fitting]], wanted),
        "precision_omega": scoring.precision_omega(chunks, wanted),
        "recall_at_5": scoring.recall([cut.places[at] for at in ranked[:FIRST]], wanted),
    }


def by_cosine(chunks: npt.NDArray[np.float32], asked: npt.NDArray[np.float32]) -> Iterator[Order]:
    """Nearest first; equal ones in the order of the texts."""
    for query in asked:
        yield np.argsort(-(chunks @ query), kind="stable")


def fused(one: Order, other: Order) -> Order:
    """Reciprocal rank fusion of two rankings; where one lacks a chunk it adds nothing."""
    scores: dict[int, float] = {}
    for order in (one, other):
        for rank, at in enumerate(order, start=1):
            scores[int(at)] = scores.get(int(at), 0.0) + 1 / (RRF + rank)
    return sorted(scores, key=lambda at: -scores[at])


def by_words(texts: Sequence[str], asked: Sequence[str]) -> Iterator[Order]:
    """Best first by BM25 (of bm25s, as it comes) over words and the parts of names; those without
    any word of the question are left out."""
    import bm25s

    engine = bm25s.BM25()
    engine.index([_words(text) for text in texts], show_progress=False)
    for question in asked:
        scores = engine.get_scores(_words(question))
        order = np.argsort(-scores, kind="stable")
        yield order[: int((scores > 0).sum())]


def _words(text: str) -> list[str]:
    """`readFile_now` is readfile_now, read, file and now."""
    found = []
    for name in NAME.findall(text):
        parts = PART.findall(name)
        found += [name.lower(), *(part.lower() for part in parts if len(parts) > 1)]
    return found
