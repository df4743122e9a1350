"""What our parser finds and misses in real files, against other parsers.

    apt-get install universal-ctags golang-go nodejs npm

A definition is found where a symbol of ours has its name and its line; a symbol is confirmed where
the other parser has anything of that name in its lines. The other parser errs too: what differs is
printed with --verbose, to be looked at. Where the other parser's findings come from is
definitions.py's.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmarks import facts
from benchmarks.code_corpora import CACHE, Tree, trees_in
from benchmarks.definitions import (
    FUNCTION,
    LANGUAGES,
    OTHER,
    TYPE,
    Definition,
    found_by_others,
    versions,
)
from benchmarks.facts import Line, say
from chunkwright import CodeChunker
from chunkwright.types import Document, Symbol

FILES = 50
"""Most files of a language, unless the caller says otherwise."""

KINDS = {
    **dict.fromkeys(("Function", "Method", "Modifier", "Macro"), FUNCTION),
    **dict.fromkeys(
        ("Class", "Struct", "Interface", "Enum", "Trait", "Type", "Contract", "Module", "Impl"),
        TYPE,
    ),
}
"""Kind of our symbol -> what it is; the others are constants and variables."""

HELD_TO_ACCOUNT = frozenset({"Function", "Method", "Class", "Struct", "Interface", "Enum", "Trait"})
"""Kinds of symbols that the other parser should have too."""


@dataclass
class Count:
    """How one language came out."""

    files: int = 0
    unread: int = 0
    """Files that the other parser could not read."""
    broken: int = 0
    """Files in which ours found a syntax error."""
    defined: dict[str, int] = field(default_factory=lambda: {FUNCTION: 0, TYPE: 0})
    found: dict[str, int] = field(default_factory=lambda: {FUNCTION: 0, TYPE: 0})
    of_other_kind: int = 0
    """Definitions found, but a function by one and a type by the other."""
    symbols: int = 0
    confirmed: int = 0


def measure(tree: Tree, cache: Path, verbose: bool) -> Line:
    """The line of one language."""
    chunker = CodeChunker(size=None)
    others = found_by_others(tree.language, tree.files, cache)
    count = Count()
    for file in tree.files:
        if file.path not in others:
            count.unread += 1
            continue
        chunking = chunker.chunk(file)
        count.files += 1
        count.broken += any(one.code == "parse_error" for one in chunking.diagnostics)
        for message in compare(count, file, chunking.symbols, others[file.path]):
            if verbose:
                say(message)
    return {
        "what": "symbols",
        "corpus": tree.name,
        "digest": tree.digest,
        "language": tree.language,
        "files": count.files,
        "files_unread_by_other": count.unread,
        "files_with_syntax_errors": count.broken,
        "functions": count.defined[FUNCTION],
        "function_recall": _share(count.found[FUNCTION], count.defined[FUNCTION]),
        "types": count.defined[TYPE],
        "type_recall": _share(count.found[TYPE], count.defined[TYPE]),
        "of_other_kind": count.of_other_kind,
        "symbols": count.symbols,
        "precision": _share(count.confirmed, count.symbols),
        "uses": facts.CODE_READERS[:1],
        "versions": versions(tree.language),
    }


def compare(
    count: Count, file: Document, symbols: Sequence[Symbol], others: Sequence[Definition]
) -> Iterator[str]:
    """Count one file, and say what differs."""
    for one in others:
        if one.what == OTHER:
            continue
        count.defined[one.what] += 1
        symbol = _symbol_of(one, symbols)
        if symbol is None:
            yield f"{file.path}:{one.line}: missed {one.what} {one.name}"
            continue
        count.found[one.what] += 1
        if KINDS.get(symbol.kind) != one.what:
            count.of_other_kind += 1
            yield f"{file.path}:{one.line}: {one.what} {one.name} is {symbol.kind} {symbol.name}"
    names = {(one.name, one.line) for one in others}
    lines_of: dict[str, list[int]] = {}
    for name, line in names:
        lines_of.setdefault(unqualified(name), []).append(line)
    for symbol in symbols:
        if symbol.kind not in HELD_TO_ACCOUNT:
            continue
        count.symbols += 1
        lines = lines_of.get(unqualified(symbol.name), ())
        if any(symbol.start_line <= line <= symbol.end_line for line in lines):
            count.confirmed += 1
        else:
            yield f"{file.path}:{symbol.start_line}: only ours {symbol.kind} {symbol.name}"


def _symbol_of(one: Definition, symbols: Sequence[Symbol]) -> Symbol | None:
    """The shortest symbol of that name around the line, of the same sort rather than another."""
    name = unqualified(one.name)
    around = [
        symbol
        for symbol in symbols
        if symbol.start_line <= one.line <= symbol.end_line and unqualified(symbol.name) == name
    ]
    if not around:
        return None
    return min(around, key=lambda symbol: (KINDS.get(symbol.kind) != one.what, _lines(symbol)))


def _lines(symbol: Symbol) -> int:
    return symbol.end_line - symbol.start_line


def unqualified(name: str) -> str:
    """`Server.Listen` is Listen; `ns::f`, `a:b` and Elixir's `f/2` are f, b and f."""
    operator = re.search(r"\boperator\b.*", name)
    if operator:
        return re.sub(r"[\s.:]", "", operator[0])
    last = name.rstrip(":").replace("::", ".").replace(":", ".").rsplit(".", 1)[-1]
    head, slash, arity = last.rpartition("/")
    return head if slash and arity.isdigit() else last


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def lines(options: argparse.Namespace) -> Iterator[Line]:
    """A line for each language of the folder that another parser reads."""
    for folder in options.folders:
        for tree in trees_in(folder, options.files):
            wanted = options.languages or LANGUAGES
            if tree.language in wanted and tree.language in LANGUAGES:
                say(f"symbols, {tree.language}, {len(tree.files)} files of {folder}")
                named = replace(tree, name=options.name or folder.resolve().name)
                yield measure(named, options.cache, options.verbose)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folders", type=Path, nargs="+", help="where the files are")
    parser.add_argument("--name", help="what the results call them, instead of the folder's name")
    parser.add_argument("--files", type=int, default=FILES, help="most files of a language")
    parser.add_argument("--languages", nargs="+", default=[], help="only these")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where programs are kept")
    parser.add_argument("--verbose", action="store_true", help="say what differs, on stderr")
