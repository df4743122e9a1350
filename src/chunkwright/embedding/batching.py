"""Embedding many texts with an embedder that may fail: batches, halving, bisection, a few batches
at once. Which embedder, and where vectors go, is not decided here.

Of an embedder these are asked for, each optional: `batch_size`, texts a call; `concurrency`,
calls at a time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from typing import NamedTuple

import numpy as np

from chunkwright.embedding.answers import Vectors, checked
from chunkwright.embedding.limits import Limit
from chunkwright.errors import EmbedError, told
from chunkwright.types import Embedder

BATCH = 32
"""Texts a call: what services and small machines take without complaint."""

SHORTEST = 256
"""Code points: a failing text is halved down to this before it is given up. Shorter ones do not
fail because of their length."""

PROBE = "a"
"""If even this fails, it is the embedder that is down, not the text that is bad."""

FAILURES = 2
"""Failing calls in a row after which the embedder is probed, before its batches are taken apart."""


class TooLargeError(EmbedError):
    """A call had too much in it; less at a time is taken."""


class Embedding(NamedTuple):
    """Vectors of some texts, and which texts could not be embedded as they are."""

    vectors: Vectors
    """Shape (texts, dim); zeros where there is none."""
    done: list[int]
    """Positions of the texts with a vector."""
    failed: dict[int, str]
    """Position of a text without a vector -> reason."""
    shortened: dict[int, str]
    """Position of a text whose vector is that of its beginning, because more failed -> reason."""
    over_limit: dict[int, str]
    """The same of one that the embedder would not read to the end: another time it is no other."""
    stopped: EmbedError | None = None
    """Why the embedder was not asked for the others."""


def embed_safely(embedder: Embedder, texts: Sequence[str]) -> Embedding:
    """Embed every text that can be embedded; of one that is too long, its beginning.

    Where the embedder is down, or answers with anything but finite vectors of its dimension, the
    run stops: what is done is returned, with the error in `stopped`.
    """
    run = _Run(embedder, texts)
    stopped = run.finish()
    done = [int(position) for position in np.flatnonzero(run.is_done)]
    return Embedding(run.vectors, done, run.failed, run.shortened, run.over_limit, stopped)


Range = tuple[int, int]


class _Run:
    """One pass over the texts: what is done, and what failed."""

    def __init__(self, embedder: Embedder, texts: Sequence[str]) -> None:
        self._embedder = embedder
        self._whole = texts
        self._batch = int(getattr(embedder, "batch_size", BATCH))
        self._failures = 0
        self.failed: dict[int, str] = {}
        self.shortened: dict[int, str] = {}
        self.over_limit: dict[int, str] = {}
        self._texts = self._readable()
        self.vectors = np.zeros((len(texts), embedder.dim), dtype=np.float32)
        self.is_done = np.zeros(len(texts), dtype=bool)

    def _readable(self) -> list[str]:
        """The texts, those cut that the embedder would not read to the end."""
        limit = Limit(self._embedder)
        texts = [limit.beginning(text) for text in self._whole]
        for position, text in enumerate(texts):
            if len(text) < len(self._whole[position]):
                self.over_limit[position] = self._said(position, len(text), limit.reason)
        return texts

    def finish(self) -> EmbedError | None:
        """Embed what there is to embed; returns the error that ended it early."""
        starts = range(0, len(self._texts), self._batch)
        waiting = deque((start, min(start + self._batch, len(self._texts))) for start in starts)
        many = int(getattr(self._embedder, "concurrency", 1))
        if many == 1:
            return self._work(waiting, 1, None)
        pool = ThreadPoolExecutor(many)
        try:
            return self._work(waiting, many, pool)
        finally:  # nothing runs any more, unless the user interrupted it, who is not to wait
            pool.shutdown(wait=False, cancel_futures=True)

    def _work(self, waiting: deque[Range], many: int, pool: Executor | None) -> EmbedError | None:
        asked: dict[Future[Vectors], Range] = {}
        try:
            while waiting or asked:
                while waiting and len(asked) < many:
                    start, stop = waiting.popleft()
                    if stop - start > self._batch:
                        waiting.extendleft(reversed(_halves(start, stop)))
                    else:
                        asked[self._ask(start, stop, pool)] = (start, stop)
                for future in wait(asked, return_when=FIRST_COMPLETED).done:
                    waiting.extendleft(reversed(self._receive(*asked.pop(future), future)))
        except EmbedError as error:
            self._keep(asked)
            return error
        return None

    def _ask(self, start: int, stop: int, pool: Executor | None) -> Future[Vectors]:
        texts = self._texts[start:stop]

        def call() -> Vectors:
            # The embedder may do with its list what it likes.
            return checked(self._embedder, self._embedder.embed(texts), stop - start)

        return _now(call) if pool is None else pool.submit(call)

    def _receive(self, start: int, stop: int, future: Future[Vectors]) -> list[Range]:
        """Take an answer; returns the ranges that are to be asked for anew."""
        error = future.exception()
        if error is None:
            self._failures = 0
            self._store(start, stop, future.result())
            return []
        if not isinstance(error, Exception) or _is_final(error):
            raise error
        self._failures += 1
        if self._failures >= FAILURES:
            self._probe(error)
            self._failures = 0
        if isinstance(error, MemoryError | TooLargeError):
            # Later batches of this size would fail as well.
            self._batch = min(self._batch, max(1, (stop - start) // 2))
        if stop - start > 1:
            return _halves(start, stop)
        self._shorten(start, error)
        return []

    def _keep(self, asked: dict[Future[Vectors], Range]) -> None:
        """Take the answers that were still under way when the run was stopped."""
        for future, (start, stop) in asked.items():
            if future.exception() is None:
                self._store(start, stop, future.result())

    def _store(self, start: int, stop: int, vectors: Vectors) -> None:
        self.vectors[start:stop] = vectors
        self.is_done[start:stop] = True

    def _shorten(self, position: int, error: Exception) -> None:
        """Embed the longest beginning that works, or give the text up."""
        text = self._texts[position]
        reason = told(error)
        length = len(text) // 2
        while length >= SHORTEST:
            future = _now(self._embedder.embed, [text[:length]])
            failure = future.exception()
            if failure is None:
                vectors = checked(self._embedder, future.result(), 1)
                self._store(position, position + 1, vectors)
                self.shortened[position] = self._said(position, length, reason)
                self.over_limit.pop(position, None)
                return
            if _is_final(failure):
                raise failure
            length //= 2
        self._probe(error)
        self.over_limit.pop(position, None)
        self.failed[position] = reason

    def _said(self, position: int, length: int, reason: str) -> str:
        return f"only {length} of {len(self._whole[position])} characters; {reason}"

    def _probe(self, cause: Exception) -> None:
        """Raise an EmbedError where the embedder takes nothing at all."""
        try:
            answer = self._embedder.embed([PROBE])
        except Exception as error:  # whatever it is, the embedder cannot be used
            if isinstance(cause, EmbedError):
                raise cause from error
            raise EmbedError(
                self._embedder.name,
                f"down, a text of one letter fails ({told(cause)})",
                "check that it runs, then refresh again: what is done is kept",
                is_final=True,
            ) from error
        checked(self._embedder, answer, 1)


def _now(call: Callable[..., Vectors], *arguments: object) -> Future[Vectors]:
    """The outcome of a call made at once, in this thread; an interruption goes through."""
    future: Future[Vectors] = Future()
    try:
        future.set_result(call(*arguments))
    except Exception as error:  # any embedder, any error: the texts decide what it means
        future.set_exception(error)
    return future


def _is_final(error: BaseException) -> bool:
    return isinstance(error, EmbedError) and error.is_final


def _halves(start: int, stop: int) -> list[Range]:
    middle = (start + stop) // 2
    return [(start, middle), (middle, stop)]
