"""reStructuredText as blocks: titles against docutils, blocks of every kind, and the promises about
what is cut along them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from chunkwright import Block, Document, MarkdownChunker
from chunkwright.characters import Lines
from chunkwright.parsing import parse
from chunkwright.types import Parsed
from headed import OPTIONS, cut_and_examined
from strategies import CLUSTERS, ODD_CHARACTERS, with_line_ends

Heading = tuple[int, str, int]

HARMLESS = {
    "file_insertion_enabled": False,
    "halt_level": 6,
    "raw_enabled": False,
    "report_level": 5,
    "warning_stream": False,
}
"""docutils settings under which it opens nothing, prints nothing and raises nothing."""


def headings_by_docutils(text: str) -> list[Heading] | None:
    """(level, title, line of the adornment under it) of every section; None where docutils calls
    the levels inconsistent."""
    parser = pytest.importorskip("docutils.parsers.rst").Parser
    settings = pytest.importorskip("docutils.frontend").get_default_settings(parser)
    for name, value in HARMLESS.items():
        setattr(settings, name, value)
    document = pytest.importorskip("docutils.utils").new_document("text", settings)
    parser().parse(text.replace("\r\n", "\n").replace("\r", "\n"), document)
    inconsistent = "Inconsistent title style" in document.astext()
    return None if inconsistent else list(_sections(document, 1))


def _sections(parent: Any, level: int) -> Iterator[Heading]:
    for child in parent.children:
        if child.tagname == "section":
            title = child.children[0]
            yield level, " ".join(title.astext().split()), title.line
            yield from _sections(child, level + 1)


def parsed(text: str) -> Parsed:
    return parse(Document(text, path="a.rst"))


def headings(text: str) -> list[Heading]:
    lines = Lines(text)
    return [
        (block.depth, block.name, lines.number(block.body - 1))
        for block in parsed(text).blocks
        if block.kind == "section"
    ]


def kinds(text: str) -> list[tuple[str, str]]:
    """Kind and text of every block that is no section."""
    return [
        (block.kind, text[block.start : block.end])
        for block in parsed(text).blocks
        if block.kind != "section"
    ]


def the(kind: str, text: str) -> Block:
    return next(block for block in parsed(text).blocks if block.kind == kind)


TRICKY = {
    "levels": "A\n=\n\nB\n-\n\nC\n~\n\nD\n-\n\nE\n=\n",
    "overlined is another style": "==\nA\n==\n\nB\n==\n\n--\nC\n--\n\nD\n==\n\n==\nE\n==\n",
    "indented under its overline": "=====\n A b\n=====\n\ntext\n",
    "starts deep": "A\n~~~~\n\nB\n====\n\nC\n~~~~\n",
    "too short": "Title\n===\n\nTitle\n====\n\nab\n==\n\nabc\n==\n",
    "overline that does not match": "=====\nA\n====\n\n====\nB\n~~~~\n\n==\nC\n=\n",
    "overline of a long title": "===\nTitle\n===\n\n====\nTitle\n====\n",
    "transitions": "A\n=\n\ntext\n\n----\n\ntext\n\n-------\nB\n-------\n\n....\n",
    "two adornments": "====\n----\nA\n----\n\n--\n==\n",
    "all marks": "".join(f"T\n{mark * 4}\n\n" for mark in "!#$%&'()*+,-./:;<=>?@[\\]^_`{|}~\""),
    "text before": "a\nB\n=\n\n- c\nD\n=\n\n.. e\nF\n=\n",
    "blank between": "A\n\n=====\n\nB\n \n-----\n",
    "literal block": "a::\n\n  B\n  =\n\nC\n=\n\na::\n\n=====\n=====\nD\n=====\n",
    "literal block alone": "::\n\n  A\n  =\n\nab\n::\n\n A\n\nB\n=\n",
    "escaped colons": "a\\::\n\n====\nA\n====\n",
    "quoted literal": "a::\n\n> b\n> =\nC\n=\n",
    "directive": ".. note::\n\n   A\n   =\n\nB\n=\n\n.. code::\n   C\n   =\nD\n=\n",
    "comment": "..\n   A\n   =\n\n..\n\nB\n=\n\n.. C\n   =\n",
    "list": "- A\n  =\n\n1. B\n   =\n\n* C\n=\n",
    "numbers": "1. A\n====\n\n2. B\n3. C\n====\n\nD. E\n====\n\n(f) G\n=====\n\n#. H\n====\n",
    "numbers that go on": "1. a\n2. b\n\nC\n=\n\n1. a\n1. b\n====\n\nx) a\n====\n",
    "roman": "i. a\nii. b\n\nI) A\n====\n\nvv. a\n\nMix. B\n======\n",
    "definition": "A\n  =\n\nterm\n  B\n  =\nC\n=\n",
    "quote": "  A\n  =\n\nB\n=\n",
    "field": ":A: b\n====\n\n:a:\n  B\n  =\nC\n=\n",
    "doctest": ">>> A\n====\n\nB\n=\n",
    "line block": "| A\n====\n\nB\n=\n",
    "simple table": "=== ===\nA   B\n=== ===\n1   2\n=== ===\n\nC\n=\n",
    "simple table without header": "=== ===\n1   2\n\n3   4\n=== ===\n\nC\n=\n",
    "grid table": "+---+---+\n| A | B |\n+===+===+\n| = | = |\n+---+---+\n\nC\n=\n",
    "footnote": ".. [1] A\n   =\n\n.. _b: c\n   d\n\nE\n=\n",
    "label": ".. _a:\n\nB\n=\n\n.. _c:\n.. _d:\n\n==\nE\n==\n",
    "line ends": "A\r\n=\r\n\r\n==\r\nB\r\n==\r\n",
    "lone cr": "A\r=\r\r==\rB\r==\r",
    "tabs": "A\tb\n=======\n\n\tC\n\t=\n\nD\n=\t\n",
    "form feed": "A\n=\n\n\f\nB\n=\n",
    "wide": "雪国\n==\n\n雪国\n====\n\ne\u0301e\u0301\n==\n",
    "mark on the adornment": "A\n=\u0301\n\nB\n===\u0301\n",
    "no final newline": "A\n=\n\nB\n-",
    "empty": "",
}


@pytest.mark.parametrize("text", TRICKY.values(), ids=TRICKY)
def test_sections_are_those_of_docutils(text: str) -> None:
    """Level, title and line of every title are what the reference implementation finds."""
    assert headings(text) == headings_by_docutils(text)


MARKS = """A|A b|é|雪国|- a|- |* a|-|1. a|2. b|#. c|a) x|:f: v|:f:|>>> d|> q|=|==|===|====|=====
|-----|~~~~|::|a::|.. note::|.. code:: py|.. _l:|.. c|..|__ u|.. [1] x|*x*|``l``|x_|`t <u>`_|\\::
|  |   i|    j| ====|  - n|text::"""
PIECES = MARKS.replace("\n", "").split("|")
WHOLE = (
    "T\n=",
    "Title\n-----",
    "====\nOver\n====",
    "Some title\n==========",
    "+-----+\n| a b |\n+=====+\n| c   |\n+-----+",
    "=== ===\na   b\n=== ===\n1   2\n=== ===",
    "",
    "",
    "",
)
SOUP = with_line_ends(st.lists(st.sampled_from([*PIECES, *WHOLE]), max_size=30).map("\n".join))


@given(text=SOUP)
def test_sections_are_those_of_docutils_in_any_text(text: str) -> None:
    """Whatever stands around them, well formed or not."""
    expected = headings_by_docutils(text)
    assume(expected is not None)
    assert headings(text) == expected


@pytest.mark.parametrize(
    ("title", "plain"),
    [
        ("The :ref:`text <target>` of :py:class:`.Name`", "The text of .Name"),
        ("``a *b*`` and *c* and **d e**", "a *b* and c and d e"),
        ("`Text <https://a.example/x>`_, other_ and `an other`__", "Text, other and an other"),
        ("|name| and `x`", "name and x"),
        (
            "2 * 3 * 4, a*b*c, **kwargs, snake_case_name",
            "2 * 3 * 4, a*b*c, **kwargs, snake_case_name",
        ),
        (r"a\*b\ c \\", "a*bc \\"),
        ("  spaces   and\ttabs ", "spaces and tabs"),
    ],
)
def test_titles_are_plain_text(title: str, plain: str) -> None:
    """What shows of roles, literals, references; marks that are no markup stay."""
    assert [name for _, name, _ in headings(f"{'=' * 80}\n{title}\n{'=' * 80}\n")] == [plain]


def test_a_style_that_comes_late_is_the_deepest() -> None:
    """docutils refuses it where it would skip a level; here every title counts."""
    text = "A\n=\n\nB\n-\n\nC\n=\n\nD\n~\n"
    assert headings(text) == [(1, "A", 2), (2, "B", 5), (1, "C", 8), (3, "D", 11)]


def test_a_label_belongs_to_the_title_it_stands_before() -> None:
    """The section begins with it; not so with a target that leads elsewhere."""
    text = "A\n=\n\n.. _b:\n.. _b c:\n\nB\n=\n\n.. _c: https://c.example\n\nC\n=\n"
    sections = [block for block in parsed(text).blocks if block.kind == "section"]
    assert [text[block.start : block.body] for block in sections] == [
        "A\n=\n",
        ".. _b:\n.. _b c:\n\nB\n=\n",
        "C\n=\n",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb\n\nc\n", [("paragraph", "a\nb"), ("paragraph", "c")]),
        (
            "- a\n\n  - é\n- c\n",
            [
                ("list", "- a\n\n  - é\n- c"),
                ("item", "- a\n\n  - é"),
                ("paragraph", "- a"),
                ("list", "  - é"),
                ("item", "  - é"),
                ("paragraph", "  - é"),
                ("item", "- c"),
                ("paragraph", "- c"),
            ],
        ),
        (
            "#. a\n#. b\n\n",
            [
                ("list", "#. a\n#. b"),
                ("item", "#. a"),
                ("paragraph", "#. a"),
                ("item", "#. b"),
                ("paragraph", "#. b"),
            ],
        ),
        (":a: b\n:c:\n", [("list", ":a: b\n:c:"), ("item", ":a: b"), ("item", ":c:")]),
        ("t\n  d\n", [("definition", "t\n  d"), ("paragraph", "  d")]),
        ("  é\n", [("quote", "  é"), ("paragraph", "  é")]),
        ("| a\n|  b\n", [("quote", "| a\n|  b")]),
        ("a::\n\n  x\n\n   y\n\n", [("paragraph", "a::"), ("fence", "  x\n\n   y")]),
        ("::\n\n> x\n> y\n", [("paragraph", "::"), ("fence", "> x\n> y")]),
        (">>> a\nb\n", [("fence", ">>> a\nb")]),
        (".. [1] a\n   b\n", [("definition", ".. [1] a\n   b"), ("paragraph", "   b")]),
        (".. note:: a\n\n   b\n", [("quote", ".. note:: a\n\n   b"), ("paragraph", "   b")]),
        (".. math::\n\n   x\n", [("math", ".. math::\n\n   x")]),
        (".. a comment\n   b\n", [("comment", ".. a comment\n   b")]),
        (".. _a: b\n\n..\n\n----\n", []),
        ("", []),
        (" \r\n\t", []),
    ],
)
def test_every_kind_of_block_is_found(text: str, expected: list[tuple[str, str]]) -> None:
    """Blocks are whole lines, without blank ones at their end."""
    assert kinds(text) == expected


@pytest.mark.parametrize(
    ("text", "info", "content"),
    [
        (".. code-block:: py\n   :name: é\n\n   x\n\n   y\n", "py", "   x\n\n   y"),
        ("- a\n\n  .. code:: sh\n\n     x\n", "sh", "     x"),
        (".. sourcecode:: c\r\n\r\n  x\r\n\r\nb\r\n", "c", "  x"),
        (".. parsed-literal::\n   x\n", "", "   x"),
    ],
)
def test_code_directives_are_fences(text: str, info: str, content: str) -> None:
    """The body is the code alone, the info its language."""
    fence = the("fence", text)
    assert (fence.info, text[fence.body : fence.end]) == (info, content)


@pytest.mark.parametrize(
    ("text", "head", "rows"),
    [
        (
            "=== ===\né   b\n=== ===\n1   2\n    3\n\n4   5\n=== ===\n",
            "=== ===\né   b\n=== ===\n",
            ["1   2\n    3", "4   5\n=== ==="],
        ),
        ("== ==\n1  2\n3  4\n== ==\n", "== ==\n", ["1  2", "3  4\n== =="]),
        (
            "+--+--+\n|é |b |\n+==+==+\n|1 |2 |\n|  |3 |\n+--+--+\n|4 |5 |\n+--+--+\n",
            "+--+--+\n|é |b |\n+==+==+\n",
            ["|1 |2 |\n|  |3 |\n+--+--+", "|4 |5 |\n+--+--+"],
        ),
        ("  +---+\n  | 1 |\n  +---+\n", "  +---+\n", ["  | 1 |\n  +---+"]),
    ],
)
def test_tables_say_where_their_rows_begin(text: str, head: str, rows: list[str]) -> None:
    """The body follows the header, or the first border; a row keeps the border under it."""
    table = the("table", text)
    assert text[table.start : table.body] == head
    assert [found for kind, found in kinds(text) if kind == "row"] == rows


@pytest.mark.parametrize("text", ["=== ===\na b\n", "+--+\n| a\n", "=== ===\na\n=====\n"])
def test_a_table_that_is_not_closed_hides_nothing(text: str) -> None:
    """What stands after it is read as if it were none."""
    assert headings(f"{text}\nA\n-\n")[-1][1] == "A"
    assert "table" not in [kind for kind, _ in kinds(text)]


def test_pieces_of_a_code_directive_and_of_a_table_carry_their_heads() -> None:
    """Each piece stands alone: with the directive, or the header, before it."""
    code = ".. code-block:: py\n\n" + "".join(f"   line {number}\n" for number in range(12))
    table = "=== ===\na   b\n=== ===\n" + "".join(f"{n:3} {n:3}\n" for n in range(12)) + "=== ==="
    for text, head in ((code, ".. code-block:: py\n\n"), (table, table[:24])):
        chunks = MarkdownChunker(size=100, overlap=0).chunk(Document(text, path="a.rst"))
        assert len(chunks) > 1
        assert all((piece.carry + piece.text).startswith(head) for piece in chunks)


def test_blocks_can_be_deep_and_no_deeper() -> None:
    """What is nested too deep for a cutter to gain from it stays in the block around it."""
    texts = [
        "- " * 50_000 + "a",
        "".join(" " * depth + "a\n" for depth in range(600)),
        "1. " * 9_999,
    ]
    assert all(1 <= len(parsed(text).blocks) <= 99 for text in texts)


def test_blocks_are_nested() -> None:
    """Sorted, and none crosses another."""
    text = "A\n=\n\n- a\n\n  .. note::\n\n     | b\n\n     c::\n\n      d\n- e\n\n  f\n    g\n"
    blocks = parsed(text).blocks
    assert [block.start for block in blocks] == sorted(block.start for block in blocks)
    assert all(two.start >= one.end or two.end <= one.end for one, two in pairwise(blocks))


MIXED = with_line_ends(
    st.lists(
        st.one_of(
            st.sampled_from([*PIECES, *WHOLE]),
            st.sampled_from(["word " * 30, "Sentence one. Sentence two!", "   x = 1", *CLUSTERS]),
            st.sampled_from(ODD_CHARACTERS),
        ),
        max_size=40,
    ).map("\n".join)
)


@given(text=MIXED, options=OPTIONS)
def test_every_promise_holds(text: str, options: dict[str, Any]) -> None:
    """Whatever the text, the measure and the options."""
    _, broken = cut_and_examined(Document(text, path="a.rst"), options, "rst")
    assert broken == []
