"""Notebooks, cell by cell: Markdown cells by section, code cells whole or cut between statements.
Nothing crosses a cell. How either is cut is the business of markdown and packing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from re import MULTILINE
from re import compile as compile_plain
from typing import Any, ClassVar

from msgspec.structs import replace

from chunkwright.characters import Lines
from chunkwright.chunking.assembling import Draft, assemble
from chunkwright.chunking.base import (
    Chunker,
    require_measure,
    require_size,
    require_whole_number,
    usable_overlap,
)
from chunkwright.chunking.budgeting import MANY_PARTS, room_in
from chunkwright.chunking.markdown import DEFAULT_SIZE, MarkdownChunker
from chunkwright.chunking.packing import CODE, PROSE, Layout, layout, pack
from chunkwright.measuring import MeasureLike, Ruler
from chunkwright.parsing import code, markdown
from chunkwright.parsing.base import given
from chunkwright.parsing.notebook import MARKDOWN, RAW, Notebook, read
from chunkwright.types import (
    Block,
    Chunk,
    Chunking,
    Document,
    OutlineItem,
)

CELL = "cell"

MAGIC = compile_plain(r"^[ \t]*[%!?][^\r\n]*", MULTILINE)
"""A line that is for the notebook, not in the language of its kernel: blanked for the parser."""

OUTPUT = "\n\nOutput:\n"
"""Comes between a cell's source and what it gave out."""

SHARE_OF_SIZE = 4
"""Room is kept for an output that takes at most one part in so many of the cap."""

CELL_MAGIC = "%%"
"""Begins a cell that is in another language."""


class NotebookChunker(Chunker, frozen=True, kw_only=True):
    """Cuts a notebook into `cell` chunks, one a cell where it fits and has one section.

    Offsets are those of `Chunking.text`, the sources joined by a blank line; lines are those of
    the cell. Text that is not a notebook is cut as prose, with the diagnostic `parse_error`.

    Outputs are left out, but for plain text of at most 200 code points that a code cell gave out:
    its last chunk has that in `carry_after`.
    """

    parsers: ClassVar[tuple[str, ...]] = ("regex", "pyromark", "pyyaml", "tree-sitter")

    size: int | None = DEFAULT_SIZE
    """In the unit of `measure`; None: no cap."""
    overlap: int = 0
    """At most, between the parts of one cell."""
    measure: MeasureLike = "chars"
    budget_includes_context: bool = False

    def __post_init__(self) -> None:
        require_size(self.size, optional=True)
        require_whole_number(self.overlap, "overlap")
        require_measure(self.measure)

    def _cut(self, document: Document, blocks: Sequence[Block] | None) -> Chunking:
        notebook = read(document) if blocks is None else Notebook(given(document, blocks), {})
        parsed = notebook.parsed
        ruler = Ruler(parsed.text, self.measure, self.size)
        reader = _CellReader(self, document, notebook, ruler)
        drafts = list(reader.drafts())
        return assemble(
            document,
            replace(parsed, blocks=tuple(reader.blocks)),
            drafts,
            ruler,
            Lines(parsed.text),
            outline=tuple(reader.outline),
        )


class _CellReader:
    """Goes through the cells in order, and remembers the headings it has passed."""

    def __init__(
        self, options: NotebookChunker, document: Document, notebook: Notebook, ruler: Ruler
    ) -> None:
        self._options = options
        self._document = document
        self._parsed = notebook.parsed
        self._outputs = notebook.outputs
        self._ruler = ruler
        self._overlap = usable_overlap(options.overlap, options.size)
        self._headings: list[OutlineItem] = []
        self.blocks: list[Block] = []
        self.outline: list[OutlineItem] = []

    def drafts(self) -> Iterator[Draft]:
        """Every chunk of the notebook, in order."""
        cells = [block for block in self._parsed.blocks if block.kind == CELL]
        if not cells:
            self.blocks = list(self._parsed.blocks)
            plan = layout(self.blocks, self._ruler)
            yield from self._packed(None, (0, len(self._parsed.text)), self._ruler_in(None), plan)
        for cell in cells:
            self.blocks.append(cell)
            if cell.info == MARKDOWN:
                yield from self._sections(cell)
            elif cell.info == RAW:
                stretch = (cell.start, cell.end)
                yield from self._packed(cell, stretch, self._ruler_in(cell), Layout())
            else:
                yield from self._code(cell)

    def _sections(self, cell: Block) -> Iterator[Draft]:
        ruler = self._ruler_in(cell)
        chunker = MarkdownChunker(
            size=ruler.size, overlap=self._options.overlap, measure=self._options.measure
        )
        source = Document(self._parsed.text[cell.start : cell.end])
        # Front matter stands at the top of a document, not of a cell.
        inside = chunker.chunk(source, markdown.parse(source, front_matter=False).blocks)
        top = min((item.level for item in inside.outline), default=0)
        around = [item.title for item in self._headings if not top or item.level < top]
        for chunk in inside:
            yield _shifted(chunk, cell, tuple(filter(None, around)))
        self.outline.extend(inside.outline)
        for item in inside.outline:
            while self._headings and self._headings[-1].level >= item.level:
                self._headings.pop()
            self._headings.append(item)

    def _code(self, cell: Block) -> Iterator[Draft]:
        blocks = list(self._code_blocks(cell))
        self.blocks += blocks
        output = self._output_of(cell)
        ruler = self._ruler_with(cell, output)
        plan = layout(blocks, ruler)
        drafts = list(self._packed(cell, (cell.start, cell.end), ruler, plan, CODE))
        for draft in drafts[-1:]:
            draft.carry_after = output
        yield from drafts

    def _output_of(self, cell: Block) -> str:
        """What stands after the last chunk of a cell."""
        shown = self._outputs.get(cell.cell, "") if cell.cell is not None else ""
        return f"{OUTPUT}{shown}" if shown else ""

    def _code_blocks(self, cell: Block) -> Iterator[Block]:
        """The symbols and statements of a cell; none where it is in another language."""
        source = self._parsed.text[cell.start : cell.end]
        if source.startswith(CELL_MAGIC):
            return
        plain = MAGIC.sub(lambda line: " " * len(line[0]), source)
        for block in code.parse(Document(plain, language=cell.info)).blocks:
            body = block.body + cell.start if block.body else 0
            start, end = block.start + cell.start, block.end + cell.start
            yield replace(block, start=start, end=end, body=body)

    def _packed(
        self,
        cell: Block | None,
        stretch: tuple[int, int],
        ruler: Ruler,
        plan: Layout,
        style: str = PROSE,
    ) -> Iterator[Draft]:
        names = tuple(item.title for item in self._headings if item.title)
        spans = list(pack(ruler, *stretch, overlap=self._overlap, plan=plan, style=style))
        for part, span in enumerate(spans):
            yield Draft(
                span.start,
                span.end,
                CELL if cell else "segment",
                overlap=span.overlap,
                boundary=span.boundary,
                breadcrumb=names,
                depth=self._headings[-1].level if self._headings else 0,
                part=part if cell else 0,
                parts=len(spans) if cell else 1,
                cell=cell.cell if cell else None,
            )

    def _ruler_with(self, cell: Block, output: str) -> Ruler:
        """As `_ruler_in`, with room for the output where that costs little: not a cell its
        wholeness, nor its parts a large share of the cap."""
        plain = self._ruler_in(cell)
        if not output:
            return plain
        tight = self._ruler_in(cell, carry_after=output)
        if plain.size is None or tight.size is None:
            return plain
        cheap = (plain.size - tight.size) * SHARE_OF_SIZE <= plain.size
        whole = plain.fits(cell.start, cell.end)
        return tight if cheap and (not whole or tight.fits(cell.start, cell.end)) else plain

    def _ruler_in(self, cell: Block | None, **context: Any) -> Ruler:
        """The ruler for the text of a cell: the cap, less the context where it counts."""
        size = self._ruler.size
        if size is None or not self._options.budget_includes_context:
            return self._ruler
        is_markdown = cell is not None and cell.info == MARKDOWN
        parsed = replace(self._parsed, language=MARKDOWN) if is_markdown else self._parsed
        left = room_in(
            self._document,
            parsed,
            self._ruler.measure,
            size,
            kind=CELL if cell else "segment",
            cell=cell.cell if cell else None,
            part=MANY_PARTS - 1 if cell else 0,
            parts=MANY_PARTS if cell else 1,
            **context,
        )
        return self._ruler.capped(left)


def _shifted(chunk: Chunk, cell: Block, around: tuple[str, ...]) -> Draft:
    """A chunk of a Markdown cell as a draft of the notebook, under the headings `around` it."""
    return Draft(
        chunk.start + cell.start,
        chunk.end + cell.start,
        CELL,
        overlap=chunk.overlap,
        boundary=chunk.boundary,
        name=chunk.name,
        breadcrumb=(*around, *chunk.breadcrumb),
        depth=chunk.depth,
        part=chunk.part,
        parts=chunk.parts,
        carry=chunk.carry,
        carry_after=chunk.carry_after,
        cell=cell.cell,
        language=MARKDOWN,
    )
