"""What stands before and after an answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import chunkwright as cw
from chunkwright.embedding.hashing import HashingEmbedder

WORDS = ("anchor", "bollard", "capstan", "davit", "ensign", "fender", "galley", "hawser")


@pytest.fixture
def index(tmp_path: Path) -> Iterator[cw.Index]:
    """A manual of eight sections, one a word, and a module with a header of its own."""
    sections = [f"# {word.title()}\n\nAll about the {word}.\n" for word in WORDS]
    (tmp_path / "ship.md").write_text("\n".join(sections), "utf-8")
    (tmp_path / "one.md").write_text("# Tide\n\nThe tide alone.\n", "utf-8")
    functions = [f"def {word}_code():\n    return '{word}'\n\n\n" for word in WORDS]
    (tmp_path / "ship.py").write_text("".join(functions), "utf-8")
    settings = {"granularity": "symbol", "file_header": True}
    with cw.Index(tmp_path, HashingEmbedder(dim=64), settings) as made:
        made.refresh()
        yield made


def names(chunks: tuple[cw.Chunk, ...]) -> list[str]:
    return [chunk.name for chunk in chunks]


@pytest.mark.parametrize(
    ("word", "count", "before", "after"),
    [
        ("davit", 1, ["Capstan"], ["Ensign"]),
        ("davit", 2, ["Bollard", "Capstan"], ["Ensign", "Fender"]),
        ("anchor", 2, [], ["Bollard", "Capstan"]),
        ("hawser", 2, ["Fender", "Galley"], []),
        ("davit", 100, ["Anchor", "Bollard", "Capstan"], ["Ensign", "Fender", "Galley", "Hawser"]),
    ],
)
def test_neighbours_are_those_of_the_file(
    index: cw.Index, word: str, count: int, before: list[str], after: list[str]
) -> None:
    """In the order of the file, as many as asked for or as there are."""
    (hit,) = index.search(word, 1, path="*.md", neighbours=count)
    assert (names(hit.before), hit.chunk.name, names(hit.after)) == (before, word.title(), after)


def test_without_asking_there_are_none(index: cw.Index) -> None:
    """And a file of one chunk has none to give."""
    assert all(not hit.before and not hit.after for hit in index.search("davit"))
    (hit,) = index.search("tide", 1, neighbours=3)
    assert (hit.chunk.path, hit.before, hit.after) == ("one.md", (), ())


def test_neighbours_are_of_the_same_level(index: cw.Index) -> None:
    """The view of a file's beginning is no neighbour, and has none."""
    hits = index.search("anchor_code", 20, path="*.py", neighbours=2)
    assert {"symbol"} <= {hit.chunk.kind for hit in hits} <= {"symbol", "file_header"}
    for hit in hits:
        levels = {chunk.level for chunk in (*hit.before, *hit.after)}
        assert levels <= {hit.chunk.level}


def test_nothing_is_shown_twice(index: cw.Index) -> None:
    """A neighbour that is an answer, or another answer's neighbour, ends the row."""
    hits = index.search("anchor davit galley", 3, path="*.md", neighbours=8)
    shown = [chunk.id for hit in hits for chunk in (*hit.before, hit.chunk, *hit.after)]
    assert {hit.chunk.name for hit in hits} == {"Anchor", "Davit", "Galley"}
    assert len(shown) == len(set(shown)) == len(WORDS)


def test_the_best_answer_chooses_first(index: cw.Index) -> None:
    """What lies between two goes to the better one."""
    first, second = index.search("bollard davit davit", 2, path="*.md", neighbours=1)
    earlier, later = sorted((first, second), key=lambda hit: hit.chunk.start)
    assert (earlier.chunk.name, later.chunk.name) == ("Bollard", "Davit")
    between = names(earlier.after) + names(later.before)
    assert between == ["Capstan"]
    assert names(first.after if first is earlier else first.before) == ["Capstan"]


def test_a_budget_counts_neighbours_too(index: cw.Index) -> None:
    """They are shown with the answer, and go first."""
    (hit,) = index.search("davit", 1, path="*.md", neighbours=1, context_tokens=1000)
    assert hit.density == "full"
    assert hit.shown.index("# Capstan") < hit.shown.index("# Davit") < hit.shown.index("# Ensign")
    (less,) = index.search(
        "davit", 1, path="*.md", neighbours=1, context_tokens=6, context_measure=len
    )
    assert (less.density, less.shown) == ("none", "")
    (head,) = index.search(
        "davit", 1, path="*.md", neighbours=1, context_tokens=40, context_measure="chars"
    )
    assert (head.density, head.shown) == ("head", "# Davit\nAll about the davit.")
