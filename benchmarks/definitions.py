"""Where functions and types are, as parsers other than ours have it: `ast` for Python, go/parser
for Go (functions.go), TypeScript's own for scripts (functions.js), Universal Ctags for the rest.
What is compared with that is elsewhere.

    apt-get install universal-ctags golang-go nodejs npm
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chunkwright.types import Document

FUNCTION, TYPE, OTHER = "function", "type", "other"
"""What a definition is. Parsers disagree on finer kinds."""

HERE = Path(__file__).parent

NO_VARIABLES: Mapping[str, str] = {}

TYPESCRIPT = "typescript@5.9.3"
"""The package of npm whose parser reads scripts."""

CTAGS = (
    "ctags",
    "--options=NONE",
    "--output-format=json",
    "--fields=+neK",
    "--kinds-C=+p",
    "--kinds-C++=+p",
    "--sort=no",
    "-f",
    "-",
    "-L",
    "-",
)


@dataclass(frozen=True)
class Definition:
    """One that another parser found. Lines are 1-based and inclusive."""

    name: str
    what: str
    line: int
    """Where its name stands, or where it begins."""
    end: int | None = None
    """None where the parser does not say."""


Found = Mapping[str, Sequence[Definition]]
"""Path -> definitions. A file that the parser could not read is not there."""


@dataclass(frozen=True)
class Tongue:
    """How Universal Ctags names a language and what it finds in it."""

    name: str
    functions: tuple[str, ...]
    types: tuple[str, ...]
    line: str = ""
    """What the line of a definition has: where it has not, the finding is a mistake (a lambda's
    parameter, a record's field), though it can confirm a symbol of ours."""
    strings: str = ""
    """Strings over several lines, in which Universal Ctags would find definitions."""


def _kinds(names: str) -> tuple[str, ...]:
    return tuple(names.split())


TONGUES = {
    "rust": Tongue(
        "Rust", _kinds("function method macro"), _kinds("struct enum interface typedef")
    ),
    "java": Tongue("Java", _kinds("method"), _kinds("class interface enum annotation")),
    "c": Tongue("C", _kinds("function"), _kinds("struct enum union")),
    "cpp": Tongue("C++", _kinds("function"), _kinds("class struct enum union")),
    "csharp": Tongue("C#", _kinds("method"), _kinds("class struct interface enum")),
    "ruby": Tongue(
        "Ruby",
        _kinds("method singletonMethod"),
        _kinds("class module"),
        strings=r"(?ms)<<[~-]?['\"]?([A-Z]+)\b[^\n]*\n.*?^[ \t]*\1$",
    ),
    "php": Tongue("PHP", _kinds("function"), _kinds("class interface trait")),
    "kotlin": Tongue(
        "Kotlin",
        _kinds("method"),
        _kinds("class interface object typealias"),
        r"\b(?:fun|class|interface|object|typealias)\b",
    ),
    "bash": Tongue("Sh", _kinds("function"), ()),
    "lua": Tongue("Lua", _kinds("function"), ()),
    "elixir": Tongue(
        "Elixir",
        _kinds("function macro guard delegate"),
        _kinds("module protocol"),
        strings=r"(?s)(\"{3}|'{3}).*?\1",
    ),
    "haskell": Tongue(
        "Haskell", _kinds("function"), _kinds("type"), r"^(?!where|class|instance)\w"
    ),
    "ocaml": Tongue(
        "OCaml", _kinds("function"), _kinds("type class"), r"\b(?:let|and|type|class)\b"
    ),
    "ocaml-interface": Tongue("OCaml", (), _kinds("type class"), r"^\s*(?:type|and|class)\b"),
    "objective-c": Tongue(
        "ObjectiveC",
        _kinds("method class function"),
        _kinds("interface protocol implementation struct enum"),
        r"^[-+@]|\b(?:struct|enum)\b|\{",
    ),
    "julia": Tongue("Julia", _kinds("function macro"), _kinds("struct type")),
    "sql": Tongue("SQL", _kinds("function procedure"), _kinds("table view trigger domain")),
    "powershell": Tongue("PowerShell", _kinds("function"), _kinds("class enum")),
    "perl": Tongue("Perl", _kinds("subroutine"), ()),
    "fortran": Tongue("Fortran", _kinds("function subroutine"), _kinds("type")),
}
"""The languages that Universal Ctags reads among ours. Of Objective-C, its `class` is a method of a
class. Swift, Scala, Zig, Dart, HCL, Groovy and Solidity it does not know."""

NAME = re.compile(r"(?!__anon)~?[\w@$]")
"""What a name begins with; it makes names of its own for what has none."""

ENDING = re.compile(r"[ \t]*\}[);,]*[ \t]*(?://.*|/\*.*)?")
"""A line that ends a definition which begins with the same indentation."""

SCRIPTS = ("typescript", "tsx", "javascript")

LANGUAGES = ("python", "go", *SCRIPTS, *TONGUES)
"""What some other parser reads."""


def found_by_others(language: str, documents: Sequence[Document], cache: Path) -> Found:
    """The definitions of every file that the language's other parser could read; programs that it
    takes are put into `cache`."""
    if language == "python":
        read = {one.path: _python(one.text) for one in documents}
        return {path: several for path, several in read.items() if several is not None}
    found: dict[str, list[Definition]] = {}
    with tempfile.TemporaryDirectory() as folder:
        places = _written(language, documents, Path(folder))
        if language != "go":  # whose program leaves out what it cannot read
            found.update({path: [] for path in places.values()})
        for place, definition in _finder(language, cache)(list(places)):
            found.setdefault(places[place], []).append(definition)
    texts = {one.path: one.text for one in documents}
    return {path: with_ends(texts[path], several) for path, several in found.items()}


Finder = Callable[[Sequence[str]], Iterator[tuple[str, Definition]]]


def _finder(language: str, cache: Path) -> Finder:
    if language == "go":
        return _program("go", "run", str(HERE / "functions.go"))
    if language in SCRIPTS:
        _need_typescript(cache)
        return _program("node", str(HERE / "functions.js"), NODE_PATH=str(cache / "node_modules"))
    return _ctags(TONGUES[language])


def versions(language: str) -> dict[str, str]:
    """The program that finds what is in a language -> what it says of itself."""
    if language == "python":
        return {}
    if language in SCRIPTS:
        return {"typescript": TYPESCRIPT.partition("@")[2]}
    command = ["go", "version"] if language == "go" else ["ctags", "--version"]
    said = subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
    return {command[0]: said.partition("\n")[0].partition("(")[0].strip()}


def _need_typescript(cache: Path) -> None:
    if not (cache / "node_modules" / "typescript").exists():
        cache.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--prefix", str(cache), "--silent", TYPESCRIPT]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def _written(language: str, documents: Sequence[Document], folder: Path) -> dict[str, str]:
    """The files, laid down under short names of the same suffix: path there -> path."""
    strings = TONGUES[language].strings if language in TONGUES else ""
    places: dict[str, str] = {}
    for number, document in enumerate(documents):
        place = folder / f"{number}{Path(document.path).suffix}"
        text = re.sub(strings, _blank, document.text) if strings else document.text
        place.write_bytes(text.encode())
        places[str(place)] = document.path
    return places


def _blank(string: re.Match[str]) -> str:
    """As many lines with nothing in them."""
    return "\n" * string[0].count("\n")


def _python(text: str) -> list[Definition] | None:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    return [*_named_nodes(tree)]


def _named_nodes(tree: ast.AST) -> Iterator[Definition]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield Definition(node.name, FUNCTION, _first(node), node.end_lineno)
        elif isinstance(node, ast.ClassDef):
            yield Definition(node.name, TYPE, _first(node), node.end_lineno)


def _first(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> int:
    """Line of the first decorator, or of the definition."""
    return min([node.lineno, *(one.lineno for one in node.decorator_list)])


def _program(*command: str, **variables: str) -> Finder:
    """One of ours, which prints lines with path, name, kind, line and end."""

    def find(places: Sequence[str]) -> Iterator[tuple[str, Definition]]:
        for one in _lines_of(command, places, variables):
            yield one["path"], Definition(one["name"], one["kind"], one["line"], one["end"])

    return find


def _ctags(tongue: Tongue) -> Finder:
    def find(places: Sequence[str]) -> Iterator[tuple[str, Definition]]:
        for tag in _lines_of((*CTAGS, f"--language-force={tongue.name}"), places):
            if tag["_type"] == "tag" and NAME.match(tag["name"]):
                what = _what(tongue, tag["kind"], tag.get("pattern") or "")
                yield tag["path"], Definition(tag["name"], what, tag["line"], tag.get("end"))

    return find


def _what(tongue: Tongue, kind: str, pattern: str) -> str:
    """`pattern` is what Universal Ctags says of the line: the line itself, between slashes."""
    if tongue.line and not re.search(tongue.line, pattern.removeprefix("/^").removesuffix("$/")):
        return OTHER
    if kind in tongue.functions:
        return FUNCTION
    return TYPE if kind in tongue.types else OTHER


def _lines_of(
    command: Sequence[str], places: Sequence[str], variables: Mapping[str, str] = NO_VARIABLES
) -> Iterator[Any]:
    asked = "".join(f"{place}\n" for place in places).encode()
    done = subprocess.run(
        command, input=asked, capture_output=True, check=True, env={**os.environ, **variables}
    )
    return map(json.loads, done.stdout.splitlines())


def with_ends(text: str, definitions: Sequence[Definition]) -> list[Definition]:
    """The same, with the end where the parser did not say and the braces of laid-out code do."""
    lines = text.split("\n")
    return [
        one if one.end else Definition(one.name, one.what, one.line, _end(lines, one.line))
        for one in definitions
    ]


def _end(lines: Sequence[str], line: int) -> int | None:
    """Line of the closing brace that is indented like the definition; its own line where all of it
    stands there; None where there is no such brace."""
    first = lines[line - 1].rstrip()
    if first.endswith(("}", ";", "},")):
        return line
    indentation = first[: len(first) - len(first.lstrip())]
    for number in range(line, len(lines)):
        one = lines[number]
        if one.startswith(indentation + "}") and ENDING.fullmatch(one.rstrip()):
            return number + 1
        if one.strip() and not one.startswith(indentation):
            return None
    return None
