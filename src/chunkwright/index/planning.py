"""What a refresh has to look at: which files there are now, which the index knows, which of them
may have changed. Files are listed here, not opened.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Set
from pathlib import Path
from typing import NamedTuple

import msgspec

from chunkwright import pipeline, sources
from chunkwright.errors import ConfigError
from chunkwright.index.setup import Setup
from chunkwright.sources import FAILURES, Keep, Skip
from chunkwright.store import FOLDER
from chunkwright.store.rows import FileRecord
from chunkwright.store.schema import SKIPPED
from chunkwright.types import Document

VANISHED = "vanished"
"""Reason of a file that was listed and then not there."""

NOT_FOUND = ("not found", "neither on disk nor in the index")
"""Reason and rule of a path that was asked for and means nothing."""


class Listing(NamedTuple):
    """What lies in the tree, or at the paths that were asked for."""

    keeps: list[Keep]
    skips: list[Skip]
    absent: frozenset[str]
    """Paths that were asked for, or listed, and are not there."""

    def unread(self) -> frozenset[str]:
        """Files and folders the system refused: what is there now is not known."""
        return frozenset(skip.path.rstrip("/") for skip in self.skips if skip.reason in FAILURES)

    def mark(self, setup: Setup) -> str:
        """Equal for equal files, sizes, times and settings; "" where something was not listed."""
        if self.unread():
            return ""
        content = msgspec.msgpack.encode((self.keeps, setup.rules_mark, setup.fingerprint()))
        return hashlib.sha256(content).hexdigest()


class Known(msgspec.Struct, frozen=True):
    """What the index knows of the tree, and what it was found out with."""

    files: dict[str, FileRecord]
    is_current: bool
    """Whether all of it was cut with the options of today."""
    verify: bool = False
    """Whether a file of the same size and time may have changed all the same."""


class Plan(NamedTuple):
    """The work of one refresh."""

    keeps: list[tuple[Keep, FileRecord | None]]
    """Files that are new or may have changed, with what is known of them."""
    gone: list[FileRecord]
    """What the index knows and is not to know any more."""
    unknown: list[str]
    """Paths that were asked for and are neither here nor there."""


def listed(setup: Setup, paths: Iterable[str] | None) -> Listing:
    """Look at the tree, or at what lies at `paths` (as `sources.relative` gives them)."""
    keeps, skips, absent = [], [], set()
    for found in _found(setup, None if paths is None else frozenset(paths)):
        if isinstance(found, Keep):
            keeps.append(found)
        elif found.reason == VANISHED:
            absent.add(found.path)
        else:
            skips.append(found)
    return Listing(keeps, skips, frozenset(absent))


def plan(setup: Setup, known: Known, listing: Listing, paths: Iterable[str] | None) -> Plan:
    """Compare what was listed with what the index knows."""
    keeps, rest = [], dict(known.files)
    marks = {*setup.fingerprints().values(), setup.rules_mark}
    for keep in listing.keeps:
        record = rest.pop(keep.path, None)
        if (
            record is None
            or record.mtime_ns != keep.mtime_ns
            or record.size != keep.size
            or record.fingerprint not in marks
            or known.verify
            or not (known.is_current or _is_cut_as_now(setup, record))
        ):
            keeps.append((keep, record))
    unread = listing.unread()
    if unread:
        rest = {path: one for path, one in rest.items() if not _stays(setup, one, unread)}
    if paths is None:
        return Plan(keeps, list(rest.values()), [])
    asked = frozenset(paths)
    gone = [record for path, record in rest.items() if _is_under(path, asked)]
    understood = {place for record in gone for place in _places(record.path)}
    return Plan(keeps, gone, sorted(listing.absent - understood))


def _stays(setup: Setup, record: FileRecord, unread: frozenset[str]) -> bool:
    """Whether what is known of a file is kept, because the place where it lay cannot be read."""
    return _is_under(record.path, unread) and _is_cut_as_now(setup, record)


def _is_cut_as_now(setup: Setup, record: FileRecord) -> bool:
    """Whether the chunker of this file has the options it had; those of the others may differ."""
    if record.status == SKIPPED:
        return True
    return record.fingerprint == fingerprint_of(setup, record.path, record.language)


def fingerprint_of(setup: Setup, path: str, language: str) -> str:
    """Of the options that a document is cut with."""
    document = Document("", path=path, language=language)
    return setup.fingerprints()[pipeline.family_of(document)]


def relative_paths(root: Path, paths: Iterable[str | Path]) -> list[str]:
    """Paths from the root on.

    Raises PathError for one that lies outside of it, ConfigError where the paths are one path.
    """
    if isinstance(paths, str | Path):  # a str would be taken for paths of one letter each
        raise ConfigError("paths", str(paths), "a list of paths, even of one")
    return [_relative(root, path) for path in paths]


def _relative(root: Path, path: object) -> str:
    if not isinstance(path, str | os.PathLike):
        raise ConfigError("path", path, "a string or a Path")
    return sources.relative(root, path, must_exist=False)


def _found(setup: Setup, asked: frozenset[str] | None) -> Iterator[Keep | Skip]:
    """The answers about the tree, or about what is asked for, without the index itself."""
    is_all = asked is None or "." in asked
    answers = sources.walk(setup.root, setup.rules) if is_all else _asked_for(setup, asked or ())
    own = _inside(setup)
    return (one for one in answers if not one.path.startswith(own)) if own else answers


def _asked_for(setup: Setup, asked: Iterable[str]) -> Iterator[Keep | Skip]:
    seen: set[str] = set()
    for path in sorted(asked):
        if not _is_under(path, seen):
            seen.add(path)
            if os.path.isdir(setup.root / path):  # False, too, where that cannot be told
                yield from sources.walk(setup.root, setup.rules, under=path)
            else:
                yield sources.decide(setup.root, path, setup.rules)


def _inside(setup: Setup) -> str:
    """Where the index lies from the root on, with a slash; "" where no walk comes by."""
    if setup.folder.name == FOLDER or not setup.folder.is_relative_to(setup.root):
        return ""  # a folder of that name is never entered
    return f"{setup.folder.relative_to(setup.root).as_posix()}/"


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
