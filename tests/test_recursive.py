"""RecursiveChunker: a hierarchy of separators, with exact offsets and a cap that holds."""

from __future__ import annotations

from typing import Any

import pytest

from chunkwright import Block, ConfigError, RecursiveChunker


def split(text: str, size: int, overlap: int = 0, **options: Any) -> list[str]:
    return RecursiveChunker(size=size, overlap=overlap, **options).split_text(text)


def test_the_defaults_are_the_documented_ones() -> None:
    """Every option with its default."""
    assert RecursiveChunker.defaults() == {
        "size": 3200,
        "overlap": 320,
        "separators": ("\n\n", "\n", " ", ""),
        "keep_separator": False,
        "measure": "chars",
        "budget_includes_context": False,
    }


def test_whole_pieces_are_joined_and_repeated() -> None:
    """Words are joined while they fit, and whole words are kept as overlap."""
    assert split("foo bar baz 123", 7, 3) == ["foo bar", "bar baz", "baz 123"]
    assert split("foo bar baz 123", 7, 2) == ["foo bar", "baz 123"]


def test_the_first_separator_that_occurs_splits() -> None:
    """Paragraphs first, then lines, then words, then anywhere; short pieces are joined again."""
    text = "aa bb\ncc\n\ndd ee ff gg\n\nhh\n\nii"
    assert split(text, 9) == ["aa bb\ncc", "dd ee ff", "gg", "hh\n\nii"]


def test_a_longer_piece_flushes_what_was_collected() -> None:
    """Nothing is joined across a piece that had to be split further, and nothing overlaps it."""
    chunking = RecursiveChunker(size=10, overlap=5).chunk("aa\n\nbbbb cccc dddd\n\nee")
    assert chunking.texts == ("aa", "bbbb cccc", "cccc dddd", "ee")
    assert [chunk.overlap for chunk in chunking] == [0, 0, 4, 0]


def test_offsets_are_those_of_the_text() -> None:
    """Several spaces between words are kept, and counted."""
    chunking = RecursiveChunker(size=6, overlap=0).chunk("a   b  c d")
    assert [(c.start, c.end, c.text) for c in chunking] == [(0, 5, "a   b"), (7, 10, "c d")]


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_a_line_end_in_a_separator_stands_for_any(end: str) -> None:
    """A blank line is one with CRLF and lone CR too, and one CRLF is not a blank line."""
    text = f"aaa{end}bbb{end}{end}ccc"
    assert split(text, 9) == [f"aaa{end}bbb", "ccc"]
    assert split(text, 5) == ["aaa", "bbb", "ccc"]


def test_only_white_space_is_ever_dropped() -> None:
    """A separator that is more than that stays with the piece before it."""
    assert split("你好吗我很好。谢谢你的。再见", 8, separators=("。", "")) == [
        "你好吗我很好。",
        "谢谢你的。再见",
    ]
    assert split("foo, bar, baz, quux", 10, separators=(", ",)) == ["foo, bar,", "baz, quux"]


def test_a_kept_separator_begins_its_piece() -> None:
    """With keep_separator every piece but the first begins with it."""
    text = "foo, bar, baz, quux"
    assert split(text, 10, separators=(", ",), keep_separator=True) == [
        "foo, bar",
        ", baz",
        ", quux",
    ]


def test_the_cap_holds_without_an_empty_separator() -> None:
    """A run that no separator helps with is cut all the same."""
    assert split("aaa " + "b" * 12, 5, separators=(" ",)) == ["aaa", "bbbbb", "bbbbb", "bb"]
    assert split("b" * 12, 5, separators=()) == ["bbbbb", "bbbbb", "bb"]


def test_exact_cuts_overlap_exactly() -> None:
    """A long run is cut at the cap, with the overlap asked for."""
    chunking = RecursiveChunker(size=1000, overlap=100).chunk("q" * 2500)
    assert [(c.start, c.end) for c in chunking] == [(0, 1000), (900, 1900), (1800, 2500)]


def test_an_overlap_as_large_as_the_size_still_ends() -> None:
    """It is taken for half of the size."""
    pieces = split("ab " * 50, 10, 10)
    assert pieces[-1].endswith("ab")
    assert len(pieces) < 50


def test_no_cut_falls_inside_a_cluster() -> None:
    """A separator that is part of a cluster does not separate."""
    text = "aaa \u0301bbb ccc🇳🇴🇸🇪"
    assert split(text, 9, separators=(" ", "\u0301", "🇴", "")) == ["aaa \u0301bbb", "ccc🇳🇴🇸🇪"]


@pytest.mark.parametrize("text", ["", " \n\n ", "\r\n"])
def test_blank_text_gives_no_chunks(text: str) -> None:
    """Nothing to embed, nothing cut."""
    chunking = RecursiveChunker().chunk(text)
    assert (len(chunking), chunking.covered, chunking.truncated) == (0, len(text), False)


def test_a_thousand_separators_are_no_depth() -> None:
    """Going down the hierarchy does not recurse."""
    separators = tuple(chr(0x4E00 + number) for number in range(3000))
    text = "".join(f"a{separator}b" for separator in separators)
    assert "".join(split(text, 2, separators=separators)) == text


def test_blocks_of_the_caller_move_no_cut() -> None:
    """They are facts about the document: symbols of a chunk, but no borders."""
    blocks = [Block(4, 7, kind="Function", name="bar")]
    chunking = RecursiveChunker(size=7, overlap=0).chunk("foo bar baz", blocks)
    assert chunking.texts == ("foo bar", "baz")
    assert [symbol.name for symbol in chunking[0].symbols] == ["bar"]


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("size", 0),
        ("size", None),
        ("separators", "\n"),
        ("separators", (1,)),
        ("keep_separator", 2),
    ],
)
def test_a_wrong_value_names_its_option(option: str, value: Any) -> None:
    """The error carries the option and the value."""
    with pytest.raises(ConfigError) as caught:
        RecursiveChunker(**{option: value})
    assert (caught.value.option, caught.value.value) == (option, value)


def test_tokens_are_a_measure_like_any_other() -> None:
    """Pieces are joined up to the cap in tokens, and the overlap is in tokens too."""
    text = "".join(f"word number {n}\n" for n in range(100))
    chunking = RecursiveChunker(size=30, overlap=8, measure="tokens").chunk(text)
    assert all(chunk.size <= 30 for chunk in chunking)
    assert min(chunk.size for chunk in chunking[:-1]) > 15
    assert any(chunk.overlap for chunk in chunking)


def test_a_boundary_is_what_stands_there() -> None:
    """Whichever separator split the piece off: what follows it is why it ends."""
    text = "aaaa bbbb\n\ncccc dddddddddddddddddd eeee\n\nffff"
    chunking = RecursiveChunker(size=12, overlap=0).chunk(text)
    told = {chunk.text: chunk.boundary for chunk in chunking}
    assert told["aaaa bbbb"] == told["eeee"] == "blank line"
    assert told["dddddd"] == "word"
    assert told["ffff"] == "end of text"
    assert RecursiveChunker().chunk("one two")[0].boundary == "end of text"
