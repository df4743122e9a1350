"""Files that a command writes: whole, or not at all."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from chunkwright.errors import PathError


def write(path: Path, pieces: Iterable[str]) -> None:
    """Write beside the place and move there, so that a failure leaves no half page.

    Raises PathError where that cannot be done.
    """
    with _beside(path) as beside:
        with beside.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(pieces)
        beside.replace(path)


def require_place(path: Path) -> None:
    """Raises PathError where `write` could not, for who has much to do before there is a text."""
    with _beside(path) as beside:
        beside.touch()
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """A file beside the place, gone after the block. What cannot be done is a PathError."""
    try:
        beside = path.parent / f".{path.name}.{os.getpid()}"
        try:
            yield beside
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise PathError(str(path), reason, "give a file that can be written") from None
