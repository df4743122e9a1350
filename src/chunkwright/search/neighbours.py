"""What stands before and after each answer in its file. Nothing is ranked here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from chunkwright.store.reading import Snapshot
from chunkwright.types import Chunk, Hit


def with_neighbours(snapshot: Snapshot, hits: Sequence[Hit], count: int) -> list[Hit]:
    """Each hit with up to `count` chunks on either side, of its file, attachment and level.

    None is shown twice: the chunks of another hit, and what was given to a better one, end the
    row.
    """
    files: dict[str, list[Chunk]] = {}
    shown = {chunk.id for hit in hits for chunk in (hit.chunk, *hit.merged, *hit.citations)}
    found = []
    for hit in hits:
        path = hit.chunk.path
        if path not in files:
            files[path] = list(snapshot.chunks(path))
        row = [chunk for chunk in files[path] if _series(chunk) == _series(hit.chunk)]
        pieces = {chunk.id for chunk in (hit.chunk, *hit.merged)}
        places = [at for at, chunk in enumerate(row) if chunk.id in pieces]
        before = _until(reversed(row[: min(places, default=0)]), count, shown)[::-1]
        after = _until(row[max(places, default=len(row)) + 1 :], count, shown)
        shown |= {chunk.id for chunk in (*before, *after)}
        found.append(replace(hit, before=tuple(before), after=tuple(after)))
    return found


def _series(chunk: Chunk) -> tuple[str, int]:
    return chunk.attachment_path, chunk.level


def _until(chunks: Iterable[Chunk], count: int, shown: set[str]) -> list[Chunk]:
    """The first `count` of them, or fewer, up to one that is shown elsewhere."""
    found: list[Chunk] = []
    for chunk in chunks:
        if len(found) == count or chunk.id in shown:
            break
        found.append(chunk)
    return found
