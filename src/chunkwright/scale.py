"""Batches of documents in, batches of chunks out, as Arrow tables: what Ray's `map_batches` and
Spark's `mapInArrow` call. No scheduler, no file format and no chunking of its own.

It needs the extra `scale`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import ModuleType
from typing import TYPE_CHECKING, Any

from chunkwright.chunking.base import Chunker
from chunkwright.errors import ChunkwrightError, ConfigError, told
from chunkwright.pipeline import chunk
from chunkwright.rendering import embed_text
from chunkwright.types import Chunk, Chunking, Diagnostic, Document

if TYPE_CHECKING:
    import pyarrow

SCHEMA_VERSION = 1
"""Of CHUNK_SCHEMA; a column that goes, or changes its type or meaning, makes another."""

TEXT, NUMBER, FLAG, TEXTS = "string", "int64", "bool", "list<string>"

SYMBOL = (
    *(("name", TEXT), ("kind", TEXT), ("start", NUMBER), ("end", NUMBER)),
    *(("start_line", NUMBER), ("end_line", NUMBER), ("signature", TEXT), ("doc", TEXT)),
)
DIAGNOSTIC = (("level", TEXT), ("code", TEXT), ("message", TEXT), ("line", NUMBER))
LINK = (("label", TEXT), ("definition", TEXT))

COLUMNS: dict[str, object] = {
    "document": NUMBER,
    "diagnostics": DIAGNOSTIC,
    "embed_text": TEXT,
    "id": TEXT,
    "content_hash": TEXT,
    "text": TEXT,
    "start": NUMBER,
    "end": NUMBER,
    "start_line": NUMBER,
    "end_line": NUMBER,
    "path": TEXT,
    "language": TEXT,
    "commit": TEXT,
    "kind": TEXT,
    "name": TEXT,
    "symbol_kind": TEXT,
    "symbols": SYMBOL,
    "breadcrumb": TEXTS,
    "depth": NUMBER,
    "level": NUMBER,
    "index": NUMBER,
    "part": NUMBER,
    "parts": NUMBER,
    "occurrence": NUMBER,
    "parent": TEXT,
    "size": NUMBER,
    "overlap": NUMBER,
    "is_summary": FLAG,
    "is_attachment": FLAG,
    "attachment_path": TEXT,
    "is_test": FLAG,
    "doc_kind": TEXT,
    "cell": NUMBER,
    "carry": TEXT,
    "carry_after": TEXT,
    "entry": TEXT,
    "links": LINK,
    "prefix": FLAG,
    "boundary": TEXT,
    "imports": TEXTS,
    "siblings": TEXTS,
}
"""Column -> type; a tuple of fields is a list of structs. `document` is the row of the document in
its batch, `diagnostics` are the document's, on its first row only, and everything else is a field
of `Chunk`, in code points where it is a position. A document without chunks (blank, or with an
error) is one row in which all but `document`, `path` and `diagnostics` are null."""


def chunk_batch(batch: pyarrow.RecordBatch, chunker: Chunker | None = None) -> pyarrow.RecordBatch:
    """The chunks of a batch of documents, in order, in the columns of CHUNK_SCHEMA.

    `batch` has the column `text` and may have `path`, `language` and `commit`; other columns are
    not looked at. Without a `chunker` each document gets the one for its language. A row that
    cannot be cut is a row with the diagnostic `failed`; the others are not affected.
    Raises ConfigError without a column `text`, and where pyarrow is not installed.
    """
    arrow = _arrow()
    if "text" not in batch.schema.names:
        raise ConfigError("batch", batch.schema.names, "it has a column `text`")
    rows = [
        row
        for number, fields in enumerate(_documents(batch))
        for row in _rows(number, fields, chunker)
    ]
    return arrow.RecordBatch.from_pylist(rows, schema=chunk_schema())


def chunk_schema() -> pyarrow.Schema:
    """CHUNK_SCHEMA: one field a column, and the version in the metadata."""
    arrow = _arrow()
    fields = [arrow.field(name, _type(arrow, kind)) for name, kind in COLUMNS.items()]
    return arrow.schema(fields, {"chunkwright.schema_version": str(SCHEMA_VERSION)})


def __getattr__(name: str) -> Any:
    """CHUNK_SCHEMA is made when it is first asked for, since pyarrow may not be there."""
    if name != "CHUNK_SCHEMA":
        raise AttributeError(f"module 'chunkwright.scale' has no attribute {name!r}")
    return chunk_schema()


@lru_cache(maxsize=1)
def _arrow() -> ModuleType:
    try:
        import pyarrow
    except ImportError as error:
        remedy = "batches need an extra: pip install 'chunkwright[scale]'"
        raise ConfigError("scale", str(error), remedy) from None
    module: ModuleType = pyarrow
    return module


def _type(arrow: ModuleType, kind: object) -> Any:
    if isinstance(kind, tuple):
        return arrow.list_(arrow.struct([(name, _type(arrow, inner)) for name, inner in kind]))
    plain = {TEXT: arrow.string(), NUMBER: arrow.int64(), FLAG: arrow.bool_()}
    return arrow.list_(arrow.string()) if kind == TEXTS else plain[str(kind)]


def _documents(batch: pyarrow.RecordBatch) -> Iterator[Mapping[str, Any]]:
    names = [name for name in ("text", "path", "language", "commit") if name in batch.schema.names]
    columns = [batch.column(name).to_pylist() for name in names]
    for values in zip(*columns, strict=True):
        yield dict(zip(names, values, strict=True))


def _rows(
    number: int, fields: Mapping[str, Any], chunker: Chunker | None
) -> Iterator[dict[str, Any]]:
    """A document's rows: one a chunk, or one that says why there is none."""
    path = str(fields.get("path") or "")
    try:
        chunking = _cut(fields, path, chunker)
    except Exception as error:  # whatever one row does, the others are cut
        chunking = _failed(path, error)
    first = [_plain(diagnostic) for diagnostic in chunking.diagnostics]
    if not chunking:
        yield {"document": number, "path": path, "diagnostics": first}
    for made in chunking:
        yield {"document": number, "diagnostics": [] if made.index else first, **_row(made)}


def _cut(fields: Mapping[str, Any], path: str, chunker: Chunker | None) -> Chunking:
    text = fields["text"]
    if not isinstance(text, str):
        raise ConfigError("text", text, "a string")
    language = fields.get("language") or None
    document = Document(text, path, language, str(fields.get("commit") or ""))
    return chunk(document) if chunker is None else chunker.chunk(document)


def _failed(path: str, error: Exception) -> Chunking:
    kind = "" if isinstance(error, ChunkwrightError) else f"{type(error).__module__}."
    message = f"{kind}{told(error)}"
    return Chunking(path=path, diagnostics=(Diagnostic("error", "failed", message),))


def _row(made: Chunk) -> dict[str, Any]:
    links = [{"label": label, "definition": definition} for label, definition in made.links]
    return {**made.as_dict(), "links": links, "embed_text": embed_text(made)}


def _plain(diagnostic: Diagnostic) -> dict[str, Any]:
    return {name: getattr(diagnostic, name) for name, _ in DIAGNOSTIC}
