"""The index on disk: one SQLite file that is the system of record, a memory-mapped copy of its
vectors, and a lock. What to store, and what an answer is worth, is decided elsewhere.

`Store.reading()` gives a `Snapshot`, `Store.writing()` a `Writer`; the rows they speak of are in
`rows`. Any number of threads may use a store at the same time.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from chunkwright.errors import CorruptIndexError, StoreError
from chunkwright.store import sidecar
from chunkwright.store.database import NAME, REBUILD, Database, no_index, reachable
from chunkwright.store.lock import TRIES, writer_lock
from chunkwright.store.reading import Snapshot
from chunkwright.store.rows import Vectors
from chunkwright.store.writing import Writer

FOLDER = ".chunkwright"
"""Where an index lies under its root, unless it is put elsewhere."""


class Store:
    """An index in a folder; nothing is made or opened before it is needed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / NAME
        self._database = Database(self.path)
        self._lock = threading.Lock()
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
            yield Snapshot(connection, str(self.path))

    @contextmanager
    def writing(self) -> Iterator[Writer]:
        """A transaction: all of it is kept, or, after an exception, nothing."""
        with self._database.writing() as connection:
            yield Writer(connection)

    @contextmanager
    def locked(self, tries: int = TRIES) -> Iterator[None]:
        """The right to change the index, across processes. Raises LockedError."""
        self._database.make_folder()
        with ExitStack() as stack:
            with reachable(self.path):
                stack.enter_context(writer_lock(self.folder, tries))
            yield

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
        """Remove the index from the disk, damaged or not; only what belongs to it.

        Raises StoreError where the file is another program's.
        """
        self.close()
        if self.path.exists() and not self._database.is_ours():
            raise StoreError(str(self.path), "is not an index", "move it away by hand")
        self._database.delete()
        with reachable(self.path):
            sidecar.sweep(self.folder, -1)

    def size(self) -> int:
        """Bytes on disk."""
        with reachable(self.path):
            copies = sum(path.stat().st_size for path in self.folder.glob("vectors-*.npy"))
        return self._database.size() + copies

    def close(self) -> None:
        """Let go of connections and of the memory map."""
        with self._lock:
            self._vectors = None
        self._database.close()
