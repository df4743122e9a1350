"""What stands in a row of each table, as frozen values. No SQL here."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from chunkwright.store.schema import INDEXED
from chunkwright.types import Chunk, Diagnostic, OutlineItem

MOST_MASKS = 32
"""Filters that are remembered for one state of the vectors: a byte for each vector and filter."""


class FileRecord(NamedTuple):
    """A file the index has looked at, and what became of it; a tuple, for there are many."""

    path: str
    """From the root on; `//namespace/key` of a document that was put."""
    size: int
    """Bytes."""
    mtime_ns: int
    """Nanoseconds; -1 where the next refresh must look at the content again."""
    namespace: str = ""
    """Of a document that was put; "" of a file."""
    content_hash: str = ""
    language: str = "unknown"
    status: str = INDEXED
    """`indexed`, `skipped` or `failed`."""
    reason: str = ""
    rule: str = ""
    fingerprint: str = ""
    """Of the options of the chunker that cut it (indexed) or of the rules (skipped) it was looked
    at with."""


class FileDetails(msgspec.Struct, frozen=True, kw_only=True):
    """What was said of a whole document."""

    parser: str = ""
    outline: tuple[OutlineItem, ...] = ()
    frontmatter: dict[str, Any] | None = None
    diagnostics: tuple[Diagnostic, ...] = ()


class ChunkEntry(NamedTuple):
    """A chunk and the hash of the text that stands for it in the embedding cache."""

    chunk: Chunk
    text_hash: str


class Card(NamedTuple):
    """What is embedded for a file as a whole, and its name in the embedding cache."""

    hash: str
    text: str


class FileEntry(NamedTuple):
    """Everything that is written of one file, all at once."""

    record: FileRecord
    details: FileDetails = FileDetails()
    chunks: Sequence[ChunkEntry] = ()
    card: Card | None = None


class Filter(NamedTuple):
    """Which chunks may answer; None: any."""

    files: Sequence[int] | None = None
    """Numbers of files."""
    language: str | None = None
    kind: str | None = None
    namespace: str | None = None
    is_test: bool | None = None
    facts: Sequence[tuple[str, Sequence[str]]] = ()
    """Keys and the values of which a document must have one; all keys must fit."""

    def is_open(self) -> bool:
        """Whether it lets everything through."""
        return self == Filter()


class WordMatch(NamedTuple):
    """A chunk found by words."""

    row: int
    score: float
    """BM25, higher is better."""


class Vectors(msgspec.Struct, frozen=True, dict=True):
    """Every vector of the index: of chunks in the order of their ids, then of files."""

    rows: npt.NDArray[np.int64]
    """The chunk of each vector, or the number of a file, negative; shape (n,)."""
    matrix: npt.NDArray[np.float32]
    """Shape (n, dim)."""

    def places(self, rows: Sequence[int]) -> npt.NDArray[np.intp]:
        """Where the vectors of these chunks are; those without one are left out."""
        order, ordered = self._by_row
        wanted = np.array(rows, dtype=np.int64)
        at = np.searchsorted(ordered, wanted)
        is_there = at < len(ordered)
        is_there[is_there] = ordered[at[is_there]] == wanted[is_there]
        return order[at[is_there]]

    @cached_property
    def of_chunks(self) -> int:
        """How many vectors are of chunks; the others are of files."""
        return int((self.rows > 0).sum())

    def mask(
        self, allowed: Filter, rows_of: Callable[[Filter], npt.NDArray[np.int64]]
    ) -> npt.NDArray[np.bool_]:
        """Which of the vectors are of chunks that a filter lets through; `rows_of` is asked once
        for each filter. One by files is not kept: these are as many as there are paths."""
        if allowed.files is not None:
            return np.isin(self.rows, rows_of(allowed))
        known = self._masks.get(allowed)
        if known is None:
            known = np.isin(self.rows, rows_of(allowed))
            if len(self._masks) < MOST_MASKS:
                self._masks[allowed] = known
        return known

    @cached_property
    def _by_row(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.int64]]:
        order = np.argsort(self.rows)
        return order, self.rows[order]

    @cached_property
    def _masks(self) -> dict[Filter, npt.NDArray[np.bool_]]:
        return {}


class Counts(NamedTuple):
    """How much there is."""

    files: int
    """Indexed ones."""
    skipped: int
    failed: int
    entries: int
    """Documents that were put."""
    chunks: int
    vectors: int
    """Chunks with the vector of their whole text."""
    limited: int
    """Those with the vector of as much of it as the embedder reads."""

    @property
    def missing(self) -> int:
        """Those that are to be embedded yet, or once more."""
        return self.chunks - self.vectors - self.limited


def encode(value: object) -> bytes:
    """As stored; what msgpack has no form for becomes its text."""
    return msgspec.msgpack.encode(value, enc_hook=str)


def decode_chunk(body: bytes) -> Chunk:
    """A stored chunk."""
    return _CHUNK.decode(checked(body))


def decode_details(body: bytes) -> FileDetails:
    """What was stored of a document."""
    return _DETAILS.decode(checked(body))


def with_checksum(content: bytes, key: str = "") -> bytes:
    """Content and the CRC-32 of it, and of the key it belongs to."""
    return content + zlib.crc32(content, zlib.crc32(key.encode())).to_bytes(_CHECKSUM)


def checked(stored: bytes, key: str = "") -> bytes:
    """What `with_checksum` was given. Raises DecodeError where it is not that any more."""
    # In a damaged file a column may hold a value of any type.
    if not isinstance(stored, bytes) or len(stored) < _CHECKSUM:
        raise msgspec.DecodeError("a checksum is missing")
    content = stored[:-_CHECKSUM]
    if zlib.crc32(content, zlib.crc32(key.encode())) != int.from_bytes(stored[-_CHECKSUM:]):
        raise msgspec.DecodeError("a checksum does not fit")
    return content


_CHECKSUM = 4
"""Bytes."""


_CHUNK = msgspec.msgpack.Decoder(Chunk)
_DETAILS = msgspec.msgpack.Decoder(FileDetails)
