"""Chunks as they are stored: each with the name of what is embedded for it. How they are cut, and
when they are written, is decided elsewhere.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from chunkwright import rendering
from chunkwright.store.rows import ChunkEntry
from chunkwright.types import Chunk

HASH_DIGITS = 32
"""Hex digits that name a text in the embedding cache: 128 bits."""


def text_hash(text: str) -> str:
    """The name of a text in the embedding cache."""
    return hashlib.sha256(text.encode()).hexdigest()[:HASH_DIGITS]


def chunk_entry(chunk: Chunk) -> ChunkEntry:
    """A chunk as it is stored, with the name of what is embedded for it."""
    return ChunkEntry(chunk, text_hash(rendering.embed_text(chunk)))


def check_ids(entries: Sequence[ChunkEntry]) -> None:
    """A chunker that gives one id twice would have the whole group refused by the database."""
    ids = [entry.chunk.id for entry in entries]
    if len(set(ids)) < len(ids):
        raise ValueError("two chunks of one id")
