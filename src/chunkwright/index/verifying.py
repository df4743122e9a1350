"""Whether an index is whole, and whether it says of the files on disk what stands in them. Nothing
is repaired here.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from chunkwright import pipeline, sources
from chunkwright.errors import StoreError
from chunkwright.index.setup import WORDS_ONLY, Setup
from chunkwright.languages import NOTEBOOK
from chunkwright.sources import Source
from chunkwright.store import Store
from chunkwright.store.reading import Snapshot
from chunkwright.store.rows import FileRecord
from chunkwright.store.schema import INDEXED
from chunkwright.types import Document


class Problem(msgspec.Struct, frozen=True):
    """Something that is not as it was written."""

    place: str
    """A file of the index, or one that was indexed."""
    reason: str


def verify(store: Store, setup: Setup) -> Iterator[Problem]:
    """Every problem of the index. Raises StoreError where there is none, or none that can be read
    by this version."""
    name = store.path.name
    for reason in store.problems():
        yield Problem(name, reason)
    try:
        with store.reading() as snapshot:
            facts = snapshot.meta()
            model, dim = facts.get("embedder", WORDS_ONLY), int(facts.get("dim", "0"))
            problem = "" if model == WORDS_ONLY else store.copy_problem(snapshot, dim)
            if problem:
                yield Problem("vectors-*.npy", problem)
            yield from _slice_problems(snapshot, setup)
    except (StoreError, ValueError):
        return  # the file itself is the problem, and was told


def _slice_problems(snapshot: Snapshot, setup: Setup) -> Iterator[Problem]:
    """Chunks that are not the slices of their files which they say they are."""
    for record in snapshot.files().values():
        source = _unchanged(record, setup) if record.status == INDEXED else None
        if source is None:
            continue
        text = _chunked_text(source.document, record, setup)
        for chunk in snapshot.chunks(record.path):
            if not chunk.is_summary and text[chunk.start : chunk.end] != chunk.text:
                lines = f"{chunk.start_line}-{chunk.end_line}"
                yield Problem(record.path, f"lines {lines} are not what is indexed of them")
                break


def _unchanged(record: FileRecord, setup: Setup) -> Source | None:
    """The file, where it is the one that was indexed."""
    source = sources.read(setup.root, record.path, setup.rules)
    if isinstance(source, Source) and source.content_hash == record.content_hash:
        return source
    return None


def _chunked_text(document: Document, record: FileRecord, setup: Setup) -> str:
    """What offsets refer to: the text, or the sources of a notebook's cells."""
    if pipeline.family_of(Document("", path=record.path, language=record.language)) == NOTEBOOK:
        return setup.chunk(document).text
    return document.text
