"""From ranked hits to the answers that are shown: joined or grouped, reranked, with neighbours,
explained, within a budget. Each step is a room of its own; here is their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from chunkwright.ranking import SHARES
from chunkwright.search.density import fitted
from chunkwright.search.grouping import grouped
from chunkwright.search.joining import joined
from chunkwright.search.neighbours import with_neighbours
from chunkwright.search.options import Options
from chunkwright.search.reranking import RERANK_DEPTH, reranked
from chunkwright.store.reading import Snapshot
from chunkwright.types import Hit


def wanted(k: int, options: Options) -> int:
    """How many answers to make: a reranker gets more than are shown."""
    return k if options.reranker is None else max(k, RERANK_DEPTH)


def assembled(ranked: Iterable[Hit], count: int, options: Options) -> list[Hit]:
    """The first `count` answers."""
    return grouped(ranked)[:count] if options.group else joined(ranked, count)


def presented(
    snapshot: Snapshot, query: str, answers: Sequence[Hit], k: int, options: Options
) -> list[Hit]:
    """The answers as they are shown: at most k."""
    hits = [hit for hit in answers if hit.score >= options.threshold]
    if options.reranker is not None:
        # Before the cut: what stood below may come up. The snapshot stays open meanwhile, which
        # hinders no writer.
        hits = reranked(options.reranker, query, hits, optional=options.rerank_optional)
    hits = hits[:k]
    if options.neighbours:
        hits = with_neighbours(snapshot, hits, options.neighbours)
    if options.context_tokens is not None:
        hits = fitted(hits, options.context_tokens, options.count)
    return hits


def explained(hit: Hit, raw: Mapping[str, float]) -> Hit:
    """A hit with every share there is, zeros too, and the values they were made of."""
    shares = {**dict.fromkeys(SHARES, 0.0), **hit.reasons}
    return replace(hit, reasons=shares, raw=dict(raw))
