"""A place that is full: the error names it and says what helps, what was there before answers as
before, and with more space the next refresh completes the work.
"""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.embedding.hashing import HashingEmbedder

pytestmark = pytest.mark.skipif(os.name != "posix", reason="limits of a process are of POSIX")

PROGRAM = """
import resource, sys
import chunkwright as cw
from chunkwright.embedding.hashing import HashingEmbedder
from chunkwright.store.connections import Connection

root, kind, limit = sys.argv[1], sys.argv[2], int(sys.argv[3])
if kind == "file":
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))  # what Python ignores the signal of
else:
    connect = Connection.__init__
    def limited(connection, *arguments, **named):
        connect(connection, *arguments, **named)
        connection.execute(f"PRAGMA max_page_count = {limit}")
    Connection.__init__ = limited
with cw.Index(root, HashingEmbedder(dim=512)) as index:
    try:
        index.refresh()
    except cw.StoreError as error:
        print(type(error).__name__, error)
        print([(hit.chunk.id, hit.score) for hit in index.search("harbour 7 tide")])
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """An index of a few files, to which many come."""
    write(tmp_path, range(4))
    with index_of(tmp_path) as index:
        index.refresh()
    return tmp_path


def write(tree: Path, numbers: range) -> None:
    for number in numbers:
        text = f"# Note {number}\n\n" + f"harbour {number} tide.\n" * 60
        (tree / f"note{number}.md").write_text(text, "utf-8")


def index_of(tree: Path) -> cw.Index:
    return cw.Index(tree, HashingEmbedder(dim=512))


def answers(tree: Path) -> list[Any]:
    with index_of(tree) as index:
        return [(hit.chunk.id, hit.score) for hit in index.search("harbour 7 tide")]


def size_of(tree: Path, pattern: str) -> int:
    return max(path.stat().st_size for path in (tree / ".chunkwright").glob(pattern))


def refresh_with(tree: Path, kind: str, limit: int) -> list[str]:
    command = [sys.executable, "-c", PROGRAM, str(tree), kind, str(limit)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def check(tree: Path, kind: str, limit: int, remedy: str) -> None:
    before = answers(tree)
    write(tree, range(4, 120))
    said, found = refresh_with(tree, kind, limit)
    assert said.startswith("StoreError ")
    assert str(tree / ".chunkwright") in said
    assert remedy in said
    assert found == str(before)
    assert answers(tree) == before
    with index_of(tree) as index:
        assert index.verify() == ()
        assert len(index.refresh().added) == 116
        assert index.status().files == 120
        assert index.status().missing_vectors == 0
        assert index.verify() == ()


def test_a_full_database_keeps_what_it_held(tree: Path) -> None:
    """SQLite says that it is full."""
    pages = size_of(tree, "index.db") // 4096
    check(tree, "pages", pages + 2, "free some space")


def test_a_log_that_cannot_grow_keeps_what_was_held(tree: Path) -> None:
    """The system refuses a write in the midst of a commit."""
    check(tree, "file", size_of(tree, "index.db") + 4096, "space")


def test_a_copy_of_the_vectors_that_cannot_be_written_is_told(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database is up to date by then and answers without it; the next refresh makes it."""

    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    write(tree, range(4, 6))
    with index_of(tree) as index:
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            with pytest.raises(cw.StoreError, match="free some space"):
                index.refresh()
        assert not list(index.folder.glob("*.tmp"))
        assert len(index.search("harbour 5 tide")) == 6
        assert index.refresh() == cw.RefreshReport()
        assert index.verify() == ()
        assert len(list(index.folder.glob("vectors-*.npy"))) == 1


@pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0, reason="only root of Linux mounts a small disk"
)
def test_a_full_disk_keeps_what_was_held(tmp_path: Path) -> None:
    """The real thing: a disk of two megabytes."""
    disk, tree = tmp_path / "disk", tmp_path / "tree"
    disk.mkdir()
    tree.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(disk)]
    if subprocess.run(mount, check=False, capture_output=True).returncode != 0:
        pytest.skip("no right to mount")
    try:
        fill_and_free(tree, disk / "index")
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


def fill_and_free(tree: Path, folder: Path) -> None:
    write(tree, range(4))
    with cw.Index(tree, HashingEmbedder(dim=64), index_dir=folder) as index:
        index.refresh()
        before = [hit.chunk.id for hit in index.search("harbour 2 tide")]
        ballast = folder.parent / "ballast"
        fill(ballast)
        write(tree, range(4, 120))
        with pytest.raises(cw.StoreError, match="space") as caught:
            index.refresh()
        assert str(folder) in str(caught.value)
        assert [hit.chunk.id for hit in index.search("harbour 2 tide")] == before
        ballast.unlink()
        assert len(index.refresh().added) == 116
        assert index.verify() == ()


def fill(file: Path) -> None:
    with file.open("wb", buffering=0) as stream:
        try:
            while True:
                stream.write(bytes(4096))
        except OSError:
            return
