"""TextChunker: what it makes of long text, of short text, and of its options."""

from __future__ import annotations

import pickle
from itertools import pairwise
from typing import Any

import pytest

from chunkwright import Block, ConfigError, Document, ParseError, TextChunker

SENTENCE = "The harbour keeps a ledger of every boat that came and went that day. "


def sections(length: int) -> str:
    """Markdown-like text of 1,100-code-point sections with headings."""
    body = (SENTENCE * 16)[:1080].rsplit(". ", 1)[0] + "."
    parts = [f"## Section {number}\n\n{body}\n\n" for number in range(length // 1000)]
    return "".join(parts)[:length]


def test_the_defaults_are_the_documented_ones() -> None:
    """Every option with its default, as `defaults` gives them."""
    assert TextChunker.defaults() == {
        "size": 1200,
        "overlap": 200,
        "min_size": 1200,
        "max_chunks": 64,
        "stable": False,
        "measure": "chars",
        "budget_includes_context": False,
    }


def test_content_at_the_minimum_gives_no_chunks() -> None:
    """1,200 code points are covered by one vector of the whole; 1,201 are not."""
    short = TextChunker().chunk("q" * 1200)
    assert (len(short), short.covered, short.truncated) == (0, 0, False)
    assert [d.code for d in short.diagnostics] == ["below_min_size"]
    assert [(c.start, c.end) for c in TextChunker().chunk("q" * 1201)] == [(0, 1200), (1000, 1201)]


def test_without_a_minimum_a_short_text_is_one_chunk() -> None:
    """min_size=0: even a word is a segment."""
    chunking = TextChunker(min_size=0).chunk("word")
    assert [(c.text, c.kind, c.start_line) for c in chunking] == [("word", "segment", 1)]
    assert chunking.covered == 4
    assert TextChunker(min_size=0).split_text("  \n ") == []


def test_the_minimum_is_in_the_measure() -> None:
    """min_size counts bytes where size does."""
    text = "é" * 700
    assert len(TextChunker(measure="bytes").chunk(text)) == 2
    assert len(TextChunker(measure="chars").chunk(text)) == 0


@pytest.mark.parametrize("size", [0, -5])
def test_a_size_of_nothing_gives_nothing(size: int) -> None:
    """No error, no chunks, and a word about it."""
    chunking = TextChunker(size=size).chunk("q" * 5000)
    assert (len(chunking), chunking.covered, chunking.truncated) == (0, 0, True)
    assert [d.code for d in chunking.diagnostics] == ["truncated"]


@pytest.mark.parametrize(
    ("overlap", "starts"), [(-3, [0, 10, 20]), (10, [0, 5, 10, 15]), (99, [0, 5, 10, 15])]
)
def test_any_overlap_makes_progress(overlap: int, starts: list[int]) -> None:
    """Negative is none; as much as the size, or more, is half of it."""
    chunking = TextChunker(size=10, overlap=overlap, min_size=0).chunk("q" * 25)
    assert [chunk.start for chunk in chunking] == starts


def test_the_limit_of_chunks_truncates() -> None:
    """64 chunks of unbroken text cover exactly 64,200 code points, and say that more is there."""
    chunking = TextChunker().chunk("q" * 100_000)
    assert (len(chunking), chunking.covered, chunking.truncated) == (64, 64_200, True)
    assert [d.code for d in chunking.diagnostics] == ["truncated"]
    whole = TextChunker().chunk("q" * 64_200)
    assert (len(whole), whole.covered, whole.truncated) == (64, 64_200, False)
    assert len(TextChunker(max_chunks=None).chunk("q" * 100_000)) == 100


def test_white_space_left_over_is_not_truncation() -> None:
    """After the last chunk only blanks: nothing was left out."""
    chunking = TextChunker(size=10, overlap=0, min_size=0, max_chunks=1).chunk("one two" + " " * 90)
    assert (len(chunking), chunking.truncated, chunking.covered) == (1, False, 97)


def test_sections_with_headings_are_cut_sensibly() -> None:
    """46,000 code points of sections: no chunk is the end of its neighbour, none a heading alone,
    each adds a sensible amount, and the limit is not met."""
    chunking = TextChunker().chunk(sections(46_000))
    texts = chunking.texts
    assert not chunking.truncated
    assert len(chunking) < 64
    assert not any(a.endswith(b) for a, b in pairwise(texts))
    assert min(c.end - c.start - c.overlap for c in chunking[:-1]) >= 250
    assert not any(text.rsplit("\n", 1)[-1].startswith("## ") for text in texts)


def test_a_fact_survives_whole_across_a_boundary() -> None:
    """Every sentence is whole in at least one chunk."""
    text = "".join(f"Boat {n} came in at the {n}th hour with {n * n} nets. " for n in range(200))
    texts = TextChunker(size=400, overlap=80, min_size=0, max_chunks=None).split_text(text)
    for number in range(200):
        fact = f"Boat {number} came in at the {number}th hour with {number * number} nets."
        assert any(fact in piece for piece in texts)


def test_facts_about_the_document_go_to_every_chunk() -> None:
    """Path, language, commit, summary and attachment are on each segment."""
    document = Document(SENTENCE * 40, "notes/a.txt", None, "c0ffee", "A ledger.", "scan.pdf")
    chunk = TextChunker().chunk(document)[1]
    assert (chunk.path, chunk.language, chunk.commit) == ("notes/a.txt", "text", "c0ffee")
    assert (chunk.entry, chunk.is_attachment, chunk.attachment_path) == (
        "A ledger.",
        True,
        "scan.pdf",
    )


def test_blocks_of_the_caller_stay_whole() -> None:
    """A block that fits is not cut, and its edges are borders."""
    text = "aaaa bbbb cccc dddd eeee ffff gggg"
    blocks = [Block(10, 24, kind="paragraph")]
    chunking = TextChunker(size=20, overlap=0, min_size=0).chunk(text, blocks)
    assert chunking.texts == ("aaaa bbbb", "cccc dddd eeee", "ffff gggg")
    assert chunking.parser == "given"


def test_a_code_point_over_the_cap_is_reported() -> None:
    """Three bytes in a cap of two: a chunk of its own, with its line."""
    chunking = TextChunker(size=2, overlap=0, min_size=0, measure="bytes").chunk("ab\n各\ncd")
    assert chunking.texts == ("ab", "各", "cd")
    assert [(d.code, d.line) for d in chunking.diagnostics] == [("over_cap", 2)]


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("size", "big"),
        ("size", True),
        ("overlap", 1.5),
        ("min_size", None),
        ("max_chunks", 0),
        ("stable", 1),
        ("measure", "word"),
    ],
)
def test_a_wrong_value_names_its_option(option: str, value: Any) -> None:
    """The error carries the option and the value."""
    with pytest.raises(ConfigError) as caught:
        TextChunker(**{option: value})
    assert (caught.value.option, caught.value.value) == (option, value)


def test_lone_surrogates_are_refused() -> None:
    """Text that is not valid Unicode cannot be taken in."""
    with pytest.raises(ParseError, match="surrogate"):
        TextChunker().chunk("a\nb\ud800")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\x00",
        "\ufeff",
        "one",
        "a\r\nb\rc\n",
        "\t\tx\n",
        "e\u0301" * 700,
        "🇳🇴" * 900,
        "\r" * 3000,
    ],
)
def test_odd_texts_are_cut_exactly(text: str) -> None:
    """Slices are verbatim for empty text, controls, every line end, marks and flags."""
    chunking = TextChunker(size=50, overlap=10, min_size=0, max_chunks=None).chunk(text)
    assert all(text[c.start : c.end] == c.text for c in chunking)
    assert chunking.covered == len(text)


def test_chunkers_pickle_and_have_a_fingerprint() -> None:
    """Equal options, equal fingerprint; another option or measure, another one."""
    chunker = TextChunker(size=99)
    assert pickle.loads(pickle.dumps(chunker)) == chunker  # noqa: S301  # our own bytes
    assert chunker.fingerprint == TextChunker(size=99).fingerprint
    others = [TextChunker(), TextChunker(measure="tokens"), TextChunker(stable=True)]
    assert len({c.fingerprint for c in [chunker, *others]}) == 4


def test_many_documents_come_in_order_and_one_failure_is_its_own() -> None:
    """A document that cannot be taken in does not stop the others."""
    found = list(TextChunker(min_size=0).chunk_many(["one", "b\udfff", Document("three", "c.txt")]))
    assert [chunking.texts for chunking in found] == [("one",), (), ("three",)]
    assert [d.code for d in found[1].diagnostics] == ["failed"]


def test_the_limit_holds_to_the_code_point() -> None:
    """One code point more than 64 chunks cover is left over."""
    chunking = TextChunker().chunk("q" * 64_201)
    assert (len(chunking), chunking.covered, chunking.truncated) == (64, 64_200, True)
