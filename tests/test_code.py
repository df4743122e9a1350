"""CodeChunker: symbols stay whole, what lies between them is kept, and parts stand alone."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from chunkwright import Block, Chunk, Chunking, CodeChunker, ConfigError, Document, embed_text

GO = """package shop

import "fmt"

// Stack is generic.
type Stack[T any] struct{ items []T }

// Push adds.
func (s *Stack[T]) Push(v T) { s.items = append(s.items, v) }

func (m Map[K, V]) Len() int { return 0 }

const (
	First = iota
	Second
)
"""

CLASS = '''"""About boats."""

import os

LIMIT = 3


class Boat(Base):
    """Floats."""

    masts = 2

    def sail(self):
        return self.masts

    colour = "red"

    @property
    def anchor(self):
        # heavy
        return 1


class Empty:
    a = 1
    b = 2


def launch(boat):
    return boat
'''


def by_symbol(text: str, path: str, **options: Any) -> Chunking:
    chunker = CodeChunker(granularity="symbol", **options)
    return chunker.chunk(Document(text, path))


def shown(chunk: Chunk) -> tuple[str, str, int, int]:
    return chunk.kind, chunk.name, chunk.start_line, chunk.end_line


def test_each_function_method_and_type_is_a_chunk() -> None:
    """In the order of the file; members between methods and what lies outside are `code`."""
    chunking = by_symbol(CLASS, "boat.py", file_header=False)
    assert [shown(chunk) for chunk in chunking] == [
        ("code", "", 1, 5),
        ("symbol", "Boat", 8, 11),
        ("symbol", "Boat.sail", 13, 14),
        ("code", "", 16, 16),
        ("symbol", "Boat.anchor", 18, 21),
        ("symbol", "Empty", 24, 26),
        ("symbol", "launch", 29, 30),
    ]
    assert [chunk.breadcrumb for chunk in chunking][2:5] == [("Boat",), ("Boat",), ("Boat",)]


def test_header_and_whole_file_come_first_on_levels_of_their_own() -> None:
    """The header has the first lines; ids differ even where both cover the same lines."""
    chunking = by_symbol(CLASS, "boat.py", header_lines=3, whole_file=True)
    header, whole = chunking[0], chunking[1]
    assert shown(header) == ("file_header", "", 1, 3)
    assert shown(whole) == ("file", "", 1, 30)
    assert len({header.level, whole.level, chunking[2].level}) == 3
    same = by_symbol("x = 1\n", "x.py", whole_file=True)
    assert [chunk.text for chunk in same] == ["x = 1"] * 3
    assert len({chunk.id for chunk in same}) == 3


def test_there_is_no_header_where_it_is_off_blank_or_markdown() -> None:
    """`file_header=False`, a blank file and Markdown give none; packed has none by default."""
    assert "file_header" in {chunk.kind for chunk in by_symbol(GO, "a.go")}
    for chunking in (
        by_symbol(GO, "a.go", file_header=False),
        by_symbol("\n \n", "a.go"),
        by_symbol("# T\n\ntext\n", "a.md"),
        CodeChunker().chunk(Document(GO, "a.go")),
    ):
        assert "file_header" not in {chunk.kind for chunk in chunking}


def test_go_receivers_and_groups_are_named() -> None:
    """Type parameters are dropped from receivers; a group gives a symbol a spec."""
    chunking = CodeChunker(size=None).chunk(Document(GO, "shop_test.go"))
    assert [(s.name, s.kind, s.start_line, s.end_line) for s in chunking.symbols] == [
        ("Stack", "Struct", 5, 6),
        ("Stack.Push", "Method", 8, 9),
        ("Map.Len", "Method", 11, 11),
        ("First", "Constant", 14, 14),
        ("Second", "Constant", 15, 15),
    ]
    assert all(chunk.is_test for chunk in chunking)


def test_small_neighbours_share_a_chunk_and_no_fitting_symbol_is_cut() -> None:
    """Packed: every symbol of a file lies whole in one chunk where the cap allows it."""
    chunking = CodeChunker(size=160).chunk(Document(CLASS, "boat.py"))
    for symbol in chunking.symbols:
        if symbol.end - symbol.start <= 160 and symbol.name != "Boat":
            assert any(c.start <= symbol.start and symbol.end <= c.end for c in chunking)
    assert len(chunking) < len(chunking.symbols)


def test_a_long_function_is_split_between_statements_and_carries_its_signature() -> None:
    """Parts are numbered, none is over the cap, and later ones carry the signature."""
    body = "".join(f"    value_{n} = compute({n})\n" for n in range(40))
    text = f"def long_one(a, b):\n{body}    return a\n"
    chunking = CodeChunker(size=300).chunk(Document(text, "a.py"))
    assert [chunk.part for chunk in chunking] == list(range(len(chunking)))
    assert {chunk.parts for chunk in chunking} == {len(chunking)}
    assert {chunk.kind for chunk in chunking} == {"symbol_part"}
    assert [chunk.carry for chunk in chunking][:2] == ["", "def long_one(a, b):\n"]
    assert "\n".join(chunking.texts) == text.rstrip("\n")


def test_a_long_function_is_rather_split_at_a_blank_line() -> None:
    """Of borders of one depth, near the middle; a nearer one between two lines gives way."""
    lines = [f"    value_{n} = compute({n})\n" for n in range(12)]
    text = "def f():\n" + "".join(lines[:5]) + "\n" + "".join(lines[5:])
    first, second = CodeChunker(size=200).chunk(Document(text, "a.py"))
    assert first.text.endswith("compute(4)")
    assert second.text.startswith("    value_5")


def test_comments_stay_with_what_follows() -> None:
    """A comment right above a definition is part of it, whatever is packed before."""
    text = "import os\n\n# About f.\n# More.\ndef f():\n    pass\n"
    chunking = CodeChunker(size=45, granularity="symbol", file_header=False).chunk(
        Document(text, "a.py")
    )
    assert chunking[1].text == "# About f.\n# More.\ndef f():\n    pass"


def test_a_syntax_error_keeps_every_intact_symbol_and_is_told() -> None:
    """The diagnostic has the line; what is broken is in chunks too."""
    text = (
        "def good():\n    return 1\n\n\ndef broken(:\n    x = = 2\n\n\ndef fine():\n    return 3\n"
    )
    chunking = CodeChunker().chunk(Document(text, "a.py"))
    assert "good" in {symbol.name for symbol in chunking.symbols}
    assert [d.code for d in chunking.diagnostics] == ["parse_error"]
    assert "x = = 2" in "".join(chunking.texts)


@pytest.mark.parametrize(
    ("path", "code"), [("a.nim", "no_symbols"), ("a.txt", "no_symbols"), ("", "no_symbols")]
)
def test_what_has_no_parser_is_cut_by_lines_and_says_so(path: str, code: str) -> None:
    """Whole lines, with a diagnostic, never an error."""
    text = "fn main() {\n    one();\n    two();\n}\n"
    chunking = CodeChunker(size=25).chunk(Document(text, path))
    assert chunking.parser == "lines"
    assert [d.code for d in chunking.diagnostics] == [code]
    assert "\n".join(chunking.texts) == text.rstrip("\n")


def test_blocks_of_the_caller_replace_parsing() -> None:
    """Spans from another parser become the symbols, in any order and any language."""
    text = "proc a\n  1\nend\nproc b\n  2\nend\n"
    blocks = [Block(15, 29, 0, "Function", "b"), Block(0, 14, 0, "function", "a")]
    chunking = CodeChunker(granularity="symbol", file_header=False).chunk(
        Document(text, "x.tcl"), blocks
    )
    assert [shown(chunk) for chunk in chunking] == [
        ("symbol", "a", 1, 3),
        ("symbol", "b", 4, 6),
    ]
    assert chunking.parser == "given"


def test_two_functions_on_one_line_are_two_symbols() -> None:
    """Their chunks may be one, their names are two."""
    chunking = CodeChunker().chunk(Document("function a() {} function b() {}\n", "x.js"))
    assert [symbol.name for symbol in chunking.symbols] == ["a", "b"]


def test_overlap_is_whole_lines_between_parts() -> None:
    """What is repeated begins at a line and is reported truly."""
    text = "def f():\n" + "".join(f"    a{n} = {n}\n" for n in range(30))
    chunking = CodeChunker(size=100, overlap=30).chunk(Document(text, "a.py"))
    assert any(chunk.overlap for chunk in chunking)
    for before, chunk in pairwise(chunking):
        assert chunk.overlap == max(0, before.end - chunk.start) <= 30
        assert chunk.start == 0 or text[chunk.start - 1] == "\n"


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_lines_are_physical_whatever_ends_them(ends: str) -> None:
    """CRLF and lone CR count as LF does; a form feed does not; a `//line` comment moves nothing."""
    text = "//line x.y:99\nfunction a() {\n  return 1;\f\n}\n\nfunction b() {}\n".replace(
        "\n", ends
    )
    chunking = CodeChunker().chunk(Document(text, "x.js"))
    lines = {symbol.name: (symbol.start_line, symbol.end_line) for symbol in chunking.symbols}
    assert lines["b"] == (6, 6)
    assert lines["a"][1] == 4


def test_a_hundred_thousand_brackets_are_survived() -> None:
    """Deep nesting neither recurses nor is lost."""
    text = "x = " + "[" * 100_000 + "]" * 100_000 + "\n"
    chunking = CodeChunker().chunk(Document(text, "deep.py"))
    assert sum(len(chunk.text) for chunk in chunking) == len(text.rstrip("\n"))


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("granularity", "files"),
        ("size", 0),
        ("header_lines", 0),
        ("measure", "inches"),
        ("sise", 3),
    ],
)
def test_a_wrong_option_is_named(option: str, value: object) -> None:
    """With its value, and what is allowed."""
    with pytest.raises(ConfigError) as caught:
        CodeChunker(**{option: value})  # type: ignore[arg-type]  # wrong on purpose
    assert (caught.value.option, caught.value.value) == (option, value)


@pytest.mark.parametrize("granularity", ["packed", "symbol"])
@pytest.mark.parametrize("size", [None, 40, 160, 400, 1500])
@pytest.mark.parametrize("overlap", [0, 60])
def test_a_symbol_that_fits_is_never_cut(granularity: str, size: int | None, overlap: int) -> None:
    """Whatever stands around it, in either granularity, with overlap or without."""
    chunker = CodeChunker(granularity=granularity, size=size, overlap=overlap, file_header=False)
    for text, path in ((CLASS, "boat.py"), (GO, "a.go")):
        chunking = chunker.chunk(Document(text, path))
        for symbol in chunking.symbols:
            start = text.rfind("\n", 0, symbol.start) + 1
            opened = granularity == "symbol" and symbol.name == "Boat"
            if opened or (size is not None and symbol.end - start > size):
                continue
            whole = any(c.start <= symbol.start and symbol.end <= c.end for c in chunking)
            assert whole, symbol.name


def test_a_function_fits_though_its_comments_do_not() -> None:
    """The comments above a function give way before the function is cut."""
    comment = "# " + "why " * 12 + "\n"
    function = "def f():\n" + "".join(f"    a{n} = {n}\n" for n in range(15))
    text = f"x = 1\n\n\n{comment * 3}{function}"
    for overlap in (0, 50):
        chunking = CodeChunker(size=220, overlap=overlap).chunk(Document(text, "a.py"))
        assert any(function.rstrip("\n") in chunk.text for chunk in chunking)


def test_a_comment_at_the_end_of_a_body_stays_with_it() -> None:
    """It is in the symbol's chunk, not in one of its own, though its symbol ends above it."""
    text = "def f():\n    return 1\n    # not reached\n\n\ndef g():\n    return 2\n"
    chunking = by_symbol(text, "a.py", file_header=False)
    assert [shown(chunk) for chunk in chunking] == [("symbol", "f", 1, 3), ("symbol", "g", 6, 7)]
    assert [symbol.end_line for symbol in chunking.symbols] == [2, 7]


def test_no_fragment_is_left_where_a_neighbour_has_a_unit_to_give() -> None:
    """Eight of nine functions fit: two chunks share them evenly."""
    text = "\n\n".join(f"def f{n}():\n    return {str(n) * 36}\n" for n in range(9))
    chunking = CodeChunker(size=500).chunk(Document(text, "a.py"))
    assert [len(chunk.symbols) for chunk in chunking] == [4, 5]


def test_a_fragment_joins_a_neighbour_that_is_cut_anyway() -> None:
    """Parts keep the name of the symbol they are of; the fragment adds no chunk."""
    body = "".join(f"    value_{n} = compute({n})\n" for n in range(40))
    text = f"# Table\n\ndef long_one():\n{body}\n\nrun()\n"
    chunking = CodeChunker(size=300).chunk(Document(text, "a.py"))
    assert {chunk.name for chunk in chunking} == {"long_one"}
    assert chunking[0].text.startswith("# Table")
    assert chunking[-1].text.endswith("run()")
    assert [chunk.carry for chunk in chunking][:2] == ["", "def long_one():\n"]


def test_the_last_part_is_no_fragment() -> None:
    """A tail of a line or two takes lines from the part before it."""
    for count in range(20, 60):
        body = "".join(f"    value_{n} = compute({n})\n" for n in range(count))
        chunking = CodeChunker(size=400).chunk(Document(f"def long_one():\n{body}", "a.py"))
        assert all(len(chunk.text) >= 90 for chunk in chunking), count


def test_class_without_methods_is_one_chunk_and_with_them_its_head() -> None:
    """The head reaches to the first method, documentation and attributes included."""
    chunking = by_symbol(CLASS, "boat.py", file_header=False)
    head = next(chunk for chunk in chunking if chunk.name == "Boat")
    assert head.text == 'class Boat(Base):\n    """Floats."""\n\n    masts = 2'
    empty = next(chunk for chunk in chunking if chunk.name == "Empty")
    assert empty.text == "class Empty:\n    a = 1\n    b = 2"


def test_a_documented_attribute_is_not_parted_from_its_text() -> None:
    """The string below an assignment is in its chunk at every size that holds both."""
    pairs = "".join(f'    field_{n}: int = {n}\n    """What field {n} is."""\n' for n in range(12))
    text = f"class Options:\n{pairs}"
    for size in range(60, 300, 7):
        chunking = CodeChunker(size=size).chunk(Document(text, "a.py"))
        for n in range(12):
            both = f'    field_{n}: int = {n}\n    """What field {n} is."""'
            assert any(both in chunk.text for chunk in chunking), (size, n)


def test_what_is_embedded_of_a_part_stays_under_the_cap() -> None:
    """With the budget for context: signature, scope and the descriptive line included."""
    body = "".join(f"        value_{n} = compute({n})\n" for n in range(60))
    text = f"class Boat:\n    def sail(self, wind: int) -> None:\n{body}"
    chunker = CodeChunker(size=400, budget_includes_context=True)
    chunking = chunker.chunk(Document(text, "fleet/boat.py"))
    assert max(len(embed_text(chunk)) for chunk in chunking) <= 400
    assert any("part 2 of" in embed_text(chunk) for chunk in chunking)
    assert chunking[1].carry == "def sail(self, wind: int) -> None:\n"


def test_without_a_cap_nothing_is_cut() -> None:
    """A size of None gives a chunk a symbol, however long it is, and no parts."""
    body = "".join(f"    value_{n} = compute({n})\n" for n in range(900))
    chunking = by_symbol(f"def long_one():\n{body}", "a.py", size=None, file_header=False)
    assert [(chunk.kind, chunk.parts) for chunk in chunking] == [("symbol", 1)]


@pytest.mark.parametrize("text", ["", " \n\t\r\n", "\x00", "x", "\ufeffx = 1", "🍝\u0301" * 900])
def test_odd_texts_are_chunked(text: str) -> None:
    """Blank ones to nothing; others to chunks that hold all of them."""
    chunking = CodeChunker(size=50).chunk(Document(text, "a.py"))
    assert "".join(chunk.text for chunk in chunking) == (text if text.strip() else "")


def test_one_huge_line_is_cut_under_the_cap() -> None:
    """A minified line has no lines to be cut at."""
    text = "var a=1;" + "function f(){return 1}" * 500
    chunking = CodeChunker(size=200).chunk(Document(text, "a.js"))
    assert max(len(chunk.text) for chunk in chunking) <= 200
    assert "".join(chunk.text.replace(" ", "") for chunk in chunking) == text.replace(" ", "")


def test_the_own_source_keeps_its_functions_whole() -> None:
    """Over this package's code: every function found by `ast` that fits lies whole in a chunk,
    and is a symbol with its last line."""
    import ast

    source = Path(__file__).parent.parent / "src" / "chunkwright"
    checked = 0
    for file in sorted(source.rglob("*.py")):
        text = file.read_text("utf-8")
        chunking = CodeChunker().chunk(Document(text, file.name))
        ends = {(symbol.name.rpartition(".")[2], symbol.end_line) for symbol in chunking.symbols}
        starts = [0, *(at + 1 for at, mark in enumerate(text) if mark == "\n")]
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.FunctionDef | ast.ClassDef) or node.end_lineno is None:
                continue
            assert (node.name, node.end_lineno) in ends, (file, node.name)
            first = min([node.lineno, *(mark.lineno for mark in node.decorator_list)])
            start, end = starts[first - 1], starts[node.end_lineno] - 1
            if end - start <= 1_400:
                checked += 1
                whole = any(c.start <= start and end <= c.end for c in chunking)
                assert whole, (file, node.name)
    assert checked > 500
