"""White space, physical lines and grapheme clusters, checked against plain definitions of them."""

from __future__ import annotations

from itertools import pairwise

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from chunkwright.characters import (
    PART,
    WHITE_SPACE,
    Lines,
    cluster_ceiling,
    cluster_floor,
    is_whitespace_only,
    lone_surrogate,
    trim,
    trim_to_lines,
)

PIECES = (
    *("a", " ", "\n", "\r\n", "\r", "\t", "\x00", "\u2028", "\x85", "\u0301", " \u0301", "e\u0301"),
    *("🇳", "🇳🇴", "👍🏽", "👨\u200d👩", "\u200d", "\ufe0f", "1\ufe0f\u20e3", "नि", "क्ष", "กำ"),
    *("\u1112\u1161\u11ab", "각", "\u0600", "\u0600 "),
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


def boundaries_of(text: str) -> list[int]:
    return [0, *(match.end() for match in regex.finditer(r"\X", text))]


def test_white_space_is_the_documented_set() -> None:
    """Unicode's White_Space and the four ASCII separators: 29 code points."""
    expected = {chr(code) for code in range(0x110000) if chr(code).isspace()}
    assert set(WHITE_SPACE) == expected
    assert len(WHITE_SPACE) == 29


@pytest.mark.parametrize(
    ("text", "blank"),
    [
        ("", True),
        (" \t\r\n\x0b\x85\u3000", True),
        ("\u200b", False),
        ("\ufeff", False),
        ("\x00", False),
    ],
)
def test_whitespace_only_knows_no_zero_width_characters(text: str, blank: bool) -> None:
    """Zero-width characters and controls are not white space."""
    assert is_whitespace_only(text) is blank


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("", [0]),
        ("a\nb\r\nc\rd", [0, 2, 5, 7]),
        ("a\n", [0, 2]),
        ("\r\r\n\n", [0, 1, 3, 4]),
        ("a\x0cb\u2028c\x85d", [0]),
    ],
)
def test_lines_end_at_lf_crlf_and_cr_only(text: str, starts: list[int]) -> None:
    """Form feeds, U+2028 and U+0085 end no line."""
    assert Lines(text).starts == starts


@given(TEXTS)
def test_a_position_lies_on_one_line(text: str) -> None:
    """Number, start and next start of every position agree with the lines cut by hand."""
    lines = Lines(text)
    spans = pairwise([*lines.starts, len(text) + 1])
    for number, (start, end) in enumerate(spans, 1):
        for position in range(start, end):
            assert lines.number(position) == number
            assert lines.start_of(position) == start
            assert lines.next_start(position) == (None if end > len(text) else end)


@given(TEXTS)
@example("🇳🇴🇸🇪🇩🇰a")
@example("\u0600🇳🇴🇸")
@example("क्क्क्क")
def test_floor_and_ceiling_are_the_nearest_boundaries(text: str) -> None:
    """For every position, the cluster boundaries around it."""
    boundaries = boundaries_of(text)
    for position in range(len(text) + 1):
        floor = max(at for at in boundaries if at <= position)
        ceiling = min(at for at in boundaries if at >= position)
        assert cluster_floor(text, 0, position) == floor
        assert cluster_ceiling(text, 0, position) == ceiling


def test_a_crlf_is_never_cut() -> None:
    """Between CR and LF there is no boundary; between LF and CR there is."""
    assert cluster_floor("a\r\nb", 0, 2) == 1
    assert cluster_ceiling("a\r\nb", 0, 2) == 3
    assert cluster_floor("a\n\rb", 0, 2) == 2


@given(TEXTS)
def test_trimming_leaves_no_blank_cluster_at_an_edge(text: str) -> None:
    """What is left holds every other character and begins and ends with one, cluster-wise."""
    start, end = trim(text, 0, len(text))
    kept = text.strip(WHITE_SPACE)
    if not kept:
        assert (start, end) == (len(text), len(text))
        return
    assert kept in text[start:end]
    assert {start, end} <= set(boundaries_of(text))
    clusters = regex.findall(r"\X", text[start:end])
    assert not is_whitespace_only(clusters[0])
    assert not is_whitespace_only(clusters[-1])


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("\n  a b \n", "  a b"),
        ("\t\tx", "\t\tx"),
        ("y\n \r\n  x\r", "y\n \r\n  x"),
        ("\u3000 x", "x"),
        (" \n ", ""),
    ],
)
def test_trimming_to_lines_keeps_the_first_lines_indentation(text: str, kept: str) -> None:
    """Blank lines go, indentation by blanks and tabs stays."""
    start, end = trim_to_lines(text, 0, len(text))
    assert text[start:end] == kept


def test_the_low_bound_is_taken_for_a_boundary() -> None:
    """What stands before it is never looked at: flags are paired from there."""
    assert cluster_floor("🇳" * 100, 0, 51) == 50
    assert cluster_floor("🇳" * 100, 1, 51) == 51


@pytest.mark.parametrize("length", [31, 32, 33, 91, 129, 600])
@pytest.mark.parametrize("mark", ["\u0301", "\u0330", "\ufe0f", "\u200d"])
def test_a_cluster_longer_than_the_first_look_is_one(mark: str, length: int) -> None:
    """However many marks a letter has, no position among them is a boundary."""
    text = "ab" + mark * length + "c"
    for position in range(2, length + 2):
        assert cluster_floor(text, 0, position) == 1
        assert cluster_ceiling(text, 0, position) == length + 2
    assert cluster_floor(text, 0, length + 2) == length + 2


def test_a_lone_surrogate_is_found_wherever_it_is() -> None:
    """In any part of a long text, and none where there is none."""
    assert lone_surrogate("é🙂" * 300_000) is None
    assert lone_surrogate("plain") is None
    for place in (0, PART - 1, PART, 2 * PART + 5):
        assert lone_surrogate("é" * place + "\ud800" + "é" * 9) == place
