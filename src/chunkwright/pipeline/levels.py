"""The same document in several sizes, nested: each chunk of a level is cut again for the next.
The cutting itself is the chunkers'; which one, is chosen elsewhere in this room.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from chunkwright.characters import Lines, trim_to_lines
from chunkwright.errors import ConfigError
from chunkwright.languages import CODE, MARKDOWN, NOTEBOOK
from chunkwright.parsing import parse
from chunkwright.pipeline.choosing import Chooser, family_of
from chunkwright.types import EXTRA_VIEWS, Block, Chunk, Chunking, Diagnostic, Document

WITH_BLOCKS = frozenset({CODE, MARKDOWN, NOTEBOOK})
"""Families whose chunkers cut along what a parser found."""

INNER = {"file_header": False, "whole_file": False, "min_size": 0, "max_chunks": None}
"""Extra views are made, and limits on the whole document held, on the first level alone."""

OF_THE_WHOLE = ("below_min_size", "truncated")
"""Codes of diagnostics that the first level's limits cause, and every other inherits."""


def chunk_levels(
    document: Document | str, sizes: Sequence[int], **options: Any
) -> tuple[Chunking, ...]:
    """One `Chunking` for each of `sizes`, largest first, each nested in the one before.

    Every chunk below the first level lies inside one of the level above, whose id is its `parent`;
    `level` counts from 0. Between parents nothing overlaps: a child is cut from what is new in its
    parent. Ids are unique over all levels: `occurrence` counts through them.
    Raises ConfigError for no sizes, equal ones, ones under 1, and options no chunker has.
    """
    document = Document(document) if isinstance(document, str) else document
    first, *others = _ordered(sizes, options)
    top = Chooser({**options, "size": first}).choose(document).chunk(document)
    nest = _Nest(document, top, options)
    levels = [top]
    for level, size in enumerate(others, start=1):
        chooser = Chooser({**options, **INNER, "size": size})
        levels.append(nest.inner(levels[-1], level, chooser))
    return tuple(levels)


def _ordered(sizes: Sequence[int], options: dict[str, Any]) -> list[int]:
    if "size" in options:
        raise ConfigError("size", options["size"], "give `sizes`, one a level, instead")
    proper = isinstance(sizes, Sequence) and all(
        isinstance(size, int) and not isinstance(size, bool) and size > 0 for size in sizes
    )
    if not proper or not sizes or len(set(sizes)) < len(sizes):
        raise ConfigError("sizes", sizes, "different whole numbers, 1 or more, at least one")
    return sorted(sizes, reverse=True)


class _Nest:
    """What the levels of one document share."""

    def __init__(self, document: Document, top: Chunking, options: Mapping[str, Any]) -> None:
        self._document = document
        self._top = top
        self._options = options
        self._lines = Lines(top.text)
        self._family = family_of(document)
        self._blocks = parse(document).blocks if self._family in WITH_BLOCKS else None
        self._seen = Counter((chunk.kind, chunk.text) for chunk in top)

    def inner(self, outer: Chunking, level: int, chooser: Chooser) -> Chunking:
        """The level below `outer`."""
        chunks: list[Chunk] = []
        inherited = [said for said in self._top.diagnostics if said.code in OF_THE_WHOLE]
        diagnostics: dict[Diagnostic, None] = dict.fromkeys(inherited)
        for parent in outer:
            if parent.kind in EXTRA_VIEWS:
                continue
            start, end = trim_to_lines(outer.text, parent.start + parent.overlap, parent.end)
            if self._family == CODE:
                end = parent.end  # its chunks are whole lines, the blanks at their ends included
            cut = self._cut(start, end, chooser)
            children = [self._moved(child, parent, start, level) for child in cut]
            for child in _in_context(children, parent, self._options):
                chunks.append(replace(child, index=len(chunks)))
            diagnostics.update(dict.fromkeys(self._said(cut, start)))
        return replace(self._top, chunks=tuple(chunks), diagnostics=tuple(diagnostics))

    def _cut(self, start: int, end: int, chooser: Chooser) -> Chunking:
        document = replace(self._document, text=self._top.text[start:end])
        blocks = None if self._blocks is None else list(_clipped(self._blocks, start, end))
        return chooser.chunker(self._family).chunk(document, blocks)

    def _moved(self, child: Chunk, parent: Chunk, start: int, level: int) -> Chunk:
        """A child as if it had been cut from the whole document."""
        line = self._lines.number(start) - self._lines.number(parent.start) + parent.start_line
        identity = (child.kind, child.text)
        self._seen[identity] += 1
        return replace(
            child,
            start=child.start + start,
            end=child.end + start,
            start_line=child.start_line + line - 1,
            end_line=child.end_line + line - 1,
            language=parent.language,
            level=level,
            parent=parent.id,
            occurrence=self._seen[identity] - 1,
            cell=parent.cell,
        )

    def _said(self, cut: Chunking, start: int) -> Iterator[Diagnostic]:
        before = self._lines.number(start) - 1
        for diagnostic in cut.diagnostics:
            line = diagnostic.line + before if diagnostic.line else 0
            yield replace(diagnostic, line=line)


def _clipped(blocks: Sequence[Block], start: int, end: int) -> Iterator[Block]:
    """What lies in a stretch, from its start on; what began before it has no head there."""
    for block in blocks:
        first, last = max(block.start, start), min(block.end, end)
        if first < last:
            body = block.body - start if start <= block.start and block.body else 0
            yield replace(block, start=first - start, end=last - start, body=min(body, end - start))


def _in_context(
    children: Sequence[Chunk], parent: Chunk, options: Mapping[str, Any]
) -> Iterator[Chunk]:
    """Children with what their parent knows: its symbols, and the context that it carries in front
    of its first child and behind its last."""
    reached = parent.start
    for number, child in enumerate(children):
        known: dict[str, Any] = {
            "symbols": tuple(s for s in parent.symbols if reached <= s.start < child.end)
        }
        if not options.get("budget_includes_context"):
            if number == 0:
                known["carry"] = child.carry or parent.carry
            if number == len(children) - 1:
                known["carry_after"] = child.carry_after or parent.carry_after
        yield replace(child, **known)
        reached = child.end
