"""Jupyter notebooks: the cells' sources joined by a blank line, and a block for each cell. Outputs
are left out; what stands inside a cell is for the parser of its language (see chunking.notebook).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from chunkwright.characters import is_whitespace_only
from chunkwright.languages import find
from chunkwright.parsing.base import start
from chunkwright.types import Block, Diagnostic, Document, Parsed

PARSER = "notebook"
JOINT = "\n\n"
"""What stands between two cells in `Parsed.text`."""

MARKDOWN = "markdown"
RAW = "raw"
DEFAULT_LANGUAGE = "python"
"""Of code cells where the notebook does not name its kernel, as the first notebooks did not."""

Source = str | list[str]


class _Cell(msgspec.Struct):
    cell_type: str = "code"
    source: Source | None = None
    input: Source | None = None
    """The source of a code cell in format 3."""
    level: int = 1
    """Of a heading cell in format 3."""


class _Worksheet(msgspec.Struct):
    cells: list[_Cell] = []


class _Language(msgspec.Struct):
    name: str | None = None
    language: str | None = None


class _Metadata(msgspec.Struct):
    kernelspec: _Language | None = None
    language_info: _Language | None = None


class _Notebook(msgspec.Struct):
    metadata: _Metadata | None = None
    cells: list[_Cell] | None = None
    worksheets: list[_Worksheet] = []
    """Format 3 keeps its cells here."""


def parse(document: Document) -> Parsed:
    """The cells of a notebook; `Block.info` of a cell is its language, `markdown` or `raw`.

    Text that is not a notebook is kept as it is, without blocks, with diagnostic `parse_error`.
    """
    notebook, problem = _decode(document.text)
    cells = None if notebook is None else _cells(notebook)
    if notebook is None or cells is None:
        return _as_text(document, problem or "it has no cells")
    language = _kernel_language(notebook.metadata or _Metadata())
    sources = [_source(cell) for cell in cells]
    return start(
        document,
        PARSER,
        text=JOINT.join(sources),
        language=language,
        blocks=tuple(_blocks(cells, sources, language)),
    )


def _decode(text: str) -> tuple[_Notebook | None, str]:
    """The notebook and "", or None and what is wrong."""
    try:
        return msgspec.json.decode(text, type=_Notebook), ""
    except (msgspec.DecodeError, RecursionError) as error:
        return None, str(error)


def _cells(notebook: _Notebook) -> list[_Cell] | None:
    if notebook.cells is not None or not notebook.worksheets:
        return notebook.cells
    return [cell for sheet in notebook.worksheets for cell in sheet.cells]


def _source(cell: _Cell) -> str:
    source = cell.input if cell.source is None else cell.source
    text = "".join(source) if isinstance(source, list) else source or ""
    level = min(max(cell.level, 1), 6)
    return f"{'#' * level} {text}" if cell.cell_type == "heading" else text


def _blocks(cells: Sequence[_Cell], sources: Sequence[str], language: str) -> Iterator[Block]:
    """A block for each cell that holds more than white space."""
    position = 0
    for number, (cell, source) in enumerate(zip(cells, sources, strict=True)):
        end = position + len(source)
        if not is_whitespace_only(source):
            info = _LANGUAGE_OF.get(cell.cell_type, language)
            yield Block(position, end, kind="cell", info=info, cell=number)
        position = end + len(JOINT)


_LANGUAGE_OF = {"heading": MARKDOWN, "markdown": MARKDOWN, "raw": RAW}


def _kernel_language(metadata: _Metadata) -> str:
    kernel, info = metadata.kernelspec, metadata.language_info
    named = (kernel and kernel.language) or (info and info.name) or DEFAULT_LANGUAGE
    row = find(named.lower())
    return row.name if row else named.lower()


def _as_text(document: Document, problem: str) -> Parsed:
    message = f"not a notebook, cut as text: {problem}"
    return start(document, "prose", diagnostics=(Diagnostic("warning", "parse_error", message),))
