"""What stands around a chunk of source code and says what it is about: the imported names that it
uses, and the symbols beside it. How that looks is rendering's, what of it fits a cap budgeting's.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, Final

import regex
from msgspec.structs import replace

from chunkwright.chunking.units import CALLABLE, IMPORT
from chunkwright.types import EXTRA_VIEWS, SYMBOL_KINDS, Block, Chunk, Chunking, Parsed

IMPORTS, SIBLINGS = "imports", "siblings"
SURROUNDINGS: Final = (IMPORTS, SIBLINGS)
"""What can be asked for, by the names of the fields of `Chunk`."""

MOST_SIBLINGS: Final = 10
"""Names: a line of text. Who is far away says little."""

LONGEST_SIBLING: Final = 100
"""Code points. Longer ones are keys of data, and every part of a long neighbour repeats them."""

PYTHON, GO = "python", "go"

WORD: Final = regex.compile(r"[\w$]+")
"""JavaScript has names with a dollar sign; a variable of PHP is not the class of that name."""

IMPORTING: Final = regex.compile(r"\b(?:import|using|use|open|extern\s+(?:crate|alias))\b")
"""What comes before the names, in every language whose imports bind any. A package's own name is
among the blocks of imports too, and has no such word before it."""

INCLUDE: Final = regex.compile(r"\s*#\s*(?:include|import)\b")
"""What says a file and not the names in it."""

NOT_NAMES: Final = regex.compile(
    r"""(?:"[^"\r\n]*"|'[^'\r\n]*'|`[^`\r\n]*`)"""
    r"|//[^\r\n]*|/\*(?s:.*?)(?:\*/|\Z)"
)
"""A quoted path, or a comment."""

HASH_COMMENT: Final = regex.compile(r"#[^\r\n]*")

PART: Final = regex.compile(r"[\w$]+|=>|[{}(),;=*]|(?<!:):(?!:)")
"""Words and the marks that part names. Marks inside a path are left out, so that its words stand
side by side."""

OPENING, CLOSING = frozenset("{("), frozenset("})")
PATH_ENDS: Final = OPENING | {":"}
"""What comes behind the path that the names of a list are found under."""

MARKS: Final = PATH_ENDS | CLOSING | {",", ";", "=", "import"}
"""What ends a name; `import`, for those of a Haskell file are one block."""

RENAMING: Final = frozenset({"as", "=>"})

NO_NAMES: Final = frozenset({"", "*", "_", "self", "given", "from"})
"""What stands in the place of a name: all of them, none, what gives, where from."""

GO_IMPORT: Final = regex.compile(
    r"//[^\r\n]*|/\*(?s:.*?)(?:\*/|\Z)"
    r"""|(?:(?<![\w.])(?P<alias>[\w.]+)[ \t]*)?["`](?P<path>[^"`\r\n]*)["`]"""
)
MAJOR_VERSION: Final = regex.compile(r"(?:/|\.)v[0-9]+$")
"""The end of a path that is not in the package's name: `/v2`, `.v3`."""


def with_surroundings(chunking: Chunking, parsed: Parsed, wanted: Sequence[str]) -> Chunking:
    """The chunking with those of SURROUNDINGS that are wanted in the fields of its chunks."""
    if not wanted:
        return chunking
    imported = ImportedNames(parsed) if IMPORTS in wanted else None
    neighbours = Neighbours(parsed) if SIBLINGS in wanted else None
    chunks = []
    for chunk in chunking.chunks:
        around: dict[str, Any] = {}
        if imported and (names := imported.used_in(chunk)):
            around[IMPORTS] = names
        if neighbours and (names := neighbours.of(chunk)):
            around[SIBLINGS] = names
        chunks.append(replace(chunk, **around) if around else chunk)
    return replace(chunking, chunks=tuple(chunks))


class Neighbours:
    """The symbols of a file by their scope, in order, each name once."""

    def __init__(self, parsed: Parsed) -> None:
        self._scopes: dict[str, list[str]] = {}
        self._places: dict[str, int] = {}
        for block in parsed.blocks:
            if block.kind in SYMBOL_KINDS and block.name and block.name not in self._places:
                scope, name = _scope_and_name(block.name)
                beside = self._scopes.setdefault(scope, [])
                self._places[block.name] = len(beside)
                beside.append(name)

    def of(self, chunk: Chunk) -> tuple[str, ...]:
        """The names beside the symbol that a chunk is, or is a part of, nearest first, of two as
        near the one before first."""
        place = self._places.get(chunk.name) if chunk.symbol_kind else None
        if place is None:
            return ()
        beside = self._scopes[_scope_and_name(chunk.name)[0]]
        around = range(max(0, place - MOST_SIBLINGS), min(len(beside), place + MOST_SIBLINGS + 1))
        nearest = sorted(around, key=lambda number: abs(number - place))
        names = (beside[number] for number in nearest[1 : MOST_SIBLINGS + 1])
        return tuple(name for name in names if len(name) <= LONGEST_SIBLING)


def _scope_and_name(qualified: str) -> tuple[str, str]:
    scope, _, name = qualified.rpartition(".")
    return (scope, name) if name else ("", qualified)


class ImportedNames:
    """The names that a file imports, in order, and where."""

    def __init__(self, parsed: Parsed) -> None:
        self._order: dict[str, int] = {}
        self._homes: dict[str, list[int]] = {}
        """Numbers of the imports that bind a name."""
        self._starts: list[int] = []
        self._ends: list[int] = []
        for number, block in enumerate(_imports(parsed.blocks)):
            self._starts.append(block.start)
            self._ends.append(max(block.end, self._ends[-1] if self._ends else 0))
            for name in bound_names(parsed.text[block.start : block.end], parsed.language):
                self._order.setdefault(name, len(self._order))
                self._homes.setdefault(name, []).append(number)

    def used_in(self, chunk: Chunk) -> tuple[str, ...]:
        """Those that are words of a chunk, but for what the chunk itself imports."""
        if not self._order or chunk.kind in EXTRA_VIEWS:
            return ()
        here = range(bisect_right(self._ends, chunk.start), bisect_left(self._starts, chunk.end))
        used = {word for word in WORD.findall(chunk.text) if word in self._order}
        foreign = (name for name in used if not self._is_bound(name, here))
        return tuple(sorted(foreign, key=self._order.__getitem__))

    def _is_bound(self, name: str, imports: range) -> bool:
        """Whether one of the imports of these numbers binds a name."""
        homes = self._homes[name]
        at = bisect_left(homes, imports.start)
        return at < len(homes) and homes[at] < imports.stop


def _imports(blocks: Sequence[Block]) -> Iterator[Block]:
    """The imports that hold for more than one function."""
    inside = 0
    for block in blocks:
        if block.kind == IMPORT and block.start >= inside:
            yield block
        elif block.kind in CALLABLE:
            inside = max(inside, block.end)


def bound_names(statement: str, language: str) -> Iterator[str]:
    """The names that an import binds, as far as its words tell: the last word of each path, or
    the alias; in Python, the first word.

        import d, {a as b} from "m"    d, b
        use a::b::{self, c as d};      b, d
        import "net/http"              http
        import os.path                 os
    """
    if language == GO:
        yield from _go_names(statement)
        return
    text = HASH_COMMENT.sub(" ", statement) if language == PYTHON else statement
    text = NOT_NAMES.sub(" ", text)
    keyword = IMPORTING.search(text)
    if not keyword or INCLUDE.match(text) or "__future__" in text:
        return
    for name in _listed(PART.findall(text, keyword.end()), first=language == PYTHON):
        if name not in NO_NAMES:
            yield name


def _listed(parts: Sequence[str], *, first: bool) -> Iterator[str]:
    """What each item of a list is bound to; items may be lists: `{a, b::{c, d}}`."""
    item: list[str] = []
    paths: list[str] = []
    for part in (*parts, ";"):
        if part not in MARKS:
            item.append(part)
            continue
        if part not in PATH_ENDS or not RENAMING.isdisjoint(item):
            itself = bool(paths) and item == ["self"]
            yield paths[-1] if itself else _bound(item, first=first)
        if part in OPENING:
            paths.append(item[-1] if item else "")
        elif part in CLOSING and paths:
            paths.pop()
        item = []
        if part == "=":  # the rest is what the name stands for
            return


def _bound(item: Sequence[str], *, first: bool) -> str:
    """The name that one item of an import binds, "" for none."""
    for place, word in enumerate(item):
        if word in RENAMING and place < len(item) - 1:
            return item[place + 1]
    words = item[:-1] if len(item) > 1 and item[-1] == "from" else item
    if not words:
        return ""
    return words[0] if first else words[-1]


def _go_names(statement: str) -> Iterator[str]:
    """The alias of each path, or its last part as the name of a package."""
    for found in GO_IMPORT.finditer(statement):
        alias, path = found["alias"] or "", found["path"] or ""
        if alias in ("", "import"):
            last = MAJOR_VERSION.sub("", path).rpartition("/")[2]
            words = WORD.findall(last.removeprefix("go-").removesuffix("-go").removesuffix(".go"))
            yield from words[-1:]
        elif alias not in ("_", "."):
            yield alias
