"""LineChunker: windows of whole lines."""

from __future__ import annotations

from typing import Any

import pytest

from chunkwright import Chunking, ConfigError, Document, LineChunker


def lines(count: int, end: str = "\n") -> str:
    return "".join(f"line {number}{end}" for number in range(1, count + 1))


def ranges(chunking: Chunking) -> list[tuple[int, int]]:
    return [(chunk.start_line, chunk.end_line) for chunk in chunking]


def test_the_defaults_are_the_documented_ones() -> None:
    """Every option with its default."""
    assert LineChunker.defaults() == {
        "lines": 60,
        "overlap": 15,
        "min_lines": 30,
        "header": "",
        "size": None,
        "measure": "chars",
        "budget_includes_context": False,
    }


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (1, [(1, 1)]),
        (29, [(1, 29)]),
        (60, [(1, 60)]),
        (61, [(1, 60), (46, 61)]),
        (120, [(1, 60), (46, 105), (91, 120)]),
    ],
)
def test_windows_overlap_by_fifteen_lines(count: int, expected: list[tuple[int, int]]) -> None:
    """Stride 45, and no window whose lines were all there before."""
    assert ranges(LineChunker().chunk(lines(count))) == expected


def test_five_hundred_lines_are_eleven_windows() -> None:
    """The last one ends with the text."""
    found = ranges(LineChunker().chunk(lines(500)))
    assert len(found) == 11
    assert found[-1] == (451, 500)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_end_ends_a_line(end: str) -> None:
    """Windows are the same, verbatim, and without the last line's end."""
    text = lines(120, end)
    chunking = LineChunker().chunk(text)
    assert ranges(chunking) == [(1, 60), (46, 105), (91, 120)]
    assert chunking[1].text.startswith(f"line 46{end}line 47{end}")
    assert chunking[2].text.endswith(f"line 119{end}line 120")
    assert chunking[1].overlap == len(f"{end}".join(f"line {n}" for n in range(46, 61)))


def test_a_short_document_is_one_chunk_without_a_header() -> None:
    """Fewer lines than the minimum: unchanged, whatever the header."""
    chunking = LineChunker(header="page 1").chunk("  a\n\n\tb")
    assert [(c.text, c.carry, c.kind) for c in chunking] == [("  a\n\n\tb", "", "window")]


def test_a_header_goes_to_carry() -> None:
    """The text stays verbatim; a document's own header wins over the option."""
    chunker = LineChunker(header="page 1")
    assert {chunk.carry for chunk in chunker.chunk(lines(70))} == {"page 1\n"}
    own = Document(lines(70), metadata={"header": "page 2\n"})
    assert {chunk.carry for chunk in chunker.chunk(own)} == {"page 2\n"}


def test_a_cap_makes_windows_of_fewer_lines() -> None:
    """As many whole lines as fit, half of them repeated at most, each window with a new one."""
    chunking = LineChunker(size=25, min_lines=0).chunk("0123456\n" * 8)
    assert all(len(chunk.text) <= 25 for chunk in chunking)
    assert ranges(chunking) == [(1, 3), (3, 5), (5, 7), (7, 8)]


def test_a_line_over_the_cap_is_cut() -> None:
    """Its neighbours stay whole lines."""
    chunking = LineChunker(size=10, overlap=0, min_lines=0).chunk("ab cd\n" + "x" * 25 + "\nef")
    assert chunking.texts == ("ab cd", "x" * 10, "x" * 10, "x" * 5, "ef")
    assert ranges(chunking) == [(1, 1), (2, 2), (2, 2), (2, 2), (3, 3)]


def test_one_huge_line_is_cut_under_a_cap_and_whole_without() -> None:
    """A minified file has one line."""
    text = "a;" * 50_000
    assert LineChunker().split_text(text) == [text]
    assert max(map(len, LineChunker(size=1000).split_text(text))) == 1000


def test_windows_of_blank_lines_are_left_out() -> None:
    """Neither a blank window nor one that only repeats and adds blank lines."""
    text = lines(60) + "\n" * 200 + lines(5)
    found = ranges(LineChunker(lines=60, overlap=15).chunk(text))
    assert found[0] == (1, 60)
    assert found[-1][1] == 265
    assert len(found) == 2
    assert LineChunker().split_text("\n \n\t\n") == []


def test_empty_lines_at_a_windows_end_have_no_text() -> None:
    """A chunk ends with the last line that has any; blank lines inside and before stay."""
    chunking = LineChunker(lines=3, overlap=0, min_lines=0).chunk("a\n\n\n\nb\n  \nc")
    assert chunking.texts == ("a", "\nb\n  ", "c")


@pytest.mark.parametrize("overlap", [-1, 3, 7])
def test_any_overlap_makes_progress(overlap: int) -> None:
    """Negative is none; as much as a window, or more, is half of it."""
    starts = [
        c.start_line for c in LineChunker(lines=3, overlap=overlap, min_lines=0).chunk(lines(7))
    ]
    assert starts == ([1, 4, 7] if overlap < 0 else [1, 3, 5])


@pytest.mark.parametrize(
    ("option", "value"),
    [("lines", 0), ("size", 0), ("header", None), ("min_lines", "x"), ("measure", 1)],
)
def test_a_wrong_value_names_its_option(option: str, value: Any) -> None:
    """The error carries the option and the value."""
    with pytest.raises(ConfigError) as caught:
        LineChunker(**{option: value})
    assert (caught.value.option, caught.value.value) == (option, value)


def test_tokens_cap_a_window_too() -> None:
    """CAP is checked in the measure on every window."""
    chunking = LineChunker(size=40, measure="tokens", min_lines=0).chunk(lines(200))
    assert all(chunk.size <= 40 for chunk in chunking)
    assert min(chunk.size for chunk in chunking[:-1]) > 25
