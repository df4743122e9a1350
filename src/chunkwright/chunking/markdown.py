"""Documents by heading sections: which section's text makes which chunk, and what each is called.
Finding headings is parsing's, cutting what is over the cap is packing's.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, ClassVar

from msgspec.structs import force_setattr, replace

from chunkwright.characters import Lines
from chunkwright.chunking.assembling import assemble
from chunkwright.chunking.base import (
    Chunker,
    require,
    require_measure,
    require_size,
    require_whole_number,
)
from chunkwright.chunking.sectioning import Sectioner
from chunkwright.chunking.sections import ALL_LEVELS, outline
from chunkwright.measuring import MeasureLike, Ruler
from chunkwright.parsing import parse_headings
from chunkwright.parsing.base import given
from chunkwright.parsing.headings import SECTION
from chunkwright.parsing.markdown import language_of
from chunkwright.types import Block, Chunking, Document, Excluded, Parsed

DEFAULT_SIZE = 3200
DEFAULT_OVERLAP = 320

SWITCHES = (
    "budget_includes_context",
    "code_blocks",
    "join_table_rows",
    "merge_small",
    "reference_links",
)

CODE_BLOCK_OPTION = "code_block_option"


class MarkdownChunker(Chunker, frozen=True, kw_only=True):
    """Cuts documents with headings at these, and what is over the cap between blocks.

    Guarantees: texts are verbatim slices, heading line included; every character but white space
    is in one, or in `excluded` (front matter, and code blocks where these are not wanted); none
    counts more than `size`; nothing crosses a heading, with one exception: a heading without text
    of its own opens the next chunk, or closes the one before it where none follows, for it is no
    chunk alone. A fence, table, formula, HTML block, list or item that fits stays whole; a piece
    of one that does not carries what it needs to stand alone (opening fence and its closer, header
    of the table). Each chunk has its headings from the outside in, and `Chunking.outline` has all
    of them with anchors like GitHub's. Time and memory are linear.

    Algorithm: the parser of the document's language (Markdown by default; MDX, HTML,
    reStructuredText, AsciiDoc, Org) tells where sections begin and which blocks are in them. A
    section that fits is a chunk. One that does not is packed. Running text is cut into pieces of
    like sizes, about 0.7 of the cap, at edges of blocks, lines and sentences (`evening`). With
    other blocks over the cap in it, a window as large as the cap is cut at the outermost edge of a
    block in its last three quarters, else as TextChunker does. A long
    fence is cut between its statements, where its language is known, else between its lines; a
    long row between its cells.
    """

    parsers: ClassVar[tuple[str, ...]] = ("regex", "pyromark", "pyyaml", "tree-sitter")

    size: int | None = DEFAULT_SIZE
    """In the unit of `measure`; None: no cap."""
    overlap: int = DEFAULT_OVERLAP
    """At most, between the parts of one section."""
    measure: MeasureLike = "chars"
    code_blocks: bool = True
    """False: code blocks are in no chunk, but in `excluded`."""
    reference_links: bool = False
    """True: `[text][label]` is embedded with its definition, `[^label]` with its footnote."""
    join_table_rows: bool = True
    """False: every table row is a chunk of its own, with the header in `carry`."""
    split_levels: tuple[int, ...] = ALL_LEVELS
    """Heading levels that begin a section; others stay inside the section around them."""
    merge_small: bool = False
    """True: a section becomes one chunk with those after it that are under it or beside it, while
    they fit."""
    second_chunker: Any = None
    """Cuts the text of a section over the cap: any object whose `chunk(text)` gives items with
    `start` and `end`. What it leaves out, or over the cap, is packed as without it."""
    budget_includes_context: bool = False

    def __post_init__(self) -> None:
        require_size(self.size, optional=True)
        require_whole_number(self.overlap, "overlap")
        require_measure(self.measure)
        for option in SWITCHES:
            value = getattr(self, option)
            require(isinstance(value, bool), option, value, "True or False")
        if isinstance(self.split_levels, list):  # as JSON and TOML have it
            force_setattr(self, "split_levels", tuple(self.split_levels))
        levels = self.split_levels
        proper = isinstance(levels, tuple) and all(
            type(level) is int and level in ALL_LEVELS for level in levels
        )
        require(proper, "split_levels", levels, "a tuple of heading levels, 1 to 6")
        second = self.second_chunker
        chunks = callable(getattr(second, "chunk", None)) and not isinstance(second, type)
        allowed = "an object (no class) with a method `chunk`"
        require(second is None or chunks, "second_chunker", second, allowed)

    def _cut(self, document: Document, blocks: Sequence[Block] | None) -> Chunking:
        parsed = self._without_code(_parsed(document, blocks, self._short()))
        ruler = Ruler(parsed.text, self.measure, self.size)
        sectioner = Sectioner(self, document, parsed, ruler, Lines(parsed.text))
        drafts = sectioner.drafts()
        sections = [block for block in parsed.blocks if block.kind == SECTION]
        headings = tuple(outline(sections, Lines(parsed.text)))
        said = (*parsed.diagnostics, *sectioner.complaints(Lines(parsed.text)))
        parsed = replace(parsed, diagnostics=said)
        return assemble(document, parsed, drafts, ruler, Lines(parsed.text), outline=headings)

    def _short(self) -> int:
        """Bytes of a section up to which its blocks are not asked for: it fits, and nothing else
        that was asked for looks inside."""
        looks_inside = (
            self.budget_includes_context
            or self.reference_links
            or not (self.code_blocks and self.join_table_rows)
            or set(self.split_levels) != set(ALL_LEVELS)
        )
        return 0 if looks_inside or self.measure != "chars" else self.size or sys.maxsize

    def _without_code(self, parsed: Parsed) -> Parsed:
        if self.code_blocks:
            return parsed
        code = [
            Excluded(block.start, block.end, CODE_BLOCK_OPTION)
            for block in parsed.blocks
            if block.kind == "fence"
        ]
        excluded = sorted([*parsed.excluded, *code], key=lambda gap: gap.start)
        return replace(parsed, excluded=tuple(excluded))


def _parsed(document: Document, blocks: Sequence[Block] | None, short: int) -> Parsed:
    if blocks is None:
        return parse_headings(document, short)
    return replace(given(document, blocks), language=language_of(document))
