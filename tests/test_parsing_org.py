"""Org as blocks: headlines, blocks of every kind, and the promises about what is cut along them."""

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
    return parse(Document(text, path="a.org"))


def headings(text: str) -> list[Heading]:
    """(level, title, line) of every section."""
    lines = Lines(text)
    return [
        (block.depth, block.name, lines.number(block.start))
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
        ("* A\ntext\n*** B\n** C\n", [(1, "A", 1), (3, "B", 3), (2, "C", 4)]),
        ("text\n* A\r\n\r\n** B\r\n* C", [(1, "A", 2), (2, "B", 4), (1, "C", 5)]),
        ("* A\r** B\r", [(1, "A", 1), (2, "B", 2)]),
        ("*no\n *no\n * no\n*\n*\tno\n*bold* no\n", []),
        ("* \n**   \n*  A\n", [(1, "", 1), (2, "", 2), (1, "A", 3)]),
        ("#+begin_src org\n* A\n,* no\n#+end_src\n", [(1, "A", 2)]),
        ("\ufeff* A\n", [(1, "A", 1)]),
        ("* Größe 🙂 e\u0301\n*\u0301 no\n", [(1, "Größe 🙂 e\u0301", 1)]),
        (f"{'*' * 9} A\n", [(9, "A", 1)]),
        ("", []),
    ],
)
def test_headlines_are_stars_and_a_space_at_the_start_of_a_line(
    text: str, expected: list[Heading]
) -> None:
    """As Org has it even in a source block, unless a comma stands before the stars."""
    assert headings(text) == expected


@pytest.mark.parametrize(
    ("headline", "title"),
    [
        ("TODO [#A] COMMENT Call *him* :a:b_c:", "Call him"),
        ("DONE", ""),
        ("TODOs [#a]", "TODOs [#a]"),
        (":only:tags:", ""),
        ("A :no tag: :é@home:#x:", "A :no tag:"),
        ("A:b:", "A:b:"),
        ("[[https://a.example][A /b/]] and [[file:c.org]]", "A b and file:c.org"),
        ("=v= ~c~ _u_ +s+ /i/ *b c*", "v c u s i b c"),
        (
            "a*b*c, 1 * 2 * 3, snake_case_name, /usr/bin",
            "a*b*c, 1 * 2 * 3, snake_case_name, /usr/bin",
        ),
        ("Done [1/2]  [50%]", "Done [1/2] [50%]"),
        ("WAIT A", "WAIT A"),
    ],
)
def test_titles_are_plain_text(headline: str, title: str) -> None:
    """Without keyword, priority, COMMENT, tags and markup; marks that are no markup stay."""
    assert headings(f"** {headline}\n") == [(2, title, 1)]


def test_a_document_may_have_keywords_of_its_own() -> None:
    """They take the place of TODO and DONE, wherever they are named."""
    text = "* WAIT A\n* TODO B\n#+todo: NEXT(n) | OVER(o@/!)\n#+SEQ_TODO: WAIT\n* NEXT C\n* OVER\n"
    assert [title for _, title, _ in headings(text)] == ["A", "TODO B", "C", ""]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb\n\nc\n", [("paragraph", "a\nb"), ("paragraph", "c")]),
        (
            "- a\n  - é\n- c\n\n  d\n",
            [
                ("list", "- a\n  - é\n- c\n\n  d"),
                ("item", "- a\n  - é"),
                ("list", "  - é"),
                ("item", "  - é"),
                ("item", "- c\n\n  d"),
                ("paragraph", "  d"),
            ],
        ),
        (
            "a\n1. b\n2) c\n\n\n+ d\n",
            [
                ("paragraph", "a"),
                ("list", "1. b\n2) c"),
                ("item", "1. b"),
                ("item", "2) c"),
                ("list", "+ d"),
                ("item", "+ d"),
            ],
        ),
        (
            "- a\n  #+begin_src sh\nx\n\n\ny\n  #+end_src\n",
            [
                ("list", "- a\n  #+begin_src sh\nx\n\n\ny\n  #+end_src"),
                ("item", "- a\n  #+begin_src sh\nx\n\n\ny\n  #+end_src"),
                ("fence", "  #+begin_src sh\nx\n\n\ny\n  #+end_src"),
            ],
        ),
        (
            "* A\n:PROPERTIES:\n:ID: 1\n:END:\ntext\n",
            [("comment", ":PROPERTIES:\n:ID: 1\n:END:"), ("paragraph", "text")],
        ),
        (
            "#+begin_quote\na\n\n: b\n#+end_quote\n",
            [
                ("quote", "#+begin_quote\na\n\n: b\n#+end_quote"),
                ("paragraph", "a"),
                ("fence", ": b"),
            ],
        ),
        (
            "#+begin_export html\n<p>\n#+end_export\n",
            [("html", "#+begin_export html\n<p>\n#+end_export")],
        ),
        ("#+begin_comment\na\n#+end_comment\n", [("comment", "#+begin_comment\na\n#+end_comment")]),
        (
            "#+BEGIN: clock\n| a |\n#+END:\n",
            [("quote", "#+BEGIN: clock\n| a |\n#+END:"), ("table", "| a |"), ("row", "| a |")],
        ),
        ("#+title: A\n# comment\n#\n-----\n", [("paragraph", "-----")]),
        ("", []),
        (" \r\n\t", []),
    ],
)
def test_every_kind_of_block_is_found(text: str, expected: list[tuple[str, str]]) -> None:
    """Blocks are whole lines, without blank ones at their end."""
    assert kinds(text) == expected


@pytest.mark.parametrize(
    ("text", "info", "head"),
    [
        ("#+begin_src py :x y\nx\n,* y\n#+end_src\n", "py :x y", "#+begin_src py :x y\n"),
        ("#+BEGIN_EXAMPLE\nx\n#+END_EXAMPLE\n", "", "#+BEGIN_EXAMPLE\n"),
        (
            "#+name: é\n#+caption[a]: b\n\t#+begin_src c\r\nx\n#+end_src",
            "c",
            "#+name: é\n#+caption[a]: b\n\t#+begin_src c\r\n",
        ),
    ],
)
def test_source_and_example_blocks_are_fences(text: str, info: str, head: str) -> None:
    """The body follows the opening line; what names the block belongs to it."""
    fence = the("fence", text)
    assert (fence.info, text[fence.start : fence.body]) == (info, head)


@pytest.mark.parametrize(
    ("text", "head", "rows"),
    [
        (
            "| é | b |\n|---+---|\n| 1 | 2 |\n| 3 | 4 |\n",
            "| é | b |\n|---+---|\n",
            ["| 1 | 2 |", "| 3 | 4 |"],
        ),
        (
            "|---|\n| a |\n|---|\n| 1 |\n|---|\n#+TBLFM: $1=1\n",
            "|---|\n| a |\n|---|\n",
            ["| 1 |\n|---|\n#+TBLFM: $1=1"],
        ),
        ("  |---|\n  | 1 |", "  |---|\n", ["  | 1 |"]),
        ("a\n| 1 |\n| 2 |\n\n", "", ["| 1 |", "| 2 |"]),
    ],
)
def test_tables_say_where_their_rows_begin(text: str, head: str, rows: list[str]) -> None:
    """The body follows the rule under the header; a row keeps the rules under it."""
    table = the("table", text)
    assert text[table.start : table.body] == head
    assert [found for kind, found in kinds(text) if kind == "row"] == rows


@pytest.mark.parametrize(
    "opening",
    ["#+begin_src", "#+begin_quote\n#+end_src", ":LOGBOOK:", "#+begin:", "#+begin_a\n* B"],
)
def test_a_block_that_is_not_closed_hides_nothing(opening: str) -> None:
    """Nor does one whose end stands under another headline."""
    text = f"{opening}\n* A\n#+end_a\n:END:\n#+end_src\n"
    assert headings(text)[-1][1] == "A"
    assert not {"fence", "quote", "comment"} & {kind for kind, _ in kinds(text)}


def test_pieces_of_a_source_block_carry_its_opening_line() -> None:
    """Each piece says what language it is in."""
    text = "#+begin_src python\n" + "".join(f"line {n}\n" for n in range(30)) + "#+end_src\n"
    chunks = MarkdownChunker(size=100, overlap=0).chunk(Document(text, path="a.org"))
    assert len(chunks) > 1
    assert all((piece.carry + piece.text).startswith("#+begin_src python\n") for piece in chunks)


def test_blocks_can_be_deep_and_no_deeper() -> None:
    """What is nested too deep for a cutter to gain from it stays in the block around it."""
    opened = [f"#+begin_{number}\n" for number in range(500)]
    closed = [f"#+end_{number}\n" for number in reversed(range(500))]
    stairs = "".join(" " * depth + "- a\n" for depth in range(600))
    assert all(1 <= len(parsed(text).blocks) <= 40 for text in ("".join(opened + closed), stairs))


def test_blocks_are_nested() -> None:
    """Sorted, and none crosses another, even where what opens them does."""
    text = (
        "- a\n  #+begin_a\n  - b\n  #+begin_c\n| d |\n  #+end_a\n  #+end_c\n- e\n:f:\n- g\n:end:\n"
    )
    blocks = parsed(text).blocks
    assert [block.start for block in blocks] == sorted(block.start for block in blocks)
    assert all(two.start >= one.end or two.end <= one.end for one, two in pairwise(blocks))


PIECES = (
    *(
        "* A",
        "** TODO B :c:",
        "*** ",
        "*** [[a][Long title]] of a section",
        "* 🙂 e\u0301",
        "*",
        ",* a",
    ),
    *(
        "text",
        "word " * 30,
        "Sentence one. Sentence two!",
        "",
        "",
        "",
        "  ",
        "- a",
        "  - b",
        " * c",
    ),
    *("1. d", "  e", "- a :: b", "#+begin_src sh", "#+end_src", "#+begin_quote", "#+end_quote"),
    *("  #+begin_src py", "  #+end_src", "#+begin_example\n* x\n#+end_example", ": fixed", ":"),
    *(":PROPERTIES:\n:a: b\n:END:", ":LOGBOOK:", ":END:", "#+name: x", "#+todo: A | B", "# c"),
    *("| a | b |\n|---+---|\n| 1 | 2 |", "| 3 | 4 |", "|---", "#+TBLFM: x", "[fn:1] d", "-----"),
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
    _, broken = cut_and_examined(Document(text, path="a.org"), options, "org")
    assert broken == []
