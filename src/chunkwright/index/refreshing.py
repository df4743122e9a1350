"""One refresh: files that changed are read, chunked, written and embedded, a few at a time, so that
a run that is killed loses little and the next one completes it. What changed is found in planning.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from itertools import islice

from chunkwright import sources
from chunkwright.embedding import embeds_files
from chunkwright.errors import told
from chunkwright.index.cards import card_of, embed_cards
from chunkwright.index.chunk_rows import check_ids, chunk_entry
from chunkwright.index.embedding_chunks import Made, embed_chunks, take_shared, trouble
from chunkwright.index.planning import (
    NOT_FOUND,
    VANISHED,
    Known,
    Listing,
    Plan,
    fingerprint_of,
    listed,
    plan,
)
from chunkwright.index.setup import READS, UNFINISHED, Setup
from chunkwright.index.tally import Tally
from chunkwright.sources import FAILURES, Keep, Skip, Source
from chunkwright.store import Store
from chunkwright.store.rows import FileDetails, FileEntry, FileRecord
from chunkwright.store.schema import FAILED, INDEXED, SKIPPED, TREE
from chunkwright.types import Chunk, Chunking, RefreshReport

Progress = Callable[[str, int, int, str], None]
"""Called with (stage, done, total, path). Stages: `files` (read of those that may have changed, the
path of the one just done) and `chunks` (embedded of those that are to be, no path; the total
grows)."""

GROUP_TEXTS = 512
"""Texts of an earlier run that are embedded together."""

GROUP_FILES = 64
GROUP_SIZE = 1_000_000
"""Files, and code points of their chunks, that are written and embedded together: what a killed
run loses, and what memory holds."""

RACY_NS = 2_000_000_000
"""A file may change again within the same tick of its clock, two seconds on the coarsest file
systems: one that was that young when it was read is looked at once more next time."""

UNCOUNTED = "?"
"""Stored as the number of texts without a vector while files are being written."""

LOOK_AGAIN = -1
"""In place of a time of change."""


def refresh(
    store: Store,
    setup: Setup,
    paths: Sequence[str] | None,
    progress: Progress | None,
    *,
    verify: bool = False,
) -> RefreshReport:
    """Bring the index up to date; call it with the store locked. `verify`: read every file, also
    where size and time are what they were.

    Raises StaleIndexError, with the index untouched, where it has another embedder; EmbedError
    where the embedder is down, with everything done so far kept.
    """
    return _Refresh(store, setup, progress).run(paths, verify=verify)


class _Refresh:
    """One run over the tree."""

    def __init__(self, store: Store, setup: Setup, progress: Progress | None) -> None:
        self._store = store
        self._setup = setup
        self._embeds_files = embeds_files(setup.embedder)
        self._progress = progress
        self._tally = Tally()
        self._group: list[FileEntry] = []
        self._group_size = 0
        self._touched: list[FileRecord] = []
        self._gone_by_content: dict[str, list[str]] = {}
        self._tried: set[str] = set()
        self._to_embed = 0
        self._stored: dict[str, str] = {}
        self._has_written = False

    def run(self, paths: Sequence[str] | None, *, verify: bool) -> RefreshReport:
        with self._store.reading() as snapshot:
            self._stored = snapshot.meta()
        is_current = self._begin()
        if not is_current:
            paths = None  # other options may touch every file: a part would leave a mixture
        listing = listed(self._setup, paths)
        # A part of the tree has no mark; equal marks spare comparing file by file.
        mark = listing.mark(self._setup) if paths is None else ""
        if verify or paths is not None or self._stored.get(TREE) != mark:
            self._compare(listing, paths, Known(self._known(), is_current, verify))
        self._note(listing)
        self._retry_missing()
        self._end(mark)
        return self._tally.report()

    def _known(self) -> dict[str, FileRecord]:
        with self._store.reading() as snapshot:
            return snapshot.files()

    def _compare(self, listing: Listing, paths: Sequence[str] | None, known: Known) -> None:
        work = plan(self._setup, known, listing, paths)
        self._tally.failed += [(path, *NOT_FOUND) for path in work.unknown]
        self._remove(work.gone)
        self._look_at(work)

    def _begin(self) -> bool:
        """Check what the index was made with; returns whether its options are these."""
        stored, fingerprint = self._stored, self._setup.fingerprint()
        if "embedder" not in stored:
            self._set_meta({**self._setup.facts(), "chunker": fingerprint})
            return True
        self._setup.check(stored)
        if stored.get(READS, "") != self._setup.reads():
            self._retry_limited()
        self._set_meta(self._setup.late_fact())
        if stored.get("chunker") == fingerprint:
            return True
        self._set_meta({"chunker": UNFINISHED})
        return False

    def _retry_limited(self) -> None:
        """The embedder reads more of a text, or less, than when the index was made."""
        facts = {READS: self._setup.reads(), "missing": UNCOUNTED}
        with self._store.writing() as writer:
            writer.retry_limited()
            writer.set_meta(facts)
        self._stored |= facts

    def _set_meta(self, facts: Mapping[str, str]) -> None:
        """Store the facts that are other than they were."""
        new = {key: value for key, value in facts.items() if self._stored.get(key) != value}
        if new:
            with self._store.writing() as writer:
                writer.set_meta(new)
            self._stored |= new

    def _note(self, listing: Listing) -> None:
        """Tell what is not read, and what was read and is no text."""
        for skip in listing.skips:
            self._tally.skip(skip.path, skip.reason, skip.rule)
        with self._store.reading() as snapshot:
            skipped = snapshot.skipped()
        here = {keep.path for keep in listing.keeps} if skipped else ()
        for path, reason, rule in skipped:
            if path in here:
                self._tally.skip(path, reason, rule)

    def _remove(self, gone: Sequence[FileRecord]) -> None:
        if not gone:
            return
        self._stored.pop(TREE, None)
        with self._store.writing() as writer:
            writer.remove_files([record.path for record in gone])
        indexed = [record for record in gone if record.status == INDEXED]
        self._tally.removed += [record.path for record in indexed]
        for record in indexed:
            self._gone_by_content.setdefault(record.content_hash, []).append(record.path)

    def _look_at(self, work: Plan) -> None:
        for done, (keep, record) in enumerate(work.keeps, start=1):
            self._read(keep, record)
            self._say("files", done, len(work.keeps), keep.path)
        self._flush()

    def _read(self, keep: Keep, record: FileRecord | None) -> None:
        """Look at the content of a file that may have changed."""
        source = sources.read(self._setup.root, keep.path, self._setup.rules)
        if isinstance(source, Skip):
            self._skip(keep, record, source)
        elif record is not None and self._is_same_content(record, source):
            found = self._record(keep, source.content_hash)
            if (found.size, found.mtime_ns) != (record.size, record.mtime_ns):
                self._touched.append(found)
        else:
            self._chunk(keep, record, source)

    def _is_same_content(self, record: FileRecord, source: Source) -> bool:
        return self._is_answer(record) and record.content_hash == source.content_hash

    def _is_answer(self, record: FileRecord) -> bool:
        """Whether it has chunks, cut with the options of today."""
        fingerprint = fingerprint_of(self._setup, record.path, record.language)
        return record.status == INDEXED and record.fingerprint == fingerprint

    def _skip(self, keep: Keep, record: FileRecord | None, skip: Skip) -> None:
        self._tally.skip(skip.path, skip.reason, skip.rule)
        if skip.reason in FAILURES and record is not None and self._is_answer(record):
            # Stale, but not lost: tried again each time, and marked in answers where it changed.
            if record.mtime_ns != LOOK_AGAIN:
                self._touched.append(record._replace(mtime_ns=LOOK_AGAIN))
            return
        # What went away may come back as it was, with the time it had.
        is_passing = skip.reason in FAILURES or skip.reason == VANISHED
        status = FAILED if is_passing else SKIPPED
        self._write_off(keep, record, status, skip.reason, skip.rule)

    def _chunk(self, keep: Keep, record: FileRecord | None, source: Source) -> None:
        try:
            chunking = self._setup.chunk(source.document)
            entries = [chunk_entry(chunk) for chunk in chunking]
            check_ids(entries)
        except Exception as error:  # one bad file, whatever is bad about it, must not end the run
            reason = told(error)
            self._tally.failed.append((keep.path, reason, ""))
            self._write_off(keep, record, FAILED, reason, "")
            return
        details = _details(source, chunking)
        found = self._record(keep, source.content_hash, chunking.language)
        self._classify(found, record)
        card = card_of(keep.path, chunking.chunks) if self._embeds_files else None
        self._put(FileEntry(found, details, entries, card))

    def _write_off(
        self, keep: Keep, record: FileRecord | None, status: str, reason: str, rule: str
    ) -> None:
        """Remember a file that gave no chunks; those of its former content are gone."""
        if record is not None and record.status == INDEXED:
            self._tally.removed.append(keep.path)
        found = self._record(keep, "")._replace(
            status=status,
            reason=reason,
            rule=rule,
            # A failed file is tried again each time: its cause may lie outside of it.
            fingerprint=self._setup.rules_mark if status == SKIPPED else "",
        )
        if found != record:
            self._put(FileEntry(found))

    def _record(self, keep: Keep, content_hash: str, language: str = "unknown") -> FileRecord:
        is_young = time.time_ns() - keep.mtime_ns < RACY_NS
        return FileRecord(
            path=keep.path,
            size=keep.size,
            mtime_ns=LOOK_AGAIN if is_young else keep.mtime_ns,
            content_hash=content_hash,
            language=language,
            fingerprint=fingerprint_of(self._setup, keep.path, language),
        )

    def _classify(self, found: FileRecord, record: FileRecord | None) -> None:
        if record is not None and record.status == INDEXED:
            self._tally.changed.append(found.path)
        elif former := self._gone_by_content.get(found.content_hash):
            self._tally.renamed.append(found.path)
            self._tally.removed.remove(former.pop())
        else:
            self._tally.added.append(found.path)

    def _put(self, entry: FileEntry) -> None:
        self._group.append(entry)
        self._group_size += sum(len(chunk.chunk.text) for chunk in entry.chunks)
        if len(self._group) >= GROUP_FILES or self._group_size >= GROUP_SIZE:
            self._flush()

    def _flush(self) -> None:
        """Write the files that wait, then the vectors of their texts."""
        group, self._group, self._group_size = self._group, [], 0
        touched, self._touched = self._touched, []
        if touched or group:
            self._stored.pop(TREE, None)
        if touched:
            with self._store.writing() as writer:
                writer.touch(touched)
        if not group:
            return
        with self._store.writing() as writer:
            writer.put_files(group)
            writer.set_meta({"missing": UNCOUNTED})
        self._stored["missing"] = UNCOUNTED
        self._has_written = True
        if self._setup.embedder is not None:
            chunks = [entry for file in group for entry in file.chunks]
            made = self._vectors({entry.text_hash: entry.chunk for entry in chunks})
            self._tally.reused += len(chunks) - made.asked

    def _retry_missing(self) -> None:
        """Embed what an earlier run left without a vector, or with one of its beginning only."""
        if self._setup.embedder is None or not self._may_be_missing():
            return
        if self._setup.is_late(self._stored):
            return
        with self._store.reading() as snapshot:
            waiting = (
                (hash_, chunk)
                for hash_, chunk in snapshot.missing(self._setup.model)
                if hash_ not in self._tried
            )
            while some := dict(islice(waiting, GROUP_TEXTS)):
                self._embed(some)

    def _vectors(self, chunks: Mapping[str, Chunk]) -> Made:
        """Those that are there, where the others are left for later."""
        if self._setup.is_late(self._stored):
            return take_shared(self._store, self._setup, chunks)
        return self._embed(chunks)

    def _embed(self, chunks: Mapping[str, Chunk]) -> Made:
        """Embed texts that lack a vector, by their hashes, and say what came of it."""
        made = embed_chunks(self._store, self._setup, chunks)
        self._tried |= chunks.keys()
        self._to_embed += made.asked
        self._tally.embedded += made.embedded
        for hash_, reason in made.troubles.items():
            self._tally.failed.append(trouble(chunks[hash_], reason))
        if made.stopped is not None:
            raise made.stopped
        if made.asked:
            self._say("chunks", self._to_embed, self._to_embed, "")
        return made

    def _may_be_missing(self) -> bool:
        """Whether some text, or some file as a whole, may be without its vector."""
        return self._has_written or self._stored.get("missing") != "0"

    def _end(self, mark: str) -> None:
        """`mark`: of the whole tree, if that is what was looked at."""
        setup = self._setup
        if self._has_written:
            with self._store.writing() as writer:
                writer.prune(setup.model)
        if setup.embedder is not None and self._embeds_files and self._may_be_missing():
            embed_cards(self._store, setup.embedder)
        facts = {
            "chunker": setup.fingerprint(),
            "root": str(setup.root),
            "missing": self._count_missing(),
        }
        if mark and self._stored.get(TREE) != mark and not self._is_unsure():
            facts[TREE] = mark
        self._set_meta(facts)
        if setup.embedder is not None:
            with self._store.reading() as snapshot:
                is_current = self._store.has_current_copy(snapshot)
            if not is_current:
                self._store.publish(setup.model, setup.dim)
        self._store.note_refresh()

    def _is_unsure(self) -> bool:
        with self._store.reading() as snapshot:
            return snapshot.is_unsure()

    def _count_missing(self) -> str:
        if self._setup.embedder is None or not self._may_be_missing():
            return "0"
        if self._setup.is_late(self._stored):
            return UNCOUNTED
        with self._store.reading() as snapshot:
            counts = snapshot.counts(self._setup.model)
        return str(counts.missing)

    def _say(self, stage: str, done: int, total: int, path: str) -> None:
        if self._progress is not None:
            self._progress(stage, done, total, path)


def _details(source: Source, chunking: Chunking) -> FileDetails:
    return FileDetails(
        parser=chunking.parser,
        outline=chunking.outline,
        frontmatter=chunking.frontmatter,
        diagnostics=(*source.diagnostics, *chunking.diagnostics),
    )
