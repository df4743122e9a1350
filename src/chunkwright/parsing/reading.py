"""One text in one language -> its blocks, with tree-sitter. Which nodes matter stands in `queries`;
how much is parsed, in `syntax`. What document the text is from is not known here.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from chunkwright.languages import Language
from chunkwright.parsing.found_blocks import blocks_of
from chunkwright.parsing.frames import Found
from chunkwright.parsing.grammars import reader_of
from chunkwright.parsing.masking import parse_masked
from chunkwright.parsing.recovery import walk_broken
from chunkwright.parsing.syntax import (
    TooMuchWorkError,
    as_read,
    first_error,
    parse_within_bounds,
    require_levels,
)
from chunkwright.parsing.walking import walk
from chunkwright.types import Block, Diagnostic

LINES: Final = "lines"
"""`Parsed.parser` where there is no grammar, or none could be used."""


class Reading(NamedTuple):
    """What a text turned out to be. Offsets and lines are its own."""

    parser: str
    blocks: tuple[Block, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    found: tuple[Found, ...] = ()
    """What the blocks are made of."""


def read(text: str, row: Language, detail: int) -> Reading:
    """The symbols of a text, and its outermost statements, imports and comments; those inside a
    definition or statement only where that is longer than `detail` code points.

    A language without a grammar, or a text over the bounds, gives no blocks and a diagnostic.
    """
    reader = reader_of(row)
    if row.grammar is None or reader is None:
        return Reading(LINES, diagnostics=(_no_reader(row),))
    source = as_read(text)
    try:
        if reader.most_levels:
            require_levels(source, reader.most_levels)
        tree = parse_within_bounds(reader.tongue, source)
        tree, source = parse_masked(tree, source, reader)
    except TooMuchWorkError as excess:
        return Reading(LINES, diagnostics=(_too_large(row, excess),))
    root = tree.root_node
    search = walk_broken if root.has_error else walk
    found = search(root, source, reader, detail)
    broken = first_error(root)
    complaints = () if broken is None else (_syntax_error(source, broken),)
    blocks = tuple(blocks_of(text, source, found))
    return Reading(row.grammar.package, blocks, complaints, tuple(found))


def no_parser(language: str) -> Diagnostic:
    """What is said about a language for which there is no grammar at all."""
    return Diagnostic("info", "no_symbols", f"no parser for {language}: cut by lines")


def _no_reader(row: Language) -> Diagnostic:
    if row.grammar is None:
        return no_parser(row.name)
    package = row.grammar.package
    remedy = (
        f"grammar not installed for {row.name}: `pip install {package}`, or all of them with "
        "`pip install 'chunkwright[languages]'`; cut by lines"
    )
    return Diagnostic("warning", "grammar_missing", remedy)


def _too_large(row: Language, error: TooMuchWorkError) -> Diagnostic:
    return Diagnostic("warning", "input_too_large", f"{row.name} source: {error}; cut by lines")


def _syntax_error(source: bytes, offset: int) -> Diagnostic:
    line = source.count(b"\n", 0, offset) + 1
    return Diagnostic("warning", "parse_error", "syntax error; intact symbols are kept", line)
