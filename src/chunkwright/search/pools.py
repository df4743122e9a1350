"""What may answer a question: candidates by words and by meaning, and ever more of them where they
leave too few answers. How they are ranked is not known here.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from chunkwright.search.meaning import Cosines, Vector, cosines
from chunkwright.search.questions import Question
from chunkwright.store import Store
from chunkwright.store.reading import Snapshot
from chunkwright.store.rows import Filter, Vectors
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

LARGE_MATRIX = 1 << 23
"""Numbers in all vectors from which on they are compared in a thread of its own: that takes some
milliseconds then, and a thread a tenth of one."""


class Pool(NamedTuple):
    """Candidates, by row."""

    chunks: dict[int, Chunk]
    words: dict[int, float]
    """BM25."""
    meanings: dict[int, float]
    """Cosines."""
    file_meanings: dict[int, float]
    """Cosines of the files they are of."""
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
        vectors = self._vectors()
        with _begun(vectors, self.asked.vector) as scan:
            matches = self.snapshot.match(self.asked.terms, COLUMN_WEIGHTS, word_depth, allowed)
            known = scan()
        words = {match.row: match.score for match in matches}
        near = []
        if known is not None:
            near = known.nearest(self._mask(known, allowed), meaning_depth)
        rows = list(dict.fromkeys([*words, *near]))
        found = self.snapshot.chunks_in_files(rows)
        return Pool(
            chunks={row: chunk for row, (chunk, _) in found.items()},
            words=words,
            meanings=self._meanings(known, rows),
            file_meanings=_file_meanings(known, {row: file for row, (_, file) in found.items()}),
            is_all=len(words) < word_depth and len(near) < meaning_depth,
        )

    def _vectors(self) -> Vectors | None:
        if self.embedder is None or self.asked.vector is None:
            return None
        return self.store.vectors(self.snapshot, self.embedder.name, self.embedder.dim)

    def _mask(self, known: Cosines, allowed: Filter) -> npt.NDArray[np.bool_] | None:
        if allowed.is_open():
            return None
        return known.vectors.mask(allowed, self.snapshot.allowed_rows)

    def _meanings(self, known: Cosines | None, rows: list[int]) -> dict[int, float]:
        late = {row: self.near[row] for row in rows if row in self.near}
        return late | known.of(rows) if known is not None else late

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


@contextmanager
def _begun(
    vectors: Vectors | None, vector: Vector | None
) -> Iterator[Callable[[], Cosines | None]]:
    """A comparison with every vector; where these are many, it goes on beside what is done
    meanwhile."""
    if vectors is None or vector is None:
        yield lambda: None
    elif vectors.matrix.size < LARGE_MATRIX:
        yield partial(cosines, vectors, vector)
    else:
        with ThreadPoolExecutor(1) as beside:
            yield beside.submit(cosines, vectors, vector).result


def _file_meanings(known: Cosines | None, files: Mapping[int, int]) -> dict[int, float]:
    """Row -> cosine of its file, where files have vectors."""
    if known is None or known.vectors.of_chunks == len(known.vectors.rows):
        return {}
    of_files = known.of([-number for number in set(files.values())])
    return {row: of_files.get(-number, 0.0) for row, number in files.items()}


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
        one.chunks | more.chunks,
        one.words | more.words,
        one.meanings | more.meanings,
        one.file_meanings | more.file_meanings,
        more.is_all,
    )
