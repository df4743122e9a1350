"""AsciiDoc as blocks: section titles, blocks of every kind, and the promises about what is cut
along them.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright import Block, Document, MarkdownChunker
from chunkwright.characters import Lines
from chunkwright.parsing import parse
from chunkwright.types import Parsed
from headed import OPTIONS, cut_and_examined
from strategies import CLUSTERS, ODD_CHARACTERS, with_line_ends

Heading = tuple[int, str, int]


def parsed(text: str) -> Parsed:
    return parse(Document(text, path="a.adoc"))


def headings(text: str) -> list[Heading]:
    """(level, title, line before its body) of every section."""
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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "= A\n\n== B\n\n====== C\n\n=== D\n\n======= no\n",
            [(1, "A", 1), (2, "B", 3), (6, "C", 5), (3, "D", 7)],
        ),
        ("# A\n\n## B\n\n###### C\n", [(1, "A", 1), (2, "B", 3), (6, "C", 5)]),
        ("== A ==\n\n=== B ==\n\n## C ##\n", [(2, "A", 1), (3, "B ==", 3), (2, "C", 5)]),
        ("==no\n\n == no\n\n= \n\n==\tA\n", [(2, "A", 7)]),
        ("= A\n:b: c\n== D\n=== E\n", [(1, "A", 1), (2, "D", 3), (3, "E", 4)]),
        ("text\n== no\n\n* item\n== no\n", []),
        (
            "A b\n===\n\nC d\n---\n\nE f\n~~~~\n\nG h\n^^\n\nI j\n+++\n",
            [(1, "A b", 2), (2, "C d", 5), (3, "E f", 8), (4, "G h", 11), (5, "I j", 14)],
        ),
        ("Long title\n----\n\nAb\n\n--\n\n...\n---\n\n.A\n--\n", []),
        ("text\nTitle\n-----\n", []),
        ("雪国\n==\n\nGröße 🙂\n-------\n", [(1, "雪国", 2), (2, "Größe 🙂", 5)]),
        ("// A\n----\n:b: c\n------\n", []),
        ("= A\r\n\r\nBb\r\n--\r\n", [(1, "A", 1), (2, "Bb", 4)]),
        ("= A\r\rBb\r--\r", [(1, "A", 1), (2, "Bb", 4)]),
        ("\ufeff= A\n\n=\u0301 no\n", [(1, "A", 1)]),
        ("", []),
    ],
)
def test_section_titles_are_found(text: str, expected: list[Heading]) -> None:
    """With marks before them or under them, at the beginning of a block."""
    assert headings(text) == expected


HIDING = (
    "----",
    "-----",
    "....",
    "====",
    "****",
    "____",
    "++++",
    "////",
    "--",
    "|===",
    ",===",
    "```",
)


@pytest.mark.parametrize("delimiter", HIDING)
def test_a_delimited_block_hides_what_is_inside(delimiter: str) -> None:
    """Up to the same delimiter; a longer or a shorter one is text."""
    inside = f"== no\n\n{delimiter}{delimiter[-1] * 2}\n\nno\n--\n"
    assert headings(f"{delimiter}\n{inside}{delimiter}\n\n== A\n")[-1][1] == "A"
    assert len(headings(f"{delimiter}\n{inside}{delimiter}\n\n== A\n")) == 1


@pytest.mark.parametrize("delimiter", HIDING)
def test_a_block_that_is_not_closed_hides_nothing(delimiter: str) -> None:
    """What stands after it is read as if it were none."""
    assert [title for _, title, _ in headings(f"{delimiter}\n\n== A\n\n{delimiter}x\n")] == ["A"]


def test_lists_are_no_delimiters() -> None:
    """However many marks an item has."""
    text = "* a\n** b\n**** c\n\n. d\n.... e\n\n- f\n\n== A\n\n**** g\n"
    assert headings(text) == [(2, "A", 10)]
    assert [kind for kind, _ in kinds(text)] == ["item"] * 7


@pytest.mark.parametrize(
    ("title", "plain"),
    [
        ("A *bold* _it_ `mono` #mark# **un**constrained", "A bold it mono mark unconstrained"),
        ("`+{x}+` and [.red]#red# and `*b*`", "{x} and red and b"),
        ("https://a.example[Text] and xref:b.adoc#c[B c] and <<d,D e>>", "Text and B c and D e"),
        ("[[id]]A [[b]]c", "A c"),
        ("snake_case_name, 2 * 3 * 4, C# and F#", "snake_case_name, 2 * 3 * 4, C# and F#"),
        ("a   b\tc", "a b c"),
        ("{product} <<only>>", "{product} <<only>>"),
    ],
)
def test_titles_are_plain_text(title: str, plain: str) -> None:
    """Without markup; marks that are no markup stay, and so do attributes."""
    assert headings(f"== {title}\n") == [(2, plain, 1)]


def test_what_is_said_before_a_title_belongs_to_it() -> None:
    """Attributes, anchors, a block title, with comments and blank lines among them."""
    text = "a\n\n[[b]]\n.T\n// c\n\n[role=x]\n== D\n\n[é]\nEf\n--\n\n// g\n\n== H\n"
    sections = [block for block in parsed(text).blocks if block.kind == "section"]
    assert [text[block.start : block.body] for block in sections] == [
        "[[b]]\n.T\n// c\n\n[role=x]\n== D\n",
        "[é]\nEf\n--\n",
        "== H\n",
    ]


def test_a_discrete_heading_begins_no_section() -> None:
    """It is text of the section around it."""
    text = "== A\n\n[discrete]\n== b\n\n[float,role=x]\nC d\n---\n\n[discreet]\n=== E\n"
    assert headings(text) == [(2, "A", 1), (3, "E", 11)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb\n\nc\n", [("paragraph", "a\nb"), ("paragraph", "c")]),
        ("* a\n  b\n** c\n+\nd\n", [("item", "* a\n  b"), ("item", "** c\n+\nd")]),
        ("term:: a\n1. b\n", [("item", "term:: a"), ("item", "1. b")]),
        ("a\n----\nb\n----\n", [("paragraph", "a"), ("fence", "----\nb\n----")]),
        (
            "====\na\n\n----\n\nb\n----\n====\n",
            [
                ("quote", "====\na\n\n----\n\nb\n----\n===="),
                ("paragraph", "a"),
                ("fence", "----\n\nb\n----"),
            ],
        ),
        ("--\n* a\n--\n", [("quote", "--\n* a\n--"), ("item", "* a")]),
        (
            ".T\n[quote]\n____\na\n____\n",
            [("quote", ".T\n[quote]\n____\na\n____"), ("paragraph", "a")],
        ),
        ("++++\n<p>\n++++\n", [("html", "++++\n<p>\n++++")]),
        ("////\na\n\nb\n////\n", [("comment", "////\na\n\nb\n////")]),
        ("  a\n  b\n", [("fence", "  a\n  b")]),
        ("[verse]\na\n[x]\nb\n", [("paragraph", "[verse]\na"), ("paragraph", "[x]\nb")]),
        (":a: b\n// c\nimage::d[]\n\n'''\n\n<<<\n\ninclude::e[]\n", []),
        ("[x]\n", []),
        ("", []),
        (" \r\n\t", []),
    ],
)
def test_every_kind_of_block_is_found(text: str, expected: list[tuple[str, str]]) -> None:
    """Blocks are whole lines, with those of their attributes."""
    assert kinds(text) == expected


@pytest.mark.parametrize(
    ("text", "info", "content"),
    [
        ("[source,ruby]\n.T\n----\né\n----\n", "ruby", "é\n----"),
        ("[source%linenums,c]\r\n----\r\nx\r\n----\r\n", "c", "x\r\n----"),
        ("[,sh]\n----\nx\n----\n", "sh", "x\n----"),
        ("```py\nx\n```\n", "py", "x\n```"),
        ("....\nx\n....", "", "x\n...."),
        ("[source,go]\nx\ny\n\nz\n", "go", "x\ny"),
        ("[source]\n--\n* x\n--\n", "", "* x\n--"),
    ],
)
def test_listings_are_fences(text: str, info: str, content: str) -> None:
    """The body follows the delimiter, or the attributes; the info is the language."""
    fence = the("fence", text)
    assert (fence.info, text[fence.body : fence.end]) == (info, content)


@pytest.mark.parametrize(
    ("text", "head", "rows"),
    [
        ("|===\n|é |b\n\n|1 |2\n|3 |4\n|===\n", "|===\n|é |b\n\n", ["|1 |2", "|3 |4\n|==="]),
        (
            "[%header,cols=2*]\n|===\n|a |b\n|1\n|2\n\n|3\n|4\n|===\n",
            "[%header,cols=2*]\n|===\n|a |b\n",
            ["|1\n|2", "|3\n|4\n|==="],
        ),
        ("|===\n|1 |2\nx\n|3 |4\n|===\n", "|===\n", ["|1 |2\nx", "|3 |4\n|==="]),
        (
            '[options="header"]\n,===\na,b\n1,2\n,===\n',
            '[options="header"]\n,===\na,b\n',
            ["1,2\n,==="],
        ),
        ("|===\n|===\n", "|===\n", []),
        ("|===\n\n|===\n", "|===\n", []),
        ("|===\n|a\n\n|===\n", "|===\n|a\n\n", []),
    ],
)
def test_tables_say_where_their_rows_begin(text: str, head: str, rows: list[str]) -> None:
    """The body follows the header, or the delimiter; the last row keeps the delimiter under it."""
    table = the("table", text)
    assert text[table.start : table.body] == head
    assert [found for kind, found in kinds(text) if kind == "row"] == rows


def test_pieces_of_a_listing_carry_its_opening_lines() -> None:
    """Each piece says what language it is in."""
    text = "[source,ruby]\n----\n" + "".join(f"line {n}\n" for n in range(30)) + "----\n"
    chunks = MarkdownChunker(size=100, overlap=0).chunk(Document(text, path="a.adoc"))
    assert len(chunks) > 1
    assert all((piece.carry + piece.text).startswith("[source,ruby]\n----\n") for piece in chunks)


def test_blocks_can_be_deep_and_no_deeper() -> None:
    """What is nested too deep for a cutter to gain from it stays in the block around it."""
    opened = ["=" * length + "\n" for length in range(4, 300)]
    assert 1 <= len(parsed("".join([*opened, *reversed(opened)])).blocks) <= 40


def test_blocks_are_nested() -> None:
    """Sorted, and none crosses another, even where their delimiters do."""
    text = "====\na\n****\nb\n====\nc\n****\n\n--\n* d\n____\n--\n\n|===\n|e\n----\n|===\n----\n"
    blocks = parsed(text).blocks
    assert [block.start for block in blocks] == sorted(block.start for block in blocks)
    assert all(two.start >= one.end or two.end <= one.end for one, two in pairwise(blocks))


PIECES = (
    *("= A", "== B", "=== `C` _d_", "Title\n-----", "Ab\n==", "[discrete]\n== E", "[[f]]", ".G"),
    *(
        "text",
        "word " * 30,
        "Sentence one. Sentence two!",
        "",
        "",
        "",
        "",
        "  ",
        "* a",
        "** b",
        ". c",
    ),
    *(
        "d:: e",
        "+",
        "  literal",
        "----",
        "....",
        "====",
        "****",
        "____",
        "++++",
        "////",
        "--",
        "```",
    ),
    *(
        "[source,py]",
        "[quote]",
        "----\nx = 1\n----",
        "```sh\nls\n```",
        ":a: b",
        "// c",
        "image::d[]",
    ),
    *(
        "|===",
        "|===\n|a |b\n\n|1 |2\n|3 |4\n|===",
        "|1 |2",
        "[%header]",
        "=====",
        "'''",
        "🙂",
        "[é]",
    ),
)
SOUP = with_line_ends(
    st.lists(
        st.one_of(
            st.sampled_from(PIECES),
            st.sampled_from(PIECES),
            st.sampled_from([*CLUSTERS, *ODD_CHARACTERS]),
        ),
        max_size=40,
    ).map("\n".join)
)


@given(text=SOUP, options=OPTIONS)
def test_every_promise_holds(text: str, options: dict[str, Any]) -> None:
    """Whatever the text, the measure and the options."""
    _, broken = cut_and_examined(Document(text, path="a.adoc"), options, "asciidoc")
    assert broken == []
