"""Vectors for some chunks of an index: from the cache of its own or the one that indexes share,
else made; then written, and shared in turn. Which chunks, and when, is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from chunkwright import rendering
from chunkwright.embedding.batching import Embedding, embed_safely
from chunkwright.errors import EmbedError
from chunkwright.index.setup import Setup
from chunkwright.store import Store
from chunkwright.store.schema import BEGINNING, LIMITED, WHOLE
from chunkwright.types import Chunk, Embedder

Vector = npt.NDArray[np.float32]


class Made(msgspec.Struct):
    """What came of embedding texts, each named by its hash."""

    asked: int = 0
    """Texts that no cache had."""
    embedded: int = 0
    """Those of them that have a vector now."""
    vectors: dict[str, Vector] = {}
    """Of length 1 (or 0): those that were made, and those that another index had."""
    read: dict[str, int] = {}
    """How much of each such text was read: WHOLE, LIMITED or BEGINNING."""
    troubles: dict[str, str] = {}
    """Why a text has no vector, or that of its beginning only."""
    stopped: EmbedError | None = None
    """Why the embedder was not asked for the others."""


def embed_chunks(store: Store, setup: Setup, chunks: Mapping[str, Chunk]) -> Made:
    """Give the texts of these chunks, by their hashes, the vectors they lack."""
    made = vectors_for(setup, without_cached(store, setup, chunks))
    write(store, setup.model, made)
    return made


def take_shared(store: Store, setup: Setup, chunks: Mapping[str, Chunk]) -> Made:
    """The same as far as nothing has to be embedded for it."""
    made = _shared(setup, without_cached(store, setup, chunks))
    write(store, setup.model, made)
    return made


def trouble(chunk: Chunk, reason: str) -> tuple[str, str, str]:
    """The path of a chunk and what was the matter with its text, as a report has it."""
    return chunk.path, f"embedding lines {chunk.start_line}-{chunk.end_line}: {reason}", ""


def without_cached(store: Store, setup: Setup, chunks: Mapping[str, Chunk]) -> dict[str, Chunk]:
    """Those that the index has no vector of, or one that is to be made again."""
    if not chunks:
        return {}
    with store.reading() as snapshot:
        cached = snapshot.embedded(chunks, setup.model)
    return {hash_: chunk for hash_, chunk in chunks.items() if hash_ not in cached}


def vectors_for(setup: Setup, chunks: Mapping[str, Chunk]) -> Made:
    """Vectors from other indexes and, for the rest, from the embedder; not written yet."""
    made = _shared(setup, chunks)
    texts = {
        hash_: rendering.embed_text(chunk)
        for hash_, chunk in chunks.items()
        if hash_ not in made.vectors
    }
    if setup.embedder is None or not texts:
        return made
    new = embedded(setup.embedder, texts)
    _share(setup, new)
    vectors, read = made.vectors | new.vectors, made.read | new.read
    return replace(new, asked=made.asked, vectors=vectors, read=read)


def write(store: Store, model: str, made: Made) -> None:
    """Keep vectors in the index's own cache."""
    if made.vectors:
        with store.writing() as writer:
            writer.put_vectors(
                model,
                list(made.vectors),
                np.stack([*made.vectors.values()]),
                [made.read[hash_] for hash_ in made.vectors],
            )


def _shared(setup: Setup, chunks: Mapping[str, Chunk]) -> Made:
    """What another index has made."""
    shared = setup.shared_vectors()
    found = shared.find(chunks) if shared is not None and chunks else {}
    read = dict.fromkeys(found, WHOLE)
    return Made(asked=len(chunks) - len(found), vectors=found, read=read)


def _share(setup: Setup, made: Made) -> None:
    """Let other indexes have the vectors of whole texts."""
    shared = setup.shared_vectors()
    whole = {hash_: row for hash_, row in made.vectors.items() if made.read[hash_] == WHOLE}
    if shared is not None and whole:
        shared.put(whole)


def embedded(embedder: Embedder, texts: Mapping[str, str]) -> Made:
    """What an embedder makes of texts by their hashes; not written yet."""
    hashes = list(texts)
    try:
        result = embed_safely(embedder, list(texts.values()))
    except EmbedError as error:  # of an embedder that cannot even tell its dimensions
        return Made(asked=len(texts), stopped=error)
    rows = unit_rows(result.vectors)
    troubles = {**result.over_limit, **result.shortened, **result.failed}
    return Made(
        asked=len(texts),
        embedded=len(result.done),
        vectors={hashes[at]: rows[at] for at in result.done},
        read={hashes[at]: _read(result, at) for at in result.done},
        # Where the run was stopped, the others are no trouble of their own.
        troubles={hashes[at]: reason for at, reason in troubles.items()},
        stopped=result.stopped,
    )


def _read(result: Embedding, at: int) -> int:
    if at in result.shortened:
        return BEGINNING
    return LIMITED if at in result.over_limit else WHOLE


def unit_rows(vectors: Vector) -> Vector:
    """Rows of length 1 (or 0), so that a scalar product is a cosine."""
    lengths = np.sqrt((vectors.astype(np.float64) ** 2).sum(axis=1, keepdims=True))
    rows: Vector = np.divide(
        vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0, casting="same_kind"
    )
    return rows
