"""parsing.code: symbols with their names, kinds, ranges, signatures and documentation; what a
source that is broken, huge or odd gives instead. Expected symbols stand beside each fixture."""

from __future__ import annotations

from pathlib import Path

import pytest

from chunkwright import Block, Document
from chunkwright.characters import Lines
from chunkwright.parsing import base
from chunkwright.parsing.code import DETAIL, parse
from chunkwright.parsing.syntax import MAX_BYTES
from chunkwright.types import Parsed
from found_symbols import named, symbols

DATA = Path(__file__).parent / "data" / "code"
FIXTURES = sorted(path.name.removesuffix(".fixture") for path in DATA.glob("*.fixture"))


def parsed(text: str, path: str = "a.py") -> Parsed:
    return parse(Document(text, path))


def parsed_or_skipped(text: str, path: str, detail: int = DETAIL) -> Parsed:
    """What is found in a text of a language whose grammar is installed."""
    result = parse(Document(text, path), detail)
    if any(diagnostic.code == "grammar_missing" for diagnostic in result.diagnostics):
        pytest.skip("its grammar comes with the extra `languages`")
    return result


def fixture(name: str) -> str:
    return (DATA / f"{name}.fixture").read_bytes().decode("utf-8")


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize("name", FIXTURES)
def test_every_symbol_of_a_fixture_is_found(name: str, ends: str) -> None:
    """Names, kinds and physical lines are those of the data file, whatever ends a line."""
    result = parsed_or_skipped(fixture(name).replace("\n", ends), name)
    assert symbols(result) == (DATA / f"{name}.symbols").read_text("utf-8").splitlines()
    assert result.diagnostics == ()


@pytest.mark.parametrize("name", FIXTURES)
def test_blocks_are_sorted_and_nested(name: str) -> None:
    """Each block lies inside another or apart from it, at every degree of detail."""
    for detail in (1, 50, 1000):
        around: list[int] = []
        blocks = parsed_or_skipped(fixture(name), name, detail).blocks
        assert list(blocks) == sorted(blocks, key=lambda block: (block.start, -block.end))
        for block in blocks:
            while around and around[-1] <= block.start:
                around.pop()
            assert not around or block.end <= around[-1]
            around.append(block.end)


@pytest.mark.parametrize(
    ("path", "name", "signature", "doc"),
    [
        ("boat.py", "Boat", "class Boat(Base):", "Floats."),
        ("boat.py", "Boat.sail", "async def sail(self) -> int:", "Sail away."),
        ("boat.py", "LIMIT", "LIMIT: int = 3", "How many."),
        ("shop.go", "Stack.Push", "func (s *Stack[T]) Push(v T)", "Push adds."),
        ("shop.go", "Meter", "Meter int", "Meter is an id."),
        ("shop.go", "main", "func main()", ""),
        ("card.ts", "add", "export const add = (a: number, b: number) =>", "Adds."),
        ("card.ts", "Card.render", "render()", ""),
        ("vault.sol", "Vault.put", "function put(uint a) external onlyOwner", "Puts."),
        ("tools.js", "add", "function add(a, b)", "Adds."),
        ("menu.tsx", "Dish", "export function Dish<T,>(props: { item: T })", ""),
    ],
)
def test_signature_and_documentation(path: str, name: str, signature: str, doc: str) -> None:
    """The head up to the body, without decorators; the first line that says something."""
    block = named(parsed(fixture(path), path), name)
    assert (block.signature, block.doc) == (signature, doc)


def test_a_range_begins_with_comments_and_decorators_and_ends_with_the_last_statement() -> None:
    """A comment behind the last statement is not in a symbol's range; one above it is."""
    text = "x = 1\n\n# About f.\n@wrap\ndef f():\n    return 1\n    # the end\n\n\ny = 2\n"
    block = named(parsed(text), "f")
    assert text[block.start : block.end].startswith("# About f.\n@wrap\ndef f():")
    assert text[block.start : block.end].endswith("return 1")


def test_a_comment_after_a_blank_line_is_not_the_symbols() -> None:
    """Only what stands directly above belongs to a definition."""
    text = "# A banner.\n\ndef f():\n    pass\n"
    assert named(parsed(text), "f").start == text.index("def f")


def test_a_string_below_an_assignment_belongs_to_it() -> None:
    """Attribute documentation is in the range, inside functions and classes too."""
    text = 'LIMIT = 3\n"""How many."""\nother = 4\n\n"""Not of other."""\n'
    result = parsed(text)
    limit, other = named(result, "LIMIT"), named(result, "other")
    assert text[limit.start : limit.end] == 'LIMIT = 3\n"""How many."""'
    assert text[other.start : other.end] == "other = 4"


def test_nested_definitions_have_the_whole_path_in_their_name() -> None:
    """A function in a method is under the method, never beside it."""
    text = (
        "class A:\n    class B:\n        def m(self):\n"
        "            def inner():\n                class C:\n                    pass\n"
    )
    names = [line.split()[1:] for line in symbols(parsed(text))]
    assert names == [
        ["Class", "A"],
        ["Class", "A.B"],
        ["Method", "A.B.m"],
        ["Function", "A.B.m.inner"],
        ["Class", "A.B.m.inner.C"],
    ]


def test_definitions_under_conditions_are_found() -> None:
    """`if`, `try` and `with` hide nothing, and are no part of a name."""
    text = "try:\n    import x\nexcept E:\n    def f():\n        pass\nif 1:\n    class C: pass\n"
    assert symbols(parsed(text)) == ["4-5 Function f", "7-7 Class C"]


@pytest.mark.parametrize(
    ("receiver", "name"),
    [
        ("(s Server)", "Server.Do"),
        ("(s *Server)", "Server.Do"),
        ("(Server)", "Server.Do"),
        ("(*Server)", "Server.Do"),
        ("(s Server[T])", "Server.Do"),
        ("(s *Server[T])", "Server.Do"),
        ("(s Server[K, V])", "Server.Do"),
        ("(s *Server[K, V])", "Server.Do"),
    ],
)
def test_a_go_method_is_named_after_its_receiver(receiver: str, name: str) -> None:
    """Without the star and the type parameters."""
    result = parsed(f"package p\n\nfunc {receiver} Do() {{}}\n", "a.go")
    assert symbols(result) == [f"3-3 Method {name}"]


def test_a_go_closure_stays_inside_its_function() -> None:
    """It has no name of its own."""
    text = "package p\n\nfunc f() {\n\tg := func() {}\n\tgo func() { g() }()\n}\n"
    assert symbols(parsed(text, "a.go")) == ["3-6 Function f"]


@pytest.mark.parametrize(
    "method",
    [
        "end({ files }: { files: { name: string }[] }) {}",
        "/** Says\n * more. */\n    end() {}",
        "// One line.\n    // Another.\n    async end(a) {}",
        "end<T extends Map<K, V>>(\n    a: T\n  ): Promise<T> {}",
        "get end() {}",
        "end: function () {}",
        "end: async (a?: string) => {}",
        "end: <T>(a: T) => {}",
    ],
)
def test_methods_of_an_object_in_a_function_are_found(method: str) -> None:
    """However they are written and whatever is said above them, beside nothing else to find."""
    result = parsed(
        f"function make() {{\n  return {{\n    size: 1,\n    {method},\n  }};\n}}\n", "a.ts"
    )
    assert [block.name for block in result.blocks if block.name] == ["make", "make.end"]


def test_line_directives_move_nothing() -> None:
    """`//line` is a comment like any other; lines are physical."""
    text = "package p\n\n//line other.go:900\nfunc f() {}\n"
    block = named(parsed(text, "a.go"), "f")
    assert Lines(text).number(block.end - 1) == 4
    assert block.doc == ""


def test_a_form_feed_ends_no_line() -> None:
    """As in editors, and unlike `str.splitlines`."""
    text = "\f\ndef f():\n    pass\f\n\x0b\ndef g():\n    pass\n"
    assert symbols(parsed(text)) == ["2-3 Function f", "5-6 Function g"]


def test_offsets_are_code_points() -> None:
    """Emoji and combining marks before a symbol do not move it."""
    text = 's = "🍝é\U0001f1e9\U0001f1ea"\ndef naïve():\n    return "🍝"\n'
    block = named(parsed(text), "naïve")
    assert text[block.start : block.end] == 'def naïve():\n    return "🍝"'


@pytest.mark.parametrize(
    ("broken", "kept"),
    [
        ("def good():\n    pass\n\ndef bad(:\n    x = = 1\n\ndef fine():\n    pass\n", "good fine"),
        ("class A:\n    def m(self):\n        return (1\n\ndef fine():\n    pass\n", "fine"),
        ("def fine():\n    pass\n\nx = '''never closed\n", "fine"),
    ],
)
def test_a_syntax_error_keeps_intact_symbols_and_names_its_line(broken: str, kept: str) -> None:
    """One broken definition takes none of the others with it."""
    result = parsed(broken)
    found = {block.name for block in result.blocks}
    assert set(kept.split()) <= found
    assert [diagnostic.code for diagnostic in result.diagnostics] == ["parse_error"]
    assert result.diagnostics[0].line in range(1, broken.count("\n") + 1)


def test_a_hundred_thousand_brackets_are_bounded_work() -> None:
    """Over the bound a source has no symbols and says why; it does not recurse."""
    for nest in ("[", "("):
        result = parsed("x = " + nest * 100_000 + "\n")
        assert not any(block.name for block in result.blocks)
        assert {d.code for d in result.diagnostics} & {"parse_error", "input_too_large"}
    deep = parsed("x = " + "[" * 300_000 + "]" * 300_000 + "\n")
    assert [d.code for d in deep.diagnostics] == ["input_too_large"]
    assert deep.blocks == ()


def test_a_source_over_the_bound_is_not_parsed() -> None:
    """Two mebibytes are read by lines, with a diagnostic."""
    result = parsed("x = 1\n" * (MAX_BYTES // 6 + 1))
    assert (result.parser, result.blocks) == ("lines", ())
    assert [d.code for d in result.diagnostics] == ["input_too_large"]


def test_names_of_deep_nesting_do_not_grow_without_end() -> None:
    """Definitions nested deeper than a bound are not symbols of their own."""
    depth = 90
    text = (
        "".join(f"{' ' * level}class c{level}:\n" for level in range(depth)) + " " * depth + "x\n"
    )
    found = [block for block in parsed(text).blocks if block.name]
    assert len(found) == 32
    assert found[-1].name.count(".") == 31


@pytest.mark.parametrize("text", ["", "\n", " \t\r\n", "\x00", "x", "def", "# only a comment"])
def test_odd_texts_give_no_symbols_and_no_exception(text: str) -> None:
    """Empty, blank, NUL and fragments."""
    assert symbols(parsed(text)) == []


def test_nul_hides_nothing() -> None:
    """A NUL character is white space to the parser."""
    assert symbols(parsed("x = '\x00'\ndef f():\n    pass\n")) == [
        "1-1 Variable x",
        "2-3 Function f",
    ]


def test_a_language_without_a_parser_says_so() -> None:
    """No blocks, and a diagnostic that names the language."""
    result = parsed("proc main() = discard\n", "a.nim")
    assert (result.parser, result.blocks) == ("lines", ())
    assert [(d.code, "nim" in d.message) for d in result.diagnostics] == [("no_symbols", True)]


def test_given_blocks_are_sorted_trimmed_spelled_and_nested() -> None:
    """Where two cross, the first ends where the second begins, and a diagnostic tells."""
    document = Document("aaa bbb ccc\n", "x.tcl")
    result = base.given(
        document,
        [Block(4, 12, 0, "METHOD", "late"), Block(0, 7, 0, "function", "early"), Block(3, 4)],
    )
    assert [(b.start, b.end, b.kind, b.name) for b in result.blocks] == [
        (0, 4, "Function", "early"),
        (4, 11, "Method", "late"),
    ]
    assert [d.code for d in result.diagnostics] == ["blocks_clipped"]
    assert result.parser == "given"


def test_the_documents_language_wins_over_its_path() -> None:
    """By the table's names and aliases; `is_test` follows the path."""
    result = parse(Document("package p\nfunc F() {}\n", "x_test.go.txt", language="golang"))
    assert result.language == "go"
    assert symbols(result) == ["2-2 Function F"]
    assert parse(Document("", "pkg/x_test.go")).is_test
