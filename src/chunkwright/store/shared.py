"""A cache of vectors that several indexes share: one SQLite file in a folder of its own, so that a
second checkout of a repository costs no embedding. Nothing depends on it: whatever goes wrong with
it is noted, and the vectors are made anew.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from chunkwright.store.rows import checked, with_checksum

NAME = "vectors-1.db"
"""With the number of its form: another version makes a file of its own."""

MOST_BYTES = 2**30
"""Bytes of vectors that are kept: a million of 256 dimensions."""

WAIT_SECONDS = 2.0
"""How long another process is waited for: embedding anew is the alternative, not an error."""

DAY = 86_400
"""Seconds; a use is noted once a day, so that reading seldom writes."""

Vector = npt.NDArray[np.float32]

_CREATE = """
CREATE TABLE IF NOT EXISTS vectors (
    model TEXT NOT NULL,
    hash TEXT NOT NULL,
    used INTEGER NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (model, hash)
)"""

_log = logging.getLogger("chunkwright")


class SharedVectors:
    """The cache in `folder`, for the vectors of one model; made when something is put into it."""

    def __init__(self, folder: Path, model: str, dim: int, most_bytes: int = MOST_BYTES) -> None:
        self._path = folder / NAME
        self._key = f"{model}/{dim}"
        self._size = 4 * dim
        self._most_bytes = most_bytes

    def find(self, hashes: Iterable[str]) -> dict[str, Vector]:
        """Hash of a text -> its vector, of those that are there."""
        if not self._path.exists():
            return {}
        found: dict[str, Vector] = {}
        with self._noting("read"), self._connection() as connection:
            rows = connection.execute(
                "SELECT hash, used, vector FROM vectors WHERE model = ?"
                " AND hash IN (SELECT value FROM json_each(?))",
                (self._key, json.dumps(list(hashes))),
            ).fetchall()
            found = {
                hash_: vector for hash_, _, blob in rows for vector in self._decoded(hash_, blob)
            }
            old = [hash_ for hash_, used, _ in rows if used < _today() and hash_ in found]
            connection.executemany(
                "UPDATE vectors SET used = ? WHERE model = ? AND hash = ?",
                [(_today(), self._key, hash_) for hash_ in old],
            )
        return found

    def put(self, vectors: Mapping[str, Vector]) -> None:
        """Keep vectors, and let the longest unused go where they become too many."""
        with self._noting("written"):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._connection() as connection:
                connection.executemany(
                    "REPLACE INTO vectors VALUES (?, ?, ?, ?)",
                    (
                        (self._key, hash_, _today(), self._encoded(hash_, vector))
                        for hash_, vector in vectors.items()
                    ),
                )
                self._evict(connection)

    def _encoded(self, hash_: str, vector: Vector) -> bytes:
        return with_checksum(vector.astype("<f4", copy=False).tobytes(), self._key + hash_)

    def _decoded(self, hash_: str, blob: bytes) -> Iterator[Vector]:
        """The vector, or nothing where it is damaged."""
        try:
            content = checked(blob, self._key + hash_)
        except msgspec.DecodeError:
            return
        if len(content) == self._size:
            yield np.frombuffer(content, dtype="<f4")

    def _evict(self, connection: sqlite3.Connection) -> None:
        """Halve the cache, the longest unused first, where it is full: rarely, and enough."""
        pages, free, page = (
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("page_count", "freelist_count", "page_size")
        )
        if (pages - free) * page <= self._most_bytes:
            return
        connection.execute(
            "DELETE FROM vectors WHERE rowid IN (SELECT rowid FROM vectors"
            " ORDER BY used, hash LIMIT (SELECT (count(*) + 1) / 2 FROM vectors))"
        )

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """A transaction."""
        with closing(sqlite3.connect(self._path, timeout=WAIT_SECONDS)) as connection, connection:
            # A cache may lose its last writes to a power cut.
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(_CREATE)
            yield connection

    @contextmanager
    def _noting(self, act: str) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError, ValueError, TypeError) as error:
            _log.warning(
                "the shared cache of vectors %s cannot be %s (%s); going on without it",
                self._path,
                act,
                error,
            )


def _today() -> int:
    return int(time.time()) // DAY
