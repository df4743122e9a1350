"""Everything that is asked of the index: one moment of it, read through one connection. Nothing is
written here, and nothing is ranked.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt

from chunkwright.errors import CorruptIndexError
from chunkwright.store.database import REBUILD
from chunkwright.store.entries import EntryReader, EntryRow
from chunkwright.store.filtering import condition
from chunkwright.store.keeping import KeptChunks
from chunkwright.store.rows import (
    Counts,
    FileDetails,
    FileRecord,
    Filter,
    WordMatch,
    checked,
    decode_chunk,
    decode_details,
)
from chunkwright.store.schema import FAILED, INDEXED, LIMITED, SEALED, SKIPPED, WHOLE
from chunkwright.store.terms import expression
from chunkwright.types import Chunk

_RECORD = ", ".join(FileRecord._fields)
_WITH_VECTOR = (
    "FROM chunks JOIN vectors ON vectors.hash = chunks.text_hash AND vectors.model = :model"
)
_CARDS_WITH_VECTOR = (
    "FROM cards JOIN vectors ON vectors.hash = cards.hash AND vectors.model = :model"
)
_WITHOUT_VECTOR = """
    FROM chunks LEFT JOIN vectors
    ON vectors.hash = chunks.text_hash AND vectors.model = :model AND vectors.complete
    WHERE vectors.hash IS NULL"""

SPARE_MATCHES = 50
"""Taken beyond those asked for, so that equal scores seldom reach past them."""

ROWS_AT_ONCE = 1000
"""Rows named in one statement."""


class Snapshot:
    """One consistent moment of an index."""

    def __init__(
        self, connection: sqlite3.Connection, path: str, kept: KeptChunks | None = None
    ) -> None:
        self._connection = connection
        self._path = path
        self._kept = kept or KeptChunks()
        self.entries = EntryReader(connection)
        """Documents that were put."""

    def meta(self) -> dict[str, str]:
        """The facts about the index as a whole."""
        return dict(self._connection.execute("SELECT key, value FROM meta"))

    def mark(self) -> str:
        """The mark of the sums this state was sealed with; "" while it is being changed."""
        row = self._connection.execute("SELECT value FROM meta WHERE key = ?", (SEALED,)).fetchone()
        if row is None:
            raise CorruptIndexError(self._path, "damaged (facts about it are gone)", REBUILD)
        return str(row[0])

    def files(self) -> dict[str, FileRecord]:
        """Path -> every file of the tree that was looked at; documents that were put are none."""
        found = self._connection.execute(f"SELECT {_RECORD} FROM files WHERE namespace = ''")  # noqa: S608  # field names
        return {row[0]: FileRecord._make(row) for row in found}

    def skipped(self) -> list[tuple[str, str, str]]:
        """Path, reason and rule of the files that were opened and are no text."""
        return self._connection.execute(
            "SELECT path, reason, rule FROM files"
            " WHERE status <> 'indexed' AND status = ? AND namespace = ''",
            (SKIPPED,),
        ).fetchall()

    def is_unsure(self) -> bool:
        """Whether some file of the tree has to be looked at again in any case."""
        found = self._connection.execute(
            "SELECT EXISTS (SELECT * FROM files"
            " WHERE namespace = '' AND (mtime_ns < 0 OR status = ?))",
            (FAILED,),
        ).fetchone()
        return bool(found[0])

    def records(self, paths: Iterable[str]) -> dict[str, FileRecord]:
        """Path -> what is known of the file, for the paths that are known."""
        found = self._connection.execute(
            f"SELECT {_RECORD} FROM files WHERE path IN (SELECT value FROM json_each(?))",  # noqa: S608  # field names
            (json.dumps(list(paths)),),
        )
        return {row[0]: FileRecord._make(row) for row in found}

    def numbers(self) -> dict[str, int]:
        """Path of every indexed file -> its number."""
        return dict(
            self._connection.execute(
                "SELECT path, id FROM files WHERE namespace = '' AND status = ?", (INDEXED,)
            )
        )

    def details(self, path: str) -> FileDetails | None:
        """What is known of one document; None where the file is not indexed."""
        row = self._connection.execute(
            "SELECT details FROM files WHERE path = ? AND status = ?", (path, INDEXED)
        ).fetchone()
        return decode_details(row[0]) if row else None

    def counts(self, model: str) -> Counts:
        """How much there is, with vectors of `model`."""
        of = dict(
            self._connection.execute(
                "SELECT status, count(*) FROM files WHERE namespace = '' GROUP BY status"
            )
        )
        chunks = self._number("SELECT count(*) FROM chunks", {})
        read = dict(
            self._connection.execute(
                f"SELECT vectors.complete, count(*) {_WITH_VECTOR} GROUP BY vectors.complete",
                {"model": model},
            )
        )
        return Counts(
            files=of.get(INDEXED, 0),
            skipped=of.get(SKIPPED, 0),
            failed=of.get(FAILED, 0),
            entries=self.entries.count(),
            chunks=chunks,
            vectors=read.get(WHOLE, 0),
            limited=read.get(LIMITED, 0),
        )

    def chunks(self, path: str | None = None, parent: str | None = None) -> Iterator[Chunk]:
        """Chunks in the order of paths and positions."""
        conditions = {"files.path": path, "chunks.parent": parent}
        given = {name: value for name, value in conditions.items() if value is not None}
        where = " AND ".join(f"{name} = ?" for name in given) or "1"
        found = self._connection.execute(
            f"SELECT chunks.id, body FROM chunks JOIN files ON files.id = chunks.file"  # noqa: S608  # names from the dict above
            f" WHERE {where} ORDER BY files.path, chunks.position",
            tuple(given.values()),
        )
        return (self._verified(id_, body) for id_, body in found)

    def chunks_at(self, rows: Iterable[int]) -> dict[int, Chunk]:
        """Row -> chunk, for the rows that exist."""
        return {row: chunk for row, (chunk, _) in self.chunks_in_files(rows).items()}

    def chunks_in_files(self, rows: Iterable[int]) -> dict[int, tuple[Chunk, int]]:
        """Row -> chunk, and number of the file it is of."""
        wanted = set(rows)
        birth = self._birth()
        kept = self._kept.get(birth, wanted)
        # The checksum of a body is looked at, and nothing besides: hashes of hundreds of chunks for
        # ten answers would be a tenth of a search.
        read = {
            row: (decode_chunk(body), file)
            for numbers in _in_batches(sorted(wanted - kept.keys()))
            for row, body, file in self._connection.execute(
                f"SELECT row, body, file FROM chunks WHERE row IN ({numbers})"  # noqa: S608  # whole numbers
            )
        }
        self._kept.keep(birth, read)
        return {row: found for row in sorted(wanted) if (found := kept.get(row) or read.get(row))}

    def _birth(self) -> str:
        """What tells this index from any before or after it."""
        found = self._connection.execute("SELECT value FROM meta WHERE key = 'birth'").fetchone()
        return str(found[0]) if found else ""

    def rows_of(self, path: str) -> list[int]:
        """Rows of the chunks of one file, in order."""
        found = self._connection.execute(
            "SELECT row FROM chunks JOIN files ON files.id = chunks.file"
            " WHERE files.path = ? ORDER BY position",
            (path,),
        )
        return [row for (row,) in found]

    def match(
        self, terms: Sequence[str], weights: Sequence[float], limit: int, allowed: Filter
    ) -> list[WordMatch]:
        """The best chunks that hold any of the terms; equal scores in the order of ids."""
        if not terms:
            return []
        score = f"-bm25(words, {', '.join(map(str, weights))})"  # lower is better, there
        asked = expression(list(terms))
        if allowed.is_open():
            found = self._unfiltered(score, asked, limit + SPARE_MATCHES)
            if len(found) <= limit or found[limit - 1].score != found[-1].score:
                return self._by_id(found)[:limit]
        where, values = condition(allowed)
        matches = self._connection.execute(
            f"SELECT words.rowid, {score} AS score"  # noqa: S608  # weights are numbers
            " FROM words JOIN chunks ON chunks.row = words.rowid"
            f" WHERE words MATCH ? AND {where} ORDER BY score DESC, chunks.id LIMIT ?",
            (asked, *values, limit),
        )
        return [WordMatch(row, score) for row, score in matches]

    def _unfiltered(self, score: str, asked: str, limit: int) -> list[WordMatch]:
        """The same where any chunk may answer; of equal scores at the end, any of them.

        A query matches a third of the chunks, and looking each of them up costs more than its
        score.
        """
        matches = self._connection.execute(
            f"SELECT rowid, {score} AS score FROM words"  # noqa: S608  # see above
            " WHERE words MATCH ? ORDER BY score DESC LIMIT ?",
            (asked, limit),
        )
        return [WordMatch(row, score) for row, score in matches]

    def _by_id(self, matches: Sequence[WordMatch]) -> list[WordMatch]:
        """Equal scores in the order of ids, which are looked up only for those."""
        often = Counter(match.score for match in matches)
        ids = self._ids([match.row for match in matches if often[match.score] > 1])
        return sorted(matches, key=lambda match: (-match.score, ids.get(match.row, "")))

    def _ids(self, rows: Iterable[int]) -> dict[int, str]:
        return {
            row: id_
            for numbers in _in_batches(sorted(rows))
            for row, id_ in self._connection.execute(
                f"SELECT row, id FROM chunks WHERE row IN ({numbers})"  # noqa: S608  # whole numbers
            )
        }

    def allowed_rows(self, allowed: Filter) -> npt.NDArray[np.int64]:
        """Rows the filter lets through, sorted."""
        where, values = condition(allowed)
        found = self._connection.execute(
            f"SELECT row FROM chunks WHERE {where} ORDER BY row",  # noqa: S608  # see `condition`
            values,
        )
        return np.fromiter((row for (row,) in found), dtype=np.int64)

    def languages(self) -> list[str]:
        """Every language of a chunk, sorted."""
        return self._texts("SELECT DISTINCT language FROM chunks ORDER BY language")

    def kinds(self) -> list[str]:
        """Every kind of a chunk, sorted."""
        return self._texts("SELECT DISTINCT kind FROM chunks ORDER BY kind")

    def _texts(self, sql: str) -> list[str]:
        return [text for (text,) in self._connection.execute(sql) if text]

    def missing(self, model: str) -> Iterator[tuple[str, Chunk]]:
        """Text hash and one chunk of each text that `model` has not embedded as far as it reads;
        by hash."""
        # bare column with min(): SQLite takes `body` from the row of the smallest id.
        found = self._connection.execute(
            f"SELECT chunks.text_hash, min(chunks.id), body {_WITHOUT_VECTOR}"
            " GROUP BY chunks.text_hash ORDER BY chunks.text_hash",
            {"model": model},
        )
        return ((hash_, self._verified(id_, body)) for hash_, id_, body in found)

    def missing_texts(self, model: str) -> list[str]:
        """Hashes of the texts that `missing` gives, in the order of their use: tests last; the
        first chunk of every document before the second of any."""
        found = self._connection.execute(
            f"SELECT chunks.text_hash {_WITHOUT_VECTOR} GROUP BY chunks.text_hash"
            " ORDER BY min(chunks.is_test), min(chunks.position), min(chunks.file)",
            {"model": model},
        )
        return [hash_ for (hash_,) in found]

    def chunks_of_texts(self, hashes: Iterable[str]) -> dict[str, Chunk]:
        """Text hash -> one chunk with that text, in the order given, of those that exist."""
        wanted = list(hashes)
        found = self._connection.execute(
            "SELECT text_hash, min(id), body FROM chunks"
            " WHERE text_hash IN (SELECT value FROM json_each(?)) GROUP BY text_hash",
            (json.dumps(wanted),),
        )
        chunks = {hash_: self._verified(id_, body) for hash_, id_, body in found}
        return {hash_: chunks[hash_] for hash_ in wanted if hash_ in chunks}

    def unembedded(self, rows: Iterable[int], model: str) -> dict[int, tuple[str, Chunk]]:
        """Row -> text hash and chunk, of those of these that `model` has no vector of at all."""
        found = self._connection.execute(
            "SELECT chunks.row, chunks.text_hash, chunks.id, body FROM chunks LEFT JOIN vectors"
            " ON vectors.hash = chunks.text_hash AND vectors.model = :model"
            " WHERE vectors.hash IS NULL"
            " AND chunks.row IN (SELECT value FROM json_each(:rows)) ORDER BY chunks.row",
            {"model": model, "rows": json.dumps(list(rows))},
        )
        return {row: (hash_, self._verified(id_, body)) for row, hash_, id_, body in found}

    def entry(self, namespace: str, key: str) -> EntryRow | None:
        """What was put under a key. Raises CorruptIndexError where it is not as it was written."""
        row = self.entries.get(namespace, key)
        if row is not None and not row.is_sound():
            raise CorruptIndexError(
                self._path,
                f"the entry {row.id} has changed since it was written",
                "put it again, or delete it",
            )
        return row

    def missing_of(self, paths: Iterable[str], model: str) -> Iterator[tuple[str, Chunk]]:
        """Text hash and chunk, of each chunk of these documents whose text `model` has not
        embedded as far as it reads."""
        found = self._connection.execute(
            f"SELECT chunks.text_hash, chunks.id, body {_WITHOUT_VECTOR}"  # noqa: S608  # a constant
            " AND chunks.file IN (SELECT id FROM files"
            " WHERE path IN (SELECT value FROM json_each(:paths)))"
            " ORDER BY chunks.row",
            {"model": model, "paths": json.dumps(list(paths))},
        )
        return ((hash_, self._verified(id_, body)) for hash_, id_, body in found)

    def embedded(self, hashes: Iterable[str], model: str) -> set[str]:
        """Which of the texts `model` has embedded as far as it reads."""
        found = self._connection.execute(
            "SELECT hash FROM vectors WHERE model = ? AND complete"
            " AND hash IN (SELECT value FROM json_each(?))",
            (model, json.dumps(list(hashes))),
        )
        return {hash_ for (hash_,) in found}

    def vector_rows(self, model: str) -> Iterator[tuple[int, bytes]]:
        """Chunk row and vector, in the order of the chunks' ids; then number, negative, and vector
        of files, in the order of paths."""
        values = {"model": model}
        chunks = self._connection.execute(
            f"SELECT chunks.row, vectors.hash, vectors.vector {_WITH_VECTOR} ORDER BY chunks.id",
            values,
        )
        files = self._connection.execute(
            f"SELECT -cards.file, vectors.hash, vectors.vector {_CARDS_WITH_VECTOR}"
            " JOIN files ON files.id = cards.file ORDER BY files.path",
            values,
        )
        found = chain(chunks, files)
        return ((row, checked(vector, hash_ + model)) for row, hash_, vector in found)

    def vector_count(self, model: str) -> int:
        """How many rows `vector_rows` gives."""
        return self._number(
            f"SELECT (SELECT count(*) {_WITH_VECTOR}) + (SELECT count(*) {_CARDS_WITH_VECTOR})",
            {"model": model},
        )

    def cards_without_vector(self, model: str) -> dict[str, str]:
        """Hash -> text, of what is to be embedded for files as a whole."""
        found = self._connection.execute(
            "SELECT hash, text FROM cards WHERE hash NOT IN"
            " (SELECT hash FROM vectors WHERE model = ?) ORDER BY hash",
            (model,),
        )
        return dict(found)

    def sidecar(self) -> tuple[int, bytes, int] | None:
        """(generation, rows, checksum) of the memory-mapped copy; None where none was made."""
        row = self._connection.execute("SELECT generation, rows, checksum FROM sidecar").fetchone()
        return tuple(row) if row else None

    def damage(self) -> str:
        """What a full check of the file finds; "" where it finds nothing. Reads every page."""
        answer: str = self._connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        return "" if answer == "ok" else answer

    def _number(self, query: str, values: dict[str, str]) -> int:
        count: int = self._connection.execute(query, values).fetchone()[0]
        return count

    def _verified(self, id_: str, body: bytes) -> Chunk:
        """The chunk, if it is the one that was written: its id is a hash of its text."""
        chunk = decode_chunk(body)
        if chunk.id != id_:
            raise CorruptIndexError(
                self._path, f"chunk {id_} has changed since it was written", REBUILD
            )
        return chunk


def _in_batches(rows: Sequence[int]) -> Iterator[str]:
    """Lists for SQL: as a list of its own, a few hundred rows are found in half the time that
    it takes to read them out of one parameter."""
    for start in range(0, len(rows), ROWS_AT_ONCE):
        yield ", ".join(map(str, rows[start : start + ROWS_AT_ONCE]))
