"""An answer whose file is not any more what was indexed: it is marked, or asked for again."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import chunkwright as cw
from chunkwright.embedding.hashing import HashingEmbedder
from chunkwright.index.staleness import ROUNDS, Seen, settled, stale_files
from chunkwright.store.rows import FileRecord

OLD_NS = 1_600_000_000_000_000_000
"""A time long ago: files that were written just now are looked at in any case."""


@pytest.fixture
def index(tmp_path: Path) -> Iterator[cw.Index]:
    """An index of two old files."""
    write(tmp_path, "tide.md", "# Tide\n\nThe tide comes twice a day.\n")
    write(tmp_path, "fog.py", "def fog():\n    return 'fog on the tide'\n")
    with cw.Index(tmp_path, HashingEmbedder(dim=64)) as made:
        made.refresh()
        yield made


def write(root: Path, path: str, text: str, time: int = OLD_NS) -> None:
    (root / path).write_text(text, "utf-8")
    os.utime(root / path, ns=(time, time))


def states(index: cw.Index, stale: str = "mark") -> dict[str, str]:
    return {hit.chunk.path: hit.stale for hit in index.search("tide", stale=stale)}


def test_what_is_as_it_was_is_not_marked(index: cw.Index) -> None:
    """Nor is a file that was touched, or written anew with the same content."""
    assert states(index) == {"tide.md": "", "fog.py": ""}
    os.utime(index.root / "tide.md")
    assert states(index) == {"tide.md": "", "fog.py": ""}


def test_a_file_written_just_now_is_looked_at_and_fresh(tmp_path: Path) -> None:
    """Its time of change is not to be trusted yet; its content is."""
    (tmp_path / "a.md").write_text("The tide.\n", "utf-8")
    with cw.Index(tmp_path, False) as index:
        index.refresh()
        assert states(index) == {"a.md": ""}
        (tmp_path / "a.md").write_text("The fog!!\n", "utf-8")
        assert states(index) == {"a.md": "changed"}


def test_a_changed_file_is_marked(index: cw.Index) -> None:
    """By its size, by its content where size and name are the same, and only that file."""
    write(index.root, "tide.md", "# Tide\n\nThe tide comes once.\n")
    assert states(index) == {"tide.md": "changed", "fog.py": ""}
    write(index.root, "tide.md", "# Tide\n\nThe tide comes twice a wek.\n", OLD_NS + 1)
    assert states(index) == {"tide.md": "changed", "fog.py": ""}
    assert states(index, stale="ignore") == {"tide.md": "", "fog.py": ""}


def test_a_file_that_is_gone_is_marked(index: cw.Index) -> None:
    """Deleted, with its folder turned into a file, or turned into a folder itself."""
    (index.root / "tide.md").unlink()
    assert states(index) == {"tide.md": "vanished", "fog.py": ""}
    (index.root / "tide.md").mkdir()
    assert states(index) == {"tide.md": "changed", "fog.py": ""}


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_a_link_in_the_place_of_a_file_is_a_change(index: cw.Index) -> None:
    """Even to the same content: a link is not indexed."""
    (index.root / "tide.md").rename(index.root / "other.md")
    (index.root / "tide.md").symlink_to(index.root / "other.md")
    assert states(index) == {"tide.md": "changed", "fog.py": ""}


def test_refresh_asks_again(index: cw.Index) -> None:
    """Only what is stale is indexed anew; answers are of what is there now."""
    write(index.root, "tide.md", "# Ebb\n\nNothing but the ebb.\n")
    write(index.root, "new.md", "# New\n\nThe tide again.\n")
    hits = index.search("tide", stale="refresh")
    assert {(hit.chunk.name, hit.stale) for hit in hits} == {("Ebb", ""), ("fog", "")}
    (index.root / "fog.py").unlink()
    assert states(index, stale="refresh") == {"tide.md": ""}
    assert index.status().files == 1


def test_refresh_marks_while_another_is_writing(index: cw.Index) -> None:
    """It does not wait: neither for another process nor for another thread."""
    write(index.root, "tide.md", "# Ebb\n\nNo more.\n")
    with index._store.locked():
        assert states(index, stale="refresh") == {"tide.md": "changed", "fog.py": ""}
    with index._refreshing:
        assert states(index, stale="refresh") == {"tide.md": "changed", "fog.py": ""}
    assert states(index, stale="refresh") == {"tide.md": "", "fog.py": ""}


def test_a_file_that_never_rests_is_marked_in_the_end(index: cw.Index) -> None:
    """So many rounds, and no more."""
    asked = []

    def ask() -> Seen[int]:
        asked.append(1)
        return Seen(len(asked), {})

    answer, stale = settled(ask, lambda records: {"a": "changed"}, lambda paths: None, "refresh")
    assert (answer, stale) == (ROUNDS + 1, {"a": "changed"})
    assert settled(ask, lambda records: {}, lambda paths: None, "refresh")[0] == ROUNDS + 2


def test_every_list_of_answers_is_marked(index: cw.Index) -> None:
    """Those of a search apart, and related ones."""
    write(index.root, "test_tide.py", "def test_tide():\n    assert 'tide'\n")
    index.refresh()
    for path in ("tide.md", "fog.py", "test_tide.py"):
        (index.root / path).unlink()
    apart = index.search_apart("tide")
    assert {hit.stale for hit in apart.hits} == {hit.stale for hit in apart.tests} == {"vanished"}
    related = index.find_related("tide.md", 1)
    assert related
    assert {hit.stale for hit in related} == {"vanished"}


def test_what_is_asked_about_is_refreshed_too(index: cw.Index) -> None:
    """A line means a line of the file as it is."""
    write(index.root, "tide.md", "# Fog\n\n'fog on the tide'\n")
    before = index.find_related("tide.md", 3, stale="ignore")
    assert [hit.chunk.path for hit in before] == ["fog.py"]
    hits = index.find_related("tide.md", 3, stale="refresh")
    assert [hit.chunk.path for hit in hits] == ["fog.py"]
    assert [chunk.name for chunk in index.chunks("tide.md")] == ["Fog"]
    (index.root / "tide.md").unlink()
    with pytest.raises(cw.PathError, match="not in the index"):
        index.find_related("tide.md", 3, stale="refresh")


def test_an_outline_is_checked_as_answers_are(index: cw.Index) -> None:
    """Each item is marked, or the file is read anew."""
    assert [(item.title, item.stale) for item in index.outline("tide.md")] == [("Tide", "")]
    write(index.root, "tide.md", "# Ebb\n\n# Flood\n")
    marked = index.outline("tide.md")
    assert [(item.title, item.stale) for item in marked] == [("Tide", "changed")]
    assert [item.stale for item in index.outline("tide.md", stale="ignore")] == [""]
    fresh = index.outline("tide.md", stale="refresh")
    assert [(item.title, item.stale) for item in fresh] == [("Ebb", ""), ("Flood", "")]


@pytest.mark.parametrize("stale", ["often", "", None, True])
def test_an_unknown_way_is_refused(index: cw.Index, stale: str) -> None:
    """By all that take one, even for a blank query."""
    for ask in (
        lambda: index.search("", stale=stale),
        lambda: index.search_apart("tide", stale=stale),
        lambda: index.find_related("tide.md", 1, stale=stale),
        lambda: index.outline("tide.md", stale=stale),
    ):
        with pytest.raises(cw.ConfigError, match="one of refresh, mark, ignore"):
            ask()


def test_documents_that_are_no_files_are_never_stale(index: cw.Index) -> None:
    """There is nothing on the disk to compare them with."""
    record = FileRecord(path="//memories/1", namespace="memories", size=1, mtime_ns=1)
    assert stale_files(index._setup, [record]) == {}
