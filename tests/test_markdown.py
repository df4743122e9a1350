"""Markdown by heading sections: which text is in which chunk, under which name, and what pieces of
fences and tables carry. Finding blocks is tested in test_parsing_markdown.
"""

from __future__ import annotations

import pickle
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright import (
    Block,
    Chunking,
    ConfigError,
    Document,
    MarkdownChunker,
    TextChunker,
    embed_text,
)
from promises import examine
from strategies import blocks, markdown
from trial import COUNTERS, Asked


def cut(text: str, **options: Any) -> Chunking:
    return MarkdownChunker(**{"overlap": 0, **options}).chunk(text)


def texts(text: str, **options: Any) -> list[str]:
    return list(cut(text, **options).texts)


def outlines(text: str, **options: Any) -> list[tuple[str, str, tuple[str, ...], int]]:
    """Kind, name, breadcrumb and depth of every chunk."""
    return [
        (chunk.kind, chunk.name, chunk.breadcrumb, chunk.depth) for chunk in cut(text, **options)
    ]


def test_each_section_is_a_chunk_under_its_headings() -> None:
    """A parent's intro is its own chunk; level jumps and a deep start leave no false ancestor."""
    text = "intro\n\n### A\n\na\n\n# B *x*\n\nb\n\n#### C\n\nc\n\n## D\n\nd\n"
    assert outlines(text) == [
        ("preamble", "", (), 0),
        ("section", "A", ("A",), 3),
        ("section", "B x", ("B x",), 1),
        ("section", "C", ("B x", "C"), 4),
        ("section", "D", ("B x", "D"), 2),
    ]
    assert texts(text) == ["intro", "### A\n\na", "# B *x*\n\nb", "#### C\n\nc", "## D\n\nd"]


def test_a_document_without_headings_is_a_preamble() -> None:
    """It has no name, and the parts of a long one are counted."""
    chunking = cut("one two. three four.\n\nfive six.", size=20)
    assert [(chunk.kind, chunk.name, chunk.part, chunk.parts) for chunk in chunking] == [
        ("preamble", "", 0, 2),
        ("preamble", "", 1, 2),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# A\n\n## B\n\nb\n", ["# A\n\n## B\n\nb"]),
        ("# A\n\na\n\n## B\n\n# C\n", ["# A\n\na\n\n## B\n\n# C"]),
        ("# A\n\n# B\n\n# C\n\nc\n", ["# A\n\n# B\n\n# C\n\nc"]),
        ("# A\n\n  \n## B\n", ["# A\n\n  \n## B"]),
        ("#\n", ["#"]),
    ],
)
def test_a_heading_without_text_opens_the_next_chunk(text: str, expected: list[str]) -> None:
    """Or closes the one before where none follows; headings alone are a chunk of headings."""
    assert texts(text) == expected


def test_a_chunk_is_called_after_its_body() -> None:
    """Headings that open or close a chunk change neither its name nor its breadcrumb."""
    assert outlines("# A\n\n## B\n\nb\n\n# C\n") == [("section", "B", ("A", "B"), 2)]
    assert outlines("# A\n\n## B\n") == [("section", "B", ("A", "B"), 2)]


def test_headings_are_apart_where_the_cap_forbids_more() -> None:
    """A section that fits alone is not cut for the sake of the headings before it."""
    text = "# First\n\n# Second\n\nwords that fit\n\n# Last heading of all\n"
    assert texts(text, size=26) == [
        "# First",
        "# Second\n\nwords that fit",
        "# Last heading of all",
    ]


def test_the_heading_stays_with_the_first_text_of_a_long_section() -> None:
    """No part holds headings only, though a blank line would be a good place to cut."""
    text = "# Handbook of names\n\n## Long names\n\n" + "word " * 40
    first, *others = texts(text, size=60)
    assert first.startswith("# Handbook of names\n\n## Long names\n\nword word")
    assert all(len(part) <= 60 for part in others)


def test_nothing_but_headings_crosses_a_heading() -> None:
    """Overlap stays inside a section."""
    chunking = MarkdownChunker(size=40, overlap=15).chunk(
        "# A\n\n" + "aa bb. " * 20 + "\n\n# B\n\n" + "cc dd. " * 20
    )
    assert not any("aa" in chunk.text and "cc" in chunk.text for chunk in chunking)
    first_of_b = next(chunk for chunk in chunking if chunk.name == "B")
    assert first_of_b.overlap == 0
    assert any(chunk.overlap for chunk in chunking)


def test_parts_of_a_section_are_counted_and_keep_its_breadcrumb() -> None:
    """Every part of a long section knows the deepest heading above it."""
    text = "# M\n\n## P\n\n" + "\n".join(f"{n}) entry {n}" for n in range(20))
    parts = cut(text, size=60)
    assert {chunk.breadcrumb for chunk in parts} == {("M", "P")}
    assert [chunk.part for chunk in parts] == list(range(len(parts)))
    assert {(chunk.kind, chunk.parts) for chunk in parts} == {("section_part", len(parts))}
    assert all("\n".join(part.splitlines()) in text for part in parts.texts)


FENCE = "# C\n\n```py x\n" + "".join(f"line {n}. More; x\n" for n in range(8)) + "```\n\nafter\n"


def test_a_long_fence_is_cut_between_lines_and_closed_again() -> None:
    """Each piece is rendered with the opening fence and a closer; the text stays verbatim."""
    chunking = cut(FENCE, size=70)
    assert all(embed_text(chunk).count("```") == 2 for chunk in chunking)
    assert [chunk.carry for chunk in chunking] == ["", "```py x\n", "```py x\n"]
    assert [chunk.carry_after for chunk in chunking] == ["\n```", "\n```", ""]
    assert chunking[1].text == "\n".join(f"line {n}. More; x" for n in (3, 4, 5, 6))
    assert chunking[2].text == "line 7. More; x\n```\n\nafter"


def test_an_overlap_in_a_fence_is_of_whole_lines() -> None:
    """It is what was asked for at most, and repeats no half of a line."""
    chunking = MarkdownChunker(size=70, overlap=30).chunk(FENCE)
    assert [chunk.overlap for chunk in chunking] == [0, 15, 15, 15]
    assert all(chunk.text.startswith("line") for chunk in chunking[1:])


@pytest.mark.parametrize(
    ("text", "carry", "carry_after"),
    [
        ("> ```\n> aaaaaaaaaaaaaaaaa\n> bbbbbbbbbbbbbbbbb\n> ```\n", "> ```\n", "\n> ```"),
        ("- ~~~\r\n  aaaaaaaaaaaaaaaaa\r\n  bbbbbbbbbbbbbbbbb\r\n  ~~~", "  ~~~\r\n", "\r\n  ~~~"),
        (
            "1. x\n\n    ```\n    aaaaaaaaaaa\n    bbbbbbbbb\n    ```\n",
            "-   ```\n",
            "\n    ```",
        ),
    ],
)
def test_a_fence_in_a_container_is_reopened_there(text: str, carry: str, carry_after: str) -> None:
    """Quote marks are kept, list markers become spaces, the line end is the document's."""
    first, second = cut(text, size=32)
    assert (second.carry, first.carry_after) == (carry, carry_after)


HEADER = "| n | v |\n|---|--:|\n"
TABLE = f"# T\n\n{HEADER}" + "".join(f"| p{n} | {n},1 |\n" for n in range(8))


def test_pieces_of_a_table_carry_its_header() -> None:
    """The first holds it; the others render it directly before their rows; no row is cut."""
    first, second = cut(TABLE, size=85)
    assert first.text == TABLE[: TABLE.index("\n| p4")]
    assert first.carry == ""
    assert second.carry == HEADER
    assert embed_text(second) == f"Breadcrumb: T\n\n{HEADER}{second.text}"


def test_a_header_that_would_crowd_out_the_rows_is_not_carried() -> None:
    """It may take a quarter of the cap."""
    assert {chunk.carry for chunk in cut(TABLE, size=80)} == {"", HEADER}
    assert {chunk.carry for chunk in cut(TABLE, size=79)} == {""}


def test_a_row_over_the_cap_is_cut_at_its_cells() -> None:
    """The cap holds, and no cell is cut that fits."""
    text = "|a|b|\n|-|-|\n|one two three|four five six|seven eight|\n"
    assert texts(text, size=20) == [
        "|a|b|\n|-|-|",
        "|one two three",
        "|four five six",
        "|seven eight|",
    ]


def test_table_rows_can_be_apart() -> None:
    """Every row is a chunk with the header in `carry`, the first with the header itself."""
    text = "# T\n\nx\n\n| a |\n|---|\n| 1 |\n| 2 |\n\ny\n"
    chunking = cut(text, join_table_rows=False)
    assert [(chunk.carry, chunk.text) for chunk in chunking] == [
        ("", "# T\n\nx"),
        ("", "| a |\n|---|\n| 1 |"),
        ("| a |\n|---|\n", "| 2 |"),
        ("", "y"),
    ]
    assert texts("# T\n\n| a |\n|---|\n| 1 |\n", join_table_rows=False) == [
        "# T\n\n| a |\n|---|\n| 1 |"
    ]


def test_code_blocks_can_be_left_out() -> None:
    """Fenced and indented code is excluded with its reason, and in no chunk."""
    text = "# C\n\na\n\n```\nb\n```\n\nc\n\n    d\n\n# E\n\n```\nf\n```\n"
    chunking = cut(text, code_blocks=False)
    assert list(chunking.texts) == ["# C\n\na", "c", "# E"]
    assert [(text[gap.start : gap.end], gap.reason) for gap in chunking.excluded] == [
        ("```\nb\n```", "code_block_option"),
        ("    d", "code_block_option"),
        ("```\nf\n```", "code_block_option"),
    ]


def test_reference_links_are_patched_when_asked() -> None:
    """The definition stands elsewhere in the document; the text stays as it is."""
    text = "# A\n\nsee [it][r]\n\n# B\n\n[r]: /u 'T'\n"
    chunk = cut(text, reference_links=True)[0]
    assert embed_text(chunk) == "Breadcrumb: A\n\n# A\n\nsee [it](/u 'T')"
    assert chunk.links == (("r", "[r]: /u 'T'"),)
    assert "see [it][r]" in embed_text(cut(text)[0])


def test_footnotes_are_patched_in_where_they_stand_elsewhere() -> None:
    """As Pandoc's inline notes; a chunk that has the footnote itself needs no patch."""
    text = "# A\n\nOne.[^1] Two.[^x]\n\n# B\n\nThree.[^1]\n\n[^1]: The *note*,\n    on two lines.\n"
    first, second = MarkdownChunker(reference_links=True).chunk(text)
    assert embed_text(first, "breadcrumb").endswith("One.^[The *note*, on two lines.] Two.[^x]")
    assert embed_text(second, "breadcrumb").endswith(second.text)
    assert embed_text(MarkdownChunker().chunk(text)[0], "breadcrumb").endswith("One.[^1] Two.[^x]")


def test_long_titles_and_notes_are_cut_where_they_are_repeated() -> None:
    """A title stands in every breadcrumb below it, a note wherever it is referred to."""
    text = f"{'word ' * 300}\n---\n\nText[^a], text[^a].\n\n# B\n\nb\n\n[^a]: {'note ' * 300}\n"
    first, *_ = MarkdownChunker(reference_links=True).chunk(text)
    assert len(first.name) <= 500
    assert len(first.links[0][1]) <= 320
    assert embed_text(first).count("note note") > 20
    assert embed_text(first).count("^[") == 1


def test_only_the_levels_asked_for_are_split() -> None:
    """Other headings stay with the section around them; breadcrumbs still name every ancestor."""
    text = "# A\n\na\n\n## B\n\nb\n\n### C\n\nc\n\n## D\n\nd\n"
    assert texts(text, split_levels=(2,)) == ["# A\n\na", "## B\n\nb\n\n### C\n\nc", "## D\n\nd"]
    assert [crumb for _, _, crumb, _ in outlines(text, split_levels=(2,))] == [
        ("A",),
        ("A", "B"),
        ("A", "D"),
    ]
    assert texts(text, split_levels=()) == [text.strip()]


def test_small_sections_can_be_joined() -> None:
    """While they fit; the joined chunk stands under the headings they share."""
    text = "# A\n\na\n\n## B\n\nb\n\n## C\n\nc\n\n# D\n\nd\n"
    assert outlines(text, merge_small=True, size=20) == [
        ("section", "A", ("A",), 1),
        ("section", "C", ("A", "C"), 2),
        ("section", "D", ("D",), 1),
    ]
    assert texts(text, merge_small=True, size=24) == [
        "# A\n\na\n\n## B\n\nb\n\n## C\n\nc",
        "# D\n\nd",
    ]


def test_a_small_section_is_joined_with_all_that_is_under_it_or_not_at_all() -> None:
    """Neither is a heading above a section's own ever crossed."""
    text = "# A\n\na\n\n## B\n\nb\n\n### C\n\nc\n\n## D\n\nd\n\n# E\n\ne\n\n## F\n\nf\n"
    assert texts(text, merge_small=True, size=24) == [
        "# A\n\na",
        "## B\n\nb\n\n### C\n\nc",
        "## D\n\nd",
        "# E\n\ne\n\n## F\n\nf",
    ]
    assert len(texts(text, merge_small=True, size=len(text))) == 1


def test_a_long_fence_of_a_known_language_is_cut_between_its_definitions() -> None:
    """Each piece is reopened with the fence's own line; the first and the last line stay with what
    they open and close."""
    one, two = (f"def {name}():\n    a = 1\n\n    return a\n" for name in ("one", "two"))
    code = f"import os\n\n{one}\n{two}"
    chunks = MarkdownChunker(size=70, overlap=0).chunk(f"```python\n{code}```\n").chunks
    assert [chunk.text for chunk in chunks] == [
        "```python\nimport os\n\ndef one():\n    a = 1\n\n    return a",
        "def two():\n    a = 1\n\n    return a\n```",
    ]
    assert [chunk.carry for chunk in chunks] == ["", "```python\n"]
    assert [chunk.carry_after for chunk in chunks] == ["\n```", ""]


@pytest.mark.parametrize("margin", ["> ", "    ", "- "])
def test_a_fence_in_a_container_is_cut_between_its_definitions_too(margin: str) -> None:
    """What stands before each of its lines is not of its language."""
    later = margin.replace("-", " ")
    lines = ["```js", *(f"function f{n}(a) {{\n  return a + {n};\n}}" for n in range(4)), "```"]
    text = "\n".join(lines).replace("\n", f"\n{later}")
    before = "1. x\n\n" if margin == "    " else ""
    chunks = MarkdownChunker(size=100, overlap=0).chunk(f"{before}{margin}{text}\n").chunks
    assert len(chunks) > 1
    assert all(chunk.text.endswith(("}", "```")) for chunk in chunks)
    assert {chunk.boundary for chunk in chunks[:-1]} == {"Function"}


def test_a_heading_may_give_its_own_anchor() -> None:
    """In braces after the title, of which it is no part."""
    text = "# A b {#own}\n\na\n\n## C {.x}\n\nc\n\n# D {#own .y}\n\nd\n\n# {e}\n\ne\n"
    chunking = MarkdownChunker().chunk(text)
    assert [(item.title, item.anchor) for item in chunking.outline] == [
        ("A b", "own"),
        ("C", "c"),
        ("D", "own-1"),
        ("{e}", "e"),
    ]
    assert chunking[1].breadcrumb == ("A b", "C")


@pytest.mark.parametrize("info", ["", "text", "no-such-language", "html", "{", "python`x"])
def test_a_fence_of_another_language_is_cut_between_lines(info: str) -> None:
    """Whatever its info string is."""
    text = f"~~~{info}\n" + "a line of it\n" * 20 + "~~~\n"
    chunks = MarkdownChunker(size=80, overlap=0).chunk(text).chunks
    assert len(chunks) > 3
    assert all(
        set(chunk.text.split("\n")) <= {"a line of it", f"~~~{info}", "~~~"} for chunk in chunks
    )


@pytest.mark.parametrize(
    ("text", "size", "expected"),
    [
        pytest.param(
            "One one one.\n\n<details>\n<summary>Two</summary>\n\n- three three\n\n</details>\n",
            60,
            [
                "One one one.",
                "<details>\n<summary>Two</summary>\n\n- three three\n\n</details>",
            ],
            id="a tag left open stays with what follows",
        ),
        pytest.param(
            "Aaa aaa aaa.\n\n<div>\n\nBbb bbb bbb.\n\n</div>\n\nCcc ccc ccc ccc.\n",
            32,
            ["Aaa aaa aaa.", "<div>\n\nBbb bbb bbb.\n\n</div>", "Ccc ccc ccc ccc."],
            id="a closing tag stays with what it closes",
        ),
        pytest.param(
            "Some words here.\n\nAs follows:\n\n- one one\n- two two two two\n",
            40,
            ["Some words here.", "As follows:\n\n- one one\n- two two two two"],
            id="a lead-in stays with what follows",
        ),
        pytest.param(
            "Aaa aaa aaa.\n\n---\n\nBbb bbb bbb bbb.\n",
            22,
            ["Aaa aaa aaa.\n\n---", "Bbb bbb bbb bbb."],
            id="a rule is no heading",
        ),
        pytest.param(
            "<!-- begin -->\n\n# A\n\na\n",
            40,
            ["<!-- begin -->\n\n# A\n\na"],
            id="a comment opens the next chunk",
        ),
        pytest.param(
            "# A\n\n<!-- a -->\n<!-- - -- b -->\n\n# B\n\nb\n",
            60,
            ["# A\n\n<!-- a -->\n<!-- - -- b -->\n\n# B\n\nb"],
            id="a section of comments alone is no chunk",
        ),
        pytest.param(
            "# A\n\n<a id='x'></a>\n\n---\n\n# B\n\nb\n",
            60,
            ["# A\n\n<a id='x'></a>\n\n---\n\n# B\n\nb"],
            id="neither is one of an anchor and a rule",
        ),
        pytest.param(
            "## Spelling\n\nTo scan the files for errors, you can use this. It is quick.\n",
            66,
            ["## Spelling\n\nTo scan the files for errors, you can use this.", "It is quick."],
            id="a heading is not parted from prose that has to be cut for it",
        ),
    ],
)
def test_what_belongs_together_is_kept_together(text: str, size: int, expected: list[str]) -> None:
    """Where it fits."""
    assert texts(text, size=size, overlap=0) == expected


def test_a_term_stays_with_what_it_introduces() -> None:
    """In AsciiDoc it is an item of its own."""
    items = "  * fix one of the many bugs\n  * fix another one"
    text = f"== A\n\nBug Fixes::\n\n{items}\n\nImprovements::\n\n  * better\n  * faster too\n"
    chunks = MarkdownChunker(size=90, overlap=0).chunk(Document(text, path="a.adoc"))
    assert [chunk.text.partition("\n")[0] for chunk in chunks] == ["== A", "Improvements::"]


def test_a_heading_that_splits_nothing_stays_with_its_text() -> None:
    """Be it of either form."""
    text = "# A\n\nAaa aaa aaa aaa.\n\n## B\n\nBbb bbb bbb.\n\nC\n---\n\nCcc ccc ccc.\n"
    assert texts(text, size=25, overlap=0, split_levels=(1,)) == [
        "# A\n\nAaa aaa aaa aaa.",
        "## B\n\nBbb bbb bbb.",
        "C\n---\n\nCcc ccc ccc.",
    ]


def test_a_comment_in_a_fence_is_no_heading() -> None:
    """Where a fence is cut, the reason is told as it is."""
    text = '```toml\na = "aaaaaaaa"\nb = "bbbbbbbb"\n# about c\nc = "cccccccc"\n```\n'
    chunks = MarkdownChunker(size=50, overlap=0).chunk(text)
    assert [chunk.boundary for chunk in chunks] == ["statement", "end of text"]


def test_a_fence_whose_opening_is_long_is_reopened_with_its_language_alone() -> None:
    """And where that is too much too, with nothing: then nothing is closed either."""
    text = "``` sh title=x\nword one\nword two\nword three\nword four\n```\n"
    pieces = MarkdownChunker(size=40, overlap=0).chunk(text).chunks[1:]
    assert {piece.carry for piece in pieces} == {"``` sh\n"}
    pieces = MarkdownChunker(size=24, overlap=0).chunk(text).chunks[1:]
    assert {(piece.carry, piece.carry_after) for piece in pieces} == {("", "")}


def test_a_long_table_header_is_carried_without_padding() -> None:
    """The spaces and dashes that align it say nothing."""
    rows = "".join(f"| {number}          | b           |\n" for number in range(8))
    text = f"| a          | b           |\n| ---------- | ----------: |\n{rows}"
    carried = {chunk.carry for chunk in MarkdownChunker(size=100, overlap=0).chunk(text).chunks[1:]}
    assert carried == {"| a | b |\n| --- | ---: |\n"}


def test_a_fence_that_is_never_closed_is_closed_in_every_piece() -> None:
    """The last one too."""
    text = "```py\n" + "let a = 1; let b = 2;\n" * 4
    chunks = MarkdownChunker(size=50, overlap=0).chunk(text).chunks
    assert {chunk.carry_after for chunk in chunks} == {"\n```"}


@pytest.mark.parametrize(
    ("path", "opening", "closing"),
    [
        ("a.adoc", "----\n", "\n----"),
        ("a.org", "#+begin_src go\n", "\n#+end_src"),
    ],
)
def test_listings_of_other_formats_are_closed_too(path: str, opening: str, closing: str) -> None:
    """By the line that closes the whole."""
    document = Document(opening + "some code here\n" * 20 + closing.strip() + "\n", path=path)
    first, second, *_ = MarkdownChunker(size=120, overlap=0).chunk(document)
    assert (first.carry_after, second.carry, second.carry_after) == (closing, opening, closing)


def test_an_overlap_never_begins_in_the_header_of_a_table() -> None:
    """It would leave the piece without one."""
    header = "| " + " | ".join(f"column {number}" for number in range(8)) + " |\n"
    rows = "| " + " | ".join("some words" for _ in range(8)) + " |\n"
    text = f"# T\n\n{header}{'|---' * 8}|\n{rows * 4}"
    chunks = MarkdownChunker(size=500, overlap=60).chunk(text).chunks
    assert len(chunks) > 1
    assert all(chunk.carry.startswith("| column 0") for chunk in chunks[1:])


def test_a_header_that_is_left_out_is_told() -> None:
    """As context that was dropped."""
    header = "| " + "a long name of a column" * 4 + " | b |\n| --- | --- |\n"
    chunking = MarkdownChunker(size=140, overlap=0).chunk(header + "| some words | b |\n" * 12)
    assert {chunk.carry for chunk in chunking} == {""}
    assert [diagnostic.code for diagnostic in chunking.diagnostics] == ["context_dropped"]


def test_no_overlap_begins_at_a_closing_fence() -> None:
    """For it would be taken for an opening one."""
    text = "aaa aaa\n\n```py\nx\n```\n\nbbb bbb bbb bbb\n"
    for overlap in range(1, 8):
        for chunk in MarkdownChunker(size=24, overlap=overlap).chunk(text):
            assert not chunk.text.startswith("```\n")


def test_a_formula_with_blank_lines_stays_whole() -> None:
    """From the marks that open it to those that close it, where it fits."""
    formula = "$$\na = b\n\nc = d\n$$"
    text = f"Before it some words.\n\n{formula}\n\nAfter it some words.\n"
    assert formula in texts(text, size=30, overlap=0)


class _Piece(NamedTuple):
    start: int
    end: int


class _Halves:
    """Gives the first quarter of a text, then the rest but its first word."""

    name = "halves"

    def chunk(self, text: str) -> list[_Piece]:
        quarter = len(text) // 4
        return [_Piece(0, quarter), _Piece(quarter + 5, len(text))]


def test_a_second_chunker_cuts_long_sections_within_the_promises() -> None:
    """What it leaves out is covered all the same, and what is over the cap is cut."""
    text = "# A\n\n" + "word " * 30
    document = Document(text)
    for second in (_Halves(), TextChunker(size=30, overlap=8), MarkdownChunker(size=20, overlap=0)):
        chunker = MarkdownChunker(size=50, second_chunker=second)
        chunking, broken = examine(chunker, document, Asked(size=50, overlap=25))
        assert broken == []
        assert len(chunking) > 3
    assert len(MarkdownChunker(size=500, second_chunker=_Halves()).chunk(document)) == 1


def test_a_second_chunker_with_foreign_offsets_is_refused() -> None:
    """Pieces outside the text they were cut from would be wrong without a word."""

    class Wrong:
        def __init__(self, answer: Any) -> None:
            self.answer = answer

        def chunk(self, text: str) -> Any:
            return self.answer

    for answer in ([_Piece(0, 99)], [_Piece(3, 3)], None, 7, ["a"], [{"start": 0}], [(0, 1)]):
        with pytest.raises(ConfigError, match="second_chunker"):
            MarkdownChunker(size=5, second_chunker=Wrong(answer)).chunk("# A\n\nlong text")


def test_levels_may_come_as_a_list() -> None:
    """As configuration files have them; what is kept cannot be changed."""
    levels: Any = [1, 2]
    chunker = MarkdownChunker(split_levels=levels)
    levels.append(3)
    assert chunker.split_levels == (1, 2)
    assert hash(chunker) == hash(MarkdownChunker(split_levels=(1, 2)))


def test_documents_and_blocks_of_wrong_types_are_refused() -> None:
    """By the name of what is wrong."""
    wrong: Any = 5
    for field in ("path", "language", "commit", "summary", "attachment_path", "metadata"):
        with pytest.raises(ConfigError, match=f"document.{field}"):
            MarkdownChunker().chunk(Document("# a", **{field: wrong}))
    for field in ("name", "kind", "info"):
        with pytest.raises(ConfigError, match=f"blocks: {field}"):
            MarkdownChunker().chunk("# a\n\nb", [Block(0, 3, **{field: wrong})])
    for depth in (-1, "x", None):
        bad: Any = depth
        with pytest.raises(ConfigError, match="blocks: depth"):
            MarkdownChunker().chunk("# a\n\nb", [Block(0, 3, depth=bad)])


def test_only_prose_is_patched_with_links() -> None:
    """Not code, tags, formulas, escaped brackets or boxes to tick."""
    kept = "`x[b]` <a title='[b]'> $x[b]$ \\[b]\n\n- [x] done\n\n```\n[b]\n```\n\n~~~\n[b]\n~~~"
    text = f"# R\n\n{kept}\n\nsee [b]\n\n[b]: /b\n[x]: /x\n"
    (chunk,) = MarkdownChunker(reference_links=True).chunk(text)
    assert f"# R\n\n{kept}\n\nsee [b](/b)\n" in embed_text(chunk)
    assert [label for label, _ in chunk.links] == ["b"]


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("size", 0),
        ("size", -1),
        ("size", 1.5),
        ("overlap", "x"),
        ("measure", "furlongs"),
        ("split_levels", (0,)),
        ("split_levels", 3),
        ("split_levels", (True,)),
        ("split_levels", (1.0,)),
        ("second_chunker", "text"),
        ("second_chunker", TextChunker),
        ("code_blocks", 1),
        ("merge_small", None),
        ("sise", 10),
    ],
)
def test_a_wrong_option_is_refused(option: str, value: Any) -> None:
    """The error names the option and the value."""
    with pytest.raises(ConfigError) as caught:
        MarkdownChunker(**{option: value})
    assert (caught.value.option, caught.value.value) == (option, value)


def test_front_matter_is_returned_and_never_chunked() -> None:
    """Values are in `frontmatter`, the text in `excluded`; unreadable it is covered."""
    chunking = cut("---\r\ntitle: Win\r\n---\r\n# Head\r\n\r\ntext\r\n")
    assert chunking.frontmatter == {"title": "Win"}
    assert list(chunking.texts) == ["# Head\r\n\r\ntext"]
    assert chunking[0].start_line == 4
    broken = cut("---\na: b: c\n---\n# Head\n\ntext\n")
    assert list(broken.texts) == ["---\na: b: c\n---", "# Head\n\ntext"]
    assert [complaint.code for complaint in broken.diagnostics] == ["frontmatter_invalid"]
    assert list(cut("---\na: 1\n---\n").texts) == []


def test_the_outline_lists_every_heading_with_its_anchor() -> None:
    """Anchors are like GitHub's: unique, lower case, without punctuation."""
    text = "# A b!\n\n## A b\n\n## A b 1\n\n## Größe 🙂 x_y\n\n#\n\n> # no\n"
    found = [(item.level, item.title, item.line, item.anchor) for item in cut(text).outline]
    assert found == [
        (1, "A b!", 1, "a-b"),
        (2, "A b", 3, "a-b-1"),
        (2, "A b 1", 5, "a-b-1-1"),
        (2, "Größe 🙂 x_y", 7, "größe--x_y"),
        (1, "", 9, "section"),
    ]


def test_blocks_of_a_caller_replace_parsing() -> None:
    """Sections of another parser give the breadcrumbs; text after a nested one is the outer's."""
    text = "AAA one BBB two CCC three"
    given_blocks = [Block(0, 20, 1, "section", "A", 3), Block(8, 15, 2, "section", "B", 11)]
    chunking = MarkdownChunker(overlap=0).chunk(Document(text), given_blocks)
    assert [(chunk.text, chunk.breadcrumb) for chunk in chunking] == [
        ("AAA one", ("A",)),
        ("BBB two", ("A", "B")),
        ("CCC", ("A",)),
        ("three", ()),
    ]
    assert chunking.parser == "given"
    assert chunking.language == "markdown"


def test_provenance_and_summary_reach_every_chunk() -> None:
    """Path, commit and attachment are the document's; the summary is the entry."""
    document = Document(
        "# A\n\na", path="a.md", commit="c1", summary="All. Of it.", attachment_path="b.pdf"
    )
    (chunk,) = MarkdownChunker().chunk(document)
    assert (chunk.path, chunk.commit, chunk.is_attachment) == ("a.md", "c1", True)
    assert embed_text(chunk) == "Entry: All.\nBreadcrumb: A\n\n# A\n\na"


def test_the_context_can_be_counted_against_the_cap() -> None:
    """Every piece leaves room for its breadcrumb and for the header it carries."""
    text = "# A long enough heading\n\n" + "word " * 40 + "\n\n" + TABLE[5:] + TABLE[25:]
    chunking = cut(text, size=150, budget_includes_context=True)
    assert all(len(embed_text(chunk)) <= 150 for chunk in chunking)
    assert all(chunk.prefix and chunk.breadcrumb for chunk in chunking)
    assert [chunk.carry for chunk in chunking][-1] == HEADER
    assert chunking.diagnostics == ()


def test_a_chunker_pickles_and_compares() -> None:
    """Options decide the fingerprint, and nothing else does."""
    chunker = MarkdownChunker(size=100, split_levels=(1, 2))
    assert pickle.loads(pickle.dumps(chunker)) == chunker  # noqa: S301  # our own bytes
    assert chunker.fingerprint == MarkdownChunker(size=100, split_levels=(1, 2)).fingerprint
    assert chunker.fingerprint != MarkdownChunker(size=100).fingerprint
    assert MarkdownChunker.defaults()["size"] == 3200


def test_blank_text_gives_no_chunks() -> None:
    """No text, no chunk, no complaint."""
    for text in ("", "  \n\n ", "\r\n\t"):
        assert texts(text) == []


@given(
    text=markdown(),
    size=st.integers(24, 120),
    overlap=st.integers(0, 60),
    measure=st.sampled_from(sorted(COUNTERS)),
    options=st.fixed_dictionaries(
        {
            "code_blocks": st.booleans(),
            "join_table_rows": st.booleans(),
            "merge_small": st.booleans(),
            "reference_links": st.booleans(),
            "split_levels": st.sampled_from([(1, 2, 3, 4, 5, 6), (1,), (2, 3), ()]),
        }
    ),
)
def test_every_promise_holds_whatever_the_options(
    text: str, size: int, overlap: int, measure: str, options: dict[str, Any]
) -> None:
    """Random Markdown, every measure, every option."""
    chunker = MarkdownChunker(size=size, overlap=overlap, measure=measure, **options)
    usable = overlap if overlap < size else size // 2
    asked = Asked(size=size, overlap=usable, count=COUNTERS[measure], parser="pyromark")
    _, broken = examine(chunker, Document(text), asked)
    assert broken == []


@given(data=st.data(), text=markdown(least=1, most=6), size=st.integers(16, 80))
def test_every_promise_holds_with_blocks_of_a_caller(
    data: st.DataObject, text: str, size: int
) -> None:
    """Sections and other blocks that begin and end anywhere."""
    kind = st.sampled_from(["section", "table", "fence", "paragraph"])
    caller = [
        Block(block.start, block.end, data.draw(st.integers(0, 6)), data.draw(kind), block.name)
        for block in data.draw(blocks(text))
    ]
    chunker = MarkdownChunker(size=size, overlap=8)
    _, broken = examine(chunker, Document(text), Asked(size=size, overlap=8), caller)
    assert broken == []


@given(markdown(), st.integers(1, 120))
def test_what_is_not_asked_for_changes_nothing(text: str, size: int) -> None:
    """Blocks of sections that fit are left out to save time: the chunks are the same with them."""
    found = MarkdownChunker(size=size, overlap=size // 4).chunk(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MarkdownChunker, "_short", lambda _: 0)
        assert MarkdownChunker(size=size, overlap=size // 4).chunk(text) == found
