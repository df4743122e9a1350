"""Source code by symbols: which units share a chunk, what each chunk is called, and the extra views
of a file. Finding symbols is parsing's, tiling a file is `units`', cutting over the cap packing's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Any, ClassVar

from msgspec.structs import replace

from chunkwright.characters import Lines, is_whitespace_only
from chunkwright.chunking.assembling import Draft, assemble
from chunkwright.chunking.base import (
    Chunker,
    require,
    require_measure,
    require_size,
    require_switch,
    require_whole_number,
    usable_overlap,
)
from chunkwright.chunking.budgeting import MANY_PARTS, room_in
from chunkwright.chunking.grouping import by_symbol, packed, with_tails
from chunkwright.chunking.line_packing import pack_lines
from chunkwright.chunking.packing import Span, layout
from chunkwright.chunking.units import (
    CALLABLE,
    MEMBERED,
    OWN,
    LineRanges,
    Tiler,
    Tree,
    Unit,
    common,
)
from chunkwright.measuring import MeasureLike, Ruler
from chunkwright.parsing import code as code_parsing
from chunkwright.parsing.base import given
from chunkwright.types import SYMBOL_KINDS, Block, Chunking, Document, Parsed, Symbol

PACKED, BY_SYMBOL = "packed", "symbol"
GRANULARITIES = (PACKED, BY_SYMBOL)

OF_SYMBOLS = frozenset(SYMBOL_KINDS)

NO_EXTRA_VIEWS = frozenset({"markdown", "notebook"})


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
    measure: MeasureLike = "chars"
    budget_includes_context: bool = False

    def __post_init__(self) -> None:
        allowed = f"one of {', '.join(GRANULARITIES)}"
        require(self.granularity in GRANULARITIES, "granularity", self.granularity, allowed)
        require_size(self.size, optional=True)
        require_whole_number(self.overlap, "overlap")
        require_size(self.header_lines, "header_lines")
        require_switch(self.budget_includes_context, "budget_includes_context")
        require_measure(self.measure)

    def _cut(self, document: Document, blocks: Sequence[Block] | None) -> Chunking:
        if blocks is None:
            parsed = code_parsing.parse(document, self._detail())
        else:
            parsed = given(document, blocks)
        lines = Lines(parsed.text)
        ruler = Ruler(parsed.text, self.measure, self.size)
        cutter = _Cutter(self, document, parsed, ruler, lines)
        drafts = [*cutter.extra_views(), *cutter.drafts()]
        return assemble(document, parsed, drafts, ruler, lines)

    def _detail(self) -> int:
        """Bytes from which on the inside of a definition may have to be cut: less than the cap,
        for a unit of any measure is one code point or more, and indentation counts."""
        return min(code_parsing.DETAIL, (self.size or code_parsing.DETAIL) // 2)


class _Cutter:
    """One document being cut."""

    def __init__(
        self, options: CodeChunker, document: Document, parsed: Parsed, ruler: Ruler, lines: Lines
    ) -> None:
        self._options = options
        self._document = document
        self._parsed = parsed
        self._lines = lines
        self._ranges = LineRanges(parsed.text, lines)
        self._tree = Tree(parsed.blocks)
        self._by_symbol = options.granularity == BY_SYMBOL
        self._budgeted = options.budget_includes_context and options.size is not None
        self._ruler = ruler

    def extra_views(self) -> Iterator[Draft]:
        """The file's header and the whole file, where asked for."""
        wanted = self._options.file_header
        if self._parsed.language in NO_EXTRA_VIEWS or is_whitespace_only(self._parsed.text):
            return
        if self._by_symbol if wanted is None else wanted:
            yield from self._view("file_header", self._header_end())
        if self._options.whole_file:
            yield from self._view("file", len(self._parsed.text))

    def _header_end(self) -> int:
        starts = self._lines.starts
        count = self._options.header_lines
        return starts[count] if count < len(starts) else len(self._parsed.text)

    def _view(self, kind: str, end: int) -> Iterator[Draft]:
        """As much of the beginning as fits, in whole lines."""
        first = next(pack_lines(self._ruler, self._ranges, (0, end)), None)
        if first:
            yield Draft(first.start, first.end, kind, boundary=first.boundary)

    def drafts(self) -> Iterator[Draft]:
        """Every chunk that counts for coverage, in order."""
        tiler = Tiler(self._tree, self._ranges, opens=self._opens, skips=self._skips)
        units = [unit for unit in tiler.units() if not self._is_blank(unit)]
        units = with_tails(units, self._parsed.text, self._fits)
        previous = None
        group_up = by_symbol if self._by_symbol else packed
        for group in group_up(units, self._fits):
            for draft in self._drafts_of(group):
                if previous and not draft.overlap and draft.kind == "code":
                    self._repeat(previous, draft)
                yield draft
                previous = draft

    def _repeat(self, previous: Draft, draft: Draft) -> None:
        """Begin with as many of the lines before as fit overlap and cap. A chunk that is one
        symbol repeats nothing: it is to be that symbol."""
        size = self._options.size
        overlap = usable_overlap(self._options.overlap, size)
        low = self._ruler.reach_back(previous.end, overlap)
        for start in self._ranges.starts_between(max(low, previous.start + 1), previous.end):
            if self._ruler.fits(start, previous.end, overlap) and self._ruler.fits(
                start, draft.end
            ):
                draft.start, draft.overlap = start, previous.end - start
                return

    def _is_blank(self, unit: Unit) -> bool:
        return is_whitespace_only(self._parsed.text[unit.start : unit.end])

    def _opens(self, number: int) -> bool:
        """Whether a block gives way to the symbols in it."""
        block = self._tree.blocks[number]
        if block.kind not in MEMBERED or not self._holds(number, OF_SYMBOLS):
            return False
        if self._by_symbol and self._holds(number, CALLABLE):
            return True
        return not self._fits_lines(block.start, block.end)

    def _holds(self, number: int, kinds: frozenset[str]) -> bool:
        return any(self._tree.blocks[at].kind in kinds for at in self._tree.inside(number))

    def _skips(self, number: int) -> int | None:
        """By symbol, what is no function, method or type is not a unit of its own."""
        if self._by_symbol and self._tree.blocks[number].kind not in OWN:
            return self._tree.after[number]
        return None

    def _fits_lines(self, start: int, end: int) -> bool:
        return self._ruler.fits(self._ranges.start(start), self._ranges.end(end - 1))

    def _fits(self, group: Sequence[Unit]) -> bool:
        return self._ruler.fits(group[0].start, group[-1].end, self._room(group))

    def _room(self, group: Sequence[Unit]) -> int | None:
        """What is left of the cap for the text of a group; None without a cap."""
        size = self._options.size
        if size is None or not self._budgeted:
            return size
        context = self._context(group)
        return room_in(self._document, self._parsed, self._options.measure, size, **context)

    def _context(self, group: Sequence[Unit]) -> dict[str, Any]:
        """As much context as any part of the group is rendered with."""
        whole = self._ruler.fits(group[0].start, group[-1].end)
        block = None if whole and len(group) > 1 else _main_block(group)
        symbols = (unit.block for unit in group if unit.block)
        return {
            "kind": "code",
            "name": block.name if block else "",
            "symbol_kind": block.kind if block else "",
            "symbols": tuple(Symbol(one.name, one.kind, 0, 0, 1, 1) for one in symbols),
            "part": 0 if whole else MANY_PARTS - 1,
            "parts": 1 if whole else MANY_PARTS,
            "carry": "" if whole else _signature(block),
        }

    def _drafts_of(self, group: Sequence[Unit]) -> Iterator[Draft]:
        start, end = group[0].start, group[-1].end
        size = self._room(group)
        if self._ruler.fits(start, end, size):
            yield self._draft(group, Span(start, end, 0, "symbol" if group[-1].block else "line"))
            return
        drafts = [self._draft(group, span) for span in self._parts(start, end, size)]
        for part, draft in enumerate(drafts):
            draft.part, draft.parts = part, len(drafts)
            yield draft

    def _draft(self, group: Sequence[Unit], span: Span) -> Draft:
        unit = _unit_of(group, span)
        block = unit.block if unit else None
        whole = unit and span.start <= unit.start and unit.end <= span.end
        kind = "code" if block is None else "symbol" if whole else "symbol_part"
        return Draft(
            span.start,
            span.end,
            kind,
            span.overlap,
            span.boundary,
            name=block.name if block else "",
            symbol_kind=block.kind if block else "",
            breadcrumb=reduce(common, (unit.breadcrumb for unit in group)),
            carry=_signature(block) if unit and span.start > unit.start else "",
        )

    def _parts(self, start: int, end: int, size: int | None) -> Iterator[Span]:
        """Where a stretch over the cap is cut: at the borders of the blocks in it."""
        ruler = self._ruler if size == self._ruler.size else self._ruler.capped(size)
        return pack_lines(
            ruler,
            self._ranges,
            (start, end),
            overlap=usable_overlap(self._options.overlap, size),
            plan=layout([*map(self._indented, self._tree.between(start, end))], ruler),
        )

    def _indented(self, block: Block) -> Block:
        """A block with the indentation of its first line, which is cut along with it."""
        start = self._ranges.start(block.start)
        if start == block.start or not self._ranges.begins(block.start):
            return block
        return replace(block, start=start)


def _unit_of(group: Sequence[Unit], span: Span) -> Unit | None:
    """The unit that a span is all or part of: the only one of a group, or, where a group is cut,
    the only symbol with lines in the span."""
    if len(group) == 1:
        return group[0]
    if (span.start, span.end) == (group[0].start, group[-1].end):
        return None
    inside = [
        unit for unit in group if unit.block and unit.start < span.end and span.start < unit.end
    ]
    return inside[0] if len(inside) == 1 else None


def _main_block(group: Sequence[Unit]) -> Block | None:
    """The symbol that a group is all of, or the longest one of a group that is to be cut."""
    return max(group, key=lambda unit: unit.end - unit.start).block


def _signature(block: Block | None) -> str:
    """What a part after the first is carried with."""
    return f"{block.signature}\n" if block and block.signature else ""
