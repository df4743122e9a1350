"""The tables of `index.db`, and the number of their format. Reading and writing rows is not done
here.
"""

from __future__ import annotations

FORMAT = 3
"""Kept as the database's user_version; raised with every change of the tables or of what stands
in them, so that an old file is never read as a new one."""

APPLICATION_ID = 0x63776978
"""`cwix`: marks a SQLite file as an index of chunkwright's."""

INDEXED = "indexed"
SKIPPED = "skipped"
FAILED = "failed"
"""What became of a file (`files.status`)."""

BEGINNING, WHOLE, LIMITED = 0, 1, 2
"""How much of a text was read for its vector (`vectors.complete`): its beginning, because more
failed; all of it; as much as the embedder reads. Only the first is tried again."""

SEALED = "sealed"
"""Key of `meta`."""

TREE = "tree"
"""Key of `meta`: what the whole tree looked like when it was last compared file by file; absent as
soon as any file is written."""

WORD_COLUMNS = ("text", "parts", "path", "names")
"""Columns of `words`: the text as it is; parts of identifiers and pairs of CJK characters; words
of the path; names of symbols and headings."""

CREATE = f"""
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- What was cut: files of the tree (namespace '') and documents that were put (see `entries`).
CREATE TABLE files (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    path TEXT NOT NULL UNIQUE,
    namespace TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    content_hash TEXT NOT NULL,
    language TEXT NOT NULL,
    status TEXT NOT NULL,
    reason TEXT NOT NULL,
    rule TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    details BLOB NOT NULL
);

CREATE INDEX files_without_chunks ON files (path) WHERE status <> '{INDEXED}';

-- Front matter and metadata, for filters.
CREATE TABLE facts (
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    file INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    PRIMARY KEY (key, value, file)
) WITHOUT ROWID;
CREATE INDEX facts_by_file ON facts (file);

-- What is embedded for a file as a whole.
CREATE TABLE cards (
    file INTEGER PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE,
    hash TEXT NOT NULL,
    text TEXT NOT NULL
);
CREATE INDEX cards_by_hash ON cards (hash);

-- AUTOINCREMENT: a number is never given twice, so that vectors of an older generation can lack
-- a row but never point at another one.
CREATE TABLE chunks (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    file INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    language TEXT NOT NULL,
    kind TEXT NOT NULL,
    is_test INTEGER NOT NULL,
    parent TEXT NOT NULL,
    text_hash TEXT NOT NULL,
    body BLOB NOT NULL
);
CREATE INDEX chunks_by_file ON chunks (file);
CREATE INDEX chunks_by_text ON chunks (text_hash);
CREATE INDEX chunks_by_parent ON chunks (parent) WHERE parent <> '';

-- Marks belong to words: without them Hindi or Thai words fall apart at every vowel sign.
CREATE VIRTUAL TABLE words USING fts5 (
    {", ".join(WORD_COLUMNS)},
    tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'"
);
CREATE TRIGGER words_follow_chunks AFTER DELETE ON chunks BEGIN
    DELETE FROM words WHERE rowid = old.row;
END;

-- Documents that were put, whole: they stand nowhere else, so nothing but a call removes them.
CREATE TABLE IF NOT EXISTS entries (
    namespace TEXT NOT NULL,
    key TEXT NOT NULL,
    version INTEGER NOT NULL,
    state TEXT NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (namespace, key)
) WITHOUT ROWID;

-- The embedding cache: what was embedded, by which model. Chunks with the same text share a row.
CREATE TABLE vectors (
    hash TEXT NOT NULL,
    model TEXT NOT NULL,
    complete INTEGER NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (hash, model)
);

-- What the memory-mapped copy must look like to be trusted.
CREATE TABLE sidecar (
    generation INTEGER NOT NULL,
    rows BLOB NOT NULL,
    checksum INTEGER NOT NULL
);

-- `birth` tells this index from any that lay in its place before or will after it. `sealed` is the
-- mark of the sums of this file (see `seals`), empty while it is being changed; where its
-- row is gone, others may be.
INSERT INTO meta VALUES
    ('birth', lower(hex(randomblob(8)))), ('generation', '0'), ('{SEALED}', '');

PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {FORMAT};
"""  # noqa: S608  # built of constants

TABLES = ("sidecar", "vectors", "words", "chunks", "cards", "facts", "files", "meta")
"""What can be made anew, in an order in which it can be dropped; `entries` cannot."""
