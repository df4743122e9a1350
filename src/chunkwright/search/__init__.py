"""A query against a store: gathers candidates by words and by meaning, and has them ranked. What a
signal is worth is ranking's to say; whether the index is fit to be asked is the index's.

`scope` says which chunks may answer, `meaning` which are near, `candidates` what ranking sees.
"""

from __future__ import annotations

import msgspec

from chunkwright.errors import ConfigError, PathError
from chunkwright.ranking import Query, rank
from chunkwright.search.candidates import candidate
from chunkwright.search.meaning import Vector, by_meaning, embedded, stored_vector
from chunkwright.search.scope import ANYWHERE, Scope, encodable, filter_of
from chunkwright.store import Store
from chunkwright.store.reading import Snapshot
from chunkwright.store.rows import Filter
from chunkwright.store.terms import name_in, parts_of, query_terms
from chunkwright.types import EXTRA_VIEWS, Chunk, Embedder, Hit

__all__ = ["Scope", "candidate", "find_related", "search"]

COLUMN_WEIGHTS = (1.0, 1.0, 1.5, 2.5)
"""Text, parts of identifiers, path, names, for BM25. Names and paths are short and say what a chunk
is about; a part of an identifier is a weaker sign than a word."""

WORD_DEPTH = 200
MEANING_DEPTH = 100
"""Candidates taken by words and by meaning; at least DEPTH_FACTOR times the hits asked for."""

DEPTH_FACTOR = 4
"""Merging overlapping hits leaves fewer than there were candidates."""


def search(
    store: Store, embedder: Embedder | None, query: str, k: int, scope: Scope = ANYWHERE
) -> list[Hit]:
    """The best k answers, best first; none for a blank query. Raises ConfigError for k below 1."""
    _check_count("k", k)
    query = encodable(query)
    if not query.strip():
        return []
    vector = None if embedder is None else embedded(embedder, query)
    with store.reading() as snapshot:
        asked = _Asked(query, query_terms(query), vector, k)
        return _answer(store, snapshot, embedder, asked, filter_of(snapshot, scope))


def find_related(
    store: Store, embedder: Embedder | None, path: str, line: int, k: int
) -> list[Hit]:
    """Chunks like the one at a line, without it. Raises PathError for a path not in the index."""
    _check_count("k", k)
    _check_count("line", line)
    with store.reading() as snapshot:
        row, chunk = _chunk_at(snapshot, path, line)
        vector = None
        if embedder is not None:
            vector = stored_vector(store.vectors(snapshot, embedder.name, embedder.dim), row)
        asked = _Asked(chunk.text, query_terms(chunk.text), vector, k, without=chunk)
        return _answer(store, snapshot, embedder, asked, Filter())


class _Asked(msgspec.Struct, frozen=True):
    """A question in all its forms."""

    text: str
    terms: list[str]
    vector: Vector | None
    k: int
    without: Chunk | None = None
    """What answers nothing: it is what was asked about."""


def _answer(
    store: Store, snapshot: Snapshot, embedder: Embedder | None, asked: _Asked, allowed: Filter
) -> list[Hit]:
    depth = DEPTH_FACTOR * asked.k
    matches = snapshot.match(asked.terms, COLUMN_WEIGHTS, max(WORD_DEPTH, depth), allowed)
    words = {match.row: match.score for match in matches}
    meanings: dict[int, float] = {}
    if embedder is not None and asked.vector is not None:
        vectors = store.vectors(snapshot, embedder.name, embedder.dim)
        rows = None if allowed.is_open() else snapshot.allowed_rows(allowed)
        meanings = by_meaning(vectors, asked.vector, list(words), rows, max(MEANING_DEPTH, depth))
    chunks = snapshot.chunks_at([*words, *(row for row in meanings if row not in words)])
    candidates = (
        candidate(chunk, words.get(row, 0.0), meanings.get(row, 0.0))
        for row, chunk in chunks.items()
        if not _is_part_of(asked.without, chunk)
    )
    name = name_in(asked.text)
    query = Query(tuple(asked.terms), name, "".join(parts_of(name)))
    return rank(query, candidates, asked.k)


def _is_part_of(asked: Chunk | None, chunk: Chunk) -> bool:
    """Whether the chunk is, or lies within, the one that was asked about."""
    if asked is None or asked.path != chunk.path:
        return False
    return chunk.start < asked.end and asked.start < chunk.end


def _chunk_at(snapshot: Snapshot, path: str, line: int) -> tuple[int, Chunk]:
    """Row and chunk nearest to a line: the shortest one that holds it, if any does."""
    chunks = snapshot.chunks_at(snapshot.rows_of(path))
    if not chunks:
        raise PathError(path, "is not in the index", "refresh the index, or check the spelling")
    return min(chunks.items(), key=lambda item: _distance(item[1], line))


def _distance(chunk: Chunk, line: int) -> tuple[int, bool, int, int]:
    outside = max(chunk.start_line - line, line - chunk.end_line, 0)
    return outside, chunk.kind in EXTRA_VIEWS, chunk.end_line - chunk.start_line, chunk.index


def _check_count(option: str, value: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ConfigError(option, value, "a whole number of 1 or more")
