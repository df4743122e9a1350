"""Many documents, cut one after another or shared among processes: in order, as they are asked for,
and one that fails harms no other. How one is cut is the chunker's.
"""

from __future__ import annotations

import os
import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from chunkwright.errors import ConfigError
from chunkwright.types import Chunking, Diagnostic, Document

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

IN_FLIGHT = 4
"""Documents a worker that are read ahead of what has been asked for."""

Cut = Callable[[Document | str], Chunking]


def one_by_one(cut: Cut, documents: Iterable[Document | str]) -> Iterator[Chunking]:
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
    try:
        while team.waiting or ended is None:
            if ended is None and team.waiting < workers * IN_FLIGHT:
                ended = _give_one(unread, team)
            else:
                yield team.next()
    finally:
        team.dismiss()
    if not isinstance(ended, StopIteration):
        raise ended


def _give_one(unread: Iterator[Document | str], team: _Team) -> Exception | None:
    """Give a document to the team; or what ended the reading, a caller's error or the usual end,
    to be raised when what was read before has been given."""
    try:
        document = next(unread)
    except Exception as error:
        return error
    team.take(document)
    return None


class _Team:
    """Worker processes, and the documents given to them whose chunkings have not been taken."""

    def __init__(self, cut: Cut, workers: int) -> None:
        self._cut = cut
        self._workers = min(workers, os.cpu_count() or 1)
        """More than there are processors gain nothing."""
        self._pool = _pool(self._workers)
        self._given: deque[tuple[Document | str, Future[Chunking]]] = deque()

    @property
    def waiting(self) -> int:
        """Documents given whose chunkings have not been taken."""
        return len(self._given)

    def take(self, document: Document | str) -> None:
        """Give a document to a worker."""
        self._given.append((document, self._submit(document)))

    def next(self) -> Chunking:
        """The chunking of the document that was given first."""
        from concurrent.futures.process import BrokenProcessPool

        document, future = self._given.popleft()
        try:
            return future.result()
        except BrokenProcessPool:
            return self._again(document)
        except Exception as error:  # it, or what came of it, cannot be sent between processes
            return failed(document, error)

    def dismiss(self) -> None:
        """End the processes, at once where documents are left that nobody waits for any more."""
        if self._given:
            # shutdown alone would wait for what they are at, and for what is queued
            for process in list((self._pool._processes or {}).values()):
                process.terminate()
        self._pool.shutdown(cancel_futures=True)

    def _submit(self, document: Document | str) -> Future[Chunking]:
        from concurrent.futures.process import BrokenProcessPool

        try:
            return self._pool.submit(_cut_safely, self._cut, document)
        except BrokenProcessPool:
            self._pool = _pool(self._workers)
            return self._pool.submit(_cut_safely, self._cut, document)

    def _again(self, document: Document | str) -> Chunking:
        """A process has died, and every document that was given with it: cut this one in a process
        of its own, to see whether it was this one, and give the others to new workers."""
        from concurrent.futures.process import BrokenProcessPool

        with _pool(1) as alone:
            try:
                chunking = alone.submit(_cut_safely, self._cut, document).result()
            except BrokenProcessPool as error:
                chunking = failed(document, error)
        self._given = deque((other, self._resumed(other, task)) for other, task in self._given)
        return chunking

    def _resumed(self, document: Document | str, task: Future[Chunking]) -> Future[Chunking]:
        from concurrent.futures.process import BrokenProcessPool

        lost = task.done() and isinstance(task.exception(), BrokenProcessPool)
        return self._submit(document) if lost else task


def failed(document: Document | str, error: Exception) -> Chunking:
    """What there is of a document whose cutting raised."""
    path = document.path if isinstance(document, Document) else ""
    diagnostic = Diagnostic("error", "failed", f"{type(error).__name__}: {error}")
    return Chunking(path=path, diagnostics=(diagnostic,))


def _cut_safely(cut: Cut, document: Document | str) -> Chunking:
    try:
        return cut(document)
    except Exception as error:  # a caller's measure, second chunker or document may raise anything
        return failed(document, error)


def _pool(workers: int) -> ProcessPoolExecutor:
    from concurrent.futures import ProcessPoolExecutor

    return ProcessPoolExecutor(workers)
