"""Snippets: the stretch of a text where a query's words are, cut where nothing is torn."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.search.snippets import ELLIPSIS, WIDTH, best_lines, snippet, words_of

TEXT = "The tide comes in twice a day. " * 4 + "An anchor holds the ship. " + "Fog rises. " * 30


def test_a_snippet_is_cut_between_words_around_what_was_asked_for() -> None:
    """A verbatim slice; what was left out is told apart from it."""
    found = snippet(TEXT, ("anchor", "ship"), 40)
    assert found.text == TEXT[found.start : found.end]
    assert found.text == "day. An anchor holds the ship. Fog"
    assert (found.is_cut_before, found.is_cut_after) == (True, True)
    assert found.with_ellipses() == f"{ELLIPSIS}{found.text}{ELLIPSIS}"
    assert [found.text[start:end] for start, end in found.marks] == ["anchor", "ship"]


def test_different_words_are_worth_more_than_repeated_ones() -> None:
    """And the first of equal stretches is taken."""
    text = "rope rope rope rope " + "x " * 100 + "rope and anchor " + "x " * 100 + "anchor, rope"
    assert snippet(text, ("anchor", "rope"), 30).text.startswith("x x x rope and anchor")


def test_without_words_the_beginning_is_shown() -> None:
    """White space at its edges is no text that was left out."""
    found = snippet("  \n A ship.  ", ("zzz",), 100)
    assert found.with_ellipses() == "A ship."
    assert (found.start, found.end, found.marks) == (4, 11, ())
    assert snippet("", ("ship",)).with_ellipses() == ""
    assert snippet("one two three", (), 8).with_ellipses() == f"one two{ELLIPSIS}"


def test_a_word_that_is_too_long_is_cut_within() -> None:
    """There is nothing else to do; case does not matter."""
    found = snippet("a" * 300 + "NEEDLE" + "b" * 300, ("needle",), 20)
    assert "NEEDLE" in found.text
    assert len(found.text) == 20
    assert snippet("x" * 100, ("x" * 50,), 20).text == "x" * 20


def test_a_cluster_is_never_cut() -> None:
    """A family of emoji is whole or not there; one that is wider than the snippet is whole."""
    family = "👨‍👩‍👧‍👦"
    text = family * 10
    for width in range(1, 40):
        found = snippet(text, (), width)
        assert found.text == family * max(1, width // len(family))


@given(
    st.text(st.sampled_from("ab \n\u0301\u200d👩🇩🇪é界\r"), max_size=60),
    st.lists(st.text(st.sampled_from("ab界é"), min_size=1, max_size=3), max_size=3),
    st.integers(1, 30),
)
def test_a_snippet_keeps_its_promises(text: str, words: list[str], width: int) -> None:
    """A slice, no wider than asked but for one cluster, at edges of clusters, marks inside."""
    found = snippet(text, words, width)
    assert text[found.start : found.end] == found.text
    clusters = [match.span() for match in regex.finditer(r"\X", text)]
    assert found.start in {0, len(text), *(start for start, _ in clusters)}
    assert found.end in {0, *(end for _, end in clusters)}
    inside = [span for span in clusters if found.start <= span[0] < found.end]
    assert found.end - found.start <= width or len(inside) == 1
    for start, end in found.marks:
        assert found.text[start:end].casefold() in {word.casefold() for word in words}
    assert found.is_cut_before == bool(text[: found.start].strip())
    assert found.is_cut_after == bool(text[found.end :].strip())


def test_a_width_that_is_none_is_refused() -> None:
    """The error names it."""
    with pytest.raises(cw.ConfigError, match="width=0"):
        snippet("text", (), 0)
    assert len(snippet("word " * 1000, ()).text) <= WIDTH


def test_short_and_common_words_count_only_alone() -> None:
    """`is` stands on every line, unless it is all there is."""
    assert words_of("is it Parsed") == ("parsed",)
    assert words_of("is it") == ("is", "it")
    assert words_of("( ?") == ()


def test_words_are_looked_for_as_written_and_in_their_parts() -> None:
    """Identifiers and scripts without spaces."""
    assert words_of("get_user") == ("get_user", "getuser", "get", "user")
    assert words_of("会议记录") == ("会议记录", "会议", "议记", "记录")
    assert len(words_of(" ".join(f"word{n}" for n in range(500)))) <= 50


def test_the_best_lines_hold_the_most_words() -> None:
    """Different words first, then lines that hold one, then the first place."""
    lines = ["rope"] * 3 + ["x"] * 5 + ["rope", "anchor", "x"]
    assert best_lines(lines, ("rope", "anchor"), 2) == 8
    assert best_lines(lines, ("rope",), 2) == 0
    assert best_lines(lines, ("zzz",), 2) == 0
    assert best_lines(lines, ("anchor",), 20) == 0
    assert best_lines([], ("anchor",), 2) == 0


def test_a_word_is_not_found_inside_another() -> None:
    """`long` in `belongs` says nothing; in `tooLong` and `how_long` it does."""
    lines = ["it belongs here", "is tooLong", "how_long"]
    assert [best_lines([line, "long"], ["long"], 1) for line in lines] == [1, 0, 0]
