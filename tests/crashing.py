"""A process that works on an index and kills itself at a chosen moment, for the tests of what it
leaves. Run as a program:

    crashing.py ROOT FOLDER SIZE ACT [STAGE NUMBER MICROSECONDS]

ACT is refresh, rebuild or clean. Every step passes through a stage; at step NUMBER of STAGE the
process is killed, so many microseconds into it. Without one, it prints how many steps each stage
has.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

NOT_WRITING = {"lock", "read", "chunk"}
"""Stages in which nothing of the index is being changed."""

STATEMENTS = {
    "COMMIT": "commit",
    "PRAGMA wal_checkpoint": "checkpoint",
    "INSERT INTO chunks": "chunks",
    "INSERT INTO words": "words",
    "INSERT INTO files": "files",
    "DELETE FROM files": "removal",
    "DELETE FROM vectors": "pruning",
    "REPLACE INTO vectors": "vectors",
    "INSERT INTO sidecar": "record of the copy",
    "REPLACE INTO meta": "facts",
    "UPDATE meta": "facts",
    "DROP TABLE": "clearing",
    "CREATE": "tables",
    "SELECT": "read",
}
"""How a statement begins -> its stage."""


class Bomb:
    """Counts the steps of every stage, and goes off at one of them."""

    def __init__(self, stage: str = "", number: int = 0, delay: float = 0.0) -> None:
        self.steps: Counter[str] = Counter()
        self._stage, self._number, self._delay = stage, number, delay

    def step(self, stage: str) -> None:
        self.steps[stage] += 1
        if stage == self._stage and self.steps[stage] == self._number:
            if self._delay:
                threading.Thread(target=self._go_off, daemon=True).start()
            else:
                self._go_off()

    def _go_off(self) -> None:
        time.sleep(self._delay)
        os.kill(os.getpid(), signal.SIGKILL)

    def statement(self, sql: str) -> None:
        for start, stage in STATEMENTS.items():
            if sql.startswith(start):
                self.step(stage)
                return

    def wired(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, with a step before it and one after it."""

        def stepping(*arguments: Any, **named: Any) -> Any:
            self.step(stage)
            result = function(*arguments, **named)
            self.step(stage)
            return result

        return stepping


def wire(bomb: Bomb) -> None:
    """Have every step of this process pass by."""
    from chunkwright import pipeline
    from chunkwright.index import refreshing
    from chunkwright.store import connections, lock

    connect = connections.Connection.__init__

    def traced(connection: connections.Connection, *arguments: Any, **named: Any) -> None:
        connect(connection, *arguments, **named)
        connection.set_trace_callback(bomb.statement)

    # The system's calls and ours, each at the name it is called by.
    changes: list[tuple[Any, str, Any]] = [
        (connections.Connection, "__init__", traced),
        (os, "fsync", bomb.wired("copy", os.fsync)),
        (Path, "replace", bomb.wired("swap", Path.replace)),
        (Path, "write_bytes", bomb.wired("seal", Path.write_bytes)),
        (Path, "unlink", bomb.wired("deletion", Path.unlink)),
        (lock, "_take", bomb.wired("lock", lock._take)),
        (pipeline, "chunk", bomb.wired("chunk", pipeline.chunk)),
        (refreshing, "GROUP_FILES", 2),  # many small transactions: many places to be killed in
    ]
    for owner, name, value in changes:
        setattr(owner, name, value)


def main(root: str, folder: str, size: str, act: str, *moment: str) -> None:
    import chunkwright as cw
    from chunkwright.embedding.hashing import HashingEmbedder
    from chunkwright.index import remove_index

    bomb = Bomb(moment[0], int(moment[1]), int(moment[2]) / 1e6) if moment else Bomb()
    wire(bomb)
    if act == "clean":
        remove_index(Path(folder))
    else:
        with cw.Index(root, HashingEmbedder(64), {"size": int(size)}, index_dir=folder) as index:
            index.rebuild() if act == "rebuild" else index.refresh()
    print(json.dumps(bomb.steps))


if __name__ == "__main__":
    main(*sys.argv[1:])
