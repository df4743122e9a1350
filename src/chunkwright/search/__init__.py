"""A query against a store: gathers candidates by words and by meaning, has them ranked, and puts
answers together. What a signal is worth is ranking's to say; whether the index is fit to be asked,
and whether its files are still what was indexed, is the index's.

`questions` says what is asked, `scope` which chunks may answer, `meaning` which are near, `pools`
which are candidates, `candidates` what ranking sees of one. `options` says how answers are shown;
`presenting` does that, by `joining`, `grouping`, `reranking`, `neighbours` and `density`.
`snippets` is for faces.
"""

from __future__ import annotations

from collections.abc import Iterator

from chunkwright.ranking import Query, rank
from chunkwright.search import presenting
from chunkwright.search.candidates import candidate
from chunkwright.search.grouping import OWN_VIEWS
from chunkwright.search.options import Options, check
from chunkwright.search.pools import Pool, Source
from chunkwright.search.questions import Question, question, question_at
from chunkwright.search.scope import Scope, filter_of, unmatched
from chunkwright.store.rows import Filter
from chunkwright.store.terms import name_in, parts_of
from chunkwright.types import Chunk, Hit

__all__ = [
    "Options",
    "Question",
    "Scope",
    "Source",
    "answers",
    "answers_apart",
    "candidate",
    "check",
    "question",
    "question_at",
    "unmatched",
]


def answers(source: Source, k: int, scope: Scope, options: Options) -> list[Hit]:
    """The best k answers, best first. Raises ConfigError for a wrong k, filter or option."""
    check(k, options)
    allowed = filter_of(source.snapshot, scope)
    first = source.pool(allowed, presenting.wanted(k, options))
    return _answers(source, first, allowed, k, options)


def answers_apart(
    source: Source, k: int, scope: Scope, options: Options
) -> tuple[list[Hit], list[Hit]]:
    """Up to k answers that are no tests, and up to k tests: of the same candidates, as far as
    these go; where they leave too few, each list looks for more of its own."""
    check(k, options)
    allowed = filter_of(source.snapshot, scope)
    shared = source.pool(allowed, presenting.wanted(k, options))
    others, tests = (
        _answers(source, shared.only(is_test), allowed._replace(is_test=is_test), k, options)
        for is_test in (False, True)
    )
    return others, tests


def _answers(source: Source, first: Pool, allowed: Filter, k: int, options: Options) -> list[Hit]:
    """From the first candidates, and further ones as long as there are too few answers."""
    count = presenting.wanted(k, options)
    pools = source.wider if options.group else source.deeper
    for pool in pools(first, allowed, count):
        ranked = _ranked(source.asked, pool, OWN_VIEWS if options.group else frozenset())
        found = presenting.assembled(ranked, count, options)
        if len(found) >= count or pool.is_all:
            break
    hits = presenting.presented(source.snapshot, source.asked.text, found, k, options)
    return _explained(hits, pool) if options.explain else hits


def _ranked(asked: Question, pool: Pool, apart: frozenset[str]) -> Iterator[Hit]:
    candidates = (
        candidate(
            chunk,
            pool.words.get(row, 0.0),
            pool.meanings.get(row, 0.0),
            pool.file_meanings.get(row, 0.0),
        )
        for row, chunk in pool.chunks.items()
        if not _is_part_of(asked.without, chunk)
    )
    name = name_in(asked.text)
    query = Query(tuple(asked.terms), name, "".join(parts_of(name)))
    return rank(query, candidates, apart)


def _explained(hits: list[Hit], pool: Pool) -> list[Hit]:
    rows = {chunk.id: row for row, chunk in pool.chunks.items()}
    found = [rows[hit.chunk.id] for hit in hits]
    raw = [
        {
            "bm25": pool.words.get(row, 0.0),
            "cosine": pool.meanings.get(row, 0.0),
            "file_cosine": pool.file_meanings.get(row, 0.0),
        }
        for row in found
    ]
    return [presenting.explained(hit, values) for hit, values in zip(hits, raw, strict=True)]


def _is_part_of(asked: Chunk | None, chunk: Chunk) -> bool:
    """Whether the chunk is, or lies within, the one that was asked about."""
    if asked is None:
        return False
    if (asked.path, asked.attachment_path) != (chunk.path, chunk.attachment_path):
        return False
    return chunk.start < asked.end and asked.start < chunk.end
