"""What may answer a question: candidates by words and by meaning, and ever more of them where they
leave too few answers. How they are ranked is not known here.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import NamedTuple

from chunkwright.search.meaning import LEAST_COSINE, by_meaning
from chunkwright.search.questions import Question
from chunkwright.store import Store
from chunkwright.store.reading import Snapshot
from chunkwright.store.rows import Filter
from chunkwright.types import Chunk, Embedder

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


class Pool(NamedTuple):
    """Candidates, by row."""

    chunks: dict[int, Chunk]
    words: dict[int, float]
    """BM25."""
    meanings: dict[int, float]
    """Cosines."""
    is_all: bool
    """Whether more depth would give no more."""

    def only(self, is_test: bool) -> Pool:
        """Those that are tests, or those that are not."""
        chunks = {row: chunk for row, chunk in self.chunks.items() if chunk.is_test == is_test}
        return self._replace(chunks=chunks)


class Source(NamedTuple):
    """One question to one moment of an index."""

    store: Store
    snapshot: Snapshot
    embedder: Embedder | None
    asked: Question
    near: Mapping[int, float] = {}
    """Row -> cosine, of candidates by words whose vectors may not be stored."""

    def pool(self, allowed: Filter, count: int) -> Pool:
        """Candidates for `count` answers."""
        depth = min(DEPTH_FACTOR * count, MOST_CANDIDATES)
        word_depth, meaning_depth = max(WORD_DEPTH, depth), max(MEANING_DEPTH, depth)
        matches = self.snapshot.match(self.asked.terms, COLUMN_WEIGHTS, word_depth, allowed)
        words = {match.row: match.score for match in matches}
        meanings = self._meanings(allowed, list(words), meaning_depth)
        near = sum(cosine >= LEAST_COSINE for cosine in meanings.values())
        is_all = len(words) < word_depth and near < meaning_depth
        rows = [*words, *(row for row in meanings if row not in words)]
        return Pool(self.snapshot.chunks_at(rows), words, meanings, is_all)

    def _meanings(self, allowed: Filter, wanted: list[int], depth: int) -> dict[int, float]:
        if self.embedder is None or self.asked.vector is None:
            return {}
        vectors = self.store.vectors(self.snapshot, self.embedder.name, self.embedder.dim)
        mask = None if allowed.is_open() else vectors.mask(allowed, self.snapshot.allowed_rows)
        found = by_meaning(vectors, self.asked.vector, wanted, mask, depth)
        return {row: self.near[row] for row in wanted if row in self.near} | found

    def deeper(self, first: Pool, allowed: Filter, count: int) -> Iterator[Pool]:
        """The first candidates, then more each time."""
        yield first
        while True:
            count = DEPTH_FACTOR * max(count, WORD_DEPTH // DEPTH_FACTOR)
            yield self.pool(allowed, count)

    def wider(self, first: Pool, allowed: Filter, count: int) -> Iterator[Pool]:
        """The first candidates, then each time those of documents that have none yet: where a
        document is one answer, the best of the others is known. A long one costs no more so."""
        pool = first
        while True:
            yield pool
            paths = {chunk.path for chunk in pool.chunks.values()}
            allowed = _others(self.snapshot, allowed, paths)
            pool = _both(pool, self.pool(allowed, count))


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


def _both(one: Pool, more: Pool) -> Pool:
    return Pool(
        one.chunks | more.chunks, one.words | more.words, one.meanings | more.meanings, more.is_all
    )
