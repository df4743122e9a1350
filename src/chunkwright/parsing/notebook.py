"""Jupyter notebooks: the cells' sources joined by a blank line, a block for each cell, and beside
them what code cells gave out, where it is short text. What stands inside a cell is for the parser
of its language (see chunking.notebook).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from re import compile as compile_plain
from typing import NamedTuple, TypeVar

import msgspec

from chunkwright.characters import WHITE_SPACE, is_whitespace_only
from chunkwright.languages import find
from chunkwright.parsing.base import start
from chunkwright.parsing.frontmatter import BYTE_ORDER_MARK
from chunkwright.types import Block, Diagnostic, Document, Parsed

PARSER = "notebook"
JOINT = "\n\n"
"""What stands between two cells in `Parsed.text`."""

MARKDOWN = "markdown"
RAW = "raw"
DEFAULT_LANGUAGE = "python"
"""Of code cells where the notebook does not name its kernel, as the first notebooks did not."""

LONGEST_OUTPUT = 200
"""Code points that a cell may give out, all together, so that it is kept: a result, not a log."""

STREAM = "stream"
STDOUT = "stdout"
RESULTS = frozenset({"execute_result", "display_data", "pyout"})
"""Kinds of output that show a value; `pyout` is the first of them in format 3."""

_ESCAPES = compile_plain(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]"  # colours, and moves of the cursor
    r"|\][^\x07\x1b]*(?:\x07|\x1b\\)"  # titles and links
    r"|[@-Z\\^_])"
)
_ADDRESS = " at 0x"

Source = str | list[str]
_Decoded = TypeVar("_Decoded")


class _Cell(msgspec.Struct):
    cell_type: str = "code"
    source: Source | None = None
    input: Source | None = None
    """The source of a code cell in format 3."""
    level: int = 1
    """Of a heading cell in format 3."""
    outputs: msgspec.Raw = msgspec.Raw()
    """Read one by one, so that an odd one spoils nothing but itself."""


class _Data(msgspec.Struct):
    plain: Source | None = msgspec.field(default=None, name="text/plain")


class _Output(msgspec.Struct):
    output_type: str
    name: str | None = None
    stream: str | None = None
    """`name` of a stream in format 3."""
    text: Source | None = None
    """Of a stream; in format 3 also of what format 4 has in `data`."""
    data: _Data | None = None


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


class Notebook(NamedTuple):
    """What is read from a notebook."""

    parsed: Parsed
    outputs: dict[int, str]
    """Number of a code cell -> what it gave out, for those where that is short text."""


def parse(document: Document) -> Parsed:
    """The cells of a notebook; `Block.info` of a cell is its language, `markdown` or `raw`.

    Text that is not a notebook is kept as it is, without blocks, with diagnostic `parse_error`.
    """
    return read(document).parsed


def read(document: Document) -> Notebook:
    """As `parse`, and the cells' outputs."""
    notebook, problem = _decode(document.text)
    cells = None if notebook is None else _cells(notebook)
    if notebook is None or cells is None:
        return Notebook(_as_text(document, problem or "it has no cells"), {})
    language = _kernel_language(notebook.metadata or _Metadata())
    sources = [_source(cell) for cell in cells]
    parsed = start(
        document,
        PARSER,
        text=JOINT.join(sources),
        language=language,
        blocks=tuple(_blocks(cells, sources, language)),
    )
    shown = {number: _shown(cell) for number, cell in enumerate(cells)}
    return Notebook(parsed, {number: output for number, output in shown.items() if output})


def _decode(text: str) -> tuple[_Notebook | None, str]:
    """The notebook and "", or None and what is wrong."""
    try:
        return msgspec.json.decode(text.removeprefix(BYTE_ORDER_MARK), type=_Notebook), ""
    except (msgspec.DecodeError, RecursionError) as error:
        return None, str(error)


def _cells(notebook: _Notebook) -> list[_Cell] | None:
    if notebook.cells is not None or not notebook.worksheets:
        return notebook.cells
    return [cell for sheet in notebook.worksheets for cell in sheet.cells]


def _source(cell: _Cell) -> str:
    text = _joined(cell.input if cell.source is None else cell.source)
    level = min(max(cell.level, 1), 6)
    return f"{'#' * level} {text}" if cell.cell_type == "heading" else text


def _joined(source: Source | None) -> str:
    return "".join(source) if isinstance(source, list) else source or ""


def _shown(cell: _Cell) -> str:
    """All that a code cell gave out as plain text, if that is short; "" otherwise."""
    if cell.cell_type != "code":
        return ""
    shown = ""
    for output in _outputs(cell):
        if is_whitespace_only(output):
            continue
        joint = "\n" if shown and not shown.endswith(("\n", "\r")) else ""
        shown += joint + output
        if len(shown.strip(WHITE_SPACE)) > LONGEST_OUTPUT:
            return ""
    # The first line may be the head of a table: its indentation stays.
    shown = shown.strip("\r\n").rstrip(WHITE_SPACE)
    return shown if len(shown) <= LONGEST_OUTPUT else ""


def _outputs(cell: _Cell) -> Iterator[str]:
    """The text of each output that is text."""
    for raw in _decoded(bytes(cell.outputs), list[msgspec.Raw]) or ():
        output = _decoded(raw, _Output)
        if output:
            yield _plain_text(output)


def _decoded(encoded: bytes | msgspec.Raw, kind: type[_Decoded]) -> _Decoded | None:
    """None where it is of another kind."""
    try:
        return msgspec.json.decode(encoded, type=kind)
    except (msgspec.DecodeError, RecursionError):
        return None


def _plain_text(output: _Output) -> str:
    """What an output shows as plain text, unless it only tells of an object or is an error."""
    if output.output_type == STREAM:
        is_output = (output.name or output.stream) == STDOUT
        return _ESCAPES.sub("", _joined(output.text)) if is_output else ""
    if output.output_type not in RESULTS:
        return ""
    text = _ESCAPES.sub("", _joined(output.data.plain if output.data else output.text))
    return "" if _is_representation(text.strip(WHITE_SPACE)) else text


def _is_representation(text: str) -> bool:
    """`<Figure size 640x480 with 1 Axes>`, `[<matplotlib.lines.Line2D at 0x7f...>]`: nothing to
    find, and an address is another one each time."""
    is_object = text.startswith("<") and text.endswith(">")
    return "\n" not in text and (is_object or _ADDRESS in text)


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
