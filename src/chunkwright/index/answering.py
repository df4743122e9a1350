"""Asking an index: what answers a query, what is like a place, what a file holds; and whether that
still is what stands on the disk. How answers are found and ranked is the search's to say.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Unpack

from msgspec.structs import replace

from chunkwright import search as searching
from chunkwright.characters import lone_surrogate
from chunkwright.errors import ConfigError, LockedError, PathError
from chunkwright.index import late, staleness
from chunkwright.index.asking import Apart, Asking, asked_for
from chunkwright.index.planning import relative_paths
from chunkwright.index.refreshing import refresh
from chunkwright.index.setup import Setup
from chunkwright.measuring import MeasureLike
from chunkwright.search import Options, Question, Scope
from chunkwright.store import Store
from chunkwright.store.reading import Snapshot
from chunkwright.store.rows import FileRecord
from chunkwright.types import Hit, OutlineItem, Reranker, is_entry

Lists = tuple[list[Hit], ...]
"""Answers to one question: one list, or one of hits and one of tests."""


class Answering:
    """What an index can be asked."""

    _store: Store
    _setup: Setup
    _refreshing: threading.Lock

    def search(  # noqa: PLR0913  # each is asked for by name, and few at a time
        self,
        query: str,
        k: int = 10,
        *,
        path: str | Sequence[str] | None = None,
        language: str | None = None,
        kind: str | None = None,
        namespace: str | None = None,
        is_test: bool | None = None,
        where: Mapping[str, object] | None = None,
        threshold: float | None = None,
        group: bool = False,
        neighbours: int = 0,
        context_tokens: int | None = None,
        context_measure: MeasureLike = "tokens",
        reranker: Reranker | None = None,
        rerank_optional: bool = False,
        explain: bool = False,
        stale: str = staleness.MARK,
    ) -> list[Hit]:
        """The best k answers, best first, equal ones by id; none for a blank query.

        Which chunks may answer, decided before anything is scored:

        - `path`: one or more patterns as in a .gitignore;
        - `language`, `kind`, `is_test`: of the chunk;
        - `namespace`: of documents that were put; "" for files;
        - `where`: values of front matter or metadata, `{"tags": "draft"}`.

        What an answer is, and how much of it is shown:

        - `threshold`: the least score of one;
        - `group`: one answer a document, the best of its chunks, with `Hit.citations`; else one a
          place, with what belongs to it in `Hit.merged`;
        - `neighbours`: so many chunks in `Hit.before` and in `Hit.after`;
        - `context_tokens`: what all `Hit.shown` together may count, in `context_measure`: the last
          are shortened first, `Hit.density` says how far;
        - `reranker`: orders the best anew, of which it gets 50 or more. Where it fails, that is a
          RerankError or, with `rerank_optional`, a RuntimeWarning and the order of the search;
        - `explain`: every signal in `Hit.reasons`, and what they were made of in `Hit.raw`;
        - `stale`: `mark` says in `Hit.stale` which files are not what was indexed; `refresh`
          indexes these anew and asks again (while another process is writing, it marks);
          `ignore` does not look.

        Raises StoreError where there is no index yet, StaleIndexError where it was made with
        another embedder or other options, ConfigError for a wrong filter or option, EmbedError
        where the embedder fails.
        """
        scope, options = asked_for(
            path=path,
            language=language,
            kind=kind,
            namespace=namespace,
            is_test=is_test,
            where=where,
            threshold=threshold,
            group=group,
            neighbours=neighbours,
            context_tokens=context_tokens,
            context_measure=context_measure,
            reranker=reranker,
            rerank_optional=rerank_optional,
            explain=explain,
        )
        (hits,) = self._answers(query, k, scope, options, stale)
        return hits

    def search_apart(
        self,
        query: str,
        k: int = 10,
        *,
        path: str | Sequence[str] | None = None,
        stale: str = staleness.MARK,
        **asking: Unpack[Asking],
    ) -> Apart:
        """As `search`, with the tests in a list of their own: up to k `hits` and up to k `tests`,
        for one embedding of the query. Budgets and scores are each list's own."""
        scope, options = asked_for(path=path, **asking)
        return Apart(*self._answers(query, k, scope, options, stale, apart=True))

    def find_related(
        self,
        path: Path | str,
        line: int,
        k: int = 10,
        *,
        among: str | Sequence[str] | None = None,
        is_test: bool | None = None,
        stale: str = staleness.MARK,
        **asking: Unpack[Asking],
    ) -> list[Hit]:
        """Chunks like the one at a line (1-based) of a file, that one left out.

        `among`: patterns for the paths of answers; the other arguments as in `search`. With
        `stale="refresh"` the file that is asked about is looked at too.
        Raises PathError for a file that is not in the index.
        """
        scope, options = asked_for(path=among, is_test=is_test, **asking)
        staleness.check(stale)
        place = self._relative(path)
        self._require_current()

        def ask() -> staleness.Seen[Lists]:
            embedder = self._setup.embedder
            with self._store.reading() as snapshot:
                question = searching.question_at(self._store, snapshot, embedder, place, line)
            question, near = late.prepared(self._store, self._setup, question, scope)
            with self._store.reading() as snapshot:
                source = searching.Source(self._store, snapshot, embedder, question, near)
                return _seen(snapshot, (searching.answers(source, k, scope, options),), place)

        (hits,) = self._settled(ask, stale)
        return hits

    def unmatched(self, **filters: object) -> dict[str, tuple[str, ...]]:
        """The filters, as `search` takes them, that no chunk of the index fits, each taken alone;
        with the values there are, the nearest first, of `language` and `kind`.

        Raises StoreError where there is no index, ConfigError for a wrong kind of value.
        """
        scope, _ = asked_for(**filters)
        with self._store.reading() as snapshot:
            return searching.unmatched(snapshot, scope)

    def _answers(
        self,
        query: str,
        k: int,
        scope: Scope,
        options: Options,
        stale: str,
        *,
        apart: bool = False,
    ) -> Lists:
        """One list of hits or, `apart`, one of hits and one of tests."""
        if not isinstance(query, str):
            raise ConfigError("query", query, "a string")
        staleness.check(stale)
        searching.check(k, options)
        question = None
        if query.strip():
            self._require_current()
            question = searching.question(self._setup.embedder, query)
        if question is None:
            return ([], []) if apart else ([],)
        search = partial(self._asked, question, k, scope, options, apart)
        return self._settled(search, stale)

    def _asked(
        self, question: Question, k: int, scope: Scope, options: Options, apart: bool
    ) -> staleness.Seen[Lists]:
        question, near = late.prepared(self._store, self._setup, question, scope)
        with self._store.reading() as snapshot:
            source = searching.Source(self._store, snapshot, self._setup.embedder, question, near)
            if apart:
                return _seen(snapshot, searching.answers_apart(source, k, scope, options))
            return _seen(snapshot, (searching.answers(source, k, scope, options),))

    def _settled(self, ask: Callable[[], staleness.Seen[Lists]], stale: str) -> Lists:
        lists, states = staleness.settled(ask, self._stale, self._refresh_if_free, stale)
        self._restore_copy()
        return tuple([_marked(hit, states) for hit in hits] for hits in lists)

    def _stale(self, records: Iterable[FileRecord]) -> dict[str, str]:
        return staleness.stale_files(self._setup, records)

    def _refresh_if_free(self, paths: Sequence[str]) -> None:
        """Refresh some files; LockedError where that would mean to wait for another refresh."""
        if not self._refreshing.acquire(blocking=False):
            raise LockedError(str(self._setup.folder), os.getpid(), "wait until it is done")
        try:
            with self._store.locked(tries=2):
                refresh(self._store, self._setup, paths, None)
        finally:
            self._refreshing.release()

    def outline(self, path: Path | str, *, stale: str = staleness.MARK) -> tuple[OutlineItem, ...]:
        """Headings or symbols of a file, in order; `stale` as in `search`. Raises PathError where
        the file is not indexed."""
        staleness.check(stale)
        place = self._relative(path)

        def ask() -> staleness.Seen[tuple[OutlineItem, ...]]:
            with self._store.reading() as snapshot:
                details = snapshot.details(place)
                records = snapshot.records([place])
            if details is None:
                remedy = "refresh the index, or check the path"
                raise PathError(place, "is not in the index", remedy)
            return staleness.Seen(details.outline, records)

        outline, states = staleness.settled(ask, self._stale, self._refresh_if_free, stale)
        return tuple(replace(item, stale=states.get(place, "")) for item in outline)

    def _relative(self, path: Path | str) -> str:
        """From the root on; the id of a document that was put stays as it is."""
        if isinstance(path, str) and is_entry(path):
            place = path
        else:
            place = relative_paths(self._setup.root, [path])[0]
        if lone_surrogate(place) is not None:
            raise PathError(place, "is not valid UTF-8, so it is not indexed", "rename the file")
        return place

    def _require_current(self) -> None:
        """Raise where the index was made with another embedder or other options."""
        with self._store.reading() as snapshot:
            stored = snapshot.meta()
        self._setup.check(stored)
        self._setup.check_options(stored, self._setup.fingerprint())

    def _restore_copy(self) -> None:
        """A missing or damaged copy of the vectors was made up for; save the next one the work."""
        if self._store.copy_is_stale and self._setup.embedder is not None:
            self._store.publish_if_free(self._setup.model, self._setup.dim)


def _seen(snapshot: Snapshot, lists: Lists, *paths: str) -> staleness.Seen[Lists]:
    """Answers, with what is known of their files and of those at `paths`."""
    named = {hit.chunk.path for hits in lists for hit in hits}
    return staleness.Seen(lists, snapshot.records({*named, *paths}))


def _marked(hit: Hit, states: Mapping[str, str]) -> Hit:
    state = states.get(hit.chunk.path)
    return replace(hit, stale=state) if state else hit
