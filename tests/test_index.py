"""The index of a tree that moves: what is embedded again, what stays, and what a refresh does when
files go away under its hands or another process is at work.
"""

from __future__ import annotations

import os
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

FUNCTIONS = {
    name: f"def {name}(depth):\n" + f"    depth = depth + {number}\n" * 12 + "    return depth\n"
    for number, name in enumerate(("anchor", "berth", "cargo"))
}


class Recorder(HashingEmbedder):
    """Remembers the texts it was given, and refuses those that hold a word."""

    def __init__(self) -> None:
        super().__init__(dim=32)
        self.seen: list[str] = []
        self.refused = ""

    def embed(self, texts: Sequence[str], /) -> npt.NDArray[np.float32]:
        if self.refused and any(self.refused in text for text in texts):
            raise ValueError("refused")
        self.seen += texts
        return super().embed(texts)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Code in one file, Markdown in two folders."""
    root = tmp_path / "tree"
    for folder in ("docs", "docsets"):
        (root / folder).mkdir(parents=True)
    (root / "ship.py").write_text("\n\n".join(FUNCTIONS.values()), "utf-8")
    (root / "docs" / "log.md").write_text("# Log\n\nFog at noon.\n", "utf-8")
    (root / "docsets" / "old.md").write_text("# Old\n\nClear at noon.\n", "utf-8")
    return root


@pytest.fixture
def embedder() -> Recorder:
    return Recorder()


@pytest.fixture
def index(tree: Path, embedder: Recorder) -> Iterator[cw.Index]:
    """An index of the tree whose chunks hold one function each, refreshed once."""
    with cw.Index(tree, embedder=embedder, config={"size": 400}) as made:
        made.refresh()
        embedder.seen.clear()
        yield made


def paths(index: cw.Index) -> list[str]:
    return sorted({chunk.path for chunk in index.chunks()})


def test_a_moved_function_embeds_nothing_new(
    index: cw.Index, tree: Path, embedder: Recorder
) -> None:
    """Its text is what it was, wherever in the file it stands."""
    assert len(index.chunks("ship.py")) == len(FUNCTIONS)
    (tree / "ship.py").write_text("\n\n".join(reversed(FUNCTIONS.values())), "utf-8")
    report = index.refresh()
    assert report.changed == ("ship.py",)
    assert (report.embedded, report.reused) == (0, len(FUNCTIONS))
    assert embedder.seen == []
    assert [chunk.name for chunk in index.chunks("ship.py")] == list(reversed(FUNCTIONS))


def test_a_new_function_embeds_itself_only(index: cw.Index, tree: Path, embedder: Recorder) -> None:
    """The ones below it move, and keep their vectors."""
    new = FUNCTIONS["berth"].replace("berth", "buoy")
    (tree / "ship.py").write_text("\n\n".join([new, *FUNCTIONS.values()]), "utf-8")
    report = index.refresh()
    assert (report.embedded, report.reused) == (1, len(FUNCTIONS))
    assert len(embedder.seen) == 1
    assert "buoy" in embedder.seen[0]


def test_a_change_of_case_in_a_name_is_a_rename(index: cw.Index, tree: Path) -> None:
    """The old name is gone, the new one is found."""
    (tree / "docs" / "log.md").rename(tree / "docs" / "Log.md")
    report = index.refresh()
    assert report.renamed == ("docs/Log.md",)
    assert (report.added, report.removed, report.changed) == ((), (), ())
    assert paths(index) == ["docs/Log.md", "docsets/old.md", "ship.py"]
    assert index.search("fog")[0].chunk.path == "docs/Log.md"


def test_a_renamed_folder_renames_its_files(
    index: cw.Index, tree: Path, embedder: Recorder
) -> None:
    """Each file once; texts that do not name their path are not embedded again."""
    (tree / "docs").rename(tree / "logs")
    report = index.refresh()
    assert report.renamed == ("logs/log.md",)
    assert report.removed == ()
    assert report.embedded == len(embedder.seen) <= 1


def test_a_copy_is_added_and_not_renamed(index: cw.Index, tree: Path) -> None:
    """The file it was copied from still is there."""
    (tree / "docs" / "copy.md").write_bytes((tree / "docs" / "log.md").read_bytes())
    report = index.refresh()
    assert (report.added, report.renamed, report.removed) == (("docs/copy.md",), (), ())


def test_a_folder_is_refreshed_without_those_beside_it(index: cw.Index, tree: Path) -> None:
    """A folder whose name only begins alike is another folder."""
    (tree / "docs" / "log.md").unlink()
    (tree / "docsets" / "old.md").unlink()
    (tree / "ship.py").unlink()
    report = index.refresh(["docs"])
    assert report.removed == ("docs/log.md",)
    assert paths(index) == ["docsets/old.md", "ship.py"]


def test_no_paths_are_no_work(index: cw.Index, tree: Path) -> None:
    """An empty list is not the whole tree."""
    (tree / "ship.py").unlink()
    assert index.refresh([]) == cw.RefreshReport()
    assert "ship.py" in paths(index)


@pytest.mark.parametrize("given", ["ship.py", Path("ship.py")])
def test_one_path_instead_of_a_list_is_refused(index: cw.Index, given: str) -> None:
    """A string is not taken for paths of one letter each."""
    for act in (index.refresh, index.remove):
        with pytest.raises(cw.ConfigError, match="paths="):
            act(given)


def test_a_path_that_never_was_is_told(index: cw.Index) -> None:
    """It fails alone."""
    report = index.refresh(["nowhere.md", "ship.py"])
    assert [path for path, *_ in report.failed] == ["nowhere.md"]
    assert len(paths(index)) == 3


def test_a_folder_is_removed_without_those_beside_it(index: cw.Index) -> None:
    """From the index, with its answers; vectors stay in step."""
    assert index.remove(["docs"]) == ("docs/log.md",)
    assert paths(index) == ["docsets/old.md", "ship.py"]
    assert all(hit.chunk.path != "docs/log.md" for hit in index.search("fog noon"))
    assert index.status().missing_vectors == 0


def test_a_text_that_could_not_be_embedded_is_tried_again(
    index: cw.Index, tree: Path, embedder: Recorder
) -> None:
    """It is found by words meanwhile; what worked is not repeated."""
    embedder.refused = "Storm"
    (tree / "docs" / "log.md").write_text("# Log\n\nFog.\n\n# Night\n\nStorm!\n", "utf-8")
    (tree / "docsets" / "old.md").write_text("# Old\n\nRain.\n", "utf-8")
    report = index.refresh()
    (failed,) = report.failed
    assert failed[0] == "docs/log.md"
    assert "refused" in failed[1]
    assert index.status().missing_vectors == 1
    embedder.refused = ""
    assert index.search("storm")[0].chunk.path == "docs/log.md"
    embedder.seen.clear()
    report = index.refresh()
    assert (report.embedded, report.failed, report.changed) == (1, (), ())
    assert len(embedder.seen) == 1
    assert index.status().missing_vectors == 0
    assert index.search("storm")[0].reasons["meaning"] > 0


def test_a_file_that_goes_away_during_the_run_is_told(index: cw.Index, tree: Path) -> None:
    """It was there when the tree was listed; the others are done."""
    for name in ("a.md", "z.md"):
        (tree / name).write_text(f"# New {name}\n", "utf-8")

    def take_away(stage: str, done: int, total: int, path: str) -> None:
        (tree / "z.md").unlink(missing_ok=True)

    report = index.refresh(progress=take_away)
    assert report.added == ("a.md",)
    assert [(path, reason) for path, reason, _ in report.skipped] == [("z.md", "vanished")]
    assert index.refresh().skipped == ()
    assert index.status().failed == 0
    assert paths(index) == ["a.md", "docs/log.md", "docsets/old.md", "ship.py"]


def test_a_file_that_was_away_during_the_run_is_indexed_later(index: cw.Index, tree: Path) -> None:
    """Also if it comes back with the size and time it had."""
    place, elsewhere = tree / "z.md", tree.parent / "z.md"
    place.write_text("# Away\n", "utf-8")
    os.utime(place, ns=(10**18, 10**18))

    def take_away(stage: str, done: int, total: int, path: str) -> None:
        if place.exists():
            place.replace(elsewhere)

    index.refresh(progress=take_away)
    assert "z.md" not in paths(index)
    elsewhere.replace(place)
    assert index.refresh().added == ("z.md",)


def test_a_file_that_becomes_binary_loses_its_chunks(index: cw.Index, tree: Path) -> None:
    """And is told as skipped, also by the refreshes that follow."""
    (tree / "ship.py").write_bytes(bytes(range(256)) * 40)
    report = index.refresh()
    assert report.removed == ("ship.py",)
    assert [path for path, *_ in report.skipped] == ["ship.py"]
    assert [path for path, *_ in index.refresh().skipped] == ["ship.py"]
    assert "ship.py" not in paths(index)


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="everything is readable to root"
)
def test_a_file_that_must_not_be_read_is_told(index: cw.Index, tree: Path) -> None:
    """The others are done; with the right to read it comes back."""
    place = tree / "ship.py"
    place.write_text("def other():\n    pass\n", "utf-8")
    place.chmod(0)
    try:
        assert [path for path, *_ in index.refresh().failed] == ["ship.py"]
    finally:
        place.chmod(0o644)
    assert index.refresh().failed == ()
    assert [chunk.name for chunk in index.chunks("ship.py")] == ["other"]


HOLD = """
import sys, pathlib
from chunkwright.store import Store
with Store(pathlib.Path(sys.argv[1])).locked():
    print("held", flush=True)
    sys.stdin.readline()
"""


def test_another_process_that_writes_is_named(index: cw.Index) -> None:
    """By its pid; searching goes on meanwhile, and when it is killed the lock is free."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(index.folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        for act in (index.refresh, index.rebuild, lambda: index.remove(["docs"])):
            with pytest.raises(cw.LockedError, match=f"pid {process.pid}") as caught:
                act()
            assert caught.value.pid == process.pid
        assert index.search("fog")[0].chunk.path == "docs/log.md"
        process.kill()
    assert index.refresh() == cw.RefreshReport()


def test_a_pid_left_in_the_lock_is_no_lock(index: cw.Index) -> None:
    """Only the system's lock counts, not what the file says."""
    (index.folder / "lock").write_text("1", "utf-8")
    assert index.refresh() == cw.RefreshReport()


def test_threads_may_refresh_the_same_index_at_once(index: cw.Index, tree: Path) -> None:
    """They wait for each other; in the end everything is there once."""
    for number in range(20):
        (tree / f"new{number}.md").write_text(f"# New {number}\n", "utf-8")
    reports: list[cw.RefreshReport] = []
    threads = [threading.Thread(target=lambda: reports.append(index.refresh())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(len(report.added) for report in reports) == [0, 0, 0, 20]
    ids = [chunk.id for chunk in index.chunks()]
    assert len(ids) == len(set(ids)) == len(paths(index)) + len(FUNCTIONS) - 1


def test_a_closed_index_can_be_used_again(index: cw.Index) -> None:
    """Closing only lets go of files."""
    before = index.search("fog")
    index.close()
    index.close()
    assert index.search("fog") == before


def test_odd_texts_come_back_as_they_are(index: cw.Index, tree: Path) -> None:
    """Line ends, marks, a huge line, an empty file."""
    texts = {
        "crlf.txt": "a\r\nb\rc\n\td",
        "marks.txt": "e\u0301 👨\u200d👩\u200d👧",
        "line.txt": "x" * 100_000,
        "empty.txt": "",
    }
    for name, text in texts.items():
        (tree / name).write_bytes(text.encode())
    report = index.refresh()
    assert set(report.added) == set(texts)
    for name, text in texts.items():
        end = 0
        for chunk in index.chunks(name):
            assert chunk.text == text[chunk.start : chunk.end]
            assert not text[end : chunk.start].strip()  # only white space lies between chunks
            end = chunk.end
        assert not text[end:].strip()
    assert index.refresh() == cw.RefreshReport()
