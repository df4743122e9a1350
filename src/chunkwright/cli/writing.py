"""Files that a command writes: whole, or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from chunkwright.errors import PathError


def write(path: Path, pieces: Iterable[str]) -> None:
    """Write beside the place and move there, so that a failure leaves no half page.

    Raises PathError where that cannot be done.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(pieces)
        beside.replace(path)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise PathError(str(path), reason, "give a file that can be written") from None
    finally:
        beside.unlink(missing_ok=True)
