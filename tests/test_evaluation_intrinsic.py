"""What is said of a chunking without questions: values worked out by hand on small texts."""

from __future__ import annotations

import pytest

from chunkwright import CodeChunker, LineChunker, MarkdownChunker
from chunkwright.errors import ConfigError
from chunkwright.evaluation.foreign import chunking_of
from chunkwright.evaluation.intrinsic import DEFINITIONS, intrinsic_facts
from chunkwright.evaluation.structure import structure_of
from chunkwright.measuring import resolve
from chunkwright.types import Chunk, Chunking, Document

CHARS = resolve("chars")


def chunking(document: Document, *cuts: int, overlap: int = 0) -> Chunking:
    """The text in pieces that end at `cuts` and at its end, white space at their edges included."""
    ends = [*cuts, len(document.text)]
    starts = [0, *(cut - overlap for cut in cuts)]
    return chunking_of(document, zip(starts, ends, strict=True), CHARS)


def _chunk(document: Document, start: int, end: int, carry: str = "", after: str = "") -> Chunk:
    return Chunk(
        text=document.text[start:end],
        start=start,
        end=end,
        start_line=1,
        end_line=1,
        path=document.path,
        size=end - start,
        carry=carry,
        carry_after=after,
    )


def facts(document: Document, chunks: Chunking, cap: int | None = None) -> dict[str, float]:
    return intrinsic_facts([chunks], [structure_of(document)], cap=cap, measure=CHARS)


def at_each(document: Document, *cuts: int, cap: int | None = None) -> dict[str, float]:
    return facts(document, chunking(document, *cuts), cap)


LETTERS = Document("abcdefghij" * 20)


def test_spans_of_another_chunker_become_a_chunking() -> None:
    """In order, with lines and sizes."""
    made = chunking_of(Document("one\ntwo\nthree", path="a.txt"), [(4, 13), (0, 4)], CHARS)
    assert made.texts == ("one\n", "two\nthree")
    lines = [(chunk.start_line, chunk.end_line, chunk.size, chunk.index) for chunk in made]
    assert lines == [(1, 1, 4, 0), (2, 3, 9, 1)]
    assert made.path == made[0].path == "a.txt"


def test_sizes() -> None:
    """Chunks of 10, 20, 30 and 140."""
    found = at_each(LETTERS, 10, 30, 60, cap=100)
    assert (found["documents"], found["chunks"]) == (1, 4)
    assert (found["size_mean"], found["size_median"]) == (50, 25)
    assert (found["size_p95"], found["size_max"], found["over_cap"]) == (140, 140, 1)


def test_the_95th_percentile_is_a_size_that_is_there() -> None:
    """Of 1 to 40, 38 is not exceeded by 95 in a hundred."""
    text = "x" * sum(range(1, 41))
    ends = [sum(range(1, size + 1)) for size in range(1, 40)]
    assert at_each(Document(text), *ends)["size_p95"] == 38


def test_fragments_are_under_a_tenth_of_the_cap() -> None:
    """Of 9, 10 and the rest, one is; and none where it is all of its document."""
    found = at_each(LETTERS, 9, 19, cap=100)
    assert found["fragments"] == 1
    assert found["fragment_share"] == pytest.approx(1 / 3)
    assert at_each(Document("short"), cap=100)["fragments"] == 0


def test_without_a_cap_fragments_are_short_texts() -> None:
    """Under 80 code points."""
    assert at_each(LETTERS, 79)["fragments"] == 1
    assert at_each(LETTERS, 80)["fragments"] == 0


PROSE = Document("One thing is here. Another\nfollows it! Then\n\na third paragraph, Mr. Fox.")


@pytest.mark.parametrize(
    ("cut", "in_word", "in_sentence"),
    [
        ("One thi", True, True),
        ("One thing", False, True),
        ("One thing is here.", False, False),
        ("One thing is here. Another", False, True),
        ("One thing is here. Another\nfollows it! Then", False, False),
        (PROSE.text[: PROSE.text.index(" Fox")], False, True),
    ],
)
def test_edges_of_prose(cut: str, in_word: bool, in_sentence: bool) -> None:
    """A line's end is none of a sentence, a blank line is, and an abbreviation is not. Of two
    chunks, only one begins, and only one ends, at the cut."""
    found = at_each(PROSE, len(cut))
    assert found["ends_inside_word"] == found["begins_inside_word"] == in_word / 2
    assert found["ends_inside_sentence"] == found["begins_inside_sentence"] == in_sentence / 2


def test_scripts_without_spaces_have_no_words_to_cut() -> None:
    """A cut between two characters of Chinese is inside a sentence, not inside a word."""
    found = at_each(Document("今天天气很好。我们去公园。"), 3)
    assert (found["ends_inside_word"], found["ends_inside_sentence"]) == (0, 0.5)
    assert at_each(Document("今天天气很好。我们去公园。"), 7)["ends_inside_sentence"] == 0


def test_lines_are_the_sentences_of_source_code() -> None:
    """Between two lines nothing is torn; inside one something is."""
    code = Document("value = other(1)\nvalue += 2\n", path="a.py")
    assert at_each(code, 16)["ends_inside_sentence"] == 0
    assert at_each(code, 17)["ends_inside_sentence"] == 0
    assert at_each(code, 7)["ends_inside_sentence"] == 0.5


PAGE = Document(
    """# Tables

Some words
on two lines.

- first item
- second item

| a | b |
|---|---|
| 1 | 2 |
| 3 | 4 |

```python
one = 1

two = 2
```
""",
    path="page.md",
)


def place(words: str) -> int:
    return PAGE.text.index(words)


def test_blocks_of_markdown_end_without_full_stops() -> None:
    """A heading, an item, a row, a line of a fence; inside a paragraph's lines it is a tear."""
    for words in ("\n\nSome", "\n- second", "\n| 3", "\ntwo"):
        assert at_each(PAGE, place(words))["ends_inside_sentence"] == 0
    assert at_each(PAGE, place("\non two"))["ends_inside_sentence"] == 0.5


def test_an_uncut_document_keeps_everything_whole() -> None:
    """One of each kind, two items."""
    found = at_each(PAGE)
    counts = [found[kind] for kind in ("sections", "fences", "tables", "items", "paragraphs")]
    assert counts == [1, 1, 1, 2, 1]
    shares = {name: share for name, share in found.items() if name.endswith("_whole")}
    assert set(shares.values()) == {1.0}
    assert "symbols_whole" not in shares


@pytest.mark.parametrize(
    ("words", "torn"),
    [
        ("\non two", "paragraphs"),
        (" item\n\n|", "items"),
        ("| 3", "tables"),
        ("two = ", "fences"),
    ],
)
def test_a_cut_tears_what_it_goes_through(words: str, torn: str) -> None:
    """And the section around it, nothing else."""
    found = at_each(PAGE, place(words))
    shares = {name: share for name, share in found.items() if name.endswith("_whole")}
    assert {name for name, share in shares.items() if share < 1} == {
        "sections_whole",
        f"{torn}_whole",
    }
    assert found["items_whole"] == (0.5 if torn == "items" else 1)


def test_what_overlap_holds_whole_is_whole() -> None:
    """The table ends in the first chunk and begins in the second: neither has it. One code point
    more of overlap, and the second has."""
    cut, table = place("| 3"), place("| a")
    assert facts(PAGE, chunking(PAGE, cut, overlap=cut - table - 1))["tables_whole"] == 0
    assert facts(PAGE, chunking(PAGE, cut, overlap=cut - table))["tables_whole"] == 1


def test_what_fits_no_chunk_does_not_count() -> None:
    """With a cap of 28 the fence, the table and the section are too large to be kept."""
    found = at_each(PAGE, place("| 3"), place("two = "), cap=28)
    assert (found["fences"], found["fences_too_large"]) == (0, 1)
    assert "fences_whole" not in found
    assert (found["tables_too_large"], found["sections_too_large"]) == (1, 1)
    assert (found["items"], found["items_whole"]) == (2, 1)


def test_sections_are_told_without_those_inside_them() -> None:
    """A cut before the second heading tears neither; one before its text tears that."""
    document = Document("# Whole\n\nIntro.\n\n## Part\n\nText.\n", path="a.md")
    before, behind = document.text.index("##"), document.text.index("Text")
    assert at_each(document, before)["sections_whole"] == 1
    assert at_each(document, behind)["sections_whole"] == 0.5


CODE = Document(
    '"""Doc."""\n\n\ndef one():\n    return 1\n\n\nclass Two:\n    def three(self):\n'
    "        return 3\n\n    def four(self):\n        return 4\n",
    path="a.py",
)


def test_symbols_are_kept_whole_or_not() -> None:
    """A cut between two methods tears the class alone; one inside a function tears that."""
    found = at_each(CODE, CODE.text.index("    def four"))
    assert (found["symbols"], found["symbols_whole"]) == (4, 0.75)
    assert at_each(CODE, CODE.text.index("return 1"))["symbols_whole"] == 0.75
    assert at_each(CODE, CODE.text.index("class"))["symbols_whole"] == 1


def test_torn_fences_are_open_unless_a_chunk_carries_the_rest() -> None:
    """Two pieces of a fence; then the first with a closer, the second with an opening."""
    cut, end = place("two = "), len(PAGE.text)
    assert at_each(PAGE, cut)["fences_open"] == 1
    assert at_each(PAGE)["fences_open"] == 0
    pieces = (
        _chunk(PAGE, 0, cut, after="\n```"),
        _chunk(PAGE, cut, end, carry="```python\n"),
    )
    carried = Chunking(chunks=pieces, text=PAGE.text, path=PAGE.path)
    assert facts(PAGE, carried)["fences_open"] == 0


def test_rows_want_their_header() -> None:
    """Of two chunks with rows the second has none; with a header carried it has."""
    cut, end = place("| 3"), len(PAGE.text)
    assert at_each(PAGE, cut)["tables_headless"] == 0.5
    pieces = (
        _chunk(PAGE, 0, cut),
        _chunk(PAGE, cut, end, carry="| a | b |\n|---|---|\n"),
    )
    carried = Chunking(chunks=pieces, text=PAGE.text, path=PAGE.path)
    assert facts(PAGE, carried)["tables_headless"] == 0


def test_our_markdown_chunker_leaves_no_fence_open_and_no_row_headless() -> None:
    """A fence and a table far over the cap."""
    rows = "".join(f"| {number} | {number * 7} |\n" for number in range(80))
    lines = "".join(f"value_{number} = {number}\n" for number in range(80))
    text = f"# Long\n\n| a | b |\n|---|---|\n{rows}\n```python\n{lines}```\n"
    document = Document(text, path="long.md")
    found = facts(document, MarkdownChunker(size=300, overlap=0).chunk(document), 300)
    assert (found["fences_open"], found["tables_headless"]) == (0, 0)
    assert (found["fences_too_large"], found["tables_too_large"]) == (1, 1)


def test_overlap_is_repeated_text() -> None:
    """200 code points in chunks of 210."""
    assert facts(LETTERS, chunking(LETTERS, 100, overlap=10))["repeated"] == pytest.approx(10 / 210)
    assert at_each(LETTERS, 100)["repeated"] == 0


def test_equal_chunks_are_counted_across_documents() -> None:
    """The same licence in three files, and another text."""
    documents = [Document(text, path=f"{text}{at}") for at, text in enumerate(("A", "A", "A", "B"))]
    found = intrinsic_facts(
        [chunking(one) for one in documents],
        [structure_of(one) for one in documents],
        cap=None,
        measure=CHARS,
    )
    assert found["equal_chunks"] == 0.5


def test_views_of_a_whole_file_are_left_out() -> None:
    """They repeat text on purpose."""
    chunks = CodeChunker(file_header=True, whole_file=True).chunk(CODE)
    assert len(chunks) == 3
    found = facts(CODE, chunks, 1500)
    assert (found["chunks"], found["repeated"]) == (1, 0)


def test_nothing_has_no_shares() -> None:
    """No documents, and an empty one: counts are 0, and no share is made up."""
    for chunkings in ([], [Chunking()]):
        structures = [structure_of(Document("")) for _ in chunkings]
        found = intrinsic_facts(chunkings, structures, cap=100, measure=CHARS)
        assert (found["chunks"], found["size_mean"], found["fragment_share"]) == (0, 0, 0)
        assert not [name for name in found if name.endswith("_whole")]


def test_every_name_is_defined() -> None:
    """Of what a document with everything has; the last three need an embedder or a chunker."""
    found = {**at_each(PAGE), **at_each(CODE)}
    assert set(found) == set(list(DEFINITIONS)[:-3])


def test_documents_and_structures_have_to_match() -> None:
    """By number and by text, and the error names the document."""
    other = structure_of(CODE)
    with pytest.raises(ConfigError, match=r"structures='page.md'"):
        intrinsic_facts([chunking(PAGE)], [other], cap=None, measure=CHARS)
    with pytest.raises(ConfigError, match=r"structures='page.md'"):
        intrinsic_facts([chunking(PAGE)], [], cap=None, measure=CHARS)


def test_a_notebook_has_a_structure_too() -> None:
    """Its text is that of its joined cells."""
    cell = '{"cell_type": "code", "metadata": {}, "source": ["x = 1\\n", "y = 2"], "outputs": []}'
    text = f'{{"cells": [{cell}, {cell}], "metadata": {{}}, "nbformat": 4, "nbformat_minor": 5}}'
    assert structure_of(Document(text, path="a.ipynb")).text == "x = 1\ny = 2\n\nx = 1\ny = 2"


def test_line_windows_tear_what_code_chunks_keep() -> None:
    """Five functions of twelve lines each: windows of twenty lines go through some of them."""
    body = "".join(f"    value = {number}\n" for number in range(10))
    text = "\n\n".join(f"def function_{number}():\n{body}" for number in range(5))
    document = Document(text, path="a.py")
    code = facts(document, CodeChunker(size=400).chunk(document), 400)
    lines = facts(document, LineChunker(lines=20, overlap=0, min_lines=0).chunk(document), 400)
    assert (code["symbols"], code["symbols_whole"]) == (5, 1)
    assert lines["symbols_whole"] < 1
