"""Heading sections as stretches of text: which characters are a section's own, what headings it
stands under, and the outline of them all. Sizes and caps are not known here.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from re import compile as compile_plain
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from chunkwright.characters import Lines, cluster_floor
from chunkwright.types import Block, Excluded, OutlineItem

if TYPE_CHECKING:
    from regex import Pattern

ALL_LEVELS = (1, 2, 3, 4, 5, 6)

NAMELESS_ANCHOR = "section"
"""Anchor of a heading without a letter or digit."""

ASCII_NOT_IN_ANCHORS = compile_plain(r"[^a-z0-9_-]")


class Trail(msgspec.Struct, frozen=True, gc=False):
    """The headings that a stretch stands under, from the outside in, its own included."""

    names: tuple[str, ...] = ()
    """Empty titles left out."""
    depths: tuple[int, ...] = ()
    """Heading level of each name."""
    depth: int = 0
    """Level of the innermost heading, titled or not; 0 before any."""
    name: str = ""
    """Its title."""

    def under(self, name: str, depth: int) -> Trail:
        """The trail of a section directly inside this one."""
        names = (*self.names, name) if name else self.names
        depths = (*self.depths, depth) if name else self.depths
        return Trail(names, depths, depth, name)

    def shared(self, other: Trail) -> Trail:
        """The trail of text that stands partly under this one, partly under another."""
        if self == other:
            return self
        count = 0
        for own, its in zip(self.names, other.names, strict=False):
            if own != its:
                break
            count += 1
        names, depths = self.names[:count], self.depths[:count]
        return Trail(names, depths, depths[-1] if depths else 0, names[-1] if names else "")


class Stretch(msgspec.Struct, frozen=True, gc=False):
    """Text of one section's own: from its heading to the next heading, whatever its level."""

    start: int
    end: int
    body: int
    """Where the heading ends; `start` where there is none."""
    trail: Trail


class _Cut(msgspec.Struct, frozen=True, gc=False):
    """A place where a stretch begins."""

    position: int
    body: int
    trail: Trail
    joins: bool
    """Whether the text stays with the stretch before it."""


class _Open(NamedTuple):
    """A section whose end has not been reached."""

    block: Block
    trail: Trail
    joins: bool


def stretches(
    text: str, sections: Sequence[Block], split_levels: Sequence[int] = ALL_LEVELS
) -> Iterator[Stretch]:
    """Cut a text at its headings: every code point is in one stretch, in order.

    `sections` are sorted and nested, as a parser gives them. One whose level is not in
    `split_levels` stays in the stretch of the section around it.
    """
    cuts = [*_cuts(text, sections, split_levels), _Cut(len(text), 0, Trail(), False)]
    whole: Stretch | None = None
    apart = False
    for cut, following in pairwise(cuts):
        if cut.position == following.position:
            apart = apart or not cut.joins
        elif whole and cut.joins and not apart:
            whole = Stretch(whole.start, following.position, whole.body, whole.trail)
        else:
            if whole:
                yield whole
            whole = Stretch(cut.position, following.position, cut.body, cut.trail)
            apart = False
    if whole:
        yield whole


def _cuts(text: str, sections: Sequence[Block], split_levels: Sequence[int]) -> Iterator[_Cut]:
    yield _Cut(0, 0, Trail(), False)
    open_sections: list[_Open] = []
    for section in sections:
        apart = False
        while open_sections and open_sections[-1].block.end <= section.start:
            closed = open_sections.pop()
            if closed.block.end < section.start:
                yield _after(text, closed, open_sections)
            apart = apart or not closed.joins
        around = open_sections[-1].trail if open_sections else Trail()
        depth = section.depth or len(open_sections) + 1
        opened = _Open(section, around.under(section.name, depth), depth not in split_levels)
        open_sections.append(opened)
        start = _edge(text, section.start)
        yield _Cut(start, max(start, section.body), opened.trail, opened.joins and not apart)
    while open_sections:
        closed = open_sections.pop()
        yield _after(text, closed, open_sections)


def _after(text: str, closed: _Open, around: Sequence[_Open]) -> _Cut:
    """The text after a section that has ended is that of the section around it."""
    end = _edge(text, closed.block.end)
    return _Cut(end, end, around[-1].trail if around else Trail(), closed.joins)


def _edge(text: str, position: int) -> int:
    """The cluster boundary at or before a place, which is most often the start of a line."""
    if position and text[position - 1] == "\n":
        return position
    return cluster_floor(text, 0, position)


def kept(start: int, end: int, excluded: Sequence[Excluded]) -> Iterator[tuple[int, int]]:
    """What is left of start:end without the `excluded` ranges, which are sorted and disjoint."""
    first = bisect_right(excluded, start, key=lambda gap: gap.end)
    for at in range(first, len(excluded)):
        gap = excluded[at]
        if gap.start >= end:
            break
        if start < gap.start:
            yield start, gap.start
        start = gap.end
    if start < end:
        yield start, end


def outline(sections: Sequence[Block], lines: Lines) -> Iterator[OutlineItem]:
    """Every heading in order, with an anchor like GitHub's, unique within the document."""
    counts: dict[str, int] = {}
    for section in sections:
        slug = anchor = section.info or _anchor(section.name)
        while anchor in counts:
            counts[slug] += 1
            anchor = f"{slug}-{counts[slug]}"
        counts[anchor] = 0
        yield OutlineItem(section.depth, section.name, lines.number(section.start), anchor)


def _anchor(title: str) -> str:
    kept = title.strip().lower().replace(" ", "-")
    if not (kept.isascii() and kept.replace("-", "").isalnum()):
        pattern = ASCII_NOT_IN_ANCHORS if title.isascii() else _not_in_anchors()
        kept = pattern.sub("", kept)
    return kept or NAMELESS_ANCHOR


@lru_cache(maxsize=1)
def _not_in_anchors() -> Pattern[str]:
    import regex

    return regex.compile(r"[^\p{L}\p{M}\p{N}\p{Pc}-]")
