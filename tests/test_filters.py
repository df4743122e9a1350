"""Filters of a search: what fits them answers, nothing else does, and they hold before ranking."""

from __future__ import annotations

from pathlib import Path

import pytest

import chunkwright as cw
from chunkwright.embedding.hashing import HashingEmbedder
from chunkwright.store.facts import MOST_FACTS, facts_of

NOTE = (
    "---\nstatus: {status}\ntags: [{tags}]\nmeta: {{level: {level}}}\n---\n"
    "# Tide\n\nThe tide {n}.\n"
)


@pytest.fixture
def index(tmp_path: Path) -> cw.Index:
    """Notes with front matter, a module, and its test, all about the tide."""
    (tmp_path / "notes").mkdir()
    for n, (status, tags, level) in enumerate(
        [("draft", "sea, moon", 1), ("done", "sea", 2), ("done", "river", 3)]
    ):
        note = NOTE.format(status=status, tags=tags, level=level, n=n)
        (tmp_path / "notes" / f"{n}.md").write_text(note, encoding="utf-8")
    (tmp_path / "tide.py").write_text("def tide():\n    return 'tide'\n", encoding="utf-8")
    (tmp_path / "test_tide.py").write_text("def test_tide():\n    tide()\n", encoding="utf-8")
    made = cw.Index(tmp_path, HashingEmbedder())
    made.refresh()
    return made


@pytest.mark.parametrize(
    ("filters", "paths"),
    [
        ({"where": {"status": "draft"}}, {"notes/0.md"}),
        ({"where": {"status": "done"}}, {"notes/1.md", "notes/2.md"}),
        ({"where": {"tags": "sea"}}, {"notes/0.md", "notes/1.md"}),
        ({"where": {"tags": "sea", "status": "done"}}, {"notes/1.md"}),
        ({"where": {"tags": ["moon", "river"]}}, {"notes/0.md", "notes/2.md"}),
        ({"where": {"meta.level": 2}}, {"notes/1.md"}),
        ({"where": {"status": "lost"}}, set()),
        ({"where": {"nothing": "here"}}, set()),
        ({"is_test": True}, {"test_tide.py"}),
        ({"is_test": False, "language": "python"}, {"tide.py"}),
        ({"namespace": "", "kind": "symbol"}, {"tide.py", "test_tide.py"}),
        ({"namespace": "elsewhere"}, set()),
        ({"path": ["notes/", "!notes/1.md"]}, {"notes/0.md", "notes/2.md"}),
        ({"path": "!notes"}, set()),
        ({"path": []}, set()),
    ],
)
def test_only_what_fits_a_filter_answers(
    index: cw.Index, filters: dict[str, object], paths: set[str]
) -> None:
    """Every chunk that fits is found by a word all share, and no other."""
    hits = index.search("tide", k=50, **filters)  # type: ignore[arg-type]  # as a caller would
    assert {hit.chunk.path for hit in hits} == paths


def test_k_answers_come_back_where_k_exist(tmp_path: Path) -> None:
    """One rare file among hundreds of better ones is found, for the filter comes first."""
    for n in range(300):
        (tmp_path / f"n{n}.md").write_text("tide tide tide\n", encoding="utf-8")
    rare = "---\nstatus: rare\n---\nMuch is said here of other things than of a tide.\n"
    (tmp_path / "rare.md").write_text(rare, encoding="utf-8")
    with cw.Index(tmp_path, HashingEmbedder()) as index:
        index.refresh()
        hits = index.search("tide", k=1, where={"status": "rare"})
    assert [hit.chunk.path for hit in hits] == ["rare.md"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"language": 3},
        {"kind": b"code"},
        {"namespace": ["a"]},
        {"is_test": "yes"},
        {"where": "status"},
        {"path": 5},
        {"path": [1]},
    ],
)
def test_a_wrong_filter_names_itself(index: cw.Index, wrong: dict[str, object]) -> None:
    """The option and its value are in the error."""
    with pytest.raises(cw.ConfigError) as caught:
        index.search("tide", **wrong)  # type: ignore[arg-type]  # the point of the test
    assert caught.value.option in wrong


def test_facts_are_the_ends_of_metadata() -> None:
    """Nested keys are joined, lists spread, values told as JSON tells them."""
    metadata: dict[str, object] = {"a": {"b": [1, 2.0, True]}, "c": None, "d": "x" * 2000, "e": []}
    assert facts_of(metadata) == [("a.b", "1"), ("a.b", "2"), ("a.b", "true"), ("c", "null")]


def test_facts_are_bounded() -> None:
    """A table of data in front matter does not become as many rows."""
    assert len(facts_of({"rows": list(range(100_000))})) == MOST_FACTS
