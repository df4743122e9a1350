"""Everything that can be wrong with an index, looked for at leisure: the file by its seal and by
SQLite's own checks, every row by its checksum and against the rows it belongs to. Nothing is
repaired, and the files that were indexed are not looked at.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import msgspec

from chunkwright.store.facts import facts_of
from chunkwright.store.rows import checked, decode_chunk, decode_details
from chunkwright.store.schema import INDEXED, WORD_COLUMNS
from chunkwright.store.terms import words_of

MOST = 20
"""Complaints of one check that are told: the first ones say what is wrong."""

DECODING = (msgspec.DecodeError, UnicodeDecodeError, TypeError, ValueError)
"""What reading a damaged row raises."""


def sqlite_problems(connection: sqlite3.Connection) -> Iterator[str]:
    """What SQLite finds wrong with its file, its indexes and its references."""
    for (answer,) in connection.execute(f"PRAGMA integrity_check({MOST})"):
        if answer != "ok":
            yield str(answer)
    for table, *_ in connection.execute("PRAGMA foreign_key_check").fetchmany(MOST):
        yield f"a row of {table} belongs to nothing"


def word_problems(connection: sqlite3.Connection) -> Iterator[str]:
    """What is wrong with the index of words; the connection must be able to write."""
    try:
        # In the form of a write, which changes nothing.
        connection.execute("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")
    except sqlite3.DatabaseError as error:
        yield f"the index of words is damaged ({error})"


def row_problems(connection: sqlite3.Connection) -> Iterator[str]:
    """Rows that are not what was written, or do not fit each other."""
    for problems in (_chunk_problems, _file_problems, _vector_problems):
        try:
            yield from problems(connection)
        except DECODING as error:  # a damaged column may hold a value of any type
            yield f"a row cannot be read ({error})"


def _vector_problems(connection: sqlite3.Connection) -> Iterator[str]:
    found = connection.execute("SELECT hash, model, vector FROM vectors")
    for hash_, model, vector in found:
        try:
            checked(vector, hash_ + model)
        except DECODING as error:
            yield f"the vector of text {hash_} cannot be used ({error})"


def _chunk_problems(connection: sqlite3.Connection) -> Iterator[str]:
    columns = ", ".join(f"words.{name}" for name in WORD_COLUMNS)
    found = connection.execute(
        "SELECT chunks.id, files.path, chunks.position, chunks.language, chunks.kind,"  # noqa: S608  # constants
        f" chunks.is_test, chunks.parent, body, {columns} FROM chunks"
        " LEFT JOIN files ON files.id = chunks.file LEFT JOIN words ON words.rowid = chunks.row"
        " ORDER BY chunks.file, chunks.position"
    )
    path, expected = None, 0
    for id_, file, position, language, kind, is_test, parent, body, *words in found:
        expected = expected + 1 if file == path else 0
        path = file
        try:
            chunk = decode_chunk(body)
            facts = (chunk.id, chunk.language, chunk.kind, int(chunk.is_test), chunk.parent)
            if facts != (id_, language, kind, is_test, parent) or position != expected:
                yield f"chunk {id_} of {file} does not fit its row"
            elif tuple(words) != tuple(words_of(chunk)):
                yield f"the words of chunk {id_} of {file} are not those of its text"
        except DECODING as error:
            yield f"chunk {id_} of {file} cannot be read ({error})"
    rows = "SELECT (SELECT count(*) FROM words), (SELECT count(*) FROM chunks)"
    if len(set(connection.execute(rows).fetchone())) > 1:
        yield "not as many rows of words as of chunks"


def _file_problems(connection: sqlite3.Connection) -> Iterator[str]:
    found = connection.execute("SELECT id, path, namespace, status, details FROM files")
    for number, path, namespace, status, blob in found.fetchall():
        try:
            details = decode_details(blob)
        except DECODING as error:
            yield f"what is known of {path} cannot be read ({error})"
            continue
        facts = connection.execute("SELECT key, value FROM facts WHERE file = ?", (number,))
        if not namespace and sorted(facts.fetchall()) != facts_of(details.frontmatter):
            yield f"the front matter of {path} does not fit its filters"
        chunks = connection.execute(
            "SELECT EXISTS (SELECT * FROM chunks WHERE file = ?)", (number,)
        )
        if status != INDEXED and chunks.fetchone()[0]:
            yield f"{path} is {status}, and has chunks"
