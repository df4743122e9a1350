"""Bytes of the database file as they lie on the disk, and two sums of each of its pages. What the
pages mean is SQLite's to know.

A process that closes a file loses every lock it holds on it (POSIX), those of SQLite included. So
a file that is opened here stays open until this process has no connection to it: every connection
is a `Use` of its file.
"""

from __future__ import annotations

import os
import sys
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import numpy.typing as npt

PAGE = 4096
"""Bytes that are summed together; SQLite's own default for a page."""

_AT_ONCE = 256
"""Pages read at once, 1 MiB: fits the processor's cache, so that summing costs no more than
reading."""

Sums = npt.NDArray[np.uint64]
"""Shape (pages, 2). The sum of a page's 64-bit words finds any one wrong bit, and bits stuck to one
value; their exclusive or finds what the sum leaves even."""

File = tuple[int, int]
"""Device and number of a file: the same for every name of it."""

_held: dict[File, list[int]] = {}
"""File -> handles; nearly always one."""
_uses: dict[File, int] = {}
"""File -> how many use it: connections, and readers of its pages."""
_ended: deque[File] = deque()
"""Uses that are over and still counted. Garbage collection, which may come in the middle of
anything, must not wait for the lock."""
_lock = threading.Lock()


class Use:
    """Keeps what is opened here of the file at `path` from being closed, until `end`. Begin it
    before the file is opened, then look `again`: another file may have taken its place."""

    def __init__(self, path: Path) -> None:
        self.files: list[File] = []
        self._process = os.getpid()
        self.again(path)

    def again(self, path: Path) -> None:
        """Use the file that is at `path` now, too."""
        try:
            file = identity(path.stat())
        except OSError:
            return  # whoever opens it will hear of that
        with _lock:
            _settle()
            self.add(file)

    def add(self, file: File) -> None:
        """Use a file; call it with the lock held."""
        if file not in self.files:
            _uses[file] = _uses.get(file, 0) + 1
            self.files.append(file)

    def is_ours(self) -> bool:
        """Whether it was begun by this process, not by its parent."""
        return self._process == os.getpid()

    def abandon(self) -> None:
        """End at the next `Use` or `end` of any file; never waits."""
        if self.is_ours():
            _ended.extend(self.files)
        self.files = []

    def end(self) -> None:
        """Let go of the file; closes it where nobody else uses it."""
        self.abandon()
        with _lock:
            _settle()


def identity(facts: os.stat_result) -> File:
    """What tells one file from another of its name."""
    return facts.st_dev, facts.st_ino


def _settle() -> None:
    """Count what has ended, and close what nobody uses; call it with the lock held."""
    while _ended:
        file = _ended.popleft()
        _uses[file] -= 1
        if not _uses[file]:
            del _uses[file]
            for handle in _held.pop(file, ()):
                os.close(handle)


def _after_fork() -> None:
    """Begin anew in a child, which holds none of its parent's locks and must not use its
    connections."""
    global _lock  # noqa: PLW0603  # another thread of the parent may have held it
    _lock = threading.Lock()
    for handles in _held.values():
        for handle in handles:
            os.close(handle)
    _held.clear()
    _uses.clear()
    _ended.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def head(path: Path, size: int) -> bytes:
    """The first bytes of the file."""
    with _handle(path) as handle:
        return _read(handle, size, 0)


def sums(path: Path) -> Sums:
    """The sums of every page; the last one counts as filled up with zeros."""
    found: list[Sums] = []
    position, block = 0, PAGE * _AT_ONCE
    with _handle(path) as handle:
        while content := _read(handle, block, position):
            found.append(_sums(content))
            position += len(content)
    return np.concatenate(found) if found else np.zeros((0, 2), dtype=np.uint64)


def _sums(content: bytes) -> Sums:
    padded = content + bytes(-len(content) % PAGE)
    words = np.frombuffer(padded, dtype="<u8").reshape(-1, PAGE // 8)
    return np.stack([words.sum(axis=1, dtype=np.uint64), np.bitwise_xor.reduce(words, axis=1)], 1)


def _read(handle: int, size: int, position: int) -> bytes:
    """Up to `size` bytes, fewer only at the end of the file."""
    parts = []
    while size > 0 and (part := _read_at(handle, size, position)):
        parts.append(part)
        size -= len(part)
        position += len(part)
    return b"".join(parts)


if sys.platform == "win32":
    # There locks belong to a handle, and an open file could not be removed.

    @contextmanager
    def _handle(path: Path) -> Iterator[int]:
        handle = os.open(path, os.O_RDONLY | os.O_BINARY)
        try:
            yield handle
        finally:
            os.close(handle)

    def _read_at(handle: int, size: int, position: int) -> bytes:
        os.lseek(handle, position, os.SEEK_SET)
        return os.read(handle, size)

else:
    _read_at = os.pread

    @contextmanager
    def _handle(path: Path) -> Iterator[int]:
        use = Use(path)
        try:
            yield _kept(path, use)
        finally:
            use.end()

    def _kept(path: Path, use: Use) -> int:
        """A handle that stays open while the file is used."""
        with _lock:
            held = [handle for file in use.files for handle in _held.get(file, ())]
            if held:
                return held[-1]
            handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            file = identity(os.fstat(handle))
            _held.setdefault(file, []).append(handle)
            use.add(file)  # another one may have taken the place of what it was begun with
            return handle
