"""What of a code chunk's surroundings is embedded with it: its scope, the symbols beside it, the
imported names that it uses; what an import binds in which language; and what is dropped first.
"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from chunkwright import (
    Block,
    Chunk,
    Chunking,
    CodeChunker,
    ConfigError,
    Document,
    Symbol,
    chunk_file,
    embed_text,
)
from chunkwright.chunking.budgeting import keep_within
from chunkwright.chunking.surroundings import MOST_SIBLINGS, bound_names, with_surroundings
from chunkwright.measuring import resolve
from chunkwright.parsing.code import parse
from chunkwright.store.rows import decode_chunk, encode, with_checksum
from repeatability import count_steps

BOTH = ("imports", "siblings")

BOATS = '''import json
import os.path
from a.b import (ropes as rope, sails)


class Boat:
    """Floats: sails over json."""

    def sail(self):
        return rope(json.dumps(self))

    colour = os.sep

    def row(self):
        from oars import pull

        return pull(self)


def launch(boat):
    return sails.up(boat, os.path.sep)
'''


def cut(text: str, path: str = "boats.py", **options: Any) -> Chunking:
    options = {"granularity": "symbol", "file_header": False, "context": BOTH, **options}
    return CodeChunker(**options).chunk(Document(text, path))


def named(chunking: Chunking) -> dict[str, Chunk]:
    return {chunk.name or chunk.kind: chunk for chunk in chunking}


def prefix(chunk: Chunk) -> str:
    return embed_text(chunk).partition("\n")[0]


# The scope of what lies between symbols.


def code(**fields: Any) -> Chunk:
    return Chunk("x", 0, 1, 1, 1, "a.py", "python", kind="code", **fields)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"breadcrumb": ("Outer", "Inner")}, " scope: Outer.Inner."),
        ({"breadcrumb": ("Outer", "")}, " scope: Outer."),
        ({"breadcrumb": ("A",), "part": 1, "parts": 3}, " scope: A. part 2 of 3."),
        ({"breadcrumb": ("",)}, ""),
        ({}, ""),
        (
            {"breadcrumb": ("A",), "symbols": (Symbol("A.f", "Method", 0, 1, 1, 1),)},
            " symbol: A.f (Method).",
        ),
        ({"breadcrumb": ("A",), "name": "A.g", "symbol_kind": "Method"}, " symbol: A.g (Method)."),
    ],
)
def test_what_has_no_name_is_told_by_its_scope(fields: dict[str, Any], said: str) -> None:
    """Names of symbols have their scope in them already."""
    assert prefix(code(**fields)) == f"language: python. file: a.py.{said}"


def test_only_code_has_a_scope() -> None:
    """Headings are no scope, whatever the style."""
    chunk = replace(code(breadcrumb=("Manual",)), kind="section", language="markdown")
    assert embed_text(chunk, style="line").startswith("language: markdown. file: a.py.\n")


def test_members_between_methods_are_told_by_their_class() -> None:
    """Without any option."""
    between = named(cut(BOATS, context=()))["code"]
    assert between.text == "    colour = os.sep"
    assert prefix(between) == "language: python. file: boats.py. scope: Boat."


def test_a_scope_goes_before_the_rest_of_the_prefix() -> None:
    """Where it does not fit, language and file are kept."""
    chunk = code(breadcrumb=("Outer", "Inner"))
    kept = keep_within(Chunking(chunks=(chunk,)), "chars", len(embed_text(chunk)) - 8)
    assert embed_text(kept[0]) == "language: python. file: a.py.\n\nx"
    assert "breadcrumb left out" in kept.diagnostics[0].message


# Siblings and imports of chunks.


def test_nothing_of_the_surroundings_is_told_unasked() -> None:
    """Both are off by default."""
    chunking = cut(BOATS, context=())
    assert CodeChunker.defaults()["context"] == ()
    assert not any(chunk.imports or chunk.siblings for chunk in chunking)
    assert "imports" not in " ".join(map(prefix, chunking))


def test_a_symbol_tells_what_stands_beside_it_and_what_it_uses() -> None:
    """At the end of the line, imports first; siblings without the scope that they share."""
    found = {
        name: prefix(chunk).partition("boats.py. ")[2] for name, chunk in named(cut(BOATS)).items()
    }
    assert found == {
        "Boat": "symbol: Boat (Class). imports: json, sails. siblings: launch.",
        "Boat.sail": "symbol: Boat.sail (Method). imports: json, rope. siblings: row.",
        "code": "scope: Boat. imports: os.",
        "Boat.row": "symbol: Boat.row (Method). siblings: sail.",
        "launch": "symbol: launch (Function). imports: os, sails. siblings: Boat.",
    }
    assert named(cut(BOATS))["launch"].imports == ("os", "sails")


@pytest.mark.parametrize(
    "context", [("imports",), ["imports"], ("siblings",), ("siblings", "imports")]
)
def test_what_is_asked_for_is_told_in_any_order(context: Any) -> None:
    """The order of the line does not depend on the order of asking."""
    sail = named(cut(BOATS, context=context))["Boat.sail"]
    assert sail.imports == (("json", "rope") if "imports" in context else ())
    assert sail.siblings == (("row",) if "siblings" in context else ())


@pytest.mark.parametrize("value", ["imports", ("import",), None, {"imports"}, (1,), ([],)])
def test_a_wrong_context_is_named(value: Any) -> None:
    """With its value, and what is allowed."""
    with pytest.raises(ConfigError, match="a tuple or list of imports, siblings") as caught:
        CodeChunker(context=value)
    assert (caught.value.option, caught.value.value) == ("context", value)


def test_the_option_reaches_a_file(tmp_path: Any) -> None:
    """Whoever chooses the chunker hands it on."""
    (tmp_path / "boats.py").write_text(BOATS)
    chunking = chunk_file(tmp_path / "boats.py", tmp_path, context=BOTH, granularity="symbol")
    assert named(chunking)["Boat.sail"].siblings == ("row",)


def test_only_the_nearest_siblings_are_told_nearest_first() -> None:
    """Of two as near the one before first; at the edge of a scope they are all on one side."""
    text = "\n".join(f"def f{number}():\n    pass\n" for number in range(30))
    found = named(cut(text))
    assert found["f15"].siblings == tuple(f"f{n}" for n in (14, 16, 13, 17, 12, 18, 11, 19, 10, 20))
    assert found["f0"].siblings == tuple(f"f{n}" for n in range(1, MOST_SIBLINGS + 1))


def test_overloads_are_one_sibling_and_none_of_their_own() -> None:
    """A name is told once, wherever it is defined again."""
    text = "class A { void f() {} void f(int a) {} void g() {} void g(int a) {} }\n".replace(
        "} ", "}\n"
    )
    chunking = cut(text, "A.java")
    told = {(chunk.name, chunk.siblings) for chunk in chunking if chunk.symbol_kind == "Method"}
    assert told == {("A.f", ("g",)), ("A.g", ("f",))}


def test_methods_of_one_receiver_are_siblings() -> None:
    """The scope is that of the name: methods of Go stand nowhere else together."""
    text = "package a\nfunc (s *S) A() {}\nfunc b() {}\nfunc (s *S) C() {}\nfunc (t T) D() {}\n"
    found = named(cut(text, "a.go"))
    assert [found[name].siblings for name in ("S.A", "b", "T.D")] == [("C",), (), ()]


def test_every_part_of_a_symbol_tells_both() -> None:
    """Also those that begin no symbol; each part tells what it uses itself."""
    body = "".join(f"    x = x + {number}\n" for number in range(40))
    text = f"import os\nimport re\n\ndef a(x):\n{body}    os.x\n\ndef b(): re\n"
    parts = [chunk for chunk in cut(text, size=120) if chunk.name == "a"]
    assert len(parts) > 2
    assert {chunk.siblings for chunk in parts} == {("b",)}
    assert [chunk.imports for chunk in parts] == [()] * (len(parts) - 1) + [("os",)]


def test_what_a_chunk_imports_itself_is_not_told_again() -> None:
    """Nor is any name of an import that is cut."""
    names = "".join(f"    name{number},\n" for number in range(40))
    text = f"from a import (\n{names})\nimport os\n\n\ndef f():\n    return name3(os)\n"
    whole = cut(text, size=None, granularity="packed")
    assert [chunk.imports for chunk in whole] == [()]
    *head, last = cut(text, size=200)
    assert len(head) > 1
    assert {chunk.imports for chunk in head} == {()}
    assert last.imports == ("name3", "os")


def test_extra_views_tell_neither() -> None:
    """The header has the imports in it, and stands beside nothing."""
    views = [chunk for chunk in cut(BOATS, file_header=True, whole_file=True) if chunk.level]
    assert [(chunk.kind, chunk.imports, chunk.siblings) for chunk in views] == [
        ("file_header", (), ()),
        ("file", (), ()),
    ]


def test_an_import_inside_a_function_holds_for_that_only() -> None:
    """Another function's word is another thing."""
    body = "".join(f"    x = x + {number}\n" for number in range(40))
    text = f"def a(x):\n    import re\n{body}\n\ndef b(re):\n    return re\n"
    assert named(cut(text, size=100))["b"].imports == ()


def test_words_are_whole() -> None:
    """A part of a word, and a variable of PHP, are no names."""
    text = (
        "<?php\nuse A\\Mast;\nuse A\\rope;\n"
        "function f($rope) { return Masts() . $rope; }\n"
        "function g() { return new Mast; }\n"
    )
    found = named(cut(text, "a.php"))
    assert (found["f"].imports, found["g"].imports) == ((), ("Mast",))


def test_blocks_of_the_caller_serve_as_well() -> None:
    """Imports and symbols of another parser."""
    text = "import m\nfn a: m\nfn b: n\n"
    blocks = [
        Block(0, 8, kind="import"),
        Block(9, 16, kind="Function", name="a"),
        Block(17, 24, kind="Function", name="b"),
    ]
    chunker = CodeChunker(granularity="symbol", file_header=False, context=BOTH)
    found = named(chunker.chunk(Document(text, "a.x"), blocks))
    assert (found["a"].imports, found["a"].siblings) == (("m",), ("b",))
    assert (found["b"].imports, found["b"].siblings) == ((), ("a",))


def test_very_long_names_are_no_siblings() -> None:
    """Every part of what stands beside a long key of data would repeat it."""
    long = "k" * 400
    text = f'{{"{long}": {{"x": 1}}, "short": {{"x": 2}},\n "own": {{"x": 3}}}}\n'.replace(
        ", ", ",\n"
    )
    names = {name for chunk in cut(text, "a.json", size=60) for name in chunk.siblings}
    assert long not in names


def test_neither_is_in_text_or_id() -> None:
    """Surroundings change what is embedded and nothing else."""
    plain, dressed = cut(BOATS, context=()), cut(BOATS)
    assert [chunk.id for chunk in plain] == [chunk.id for chunk in dressed]
    bare = tuple(replace(chunk, imports=(), siblings=()) for chunk in dressed)
    assert bare == plain.chunks
    assert CodeChunker(context=BOTH).fingerprint != CodeChunker().fingerprint


def test_both_are_stored_and_in_the_json() -> None:
    """What is embedded later is rendered from what was stored."""
    sail = named(cut(BOATS))["Boat.sail"]
    assert decode_chunk(with_checksum(encode(sail))) == sail
    assert (sail.as_dict()["imports"], sail.as_dict()["siblings"]) == (("json", "rope"), ("row",))


# What an import binds.

IMPORTS = {
    "python": [
        ("import a.b as c, d.e", "c d"),
        ("import os.path", "os"),
        ("from x import (y as z,  # why not y, or v\n  w,\n)", "z w"),
        ("from . import y, \\\n  v", "y v"),
        ("from x import *", ""),
        ("from __future__ import annotations", ""),
    ],
    "javascript": [
        ('import {a as b, c} from "m";', "b c"),
        ('import d, * as ns from "n"', "d ns"),
        ("import d, { default as e, /* f, */ g } from './as/h.js'", "d e g"),
        ('import $ from "jquery"', "$"),
        ('import "side-effect";', ""),
    ],
    "typescript": [
        ('import type { T, type U as V } from "t";', "T V"),
        ('import fs = require("fs");', "fs"),
        ("import A = B.C;", "A"),
    ],
    "go": [
        ('import "net/http"', "http"),
        (
            'import (\n\t"fmt" // as "x"\n\tmux "github.com/gorilla/mux"\n\t_ "a/b"\n\t. "c"\n)',
            "fmt mux",
        ),
        (
            'import ("gopkg.in/yaml.v3"; "a.io/x/v2"; "a.io/go-redis"; `a.io/nats.go`)',
            "yaml x redis nats",
        ),
        ("package main", ""),
    ],
    "java": [
        ("import java.util.List;", "List"),
        ("import static a.B.c;", "c"),
        ("import java.util.*;", ""),
        ("package a.b;", ""),
    ],
    "kotlin": [
        ("import a.b.C as D", "D"),
        ("import e.f", "f"),
        ("import a.*", ""),
        ('@file:JvmName("X")', ""),
    ],
    "scala": [
        ("import a.b.{C, D => E, F as G, H => _, _}", "C E G"),
        ("import x.Y, z.W", "Y W"),
        ("import a.given", ""),
    ],
    "csharp": [
        ("using System.Text;", "Text"),
        ("global using static System.Math;", "Math"),
        ("using X = A.B<string, int>;", "X"),
        ("extern alias Y;", "Y"),
    ],
    "php": [
        ("use A\\B\\C;", "C"),
        ("use A\\B\\{C, D as E};", "C E"),
        ("use function A\\f, A\\g as h;", "f h"),
    ],
    "rust": [
        ("use a::b;", "b"),
        ("pub(crate) use a::b::{self, c as d, e::{f, self as g}};", "b d f g"),
        ("#[cfg(test)]\nuse super::*;", ""),
        ("use a::B as _;", ""),
        ("extern crate z as zz;", "zz"),
    ],
    "c": [("#include <stdio.h>", ""), ('#include "use/import.h"', "")],
    "cpp": [
        ("#include <vector>", ""),
        ("using std::vector;", "vector"),
        ("#import <use/open.h>", ""),
    ],
    "swift": [("@testable import Foo", "Foo"), ("import struct A.B", "B")],
    "solidity": [('import {A as B} from "./x.sol";', "B"), ('import "y" as Y;', "Y")],
    "haskell": [
        ("import Data.List (sort)\nimport qualified Data.Map as M (lookup)", "sort M lookup")
    ],
    "julia": [("using A: b, c", "b c"), ("export q", "")],
    "ocaml": [("open A.B", "B")],
}


@pytest.mark.parametrize(
    ("language", "statement", "names"),
    [(language, *one) for language, several in IMPORTS.items() for one in several],
)
def test_the_names_an_import_binds(language: str, statement: str, names: str) -> None:
    """By its words alone, in every language: comments and paths are none."""
    assert list(bound_names(statement, language)) == names.split()


FILES = {
    "a.go": 'package a\nimport (\n"net/http"\ny "x/yaml"\n)\nfunc f() { http.Get(y.A) }\n',
    "a.ts": 'import {http} from "m"\nimport * as y from "n"\nfunction f() { http(y) }\n',
    "a.rs": "use a::{http, b as y};\nfn f() { http(y) }\n",
    "A.kt": "package a\nimport a.http\nimport b.c as y\nfun f() { http(y) }\n",
    "a.php": "<?php\nuse function a\\http;\nuse b\\c as y;\nfunction f() { http(y::d); }\n",
    "a.scala": "import a.{http, b => y}\ndef f() = http(y)\n",
    "A.cs": "using http;\nusing y = A.B;\nclass f { http x; y z; }\n",
    "A.java": "import a.http;\nimport b.y;\nclass f { http x; y z; }\n",
    "a.c": "#include <http.h>\nint f(int y) { return http(y); }\n",
}


@pytest.mark.parametrize("path", FILES)
def test_the_imports_of_a_file_are_found_in_what_it_defines(path: str) -> None:
    """From each language's own import blocks; an include binds no names."""
    assert named(cut(FILES[path], path))["f"].imports == (() if path == "a.c" else ("http", "y"))


# What is dropped first.

DRESSED = Chunk(
    "see [it][x]",
    0,
    11,
    7,
    7,
    path="a.py",
    language="python",
    kind="symbol_part",
    name="f",
    symbol_kind="Function",
    carry="def f():\n",
    links=(("x", "https://example.org"),),
    imports=("json", "os", "re"),
    siblings=("g", "h"),
)
ALL = len(embed_text(DRESSED))


@pytest.mark.parametrize(
    ("size", "imports", "siblings", "lost"),
    [
        (ALL, "json os re", "g h", ""),
        (ALL - 1, "json os re", "g", "siblings"),
        (ALL - 4, "json os re", "", "siblings"),
        (ALL - 17, "json", "", "siblings, imports"),
        (ALL - 30, "", "", "siblings, imports"),
        (ALL - 40, "", "", "siblings, imports, links"),
        (ALL - 65, "", "", "siblings, imports, links, carry"),
    ],
)
def test_siblings_and_imports_go_before_everything_else(
    size: int, imports: str, siblings: str, lost: str
) -> None:
    """Siblings first, the farther half before the nearer, then imports, links, carry."""
    kept = keep_within(Chunking(chunks=(DRESSED,)), "chars", size)
    assert len(embed_text(kept[0])) <= size
    assert (kept[0].imports, kept[0].siblings) == (tuple(imports.split()), tuple(siblings.split()))
    expected = [("context_dropped", f"chunk 0: {lost} left out, over `size`")] if lost else []
    assert [(said.code, said.message) for said in kept.diagnostics] == expected


@pytest.mark.parametrize("measure", ["chars", "bytes", "lines"])
@pytest.mark.parametrize("size", [9, 60, 90, 130, 400])
def test_surroundings_take_no_room_from_the_text(size: int, measure: str) -> None:
    """With the context in the budget texts are cut as without surroundings, and all fits."""
    options: dict[str, Any] = {"size": size, "measure": measure, "budget_includes_context": True}
    plain, dressed = cut(BOATS, context=(), **options), cut(BOATS, **options)
    assert dressed.texts == plain.texts
    assert [c.id for c in dressed] == [c.id for c in plain]
    count = resolve(measure).count
    assert max(count(embed_text(chunk)) for chunk in dressed) <= size
    assert all(
        d.prefix == p.prefix and d.carry == p.carry for d, p in zip(dressed, plain, strict=True)
    )


# Linear work.


def steps(text: str) -> int:
    """Lines of code executed to find what is around the chunks of a text."""
    parsed = parse(Document(text, "a.py"))
    chunking = cut(text, context=(), size=200)
    return count_steps(lambda: with_surroundings(chunking, parsed, BOTH))


@pytest.mark.parametrize(
    "make",
    [
        lambda n: "".join(f"import m{i}\n\n\ndef f{i}(x):\n    return m{i}(x)\n" for i in range(n)),
        lambda n: "".join(f"def f(x):\n    return {i}\n" for i in range(n)),
        lambda n: f"import ({', '.join(f'm{i}' for i in range(n))})\nx = 1\n" * 2,
        lambda n: "import a\n" * n + "def f(x):\n    return a\n" * n,
    ],
    ids=["functions", "overloads", "one import", "one name"],
)
def test_work_grows_with_the_file_and_no_faster(make: Any) -> None:
    """Four times the file takes about four times as many steps."""
    assert steps(make(1000)) < 5 * steps(make(250))


@pytest.mark.parametrize(
    "part", ["/*", '"', "'", "a ", "a{", "}", "x as ", "import ", "\\", "$", " "]
)
@pytest.mark.parametrize("language", ["go", "rust", "python"])
def test_odd_imports_are_read_in_one_go(part: str, language: str) -> None:
    """Open comments, quotes and brackets, as many as there are, cost one look each."""

    def steps(count: int) -> int:
        return count_steps(lambda: list(bound_names("import " + part * count, language)))

    assert steps(4_000) < 5 * steps(1_000)
    list(bound_names("import " + part * 50_000, language))
