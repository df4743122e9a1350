"""A caller's own reranker: it gets the best hits, and what it answers is checked. How it orders
them is its affair.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from msgspec.structs import replace

from chunkwright.errors import RerankError, told
from chunkwright.ranking import DIGITS
from chunkwright.types import Hit, Reranker

RERANK_DEPTH = 50
"""Hits given to a reranker, at least; as many as asked for where that is more. Most rerankers read
each with the query, so their number is what they cost."""

RERANKED = "reranker"
"""Name of the share that tells what a reranker changed; there, if 0, where one was asked."""

REMEDY = "rerank(query, hits) must return the same hits, each once, best first"


def reranked(reranker: Reranker, query: str, hits: Sequence[Hit], *, optional: bool) -> list[Hit]:
    """The hits in the reranker's order.

    Scores are those of the search, handed out anew in that order, so that they still fall and
    still compare; the share RERANKED is the difference. Raises RerankError where the reranker fails
    or answers with other hits; with `optional` that is a warning, and the order stays.
    """
    if not hits:
        return []
    try:
        ordered = _checked(reranker, _asked(reranker, query, hits), hits)
    except RerankError as error:
        if not optional:
            raise
        warnings.warn(f"not reranked: {error}", RuntimeWarning, stacklevel=2)
        return list(hits)
    scores = sorted((hit.score for hit in hits), reverse=True)
    return [_scored(hit, score) for hit, score in zip(ordered, scores, strict=True)]


def _asked(reranker: Reranker, query: str, hits: Sequence[Hit]) -> object:
    try:
        return reranker.rerank(query, list(hits))
    except Exception as error:  # whatever a reranker raises, a search says which one it was
        raise RerankError(
            reranker.name,
            told(error),
            "check the reranker, or search without it",
        ) from error


def _checked(reranker: Reranker, answer: object, hits: Sequence[Hit]) -> list[Hit]:
    """Our own hits in the order of the answer, whatever else it wrote into its own."""
    if not isinstance(answer, Sequence) or not all(isinstance(hit, Hit) for hit in answer):
        raise RerankError(reranker.name, f"gave {type(answer).__name__}, not hits", REMEDY)
    given = {hit.chunk.id: hit for hit in hits}
    named = [hit.chunk.id for hit in answer]
    if invented := [id_ for id_ in named if id_ not in given]:
        raise RerankError(reranker.name, f"gave a hit it was not given ({invented[0]})", REMEDY)
    if len(set(named)) < len(named):
        raise RerankError(reranker.name, "gave a hit twice", REMEDY)
    if len(named) < len(given):
        raise RerankError(reranker.name, f"gave {len(named)} of {len(given)} hits", REMEDY)
    return [given[id_] for id_ in named]


def _scored(hit: Hit, score: float) -> Hit:
    return replace(
        hit, score=score, reasons={**hit.reasons, RERANKED: round(score - hit.score, DIGITS)}
    )
