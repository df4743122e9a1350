"""Instructions that a model was trained with, put before documents and queries. Which model needs
which is for its own documentation to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chunkwright import measuring
from chunkwright.embedding.answers import Vectors
from chunkwright.types import Embedder


class PrefixedEmbedder:
    """An embedder that is given `document_prefix` before what is stored, and `query_prefix` before
    what is looked for. Both are part of its name, so that no vectors are mixed."""

    def __init__(
        self, embedder: Embedder, query_prefix: str = "", document_prefix: str = ""
    ) -> None:
        self._embedder = embedder
        self._query_prefix = query_prefix
        self._document_prefix = document_prefix

    def __getattr__(self, name: str) -> Any:
        """Everything else is the embedder's own."""
        if name.startswith("_"):  # a half-made copy must not look for what it looks with
            raise AttributeError(name)
        return getattr(self._embedder, name)

    @property
    def name(self) -> str:
        """The model and both prefixes."""
        sides = f"query={self._query_prefix!r} document={self._document_prefix!r}"
        return f"{self._embedder.name} {sides}"

    @property
    def special_tokens(self) -> int:
        """What the model adds, and the longer of the prefixes."""
        own = int(getattr(self._embedder, "special_tokens", 0))
        measure = getattr(self._embedder, "measure", None)
        if measure is None:
            return own
        count = measuring.resolve(measure).count
        return own + max(count(self._query_prefix), count(self._document_prefix))

    def embed(self, texts: Sequence[str], /) -> Vectors:
        """Vectors of documents."""
        return self._embedder.embed([self._document_prefix + text for text in texts])

    def embed_query(self, texts: Sequence[str], /) -> Vectors:
        """Vectors of queries."""
        ask = getattr(self._embedder, "embed_query", self._embedder.embed)
        vectors: Vectors = ask([self._query_prefix + text for text in texts])
        return vectors
