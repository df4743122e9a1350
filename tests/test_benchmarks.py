"""The benchmarks: that the checkers of other splitters' output find what is wrong with it, that
texts and edits are the same every time, and that the script runs. No test asserts a time.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from benchmark_rooms import CIRCUMSTANCES, ROOT, load

checks, corpora, peers, ours = map(load, ("checks", "corpora", "peers", "peers.ours"))
growth, page, speed, stability = map(load, ("growth", "page", "speed", "stability"))
code, timing, vocabulary = map(load, ("page.code", "timing", "vocabulary"))
saving, words = map(load, ("saving", "page.words"))
Pieces = checks.Pieces

TEXT = "One sentence. Another one.\n\nA third, and a cafe\u0301. 👩🏽‍💻 sat there. The end."
SPANS = [(0, 13), (14, 26), (28, 49), (50, 65), (66, 74)]
CHARACTERS, LINES = peers.CHARACTERS, peers.LINES


def sliced(spans: list[tuple[int, int]] = SPANS) -> list[str]:
    """The chunks that spans of TEXT stand for."""
    return [TEXT[start:end] for start, end in spans]


def found(pieces: Any, text: str = TEXT, size: int = 25) -> dict[str, str]:
    """Every promise that is not kept, with the reason."""
    spans = checks.located(text, pieces)
    verdicts = checks.promises(text, pieces, spans, size, len)
    return {name: why for name, why in verdicts.items() if why not in (True, None)}


def test_sound_output_passes_every_check() -> None:
    """Nothing is found in slices that cover the text, with offsets or without."""
    assert found(Pieces(sliced(), SPANS)) == {}
    assert found(Pieces(sliced())) == {}
    assert checks.offsets_true(TEXT, Pieces(sliced())) is None


def test_a_dropped_chunk_is_found() -> None:
    """The characters of a chunk left out are counted as lost, white space not."""
    chunks = sliced()
    del chunks[1]
    lost = {"covers": "11 of 60 non-white characters are in no chunk"}
    assert found(Pieces(chunks)) == lost


def test_a_dropped_end_is_found() -> None:
    """Text after the last chunk is lost too."""
    assert found(Pieces(sliced()[:-1])) == {
        "covers": "7 of 60 non-white characters are in no chunk"
    }


def test_a_chunk_over_the_cap_is_found() -> None:
    """The largest is named."""
    assert found(Pieces([TEXT]), size=20) == {"cap": "1 of 1 chunks over 20, the largest 74"}


def test_a_wrong_offset_is_found() -> None:
    """One offset off by one; the chunk is placed by its text instead."""
    spans = [SPANS[0], (15, 27), *SPANS[2:]]
    assert found(Pieces(sliced(), spans)) == {"offsets": "1 of 5 offsets do not give the chunk"}


def test_changed_white_space_is_no_loss_but_not_verbatim() -> None:
    """A splitter that joins lines keeps the words and changes the text."""
    chunks = ["One sentence. Another one. A third, and", *sliced([(41, 49), *SPANS[3:]])]
    assert found(Pieces(chunks), size=40) == {"verbatim": "1 of 4 chunks are no slice of the text"}


def test_changed_words_are_found() -> None:
    """Another word is both a loss and a change."""
    chunks = [*sliced()[:-1], "Das Ende"]
    assert set(found(Pieces(chunks))) == {"covers", "verbatim"}


def test_half_a_character_decoded_as_a_replacement_loses_only_that_character() -> None:
    """Cutting between the tokens of one emoji loses it, not the chunk around it."""
    assert checks.covers("ab👍cd", ["ab\ufffd", "\ufffdcd"]) == (
        "1 of 5 non-white characters are in no chunk"
    )


def test_a_chunk_inside_its_neighbour_is_found() -> None:
    """By offsets, and where there are none, by the place of its text."""
    spans = [*SPANS[:2], (18, 26), *SPANS[2:]]
    nested = {"order": "1 of 6 chunks lie inside a neighbour"}
    assert found(Pieces(sliced(spans), spans)) == nested
    assert found(Pieces(sliced(spans))) == nested


@pytest.mark.parametrize(
    ("text", "edge"),
    [("cafe\u0301 bar", 4), ("a👩🏽‍💻b", 2), ("a\r\nb", 2), ("x🇩🇪🇫🇷y", 2), ("x🇩🇪🇫🇷y", 4)],
)
def test_a_cut_inside_a_cluster_is_found(text: str, edge: int) -> None:
    """Combining marks, joined emoji, CRLF and flags."""
    spans = [(0, edge), (edge, len(text))]
    verdict = checks.whole_clusters(text, spans)
    assert verdict == "1 of 3 edges inside a grapheme cluster"


def test_cuts_between_clusters_are_not_blamed() -> None:
    """Between two flags, and after a combining mark."""
    assert checks.whole_clusters("x🇩🇪🇫🇷y", [(0, 3), (3, 6)]) is True
    assert checks.whole_clusters("cafe\u0301 bar", [(0, 5), (5, 9)]) is True


def test_a_blank_chunk_is_found() -> None:
    """Empty, or only white space."""
    verdict = checks.no_blanks(["a", "", " \n"])
    assert verdict == "2 of 3 chunks are blank"


def test_repeated_text_is_placed_without_gaps() -> None:
    """A sentence that comes back is placed where it continues, not where it came first."""
    text = "Again. Other. Again. Again. Last."
    spans = [(0, 13), (7, 20), (21, 27), (28, 33)]
    chunks = [text[start:end] for start, end in spans]
    assert checks.aligned(text, chunks) == spans
    assert checks.covers(text, chunks) is True
    assert checks.mean_overlap(spans) == 2.0


@pytest.mark.parametrize("name", list(corpora.MADE))
def test_made_texts_are_the_same_every_time(name: str) -> None:
    """At least as long as asked, whole paragraphs, and equal in two makings."""
    text = corpora.MADE[name](20_000)
    assert 19_990 <= len(text) < 24_000
    assert text == corpora.MADE[name](20_000)


def test_prose_is_long_lines_and_wrapped_is_short_ones() -> None:
    """The same words: a paragraph a line, at most 80 columns, or all in one line."""
    prose, wrapped, unbroken = (
        corpora.MADE[name](20_000) for name in ("prose", "wrapped", "unbroken")
    )
    assert prose.isascii()
    assert prose.split() == wrapped.split() == unbroken.split()
    assert max(map(len, wrapped.splitlines())) <= 80
    assert max(map(len, prose.splitlines())) > 400
    assert "\n" not in unbroken


def test_mixed_text_has_every_language() -> None:
    """At least one sentence of each file, and of English."""
    text = corpora.mixed(100_000)
    files = list(corpora.LANGUAGES.glob("*.txt"))
    assert len(files) == 9
    for file in files:
        assert any(line in text for line in file.read_text(encoding="utf-8").splitlines()), file


def test_files_are_read_as_they_are(tmp_path: Path) -> None:
    """Line ends stay, so that what is measured is what is in the file."""
    file = tmp_path / "mine.txt"
    file.write_bytes("é\r\nb\r".encode())
    assert corpora.from_files([file]) == [corpora.Corpus("mine.txt", "é\r\nb\r")]


def test_contestants_take_turns() -> None:
    """A B A B, each made anew for every call."""
    seen: list[str] = []

    def make(name: str) -> Any:
        seen.append(f"make {name}")
        return lambda: seen.append(name)

    best = timing.interleaved({"A": lambda: make("A"), "B": lambda: make("B")}, 2)
    assert seen == ["make A", "A", "make B", "B"] * 2
    assert all(seconds >= 0 for seconds in best.values())


def test_a_slow_contestant_gets_a_part() -> None:
    """No time at all: the smallest part. Time enough: the whole, after every smaller part."""
    tried: list[int] = []

    def make(length: int) -> Any:
        return lambda: lambda: tried.append(length)

    assert timing.part_in_time(make, 1_000, 0.0) == 5
    assert timing.part_in_time(make, 1_000, float("inf")) == 1_000
    assert tried == [5, 5, 10, 20, 50, 100, 200, 500]


def test_edits_are_small_and_the_same_every_time() -> None:
    """Insertions, deletions and replacements in turn, of 1 to 40 code points."""
    edits = stability.edits("a" * 500, "b" * 500, 30)
    assert edits == stability.edits("a" * 500, "b" * 500, 30)
    for number, edit in enumerate(edits):
        assert (edit.start == edit.end) == (number % 3 == 0)
        assert (edit.text == "") == (number % 3 == 1)
        assert edit.end - edit.start <= 40
        assert len(edit.text) <= 40
    assert stability.Edit(1, 3, "xyz").apply("abcd") == "axyzd"


def test_the_share_kept_counts_equal_chunks_one_by_one() -> None:
    """Two of three equal chunks are left: two of four are kept."""
    assert stability.share_kept(["a", "a", "a", "b"], ["a", "c", "a"]) == 0.5
    assert stability.share_kept([], ["a"]) == 1.0


def test_chunks_behind_an_edit_stay_where_lines_are_the_chunks() -> None:
    """Cutting at every line feed is as stable as can be; ids and texts are both understood."""
    lines = peers.Contestant("lines", "", "texts", lambda: str.splitlines, Pieces)
    text = "\n".join(f"line number {number}" for number in range(1_000))
    (line,) = stability.measure(corpora.Corpus("lines", text), CHARACTERS, [lines], count=9)
    assert line["kept_behind"] > 0.999  # an edit may take a line feed and join two lines
    assert 0.99 < line["kept"] < 1.0
    assert line["edits"] == 9
    chunker = ours.text_chunker.contestant(CHARACTERS)
    (line,) = stability.measure(corpora.Corpus("lines", text), CHARACTERS, [chunker], count=3)
    assert line["told_apart_by"] == "ids"
    assert 0 < line["kept"] < 1


def test_an_absent_peer_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """The rest goes on without it; without chunkwright there is nothing to compare with."""

    def of(package: str) -> Any:
        def absent(_: Any) -> Any:
            raise ModuleNotFoundError(f"No module named '{package}'", name=package)

        return peers.peer("absent", package)(absent)

    assert list(peers.entered(of("nowhere"), LINES)) == []
    assert capsys.readouterr().err == "left out: absent: No module named 'nowhere'\n"
    with pytest.raises(ModuleNotFoundError):
        list(peers.entered(of("chunkwright"), CHARACTERS))


def test_a_peer_that_fails_is_a_line_of_its_own() -> None:
    """Its error is the result, and the others are measured."""

    def fail(_: str) -> Any:
        raise ValueError("too long")

    broken = peers.Contestant("broken", "", "texts", lambda: fail, Pieces)
    chunker = ours.text_chunker.contestant(CHARACTERS)
    corpus = corpora.Corpus("prose", corpora.prose(5_000))
    lines = list(speed.measure("characters", corpus, CHARACTERS, [chunker, broken], 1))
    assert [line.get("failed") for line in lines] == [None, "ValueError: too long"]
    assert (lines[0]["ratio"], lines[1]["ratio"]) == (1.0, None)


def run(*arguments: str) -> list[dict[str, Any]]:
    """The runner's lines for texts."""
    command = [sys.executable, "-m", "benchmarks", "text", *arguments]
    ran = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, encoding="utf-8")
    return [json.loads(line) for line in ran.stdout.splitlines()]


def test_the_script_measures_whoever_is_installed() -> None:
    """A tiny text: chunkwright keeps what is checked on every text, in characters and lines."""
    lines = run("--size-mb", "0.02", "--rounds", "1", "--only", "characters", "lines")
    own = [line for line in lines if line["distribution"] == "chunkwright"]
    measured = {(line["what"], line["corpus"]) for line in own}
    texts = {"prose", "wrapped", "mixed"}
    assert measured == {("characters", text) for text in texts} | {("lines", "wrapped")}
    for line in own:
        assert line["chunks"] > 3
        assert line["promises"].pop("offsets") is True
        assert set(line["promises"].values()) == {True}, line
    references = [line for line in own if line["chunker"] == ours.TEXT_REFERENCE]
    assert [line["ratio"] for line in references] == [1.0, 1.0, 1.0]


def test_the_script_takes_files_and_names(tmp_path: Path) -> None:
    """--text instead of the made texts; --only keeps the reference beside those asked for."""
    file = tmp_path / "mine.txt"
    file.write_text(corpora.prose(5_000))
    options = ("--text", str(file), "--rounds", "1", "--only", "characters", "RecursiveChunker")
    lines = run(*options)
    assert {line["corpus"] for line in lines} == {"mine.txt"}
    assert [line["chunker"] for line in lines[:2]] == [
        "chunkwright TextChunker",
        "chunkwright RecursiveChunker",
    ]


@pytest.mark.skipif(
    not (find_spec("quicktok") and find_spec("tiktoken")), reason="needs the bench extra"
)
def test_both_tokenizers_have_the_same_vocabulary() -> None:
    """tiktoken is given quicktok's, without a network."""
    text = corpora.mixed(5_000)
    whole = vocabulary.quick_encoding("cl100k").encode_ordinary(text)
    assert vocabulary.tiktoken_encoding("cl100k").encode_ordinary(text) == whole
    assert vocabulary.counter("cl100k")(text) == len(whole)


@pytest.mark.skipif(not find_spec("quicktok"), reason="needs the bench extra")
def test_tokens_growth_and_memory_are_measured() -> None:
    """A tiny text: every subject at four lengths, and what it takes in memory."""
    lines = run("--size-mb", "0.02", "--rounds", "1", "--only", "tokens", "growth", "memory")
    by_what = {what: [x for x in lines if x["what"] == what] for what in ("growth", "memory")}
    subjects = len(growth.TEXT_SUBJECTS)
    assert len(by_what["growth"]) == subjects * 4 * 2
    assert len(by_what["memory"]) == subjects * 2
    assert all(line["traced_peak"] >= line["traced_kept"] > 0 for line in by_what["memory"])
    assert [x["ratio"] for x in lines if x["chunker"] == ours.TEXT_REFERENCE and "ratio" in x] == [
        1.0
    ] * 3


def test_the_page_is_what_the_saved_results_say() -> None:
    """docs/benchmarks.md is generated; `python -m benchmarks page` writes it anew."""
    saved = saving.saved()
    assert page.PAGE.read_text(encoding="utf-8") == page.page(saved)
    drawn = {file.name: file.read_text(encoding="utf-8") for file in page.PLOTS.glob("*.svg")}
    assert drawn == load("page.plots").drawn(saved)


def test_the_page_says_who_is_faster_and_what_is_broken() -> None:
    """A faster peer that loses text is named as such, and so is one that fails."""
    common: dict[str, Any] = {
        "what": "characters",
        "corpus": "prose",
        "distribution": "p",
    }
    common |= {"note": "", "returned": "texts", "megabytes": 1.0, "megabytes_per_second": 2.0}
    common |= CIRCUMSTANCES
    good: dict[str, Any] = {
        "chunks": 5,
        "mean_overlap": 0.0,
        "promises": {"covers": True, "offsets": None},
    }
    bad = good | {"promises": {"covers": "9 of 10 lost"}}
    lines = [
        common | good | {"chunker": "ours", "distribution": "chunkwright", "ratio": 1.0},
        common | good | {"chunker": "quick", "ratio": 3.0},
        common | bad | {"chunker": "hasty", "ratio": 4.0},
        common | good | {"chunker": "slow", "ratio": 0.5},
        common | {"chunker": "dead", "failed": "E: no", "promises": {}, "chunks": None},
    ]
    shown = page.page(lines)
    assert "Faster than ours, with nothing found broken: quick (3.00)." in shown
    assert "Faster, with something broken: hasty (4.00)." in shown
    assert "Slower: slow (0.50)." in shown
    assert "- hasty, covers: 9 of 10 lost." in shown
    assert "- dead failed: `E: no`." in shown
    assert "| hasty | 4.00 | 2.0 | 1.00 | 5 | 0 | texts | covers |" in shown


CODE: dict[str, Any] = CIRCUMSTANCES | {
    "corpus": "go, things",
    "language": "go",
    "files": 7,
    "distribution": "p",
    "note": "",
}


def test_the_page_has_a_section_for_every_measurement() -> None:
    """A section of the template that lost its place would leave the page without a word."""
    assert set(words.SECTIONS) == set(page.SECTIONS)


def test_the_page_renders_without_the_lines_of_some_sections() -> None:
    """One line is enough, even one that names no version and no rounds."""
    line = CIRCUMSTANCES | {"what": "symbols", "corpus": "mine", "language": "sql", "files": 3}
    line |= {"functions": 0, "function_recall": None, "types": 3, "type_recall": 2 / 3}
    shown = page.page([line | {"symbols": 2, "precision": 1.0}])
    assert "| sql | Universal Ctags | 3 |  | 66.66% of 3 | 100.00% of 2 |" in shown
    assert "## Source code: speed" not in shown


@pytest.mark.parametrize(
    ("share", "down", "up"),
    [
        (1.0, "100.00%", "100.00%"),
        (0.99998, "99.99%", "100.00%"),
        (0.57, "57.00%", "57.00%"),
        (0.00001, "0.00%", "0.01%"),
        (0.0, "0.00%", "0.00%"),
        (None, "", ""),
    ],
)
def test_shares_are_rounded_to_the_worse_side(share: float | None, down: str, up: str) -> None:
    """All but one is not 100%; one of many is not 0%."""
    assert code.percent(share) == down
    assert code.percent(share, math.ceil) == up


def test_the_page_says_which_parser_found_the_functions() -> None:
    """The languages that Universal Ctags is not asked about are those of definitions.py."""
    definitions = load("definitions")
    assert set(code.OTHER_PARSERS) == set(definitions.LANGUAGES) - set(definitions.TONGUES)


def test_the_page_says_who_keeps_more_functions_whole() -> None:
    """By the exact share, though the rounded ones are the same; and who refused files."""
    counts = CODE | {"what": "whole functions", "functions": 60_000, "under_100": 0.001}
    counts |= {"lost": 12_345, "over_cap": 6, "chunks": 1_000, "median_fill": 0.746}
    ours = counts | {"chunker": "ours", "distribution": "chunkwright", "whole": 0.99997}
    finer = ours | {"chunker": "finer", "whole": 1.0}
    better = counts | {"chunker": "better", "whole": 0.99998, "failed_files": 2}
    shown = page.page([ours, finer, better, counts | {"chunker": "worse", "whole": 0.9}])
    assert "60,000 functions in 7 files, found by `go/parser`." in shown
    assert "| **ours** | 99.99% | 0.10% | 12,345 | 6 | 1,000 | 0.75 |" in shown
    assert "More functions whole than ours keeps: better (99.99%)." in shown
    assert "- better, files refused and left out of its counts: 2." in shown
    shown = page.page([ours, counts | {"chunker": "worse", "whole": 0.9}])
    assert "No peer keeps more functions whole than ours." in shown


def test_the_page_says_how_fast_code_is_cut() -> None:
    """Beside the bare parse and beside ours; the bare parse itself is no peer."""
    speed = CODE | {"what": "code", "returned": "texts", "megabytes": 2.5, "rounds": 4}
    speed |= {"megabytes_per_second": 5.0, "chunks": 9, "promises": {"cap": True}}
    ours = {"chunker": "ours", "distribution": "chunkwright", "ratio": 1.0}
    reason = {"cap": "in 1 of 7 files, as a.go: too long"}
    lines = [
        speed | ours | {"speed_of_bare_parse": 0.4},
        speed | {"chunker": "hasty", "ratio": 2.0, "speed_of_bare_parse": 0.8, "promises": reason},
        speed
        | {"chunker": "dead", "failed": "E: no", "promises": {}, "chunks": None, "ratio": None},
        speed | {"chunker": "parse", "ratio": 2.5, "speed_of_bare_parse": 1.0, "chunks": None},
    ]
    shown = page.page(lines)
    assert "### Speed: go, things\n\n7 files, 2.50 MB; the shortest time of 4 rounds." in shown
    assert "| **ours** | 0.40 | 1.00 | 5.0 | 2.50 | texts |  |" in shown
    assert "| hasty | 0.80 | 2.00 | 5.0 | 2.50 | texts | cap |" in shown
    assert "\n\nFaster, with something broken: hasty (2.00).\n\n" in shown
    assert "- hasty, cap: in 1 of 7 files, as a.go: too long.\n- dead failed: `E: no`." in shown


def test_the_page_says_what_a_second_process_brings() -> None:
    """A row for each number of processes."""
    line = CODE | {"what": "code in processes", "chunker": "many", "megabytes_per_second": 3.0}
    shown = page.page([line | {"speed_of_one_process": 1.75, "rounds": 3}])
    assert "| go, things | many | 3.0 | 1.75 |" in shown
