"""Markdown as blocks: sections against another CommonMark parser, blocks of every kind, front
matter. How they are cut is not tested here.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from chunkwright import Block, Document
from chunkwright.characters import Lines
from chunkwright.parsing.frontmatter import MAX_LENGTH, find
from chunkwright.parsing.markdown import parse
from strategies import markdown

ORACLE = MarkdownIt("commonmark").enable(["table", "strikethrough"])

Heading = tuple[int, str, int]


def headings_by_oracle(text: str) -> list[Heading]:
    """(level, title, line) of every heading outside lists and quotes, by markdown-it-py."""
    tokens = ORACLE.parse(text.replace("\r\n", "\n").replace("\r", "\n"))
    return [
        (int(token.tag[1]), " ".join(_plain(inline).split()), token.map[0] + 1)
        for token, inline in pairwise(tokens)
        if token.type == "heading_open" and token.level == 0 and token.map
    ]


def _plain(inline: Token) -> str:
    kinds = {"softbreak": " ", "hardbreak": " "}
    shown = ("text", "code_inline")
    return "".join(
        _plain(token) if token.type == "image" else kinds.get(token.type, "") or token.content
        for token in inline.children or ()
        if token.type in (*shown, *kinds, "image")
    )


def headings(text: str) -> list[Heading]:
    lines = Lines(text)
    return [
        (block.depth, block.name, lines.number(block.start))
        for block in parse(Document(text)).blocks
        if block.kind == "section"
    ]


def kinds(text: str) -> list[tuple[str, str]]:
    """Kind and text of every block that is no section."""
    return [
        (block.kind, text[block.start : block.end])
        for block in parse(Document(text)).blocks
        if block.kind != "section"
    ]


def the(kind: str, text: str) -> Block:
    return next(block for block in parse(Document(text)).blocks if block.kind == kind)


TRICKY = {
    "levels": "# a\n## b\n#### d\n## e\n###### f\n####### g\n#h\n",
    "starts deep": "### a\n\n# b\n\n## c\n",
    "closed": "# a #\n\n## b ##  \n\n# c#\n\n### d \\#\n\n# e \t#\n\n## ##\n",
    "empty": "#\n\n## \n\n#\t\n\n##\ttab\n",
    "indented": " # a\n\n  ## b\n\n   ### c\n\n    # code\n\n\t# code\n",
    "setext": "a\n=\n\nb\n---\n\nc\nd\n===\n\ne\n\n===\n\n- x\n---\n\n> y\n---\n",
    "setext indented": "   a\n   ===\n\nb\n    ---\n\nc\n-- -\n",
    "fences": "```\n# a\n```\n\n~~~~ x ~~~\n# b\n~~~\n# c\n~~~~\n\n# d\n\n```` `\n# e\n",
    "fence info": '```py title="x" {1}\n# a\n```\n\n```{r}\n# b\n```\n\n# c\n',
    "unclosed fence": "# a\n\n```\n# b\n\n# c",
    "html": "<div>\n# a\n\n# b\n</div>\n\n<pre>\n\n# c\n</pre>\n\n<!-- \n\n# d\n-->\n# e\n",
    "containers": "> # a\n\n- # b\n\n  # c\n\n1. d\n   ===\n\n# e\n",
    "lazy": "> a\n# b\n\n- c\n# d\n",
    "table": "| a | b |\n|---|---|\n| 1 | 2 |\n# c\n\ntext\n| a |\n| - |\n",
    "inline": "# *a* **b** `c` [d](e) ![f *g*](h) <i>j</i> &amp; \\* <http://k> ~~l~~\n",
    "references": "[a]: /u\n# [a][] [b][a] [c]\n\n[d]: /u\n===\n",
    "line ends": "# a\r\n\r\nb\r\n=\r\n\r\n```\r\n# c\r\n```\r\n# d\r\n",
    "lone cr": "# a\r\rb\r=\r\r~~~ x\r# c\r~~~\r# d\r> # e\r",
    "other line ends": "# a\u2028# b\n# c\x0c\n#\x0cd\n\x0b# e\n# f\x85# g\n",
    "unicode": "# Größe 🙂 é\n\nनि\n=\n\n#\xa0a\n\n\u3000# b\n",
    "no final newline": "# a\n\nb\n---",
    "rules": "a\n\n---\n\n***\n# b\n___\n",
}


@pytest.mark.parametrize("text", TRICKY.values(), ids=TRICKY)
def test_sections_are_those_of_commonmark(text: str) -> None:
    """Level, title and line of every heading are what another parser finds."""
    assert headings(text) == headings_by_oracle(text)


SOUP_MARKS = """# |## |### |#|a|b|é|🙂|```|~~~~|`|---|===|- |1. |> |<div>|</div>|<!--|-->
|<pre>|[a]|: |+|2) |(u)|\\|&amp;|words|[a]: /u"""
SOUP_BLANKS = [
    "  ",
    "    ",
    "\t",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\u2028",
    "\n\n# H\n\n",
    "\n- item\n",
]
SOUP = st.lists(
    st.sampled_from([*SOUP_MARKS.replace("\n", "").split("|"), *SOUP_BLANKS]), max_size=30
).map("".join)


@given(SOUP)
def test_sections_of_any_text_are_those_of_commonmark(text: str) -> None:
    """The same for random marks, line ends and containers."""
    if parse(Document(text)).excluded or parse(Document(text)).diagnostics:
        return  # front matter, which CommonMark does not know
    assert headings(text) == headings_by_oracle(text)


@given(st.one_of(SOUP, markdown(least=1, most=8)))
def test_blocks_are_sorted_nested_and_inside_the_text(text: str) -> None:
    """Ancestry is containment; no block is empty or ends in white space, but sections."""
    open_ends: list[int] = []
    before = (-1, 0)
    for block in parse(Document(text)).blocks:
        assert 0 <= block.start < block.end <= len(text)
        assert before <= (block.start, -block.end)
        before = (block.start, -block.end)
        while open_ends and open_ends[-1] <= block.start:
            open_ends.pop()
        assert not open_ends or block.end <= open_ends[-1]
        open_ends.append(block.end)
        assert block.body == 0 or block.start < block.body <= block.end
        if block.kind != "section":
            assert not text[block.end - 1].isspace()


def test_a_section_ends_where_one_of_its_level_or_higher_begins() -> None:
    """Sections nest; the body begins after the heading, whichever form it has."""
    text = "pre\n\n# A\n\na\n\n### C\nc\n\nB é\n---\nb\n"
    found = [
        (block.name, text[block.start : block.end], text[block.body : block.end])
        for block in parse(Document(text)).blocks
        if block.kind == "section"
    ]
    assert found == [
        ("A", text[5:], text[9:]),
        ("C", "### C\nc\n\n", "c\n\n"),
        ("B é", "B é\n---\nb\n", "b\n"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb\n\nc", [("paragraph", "a\nb"), ("paragraph", "c")]),
        (
            "- a\n  - é\n- c\n",
            [
                ("list", "- a\n  - é\n- c"),
                ("item", "- a\n  - é"),
                ("list", "  - é"),
                ("item", "  - é"),
                ("item", "- c"),
            ],
        ),
        ("> a\nb\n", [("quote", "> a\nb"), ("paragraph", "a\nb")]),
        (
            "|é|\n|-|\n|x|\n",
            [("table", "|é|\n|-|\n|x|"), ("row", "|x|")],
        ),
        ("  ```py\n  x\n  ```\n", [("fence", "  ```py\n  x\n  ```")]),
        ("a\n\n    x\n\n    y\n\n", [("paragraph", "a"), ("fence", "    x\n\n    y")]),
        ("$$\nx\n$$\r\n", [("math", "$$\nx\n$$")]),
        ("a $$x$$\n", [("paragraph", "a $$x$$")]),
        ("<div>\nx\n</div>\n", [("html", "<div>\nx\n</div>")]),
        ("[^1]: a\n    b\n", [("definition", "[^1]: a\n    b"), ("paragraph", "a\n    b")]),
        ("t\n: d\n", [("definition", "t\n: d"), ("paragraph", "t\n: d")]),
        (
            "t\n\n: d\n\n: e\n\nf\n",
            [
                ("definition", "t\n\n: d\n\n: e"),
                ("paragraph", "t"),
                ("paragraph", ": d"),
                ("paragraph", ": e"),
                ("paragraph", "f"),
            ],
        ),
        ("> # a\n", [("quote", "> # a"), ("paragraph", "# a")]),
        ("a\0b\n", [("paragraph", "a\0b")]),
        ("[a]: /u\n\n---\n", []),
        ("", []),
        (" \r\n\t", []),
    ],
)
def test_every_kind_of_block_is_found(text: str, expected: list[tuple[str, str]]) -> None:
    """Blocks begin with their line, indentation included, and end at their last mark."""
    assert kinds(text) == expected


def test_fences_and_tables_say_where_their_content_begins() -> None:
    """The body follows the opening fence or the delimiter row; the info string is verbatim."""
    text = '> ```py title="é"\n> x\n> ```\n\n| é |\r\n|---|\r\n| x |\r\n'
    fence, table = the("fence", text), the("table", text)
    assert fence.info == 'py title="é"'
    assert text[fence.body : fence.end] == "> x\n> ```"
    assert text[table.body : table.end] == "| x |"


@pytest.mark.parametrize("text", ["\n  \x0b", "a\n\n  \x0c\n", "> \x0b\n"])
def test_no_block_is_white_space(text: str) -> None:
    """Not even where the parser takes a form feed for text."""
    assert all(found.strip() == found.rstrip() != "" for _, found in kinds(text))


def test_an_unclosed_fence_runs_to_the_end() -> None:
    """Everything after the opening fence is code."""
    text = "# a\n\n```sh\nx\n\n# y\n"
    assert text[the("fence", text).start :] == "```sh\nx\n\n# y\n"
    assert headings(text) == [(1, "a", 1)]


def test_a_byte_order_mark_hides_nothing() -> None:
    """The first heading, or front matter, is found behind it."""
    assert headings("\ufeff# é\n") == [(1, "é", 1)]
    assert parse(Document("\ufeff---\na: 1\n---\n# b\n")).frontmatter == {"a": 1}


def test_reference_definitions_are_kept_as_they_stand() -> None:
    """The first of a label counts; footnotes are on one line."""
    text = "[é b]: /u\n  'T'\n[É B]: /v\n\n> [c]: <w x>\n\n[^1]: note\n    more\n"
    links = parse(Document(text)).links
    assert links == (("é b", "[é b]: /u\n  'T'"), ("c", "[c]: <w x>"), ("^1", "[^1]: note more"))


def test_a_document_without_a_language_is_markdown() -> None:
    """A path or a caller that says otherwise is believed."""
    assert parse(Document("a")).language == "markdown"
    assert parse(Document("a", path="adr/x.md")).doc_kind == "decision_record"
    assert parse(Document("a", language="rmd")).language == "rmd"


@pytest.mark.parametrize(
    "text",
    [">" * 200_000 + " a", "- " * 100_000 + "a", "[" * 100_000, "*a " * 100_000, "`" * 100_000],
    ids=["quotes", "lists", "brackets", "stars", "backticks"],
)
def test_deep_nesting_makes_few_blocks(text: str) -> None:
    """What is nested too deep for a cutter to gain from it stays in the block around it."""
    assert 1 <= len(parse(Document(text)).blocks) <= 40


@pytest.mark.parametrize(
    ("text", "values", "rest"),
    [
        ("---\ntitle: Win\r\n---\r\nx", {"title": "Win"}, "x"),
        ("---\ra: b\r---\rx", {"a": "b"}, "x"),
        ("--- \na: 1\n...\t\nx", {"a": 1}, "x"),
        ("+++\na = 'b'\n+++", {"a": "b"}, ""),
        ("---\n---\nx", {}, "x"),
        ("---\n \n---\nx", {}, "x"),
        ("---\na: é\n---\n---\nb: 2\n---\n", {"a": "é"}, "---\nb: 2\n---\n"),
        ("\ufeff---\na: 1\n---\n", {"a": 1}, ""),
    ],
)
def test_front_matter_is_a_closed_mapping_at_the_top(
    text: str, values: dict[str, Any], rest: str
) -> None:
    """YAML or TOML, any line ends; it is excluded with its fences, and only it."""
    parsed = parse(Document(text))
    assert parsed.frontmatter == values
    assert [(gap.start, text[gap.end :], gap.reason) for gap in parsed.excluded] == [
        (0, rest, "front_matter")
    ]
    assert parsed.diagnostics == ()


@pytest.mark.parametrize(
    "text",
    [
        "---\na: 1\n",
        "a\n---\nb: 1\n---\n",
        " ---\na: 1\n---\n",
        "----\na: 1\n---\n",
        "---\n\n# Heading\n\nText.\n\n---\n\n## Two\n\nfoo",
        "---\r\n \r\nText: [\r\n---\r\n",
        "---",
        "+++\n",
    ],
)
def test_what_is_not_closed_or_not_at_the_top_is_ordinary_text(text: str) -> None:
    """No front matter, nothing excluded, no complaint."""
    parsed = parse(Document(text))
    assert (parsed.frontmatter, parsed.excluded, parsed.diagnostics) == (None, (), ())


@pytest.mark.parametrize(
    ("inside", "problem"),
    [
        ("a: b: c", "line 2: mapping values are not allowed here"),
        ("- a", "not a mapping"),
        ("# only a comment", "not a mapping"),
        ("text\n\n# more", "not a mapping"),
        ("d: 2024-13-45", "not valid YAML"),
        ("a: &a [*a]", "nested too deep"),
        ("a: " + "[" * 1000, "nested too deep"),
        ("a: &x 1\nb: [" + "*x, " * 20 + "]", "too many aliases"),
        ("a: !!python/object:os.system x", "could not determine a constructor"),
        ("a: " + "x" * MAX_LENGTH, "longer than"),
        ("a: \x01", "not valid YAML"),
    ],
)
def test_front_matter_that_cannot_be_read_is_one_opaque_block(inside: str, problem: str) -> None:
    """It is covered, holds no heading, gives no values, and the diagnostic says why."""
    text = f"---\n{inside}\n---\n# Head\n"
    parsed = parse(Document(text))
    assert parsed.frontmatter is None
    assert parsed.excluded == ()
    assert headings(text) == [(1, "Head", Lines(text).number(len(text) - 2))]
    assert kinds(text)[0] == ("html", f"---\n{inside}\n---")
    (complaint,) = parsed.diagnostics
    assert (complaint.code, complaint.level, complaint.line) == (
        "frontmatter_invalid",
        "warning",
        1,
    )
    assert problem in complaint.message


@pytest.mark.parametrize(
    ("inside", "problem"),
    [
        ("a = ", "not valid TOML"),
        ("a." * 30_000 + "b = 1", "more than 64 parts"),
        ("a = " + "[" * 50_000, "not valid TOML"),
    ],
)
def test_toml_that_cannot_be_read_says_why(inside: str, problem: str) -> None:
    """Neither deep nesting nor long keys take long."""
    found = find(f"+++\n{inside}\n+++\n")
    assert found is not None
    assert found.values is None
    assert problem in found.problem


def test_front_matter_values_are_ready_for_json() -> None:
    """Keys are text, dates are ISO text, numbers that JSON lacks are text."""
    yaml = (
        "7: {2: [x, 2024-01-02], ~: y}\nwhen: 2024-01-02 03:04:05Z\n"
        'n: .nan\nbig: 0xffffffffffffffffff\ns: "\\ud800"\n'
        "set: !!set {a}\nraw: !!binary aGk=\nyes: true\nnothing:\nf: 1.5\n"
    )
    found = find(f"---\n{yaml}---\n")
    assert found is not None
    assert found.values == {
        "7": {"2": ["x", date(2024, 1, 2).isoformat()], "None": "y"},
        "when": datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC).isoformat(),
        "n": "nan",
        "big": "0xffffffffffffffffff",
        "s": "?",
        "set": ["a"],
        "raw": "6869",
        "True": True,
        "nothing": None,
        "f": 1.5,
    }
    toml = find("+++\nat = 07:32:00\nday = 1979-05-27\n+++\n")
    assert toml is not None
    assert toml.values == {"at": time(7, 32).isoformat(), "day": "1979-05-27"}
