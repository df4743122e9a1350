"""The one door: what `chunkwright` exports, and that all of it is there."""

from __future__ import annotations

from typing import Any

import pytest

import chunkwright
from chunkwright import Chunk, Chunking, ChunkwrightError

PUBLIC = {
    "Block",
    "Chunk",
    "ChunkKey",
    "Chunking",
    "ChunkwrightError",
    "CodeChunker",
    "ConfigError",
    "CorruptIndexError",
    "Diagnostic",
    "Document",
    "EmbedError",
    "Embedder",
    "Entry",
    "Excluded",
    "HealReport",
    "Hit",
    "Index",
    "LineChunker",
    "LockedError",
    "MarkdownChunker",
    "Measure",
    "OutlineItem",
    "ParseError",
    "PathError",
    "RecursiveChunker",
    "RefreshReport",
    "RerankError",
    "Reranker",
    "StaleIndexError",
    "StoreError",
    "Symbol",
    "TextChunker",
    "VersionError",
    "__version__",
    "chunk",
    "chunk_file",
    "chunk_key",
    "chunk_levels",
    "chunk_tree",
    "embed_text",
    "is_chunk_key",
    "is_whitespace_only",
    "parent_of",
    "raw_text",
    "summary_chunk",
}
"""The names people may rely on; taking one away breaks them."""

CHUNKERS: dict[str, dict[str, Any]] = {
    "TextChunker": {
        "size": 1200,
        "overlap": 200,
        "min_size": 1200,
        "max_chunks": 64,
        "stable": False,
    },
    "RecursiveChunker": {"size": 3200, "overlap": 320, "keep_separator": False},
    "LineChunker": {"lines": 60, "overlap": 15, "min_lines": 30, "header": "", "size": None},
    "MarkdownChunker": {
        "size": 3200,
        "overlap": 320,
        "code_blocks": True,
        "reference_links": False,
        "join_table_rows": True,
        "split_levels": (1, 2, 3, 4, 5, 6),
        "merge_small": False,
        "second_chunker": None,
    },
    "CodeChunker": {
        "granularity": "packed",
        "size": 1500,
        "overlap": 0,
        "header_lines": 50,
        "whole_file": False,
    },
}
"""Chunker -> the options people may rely on, and their defaults."""


def test_all_is_sorted_and_holds_nothing_twice() -> None:
    """`__all__` reads like an index."""
    assert list(chunkwright.__all__) == sorted(set(chunkwright.__all__))


def test_every_public_name_is_exported() -> None:
    """Neither less nor more than the documented names."""
    assert set(chunkwright.__all__) == PUBLIC


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_every_exported_name_is_there(name: str) -> None:
    """Each name leads to something, and `dir` shows it."""
    assert getattr(chunkwright, name) is not None
    assert name in dir(chunkwright)


def test_an_unknown_name_is_an_attribute_error() -> None:
    """The lazy door does not swallow a wrong name."""
    with pytest.raises(AttributeError, match="no attribute 'Chunkier'"):
        _ = chunkwright.Chunkier


@pytest.mark.parametrize("name", CHUNKERS)
def test_chunkers_have_the_documented_defaults(name: str) -> None:
    """`defaults()` tells every option, with the value that is used."""
    chunker = getattr(chunkwright, name)
    defaults = chunker.defaults()
    assert {key: defaults.get(key, "missing") for key in CHUNKERS[name]} == CHUNKERS[name]
    assert {"measure", "budget_includes_context"} <= set(defaults)
    assert all(getattr(chunker(), key) == value for key, value in CHUNKERS[name].items())


@pytest.mark.parametrize("name", CHUNKERS)
def test_chunkers_have_the_documented_methods(name: str) -> None:
    """A chunker cuts one, cuts many, gives plain texts, and has a fingerprint of its options."""
    chunker = getattr(chunkwright, name)(size=30)
    documents = ["one two three four five six seven eight nine ten\n" * 40, "short\n"]
    cut = [chunker.chunk(document) for document in documents]
    assert list(chunker.chunk_many(documents)) == cut
    assert chunker.split_text(documents[0]) == [piece.text for piece in cut[0]]
    assert chunker.fingerprint == getattr(chunkwright, name)(size=30).fingerprint
    assert chunker.fingerprint != getattr(chunkwright, name)(size=31).fingerprint


@pytest.mark.parametrize("name", CHUNKERS)
def test_wrong_options_are_refused_by_name(name: str) -> None:
    """An unknown option, or a size that is none, is named with its value and what is allowed."""
    chunker = getattr(chunkwright, name)
    with pytest.raises(chunkwright.ConfigError, match="sise") as unknown:
        chunker(sise=3)
    assert (unknown.value.option, unknown.value.value) == ("sise", 3)
    with pytest.raises(chunkwright.ConfigError) as wrong:
        chunker(size="large")
    assert (wrong.value.option, wrong.value.value) == ("size", "large")
    assert wrong.value.allowed


def test_a_chunking_is_a_sequence() -> None:
    """len, iteration, index and membership work; a slice gives a tuple."""
    one, two = Chunk("a", 0, 1, 1, 1), Chunk("b", 2, 3, 2, 2)
    chunking = Chunking((one, two))
    assert len(chunking) == 2
    assert list(chunking) == [one, two]
    assert chunking[-1] == two
    assert chunking[0:1] == (one,)
    assert one in chunking
    assert chunking.texts == ("a", "b")


def test_every_error_is_a_chunkwright_error() -> None:
    """One except clause catches all that is raised on purpose."""
    names = [name for name in PUBLIC if name.endswith("Error")]
    assert all(issubclass(getattr(chunkwright, name), ChunkwrightError) for name in names)
    assert len(names) == 11
