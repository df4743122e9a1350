"""What is embedded for a chunk: the forms of the prefix, what is carried, links, styles. How much
of it fits a budget is not tested here.
"""

from __future__ import annotations

from typing import Any

import pytest

from chunkwright import Chunk, ConfigError, Symbol, embed_text, raw_text
from chunkwright.rendering import Definitions, first_sentence, patch_links, slug


def made(text: str = "body", **fields: Any) -> Chunk:
    return Chunk(text=text, start=0, end=len(text), start_line=1, end_line=1, **fields)


def symbols(*names: str) -> tuple[Symbol, ...]:
    return tuple(Symbol(name, "Function", 0, 1, 1, 1) for name in names)


GO = {"path": "server.go", "language": "go"}
DOC = {"path": "docs/x.md", "language": "markdown"}


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({**GO, "kind": "file_header"}, "language: go. file: server.go. file header."),
        ({**GO, "kind": "file"}, "language: go. file: server.go. whole file."),
        (
            {**GO, "kind": "symbol", "name": "Server.Listen", "symbol_kind": "Method"},
            "language: go. file: server.go. symbol: Server.Listen (Method).",
        ),
        (
            {
                **GO,
                "kind": "symbol_part",
                "name": "Server.Listen",
                "symbol_kind": "Method",
                "part": 1,
                "parts": 3,
            },
            "language: go. file: server.go. symbol: Server.Listen (Method). part 2 of 3.",
        ),
        (
            {**GO, "kind": "code", "symbols": symbols("parse", "Parser.next", "Parser.peek")},
            "language: go. file: server.go. symbols: parse, Parser.next, Parser.peek.",
        ),
        (
            {**GO, "kind": "code", "symbols": symbols("parse")},
            "language: go. file: server.go. symbol: parse (Function).",
        ),
        ({**GO, "kind": "code"}, "language: go. file: server.go."),
        ({**GO, "kind": "symbol", "name": "x"}, "language: go. file: server.go. symbol: x."),
        (
            {"path": "a.ipynb", "language": "python", "kind": "cell", "cell": 4},
            "language: python. file: a.ipynb. cell 4.",
        ),
        (
            {**DOC, "kind": "section", "name": "Why SQLite-vec?"},
            "language: markdown. file: docs/x.md. section: why-sqlite-vec.",
        ),
        (
            {**DOC, "kind": "section", "name": "Use Go", "doc_kind": "decision_record"},
            "language: markdown. file: docs/x.md. section: use-go (decision record).",
        ),
        ({**DOC, "kind": "preamble"}, "language: markdown. file: docs/x.md."),
        ({"path": "notes", "kind": "segment"}, "language: unknown. file: notes."),
        ({"language": "go", "kind": "symbol", "name": "f"}, "language: go. symbol: f."),
        ({"path": "a\nb.txt", "kind": "segment"}, "language: unknown. file: a b.txt."),
    ],
)
def test_the_line_says_language_file_and_what_the_chunk_is_of(
    fields: dict[str, Any], line: str
) -> None:
    """Each kind of chunk has its form of the line; a part that is not known is left out."""
    assert embed_text(made(**fields), style="line") == f"{line}\n\nbody"


@pytest.mark.parametrize(
    ("fields", "prefix"),
    [
        (
            {"breadcrumb": ("A", "B"), "entry": "All about A. And more."},
            "Entry: All about A.\nBreadcrumb: A > B\n\n",
        ),
        ({"breadcrumb": ("A", "", "C")}, "Breadcrumb: A > C\n\n"),
        ({"entry": "No full stop"}, "Entry: No full stop\n\n"),
        ({}, ""),
        ({"breadcrumb": ("A",), "is_summary": True, "kind": "summary"}, ""),
        ({"breadcrumb": ("A",), "prefix": False}, ""),
    ],
)
def test_the_breadcrumb_style_gives_entry_and_headings(fields: dict[str, Any], prefix: str) -> None:
    """Absent parts are dropped; a summary and a chunk whose prefix did not fit have none."""
    assert embed_text(made(**fields), style="breadcrumb") == f"{prefix}body"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({**GO, "kind": "code"}, "language: go. file: server.go.\n\nbody"),
        ({"path": "a.txt", "kind": "segment"}, "language: unknown. file: a.txt.\n\nbody"),
        (
            {**DOC, "kind": "section", "breadcrumb": ("A",), "name": "A"},
            "Breadcrumb: A\n\nbody",
        ),
        ({"kind": "section", "breadcrumb": ("A",)}, "Breadcrumb: A\n\nbody"),
        ({"kind": "segment"}, "body"),
        ({"kind": "window", "carry": "header\n"}, "header\nbody"),
    ],
)
def test_auto_chooses_the_style_by_what_the_chunk_is(fields: dict[str, Any], expected: str) -> None:
    """Line for code and text with a path, breadcrumb for Markdown, else no prefix."""
    assert embed_text(made(**fields)) == expected


def test_what_is_carried_stands_directly_around_the_text() -> None:
    """`carry` and `carry_after` touch the text, whatever the prefix; only raw leaves them out."""
    chunk = made("x = 1", **GO, kind="code", carry="```go\n", carry_after="\n```")
    body = "```go\nx = 1\n```"
    assert embed_text(chunk) == f"language: go. file: server.go.\n\n{body}"
    assert embed_text(chunk, style="breadcrumb") == body
    assert embed_text(made("x", carry="c\n", prefix=False, **GO)) == "c\nx"
    assert embed_text(chunk, style="raw") == raw_text(chunk) == "x = 1"


def test_a_callable_renders_the_whole_text() -> None:
    """A style of one's own is given the chunk and decides about everything."""
    assert embed_text(made(**GO), style=lambda chunk: f"<{chunk.path}>{chunk.text}") == (
        "<server.go>body"
    )


def test_an_unknown_style_is_refused() -> None:
    """The error names the option, the value and what is allowed."""
    with pytest.raises(ConfigError, match=r"style='fancy'.*auto, breadcrumb, line, raw") as caught:
        embed_text(made(), style="fancy")
    assert caught.value.option == "style"


@pytest.mark.parametrize(
    ("summary", "sentence"),
    [
        ("One. Two.", "One."),
        ("Version 1.2 is out! Now.", "Version 1.2 is out!"),
        ("Why?", "Why?"),
        ("over\r\ntwo lines. x", "over two lines."),
        ("none", "none"),
        (" \t\n", ""),
        ("", ""),
    ],
)
def test_the_first_sentence_ends_before_white_space(summary: str, sentence: str) -> None:
    """A mark inside a word ends nothing; the sentence is on one line."""
    assert first_sentence(summary) == sentence


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Why SQLite-vec?", "why-sqlite-vec"),
        ("  C++ & _Go_ ", "c-go"),
        ("Größe über 3", "größe-über-3"),
        ("हिन्दी पाठ", "हिन्दी-पाठ"),
        ("🙂", ""),
        ("", ""),
    ],
)
def test_a_slug_keeps_letters_and_digits(name: str, expected: str) -> None:
    """Letters of every script, with their marks, are kept; other runs are one dash."""
    assert slug(name) == expected


LINKS = (("Go Home", "[Go Home]: /home 'Start'"), ("b", "<http://x y>"))


@pytest.mark.parametrize(
    ("text", "patched"),
    [
        ("see [it][go  HOME].", "see [it](/home 'Start')."),
        ("see [go home][].", "see [go home](/home 'Start')."),
        ("see [B].", "see [B](<http://x y>)."),
        ("see [b](/other) and [b]: x", "see [b](/other) and [b]: x"),
        ("see [it][nowhere] [c]", "see [it][nowhere] [c]"),
        ("[[[[", "[[[["),
    ],
)
def test_references_are_patched_with_their_definition(text: str, patched: str) -> None:
    """Full, collapsed and shortcut references become inline links; others stay as they are."""
    assert patch_links(text, LINKS) == patched
    assert embed_text(made(text, links=LINKS)) == patched
    assert raw_text(made(text, links=LINKS)) == text


def test_only_the_links_in_a_text_are_used() -> None:
    """Labels are compared without regard to case and white space."""
    assert Definitions(LINKS).used_in("[x][GO home] [y](/b)") == LINKS[:1]
    assert Definitions(LINKS).used_in("nothing") == ()


def test_many_brackets_are_searched_in_linear_time() -> None:
    """Escaped brackets without an end cost a bounded look each."""
    text = "[\\" * 20_000
    assert patch_links(text, LINKS) == text
