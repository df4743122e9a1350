"""Chunks that overlap are one answer."""

from __future__ import annotations

from collections.abc import Container, Iterable

from chunkwright.ranking.candidates import Standing
from chunkwright.types import Chunk

SAME_PLACE = 0.5
"""Share of the shorter chunk from which on two overlapping hits are one answer."""

STRETCH = 1024
"""Code points: a chunk is compared with those that reach into the same stretches of its file, so
that a file of many chunks costs no more than its length."""


def one_per_place(ordered: Iterable[Standing], apart: Container[str] = ()) -> list[Standing]:
    """Without those that overlap a better one of the same file or attachment; chunks of the kinds
    in `apart` all stay, and displace none."""
    kept: list[Standing] = []
    better: dict[tuple[str, str, int], list[Chunk]] = {}
    for one in ordered:
        chunk = one.candidate.chunk
        if chunk.kind in apart:
            kept.append(one)
            continue
        file = chunk.path, chunk.attachment_path
        near = [better.setdefault((*file, stretch), []) for stretch in _stretches(chunk)]
        if _is_told(chunk, near):
            continue
        kept.append(one)
        for chunks in near:
            chunks.append(chunk)
    return kept


def _is_told(chunk: Chunk, near: Iterable[Iterable[Chunk]]) -> bool:
    """Whether a better chunk has the same place."""
    start, end = chunk.start, chunk.end
    for chunks in near:
        for other in chunks:
            # Most do not overlap at all.
            if other.start < end and start < other.end and _is_same_place(chunk, other):
                return True
    return False


def _stretches(chunk: Chunk) -> range:
    return range(chunk.start // STRETCH, -(-chunk.end // STRETCH))


def _is_same_place(one: Chunk, other: Chunk) -> bool:
    common = min(one.end, other.end) - max(one.start, other.start)
    shorter = min(one.end - one.start, other.end - other.start)
    return shorter > 0 and common >= SAME_PLACE * shorter
