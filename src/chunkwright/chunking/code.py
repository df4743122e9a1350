"""Source code by symbols: which units share a chunk, what each chunk is called, and the extra views
of a file. Finding symbols is parsing's, tiling a file is `units`', cutting over the cap packing's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from chunkwright.characters import Lines, is_whitespace_only
from chunkwright.chunking.base import (
    Chunker,
    Draft,
    assemble,
    over_cap,
    require,
    require_measure,
    require_size,
    require_whole_number,
    usable_overlap,
)
from chunkwright.chunking.budgeting import room, segment_room
from chunkwright.chunking.line_packing import pack_lines
from chunkwright.chunking.packing import layout
from chunkwright.chunking.units import (
    CALLABLE,
    MEMBERED,
    OWN,
    SYMBOL,
    LineRanges,
    Tiler,
    Tree,
    Unit,
    common,
)
from chunkwright.measuring import MeasureLike, Ruler
from chunkwright.parsing import code as code_parsing
from chunkwright.parsing.base import given
from chunkwright.types import SYMBOL_KINDS, Block, Chunk, Chunking, Document, Parsed, Symbol

PACKED, BY_SYMBOL = "packed", "symbol"
GRANULARITIES = (PACKED, BY_SYMBOL)

FRAGMENT = 100
"""Code points below which a chunk says too little by itself: it joins a neighbour with room."""

NO_EXTRA_VIEWS = frozenset({"markdown", "notebook"})


class CodeChunker(Chunker, frozen=True, kw_only=True):
    """Cuts source code so that a symbol that fits is whole and every line is in a chunk."""

    parsers: ClassVar[tuple[str, ...]] = ("regex", "tree-sitter")

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
        require_measure(self.measure)

    def _cut(self, document: Document, blocks: Sequence[Block] | None) -> Chunking:
        parsed = code_parsing.parse(document) if blocks is None else given(document, blocks)
        lines = Lines(parsed.text)
        ruler = Ruler(parsed.text, self.measure, self.size)
        cutter = _Cutter(self, document, parsed, ruler, lines)
        drafts = [*cutter.extra_views(), *cutter.drafts()]
        return assemble(
            document, parsed, drafts, ruler, diagnostics=over_cap(drafts, lines), lines=lines
        )


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
        previous = None
        for group in self._groups(units):
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
        inner = [self._tree.blocks[at] for at in self._tree.inside(number)]
        if block.kind not in MEMBERED or not any(one.kind in SYMBOL_KINDS for one in inner):
            return False
        if self._by_symbol and any(one.kind in CALLABLE for one in inner):
            return True
        return not self._fits_lines(block.start, block.end)

    def _skips(self, number: int) -> int | None:
        """By symbol, what is no function, method or type is not a unit of its own."""
        if self._by_symbol and self._tree.blocks[number].kind not in OWN:
            return self._tree.after[number]
        return None

    def _fits_lines(self, start: int, end: int) -> bool:
        return self._ruler.fits(self._ranges.start(start), self._ranges.end(end - 1))

    def _groups(self, units: Sequence[Unit]) -> Iterator[list[Unit]]:
        """Neighbours that share a chunk."""
        group: list[Unit] = []
        for unit in units:
            if group and not self._joins(group, unit):
                yield group
                group = []
            group.append(unit)
        if group:
            yield group

    def _joins(self, group: list[Unit], unit: Unit) -> bool:
        if self._by_symbol and (unit.kind == SYMBOL or group[-1].kind == SYMBOL):
            return False
        start, end = group[0].start, group[-1].end
        related = unit.scope == group[-1].scope
        small = min(end - start, unit.end - unit.start) < FRAGMENT
        return (related or small) and self._fits_together([*group, unit])

    def _fits_together(self, group: list[Unit]) -> bool:
        return self._ruler.fits(group[0].start, group[-1].end, self._room(group))

    def _room(self, group: list[Unit]) -> int | None:
        """What is left of the cap for the text of a group; None without a cap."""
        size = self._options.size
        if size is None or not self._budgeted:
            return size
        return room(self._options.measure, size, self._context(group))

    def _context(self, group: list[Unit]) -> Chunk:
        block = group[0].block if len(group) == 1 else None
        names = [unit.block for unit in group if unit.block]
        return Chunk(
            "",
            0,
            0,
            1,
            1,
            path=self._document.path,
            language=self._parsed.language,
            kind="code",
            name=block.name if block else "",
            symbol_kind=block.kind if block else "",
            symbols=tuple(Symbol(one.name, one.kind, 0, 0, 1, 1) for one in names),
            entry=self._document.summary,
            part=98,
            parts=1 if self._fits_alone(group) else 99,
            carry=f"{block.signature}\n" if block and not self._fits_alone(group) else "",
        )

    def _fits_alone(self, group: list[Unit]) -> bool:
        return self._ruler.fits(group[0].start, group[-1].end)

    def _drafts_of(self, group: list[Unit]) -> Iterator[Draft]:
        start, end = group[0].start, group[-1].end
        size = self._room(group)
        if self._ruler.fits(start, end, size):
            draft = self._draft(group, start, end)
            draft.boundary = "symbol" if group[-1].block else "line"
            yield draft
            return
        drafts = [self._draft(group, *stretch) for stretch in self._parts(start, end, size)]
        for part, draft in enumerate(drafts):
            draft.part, draft.parts = part, len(drafts)
            yield draft

    def _draft(self, group: list[Unit], start: int, end: int, overlap: int = 0, boundary: str = "") -> Draft:
        block = group[0].block if len(group) == 1 else None
        whole = (start, end) == (group[0].start, group[-1].end)
        breadcrumb = group[0].breadcrumb
        for unit in group:
            breadcrumb = common(breadcrumb, unit.breadcrumb)
        kind = "code" if block is None else "symbol" if whole else "symbol_part"
        return Draft(
            start,
            end,
            kind,
            overlap,
            boundary,
            name=block.name if block else "",
            symbol_kind=block.kind if block else "",
            breadcrumb=breadcrumb,
            carry=f"{block.signature}\n" if block and block.signature and start > group[0].start else "",
        )

    def _parts(self, start: int, end: int, size: int | None) -> Iterator[tuple[int, int, int, str]]:
        ruler = self._ruler if size == self._ruler.size else self._ruler.capped(size)
        plan = layout(self._tree.between(start, end), ruler)
        overlap = usable_overlap(self._options.overlap, size)
        for span in pack_lines(
            ruler,
            self._ranges,
            (start, end),
            cap=self._ruler.size,
            overlap=overlap,
            plan=plan,
        ):
            yield span.start, span.end, span.overlap, span.boundary
