"""One answer a document: the best of its chunks speaks for it, so that a long document does not
crowd out the rest. Which chunks answer is not decided here.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import fsum

from msgspec.structs import replace

from chunkwright.ranking import DIGITS, SATURATED
from chunkwright.types import Chunk, Hit

OWN_VIEWS = frozenset({"file", "summary"})
"""Kinds of chunks that stand for a whole document: their score is the document's own."""

CHUNK_WEIGHT = 0.9
"""What the score of a piece counts as its document's, against a score of the document's own: a
piece says less of what the whole is about. It holds for every document, with a view of its own or
without: otherwise one that is found twice would lose against one that is found once."""

CITATION_SHARE = 0.85
"""Share of its document's best score from which on a further chunk is cited too."""

MOST_CITATIONS = 8
"""Chunks cited of one document besides the best: more is not a hint but the document."""

GROUPED = "grouping"
"""Name of the share that CHUNK_WEIGHT takes."""


def grouped(ranked: Iterable[Hit]) -> list[Hit]:
    """One hit for each parent (else path), best first; equal scores by id."""
    documents: dict[str, list[Hit]] = {}
    for hit in ranked:
        documents.setdefault(hit.chunk.parent or hit.chunk.path, []).append(_weighted(hit))
    return sorted((_document(hits) for hits in documents.values()), key=_order)


def _weighted(hit: Hit) -> Hit:
    """A chunk's score as its document's: without the loss for standing among many of one file."""
    reasons = {name: share for name, share in hit.reasons.items() if name != SATURATED}
    if hit.chunk.kind not in OWN_VIEWS:
        reasons[GROUPED] = round((CHUNK_WEIGHT - 1.0) * fsum(reasons.values()), DIGITS)
    return replace(hit, score=round(fsum(reasons.values()), DIGITS), reasons=reasons)


def _document(hits: list[Hit]) -> Hit:
    best, *others = sorted(hits, key=_order)
    least = CITATION_SHARE * best.score
    cited: list[Chunk] = []
    for hit in others:
        is_place = hit.chunk.kind not in OWN_VIEWS
        if is_place and hit.score >= least and not _overlaps(hit.chunk, [best.chunk, *cited]):
            cited.append(hit.chunk)
    return replace(best, citations=tuple(cited[:MOST_CITATIONS]))


def _overlaps(chunk: Chunk, others: Iterable[Chunk]) -> bool:
    """Whether it is told already: an extra view of a file's beginning, say."""
    return any(
        chunk.path == other.path
        and chunk.attachment_path == other.attachment_path
        and other.kind not in OWN_VIEWS
        and min(chunk.end, other.end) - max(chunk.start, other.start)
        >= min(len(chunk.text), len(other.text)) / 2
        for other in others
    )


def _order(hit: Hit) -> tuple[float, str]:
    return -hit.score, hit.chunk.id
