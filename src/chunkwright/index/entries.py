"""Documents that are no files, such as memories: put, got, listed, deleted, healed. What may be put
is checked in `accepting`; chunks and vectors are made in `mending`.

The text is stored first, in one transaction that needs no lock but SQLite's own, so that no put
waits for a refresh; what is made of it follows, and whatever interrupts that, a heal completes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from chunkwright.errors import ConfigError, EmbedError, LockedError, VersionError
from chunkwright.index import mending
from chunkwright.index.accepting import accept, check_name, check_namespace, check_version
from chunkwright.index.mending import Mender
from chunkwright.index.setup import Setup
from chunkwright.store import Store
from chunkwright.store.entries import Content, EntryRow, encoded
from chunkwright.store.writing import Writer
from chunkwright.types import NAMESPACE, Entry, HealReport

ADDED, CHANGED, UNCHANGED = "added", "changed", "unchanged"
"""What a put did (`Entry.change`)."""

DEFERRED = "deferred; heal() embeds it"
"""Why a document that was put with `defer` is not complete."""

Keys = list[str]


class Entries:
    """What an index can do with documents that were put."""

    _store: Store
    _setup: Setup

    def put(  # noqa: PLR0913  # two say what and where, the others are facts to be left out
        self,
        key: str,
        text: str,
        metadata: dict[str, Any] | None = None,
        *,
        namespace: str = NAMESPACE,
        summary: str = "",
        attachments: Mapping[str, str] | None = None,
        language: str | None = None,
        version: int | None = None,
        defer: bool = False,
    ) -> Entry:
        """Store a document in place of whatever is there under its key, and index it.

        `metadata` can be filtered by; `attachments` maps paths to texts, which are found as parts
        of this document. The text is Markdown, unless the key's suffix or `language` says
        otherwise. The answer says whether anything changed: what has the same content is left
        alone. `version` guards the write: the version that was seen, 0 where there must be none.
        With `defer` the embedder is not waited for: the document is found by its words, and by
        its meaning after the next `heal`. Where chunking or embedding fails, the document is
        stored, `waiting` in the answer says why, and `heal` tries again.

        Raises VersionError, ConfigError for what cannot be put, ParseError for lone surrogates,
        StaleIndexError for another embedder than that of the index; nothing is stored then.
        """
        entry = Entry(
            key=key,
            text=text,
            namespace=namespace,
            summary=summary,
            attachments={} if attachments is None else attachments,  # type: ignore[arg-type]  # made a dict when accepted
            metadata={} if metadata is None else metadata,
            language=language,
            version=version,
        )
        return self.put_many([entry], defer=defer)[0]

    def put_many(self, entries: Iterable[Entry], *, defer: bool = False) -> tuple[Entry, ...]:
        """Store many documents, all or, after an error, none; for the rest see `put`.

        An entry that was got and altered is a guarded write, by its `version`; None: unguarded.
        """
        if isinstance(entries, Entry | str | Mapping) or not isinstance(entries, Iterable):
            raise ConfigError("entries", entries, "several entries; `put` takes one")
        if not isinstance(defer, bool):
            raise ConfigError("defer", defer, "True or False")
        given = [accept(_entry(one)) for one in entries]
        with suppress(EmbedError):  # of an embedder that is asked for its dimensions: not now
            self._prepare()
        with self._store.writing() as writer:
            self._require_fit(writer)
            stored = [self._stored(writer, entry) for entry in given]
        # The same key twice: only the last is there.
        rows = {row.id: row for row, change in stored if change != UNCHANGED}
        done = Mender(self._store, self._setup).put(list(rows.values()), embed=not defer)
        waiting = done.reasons
        if defer and self._setup.embedder is not None:
            waiting = {**dict.fromkeys(rows, DEFERRED), **waiting}
        return tuple(
            replace(_entry_of(row), change=change, waiting=waiting.get(row.id, ""))
            for row, change in stored
        )

    def get(self, key: str, *, namespace: str = NAMESPACE) -> Entry | None:
        """The document of a key; None where there is none.

        Raises CorruptIndexError where the disk gives back something else than what was put.
        """
        _check_place(key, namespace)
        if not self._store.exists():
            return None
        with self._store.reading() as snapshot:
            row = snapshot.entry(namespace, key)
        return _entry_of(row) if row else None

    def delete(self, key: str, *, namespace: str = NAMESPACE, version: int | None = None) -> bool:
        """Remove a document with its chunks and vectors; returns whether there was one.

        `version` guards it as in `put`. Raises VersionError.
        """
        _check_place(key, namespace)
        check_version(version)
        if not self._store.exists():
            self._guard(None, namespace, key, version)
            return False
        with self._store.writing() as writer:
            row = writer.entries.get(namespace, key)
            self._guard(row, namespace, key, version)
            if row is not None:
                texts = writer.entries.texts(row.id)
                writer.entries.delete(row)
                writer.remove_files([row.id])
                writer.entries.forget_texts(texts)
        return row is not None

    def list(self, prefix: str = "", *, namespace: str = NAMESPACE) -> Keys:
        """The keys that begin with `prefix`, sorted by code points."""
        if prefix != "":
            check_name("prefix", prefix)
        check_namespace(namespace)
        if not self._store.exists():
            return []
        with self._store.reading() as snapshot:
            return snapshot.entries.keys(namespace, prefix)

    def heal(self, limit: int | None = None) -> HealReport:
        """Complete what was put and is not indexed as it should be: what a failing embedder, a
        killed process or `defer` left, and remove what is left of documents that are gone.

        At most `limit` documents, those first that were not tried yet: a background task calls it
        until nothing remains. Raises StaleIndexError where the index has another embedder or
        other chunk options than this one, EmbedError where a new index needs one that is not there.
        """
        is_number = isinstance(limit, int) and not isinstance(limit, bool) and limit >= 0
        if limit is not None and not is_number:
            raise ConfigError("limit", limit, "a whole number of 0 or more, or None for all")
        if not self._store.exists():
            return HealReport()
        self._prepare()
        with self._store.reading() as snapshot:
            facts = snapshot.meta()
        self._setup.check(facts)
        self._setup.check_options(facts, self._setup.fingerprint())
        report = mending.heal(self._store, self._setup, limit)
        if self._setup.embedder is not None and (report.embedded or report.removed):
            self._store.publish_if_free(self._setup.model, self._setup.dim)
        return report

    def _prepare(self) -> None:
        """Make the index, where there is none, and note what it is made with."""
        if not self._store.exists():
            self._setup.check_root()
            with self._store.locked():
                self._store.create()
        with self._store.reading() as snapshot:
            is_known = "embedder" in snapshot.meta()
        if is_known:
            return
        # Who holds the lock is making the index, and completes what is put meanwhile.
        with suppress(LockedError), self._store.locked(), self._store.writing() as writer:
            if "embedder" not in writer.meta():
                facts = {"chunker": self._setup.fingerprint()}
                writer.set_meta({**self._setup.facts(), **facts})

    def _require_fit(self, writer: Writer) -> None:
        facts = writer.meta()
        if "embedder" in facts:
            self._setup.check(facts)

    def _stored(self, writer: Writer, entry: Entry) -> tuple[EntryRow, str]:
        """Write a document where it is another than before; what there is now, and the change."""
        before = writer.entries.get(entry.namespace, entry.key)
        self._guard(before, entry.namespace, entry.key, entry.version)
        state, body = encoded(_content(entry))
        if before is not None and before.body == body and before.state == state:
            return before, UNCHANGED
        place = entry.namespace, entry.key
        last = before.version if before else writer.entries.deleted_version(*place)
        row = EntryRow(*place, last + 1, state, body)
        writer.entries.put(row)
        writer.remove_files([row.id])
        return row, CHANGED if before else ADDED

    def _guard(self, row: EntryRow | None, namespace: str, key: str, version: int | None) -> None:
        stored = row.version if row else 0
        if version is not None and version != stored:
            raise VersionError(str(self._store.path), namespace, key, stored, version)


def _entry(given: object) -> Entry:
    if not isinstance(given, Entry):
        raise ConfigError("entries", given, "each an Entry")
    return given


def _check_place(key: str, namespace: str) -> None:
    check_name("key", key)
    check_namespace(namespace)


def _content(entry: Entry) -> Content:
    return Content(
        text=entry.text,
        summary=entry.summary,
        attachments=entry.attachments,
        metadata=entry.metadata,
        language=entry.language,
    )


def _entry_of(row: EntryRow) -> Entry:
    content = row.content()
    return Entry(
        key=row.key,
        text=content.text,
        namespace=row.namespace,
        summary=content.summary,
        attachments=content.attachments,
        metadata=content.metadata,
        language=content.language,
        version=row.version,
    )
