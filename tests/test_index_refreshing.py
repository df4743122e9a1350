"""Refreshing an index: what changed is done, nothing else is, and what it was made with is kept."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import chunkwright as cw
from chunkwright.embedding.hashing import HashingEmbedder


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Three files: code, Markdown and something to be ignored."""
    (tmp_path / "ship.py").write_text("def anchor(depth):\n    return depth * 2\n", "utf-8")
    (tmp_path / "log.md").write_text("# Log\n\nFog at noon.\n\n## Night\n\nClear.\n", "utf-8")
    (tmp_path / ".gitignore").write_text("*.tmp\n", "utf-8")
    (tmp_path / "x.tmp").write_text("never\n", "utf-8")
    return tmp_path


@pytest.fixture
def index(tree: Path) -> Iterator[cw.Index]:
    """An index of the tree with a deterministic embedder, refreshed once."""
    with cw.Index(tree, embedder=HashingEmbedder(dim=32)) as made:
        made.refresh()
        yield made


def paths(index: cw.Index) -> list[str]:
    return sorted({chunk.path for chunk in index.chunks()})


def test_the_first_refresh_adds_what_is_not_ignored(tree: Path) -> None:
    """Every file is reported once; ignored ones are in no chunk."""
    with cw.Index(tree, embedder=HashingEmbedder(dim=32)) as index:
        report = index.refresh()
        assert report.added == (".gitignore", "log.md", "ship.py")
        assert report.embedded == len(index.chunks()) == 4
        assert paths(index) == [".gitignore", "log.md", "ship.py"]


def test_the_index_folder_ignores_itself(index: cw.Index, tree: Path) -> None:
    """Its own .gitignore keeps it out of everybody's commits."""
    assert (tree / ".chunkwright" / ".gitignore").read_text("utf-8").strip() == "*"


def test_an_unchanged_tree_does_nothing(index: cw.Index) -> None:
    """No path is listed, and nothing is embedded."""
    assert index.refresh() == cw.RefreshReport()


def test_a_touched_file_of_the_same_content_is_unchanged(index: cw.Index, tree: Path) -> None:
    """Time alone is no change."""
    os.utime(tree / "ship.py", ns=(1, 1))
    assert index.refresh() == cw.RefreshReport()


def test_a_changed_file_embeds_only_its_new_chunks(index: cw.Index, tree: Path) -> None:
    """The section that stayed keeps its vector."""
    (tree / "log.md").write_text("# Log\n\nFog at noon.\n\n## Night\n\nStorm.\n", "utf-8")
    report = index.refresh()
    assert report.changed == ("log.md",)
    assert (report.embedded, report.reused) == (1, 1)
    assert "Clear." not in " ".join(chunk.text for chunk in index.chunks("log.md"))


def test_a_change_that_keeps_size_and_time_is_seen_while_it_is_young(
    index: cw.Index, tree: Path
) -> None:
    """A file written twice within a tick of its clock is looked at again."""
    before = (tree / "ship.py").stat()
    (tree / "ship.py").write_text("def anchor(depth):\n    return depth * 3\n", "utf-8")
    os.utime(tree / "ship.py", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert index.refresh().changed == ("ship.py",)


def test_chunks_of_a_shrunk_file_are_gone(index: cw.Index, tree: Path) -> None:
    """What is no longer in the file is no longer in the index."""
    (tree / "log.md").write_text("# Log\n\nFog at noon.\n", "utf-8")
    index.refresh()
    assert [chunk.name for chunk in index.chunks("log.md")] == ["Log"]


def test_a_removed_file_is_removed(index: cw.Index, tree: Path) -> None:
    """Its chunks and its answers go."""
    (tree / "ship.py").unlink()
    assert index.refresh().removed == ("ship.py",)
    assert [hit.chunk.path for hit in index.search("anchor") if hit.chunk.path == "ship.py"] == []


def test_a_file_that_is_ignored_now_is_removed(index: cw.Index, tree: Path) -> None:
    """A new ignore rule counts as a removal."""
    (tree / ".gitignore").write_text("*.tmp\n*.py\n", "utf-8")
    assert index.refresh().removed == ("ship.py",)


def test_a_part_of_the_tree_leaves_the_rest(index: cw.Index, tree: Path) -> None:
    """Refreshing some paths neither removes nor updates others."""
    (tree / "ship.py").unlink()
    (tree / "log.md").write_text("# Log\n\nRain.\n", "utf-8")
    report = index.refresh([tree / "log.md"])
    assert (report.changed, report.removed) == (("log.md",), ())
    assert "ship.py" in paths(index)


def test_a_path_outside_the_root_is_refused(index: cw.Index, tree: Path) -> None:
    """The error names the path."""
    with pytest.raises(cw.PathError, match="outside"):
        index.refresh([tree.parent / "elsewhere.md"])


def test_remove_takes_files_from_the_index_only(index: cw.Index, tree: Path) -> None:
    """The file stays on disk, and the next refresh brings it back."""
    assert index.remove(["ship.py"]) == ("ship.py",)
    assert "ship.py" not in paths(index)
    assert (tree / "ship.py").exists()
    assert index.refresh().added == ("ship.py",)


def test_remove_with_another_embedder_is_refused(index: cw.Index, tree: Path) -> None:
    """It could not keep the copy of the vectors right."""
    before = [(hit.chunk.id, hit.score) for hit in index.search("fog")]
    with (
        cw.Index(tree, embedder=HashingEmbedder(dim=16)) as other,
        pytest.raises(cw.StaleIndexError),
    ):
        other.remove(["ship.py"])
    with cw.Index(tree, embedder=HashingEmbedder(dim=32)) as again:
        assert [(hit.chunk.id, hit.score) for hit in again.search("fog")] == before


def test_another_embedder_is_refused_and_changes_nothing(index: cw.Index, tree: Path) -> None:
    """Name and dimension each count; the error says what is stored, what was given, and what to
    run."""
    before = index.chunks()
    for other in (HashingEmbedder(dim=16), HashingEmbedder(dim=32, name="other")):
        with cw.Index(tree, embedder=other) as opened:
            for act in (opened.refresh, lambda asked=opened: asked.search("fog")):
                with pytest.raises(cw.StaleIndexError, match="chunkwright index --rebuild"):
                    act()
    assert index.chunks() == before


def test_other_options_chunk_everything_anew(index: cw.Index, tree: Path) -> None:
    """A refresh with another size leaves no chunk of the old one; a search before it is refused."""
    with cw.Index(tree, embedder=HashingEmbedder(dim=32), config={"size": 12}) as other:
        with pytest.raises(cw.StaleIndexError):
            other.search("fog")
        other.refresh()
        assert all(len(chunk.text) <= 12 for chunk in other.chunks())


def test_rebuild_takes_another_embedder(index: cw.Index, tree: Path) -> None:
    """What refresh refuses, rebuild does."""
    with cw.Index(tree, embedder=HashingEmbedder(dim=16)) as other:
        assert other.rebuild().embedded == 4
        assert other.status().dim == 16


def test_words_only_needs_no_vectors(tree: Path) -> None:
    """Without an embedder words alone answer."""
    with cw.Index(tree, embedder=False) as index:
        assert index.refresh().embedded == 0
        assert index.search("anchor")[0].chunk.path == "ship.py"
        assert index.status().embedder == "none"


class Down:
    """An embedder nobody answers at."""

    name, dim, max_tokens = "hashing-32", 32, 100

    def embed(self, texts: Sequence[str], /) -> npt.NDArray[np.float32]:
        raise OSError("connection refused")


def test_an_embedder_that_is_down_ends_the_run_and_keeps_what_is_done(tree: Path) -> None:
    """EmbedError names it; the words are there, and the next run adds the vectors."""
    down = Down()
    down.name = HashingEmbedder(dim=32).name
    with cw.Index(tree, embedder=down) as index, pytest.raises(cw.EmbedError, match="refused"):
        index.refresh()
    with cw.Index(tree, embedder=HashingEmbedder(dim=32)) as index:
        assert index.status().missing_vectors > 0
        index.refresh()
        assert index.status().missing_vectors == 0


def test_a_second_writer_is_told_who_writes(index: cw.Index, tree: Path) -> None:
    """While one refreshes, another gets a LockedError with the pid."""
    seen: list[BaseException] = []

    def intrude(stage: str, done: int, total: int, path: str) -> None:
        if seen:
            return
        try:
            with cw.Index(tree, embedder=HashingEmbedder(dim=32)) as other:
                other.refresh()
        except cw.LockedError as error:
            seen.append(error)

    (tree / "new.md").write_text("# New\n\ntext\n", "utf-8")
    index.refresh(progress=intrude)
    assert isinstance(seen[0], cw.LockedError)
    assert seen[0].pid == os.getpid()


def test_readers_see_whole_states_while_one_writes(index: cw.Index, tree: Path) -> None:
    """Many threads search during refreshes; each answer is from before or after, none fails."""
    stop = threading.Event()
    failures: list[BaseException] = []

    def ask() -> None:
        while not stop.is_set():
            try:
                assert len(index.search("fog OR anchor")) >= 1
            except BaseException as error:  # handed to the main thread
                failures.append(error)
                return

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(12):
        (tree / "log.md").write_text(f"# Log\n\nFog at {number}.\n", "utf-8")
        index.refresh()
    stop.set()
    for thread in threads:
        thread.join()
    assert failures == []


def test_no_place_to_write_is_a_clear_error(tree: Path) -> None:
    """Where the folder cannot be made, the error names --index-dir, and the other place works."""
    (tree / ".chunkwright").write_text("in the way", "utf-8")
    with (
        cw.Index(tree, embedder=False) as index,
        pytest.raises(cw.StoreError, match="--index-dir"),
    ):
        index.refresh()
    with cw.Index(tree, embedder=False, index_dir=tree.parent / "elsewhere") as index:
        assert "ship.py" in index.refresh().added


def test_a_root_that_is_gone_is_a_clear_error(tree: Path, tmp_path: Path) -> None:
    """Nothing is taken for removed when the whole tree cannot be seen."""
    root = tmp_path / "moving"
    root.mkdir()
    (root / "a.md").write_text("# A\n", "utf-8")
    with cw.Index(root, embedder=False, index_dir=tmp_path / "elsewhere") as index:
        index.refresh()
        root.rename(tmp_path / "moved")
        with pytest.raises(cw.PathError, match="does not exist"):
            index.refresh()
        assert paths(index) == ["a.md"]


@pytest.mark.skipif(os.name != "posix", reason="links need a right on Windows")
def test_a_linked_root_is_the_folder_it_leads_to(index: cw.Index, tree: Path) -> None:
    """One index, whichever way it is come by."""
    link = tree.parent / f"{tree.name} link"
    link.symlink_to(tree)
    with cw.Index(link, embedder=HashingEmbedder(dim=32)) as linked:
        assert linked.root == index.root
        assert linked.refresh() == cw.RefreshReport()
        assert linked.search("fog")[0].chunk.path == "log.md"


def test_an_index_that_is_deleted_meanwhile_is_made_again(index: cw.Index) -> None:
    """By the process that had it open."""
    shutil.rmtree(index.folder)
    with pytest.raises(cw.StoreError, match="chunkwright index"):
        index.search("fog")
    assert index.refresh().added == (".gitignore", "log.md", "ship.py")
    assert index.search("fog")[0].chunk.path == "log.md"


@pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0, reason="only root of Linux mounts a folder"
)
def test_an_index_on_a_read_only_disk_answers(index: cw.Index, tree: Path) -> None:
    """Searching works, refreshing says what helps: searching without, or another place."""
    before = [hit.chunk.id for hit in index.search("fog")]
    index.close()
    folder = str(index.folder)
    bind = ["mount", "--bind", folder, folder]
    freeze = ["mount", "-o", "remount,ro,bind", folder]
    if any(subprocess.run(each, check=False).returncode for each in (bind, freeze)):
        pytest.skip("no right to mount")
    try:
        assert [hit.chunk.id for hit in index.search("fog")] == before
        assert index.verify() == ()
        (tree / "new.md").write_text("# New\n", "utf-8")
        with pytest.raises(cw.StoreError, match=r"--no-refresh.*--index-dir"):
            index.refresh()
        index.close()
    finally:
        subprocess.run(["umount", "-l", folder], check=True)
    assert index.refresh().added == ("new.md",)


def test_a_search_without_an_index_says_what_to_run(tree: Path) -> None:
    """Nothing is made on disk by asking."""
    with cw.Index(tree, embedder=False) as index:
        with pytest.raises(cw.StoreError, match="chunkwright index"):
            index.search("fog")
        assert index.status().exists is False
    assert not (tree / ".chunkwright").exists()


def test_outline_and_related(index: cw.Index) -> None:
    """Headings with lines; chunks like the one at a line, without it."""
    assert [(item.title, item.line) for item in index.outline("log.md")] == [
        ("Log", 1),
        ("Night", 5),
    ]
    related = index.find_related("log.md", 7)
    assert all((hit.chunk.path, hit.chunk.name) != ("log.md", "Night") for hit in related)
    with pytest.raises(cw.PathError):
        index.outline("nowhere.md")
