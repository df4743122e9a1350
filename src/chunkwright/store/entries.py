"""Documents that were put, as rows: whole, with their versions, and which of them lack chunks or
vectors. How they are chunked, and what may be put, is decided elsewhere.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from chunkwright.store.connections import Connection
from chunkwright.store.schema import INDEXED
from chunkwright.types import ENTRY_MARK, entry_id

STATE_DIGITS = 32
"""Hex digits of a hash: 128 bits."""

DELETED = ""
"""Namespace of rows that remember the last version of what was deleted, by a hash of its key: so
a document that takes the place of a deleted one is not taken for it."""

_ID = f"'{ENTRY_MARK}' || entries.namespace || '/' || entries.key"
_STALE = (
    "(files.id IS NULL OR files.status <> :indexed OR files.content_hash <> entries.state"
    " OR files.fingerprint <> :fingerprint)"
)
_NO_VECTOR = """EXISTS (
    SELECT 1 FROM chunks LEFT JOIN vectors
    ON vectors.hash = chunks.text_hash AND vectors.model = :model AND vectors.complete
    WHERE chunks.file = files.id AND vectors.hash IS NULL)"""
_UNFINISHED = (
    f"FROM entries LEFT JOIN files ON files.path = {_ID}"
    f" WHERE entries.namespace <> '{DELETED}'"
    f" AND ({_STALE} OR (:model IS NOT NULL AND {_NO_VECTOR}))"
)
_PREFIX_SIZE = len(ENTRY_MARK) + len("/")
_ORPHANS = f"""FROM files WHERE namespace <> '' AND NOT EXISTS (
    SELECT 1 FROM entries WHERE entries.namespace = files.namespace
    AND entries.key = substr(files.path, length(files.namespace) + {_PREFIX_SIZE + 1}))"""  # noqa: S608  # constants
# By the key and not by the whole path: so each is one look-up.


class Content(msgspec.Struct, frozen=True):
    """What was put under a key; two of equal content have one state."""

    text: str
    summary: str = ""
    attachments: dict[str, str] = {}
    metadata: dict[str, Any] = {}
    language: str | None = None


class EntryRow(NamedTuple):
    """One document that was put."""

    namespace: str
    key: str
    version: int
    state: str
    """Hash of the body."""
    body: bytes

    @property
    def id(self) -> str:
        """What stands for its path."""
        return entry_id(self.namespace, self.key)

    def is_sound(self) -> bool:
        """Whether it is as it was written."""
        return isinstance(self.body, bytes) and state_of(self.body) == self.state

    def content(self) -> Content:
        """What was put."""
        return _CONTENT.decode(self.body)


def encoded(content: Content) -> tuple[str, bytes]:
    """State and body of a content: equal for equal ones, in whatever order their keys stood."""
    body = _ENCODER.encode(content)
    return state_of(body), body


def state_of(body: bytes) -> str:
    """The hash of a stored body."""
    return hashlib.sha256(body).hexdigest()[:STATE_DIGITS]


def readable(path: Path) -> list[EntryRow]:
    """What can still be read of the documents in a damaged file, each as it was written."""
    found: dict[str, EntryRow] = {}
    with suppress(sqlite3.Error, OSError):
        connection = Connection(path, "mode=ro")
        try:
            # From both ends: damage in the middle hides what is behind it.
            for order in ("ASC", "DESC"):
                with suppress(sqlite3.Error, UnicodeDecodeError):
                    for row in _sound(connection, order):
                        found[row.id] = row
        finally:
            connection.close()
    return list(found.values())


def stored_count(path: Path) -> int | None:
    """How many rows a damaged file has, sound or not; None where that cannot be told."""
    with suppress(sqlite3.Error, OSError, UnicodeDecodeError):
        connection = Connection(path, "mode=ro")
        try:
            tables = "SELECT count(*) FROM sqlite_master WHERE name = 'entries'"
            if not connection.execute(tables).fetchone()[0]:
                return 0  # of a format that had none
            # By reading them: a count alone passes over what lies on a page.
            return sum(1 for _ in connection.execute("SELECT body FROM entries"))
        finally:
            connection.close()
    return None


def _sound(connection: sqlite3.Connection, order: str) -> Iterator[EntryRow]:
    rows = connection.execute(
        "SELECT namespace, key, version, state, body FROM entries"  # noqa: S608  # one of two words
        f" ORDER BY namespace {order}, key {order}"
    )
    for row in map(EntryRow._make, rows):
        if row.is_sound():
            yield row


def _trace(namespace: str, key: str) -> str:
    """What is kept of a key that was deleted."""
    return state_of(entry_id(namespace, key).encode())


class EntryReader:
    """What is asked of the documents that were put, in one moment of the index."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def get(self, namespace: str, key: str) -> EntryRow | None:
        """The row of a key, sound or not."""
        found = self._connection.execute(
            "SELECT namespace, key, version, state, body FROM entries"
            " WHERE namespace = ? AND key = ?",
            (namespace, key),
        ).fetchone()
        return EntryRow(*found) if found else None

    def texts(self, id_: str) -> list[str]:
        """Hashes of what is embedded for the chunks of a document."""
        found = self._connection.execute(
            "SELECT text_hash FROM chunks JOIN files ON files.id = chunks.file"
            " WHERE files.path = ?",
            (id_,),
        )
        return [hash_ for (hash_,) in found]

    def keys(self, namespace: str, prefix: str) -> list[str]:
        """Keys that begin with `prefix`, sorted."""
        found = self._connection.execute(
            "SELECT key FROM entries WHERE namespace = ? AND key >= ? ORDER BY key",
            (namespace, prefix),
        )
        keys = []
        for (key,) in found:
            if not key.startswith(prefix):
                break  # they are sorted: what follows begins otherwise too
            keys.append(key)
        return keys

    def count(self) -> int:
        """How many there are, in all namespaces."""
        count: int = self._connection.execute(
            "SELECT count(*) FROM entries WHERE namespace <> ?", (DELETED,)
        ).fetchone()[0]
        return count

    def unfinished(
        self, fingerprint: str, model: str | None, limit: int | None
    ) -> list[tuple[str, str, bool]]:
        """(namespace, key, has its chunks) of those without chunks of this state and fingerprint,
        or, with a model, without all of their vectors; what was never tried first."""
        found = self._connection.execute(
            f"SELECT entries.namespace, entries.key, NOT {_STALE} {_UNFINISHED}"  # constants
            " ORDER BY files.mtime_ns, entries.namespace, entries.key LIMIT :limit",
            {**self._asked(fingerprint, model), "limit": -1 if limit is None else limit},
        )
        return [(namespace, key, bool(is_cut)) for namespace, key, is_cut in found]

    def unfinished_count(self, fingerprint: str, model: str | None) -> int:
        """How many `unfinished` would give without a limit."""
        count: int = self._connection.execute(
            f"SELECT count(*) {_UNFINISHED}",  # constants
            self._asked(fingerprint, model),
        ).fetchone()[0]
        return count

    def orphans(self, limit: int | None) -> list[str]:
        """Ids under which there are chunks, but no document."""
        found = self._connection.execute(
            f"SELECT path {_ORPHANS} ORDER BY path LIMIT ?",  # constants
            (-1 if limit is None else limit,),
        )
        return [path for (path,) in found]

    def deleted_version(self, namespace: str, key: str) -> int:
        """The last version of a document that was deleted; 0 where none ever was."""
        row = self.get(DELETED, _trace(namespace, key))
        return row.version if row else 0

    def _asked(self, fingerprint: str, model: str | None) -> dict[str, str | None]:
        return {"indexed": INDEXED, "fingerprint": fingerprint, "model": model}


class EntryWriter(EntryReader):
    """Changes to the documents that were put, in the writer's transaction."""

    def put(self, row: EntryRow) -> None:
        """Write a document in place of the one of its key; its chunks are not looked after."""
        self._connection.execute("REPLACE INTO entries VALUES (?, ?, ?, ?, ?)", row)

    def delete(self, row: EntryRow) -> None:
        """Remove a document; its versions will not be given again."""
        self._connection.execute(
            "DELETE FROM entries WHERE namespace = ? AND key = ?", (row.namespace, row.key)
        )
        self.put(EntryRow(DELETED, _trace(row.namespace, row.key), row.version, state_of(b""), b""))

    def forget_texts(self, hashes: Iterable[str]) -> None:
        """Remove cached vectors of these texts, but for those that some chunk still has: what was
        deleted is not kept for another day."""
        self._connection.execute(
            "DELETE FROM vectors WHERE hash IN (SELECT value FROM json_each(?))"
            " AND NOT EXISTS (SELECT 1 FROM chunks WHERE chunks.text_hash = vectors.hash)",
            (json.dumps(list(hashes)),),
        )

    def looked_at(self, ids: Iterable[str], now_ns: int) -> None:
        """Note when documents were last worked on, in vain or not."""
        self._connection.execute(
            "UPDATE files SET mtime_ns = ? WHERE path IN (SELECT value FROM json_each(?))",
            (now_ns, json.dumps(list(ids))),
        )


_ENCODER = msgspec.msgpack.Encoder(order="deterministic")
_CONTENT = msgspec.msgpack.Decoder(Content)
