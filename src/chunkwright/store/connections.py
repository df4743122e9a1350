"""Connections to SQLite files, counted as uses of their file for as long as they are open. What is
asked over them is not known here.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path

from chunkwright.store.pages import Use

BUSY_SECONDS = 30.0
"""How long a connection waits for another one's commit; commits take milliseconds."""


class Connection(sqlite3.Connection):
    """A connection to the file at `path`, which may be made by it where `query` is empty; `query`:
    what stands behind the file's address, such as "mode=ro"."""

    _use: Use | None = None

    def __init__(self, path: Path, query: str = "") -> None:
        place = f"{path.resolve().as_uri()}{'?' * bool(query)}{query}"
        self._use = Use(path)
        try:
            super().__init__(
                place, uri=True, isolation_level=None, timeout=BUSY_SECONDS, check_same_thread=False
            )
            # Nothing is locked before the first statement.
            self._use.again(path)
        except BaseException:
            self._use.end()
            raise

    def close(self) -> None:
        """Close it, and the handle to the file's pages with the last one."""
        super().close()
        if self._use is not None:
            self._use.end()

    def __del__(self) -> None:
        # One that a parent process opened is left to the parent.
        if self._use is not None and self._use.is_ours():
            with suppress(sqlite3.Error):
                super().close()
            self._use.abandon()
