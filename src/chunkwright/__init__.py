"""Exact, embed-ready chunks of repositories, Markdown and long text; an index; answers.

The one door: everything public is a name here, loaded when it is first used, so that importing
chunkwright costs little more than importing msgspec.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chunkwright.characters import is_whitespace_only as is_whitespace_only
    from chunkwright.chunking.code import CodeChunker as CodeChunker
    from chunkwright.chunking.lines import LineChunker as LineChunker
    from chunkwright.chunking.markdown import MarkdownChunker as MarkdownChunker
    from chunkwright.chunking.recursive import RecursiveChunker as RecursiveChunker
    from chunkwright.chunking.text import TextChunker as TextChunker
    from chunkwright.errors import ChunkwrightError as ChunkwrightError
    from chunkwright.errors import ConfigError as ConfigError
    from chunkwright.errors import CorruptIndexError as CorruptIndexError
    from chunkwright.errors import EmbedError as EmbedError
    from chunkwright.errors import LockedError as LockedError
    from chunkwright.errors import ParseError as ParseError
    from chunkwright.errors import PathError as PathError
    from chunkwright.errors import RerankError as RerankError
    from chunkwright.errors import StaleIndexError as StaleIndexError
    from chunkwright.errors import StoreError as StoreError
    from chunkwright.errors import VersionError as VersionError
    from chunkwright.index import Index as Index
    from chunkwright.pipeline import chunk as chunk
    from chunkwright.pipeline import chunk_file as chunk_file
    from chunkwright.pipeline import chunk_levels as chunk_levels
    from chunkwright.pipeline import chunk_tree as chunk_tree
    from chunkwright.pipeline import summary_chunk as summary_chunk
    from chunkwright.rendering import embed_text as embed_text
    from chunkwright.rendering import raw_text as raw_text
    from chunkwright.types import Block as Block
    from chunkwright.types import Chunk as Chunk
    from chunkwright.types import Chunking as Chunking
    from chunkwright.types import ChunkKey as ChunkKey
    from chunkwright.types import Diagnostic as Diagnostic
    from chunkwright.types import Document as Document
    from chunkwright.types import Embedder as Embedder
    from chunkwright.types import Entry as Entry
    from chunkwright.types import Excluded as Excluded
    from chunkwright.types import HealReport as HealReport
    from chunkwright.types import Hit as Hit
    from chunkwright.types import Measure as Measure
    from chunkwright.types import OutlineItem as OutlineItem
    from chunkwright.types import RefreshReport as RefreshReport
    from chunkwright.types import Reranker as Reranker
    from chunkwright.types import Symbol as Symbol
    from chunkwright.types import chunk_key as chunk_key
    from chunkwright.types import is_chunk_key as is_chunk_key
    from chunkwright.types import parent_of as parent_of

_HOMES = {
    "characters": ("is_whitespace_only",),
    "chunking.code": ("CodeChunker",),
    "chunking.lines": ("LineChunker",),
    "chunking.markdown": ("MarkdownChunker",),
    "chunking.recursive": ("RecursiveChunker",),
    "chunking.text": ("TextChunker",),
    "errors": (
        "ChunkwrightError",
        "ConfigError",
        "CorruptIndexError",
        "EmbedError",
        "LockedError",
        "ParseError",
        "PathError",
        "RerankError",
        "StaleIndexError",
        "StoreError",
        "VersionError",
    ),
    "index": ("Index",),
    "pipeline": ("chunk", "chunk_file", "chunk_levels", "chunk_tree", "summary_chunk"),
    "rendering": ("embed_text", "raw_text"),
    "types": (
        "Block",
        "Chunk",
        "ChunkKey",
        "Chunking",
        "Diagnostic",
        "Document",
        "Embedder",
        "Entry",
        "Excluded",
        "HealReport",
        "Hit",
        "Measure",
        "OutlineItem",
        "RefreshReport",
        "Reranker",
        "Symbol",
        "chunk_key",
        "is_chunk_key",
        "parent_of",
    ),
}
_HOME_OF = {name: room for room, names in _HOMES.items() for name in names}

__all__ = sorted([*_HOME_OF, "__version__"])  # noqa: PLE0605  # sorted once, tested to be so


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("chunkwright")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'chunkwright' has no attribute {name!r}")
    value = getattr(import_module(f"chunkwright.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
