"""Source code -> `Parsed`, with tree-sitter. Which nodes matter stands in `queries`; how much is
parsed, in `syntax`; where chunks begin and end is not decided here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from chunkwright.characters import LINE_END, Lines
from chunkwright.languages import LANGUAGES, Language, find
from chunkwright.parsing.base import language_name, start
from chunkwright.parsing.frames import Found
from chunkwright.parsing.grammars import reader_of
from chunkwright.parsing.masking import parse_masked
from chunkwright.parsing.positions import code_points
from chunkwright.parsing.recovery import walk_broken
from chunkwright.parsing.syntax import (
    TooMuchWorkError,
    as_read,
    first_error,
    parse_within_bounds,
)
from chunkwright.parsing.walking import walk
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
    r"\s*(?:/\*+!?|\*+/|\(\*+|\*+|//+[!/]?|#+[!|]?|--+(?: [|^])?|\{-+ ?[|^]?|;+|%+|!+[<>]?|\"{3})?"
    r"[ \t]*(.*?)\s*(?:\*+/|\*+\)|-\}|\"{3})?\s*"
)
"""The marks of comments in C, Fortran, Haskell, Lisp, Lua, OCaml, Python, TeX and their kin."""

LAST_COMMENT = re.compile(r"[\r\n][ \t]*(?:#|--|//|/\*|;|%)[^\r\n]*\Z")
"""A comment between a signature and a body."""

TAGS = re.compile(r"</?(?:summary|remarks|para|returns|value|param|inheritdoc)\b[^>]*>")
"""What documentation in C# is marked up with."""

POD = re.compile(r"=(?:begin|end|pod|cut|over|back|encoding)\b.*|=(?:head\d|item)\b")
"""Lines, and beginnings of lines, of Perl's and Ruby's documentation that say nothing."""

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
        tree = parse_within_bounds(reader.tongue, source)
        tree, source = parse_masked(tree, source, reader)
    except TooMuchWorkError as excess:
        return start(document, LINES, diagnostics=(_too_large(row, excess),))
    root = tree.root_node
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
            yield block.doc_start
            yield block.doc_end


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
            _doc(text, place(block.doc_start), place(block.doc_end)),
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
    whole = whole.removesuffix("{").rstrip()
    while (last := LAST_COMMENT.search(whole)) is not None:
        whole = whole[: last.start()].rstrip()
    return whole.strip()


def _doc(text: str, begin: int, end: int) -> str:
    """The first line of a comment or a documentation string that says something."""
    for line in LINE_END.split(text[begin : min(end, begin + SIGNATURE_LIMIT)]):
        if DIRECTIVE.match(line.strip()):
            continue
        match = COMMENT_MARKS.fullmatch(line)
        said = POD.sub("", TAGS.sub("", match[1] if match else line)).strip()
        if WORD.search(said):
            quoted = len(said) > 1 and said[0] == said[-1] == '"'
            return (said[1:-1] if quoted else said)[:DOC_LIMIT]
    return ""


def _no_reader(document: Document, row: Language | None) -> Diagnostic:
    if row is not None and row.grammar is not None:
        package = row.grammar.package
        remedy = (
            f"grammar not installed for {row.name}: `pip install {package}`, or all of them with "
            "`pip install 'chunkwright[languages]'`; cut by lines"
        )
        return Diagnostic("warning", "grammar_missing", remedy)
    name = row.name if row else (document.language or "an unknown language")
    return Diagnostic("info", "no_symbols", f"no parser for {name}: cut by lines")


def _too_large(row: Language, error: TooMuchWorkError) -> Diagnostic:
    return Diagnostic("warning", "input_too_large", f"{row.name} source: {error}; cut by lines")


def _syntax_error(document: Document, position: int) -> Diagnostic:
    line = Lines(document.text).number(position)
    return Diagnostic("warning", "parse_error", "syntax error; intact symbols are kept", line)
