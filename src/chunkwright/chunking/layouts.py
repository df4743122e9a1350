"""What the packer is given and what it gives: borders and whole blocks of a stretch, and spans.
How blocks become a layout is here; how a layout decides a cut is packing's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from chunkwright.measuring import Ruler
from chunkwright.types import Block

BLOCK = "block"
"""Reason of a border that belongs to a block without a kind, or of a cut before a whole one."""


OVER_CAP = "over_cap"
"""Boundary and diagnostic of a chunk that is one code point over the cap."""


class Span(msgspec.Struct, frozen=True, gc=False):
    """A stretch to become a chunk."""

    start: int
    end: int
    overlap: int
    """Code points repeated from the span before."""
    boundary: str
    """Why it ends where it does: a kind of break, a border's reason, `cluster` (within a word),
    `block` (before one that stays whole), `end of text` or `over_cap`."""
    size: int = -1
    """What it counts, where that is known already; -1 where it is not."""


class Border(NamedTuple):
    """A place where a format would like to be cut."""

    position: int
    rank: int
    """0 is the strongest; a parser's depth."""
    reason: str


class Layout(NamedTuple):
    """What a format says about a stretch of text."""

    borders: tuple[Border, ...] = ()
    """Sorted by position."""
    whole: tuple[tuple[int, int], ...] = ()
    """Disjoint, sorted stretches that fit the cap and must not be cut."""


def layout(blocks: Sequence[Block], ruler: Ruler) -> Layout:
    """Blocks that fit are whole; the edges of every block outside a whole one are borders, ranked
    by how many blocks contain them; a block over the cap gives way to the blocks inside it.

    `blocks` are sorted by (start, -end); one that crosses another, which a parser never gives, is
    left out.
    """
    borders: dict[int, Border] = {}
    whole: list[tuple[int, int]] = []
    open_ends: list[int] = []
    for block in blocks:
        while open_ends and open_ends[-1] <= block.start:
            open_ends.pop()
        inside_whole = bool(whole) and block.start < whole[-1][1]
        if inside_whole or (open_ends and block.end > open_ends[-1]):
            continue
        for position in (block.start, block.end):
            borders.setdefault(position, Border(position, len(open_ends), block.kind or BLOCK))
        if ruler.fits(block.start, block.end):
            whole.append((block.start, block.end))
        open_ends.append(block.end)
    return Layout(tuple(sorted(borders.values())), tuple(whole))
