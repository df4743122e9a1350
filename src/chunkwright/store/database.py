"""The SQLite file itself: opening and checking it, connections, transactions, and the one edge
where SQLite's errors become ours. What stands in the tables is not known here.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from chunkwright.errors import CorruptIndexError, StaleIndexError, StoreError
from chunkwright.store import pages
from chunkwright.store.connections import BUSY_SECONDS, Connection
from chunkwright.store.lock import NAME as LOCK
from chunkwright.store.schema import APPLICATION_ID, CREATE, FORMAT

NAME = "index.db"

IGNORE, IGNORED = ".gitignore", "*\n"
"""The file that keeps an index out of commits, and its content."""

_PATIENCE = 250
"""Milliseconds a checkpoint waits for readers: a search is done by then, a longer reader is not
worth waiting for."""

REBUILD = "make it anew with `chunkwright index --rebuild`"
ELSEWHERE = "give another place with --index-dir (index_dir in Python), or make it writable"

AS_IT_IS = "search the index as it is with --no-refresh (in Python, call no refresh), or "
"""Stands before ELSEWHERE where there is an index to read."""

MORE_SPACE = "free some space, then try again: nothing was half-written"

_FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
"""A disk, a file or a user's share that is full."""

_FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS}
"""A place that must not be written."""

_HEADER_SIZE = 100
_APPLICATION_ID = slice(68, 72)
_FIRST_PAGE = 4096
"""Bytes of a SQLite header, where its application_id stands, and the size of a file whose tables
still are in the log only."""

_CORRUPT = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT}
_REMEDIES = {
    sqlite3.SQLITE_FULL: MORE_SPACE,
    sqlite3.SQLITE_CANTOPEN: ELSEWHERE,
    sqlite3.SQLITE_PERM: ELSEWHERE,
    sqlite3.SQLITE_BUSY: "another process is writing; try again when it is done",
    sqlite3.SQLITE_LOCKED: "another process is writing; try again when it is done",
}
"""Primary result code of SQLite -> what helps."""


class Database:
    """A pool of connections to one file; safe among threads, and after a fork."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._idle: list[sqlite3.Connection] = []
        self._checked = False
        self._process = os.getpid()
        self._file: tuple[int, int] | None = None
        """Device and number of the file the connections are to."""
        self.era = 0
        """Raised when another file takes its place."""

    def exists(self) -> bool:
        """Whether there is an index: a file in which tables were made."""
        with reachable(self.path):
            if not self.path.is_file():
                return False
        with self.reading() as connection:
            return self.has_tables(connection)

    def has_tables(self, connection: sqlite3.Connection) -> bool:
        """False for a file whose maker ended before its first commit."""
        return _tables(connection) > 0

    def make_folder(self) -> None:
        """Make the folder, ignored by git where it is new."""
        with reachable(self.path):
            folder = self.path.parent
            folder.mkdir(parents=True, exist_ok=True)
            # Only in a folder of our own: one with other things in it is not ours to hide.
            if {path.name for path in folder.iterdir()} <= {LOCK}:
                (folder / IGNORE).write_text(IGNORED, encoding="utf-8")

    def create(self) -> None:
        """Make the folder, the file and the tables, where there are none yet."""
        self.make_folder()
        with translated(self.path):
            connection = Connection(self.path)
            try:
                # Whatever has tables is left as it is: it may be another program's.
                if _tables(connection) == 0:
                    connection.execute("PRAGMA journal_mode = WAL")
                    _create_tables(connection)
            finally:
                connection.close()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection in which everything read is of one moment."""
        with self._transaction("BEGIN") as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A connection whose changes become visible all at once, or not at all."""
        with self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection

    def checkpoint(self) -> bool:
        """Move everything from the log into the file; False where a reader is in the way."""
        with translated(self.path):
            connection, era = self._borrow()
            try:
                connection.execute(f"PRAGMA busy_timeout = {_PATIENCE}")
                is_busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
                connection.execute(f"PRAGMA busy_timeout = {round(1000 * BUSY_SECONDS)}")
            except BaseException:
                connection.close()
                raise
            self._give_back(connection, era)
        return not is_busy

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        with translated(self.path):
            connection, era = self._borrow()
            try:
                connection.execute(begin)
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                self._roll_back(connection)
                raise
            self._give_back(connection, era)

    def _borrow(self) -> tuple[sqlite3.Connection, int]:
        with self._lock, reachable(self.path):
            self._forget_strangers()
            era = self.era
            if self._idle:
                return self._idle.pop(), era
        with reachable(self.path):
            return self._checked_connection(), era

    def _checked_connection(self) -> sqlite3.Connection:
        connection = self._open()
        if not self._checked:
            try:
                _check(connection, self.path)
            except BaseException:
                connection.close()
                raise
            self._checked = True
        return connection

    def _forget_strangers(self) -> None:
        """Drop connections of a parent process, and those to a file that another one replaced."""
        if self._process != os.getpid():
            # A connection must not be used, nor closed, in a child of its process.
            _ORPHANS.extend(self._idle)
            self._idle, self._process = [], os.getpid()
        file = _identity(self.path)
        if file != self._file:
            for connection in self._idle:
                connection.close()
            self._idle, self._file, self._checked = [], file, False
            self.era += 1

    def _give_back(self, connection: sqlite3.Connection, era: int) -> None:
        with self._lock:
            if era == self.era:
                self._idle.append(connection)
                return
        connection.close()

    def _roll_back(self, connection: sqlite3.Connection) -> None:
        with suppress(sqlite3.Error):
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        connection.close()

    def _open(self) -> sqlite3.Connection:
        if not self.path.is_file():
            raise no_index(self.path)
        try:
            return _connect(self.path, "mode=rw")
        except sqlite3.OperationalError:
            if not self._can_be_frozen():
                raise
        return _connect(self.path, "mode=ro&immutable=1")

    def _can_be_frozen(self) -> bool:
        """Whether the file can be read without the files SQLite keeps beside it, as on a disk
        that cannot be written: only when no commit waits in the log."""
        log = self.path.with_name(self.path.name + "-wal")
        return not os.access(self.path.parent, os.W_OK) and not (
            log.exists() and log.stat().st_size
        )

    def close(self) -> None:
        """Close every idle connection; the database can be used again afterwards."""
        with self._lock:
            with suppress(OSError):  # a place that cannot be reached needs no letting go
                self._forget_strangers()
            idle, self._idle = self._idle, []
            self._checked = False
        for connection in idle:
            connection.close()

    def is_ours(self) -> bool:
        """False for a healthy SQLite file of another program, which is not ours to remove."""
        with reachable(self.path):
            header = pages.head(self.path, _HEADER_SIZE)
            size = self.path.stat().st_size
        is_sqlite = header.startswith(b"SQLite format 3\0")
        application = int.from_bytes(header[_APPLICATION_ID])
        return not is_sqlite or application == APPLICATION_ID or size <= _FIRST_PAGE

    def size(self) -> int:
        """Bytes on disk, the log included."""
        with reachable(self.path):
            names = (self.path.name, self.path.name + "-wal")
            paths = (self.path.with_name(name) for name in names)
            return sum(path.stat().st_size for path in paths if path.exists())


_ORPHANS: list[sqlite3.Connection] = []
"""Connections of a parent process: kept, because closing them here would harm the parent's."""


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn errors of SQLite, and of decoding what it holds, into ours, with the remedy."""
    try:
        yield
    except sqlite3.Error as error:
        raise _translation(path, error) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        # SQLite names a damaged table by its damaged name, which may not be UTF-8.
        raise CorruptIndexError(str(path), f"damaged ({error})", REBUILD) from error


@contextmanager
def reachable(path: Path) -> Iterator[None]:
    """Turn errors of the file system into ours, with the remedy."""
    try:
        yield
    except OSError as error:
        reason = f"cannot be used ({error.strerror or error})"
        remedy = ELSEWHERE
        if error.errno in _FULL:
            remedy = MORE_SPACE
        elif error.errno in _FORBIDDEN:
            remedy = _unwritable(path)
        raise StoreError(error.filename or str(path), reason, remedy) from error


def _unwritable(path: Path) -> str:
    """What helps where the place of the index at `path` must not be written."""
    return AS_IT_IS * os.access(path, os.R_OK) + ELSEWHERE


def _identity(path: Path) -> tuple[int, int] | None:
    """What tells one file from another of its name; None where there is none."""
    try:
        return pages.identity(path.stat())
    except FileNotFoundError:
        return None


def no_index(path: Path) -> StoreError:
    """What to raise where an index is needed and there is none."""
    return StoreError(str(path), "there is no index yet", "make it with `chunkwright index`")


def _translation(path: Path, error: sqlite3.Error) -> StoreError:
    # The primary result code is the lowest byte; errors of the Python module have none.
    code = getattr(error, "sqlite_errorcode", None)
    primary = code & 0xFF if code is not None else sqlite3.SQLITE_ERROR
    if primary == sqlite3.SQLITE_READONLY:
        return StoreError(str(path), f"cannot be used ({error})", _unwritable(path))
    if primary in _REMEDIES:
        return StoreError(str(path), f"cannot be used ({error})", _REMEDIES[primary])
    if primary in _CORRUPT:
        return CorruptIndexError(str(path), f"damaged, or not an index ({error})", REBUILD)
    if primary == sqlite3.SQLITE_IOERR:
        remedy = "check the disk: its health, and whether there is space left"
        return StoreError(str(path), f"cannot be read or written ({error})", remedy)
    # A missing table or an undecodable text: the statements are ours, so it is the file.
    return CorruptIndexError(str(path), f"damaged ({error})", REBUILD)


def _connect(path: Path, query: str) -> Connection:
    connection = Connection(path, query)
    try:
        # NORMAL in WAL mode: a power cut can lose the last commits, never the file.
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
        _tables(connection)  # the first look at the file itself
    except BaseException:
        connection.close()
        raise
    return connection


def _tables(connection: sqlite3.Connection) -> int:
    count: int = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    return count


def _check(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse what is not an index of this format; the content is checked as it is read."""
    if _tables(connection) == 0:
        return  # made by a process that ended before its first commit
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    if application != APPLICATION_ID:
        raise CorruptIndexError(
            str(path), "a SQLite file, but not an index", "move it away, or use another --index-dir"
        )
    stored = connection.execute("PRAGMA user_version").fetchone()[0]
    if stored > FORMAT:
        raise StoreError(
            str(path),
            f"made by a newer version (format {stored}, this one reads {FORMAT})",
            f"upgrade chunkwright, or {REBUILD}",
        )
    if stored < FORMAT:
        raise StaleIndexError(str(path), "format", str(stored), str(FORMAT), REBUILD)


def _create_tables(connection: sqlite3.Connection) -> None:
    connection.executescript(f"BEGIN IMMEDIATE;{CREATE}COMMIT;")
