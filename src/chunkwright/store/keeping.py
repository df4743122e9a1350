"""Chunks that were read lately, kept so that the next question need not read them again. Which are
read is not decided here.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from itertools import islice

from chunkwright.types import Chunk

MOST_KEPT = 8192
"""Chunks: some 25 MB of the usual size."""

LET_GO = 4
"""Where there are too many, one in so many goes: those that came first."""

InFile = tuple[Chunk, int]
"""A chunk, and the number of the file it is of."""


class KeptChunks:
    """By row. What a row holds never changes, and no number is given twice, as long as the index is
    the same (its `birth`). Safe among threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._birth = ""
        self._chunks: dict[int, InFile] = {}

    def get(self, birth: str, rows: Iterable[int]) -> dict[int, InFile]:
        """Those of the rows that are kept of this index."""
        with self._lock:
            if birth != self._birth:
                self._birth, self._chunks = birth, {}
            chunks = self._chunks
            return {row: chunks[row] for row in rows if row in chunks}

    def keep(self, birth: str, found: Mapping[int, InFile]) -> None:
        """Keep these too, and let the oldest go where there are too many."""
        with self._lock:
            if birth != self._birth:
                return
            self._chunks.update(found)
            if len(self._chunks) > MOST_KEPT:
                surplus = max(len(self._chunks) - MOST_KEPT, MOST_KEPT // LET_GO)
                for row in list(islice(self._chunks, surplus)):
                    del self._chunks[row]

    def clear(self) -> None:
        """Let all of them go."""
        with self._lock:
            self._chunks = {}
