"""Which chunks a source file becomes: units that share one, parts of what is over the cap, what
each is called and carried with, and the extra views of a file. Where the units are is `units`',
which of them share a chunk `grouping`'s, where one over the cap is cut `line_packing`'s.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from chunkwright.characters import Lines, is_whitespace_only
from chunkwright.chunking.assembling import OF_SYMBOLS, Draft
from chunkwright.chunking.base import usable_overlap
from chunkwright.chunking.budgeting import MANY_PARTS, room_in
from chunkwright.chunking.grouping import Fitting, by_symbol, packed, with_tails
from chunkwright.chunking.line_packing import pack_lines
from chunkwright.chunking.packing import Span
from chunkwright.chunking.units import (
    CALLABLE,
    OWN,
    Opening,
    Tiler,
    Tree,
    Unit,
    common,
)
from chunkwright.measuring import Ruler
from chunkwright.types import TYPE_KINDS, Block, Document, Parsed, Symbol

NO_EXTRA_VIEWS: Final = frozenset({"markdown", "notebook"})


class _Symbols(Opening):
    """Which symbols of a file are opened, and what is no unit of its own."""

    def __init__(self, tree: Tree, lines: Lines, ruler: Ruler, by_symbol: bool) -> None:
        self._tree = tree
        self._lines = lines
        self._ruler = ruler
        self._by_symbol = by_symbol

    def opens(self, number: int) -> bool:
        """Types over the cap with symbols in them; by symbol, also those with functions."""
        tree, lines = self._tree, self._lines
        if tree.kinds[number] not in TYPE_KINDS or not self._holds(number, OF_SYMBOLS):
            return False
        if self._by_symbol and self._holds(number, CALLABLE):
            return True
        start, end = lines.start_of(tree.starts[number]), lines.end_of(tree.ends[number] - 1)
        return not self._ruler.fits(start, end)

    def _holds(self, number: int, kinds: frozenset[str]) -> bool:
        for at in range(number + 1, self._tree.after[number]):
            if self._tree.kinds[at] in kinds:
                return True
        return False

    def skips(self, number: int) -> int:
        """By symbol, what is no function, method or type."""
        if self._by_symbol and self._tree.kinds[number] not in OWN:
            return self._tree.after[number]
        return -1


class SymbolDrafts(Fitting):
    """One source file being cut."""

    def __init__(
        self,
        document: Document,
        parsed: Parsed,
        ruler: Ruler,
        lines: Lines,
        *,
        by_symbol: bool,
        budgeted: bool,
        overlap: int,
    ) -> None:
        self._document = document
        self._parsed = parsed
        self._text: str = parsed.text
        self._lines = lines
        self._tree = Tree(parsed.blocks)
        self._ruler = ruler
        self._size: int | None = ruler.size
        self._by_symbol = by_symbol
        self._budgeted = budgeted
        self._overlap = overlap

    def header(self, lines: int) -> list[Draft]:
        """The chunk of a file's first lines; none where there is nothing."""
        starts = self._lines.starts
        return self._view("file_header", starts[lines] if lines < len(starts) else len(self._text))

    def whole_file(self) -> list[Draft]:
        """The chunk of the whole file; none where there is nothing."""
        return self._view("file", len(self._text))

    def _view(self, kind: str, end: int) -> list[Draft]:
        """As much of the beginning as fits, in whole lines."""
        if self._parsed.language in NO_EXTRA_VIEWS:
            return []
        ruler = self._ruler
        if self._budgeted and self._size is not None:
            measure = ruler.measure
            ruler = ruler.capped(
                room_in(self._document, self._parsed, measure, self._size, kind=kind)
            )
        for first in pack_lines(ruler, self._lines, (0, end), even=False):
            return [Draft(first.start, first.end, kind, boundary=first.boundary)]
        return []

    def drafts(self) -> list[Draft]:
        """Every chunk that counts for coverage, in order."""
        opening = _Symbols(self._tree, self._lines, self._ruler, self._by_symbol)
        tiled = Tiler(self._tree, self._text, self._lines, opening).units()
        units = with_tails(tiled, self._text, self)
        groups = by_symbol(units, self) if self._by_symbol else packed(units, self)
        drafts: list[Draft] = []
        for group in groups:
            for draft in self._drafts_of(group):
                if self._overlap and drafts and not draft.overlap and draft.kind == "code":
                    self._repeat(drafts[-1], draft)
                drafts.append(draft)
        return drafts

    def _repeat(self, previous: Draft, draft: Draft) -> None:
        """Begin with as many of the lines before as fit overlap and cap. A chunk that is one
        symbol repeats nothing: it is to be that symbol."""
        end: int = previous.end
        low = max(self._ruler.reach_back(end, self._overlap), previous.start + 1)
        for start in self._lines.starts_between(low, end):
            line = self._text[start : min(end, self._lines.end_of(start))]
            if start < low or is_whitespace_only(line):
                continue
            if self._ruler.fits(start, end, self._overlap) and self._ruler.fits(start, draft.end):
                draft.start, draft.overlap = start, end - start
                return

    def fits(self, units: list[Unit], first: int, after: int) -> bool:
        """Whether units fit a chunk together, with their context where that counts."""
        room = self._room(units[first:after]) if self._budgeted else self._size
        return self._ruler.fits(units[first].start, units[after - 1].end, room)

    def _room(self, group: Sequence[Unit]) -> int | None:
        """What is left of the cap for the text of a group; None without a cap."""
        size = self._size
        if size is None or not self._budgeted:
            return size
        context = self._context(group)
        return room_in(self._document, self._parsed, self._ruler.measure, size, **context)

    def _context(self, group: Sequence[Unit]) -> dict[str, Any]:
        """As much context as any part of the group is rendered with."""
        whole = self._ruler.fits(group[0].start, group[-1].end)
        block = None if whole and len(group) > 1 else _main_block(group)
        symbols = (unit.block for unit in group if unit.block)
        return {
            "kind": "code",
            "breadcrumb": _common_scopes(group),
            "name": block.name if block else "",
            "symbol_kind": block.kind if block else "",
            "symbols": tuple(Symbol(one.name, one.kind, 0, 0, 1, 1) for one in symbols),
            "part": 0 if whole else MANY_PARTS - 1,
            "parts": 1 if whole else MANY_PARTS,
            "carry": "" if whole else _signature(block),
        }

    def _drafts_of(self, group: Sequence[Unit]) -> list[Draft]:
        start, end = group[0].start, group[-1].end
        size = self._room(group)
        if self._ruler.fits(start, end, size):
            boundary = "line" if group[-1].block is None else "symbol"
            return [self._draft(group, Span(start, end, 0, boundary))]
        drafts = [self._draft(group, span) for span in self._parts(start, end, size)]
        for part, draft in enumerate(drafts):
            draft.part, draft.parts = part, len(drafts)
        return drafts

    def _draft(self, group: Sequence[Unit], span: Span) -> Draft:
        unit = _unit_of(group, span)
        block = unit.block if unit else None
        scopes = _common_scopes(group)
        if unit is None or block is None:
            return Draft(
                span.start, span.end, "code", span.overlap, span.boundary, breadcrumb=scopes
            )
        is_later = span.start > unit.start
        is_part = is_later or unit.end > span.end
        return Draft(
            span.start,
            span.end,
            "symbol_part" if is_part else "symbol",
            span.overlap,
            span.boundary,
            block.name,
            block.kind,
            scopes,
            carry=_signature(block) if is_later else "",
        )

    def _parts(self, start: int, end: int, size: int | None) -> Iterator[Span]:
        """Where a stretch over the cap is cut: at the borders of the blocks in it."""
        ruler = self._ruler if size == self._ruler.size else self._ruler.capped(size)
        return pack_lines(
            ruler,
            self._lines,
            (start, end),
            overlap=usable_overlap(self._overlap, size),
            blocks=self._tree.between(start, end),
        )


def _common_scopes(group: Sequence[Unit]) -> tuple[str, ...]:
    scopes = group[0].breadcrumb
    for unit in group:
        scopes = common(scopes, unit.breadcrumb)
    return scopes


def _unit_of(group: Sequence[Unit], span: Span) -> Unit | None:
    """The unit that a span is all or part of: the only one of a group, or, where a group is cut,
    the only symbol with lines in the span."""
    if len(group) == 1:
        return group[0]
    if span.start == group[0].start and span.end == group[-1].end:
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
