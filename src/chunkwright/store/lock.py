"""One writer at a time: a lock held on a file, which the system lets go when its process ends,
however it ends. Nothing is written to the index here.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from chunkwright.errors import LockedError

NAME = "lock"

_FAR = 1 << 30
"""Bytes into the file: where the lock lies on Windows, so that the pid before it can be read."""

_PID_SIZE = 32
"""Bytes of the file that are read for the owner's pid."""


TRIES = 20
PAUSE = 0.05
"""Seconds between tries: a second in all outlasts a search that puts the copy of the vectors back,
and tells a person soon enough that somebody is indexing."""


@contextmanager
def writer_lock(folder: Path, tries: int = TRIES) -> Iterator[None]:
    """Hold the index in `folder` for writing. Raises LockedError with the owner's pid."""
    handle = _held(folder / NAME, tries)
    try:
        _sign(handle)
        yield
    finally:
        # Closing lets the lock go. The file stays, for the next one.
        os.close(handle)


def _held(path: Path, tries: int) -> int:
    """A handle that holds the lock. Whoever removes an index removes this file while holding it:
    the lock of a file that is gone is none."""
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            _take(handle, path, tries)
            if _is_at(path, handle):
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


def _sign(handle: int) -> None:
    """Leave our pid, for whoever finds the lock held. Some systems write a file that was emptied
    through to the disk, which takes milliseconds: it is cut to length instead."""
    pid = str(os.getpid()).encode()
    os.lseek(handle, 0, os.SEEK_SET)
    if os.read(handle, _PID_SIZE) != pid:
        os.lseek(handle, 0, os.SEEK_SET)
        os.write(handle, pid)
        os.ftruncate(handle, len(pid))


def _is_at(path: Path, handle: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False


def _take(handle: int, path: Path, tries: int) -> None:
    for _ in range(tries - 1):
        with suppress(OSError):
            _lock(handle)
            return
        time.sleep(PAUSE)
    try:
        _lock(handle)
    except OSError:
        owner = _owner(handle)
        raise LockedError(
            str(path.parent), owner, "wait until it is done, then try again"
        ) from None


def _owner(handle: int) -> int:
    """The pid in the file; 0 where the owner has not written it yet."""
    os.lseek(handle, 0, os.SEEK_SET)
    with suppress(OSError, ValueError):
        return int(os.read(handle, _PID_SIZE))
    return 0


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        os.lseek(handle, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(handle, 0, os.SEEK_SET)

else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
