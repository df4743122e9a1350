"""A late index: its words are indexed at once, its vectors are made when they are wanted. Of each
question the best candidates by words are embedded, and kept; the rest is embedded at leisure. How
candidates are ranked is the search's to say.
"""

from __future__ import annotations

from contextlib import suppress

from msgspec.structs import replace

from chunkwright.errors import StoreError
from chunkwright.index.chunk_rows import chunk_entry
from chunkwright.index.embedding_chunks import Made, embed_chunks, trouble, vectors_for, write
from chunkwright.index.refreshing import Progress
from chunkwright.index.setup import Setup
from chunkwright.index.tally import Tally
from chunkwright.search import Question, Scope
from chunkwright.search.pools import COLUMN_WEIGHTS
from chunkwright.search.scope import filter_of
from chunkwright.store import Store
from chunkwright.types import Chunk, RefreshReport

DEPTH = 50
"""Candidates by words that are embedded for a question, where they are not yet. With `minilm`, over
six repositories of 540 chunks and 20 questions each, NDCG@10 is 0.912 with none of them, 0.931 with
25, 0.936 with 50, and 0.936 with everything embedded (`python -m benchmarks late`)."""

GROUP = 64
"""Texts that are embedded and written together at leisure: what an interruption loses, a few
seconds of a slow embedder."""

Cosines = dict[int, float]
"""Row of a chunk -> how near it is."""


def prepared(
    store: Store, setup: Setup, question: Question, scope: Scope
) -> tuple[Question, Cosines]:
    """A question with a vector, and how near to it those chunks are that were embedded for it.

    They are kept where nobody else is writing. Raises EmbedError where the embedder is down.
    """
    with store.reading() as snapshot:
        if not setup.is_late(snapshot.meta()):
            return question, {}
        allowed = filter_of(snapshot, scope)
        matches = snapshot.match(question.terms, COLUMN_WEIGHTS, DEPTH, allowed)
        missing = snapshot.unembedded([match.row for match in matches], setup.model)
    texts = dict(missing.values()) | _asked_about(question)
    if not texts:
        return question, {}
    made = vectors_for(setup, texts)
    _keep(store, setup, made)
    if made.stopped is not None:
        raise made.stopped
    if question.vector is None and question.without is not None:
        question = replace(question, vector=made.vectors.get(_hash(question.without)))
    vector = question.vector
    if vector is None:
        return question, {}
    near = {
        row: float(made.vectors[hash_] @ vector)
        for row, (hash_, _) in missing.items()
        if hash_ in made.vectors
    }
    return question, near


def _asked_about(question: Question) -> dict[str, Chunk]:
    """The chunk whose like is looked for, where it has no vector yet."""
    chunk = question.without
    return {} if chunk is None or question.vector is not None else {_hash(chunk): chunk}


def _hash(chunk: Chunk) -> str:
    return chunk_entry(chunk).text_hash


def _keep(store: Store, setup: Setup, made: Made) -> None:
    """For the next question; one that finds another process writing goes without."""
    if made.vectors:
        with suppress(StoreError), store.locked(tries=1):
            write(store, setup.model, made)
            store.publish(setup.model, setup.dim)


def embed_rest(
    store: Store, setup: Setup, limit: int | None, progress: Progress | None
) -> RefreshReport:
    """Embed what has no vector yet, `limit` texts at most, the most useful first.

    Nothing is locked meanwhile: each group is written by itself, and what is done stays done.
    """
    if setup.embedder is None:
        return RefreshReport()
    with store.reading() as snapshot:
        hashes = snapshot.missing_texts(setup.model)[:limit]
    tally = Tally()
    for start in range(0, len(hashes), GROUP):
        some = hashes[start : start + GROUP]
        with store.reading() as snapshot:
            chunks = snapshot.chunks_of_texts(some)
        made = embed_chunks(store, setup, chunks)
        tally.embedded += made.embedded
        tally.reused += len(chunks) - made.asked
        tally.failed += [trouble(chunks[hash_], why) for hash_, why in made.troubles.items()]
        if made.stopped is not None:
            raise made.stopped
        if progress is not None:
            progress("chunks", start + len(some), len(hashes), "")
    if hashes:
        store.publish_if_free(setup.model, setup.dim)
    return tally.report()
