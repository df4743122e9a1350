"""What is asked, in all its forms: a query, or a place whose like is looked for."""

from __future__ import annotations

import msgspec

from chunkwright.embedding import query_vector
from chunkwright.errors import PathError
from chunkwright.search.meaning import Vector, stored_vector
from chunkwright.search.options import check_count
from chunkwright.search.scope import encodable
from chunkwright.store import Store
from chunkwright.store.reading import Snapshot
from chunkwright.store.terms import MAX_QUERY, query_terms
from chunkwright.types import EXTRA_VIEWS, Chunk, Embedder


class Question(msgspec.Struct, frozen=True):
    """What is asked, in all its forms."""

    text: str
    terms: list[str]
    vector: Vector | None
    """None to ask for words only."""
    without: Chunk | None = None
    """What answers nothing: it is what was asked about."""


def question(embedder: Embedder | None, text: str) -> Question | None:
    """A query in all its forms; None for a blank one. Raises EmbedError."""
    text = encodable(text)
    if not text.strip():
        return None
    vector = None if embedder is None else query_vector(embedder, text[:MAX_QUERY])
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


def _chunk_at(snapshot: Snapshot, path: str, line: int) -> tuple[int, Chunk]:
    """Row and chunk nearest to a line: the shortest one that holds it, if any does."""
    chunks = snapshot.chunks_at(snapshot.rows_of(path))
    if not chunks:
        raise PathError(path, "is not in the index", "refresh the index, or check the spelling")
    return min(chunks.items(), key=lambda item: _distance(item[1], line))


def _distance(chunk: Chunk, line: int) -> tuple[int, bool, int, int]:
    outside = max(chunk.start_line - line, line - chunk.end_line, 0)
    return outside, chunk.kind in EXTRA_VIEWS, chunk.end_line - chunk.start_line, chunk.index
