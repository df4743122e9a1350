"""The index on disk: one SQLite file that is the system of record, a memory-mapped copy of its
vectors, and a lock. What to store, and what an answer is worth, is decided elsewhere.

`Store.reading()` gives a `Snapshot`, `Store.writing()` a `Writer`; the rows they speak of are in
`rows`. Any number of threads may use a store at the same time.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from pathlib import Path

from chunkwright.errors import CorruptIndexError, StoreError
from chunkwright.store import seals, sidecar, verifying
from chunkwright.store.database import (
    IGNORE,
    IGNORED,
    NAME,
    REBUILD,
    Database,
    no_index,
    reachable,
)
from chunkwright.store.entries import EntryRow, readable, stored_count
from chunkwright.store.keeping import KeptChunks
from chunkwright.store.lock import NAME as LOCK
from chunkwright.store.lock import TRIES, writer_lock
from chunkwright.store.reading import Snapshot
from chunkwright.store.rows import Vectors
from chunkwright.store.writing import Writer

FOLDER = ".chunkwright"
"""Where an index lies under its root, unless it is put elsewhere."""

REFRESHED = "refreshed"
"""An empty file whose time says when the index was last up to date: noting it in the database would
have every look at an unchanged tree change the database."""

OWN_FILES = (NAME, f"{NAME}-*", "vectors-*", f"{seals.NAME}*", REFRESHED)
"""What an index consists of, beside the lock and the .gitignore; anything else in its folder is not
ours to remove."""


RACES = 10
"""Times a folder is made again that somebody removed before there was a lock in it."""


class Store:
    """An index in a folder; nothing is made or opened before it is needed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / NAME
        self._database = Database(self.path)
        self._lock = threading.Lock()
        self._trusted: tuple[str, int] | None = None
        """Mark and era of the state whose pages were found to be as they were written."""
        self._kept = KeptChunks()
        self._vectors: tuple[tuple[str, int, str], Vectors] | None = None
        self.copy_is_stale = False
        """Whether the last vectors asked for had to be made from the database."""

    def exists(self) -> bool:
        """Whether there is an index to read. Raises CorruptIndexError for anything else there."""
        return self._database.exists()

    def create(self) -> None:
        """Make the folder and an empty index, where there is none yet."""
        self._database.create()

    @contextmanager
    def reading(self) -> Iterator[Snapshot]:
        """One moment of the index. Raises StoreError where there is no index."""
        with self._database.reading() as connection:
            if not self._database.has_tables(connection):
                raise no_index(self.path)
            snapshot = Snapshot(connection, str(self.path), self._kept)
            self._check(snapshot)
            yield snapshot

    def _check(self, snapshot: Snapshot) -> None:
        """Compare the file with its seal, once for each state and process.

        While the log is empty SQLite reads from the file itself, and a reader keeps it from being
        changed; a sealed state has an empty log.
        """
        mark = snapshot.mark()
        state = mark, self._database.era
        if not mark or state == self._trusted:
            return
        with self._lock, reachable(self.path):
            seal = seals.load(self.folder)
            if seal is None or seal.mark != mark:
                return  # its writer ended before it could seal
            difference = seals.difference(self.path, seal)
            if difference:
                raise CorruptIndexError(str(self.path), f"damaged ({difference})", REBUILD)
            self._trusted = state

    @contextmanager
    def writing(self) -> Iterator[Writer]:
        """A transaction: all of it is kept, or, after an exception, nothing."""
        with self._database.writing() as connection:
            writer = Writer(connection)
            writer.set_mark("")
            yield writer

    @contextmanager
    def locked(self, tries: int = TRIES) -> Iterator[None]:
        """The right to change the index, across processes. Raises LockedError."""
        with ExitStack() as stack:
            self._enter(stack, tries)
            # Whoever took the lock away had taken git's ignore file before; now nobody can.
            self._database.make_folder()
            yield
            with suppress(StoreError):  # what was written is kept, sealed or not
                self._seal()

    def _enter(self, stack: ExitStack, tries: int) -> None:
        """Take the lock in a folder that others may be removing: made again where they did."""
        for left in reversed(range(RACES)):
            try:
                self._database.make_folder()
                with reachable(self.path):
                    stack.enter_context(writer_lock(self.folder, tries))
            except StoreError as error:
                is_race = isinstance(error.__cause__, FileNotFoundError | FileExistsError)
                if not (left and is_race):
                    raise
            else:
                return

    def _seal(self) -> None:
        """Sum the file up, where it was changed since that was done."""
        if not self._database.exists() or self.is_sealed():
            return
        mark = seals.new_mark()
        with self._database.writing() as connection:
            Writer(connection).set_mark(mark)
        if self._database.checkpoint():
            with self._database.reading() as connection, reachable(self.path):
                snapshot = Snapshot(connection, str(self.path))
                if snapshot.mark() == mark:
                    sums = seals.sums_of(self.path)
                    seals.save(self.folder, seals.Seal(mark, sums, snapshot.entries.count() > 0))
                    self._trusted = mark, self._database.era

    def is_sealed(self) -> bool:
        """Whether there are sums of the file as it is now."""
        with self._database.reading() as connection:
            mark = Snapshot(connection, str(self.path)).mark()
        return mark != "" and mark == seals.mark_of(self.folder)

    def problems(self) -> list[str]:
        """Everything that is wrong with the database; empty where nothing is."""
        found: list[str] = []
        try:
            with self._database.reading() as connection:
                if not self._database.has_tables(connection):
                    raise no_index(self.path)
                found += self._seal_problems(Snapshot(connection, str(self.path)))
                found += verifying.sqlite_problems(connection)
                found += verifying.row_problems(connection)
            if os.access(self.path, os.W_OK):
                with self._database.writing() as connection:
                    found += verifying.word_problems(connection)
        except CorruptIndexError as error:
            found.append(error.reason)
        return found

    def _seal_problems(self, snapshot: Snapshot) -> list[str]:
        mark, seal = snapshot.mark(), seals.load(self.folder)
        if seal is None or seal.mark != mark:
            return []
        difference = seals.difference(self.path, seal)
        return [difference] if difference else []

    def copy_problem(self, snapshot: Snapshot, dim: int) -> str:
        """What is wrong with the memory-mapped copy of the vectors, where there is to be one."""
        generation = self._generation(snapshot.meta())
        if not self.has_current_copy(snapshot):
            return ""
        is_empty = not snapshot.sidecar()[1]  # type: ignore[index]  # it is current, so it is there
        if is_empty or sidecar.load(self.folder, snapshot, generation, dim) is not None:
            return ""
        if not self.has_current_copy(snapshot):
            return ""  # a writer has removed it meanwhile
        return "not what was written; a search does without it, and makes it again"

    def note_refresh(self) -> None:
        """Remember that the index is up to date now."""
        with reachable(self.path):
            (self.folder / REFRESHED).touch()

    def refreshed(self) -> float | None:
        """When that was last noted, in seconds since 1970; None: never."""
        try:
            return (self.folder / REFRESHED).stat().st_mtime
        except OSError:
            return None

    def vectors(self, snapshot: Snapshot, model: str, dim: int) -> Vectors:
        """The vectors of a moment: the checked memory-mapped copy, or made from the database."""
        facts = snapshot.meta()
        generation = self._generation(facts)
        key = (facts.get("birth", ""), generation, model)
        with self._lock:
            if self._vectors is None or self._vectors[0] != key:
                loaded = sidecar.load(self.folder, snapshot, generation, dim)
                built = loaded or sidecar.build(snapshot, model, dim, str(self.path))
                self._vectors = (key, built)
                self.copy_is_stale = loaded is None and len(built.rows) > 0
            return self._vectors[1]

    def has_current_copy(self, snapshot: Snapshot) -> bool:
        """Whether the memory-mapped copy is of this moment (its content is checked on reading)."""
        record = snapshot.sidecar()
        generation = self._generation(snapshot.meta())
        is_current = record is not None and record[0] == generation
        return is_current and (self.folder / sidecar.file_name(generation)).exists()

    def publish(self, model: str, dim: int) -> None:
        """Make the memory-mapped copy anew where it is missing or stale; call it `locked`."""
        with self.reading() as snapshot:
            generation = self._generation(snapshot.meta())
            vectors = self.vectors(snapshot, model, dim)
        with reachable(self.path):
            checksum = sidecar.save(self.folder, generation, vectors)
        with self.writing() as writer:
            writer.put_sidecar(generation, vectors.rows.astype("<i8").tobytes(), checksum)
        self.copy_is_stale = False
        sidecar.sweep(self.folder, generation)

    def publish_if_free(self, model: str, dim: int) -> None:
        """The same for a reader that found no copy: only where nobody is writing, and where the
        place can be written."""
        with suppress(StoreError), self.locked(tries=1):
            self.publish(model, dim)

    def _generation(self, facts: Mapping[str, str]) -> int:
        """The number that every change raises."""
        try:
            return int(facts["generation"])
        except (KeyError, ValueError):
            raise CorruptIndexError(str(self.path), "its generation is gone", REBUILD) from None

    def delete(self) -> None:
        """Remove the index from the disk, damaged or not, but for the lock; call it `locked`.

        Raises StoreError where the file is another program's.
        """
        self.close()
        with reachable(self.path):
            if self.path.exists() and not self._database.is_ours():
                raise StoreError(str(self.path), "is not an index", "move it away by hand")
            self._database.close()
            for pattern in OWN_FILES:
                for file in self.folder.glob(pattern):
                    file.unlink(missing_ok=True)

    def replace(self) -> tuple[list[EntryRow], str]:
        """An empty index in place of one that cannot be emptied; call it `locked`.

        Returns what was put and can be read, to be put back, and the name under which the old file
        is kept, "" where nothing in it is lost.
        """
        self.close()
        if not self.path.exists():
            return [], ""
        found, count = readable(self.path), stored_count(self.path)
        seal = seals.load(self.folder)
        if count is None and seal is not None and not seal.has_documents:
            count = 0
        is_lost = count is None or count > len(found)
        aside = self._set_aside() if is_lost and self._database.is_ours() else ""
        self.delete()
        self.create()
        return found, aside

    def _set_aside(self) -> str:
        names = (f"{NAME}.damaged{number or ''}" for number in count())
        with reachable(self.path):
            target = next(self.folder / name for name in names if not (self.folder / name).exists())
            self.path.replace(target)
        return target.name

    def remove(self) -> bool:
        """Remove the index, the lock, and the folder where nothing else lies in it; returns whether
        there was an index. A folder that merely bears the name is left alone.

        Raises LockedError while another process writes.
        """
        if not all((self.folder / name).is_file() for name in (NAME, LOCK)):
            return False
        with ExitStack() as stack:
            with reachable(self.path):
                stack.enter_context(writer_lock(self.folder))
            self.delete()
            self._leave()
        if sys.platform == "win32":
            self._leave()  # an open file cannot be removed there, by whomever it is open
        return True

    def _leave(self) -> None:
        """Remove the lock, held so that nobody else holds it, and the empty folder. The lock goes
        last: from then on the folder may be another one's."""
        with suppress(OSError):
            ignore = self.folder / IGNORE
            if ignore.read_text("utf-8") == IGNORED:
                ignore.unlink()
        with suppress(OSError):
            (self.folder / LOCK).unlink()
        with suppress(OSError):
            self.folder.rmdir()

    def size(self) -> int:
        """Bytes on disk."""
        with reachable(self.path):
            patterns = ("vectors-*.npy", seals.NAME)
            found = [path for pattern in patterns for path in self.folder.glob(pattern)]
            return self._database.size() + sum(path.stat().st_size for path in found)

    def close(self) -> None:
        """Let go of connections and of the memory map."""
        self._kept.clear()
        with self._lock:
            self._vectors = None
        self._database.close()
