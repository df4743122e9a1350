"""The index of a folder: kept up to date, asked, looked into. The one place that knows every
stage, and none of their details. What it can be asked is in `answering`, documents that are no
files in `entries`.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

from msgspec.structs import replace

from chunkwright.characters import lone_surrogate
from chunkwright.embedding import EmbedderLike
from chunkwright.errors import ConfigError, StoreError
from chunkwright.index import late
from chunkwright.index.answering import Answering
from chunkwright.index.asking import Apart
from chunkwright.index.entries import Entries
from chunkwright.index.mending import mend, restore
from chunkwright.index.planning import relative_paths
from chunkwright.index.refreshing import Progress, refresh
from chunkwright.index.setup import LATE, Config, Setup, settle
from chunkwright.index.status import IndexStatus, status_of
from chunkwright.index.verifying import Problem, verify
from chunkwright.search.snippets import Snippet, best_lines, snippet, words_of
from chunkwright.store import FOLDER, Store
from chunkwright.store.entries import EntryRow
from chunkwright.types import Chunk, RefreshReport

__all__ = [
    "FOLDER",
    "Apart",
    "Index",
    "IndexStatus",
    "Problem",
    "Progress",
    "Snippet",
    "best_lines",
    "remove_index",
    "snippet",
    "words_of",
]

NOT_ALL_SAVED = ("set aside", "not all of the documents that were put could be read from it")
"""Reason and rule of a damaged file that is kept."""


class Index(Answering, Entries):
    """The chunks of the files below `root`, and their vectors, in `<root>/.chunkwright/`.

    `embedder`: an object, a name, None for the default (or what the configuration says), False
    for words only. `config`: settings as from `configuration.load`, or some of them as a mapping;
    None reads those of `root`. `index_dir`: another place for the index.
    Nothing is made on disk before the first `refresh`. Any number of threads may search.
    """

    def __init__(
        self,
        root: Path | str,
        embedder: EmbedderLike = None,
        config: Config = None,
        *,
        index_dir: Path | str | None = None,
    ) -> None:
        self._setup: Setup = settle(root, embedder, config, index_dir)
        self._store = Store(self._setup.folder)
        self._refreshing = threading.Lock()

    @property
    def root(self) -> Path:
        """The folder whose files are indexed."""
        return self._setup.root

    @property
    def folder(self) -> Path:
        """The folder the index lies in."""
        return self._setup.folder

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def refresh(
        self,
        paths: Iterable[Path | str] | None = None,
        progress: Progress | None = None,
        *,
        verify: bool = False,
    ) -> RefreshReport:
        """Index what changed: in the whole tree, or at `paths` (files or folders) only.

        A file of the size and time it had is taken for unchanged, unless `verify`: then each is
        read. With other chunk options than before, what they touch is chunked anew, also what was
        put. Raises StaleIndexError for another embedder than before, LockedError while another
        process writes, EmbedError where the embedder is down (what was done is kept).
        """
        asked = None if paths is None else relative_paths(self.root, paths)
        self._setup.check_root()
        with self._refreshing, self._store.locked():
            if not self._store.exists():
                self._store.create()
            report = refresh(self._store, self._setup, asked, progress, verify=verify)
            return mend(self._store, self._setup, report)

    def rebuild(self, progress: Progress | None = None) -> RefreshReport:
        """Make the index anew, whatever state it is in: damaged, stale, of another format. What was
        put is kept, and chunked anew. Where not all of it could be read, the damaged file is kept
        too, and named among the failures.
        """
        # An embedder or a root that is not there must not cost the index that is.
        self._setup.facts()
        self._setup.check_root()
        with self._refreshing, self._store.locked():
            kept, aside = self._clear()
            if not self._store.exists():
                self._store.create()
            restore(self._store, kept)
            report = refresh(self._store, self._setup, None, progress)
            report = mend(self._store, self._setup, report)
        failed = (*report.failed, (aside, *NOT_ALL_SAVED)) if aside else report.failed
        return replace(report, failed=failed)

    def _clear(self) -> tuple[list[EntryRow], str]:
        """Empty the index; remove its file only where that cannot be done, so that whoever is
        reading it keeps a whole one. Returns what was put and is to be put back, and the name of
        a file that was set aside, or ""."""
        try:
            if not self._store.exists():
                return [], ""
            with self._store.reading() as snapshot:
                is_whole = not snapshot.damage()
            if is_whole:
                with self._store.writing() as writer:
                    kept = writer.meta().get(LATE, "")
                    writer.clear()
                    writer.set_meta({LATE: kept} if kept else {})
                return [], ""
        except StoreError:
            pass  # the file itself is the reason to rebuild
        return self._store.replace()

    def chunks(self, path: Path | str | None = None, parent: str | None = None) -> list[Chunk]:
        """Every chunk, those of one file, or those of one parent, by path and position."""
        place = None if path is None else self._relative(path)
        if not isinstance(parent, str | None):
            raise ConfigError("parent", parent, "the id of a parent, or None for any")
        if parent is not None and lone_surrogate(parent) is not None:
            return []  # there is no such id
        with self._store.reading() as snapshot:
            return list(snapshot.chunks(place, parent))

    def status(self) -> IndexStatus:
        """What there is; whatever it was made with."""
        if not self._store.exists():
            return IndexStatus(root=str(self.root), folder=str(self.folder))
        with self._store.reading() as snapshot:
            return status_of(self._setup, snapshot, self._store)

    def verify(self) -> tuple[Problem, ...]:
        """Everything that is wrong with the index; empty where nothing is. Reads all of it, and
        every indexed file.

        Raises StoreError where there is no index, StaleIndexError where it is of another format.
        """
        return tuple(verify(self._store, self._setup))

    def remove(self, paths: Iterable[Path | str]) -> tuple[str, ...]:
        """Remove files, or all files below folders, from the index (not from the disk); returns
        the paths that were removed. The next refresh of them brings back what still is there.

        Raises StoreError where there is no index, StaleIndexError for another embedder.
        """
        asked = relative_paths(self.root, paths)
        with self._store.reading() as snapshot:
            self._setup.check(snapshot.meta())
        with self._refreshing, self._store.locked():
            with self._store.reading() as snapshot:
                gone = [path for path in snapshot.numbers() if _is_below(path, asked)]
            with self._store.writing() as writer:
                writer.remove_files(gone)
            if self._setup.embedder is not None:
                self._store.publish(self._setup.model, self._setup.dim)
        return tuple(sorted(gone))

    def embed(self, limit: int | None = None, progress: Progress | None = None) -> RefreshReport:
        """Embed what has no vector yet, as in an index with `late_embedding`; at most `limit`
        texts, those of tests last, the first of each document before the second of any.

        Nobody has to wait for it, and whatever ends it keeps what it has done. Raises StoreError
        where there is no index, StaleIndexError for another embedder or other options, EmbedError
        where the embedder is down.
        """
        is_number = isinstance(limit, int) and not isinstance(limit, bool) and limit >= 0
        if limit is not None and not is_number:
            raise ConfigError("limit", limit, "a whole number of 0 or more, or None for all")
        self._require_current()
        return late.embed_rest(self._store, self._setup, limit, progress)

    def close(self) -> None:
        """Let go of the files; the index can be used again afterwards."""
        self._store.close()


def remove_index(folder: Path) -> bool:
    """Remove the index that lies in a folder, whatever state it is in, and nothing else; returns
    whether there was one.

    Raises LockedError while another process writes, StoreError for a database that is no index.
    """
    return Store(folder).remove()


def _is_below(path: str, places: Iterable[str]) -> bool:
    return any(place in (path, ".") or path.startswith(f"{place}/") for place in places)
