"""Whether the files an answer comes from are still what was indexed, and what is done where they
are not. How an index is refreshed is not here, nor how it is searched.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

from chunkwright import sources
from chunkwright.errors import ConfigError, LockedError
from chunkwright.index.setup import Setup
from chunkwright.sources import Skip
from chunkwright.store.rows import FileRecord

REFRESH, MARK, IGNORE = "refresh", "mark", "ignore"
WAYS = (REFRESH, MARK, IGNORE)
"""What can be done with a stale answer: index its files anew and ask again; say so; nothing."""

ROUNDS = 3
"""Times a question is asked again: files that are written all the while are never fresh."""

CHANGED, VANISHED = "changed", "vanished"
"""Values of `Hit.stale`."""


Answer = TypeVar("Answer")


class Seen(NamedTuple, Generic[Answer]):
    """An answer, and what the index knew of its files at that moment."""

    answer: Answer
    records: Mapping[str, FileRecord]


def check(way: object) -> None:
    """Raise ConfigError for a `stale` that is none."""
    if not isinstance(way, str) or way not in WAYS:
        raise ConfigError("stale", way, f"one of {', '.join(WAYS)}")


def settled(
    ask: Callable[[], Seen[Answer]],
    look: Callable[[Iterable[FileRecord]], dict[str, str]],
    refresh: Callable[[Sequence[str]], object],
    way: str,
) -> tuple[Answer, dict[str, str]]:
    """An answer and what is stale of it: asked for again, with REFRESH, while its files change.

    Whoever holds the right to write is not waited for: what is stale is marked then.
    """
    rounds = ROUNDS if way == REFRESH else 0
    while True:
        seen = ask()
        stale = {} if way == IGNORE else look(seen.records.values())
        if not stale or rounds == 0 or not _is_done(refresh, sorted(stale)):
            return seen.answer, stale
        rounds -= 1


def _is_done(refresh: Callable[[Sequence[str]], object], paths: Sequence[str]) -> bool:
    try:
        refresh(paths)
    except LockedError:
        return False
    return True


def stale_files(setup: Setup, records: Iterable[FileRecord]) -> dict[str, str]:
    """Path -> `changed` or `vanished`, of those that are not what was indexed.

    A document that was put is no file, and never stale.
    """
    states = {record.path: _state(setup, record) for record in records if not record.namespace}
    return {path: state for path, state in states.items() if state}


def _state(setup: Setup, record: FileRecord) -> str:
    """By size and time; where these do not tell, by the content."""
    try:
        facts = os.lstat(setup.root / record.path)
    except (FileNotFoundError, NotADirectoryError):
        return VANISHED
    except (OSError, ValueError):
        return CHANGED  # whatever is there, it cannot be looked at
    if not stat.S_ISREG(facts.st_mode) or facts.st_size != record.size:
        return CHANGED
    if facts.st_mtime_ns == record.mtime_ns:
        return ""
    source = sources.read(setup.root, record.path, setup.rules)
    if isinstance(source, Skip):
        return VANISHED if source.reason == "vanished" else CHANGED
    return "" if source.content_hash == record.content_hash else CHANGED
