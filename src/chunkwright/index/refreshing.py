"""One refresh: files that changed are read, chunked, written and embedded, a few at a time, so that
a run that is killed loses little and the next one completes it. What changed is found in planning.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice

import msgspec
import numpy as np
import numpy.typing as npt

from chunkwright import pipeline, rendering, sources
from chunkwright.embedding.batching import embed_safely
from chunkwright.index.planning import NOT_FOUND, Plan, is_unchanged, plan
from chunkwright.index.setup import UNFINISHED, Setup
from chunkwright.sources import FAILURES, Keep, Skip, Source
from chunkwright.store import Store
from chunkwright.store.rows import ChunkEntry, FileDetails, FileEntry, FileRecord
from chunkwright.store.schema import FAILED, INDEXED, SKIPPED
from chunkwright.types import Chunk, Chunking, RefreshReport

Progress = Callable[[str, int, int, str], None]
"""Called with (stage, done, total, path). Stages: `files` (done of total looked at, the path of
the one just done) and `chunks` (embedded of those that are to be, no path; the total grows)."""

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

VANISHED = "vanished"
"""Reason of a file that was listed and then not there."""

LOOK_AGAIN = -1
"""In place of a time of change."""

HASH_DIGITS = 32
"""Hex digits that name a text in the embedding cache: 128 bits."""


def text_hash(text: str) -> str:
    """The name of a text in the embedding cache."""
    return hashlib.sha256(text.encode()).hexdigest()[:HASH_DIGITS]


class _Tally(msgspec.Struct):
    """The report in the making."""

    added: list[str] = []
    changed: list[str] = []
    renamed: list[str] = []
    removed: list[str] = []
    embedded: int = 0
    reused: int = 0
    skipped: list[tuple[str, str, str]] = []
    failed: list[tuple[str, str, str]] = []

    def skip(self, path: str, reason: str, rule: str) -> None:
        """Note a file that was not taken: by choice, or because the system refused."""
        kind = self.failed if reason in FAILURES else self.skipped
        kind.append((path, reason, rule))

    def report(self) -> RefreshReport:
        lists = ("added", "changed", "renamed", "removed", "skipped", "failed")
        found = {name: tuple(sorted(set(getattr(self, name)))) for name in lists}
        return RefreshReport(**found, embedded=self.embedded, reused=self.reused)


def refresh(
    store: Store, setup: Setup, paths: Sequence[str] | None, progress: Progress | None
) -> RefreshReport:
    """Bring the index up to date; call it with the store locked.

    Raises StaleIndexError, with the index untouched, where it has another embedder; EmbedError
    where the embedder is down, with everything done so far kept.
    """
    return _Refresh(store, setup, progress).run(paths)


class _Refresh:
    """One run over the tree."""

    def __init__(self, store: Store, setup: Setup, progress: Progress | None) -> None:
        self._store = store
        self._setup = setup
        self._progress = progress
        self._fingerprint = setup.fingerprint()
        self._rules_mark = setup.rules_mark
        self._tally = _Tally()
        self._group: list[FileEntry] = []
        self._group_size = 0
        self._gone_by_content: dict[str, list[str]] = {}
        self._tried: set[str] = set()
        self._to_embed = 0
        self._has_written = False
        self._has_missing = True

    def run(self, paths: Sequence[str] | None) -> RefreshReport:
        is_consistent = self._begin()
        with self._store.reading() as snapshot:
            known = {record.path: record for record in snapshot.files()}
        # Other options touch every file: a part of them would leave a mixture.
        work = plan(self._setup, known, paths if is_consistent else None)
        self._note(work)
        self._remove(work.gone)
        self._look_at(work.keeps, known)
        self._retry_missing()
        self._end()
        return self._tally.report()

    def _begin(self) -> bool:
        """Check what the index was made with; returns whether its options are these."""
        with self._store.reading() as snapshot:
            stored = snapshot.meta()
        if "embedder" not in stored:
            with self._store.writing() as writer:
                writer.set_meta({**self._setup.facts(), "chunker": self._fingerprint})
            return True
        self._setup.check(stored)
        self._has_missing = stored.get("missing") != "0"
        is_same = stored.get("chunker") == self._fingerprint
        if not is_same:
            with self._store.writing() as writer:
                writer.set_meta({"chunker": UNFINISHED})
        return is_same

    def _note(self, work: Plan) -> None:
        for skip in work.skips:
            self._tally.skip(skip.path, skip.reason, skip.rule)
        self._tally.failed += [(path, *NOT_FOUND) for path in work.unknown]

    def _remove(self, gone: Sequence[FileRecord]) -> None:
        if not gone:
            return
        with self._store.writing() as writer:
            writer.remove_files([record.path for record in gone])
        indexed = [record for record in gone if record.status == INDEXED]
        self._tally.removed += [record.path for record in indexed]
        for record in indexed:
            self._gone_by_content.setdefault(record.content_hash, []).append(record.path)

    def _look_at(self, keeps: Sequence[Keep], known: Mapping[str, FileRecord]) -> None:
        for done, keep in enumerate(keeps, start=1):
            record = known.get(keep.path)
            if is_unchanged(record, keep, self._fingerprint, self._rules_mark):
                self._still_skipped(record)
            else:
                self._read(keep, record)
            self._say("files", done, len(keeps), keep.path)
        self._flush()

    def _still_skipped(self, record: FileRecord | None) -> None:
        if record is not None and record.status == SKIPPED:
            self._tally.skip(record.path, record.reason, record.rule)

    def _read(self, keep: Keep, record: FileRecord | None) -> None:
        """Look at the content of a file that may have changed."""
        source = sources.read(self._setup.root, keep.path, self._setup.rules)
        if isinstance(source, Skip):
            self._skip(keep, record, source)
        elif self._is_same_content(record, source):
            with self._store.writing() as writer:
                writer.touch(self._record(keep, source.content_hash))
        else:
            self._chunk(keep, record, source)

    def _is_same_content(self, record: FileRecord | None, source: Source) -> bool:
        return (
            record is not None
            and record.status == INDEXED
            and record.content_hash == source.content_hash
            and record.fingerprint == self._fingerprint
        )

    def _skip(self, keep: Keep, record: FileRecord | None, skip: Skip) -> None:
        self._tally.skip(skip.path, skip.reason, skip.rule)
        # What went away may come back as it was, with the time it had.
        is_passing = skip.reason in FAILURES or skip.reason == VANISHED
        status = FAILED if is_passing else SKIPPED
        self._write_off(keep, record, status, skip.reason, skip.rule)

    def _chunk(self, keep: Keep, record: FileRecord | None, source: Source) -> None:
        try:
            chunking = pipeline.chunk(source.document, **self._setup.options)
            entries = [chunk_entry(chunk) for chunk in chunking]
            _check_ids(entries)
        except Exception as error:  # one bad file, whatever is bad about it, must not end the run
            reason = f"{type(error).__name__}: {error}"
            self._tally.failed.append((keep.path, reason, ""))
            self._write_off(keep, record, FAILED, reason, "")
            return
        details = _details(source, chunking)
        found = self._record(keep, source.content_hash, chunking.language)
        self._classify(found, record)
        self._put(FileEntry(found, details, entries))

    def _write_off(
        self, keep: Keep, record: FileRecord | None, status: str, reason: str, rule: str
    ) -> None:
        """Remember a file that gave no chunks; those of its former content are gone."""
        if record is not None and record.status == INDEXED:
            self._tally.removed.append(keep.path)
        bare = self._record(keep, "")
        self._put(
            FileEntry(
                msgspec.structs.replace(
                    bare,
                    status=status,
                    reason=reason,
                    rule=rule,
                    fingerprint=self._rules_mark if status == SKIPPED else "",
                )
            )
        )

    def _record(self, keep: Keep, content_hash: str, language: str = "unknown") -> FileRecord:
        is_young = time.time_ns() - keep.mtime_ns < RACY_NS
        return FileRecord(
            path=keep.path,
            size=keep.size,
            mtime_ns=LOOK_AGAIN if is_young else keep.mtime_ns,
            content_hash=content_hash,
            language=language,
            fingerprint=self._fingerprint,
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
        if not group:
            return
        with self._store.writing() as writer:
            writer.put_files(group)
            writer.set_meta({"missing": UNCOUNTED})
        self._has_written = True
        if self._setup.embedder is not None:
            chunks = [entry for file in group for entry in file.chunks]
            texts = self._texts_to_embed(chunks)
            self._tally.reused += len(chunks) - len(texts)
            self._embed(texts)

    def _texts_to_embed(self, entries: Iterable[ChunkEntry]) -> dict[str, Chunk]:
        """Hash -> a chunk, of the texts that are not in the cache."""
        chunks = {entry.text_hash: entry.chunk for entry in entries}
        with self._store.reading() as snapshot:
            cached = snapshot.embedded(chunks, self._setup.model)
        return {hash_: chunk for hash_, chunk in chunks.items() if hash_ not in cached}

    def _retry_missing(self) -> None:
        """Embed what an earlier run left without a vector, or with one of its beginning only."""
        if self._setup.embedder is None or not (self._has_missing or self._has_written):
            return
        with self._store.reading() as snapshot:
            waiting = (
                (hash_, chunk)
                for hash_, chunk in snapshot.missing(self._setup.model)
                if hash_ not in self._tried
            )
            while some := dict(islice(waiting, GROUP_TEXTS)):
                self._embed(some)

    def _embed(self, chunks: Mapping[str, Chunk]) -> None:
        embedder = self._setup.embedder
        if embedder is None or not chunks:
            return
        self._to_embed += len(chunks)
        self._tried |= chunks.keys()
        hashes = list(chunks)
        texts = [rendering.embed_text(chunk) for chunk in chunks.values()]
        result = embed_safely(embedder, texts)
        good = result.done
        with self._store.writing() as writer:
            writer.put_vectors(
                embedder.name,
                [hashes[at] for at in good],
                unit_rows(result.vectors[good]),
                [at not in result.shortened for at in good],
            )
        self._tally.embedded += len(good)
        for at, reason in {**result.failed, **result.shortened}.items():
            chunk = chunks[hashes[at]]
            self._tally.failed.append(
                (chunk.path, f"embedding lines {chunk.start_line}-{chunk.end_line}: {reason}", "")
            )
        if result.stopped is not None:
            raise result.stopped
        self._say("chunks", len(self._tried), self._to_embed, "")

    def _end(self) -> None:
        setup = self._setup
        missing = self._count_missing()
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        with self._store.writing() as writer:
            writer.set_meta(
                {
                    "chunker": self._fingerprint,
                    "root": str(setup.root),
                    "refreshed": now,
                    "missing": missing,
                }
            )
            if self._has_written:
                writer.prune(setup.model)
        if setup.embedder is not None:
            with self._store.reading() as snapshot:
                is_current = self._store.has_current_copy(snapshot)
            if not is_current:
                self._store.publish(setup.model, setup.dim)

    def _count_missing(self) -> str:
        if not (self._has_missing or self._has_written):
            return "0"
        with self._store.reading() as snapshot:
            counts = snapshot.counts(self._setup.model)
        return str(counts.chunks - counts.vectors)

    def _say(self, stage: str, done: int, total: int, path: str) -> None:
        if self._progress is not None:
            self._progress(stage, done, total, path)


def chunk_entry(chunk: Chunk) -> ChunkEntry:
    """A chunk as it is stored, with the name of what is embedded for it."""
    return ChunkEntry(chunk, text_hash(rendering.embed_text(chunk)))


def _check_ids(entries: Sequence[ChunkEntry]) -> None:
    """A chunker that gives one id twice would have the whole group refused by the database."""
    ids = [entry.chunk.id for entry in entries]
    if len(set(ids)) < len(ids):
        raise ValueError("two chunks of one id")


def _details(source: Source, chunking: Chunking) -> FileDetails:
    return FileDetails(
        parser=chunking.parser,
        outline=chunking.outline,
        frontmatter=chunking.frontmatter,
        diagnostics=(*source.diagnostics, *chunking.diagnostics),
    )


def unit_rows(vectors: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Rows of length 1 (or 0), so that a scalar product is a cosine."""
    lengths = np.sqrt((vectors.astype(np.float64) ** 2).sum(axis=1, keepdims=True))
    rows: npt.NDArray[np.float32] = np.divide(
        vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0, casting="same_kind"
    )
    return rows
