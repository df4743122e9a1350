"""The card of a file: the words of its path and of the names in it, embedded for an embedder that
knows single words only. Its vector says what the file is about, where those of long chunks blur.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from chunkwright.index.chunk_rows import text_hash
from chunkwright.index.embedding_chunks import embedded, write
from chunkwright.store import Store
from chunkwright.store.rows import Card
from chunkwright.store.terms import parts_of
from chunkwright.types import Chunk, Embedder

MOST_WORDS = 1000
"""Words of a card: of a file with more names, the first in the order of the alphabet."""

GROUP_CARDS = 4096
"""Cards embedded and written together."""


def card_of(path: str, chunks: Sequence[Chunk]) -> Card:
    """Each word as often as names have it, in the order of the alphabet: what only moves within its
    file changes no card."""
    names = [name for chunk in chunks for name in _names(chunk)]
    words = [part for name in {path, *names} for part in parts_of(name)]
    text = " ".join(sorted(words)[:MOST_WORDS])
    return Card(text_hash(text), text)


def embed_cards(store: Store, embedder: Embedder) -> None:
    """Embed the cards that have no vector yet. Where that fails, files go without."""
    with store.reading() as snapshot:
        missing = iter(snapshot.cards_without_vector(embedder.name).items())
    while some := dict(islice(missing, GROUP_CARDS)):
        write(store, embedder.name, embedded(embedder, some))


def _names(chunk: Chunk) -> list[str]:
    return [chunk.name, *(symbol.name for symbol in chunk.symbols)]
