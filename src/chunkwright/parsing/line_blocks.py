"""What the formats share that are told by whole lines: where the lines of a text begin and end, and
the headings and blocks found among them. What a line means is each format's own business.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from chunkwright.characters import WHITE_SPACE, Lines
from chunkwright.parsing.base import start
from chunkwright.parsing.frontmatter import BYTE_ORDER_MARK
from chunkwright.parsing.headings import Heading, with_sections
from chunkwright.types import Block, Document, Parsed

TAB: Final = 8
"""Columns to which a tab leads on."""

LONGEST_TITLE: Final = 300
"""Code points of a title up to which its inline markup is looked at."""


class LineBlocks:
    """The lines of a text, by number, and what has been found among them."""

    def __init__(self, text: str) -> None:
        self._end = len(text)
        self._starts = Lines(text).starts
        self.raw = [text[first:end] for first, end in pairwise([*self._starts, len(text)])]
        """Every line with its end, without a byte order mark."""
        self._ends = [
            first + len(line.rstrip(WHITE_SPACE))
            for first, line in zip(self._starts, self.raw, strict=True)
        ]
        self.raw[0] = self.raw[0].removeprefix(BYTE_ORDER_MARK)
        self._headings: list[Heading] = []
        self._blocks: list[Block] = []

    def add_heading(self, first: int, after: int, level: int, title: str) -> None:
        """A heading that begins with a line, and what stands under it with the line `after`."""
        body = self._starts[after] if after < len(self._starts) else self._end
        self._headings.append(Heading(self._starts[first], body, level, title))

    def add(
        self, depth: int, first: int, end: int, kind: str, body: int = 0, info: str = ""
    ) -> None:
        """A block of the lines first to end - 1, of which the last is not blank; `body` is the line
        with which its content begins."""
        self._blocks.append(
            Block(
                self._starts[first],
                self._ends[end - 1],
                depth,
                kind,
                body=self._starts[body] if body < end else 0,
                info=info,
            )
        )

    def parsed(self, document: Document, parser: str) -> Parsed:
        """All of it, as `parser` says it."""
        blocks = with_sections(self._headings, self._blocks, self._end)
        return start(document, parser, blocks=blocks)
