"""Chunks that are kept between questions: never those of another index, never too many."""

from __future__ import annotations

from chunkwright.store.keeping import MOST_KEPT, InFile, KeptChunks
from chunkwright.types import Chunk

ONE: InFile = (Chunk("x", 0, 1, 1, 1, path="a.md"), 7)


def test_what_is_kept_comes_back() -> None:
    """Those that are there, and no others."""
    kept = KeptChunks()
    assert kept.get("birth", [1, 2]) == {}
    kept.keep("birth", {1: ONE})
    assert kept.get("birth", [1, 2]) == {1: ONE}
    kept.clear()
    assert kept.get("birth", [1]) == {}


def test_nothing_is_taken_from_an_index_that_was_there_before() -> None:
    """A rebuilt index counts its rows anew; what a late reader of the old one found is not kept."""
    kept = KeptChunks()
    kept.get("old", [])
    kept.keep("old", {1: ONE})
    assert kept.get("new", [1]) == {}
    kept.keep("old", {1: ONE})
    assert kept.get("new", [1]) == {}


def test_the_oldest_go_where_there_are_too_many() -> None:
    """The latest stay."""
    kept = KeptChunks()
    kept.get("birth", [])
    for row in range(MOST_KEPT + 100):
        kept.keep("birth", {row: ONE})
    there = kept.get("birth", range(MOST_KEPT + 100))
    assert len(there) <= MOST_KEPT
    assert 0 not in there
    assert MOST_KEPT + 99 in there
