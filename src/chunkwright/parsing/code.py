"""Source code -> `Parsed`: which way a source is read. What blocks it has is told by `reading`, of
single-file components by `components`; where chunks begin and end is not decided here.
"""

from __future__ import annotations

from msgspec.structs import replace

from chunkwright.languages import LANGUAGES, Language, find
from chunkwright.parsing import components
from chunkwright.parsing.base import language_name, start
from chunkwright.parsing.component_markup import FORMATS
from chunkwright.parsing.generated import is_minified, marked_line
from chunkwright.parsing.reading import LINES, no_parser, read
from chunkwright.types import Diagnostic, Document, Parsed

PARSERS = ("tree-sitter", *sorted({row.grammar.package for row in LANGUAGES if row.grammar}))
"""Distributions whose version decides what is found."""

DETAIL = 1000
"""Code points of a stretch whose inside is not described, by default."""


def parse(document: Document, detail: int = DETAIL) -> Parsed:
    """The symbols of a source file, and its outermost statements, imports and comments; those
    inside a definition or statement only where that is longer than `detail` code points.

    A language without a grammar, a source over the bounds and a minified one give no blocks and
    a diagnostic. A generated one is read like any other, and said to be generated.
    """
    parsed = _read(document, find(language_name(document)), detail)
    line = marked_line(document.text)
    if not line:
        return parsed
    told = Diagnostic("info", "generated", "the source says that it is generated", line)
    return replace(parsed, diagnostics=(*parsed.diagnostics, told))


def _read(document: Document, row: Language | None, detail: int) -> Parsed:
    if row is None:
        name = document.language or "an unknown language"
        return start(document, LINES, diagnostics=(no_parser(name),))
    if row.name in FORMATS:
        return components.parse(document, detail)
    if is_minified(document.text, row.name, document.path):
        return start(document, LINES, diagnostics=(_minified(row),))
    found = read(document.text, row, detail)
    return start(document, found.parser, blocks=found.blocks, diagnostics=found.diagnostics)


def _minified(row: Language) -> Diagnostic:
    message = f"minified {row.name}: not parsed, so without symbols; cut by size"
    return Diagnostic("info", "minified", message)
