"""What a process keeps open of an index: nothing, once the index is closed."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from chunkwright import Index
from chunkwright.embedding.hashing import HashingEmbedder
from chunkwright.store import Store, pages

FOLDER_OF_HANDLES = Path("/proc/self/fd")

pytestmark = pytest.mark.skipif(
    not FOLDER_OF_HANDLES.is_dir(), reason="handles are counted in /proc"
)


def open_handles(folder: Path) -> list[str]:
    """The files below a folder that this process has open."""
    found = []
    for handle in FOLDER_OF_HANDLES.iterdir():
        try:
            target = os.readlink(handle)
        except FileNotFoundError:
            continue  # the one of the listing itself
        if target.startswith(str(folder)):
            found.append(target)
    return found


def made(root: Path) -> Index:
    root.mkdir()
    (root / "a.py").write_text("def spoon():\n    return 1\n")
    index = Index(root, HashingEmbedder())
    index.refresh()
    return index


def found(root: Path) -> bool:
    """Whether an index that is opened for it alone answers."""
    with Index(root, HashingEmbedder()) as index:
        return bool(index.search("spoon"))


def test_closed_indexes_keep_no_file_open(tmp_path: Path) -> None:
    """However many were opened, refreshed and searched, and opened again for a search."""
    for number in range(10):
        root = tmp_path / str(number)
        with made(root) as index:
            assert index.search("spoon")
        assert found(root)
    assert open_handles(tmp_path) == []


def test_an_index_nobody_closed_is_let_go_with_the_next(tmp_path: Path) -> None:
    """Whoever drops an index keeps no handle of it for good either."""
    for number in range(5):
        assert made(tmp_path / str(number)).search("spoon")
    gc.collect()
    with made(tmp_path / "last"):
        assert open_handles(tmp_path) == open_handles(tmp_path / "last")


def test_the_pages_of_a_file_stay_open_while_another_store_is_connected(tmp_path: Path) -> None:
    """Closing them would let go of the locks of the other one's connection."""
    with made(tmp_path / "root") as index:
        path = index.folder / "index.db"
        pages.sums(path)
        with Store(index.folder).reading():
            index.close()
            held = open_handles(path)
            pages.sums(path)
            assert open_handles(path) == held


def test_a_writers_lock_outlasts_the_reading_of_pages(tmp_path: Path) -> None:
    """Another process must not write while this one is in the middle of it."""
    with made(tmp_path / "root") as index:
        folder = index.folder
        with Store(folder).writing():
            Index(tmp_path / "root", HashingEmbedder()).close()
            pages.sums(folder / "index.db")
            command = (
                "import sqlite3, sys\n"
                "sqlite3.connect(sys.argv[1], timeout=0).execute('BEGIN IMMEDIATE')"
            )
            done = subprocess.run(
                [sys.executable, "-c", command, str(folder / "index.db")],
                capture_output=True,
                text=True,
                check=False,
            )
    assert "database is locked" in done.stderr


def test_threads_that_open_and_close_leave_nothing_open(tmp_path: Path) -> None:
    """The count is right among threads, too."""
    made(tmp_path / "root").close()
    failed: list[BaseException] = []

    def look() -> None:
        try:
            for _ in range(10):
                assert found(tmp_path / "root")
        except BaseException as error:  # told below, by the thread that can
            failed.append(error)

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert open_handles(tmp_path) == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_child_keeps_nothing_of_what_it_opened_itself(tmp_path: Path) -> None:
    """A child counts anew, and leaves its parent's index in order."""
    with made(tmp_path / "root") as index:
        assert index.search("spoon")
        pid = os.fork()
        if pid == 0:
            # SQLite keeps one handle beside the parent's connection, and uses it again.
            counts = [len(open_handles(tmp_path)) for _ in range(3) if found(tmp_path / "root")]
            os._exit(0 if counts == 3 * counts[:1] else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
        assert index.search("spoon")
    assert open_handles(tmp_path) == []
