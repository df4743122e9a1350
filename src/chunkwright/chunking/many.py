"""Many documents, cut one after another or shared among processes: in order, as they are asked for,
and one that fails harms no other. How one is cut is the chunker's.
"""

from __future__ import annotations

import gc
import os
import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from chunkwright.errors import ConfigError, told
from chunkwright.types import Chunking, Diagnostic, Document

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

IN_FLIGHT = 4
"""Batches a worker that are read ahead of what has been asked for."""

BATCH_DOCUMENTS, BATCH_SIZE = 16, 128 * 1024
"""Documents, or code points, that go to a worker at once: a trip there and back takes as long as
2,000 code points of source code to be cut."""

Cut = Callable[[Document | str], Chunking]
Batch = list[Document | str]
Given = TypeVar("Given", bound=Document | str)


def one_by_one(cut: Callable[[Given], Chunking], documents: Iterable[Given]) -> Iterator[Chunking]:
    """Each document's chunking; one whose cutting raises is empty, with the diagnostic `failed`."""
    return (_cut_safely(cut, document) for document in documents)


def in_processes(cut: Cut, documents: Iterable[Document | str], workers: int) -> Iterator[Chunking]:
    """The same from `workers` processes. A process that dies takes only the document along that
    it was at work on.

    Raises ConfigError where the chunker cannot be sent to another process.
    """
    try:
        pickle.dumps(cut)
    except Exception as error:  # whatever a caller's measure raises
        allowed = f"1 here, for this chunker cannot be sent to another process: {error}"
        raise ConfigError("workers", workers, allowed) from error
    return _shared(cut, documents, workers)


def _shared(cut: Cut, documents: Iterable[Document | str], workers: int) -> Iterator[Chunking]:
    team = _Team(cut, workers)
    unread = iter(documents)
    ended: Exception | None = None
    most = 0
    try:
        while team.waiting or ended is None:
            if ended is None and team.waiting < workers * IN_FLIGHT:
                most = min(most + 1, BATCH_DOCUMENTS)  # the first answers come soon
                batch, ended = _read_batch(unread, most)
                if batch:
                    team.take(batch)
            else:
                yield from team.next()
    finally:
        team.dismiss()
    if not isinstance(ended, StopIteration):
        raise ended


def _read_batch(unread: Iterator[Document | str], most: int) -> tuple[Batch, Exception | None]:
    """The next documents, `most` at most; and what ended the reading, a caller's error or the usual
    end, to be raised when what was read before has been given."""
    batch: Batch = []
    size = 0
    while len(batch) < most and size < BATCH_SIZE:
        try:
            document = next(unread)
        except Exception as error:
            return batch, error
        batch.append(document)
        size += len(_text(document))
    return batch, None


def _text(document: Document | str) -> str:
    """Of what is no document none: cutting it will tell."""
    text = document.text if isinstance(document, Document) else document
    return text if isinstance(text, str) else ""


class _Team:
    """Worker processes, and the documents given to them whose chunkings have not been taken."""

    def __init__(self, cut: Cut, workers: int) -> None:
        self._cut = cut
        self._workers = min(workers, os.cpu_count() or 1)
        """More than there are processors gain nothing."""
        self._pool = _pool(self._workers)
        self._given: deque[tuple[Batch, Future[list[Chunking]]]] = deque()

    @property
    def waiting(self) -> int:
        """Batches given whose chunkings have not been taken."""
        return len(self._given)

    def take(self, batch: Batch) -> None:
        """Give documents to a worker."""
        self._given.append((batch, self._submit(batch)))

    def next(self) -> Iterable[Chunking]:
        """The chunkings of the batch that was given first."""
        batch, future = self._given.popleft()
        try:
            return future.result()
        except Exception:  # a process died, or something cannot be sent between processes
            return self._again(batch)

    def dismiss(self) -> None:
        """End the processes, at once where documents are left that nobody waits for any more."""
        if self._given:
            # shutdown alone would wait for what they are at, and for what is queued
            for process in list((self._pool._processes or {}).values()):
                process.terminate()
        self._pool.shutdown(cancel_futures=True)

    def _submit(self, batch: Batch) -> Future[list[Chunking]]:
        from concurrent.futures.process import BrokenProcessPool

        try:
            return self._pool.submit(_cut_all, self._cut, batch)
        except BrokenProcessPool:
            self._pool = _pool(self._workers)
            return self._pool.submit(_cut_all, self._cut, batch)

    def _again(self, batch: Batch) -> Iterator[Chunking]:
        """Cut each document of a batch that failed by itself, to see which one it was. Where a
        process has died, others may have been given with it: they go to new workers."""
        for document in batch:
            yield self._alone(document)
        self._given = deque((other, self._resumed(other, task)) for other, task in self._given)

    def _alone(self, document: Document | str) -> Chunking:
        with _pool(1) as pool:
            try:
                return pool.submit(_cut_all, self._cut, [document]).result()[0]
            except Exception as error:  # it died with the process, or cannot be sent
                return failed(document, error)

    def _resumed(self, batch: Batch, task: Future[list[Chunking]]) -> Future[list[Chunking]]:
        from concurrent.futures.process import BrokenProcessPool

        lost = task.done() and isinstance(task.exception(), BrokenProcessPool)
        return self._submit(batch) if lost else task


def failed(document: Document | str, error: Exception) -> Chunking:
    """What there is of a document whose cutting raised."""
    path = document.path if isinstance(document, Document) else ""
    diagnostic = Diagnostic("error", "failed", told(error))
    return Chunking(path=path, diagnostics=(diagnostic,))


def _cut_safely(cut: Callable[[Given], Chunking], document: Given) -> Chunking:
    try:
        return cut(document)
    except Exception as error:  # a caller's measure, second chunker or document may raise anything
        return failed(document, error)


def _cut_all(cut: Cut, batch: Batch) -> list[Chunking]:
    return [_cut_safely(cut, document) for document in batch]


def _pool(workers: int) -> ProcessPoolExecutor:
    from concurrent.futures import ProcessPoolExecutor

    # What a process inherits is never freed: the collector need not look through it.
    return ProcessPoolExecutor(workers, initializer=gc.freeze)
