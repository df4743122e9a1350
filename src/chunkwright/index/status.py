"""What there is of an index, told in one value. How it came to be is not known here."""

from __future__ import annotations

import time

import msgspec

from chunkwright.index.setup import WORDS_ONLY, Setup
from chunkwright.store import Store
from chunkwright.store.reading import Snapshot
from chunkwright.store.schema import FORMAT


class IndexStatus(msgspec.Struct, frozen=True, kw_only=True):
    """What there is of an index; all zero and empty where none was made yet."""

    root: str
    folder: str
    """Where the index lies."""
    exists: bool = False
    files: int = 0
    skipped: int = 0
    """Files that were opened and turned out not to be text."""
    failed: int = 0
    """Files that raised an error; they are tried again with each refresh."""
    entries: int = 0
    """Documents that were put."""
    chunks: int = 0
    """Of files and of entries."""
    vectors: int = 0
    """Chunks whose whole text is embedded."""
    missing_vectors: int = 0
    """Chunks whose text is not embedded, or could not be, or its beginning only: tried again next
    time."""
    cut_vectors: int = 0
    """Chunks whose text is longer than the embedder reads: embedded by its beginning."""
    late: bool = False
    """Whether vectors are made when a question wants them: none that is missing is a failure."""
    embedder: str = ""
    """`none` for words only."""
    dim: int = 0
    fingerprint: str = ""
    """Of the chunk options; `unfinished` while files are being chunked anew."""
    format: int = FORMAT
    size: int = 0
    """Bytes on disk."""
    refreshed: str = ""
    """When a refresh last came to its end: UTC, ISO 8601."""


def status_of(setup: Setup, snapshot: Snapshot, store: Store) -> IndexStatus:
    """The status in one moment."""
    facts = snapshot.meta()
    embedder = facts.get("embedder", WORDS_ONLY)
    counts = snapshot.counts(embedder)
    return IndexStatus(
        root=str(setup.root),
        folder=str(setup.folder),
        exists=True,
        files=counts.files,
        skipped=counts.skipped,
        failed=counts.failed,
        entries=counts.entries,
        chunks=counts.chunks,
        vectors=counts.vectors,
        missing_vectors=0 if embedder == WORDS_ONLY else counts.missing,
        cut_vectors=counts.limited,
        late=setup.is_late(facts),
        embedder=embedder,
        dim=int(facts.get("dim", "0")),
        fingerprint=facts.get("chunker", ""),
        size=store.size(),
        refreshed=_moment(store.refreshed()),
    )


def _moment(seconds: float | None) -> str:
    """UTC, ISO 8601; "" for never."""
    return "" if seconds is None else time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
