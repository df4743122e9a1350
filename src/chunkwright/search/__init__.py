"""A query against a store: gathers candidates by words and by meaning, has them ranked, and puts
answers together. What a signal is worth is ranking's to say; whether the index is fit to be asked,
and whether its files are still what was indexed, is the index's.

`scope` says which chunks may answer, `meaning` which are near, `candidates` what ranking sees.
`options` says how answers are shown; `presenting` does that, by `joining`, `grouping`,
`reranking`, `neighbours` and `density`. `snippets` is for faces.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import NamedTuple

import msgspec

from chunkwright.errors import PathError
from chunkwright.ranking import Query, rank
from chunkwright.search import presenting
from chunkwright.search.candidates import candidate
from chunkwright.search.grouping import OWN_VIEWS
from chunkwright.search.meaning import LEAST_COSINE, Vector, by_meaning, embedded, stored_vector
from chunkwright.search.options import PLAIN, Options, check, check_count
from chunkwright.search.scope import ANYWHERE, Scope, encodable, filter_of
from chunkwright.store import Store
from chunkwright.store.reading import Snapshot
from chunkwright.store.rows import Filter
from chunkwright.store.terms import name_in, parts_of, query_terms
from chunkwright.types import EXTRA_VIEWS, Chunk, Embedder, Hit

__all__ = [
    "Options",
    "Question",
    "Scope",
    "answers",
    "candidate",
    "check",
    "question",
    "question_at",
]

COLUMN_WEIGHTS = (1.0, 1.0, 1.5, 2.5)
"""Text, parts of identifiers, path, names, for BM25. Names and paths are short and say what a chunk
is about; a part of an identifier is a weaker sign than a word."""

WORD_DEPTH = 200
MEANING_DEPTH = 100
"""Candidates taken by words and by meaning; at least DEPTH_FACTOR times the hits asked for."""

DEPTH_FACTOR = 4
"""Merging hits leaves fewer than there were candidates. Where too few are left, so many times more
are taken, until there are enough or no more."""

MOST_CANDIDATES = 1 << 31
"""More chunks than an index holds, and a number SQLite takes."""


class Question(msgspec.Struct, frozen=True):
    """What is asked, in all its forms."""

    text: str
    terms: list[str]
    vector: Vector | None
    """None to ask for words only."""
    without: Chunk | None = None
    """What answers nothing: it is what was asked about."""


class _Pool(NamedTuple):
    """Candidates, by row."""

    chunks: dict[int, Chunk]
    words: dict[int, float]
    meanings: dict[int, float]
    is_all: bool
    """Whether more depth would give no more."""


def question(embedder: Embedder | None, text: str) -> Question | None:
    """A query in all its forms; None for a blank one. Raises EmbedError."""
    text = encodable(text)
    if not text.strip():
        return None
    vector = None if embedder is None else embedded(embedder, text)
    return Question(text, query_terms(text), vector)


def question_at(
    store: Store, snapshot: Snapshot, embedder: Embedder | None, path: str, line: int
) -> Question:
    """A question for chunks like the one at a line. Raises PathError where it is not indexed."""
    check_count("line", line)
    row, chunk = _chunk_at(snapshot, path, line)
    vector = None
    if embedder is not None:
        vector = stored_vector(store.vectors(snapshot, embedder.name, embedder.dim), row)
    return Question(chunk.text, query_terms(chunk.text), vector, chunk)


def answers(
    store: Store,
    snapshot: Snapshot,
    embedder: Embedder | None,
    asked: Question,
    k: int,
    scope: Scope = ANYWHERE,
    options: Options = PLAIN,
) -> list[Hit]:
    """The best k answers, best first. Raises ConfigError for a wrong k, filter or option."""
    check(k, options)
    allowed = filter_of(snapshot, scope)
    count = presenting.wanted(k, options)
    for pool in _pools(store, snapshot, embedder, asked, allowed, count, options):
        ranked = _ranked(asked, pool, OWN_VIEWS if options.group else frozenset())
        found = presenting.assembled(ranked, count, options)
        if len(found) >= count or pool.is_all:
            break
    hits = presenting.presented(snapshot, asked.text, found, k, options)
    return _explained(hits, pool) if options.explain else hits


def _pools(
    store: Store,
    snapshot: Snapshot,
    embedder: Embedder | None,
    asked: Question,
    allowed: Filter,
    count: int,
    options: Options,
) -> Iterator[_Pool]:
    """The candidates, and ever more of them: deeper ones; or, where each document is one answer,
    those of documents that have none yet, for of the others the best is known."""
    depth = min(DEPTH_FACTOR * count, MOST_CANDIDATES)
    pool = _pool(store, snapshot, embedder, asked, allowed, depth)
    while True:
        yield pool
        if options.group:
            allowed = _others(snapshot, allowed, {chunk.path for chunk in pool.chunks.values()})
            pool = _both(pool, _pool(store, snapshot, embedder, asked, allowed, depth))
        else:
            depth = min(DEPTH_FACTOR * max(depth, WORD_DEPTH), MOST_CANDIDATES)
            pool = _pool(store, snapshot, embedder, asked, allowed, depth)


def _others(snapshot: Snapshot, allowed: Filter, paths: Container[str]) -> Filter:
    """The filter, without the files at `paths`."""
    before = None if allowed.files is None else set(allowed.files)
    return allowed._replace(
        files=[
            number
            for path, number in snapshot.numbers().items()
            if path not in paths and (before is None or number in before)
        ]
    )


def _both(one: _Pool, more: _Pool) -> _Pool:
    return _Pool(
        one.chunks | more.chunks, one.words | more.words, one.meanings | more.meanings, more.is_all
    )


def _pool(
    store: Store,
    snapshot: Snapshot,
    embedder: Embedder | None,
    asked: Question,
    allowed: Filter,
    depth: int,
) -> _Pool:
    word_depth, meaning_depth = max(WORD_DEPTH, depth), max(MEANING_DEPTH, depth)
    matches = snapshot.match(asked.terms, COLUMN_WEIGHTS, word_depth, allowed)
    words = {match.row: match.score for match in matches}
    meanings: dict[int, float] = {}
    if embedder is not None and asked.vector is not None:
        vectors = store.vectors(snapshot, embedder.name, embedder.dim)
        rows = None if allowed.is_open() else snapshot.allowed_rows(allowed)
        meanings = by_meaning(vectors, asked.vector, list(words), rows, meaning_depth)
    near = sum(cosine >= LEAST_COSINE for cosine in meanings.values())
    is_all = len(words) < word_depth and near < meaning_depth
    chunks = snapshot.chunks_at([*words, *(row for row in meanings if row not in words)])
    return _Pool(chunks, words, meanings, is_all)


def _ranked(asked: Question, pool: _Pool, apart: frozenset[str]) -> list[Hit]:
    candidates = (
        candidate(chunk, pool.words.get(row, 0.0), pool.meanings.get(row, 0.0))
        for row, chunk in pool.chunks.items()
        if not _is_part_of(asked.without, chunk)
    )
    name = name_in(asked.text)
    query = Query(tuple(asked.terms), name, "".join(parts_of(name)))
    return rank(query, candidates, len(pool.chunks), apart)


def _explained(hits: list[Hit], pool: _Pool) -> list[Hit]:
    rows = {chunk.id: row for row, chunk in pool.chunks.items()}
    found = [rows[hit.chunk.id] for hit in hits]
    raw = [
        {"bm25": pool.words.get(row, 0.0), "cosine": pool.meanings.get(row, 0.0)} for row in found
    ]
    return [presenting.explained(hit, values) for hit, values in zip(hits, raw, strict=True)]


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
