"""Source code by symbols: the chunker's options. Finding symbols is parsing's, what becomes a chunk
is `symbol_drafts`'.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from chunkwright.characters import Lines
from chunkwright.chunking.assembling import assemble
from chunkwright.chunking.base import (
    Chunker,
    require,
    require_measure,
    require_size,
    require_switch,
    require_whole_number,
    usable_overlap,
)
from chunkwright.chunking.surroundings import SURROUNDINGS, with_surroundings
from chunkwright.chunking.symbol_drafts import SymbolDrafts
from chunkwright.measuring import MeasureLike, Ruler
from chunkwright.parsing import code as code_parsing
from chunkwright.parsing.base import given
from chunkwright.types import Block, Chunking, Document

PACKED, BY_SYMBOL = "packed", "symbol"
GRANULARITIES = (PACKED, BY_SYMBOL)

INDENTATION = 100
"""Code points that a definition's first line may be indented by, and yet have its inside known."""

NOTHING_IS_CUT = 2**62
"""Bytes that no source has."""


class CodeChunker(Chunker, frozen=True, kw_only=True):
    """Cuts source code so that a symbol that fits is whole and every line is in a chunk."""

    parsers: ClassVar[tuple[str, ...]] = ("regex", *code_parsing.PARSERS)

    granularity: str = PACKED
    """`packed`: small neighbours share a chunk; `symbol`: each function and type has its own."""
    size: int | None = 1500
    overlap: int = 0
    file_header: bool | None = None
    """A chunk of the first `header_lines` lines; None: only by symbol."""
    header_lines: int = 50
    whole_file: bool = False
    context: Sequence[str] = ()
    """What of a chunk's surroundings is embedded with it: `imports`, the imported names that it
    uses, `siblings`, the symbols beside it."""
    measure: MeasureLike = "chars"
    budget_includes_context: bool = False

    def __post_init__(self) -> None:
        allowed = f"one of {', '.join(GRANULARITIES)}"
        require(self.granularity in GRANULARITIES, "granularity", self.granularity, allowed)
        require_size(self.size, optional=True)
        require_whole_number(self.overlap, "overlap")
        require_size(self.header_lines, "header_lines")
        known = isinstance(self.context, tuple | list) and all(
            name in SURROUNDINGS for name in self.context
        )
        require(known, "context", self.context, f"a tuple or list of {', '.join(SURROUNDINGS)}")
        require_switch(self.budget_includes_context, "budget_includes_context")
        require_measure(self.measure)

    def _cut(self, document: Document, blocks: Sequence[Block] | None) -> Chunking:
        if blocks is None:
            parsed = code_parsing.parse(document, self._detail())
        else:
            parsed = given(document, blocks)
        lines = Lines(parsed.text)
        ruler = Ruler(parsed.text, self.measure, self.size)
        by_symbol = self.granularity == BY_SYMBOL
        cutter = SymbolDrafts(
            document,
            parsed,
            ruler,
            lines,
            by_symbol=by_symbol,
            budgeted=self.budget_includes_context and self.size is not None,
            overlap=usable_overlap(self.overlap, self.size),
        )
        has_header = by_symbol if self.file_header is None else self.file_header
        header = cutter.header(self.header_lines) if has_header else []
        whole = cutter.whole_file() if self.whole_file else []
        drafts = [*header, *whole, *cutter.drafts()]
        chunking = assemble(document, parsed, drafts, ruler, lines)
        return with_surroundings(chunking, parsed, self.context)

    def _detail(self) -> int:
        """Bytes from which on the inside of a definition may have to be cut: somewhat less than
        the cap, for a unit of any measure is one code point or more, and indentation counts."""
        if self.size is None:
            return NOTHING_IS_CUT
        roomy = self.budget_includes_context or self.size < 2 * INDENTATION
        return self.size // 2 if roomy else self.size - INDENTATION
