"""Source code -> `Parsed`, with tree-sitter. Which nodes matter stands in `queries`; how much is
parsed, in `syntax`; where chunks begin and end is not decided here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from chunkwright.characters import LINE_END, Lines
from chunkwright.languages import LANGUAGES, Language, find
from chunkwright.parsing.base import language_name, start
from chunkwright.parsing.grammars import reader_of
from chunkwright.parsing.positions import code_points
from chunkwright.parsing.recovery import walk_broken
from chunkwright.parsing.syntax import (
    TooMuchWorkError,
    as_read,
    first_error,
    parse_within_bounds,
)
from chunkwright.parsing.walking import Found, walk
from chunkwright.types import Block, Diagnostic, Document, Parsed

PARSERS = ("tree-sitter", *sorted({row.grammar.package for row in LANGUAGES if row.grammar}))
"""Distributions whose version decides what is found."""

LINES = "lines"
"""`Parsed.parser` where there is no grammar, or none could be used."""

SIGNATURE_LIMIT = 1000
"""Code points of a signature: it is repeated on every part of a split definition."""

DOC_LIMIT = 200
"""Code points of a documentation's first line."""

COMMENT_MARKS = re.compile(
    r"\s*(?:/\*+!?|\*+/|\*+|//+[!/]?|#+!?|--+|;+|%+)?[ \t]*(.*?)\s*(?:\*+/)?\s*"
)
WORD = re.compile(r"\w")
DIRECTIVE = re.compile(r"//(?:go:|line |export |nolint|\s*@ts-|\s*eslint-)|#!|@\w")
"""Comments that are meant for tools, and decorators among comments, which document nothing."""

DETAIL = 1000
"""Code points of a stretch whose inside is not described, by default."""


def parse(document: Document, detail: int = DETAIL) -> Parsed:
    """The symbols of a source file, and its outermost statements, imports and comments; those
    inside a definition or statement only where that is longer than `detail` code points.

    A language without a grammar, or a source over the bounds, gives no blocks and a diagnostic.
    """
    row = find(language_name(document))
    reader = reader_of(row) if row else None
    if row is None or reader is None:
        return start(document, LINES, diagnostics=(_no_reader(document, row),))
    source = as_read(document.text)
    try:
        root = parse_within_bounds(reader.tongue, source).root_node
    except TooMuchWorkError as excess:
        return start(document, LINES, diagnostics=(_too_large(row, excess),))
    search = walk_broken if root.has_error else walk
    found = search(root, source, reader, detail)
    broken = first_error(root)
    place = code_points(document.text, source, _offsets(found, broken))
    parser = row.grammar.package if row.grammar else LINES
    return start(
        document,
        parser,
        blocks=tuple(_blocks(document.text, found, place)),
        diagnostics=() if broken is None else (_syntax_error(document, place(broken)),),
    )


def _offsets(found: list[Found], error: int | None) -> Iterator[int]:
    if error is not None:
        yield error
    for block in found:
        yield block.start
        yield block.end
        if block.name:
            yield block.head
            yield block.body
            yield from block.doc


def _blocks(text: str, found: list[Found], place: Callable[[int], int]) -> Iterator[Block]:
    scopes = _scopes(found)
    for number, block in enumerate(found):
        begin, end = place(block.start), place(block.end)
        if not block.name:
            kind = "scope" if number in scopes else block.kind
            yield Block(begin, end, block.depth, kind)
            continue
        body = place(block.body)
        yield Block(
            begin,
            end,
            block.depth,
            block.kind,
            block.name,
            body,
            _signature(text, place(block.head), body, end),
            _doc(text, place(block.doc[0]), place(block.doc[1])),
        )


def _scopes(found: list[Found]) -> set[int]:
    """Numbers of the statements that definitions stand in."""
    scopes: set[int] = set()
    around: list[int] = []
    for number, block in enumerate(found):
        while around and found[around[-1]].end <= block.start:
            around.pop()
        if block.name:
            for outer in reversed(around):
                if outer in scopes:
                    break
                if not found[outer].name:
                    scopes.add(outer)
        around.append(number)
    return scopes


def _signature(text: str, head: int, body: int, end: int) -> str:
    """A definition up to its body; its first line where it has none."""
    whole = text[head : min(body or end, head + SIGNATURE_LIMIT)]
    if not body:
        whole = LINE_END.split(whole[:DOC_LIMIT], maxsplit=1)[0]
    return whole.removesuffix("{").strip()


def _doc(text: str, begin: int, end: int) -> str:
    """The first line of a comment or a documentation string that says something."""
    for line in LINE_END.split(text[begin : min(end, begin + SIGNATURE_LIMIT)]):
        if DIRECTIVE.match(line.strip()):
            continue
        match = COMMENT_MARKS.fullmatch(line)
        said = match[1] if match else line.strip()
        if WORD.search(said):
            return said[:DOC_LIMIT]
    return ""


def _no_reader(document: Document, row: Language | None) -> Diagnostic:
    if row is not None and row.grammar is not None:
        package = row.grammar.package
        remedy = f"grammar not installed for {row.name}: `pip install {package}`; cut by lines"
        return Diagnostic("warning", "grammar_missing", remedy)
    name = row.name if row else (document.language or "an unknown language")
    return Diagnostic("info", "no_symbols", f"no parser for {name}: cut by lines")


def _too_large(row: Language, error: TooMuchWorkError) -> Diagnostic:
    return Diagnostic("warning", "input_too_large", f"{row.name} source: {error}; cut by lines")


def _syntax_error(document: Document, position: int) -> Diagnostic:
    line = Lines(document.text).number(position)
    return Diagnostic("warning", "parse_error", "syntax error; intact symbols are kept", line)
