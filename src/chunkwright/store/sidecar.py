"""The memory-mapped copy of the vectors, `vectors-<generation>.npy`: made from the database,
swapped in whole, and believed only after it was checked against what the database says of it.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt

from chunkwright.errors import CorruptIndexError
from chunkwright.store.database import REBUILD
from chunkwright.store.reading import Snapshot
from chunkwright.store.rows import Vectors

_CHUNK_ROWS = 8192
"""Vectors checked at once."""


def file_name(generation: int) -> str:
    """Name of the copy of one generation."""
    return f"vectors-{generation}.npy"


def build(snapshot: Snapshot, model: str, dim: int, place: str) -> Vectors:
    """The vectors as the database has them; `place` names the index in an error."""
    count, position = snapshot.vector_count(model), -1
    rows = np.zeros(count, dtype=np.int64)
    matrix = np.zeros((count, dim), dtype=np.float32)
    # One more than there are to be: a damaged file may give any number of rows.
    found = islice(snapshot.vector_rows(model), count + 1)
    for position, (row, vector) in enumerate(found):
        if position == count:
            break
        if len(vector) != 4 * dim:
            raise CorruptIndexError(
                place, f"a vector of {len(vector)} bytes, not {4 * dim}", REBUILD
            )
        rows[position] = row
        matrix[position] = np.frombuffer(vector, dtype="<f4")
    if position != count - 1:
        raise CorruptIndexError(place, f"not the {count} vectors it should have", REBUILD)
    if not np.isfinite(matrix).all():
        raise CorruptIndexError(place, "a vector that is not a number", REBUILD)
    return Vectors(rows, matrix)


def save(folder: Path, generation: int, vectors: Vectors) -> int:
    """Write the copy beside the database, whole or not at all; returns its checksum."""
    target = folder / file_name(generation)
    temporary = folder / f"{target.name}.{os.getpid()}.tmp"
    try:
        with temporary.open("wb") as file:
            np.save(file, vectors.matrix)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
    return checksum(vectors.matrix)


def load(folder: Path, snapshot: Snapshot, generation: int, dim: int) -> Vectors | None:
    """The copy of `generation`; None where it is missing, stale, or not what was written."""
    record = snapshot.sidecar()
    if record is None or record[0] != generation:
        return None
    _, blob, expected = record
    rows = np.frombuffer(blob, dtype="<i8")
    if not len(rows):  # an empty array cannot be mapped
        return None
    matrix = _mapped(folder / file_name(generation))
    if matrix is None or matrix.shape != (len(rows), dim) or matrix.dtype != np.float32:
        return None
    if checksum(matrix) != expected:
        return None
    return Vectors(rows, matrix)


def sweep(folder: Path, generation: int) -> None:
    """Remove copies of other generations, and what ended processes left half-written.

    Where one is still mapped (on Windows) it stays until the next time.
    """
    for path in [*folder.glob("vectors-*.npy"), *folder.glob("vectors-*.tmp")]:
        if path.name != file_name(generation):
            with suppress(OSError):
                path.unlink()


def checksum(matrix: npt.NDArray[np.float32]) -> int:
    """CRC-32 of the values."""
    value = 0
    for block in _blocks(matrix):
        value = zlib.crc32(block, value)
    return value


def _blocks(matrix: npt.NDArray[np.float32]) -> Iterator[bytes | memoryview]:
    for start in range(0, len(matrix), _CHUNK_ROWS):
        yield np.ascontiguousarray(matrix[start : start + _CHUNK_ROWS]).data.cast("B")


def _mapped(path: Path) -> npt.NDArray[np.float32] | None:
    try:
        # Only arrays of plain numbers are mapped: no code, and no archive, can hide here.
        # As a plain array: the class of a map costs time in every operation.
        return np.asarray(np.lib.format.open_memmap(path, mode="r"))
    except Exception:  # a damaged header fails in whatever way numpy's parser does
        return None
