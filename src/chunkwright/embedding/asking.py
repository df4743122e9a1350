"""The vector of a query. The one place that decides which side of an embedder is asked: documents
go through `embed`, queries through `embed_query` where there is one.
"""

from __future__ import annotations

from chunkwright.embedding.answers import Vectors, checked, unit
from chunkwright.embedding.limits import Limit
from chunkwright.errors import ChunkwrightError, EmbedError, text_of
from chunkwright.types import Embedder


def query_vector(embedder: Embedder, query: str) -> Vectors:
    """The query's vector, of length 1 or 0. Of a query that is too long the beginning is read.

    Raises EmbedError, whatever the embedder raises or answers.
    """
    ask = getattr(embedder, "embed_query", embedder.embed)
    try:
        answer = ask([Limit(embedder).beginning(query)])
    except ChunkwrightError:
        raise
    except Exception as error:  # whatever an embedder raises, a search says which one it was
        raise EmbedError(
            embedder.name,
            f"{type(error).__name__} for the query: {text_of(error)}",
            "check the embedder, or search with embedder=False for words only",
        ) from error
    return unit(checked(embedder, answer, 1)[0])
