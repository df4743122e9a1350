"""Bytes of the database file as they lie on the disk, and two sums of each of its pages. What the
pages mean is SQLite's to know.

A process that closes a file loses every lock it holds on it (POSIX), those of SQLite included. So
a file that is opened here stays open until it is removed or the process ends.
"""

from __future__ import annotations

import os
import sys
import threading
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

_CLOSES_SAFELY = sys.platform == "win32"
"""There locks belong to a handle, and an open file could not be removed."""

Sums = npt.NDArray[np.uint64]
"""Shape (pages, 2). The sum of a page's 64-bit words finds any one wrong bit, and bits stuck to one
value; their exclusive or finds what the sum leaves even."""

_held: dict[tuple[int, int], int] = {}
"""Device and number of a file -> handle."""
_lock = threading.RLock()
"""Held while a handle is used: its position is shared, and another thread might let it go."""


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
    os.lseek(handle, position, os.SEEK_SET)
    while size > 0 and (part := os.read(handle, size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


@contextmanager
def _handle(path: Path) -> Iterator[int]:
    if _CLOSES_SAFELY:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        try:
            yield handle
        finally:
            os.close(handle)
        return
    with _lock:
        yield _kept(path)


def _kept(path: Path) -> int:
    """A handle that stays open; those to removed files are let go."""
    for identity, handle in list(_held.items()):
        if os.fstat(handle).st_nlink == 0:
            os.close(_held.pop(identity))
    facts = path.stat()
    identity = facts.st_dev, facts.st_ino
    if identity not in _held:
        _held[identity] = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    return _held[identity]
