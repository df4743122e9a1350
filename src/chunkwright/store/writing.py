"""Everything that changes the index, within one transaction. What to write is decided elsewhere."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt

from chunkwright.store.entries import EntryWriter
from chunkwright.store.facts import facts_of
from chunkwright.store.rows import ChunkEntry, FileEntry, FileRecord, encode, with_checksum
from chunkwright.store.schema import BEGINNING, CREATE, LIMITED, SEALED, TABLES, TREE, WORD_COLUMNS
from chunkwright.store.terms import words_of
from chunkwright.types import is_entry

SPARE_VECTORS = 1.0
"""Cached vectors that no chunk uses any more, as a share of those in use: so many are kept, for
the day a branch comes back. A branch seldom differs by more than everything."""

LEAST_SPARE = 10_000
"""Spare vectors that are kept however few are in use (10 MB of 256 dimensions): a branch may have
next to nothing of what the other one has."""

_RECORD = FileRecord._fields
_UNUSED = """FROM vectors WHERE model <> ? OR hash NOT IN (
    SELECT text_hash FROM chunks UNION ALL SELECT hash FROM cards)"""


class Writer:
    """Changes to an index, all visible at once when its transaction ends."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.entries = EntryWriter(connection)
        """Documents that were put; their chunks are written like those of files."""

    def meta(self) -> dict[str, str]:
        """The facts about the index as a whole, as they are within this transaction."""
        return dict(self._connection.execute("SELECT key, value FROM meta"))

    def set_mark(self, mark: str) -> None:
        """Note with what sums this state is sealed; "" where it is about to change."""
        self._connection.execute(
            "UPDATE meta SET value = ? WHERE key = ? AND value <> ?", (mark, SEALED, mark)
        )

    def set_meta(self, facts: Mapping[str, str]) -> None:
        """Replace these facts about the index as a whole."""
        self._connection.executemany("REPLACE INTO meta VALUES (?, ?)", facts.items())

    def put_files(self, entries: Iterable[FileEntry]) -> None:
        """Write files with their chunks and words, in place of what was there of them."""
        for entry in entries:
            self.remove_files([entry.record.path])
            number = self._insert_file(entry)
            self._insert_facts(number, entry)
            if entry.card is not None:
                row = (number, *entry.card)
                self._connection.execute("INSERT INTO cards VALUES (?, ?, ?)", row)
            for position, chunk in enumerate(entry.chunks):
                self._insert_chunk(number, position, chunk)
        self._changed()

    def touch(self, records: Iterable[FileRecord]) -> None:
        """Note size and time of files whose content is what it was."""
        self._connection.executemany(
            "UPDATE files SET size = ?, mtime_ns = ? WHERE path = ?",
            ((record.size, record.mtime_ns, record.path) for record in records),
        )
        self._forget_tree("")

    def remove_files(self, paths: Iterable[str]) -> int:
        """Remove files with their chunks and words; returns how many there were."""
        count = 0
        for path in paths:
            # The words go by trigger, the chunks by cascade.
            found = self._connection.execute("DELETE FROM files WHERE path = ?", (path,))
            count += found.rowcount
            self._forget_tree(path)
        if count:
            self._changed()
        return count

    def put_vectors(
        self,
        model: str,
        hashes: Iterable[str],
        vectors: npt.NDArray[np.float32],
        read: Iterable[int],
    ) -> None:
        """Cache vectors, one a text, with how much of it was read: WHOLE, LIMITED, BEGINNING."""
        little_endian = vectors.astype("<f4", copy=False)
        rows = (
            (hash_, model, part, with_checksum(vector.tobytes(), hash_ + model))
            for hash_, vector, part in zip(hashes, little_endian, read, strict=True)
        )
        self._connection.executemany("REPLACE INTO vectors VALUES (?, ?, ?, ?)", rows)
        self._changed()

    def retry_limited(self) -> None:
        """Have those made anew for which the embedder read no more of a text than it could."""
        self._connection.execute(
            "UPDATE vectors SET complete = ? WHERE complete = ?", (BEGINNING, LIMITED)
        )

    def prune(self, model: str) -> None:
        """Forget cached vectors that are not in use, the oldest first, where there are more than
        are kept for the day they are wanted again."""
        unused = self._connection.execute(f"SELECT count(*) {_UNUSED}", (model,)).fetchone()[0]
        total = self._connection.execute("SELECT count(*) FROM vectors").fetchone()[0]
        spare = max(LEAST_SPARE, round(SPARE_VECTORS * (total - unused)))
        if unused > spare:
            self._connection.execute(
                f"DELETE FROM vectors WHERE rowid IN (SELECT rowid {_UNUSED}"  # noqa: S608  # constants
                " ORDER BY rowid LIMIT ?)",
                (model, unused - spare),
            )

    def put_sidecar(self, generation: int, rows: bytes, checksum: int) -> None:
        """Record what the memory-mapped copy of `generation` must look like."""
        self._connection.execute("DELETE FROM sidecar")
        self._connection.execute(
            "INSERT INTO sidecar VALUES (?, ?, ?)", (generation, rows, checksum)
        )

    def clear(self) -> None:
        """Remove everything that can be made anew, the cache included."""
        for table in TABLES:
            self._connection.execute(f"DROP TABLE {table}")
        for statement in _statements(CREATE):
            self._connection.execute(statement)

    def _insert_file(self, entry: FileEntry) -> int:
        record = entry.record
        cursor = self._connection.execute(
            f"INSERT INTO files ({', '.join(_RECORD)}, details)"  # noqa: S608  # field names
            f" VALUES ({', '.join('?' * len(_RECORD))}, ?)",
            (*record, with_checksum(encode(entry.details))),
        )
        assert cursor.lastrowid is not None  # noqa: S101  # sqlite3 sets it for every INSERT
        return cursor.lastrowid

    def _insert_facts(self, number: int, entry: FileEntry) -> None:
        rows = ((key, value, number) for key, value in facts_of(entry.details.frontmatter))
        self._connection.executemany("INSERT INTO facts (key, value, file) VALUES (?, ?, ?)", rows)

    def _insert_chunk(self, number: int, position: int, entry: ChunkEntry) -> None:
        chunk = entry.chunk
        row = self._connection.execute(
            "INSERT INTO chunks"
            " (id, file, position, language, kind, is_test, parent, text_hash, body)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                chunk.id,
                number,
                position,
                chunk.language,
                chunk.kind,
                chunk.is_test,
                chunk.parent,
                entry.text_hash,
                with_checksum(encode(chunk)),
            ),
        ).lastrowid
        self._connection.execute(
            f"INSERT INTO words (rowid, {', '.join(WORD_COLUMNS)}) VALUES (?, ?, ?, ?, ?)",  # noqa: S608  # a constant
            (row, *words_of(chunk)),
        )

    def _forget_tree(self, path: str) -> None:
        """What a file of the tree is compared with changes; a document that was put is none."""
        if not is_entry(path):
            self._connection.execute("DELETE FROM meta WHERE key = ?", (TREE,))

    def _changed(self) -> None:
        """A new generation: a memory-mapped copy of the vectors made before is stale."""
        self._connection.execute(
            "UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'generation'"
        )


def _statements(script: str) -> list[str]:
    """The statements of a script, one by one: executescript would end the transaction."""
    found, current = [], ""
    for line in script.splitlines(keepends=True):
        current += line
        if sqlite3.complete_statement(current):
            found.append(current)
            current = ""
    return found
