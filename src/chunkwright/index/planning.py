"""What a refresh has to look at: which files there are now, which the index knows, which of them
may have changed. Files are listed here, not opened.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import NamedTuple

from chunkwright import sources
from chunkwright.errors import ConfigError
from chunkwright.index.setup import Setup
from chunkwright.sources import Keep, Skip
from chunkwright.store.rows import FileRecord
from chunkwright.store.schema import FAILED, INDEXED, SKIPPED

NOT_FOUND = ("not found", "neither on disk nor in the index")
"""Reason and rule of a path that was asked for and means nothing."""


class Plan(NamedTuple):
    """The work of one refresh."""

    keeps: Sequence[Keep]
    """Files that are there and are to be indexed, changed or not."""
    skips: Sequence[Skip]
    gone: Sequence[FileRecord]
    """What the index knows and is not to know any more."""
    unknown: Sequence[str]
    """Paths that were asked for and are neither here nor there."""


def plan(setup: Setup, known: Mapping[str, FileRecord], paths: Iterable[str] | None) -> Plan:
    """Compare the tree, or what lies at `paths` (as `sources.relative` gives them), with what the
    index knows."""
    asked = None if paths is None else frozenset(paths)
    found = list(_found(setup, asked))
    keeps = [one for one in found if isinstance(one, Keep)]
    absent = {one.path for one in found if _is_absence(one)}
    skips = [one for one in found if isinstance(one, Skip) and one.path not in absent]
    present = {keep.path for keep in keeps}
    gone = [
        record
        for path, record in known.items()
        if path not in present and (asked is None or _is_under(path, asked))
    ]
    understood = {place for record in gone for place in _places(record.path)}
    return Plan(keeps, skips, gone, sorted(absent - understood) if asked is not None else [])


def is_unchanged(record: FileRecord | None, keep: Keep, fingerprint: str, rules_mark: str) -> bool:
    """Whether size, time and settings are those with which the file was last looked at."""
    if record is None or (record.size, record.mtime_ns) != (keep.size, keep.mtime_ns):
        return False
    # A failed file is tried again each time: its cause may lie outside of it.
    current = {INDEXED: fingerprint, SKIPPED: rules_mark, FAILED: None}
    return record.fingerprint == current.get(record.status)


def relative_paths(root: Path, paths: Iterable[str | Path]) -> list[str]:
    """Paths from the root on.

    Raises PathError for one that lies outside of it, ConfigError where the paths are one path.
    """
    if isinstance(paths, str | Path):  # a str would be taken for paths of one letter each
        raise ConfigError("paths", str(paths), "a list of paths, even of one")
    return [sources.relative(root, path, must_exist=False) for path in paths]


def _found(setup: Setup, asked: frozenset[str] | None) -> Iterator[Keep | Skip]:
    """The answers about the tree, or about what is asked for, without the index itself."""
    own = f"{_inside(setup)}/"
    is_all = asked is None or "." in asked
    answers = sources.walk(setup.root, setup.rules) if is_all else _asked_for(setup, asked or ())
    return (one for one in answers if not one.path.startswith(own))


def _asked_for(setup: Setup, asked: Iterable[str]) -> Iterator[Keep | Skip]:
    seen: set[str] = set()
    for path in sorted(asked):
        if not _is_under(path, seen):
            seen.add(path)
            if (setup.root / path).is_dir():
                yield from sources.walk(setup.root, setup.rules, under=path)
            else:
                yield sources.decide(setup.root, path, setup.rules)


def _inside(setup: Setup) -> str:
    """Where the index lies from the root on; a path that cannot be where it lies elsewhere."""
    if setup.folder.is_relative_to(setup.root):
        return setup.folder.relative_to(setup.root).as_posix()
    return "/"


def _is_under(path: str, places: Set[str]) -> bool:
    return any(place in places for place in _places(path))


def _places(path: str) -> Iterator[str]:
    """The path itself, every folder it lies in, and the root."""
    yield path
    end = path.rstrip("/").rfind("/")
    while end > 0:
        yield path[:end]
        end = path.rfind("/", 0, end)
    yield "."


def _is_absence(found: Keep | Skip) -> bool:
    return isinstance(found, Skip) and found.reason == "vanished"
