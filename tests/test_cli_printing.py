"""How answers and chunks look in text: exact places, honest names, nothing a terminal obeys."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright.cli import answers, printing
from chunkwright.index import words_of
from chunkwright.types import Chunk, Hit, Symbol


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


Look = Callable[[], Terminal]


@pytest.fixture
def look(monkeypatch: pytest.MonkeyPatch) -> Iterator[Look]:
    """Makes stdout a terminal of 60 columns with colours; called in the test itself, for pytest
    puts its own stdout in place between a fixture and its test."""
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "60")
    with monkeypatch.context() as patch:

        def start() -> Terminal:
            stream = Terminal()
            patch.setattr("sys.stdout", stream)
            return stream

        yield start


def made(text: str = "x", line: int = 1, **fields: object) -> Chunk:
    facts = {"path": "src/a.py", "kind": "symbol", **fields}
    last = line + text.count("\n")
    return Chunk(text, 0, len(text), line, last, **facts)  # type: ignore[arg-type]  # by name


def symbol(name: str) -> Symbol:
    return Symbol(name, "Function", 0, 1, 1, 1)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\tb\nc", "a\tb\nc"),
        ("\x1b[31mred", "␛[31mred"),
        ("\x9b31m", "\\u009b31m"),
        ("a\x00\x07\x7f\r", "a␀␇␡␍"),
        ("if \u202ex\u2066y", "if \\u202ex\\u2066y"),
        ("name\udcff", "name\ufffd"),
        ("日本 👨‍👩‍👧 e\u0301 é", "日本 👨‍👩‍👧 e\u0301 é"),
    ],
)
def test_harmless_shows_what_a_terminal_would_obey(text: str, shown: str) -> None:
    """Control characters, bidirectional overrides and lone surrogates are made visible; text of
    every script stays as it is."""
    assert printing.harmless(text) == shown


@given(st.text(alphabet=st.characters(categories=["Cc", "Cs", "L", "Zl", "Zp"])))
def test_one_line_is_one_line(text: str) -> None:
    """Whatever the text, it comes out as one line without control characters, and as UTF-8."""
    line = printing.one_line(text)

    assert len(line.splitlines()) <= 1
    assert not [character for character in line if ord(character) < 0x20 and character != "\t"]
    line.encode()


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"line": 3, "text": "a\nb"}, "src/a.py:3-4"),
        ({"path": "n.ipynb", "cell": 2, "text": "a"}, "n.ipynb[cell 2]:1-1"),
        ({"path": "", "text": "a"}, "<text>:1-1"),
        ({"path": "a\x1b[0m\nb"}, "a␛[0m b:1-1"),
    ],
)
def test_a_place_is_a_path_and_its_lines(fields: dict[str, object], place: str) -> None:
    """`path:start-end`, which editors and terminals know how to open."""
    assert printing.place(made(**fields)) == place  # type: ignore[arg-type]  # by name


@pytest.mark.parametrize(
    ("fields", "title"),
    [
        ({"name": "Server.Listen", "symbol_kind": "Method"}, "Server.Listen"),
        ({"name": "run", "symbol_kind": "Function", "part": 1, "parts": 3}, "run (part 2 of 3)"),
        ({"name": "B", "kind": "section", "breadcrumb": ("A", "B")}, "A > B"),
        ({"name": "m", "symbol_kind": "Method", "breadcrumb": ("K",)}, "m"),
        ({"kind": "code", "symbols": (symbol("a"), symbol("b"))}, "a, b"),
        ({"kind": "code", "symbols": tuple(map(symbol, "abcde"))}, "a, b, c and 2 more"),
        ({"kind": "segment"}, ""),
    ],
)
def test_a_title_says_what_the_chunk_is(fields: dict[str, object], title: str) -> None:
    """A symbol's name, headings from the outside in, or the symbols packed together."""
    assert printing.title(made(**fields)) == title  # type: ignore[arg-type]  # by name


def test_a_chunk_as_text_is_a_heading_and_its_lines(capsys: pytest.CaptureFixture[str]) -> None:
    """Lines of CRLF and lone CR are lines; tabs are expanded; long lines are not wrapped."""
    long = "y" * 500
    printing.chunk_text(made(name="f", size=9, overlap=2), f"a\r\n\tb\rc\n\n{long}")

    assert capsys.readouterr().out == (
        f"src/a.py:1-1  symbol  f  9 long  overlap 2\n    a\n        b\n    c\n\n    {long}\n\n"
    )


def test_a_table_is_aligned_by_width_on_screen(capsys: pytest.CaptureFixture[str]) -> None:
    """Wide characters count two columns; the header is left out of a pipe."""
    printing.table([("日本", "x"), ("a", "y\n")], header=("name", "what"), indent="  ")

    assert capsys.readouterr().out == "  日本  x\n  a     y\n"


def test_a_table_has_a_header_on_a_terminal(look: Look) -> None:
    """Somebody who looks is told what the columns are."""
    terminal = look()
    printing.table([("a", "b")], header=("name", "what"))

    assert "name  what" in terminal.getvalue()


def test_json_of_a_name_that_is_no_unicode_is_valid(capsys: pytest.CaptureFixture[str]) -> None:
    """A lone surrogate would make the line undecodable: it is replaced."""
    printing.json_line({"path": "a\udcff", "lines": [1, None, ("b\udcff",)], "text": "é\n\x1b"})

    out = capsys.readouterr().out
    assert out.count("\n") == 1
    assert json.loads(out) == {"path": "a?", "lines": [1, None, ["b?"]], "text": "é\n\x1b"}


@pytest.mark.parametrize(
    ("talk", "said"),
    [
        (printing.Talk(), "note\nwarning: w\nerror: e\n"),
        (printing.Talk(verbose=True), "detail\nnote\nwarning: w\nerror: e\n"),
        (printing.Talk(quiet=True), "error: e\n"),
        (printing.Talk(verbose=True, quiet=True), "error: e\n"),
    ],
)
def test_talk_goes_to_stderr_as_far_as_asked(
    talk: printing.Talk, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Quiet leaves errors, verbose adds details; stdout gets nothing."""
    talk.detail("detail")
    talk.note("note")
    talk.warning("w")
    talk.error("e")

    assert capsys.readouterr() == ("", said)


BODY = "\n".join(
    ["def f():", *(f"    step_{number}()" for number in range(20)), "    return needle"]
)


def test_a_snippet_is_where_the_words_are() -> None:
    """The lines with most of the query's words are shown, with their numbers in the file."""
    hit = Hit(made(BODY, line=10), 1.0)

    found = answers.excerpt(hit, words_of("where is the needle"))

    assert found.first_line == 26
    assert found.lines[-1] == "return needle"
    assert len(found.lines) == answers.SNIPPET_LINES


def test_a_snippet_prefers_different_words_to_repeated_ones() -> None:
    """Six lines of one word say less than one line with all of them."""
    rows = ["rope"] * 10 + ["x"] * 10 + ["rope anchor"] + ["x"] * 10
    hit = Hit(made("\n".join(rows)), 1.0)

    assert "rope anchor" in answers.excerpt(hit, words_of("anchor rope")).lines


def test_a_snippet_without_words_is_the_beginning() -> None:
    """Where no word of the query stands, the first lines say most: leading blank ones do not."""
    hit = Hit(made("\n\n  def f():\n      pass\n"), 1.0)

    assert answers.excerpt(hit, ("zzz",)) == (3, ["def f():", "    pass"])


def test_hits_in_a_pipe_are_plain(capsys: pytest.CaptureFixture[str]) -> None:
    """`path:start-end  symbol` and an indented snippet, whatever the width: no colours, no
    wrapping, no ranks."""
    long = "needle " * 60
    hits = [
        Hit(made(f"def f():\n\treturn {long}", name="f", symbol_kind="Function"), 0.9),
        Hit(made("text\x1b[2J", line=7, path="b.md", kind="segment"), 0.1),
    ]
    answers.show(hits, "needle")

    assert capsys.readouterr().out == (
        f"src/a.py:1-2  f\n    def f():\n        return {long.rstrip()}\nb.md:7-7\n    text␛[2J\n"
    )


def test_hits_on_a_terminal_fit_its_width(look: Look) -> None:
    """Rank, place, symbol, kind and score; code lines are cut off at the edge, not wrapped."""
    terminal = look()
    chunk = made("needle " + "w" * 200, name="f", symbol_kind="Function")
    answers.show([Hit(chunk, 0.51234)], "needle")

    heading, code, *_ = terminal.getvalue().split("\n")
    for part in (" 1", "src/a.py:1-1", "f", "function", "0.512"):
        assert part in heading
    assert "\x1b[1;32mneedle\x1b[0m" in code
    assert code.endswith("…")
    assert "w" * 61 not in code


def test_no_color_is_honoured(look: Look, monkeypatch: pytest.MonkeyPatch) -> None:
    """With NO_COLOR set a terminal gets no colour codes."""
    terminal = look()
    monkeypatch.setenv("NO_COLOR", "1")
    answers.show([Hit(made("needle"), 0.5)], "needle")

    assert "needle" in terminal.getvalue()
    assert "\x1b[3" not in terminal.getvalue()
    assert ";3" not in terminal.getvalue()


def test_markup_in_a_source_is_text(look: Look) -> None:
    """Square brackets and emoji names mean nothing: sources are full of them."""
    terminal = look()
    answers.show([Hit(made("x[bold] = :smile: [/bold]"), 0.5)], "zzz")

    assert "x[bold] = :smile: [/bold]" in terminal.getvalue()


def test_a_hit_as_json_has_everything() -> None:
    """Rank, score, the share of each signal, every field of each chunk, and the covered lines."""
    chunk = made("x", name="f")
    other = made("y", line=3)
    hit = Hit(chunk, 0.5, {"words": 0.2, "vectors": 0.3}, merged=(other,), stale="changed")

    assert answers.as_json(hit, 1, list="tests") == {
        "rank": 1,
        "list": "tests",
        "score": 0.5,
        "reasons": {"words": 0.2, "vectors": 0.3},
        "raw": {},
        "chunk": chunk.as_dict(),
        "merged": [other.as_dict()],
        "citations": [],
        "before": [],
        "after": [],
        "density": "",
        "shown": "",
        "stale": "changed",
        "start_line": 1,
        "end_line": 3,
    }


def test_a_long_line_shows_the_part_that_was_asked_for(look: Look) -> None:
    """Not its beginning; the word is marked where it stands, indentation and all."""
    terminal = look()
    answers.show(
        [Hit(made("    short needle\n" + "w " * 200 + "needle " + "w " * 200), 0.5)], "needle"
    )
    _, short, long, *_ = terminal.getvalue().split("\n")
    assert short.endswith("short \x1b[1;32mneedle\x1b[0m")
    assert "…w w" in long
    assert " \x1b[1;32mneedle\x1b[0m w" in long


def test_an_answer_of_several_parts_tells_all_of_its_lines(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """And which parts they are."""
    parts = [
        made(f"part {at}", line=at, name="f", symbol_kind="Function", part=at, parts=4)
        for at in (1, 2)
    ]
    answers.show([Hit(parts[1], 0.5, merged=(parts[0],))], "zzz")
    assert capsys.readouterr().out == "src/a.py:1-2  f (parts 2-3 of 4)\n    part 2\n"


def test_neighbours_are_dim_on_a_terminal(look: Look) -> None:
    """With the numbers of their lines, each line once."""
    terminal = look()
    before, after = made("a\nb", line=1), made("e", line=5)
    answers.show([Hit(made("b\nc", line=2), 0.5, before=(before,), after=(after,))], "zzz")
    rows = terminal.getvalue().split("\n")[1:6]
    assert [row.split("│ ")[1] for row in rows] == [
        "\x1b[0m\x1b[2ma\x1b[0m",
        "\x1b[0mb",
        "\x1b[0mc",
        "\x1b[0m",
        "\x1b[0m\x1b[2me\x1b[0m",
    ]
    numbers = [row.split("│")[0].split("m")[-1].strip() for row in rows]
    assert numbers == ["1", "2", "3", "4", "5"]


def test_signals_are_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    """Wide ones are broken up; a signal that did nothing is only named."""
    hits = [
        Hit(made(), 1.0 - at / 10, {"words": 1.0, "test": -at / 10, "path": 0.0}, {"bm25": 2.0})
        for at in range(12)
    ]
    answers.show_signals(hits)
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows[0] == ["rank", *(str(at) for at in range(1, 11))]
    assert rows[3][:3] == ["test", "0", "-0.100"]
    assert rows[4] == ["bm25", *["2.000"] * 10]
    assert rows[6] == ["rank", "11", "12"]
    assert rows[-1] == ["without", "effect", "here:", "path"]


def test_what_is_wrong_with_an_answer_is_said(look: Look) -> None:
    """That its file has changed, that it is not shown whole; and where else it answers."""
    terminal = look()
    cited = [made("y", line=at, name=f"g{at}", symbol_kind="Function") for at in (5, 6, 7, 8)]
    hit = Hit(made(), 0.5, citations=tuple(cited), density="head", shown="x", stale="vanished")
    answers.show([hit], "zzz")
    said = terminal.getvalue()
    assert "shortened" in said
    assert "gone since it was indexed" in said
    assert "also 5-5 g5, 6-6 g6, 7-7 g7 and 1 more" in said
