"""The seal of an index: sums of its pages, kept beside it in `index.sums`, by which a reader knows
that not a bit of the file changed since it was written. When it is made and asked is not decided
here.

    12 bytes     MAGIC and CRC-32 of all that follows
    16 bytes     the mark: what the database says of itself while it is as it was summed
    16 bytes     whether it holds documents that were put: `documents`, or nothing but spaces
    the rest     the sums
"""

from __future__ import annotations

import os
import secrets
import zlib
from pathlib import Path
from typing import NamedTuple

import numpy as np

from chunkwright.store import pages

NAME = "index.sums"
MARK_SIZE = 16
MAGIC = b"cw sums\x01"

_DOCUMENTS = b"documents"
_HEAD = len(MAGIC) + 4


class Seal(NamedTuple):
    """The sums of a database's pages, the mark it bore then, and what it held."""

    mark: str
    sums: pages.Sums
    has_documents: bool
    """Whether something is lost with it that cannot be made anew."""


def new_mark() -> str:
    """A name for one state of the database; never given twice."""
    return secrets.token_hex(MARK_SIZE // 2)


def save(folder: Path, seal: Seal) -> None:
    """Write the seal, whole or not at all. Raises OSError."""
    holds = (_DOCUMENTS if seal.has_documents else b"").ljust(MARK_SIZE)
    content = seal.mark.encode() + holds + seal.sums.astype("<u8").tobytes()
    target = folder / NAME
    temporary = folder / f"{NAME}.{os.getpid()}.tmp"
    try:
        temporary.write_bytes(MAGIC + zlib.crc32(content).to_bytes(4) + content)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def load(folder: Path) -> Seal | None:
    """The seal; None where there is none, or where it is damaged itself."""
    try:
        content = (folder / NAME).read_bytes()
    except OSError:
        return None
    body = content[_HEAD:]
    if content[:_HEAD] != MAGIC + zlib.crc32(body).to_bytes(4) or len(body) % 16:
        return None
    mark, holds = body[:MARK_SIZE].decode("ascii", "replace"), body[MARK_SIZE : 2 * MARK_SIZE]
    sums = np.frombuffer(body[2 * MARK_SIZE :], dtype="<u8").reshape(-1, 2)
    return Seal(mark, sums, holds.startswith(_DOCUMENTS))


def mark_of(folder: Path) -> str:
    """The mark of the seal that lies there, unchecked; "" where there is none."""
    try:
        with (folder / NAME).open("rb") as file:
            return file.read(_HEAD + MARK_SIZE)[_HEAD:].decode("ascii", "replace")
    except OSError:
        return ""


def sums_of(path: Path) -> pages.Sums:
    """The sums of a database as it lies there."""
    return pages.sums(path)


def difference(path: Path, seal: Seal) -> str:
    """What is not as it was when the database was sealed; "" where everything is."""
    found, expected = pages.sums(path), seal.sums
    if len(found) != len(expected):
        return f"{len(found)} pages, not {len(expected)}"
    wrong = np.flatnonzero((found != expected).any(axis=1))
    if not len(wrong):
        return ""
    first = int(wrong[0]) * pages.PAGE
    return f"{len(wrong)} of {len(found)} pages are not as written, the first at byte {first}"
