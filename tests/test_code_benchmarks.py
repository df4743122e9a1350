"""The benchmarks of source code: that what is counted is counted right. No test asserts a time, and
none needs the other parsers or a network.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmark_rooms import load
from chunkwright import CodeChunker
from chunkwright.types import Document

definitions, symbols = load("definitions"), load("measurements.symbols")
whole, Pieces = load("measurements.whole_functions"), load("checks").Pieces
Definition = definitions.Definition

PYTHON = Document(
    "import os\n\n\n@staticmethod\ndef first():\n    return 1\n\n\n"
    "class Second:\n    def third(self):\n        return 'né'\n",
    path="a.py",
    language="python",
)


def found(document: Document) -> list[Any]:
    """What Python's own parser says of a file."""
    return list(definitions.found_by_others("python", [document], Path())[document.path])


def counted(*chunks: str) -> Any:
    """What whole_functions counts of PYTHON, cut so."""
    count = whole.Count()
    fitting = whole.functions_that_fit(PYTHON, found(PYTHON))
    whole.add(count, PYTHON, Pieces(chunks), fitting)
    return count


def test_a_definition_begins_at_its_decorator() -> None:
    """Decorators belong to a function, so a chunk without them does not have it whole."""
    assert [(one.name, one.what, one.line, one.end) for one in found(PYTHON)] == [
        ("first", "function", 4, 6),
        ("Second", "type", 9, 11),
        ("third", "function", 10, 11),
    ]


def test_a_file_that_the_other_parser_cannot_read_is_left_out() -> None:
    """Such a file counts for nobody."""
    broken = Document("def f(:\n", path="b.py", language="python")
    assert definitions.found_by_others("python", [broken], Path()) == {}


@pytest.mark.parametrize(
    ("text", "line", "end"),
    [
        ("fn f() {\n    g();\n}\n", 1, 3),
        ("impl A {\n    fn f(\n    ) {\n        if b {\n        }\n    }\n}\n", 2, 6),
        ("fn f() {}\nfn g() {\n}\n", 1, 1),
        ("trait A {\n    fn f();\n    fn g() {\n    }\n}\n", 2, 2),
        ("export function f({\n  a,\n}: Props) {\n  return a;\n}\n", 1, 5),
        ("fn f() {\n    g();\n", 1, None),
    ],
)
def test_the_end_of_laid_out_code_is_a_brace_indented_like_the_start(
    text: str, line: int, end: int | None
) -> None:
    """Where the other parser gives no ends, the braces of formatted code do."""
    (one,) = definitions.with_ends(text, [Definition("f", "function", line)])
    assert one.end == end


def test_whole_functions_are_counted_through_changed_white_space() -> None:
    """A chunk has a function if it has all its characters, however they are laid out."""
    head, tail = PYTHON.text.split("class Second:\n")[1].split("        return")
    second = ("class Second:\n" + head, "return" + tail)
    count = counted("import os", "@staticmethod\ndef first(): return 1", *second)
    assert (count.functions, count.whole, count.lost) == (2, 1, 0)
    assert count.split == ["a.py:10-11 third"]


def test_lost_characters_are_counted_without_white_space() -> None:
    """What is in no chunk is lost, and a function with it is not whole."""
    count = counted(PYTHON.text.replace("return 1", ""))
    assert count.lost == len(whole.without_white_space(PYTHON.text))
    count = counted(*PYTHON.text.split("    return 1\n"))
    assert (count.lost, count.whole) == (len("return1"), 1)


def test_a_function_that_does_not_fit_the_cap_is_not_counted() -> None:
    """Nobody can keep it whole."""
    long = Document(f"def f():\n    return '{'a' * 1500}'\n", path="c.py", language="python")
    assert whole.functions_that_fit(long, found(long)) == []


def test_annotations_above_a_definition_belong_to_it() -> None:
    """Those over several lines too; what stands above them does not."""
    lines = ["}", "/// Says.", "#[case(", "    1,", ")]", "#[inline]", "fn f() {", "}"]
    assert whole._first_line(lines, 7) == 3


def test_symbols_are_compared_by_name_and_line() -> None:
    """All of ours is confirmed by Python's own parser, and the other way round."""
    count = symbols.Count()
    ours = CodeChunker(size=None).chunk(PYTHON).symbols
    assert list(symbols.compare(count, PYTHON, ours, found(PYTHON))) == []
    assert count.found == {"function": 2, "type": 1}
    assert (count.symbols, count.confirmed) == (3, 3)


def test_a_missed_and_an_invented_symbol_are_told() -> None:
    """With the line where they stand."""
    count = symbols.Count()
    ours = CodeChunker(size=None).chunk(PYTHON).symbols
    others = [Definition("first", "function", 5), Definition("fourth", "type", 8)]
    assert list(symbols.compare(count, PYTHON, ours, others)) == [
        "a.py:8: missed type fourth",
        "a.py:9: only ours Class Second",
        "a.py:10: only ours Method Second.third",
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Server.Listen", "Listen"),
        ("ns::A::f", "f"),
        ("initWith:frame:", "frame"),
        ("f/2", "f"),
        ("A.operator std::string", "operatorstdstring"),
        ("plain", "plain"),
    ],
)
def test_names_are_compared_without_what_they_stand_in(name: str, expected: str) -> None:
    """Parsers write the scope of a name in different ways."""
    assert symbols.unqualified(name) == expected
