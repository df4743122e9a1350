"""Completing documents that were put: their chunks, words and vectors, for those that lack some.
What is stored of a document itself is not touched here.

Nothing here needs the writer's lock: what is written of a document is written in one transaction,
and only if the document, the options and the embedder still are those it was made for.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from chunkwright.errors import told
from chunkwright.index.chunk_rows import chunk_entry
from chunkwright.index.embedding_chunks import embed_chunks
from chunkwright.index.entry_chunks import Cutter, fingerprint
from chunkwright.index.refreshing import UNCOUNTED
from chunkwright.index.setup import Setup
from chunkwright.languages import UNKNOWN
from chunkwright.store import Store
from chunkwright.store.entries import EntryRow
from chunkwright.store.rows import FileDetails, FileEntry, FileRecord
from chunkwright.store.schema import FAILED, INDEXED
from chunkwright.store.writing import Writer
from chunkwright.types import Chunk, HealReport, RefreshReport

GROUP_ENTRIES = 512
GROUP_SIZE = 1_000_000
"""Documents, and bytes of them, that are completed together: what a killed run loses."""

NOT_FIT = "the index has other chunk options, or is not made yet; refresh it"

DAMAGED = "it has changed since it was written; put it again, or delete it"

Reasons = dict[str, str]
"""Id of a document -> why it is not complete."""


class Outcome(msgspec.Struct):
    """What came of completing documents."""

    reasons: Reasons = {}
    embedded: int = 0
    down: str = ""
    """Why the embedder cannot be used at all; "" where it can."""


class _Found(NamedTuple):
    """A document that is to be completed."""

    row: EntryRow
    is_cut: bool
    """Whether it has its chunks and lacks vectors only."""


def mend(store: Store, setup: Setup, report: RefreshReport) -> RefreshReport:
    """Chunk anew what needs it after a refresh, whose report is given and returned. Missing vectors
    were seen to by the refresh itself."""
    with store.reading() as snapshot:
        is_late = setup.is_late(snapshot.meta())
    found = heal(store, setup, None, vectors=False, embed=not is_late)
    if setup.embedder is not None and (found.healed or found.removed or found.embedded):
        store.publish(setup.model, setup.dim)
    return msgspec.structs.replace(
        report,
        embedded=report.embedded + found.embedded,
        failed=tuple(
            sorted({*report.failed, *((name, reason, "") for name, reason in found.failed)})
        ),
    )


def heal(
    store: Store, setup: Setup, limit: int | None, *, vectors: bool = True, embed: bool = True
) -> HealReport:
    """Remove what is left of documents that are gone, and complete others, without their vectors
    if not `embed`; `limit` in all. Those that lack nothing but vectors count with `vectors` only.
    """
    mark, model = fingerprint(setup), _model(setup) if vectors else None
    removed = _without_orphans(store, limit)
    left = None if limit is None else limit - len(removed)
    with store.reading() as snapshot:
        work = snapshot.entries.unfinished(mark, model, left)
    mender, reasons, embedded = Mender(store, setup), Reasons(), 0
    tried: list[str] = []
    for group in _by_size(_found(store, work, reasons)):
        done = mender.complete(group, embed=embed)
        tried += [found.row.id for found in group]
        reasons |= done.reasons
        embedded += done.embedded
        if done.down:
            break
    remaining = 0
    if work or left == 0:
        with store.reading() as snapshot:
            remaining = snapshot.entries.unfinished_count(mark, model)
    return HealReport(
        healed=tuple(sorted(set(tried) - reasons.keys())),
        removed=tuple(removed),
        failed=tuple(sorted(reasons.items())),
        embedded=embedded,
        remaining=remaining,
    )


def restore(store: Store, rows: Sequence[EntryRow]) -> None:
    """Put documents back into an index that was made anew, with the versions they had."""
    if rows:
        with store.writing() as writer:
            for row in rows:
                writer.entries.put(row)


def _model(setup: Setup) -> str | None:
    return None if setup.embedder is None else setup.model


def _without_orphans(store: Store, limit: int | None) -> list[str]:
    with store.reading() as snapshot:
        if not snapshot.entries.orphans(1):
            return []
    with store.writing() as writer:
        found = writer.entries.orphans(limit)
        writer.remove_files(found)
    return found


def _found(
    store: Store, work: Sequence[tuple[str, str, bool]], reasons: Reasons
) -> Iterator[_Found]:
    """The documents to complete, one after another; why not, of those that are damaged."""
    for namespace, key, is_cut in work:
        with store.reading() as snapshot:
            row = snapshot.entries.get(namespace, key)
        if row is not None and row.is_sound():
            yield _Found(row, is_cut)
        elif row is not None:
            reasons[row.id] = DAMAGED


def _by_size(found: Iterable[_Found]) -> Iterator[list[_Found]]:
    """As many at a time as memory should hold."""
    group: list[_Found] = []
    size = 0
    for one in found:
        group.append(one)
        size += len(one.row.body)
        if len(group) >= GROUP_ENTRIES or size >= GROUP_SIZE:
            yield group
            group, size = [], 0
    if group:
        yield group


class Mender:
    """Completes documents of one index."""

    def __init__(self, store: Store, setup: Setup) -> None:
        self._store = store
        self._setup = setup
        self._fingerprint = fingerprint(setup)
        self._cutter = Cutter(setup)

    def put(self, rows: Sequence[EntryRow], *, embed: bool) -> Outcome:
        """Complete documents that have no chunks yet, without their vectors if not `embed`."""
        outcome = Outcome()
        for group in _by_size(_Found(row, is_cut=False) for row in rows):
            done = self.complete(group, embed=embed and not outcome.down)
            if outcome.down:
                outcome.reasons |= {found.row.id: outcome.down for found in group}
            outcome.reasons |= done.reasons
            outcome.down = outcome.down or done.down
        return outcome

    def complete(self, group: Sequence[_Found], *, embed: bool = True) -> Outcome:
        """Make and write what these documents lack."""
        outcome = Outcome()
        uncut = [found.row for found in group if not found.is_cut]
        if uncut and not self._write_chunks(uncut, outcome):
            return outcome
        if embed and self._setup.embedder is not None:
            self._embed([found.row.id for found in group], outcome)
        return outcome

    def _write_chunks(self, rows: Sequence[EntryRow], outcome: Outcome) -> bool:
        """Cut documents; False where the index has become another meanwhile."""
        made = {row: self._made(row) for row in rows}
        with self._store.writing() as writer:
            if not self._is_fit(writer.meta()):
                outcome.reasons |= {row.id: NOT_FIT for row in rows}
                return False
            writer.put_files(entry for row, entry in made.items() if _is_current(writer, row))
            writer.set_meta({"missing": UNCOUNTED})
        outcome.reasons |= {
            entry.record.path: entry.record.reason for entry in made.values() if entry.record.reason
        }
        return True

    def _is_fit(self, stored: Mapping[str, str]) -> bool:
        """Whether the index still has this embedder and these options."""
        made_with = stored.get("embedder"), stored.get("chunker")
        if made_with != (self._setup.model, self._setup.fingerprint()):
            return False
        return stored.get("dim") == str(self._setup.dim)

    def _made(self, row: EntryRow) -> FileEntry:
        try:
            language, details, chunks = self._cutter.cut(row)
            entries = [chunk_entry(chunk) for chunk in chunks]
        except Exception as error:  # one bad document, whatever is bad about it, is only its own
            reason = told(error)
            return FileEntry(self._record(row, UNKNOWN, reason), FileDetails())
        return FileEntry(self._record(row, language), details, entries)

    def _record(self, row: EntryRow, language: str, reason: str = "") -> FileRecord:
        """Of a document that was cut, or could not be for a reason."""
        return FileRecord(
            path=row.id,
            namespace=row.namespace,
            size=len(row.body),
            mtime_ns=time.time_ns(),
            content_hash=row.state,
            language=language,
            status=FAILED if reason else INDEXED,
            reason=reason,
            fingerprint=self._fingerprint,
        )

    def _embed(self, ids: Sequence[str], outcome: Outcome) -> None:
        """Embed what is missing of these documents, and note what cannot be."""
        with self._store.reading() as snapshot:
            missing = list(snapshot.missing_of(ids, self._setup.model))
        made = embed_chunks(self._store, self._setup, dict(missing))
        outcome.embedded += made.embedded
        troubles = made.troubles
        if made.stopped is not None:
            outcome.down = str(made.stopped)
            undone = {hash_ for hash_, _ in missing} - made.vectors.keys()
            troubles = {**dict.fromkeys(undone, outcome.down), **troubles}
        self._failed(missing, troubles, outcome)

    def _failed(
        self,
        missing: Sequence[tuple[str, Chunk]],
        troubles: Mapping[str, str],
        outcome: Outcome,
    ) -> None:
        """Name the documents whose texts gave trouble; next time they come after the others."""
        found = {chunk.path: troubles[hash_] for hash_, chunk in missing if hash_ in troubles}
        outcome.reasons |= found
        if found:
            with self._store.writing() as writer:
                writer.entries.looked_at(found, time.time_ns())


def _is_current(writer: Writer, row: EntryRow) -> bool:
    """Whether the document still is there as it was read."""
    now = writer.entries.get(row.namespace, row.key)
    return now is not None and now.state == row.state
