"""Headings to sections, for every format that has any. How a format writes its headings is its own
parser's business.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from chunkwright.characters import last_ink
from chunkwright.parsing.frontmatter import BYTE_ORDER_MARK
from chunkwright.types import Block

SECTION: Final = "section"

MAX_DEPTH: Final = 32
"""Blocks nested deeper stay inside the one around them: a cutter gains nothing from more, and a
line of 200,000 quote markers would be as many blocks."""


class Heading(NamedTuple):
    """A heading as a parser found it, in code points."""

    start: int
    """Where its section begins: with the line's indentation, and with what belongs to it."""
    body: int
    """Where what stands under it begins."""
    level: int
    """1 is the outermost."""
    title: str
    """Plain text, on one line."""
    anchor: str = ""
    """Where the document gives one of its own."""


def sections(headings: Sequence[Heading], end: int) -> Iterator[Block]:
    """A section for every heading, from it to the next of the same or a higher level.

    `headings` are sorted; `end` is that of the text.
    """
    ends = [end] * len(headings)
    open_sections: list[int] = []
    for at, heading in enumerate(headings):
        while open_sections and headings[open_sections[-1]].level >= heading.level:
            ends[open_sections.pop()] = heading.start
        open_sections.append(at)
    for heading, last in zip(headings, ends, strict=True):
        yield Block(
            heading.start,
            last,
            heading.level,
            SECTION,
            heading.title,
            heading.body,
            info=heading.anchor,
        )


def with_sections(
    headings: Sequence[Heading], blocks: Iterable[Block], end: int
) -> tuple[Block, ...]:
    """The sections of a document and its other blocks, sorted and nested.

    A block that a section begins inside of is left out: it cannot stay whole.
    """
    starts = [heading.start for heading in headings]
    kept = [block for block in blocks if not _holds_one(starts, block)]
    found = [*sections(headings, end), *kept]
    return tuple(sorted(found, key=lambda block: (block.start, -block.end)))


def _holds_one(starts: Sequence[int], block: Block) -> bool:
    following = bisect_right(starts, block.start)
    return following < len(starts) and starts[following] < block.end


def with_indentation(text: str, position: int) -> int:
    """The start of the line that `position` lies on, where only white space is before."""
    before = last_ink(text, 0, position)
    if before == 0 and text[0] == BYTE_ORDER_MARK:
        before = None
    first = 0 if before is None else before + 1
    line = 1 + max(text.rfind(end, first, position) for end in "\r\n")
    return line if line or before is None else position
