"""A corpus cut by strategies: which files are in it, how strategies are named, and where the pieces
of other splitters stand.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.errors import ConfigError, PathError
from chunkwright.evaluation.corpus import corpus_of, of_texts, places, read_corpus
from chunkwright.evaluation.cutting import cut
from chunkwright.evaluation.foreign import NOT_FOUND, located
from chunkwright.evaluation.nouns import Asked
from chunkwright.evaluation.strategies import NAMES, of_factory, strategies, strategy
from chunkwright.measuring import resolve
from chunkwright.sources import Rules

CHARS = resolve("chars")

HANDBOOK = "# Ferry\r\n\r\nEvery twenty minutes. 🚢\r\n\r\n## In fog\r\n\r\nThe captain decides."
SOURCE = "import os\n\n\ndef first(a):\n    return a\n\n\ndef second(b):\n    return b\n"
NOTEBOOK = json.dumps(
    {
        "cells": [
            {"cell_type": "markdown", "source": ["# Fares\n"], "metadata": {}},
            {"cell_type": "code", "source": ["fare = 2"], "metadata": {}, "outputs": []},
        ],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
)
TEXTS = {"handbook.md": HANDBOOK, "src/ferry.py": SOURCE, "fares.ipynb": NOTEBOOK}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The texts as files, beside some that no index takes."""
    for path, text in TEXTS.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(text.encode("utf-8-sig"))
    (tmp_path / ".env").write_text("TOKEN=1")
    (tmp_path / "ship.png").write_bytes(b"\x89PNG\0")
    return tmp_path


# the corpus


def test_a_corpus_is_what_an_index_would_take(folder: Path) -> None:
    """Line ends are kept, a byte order mark is not; a notebook's text is that of its cells."""
    corpus = read_corpus(folder)

    assert corpus.texts == {
        "fares.ipynb": "# Fares\n\n\nfare = 2",
        "handbook.md": HANDBOOK,
        "src/ferry.py": SOURCE,
    }
    assert [document.path for document in corpus.documents] == list(corpus.texts)
    assert corpus.code_points == sum(map(len, corpus.texts.values()))
    assert corpus.notes == ()


def test_texts_by_path_are_the_same_corpus(folder: Path) -> None:
    """Read from files or given: the documents and texts are equal."""
    given_texts, read = corpus_of(TEXTS), corpus_of(folder)

    assert given_texts.texts == read.texts
    assert given_texts.documents == read.documents
    assert corpus_of(read) is read


def test_a_corpus_may_be_one_file_or_what_rules_leave(folder: Path) -> None:
    """A file by itself; and a folder by the rules of its configuration."""
    assert list(read_corpus(folder / "src" / "ferry.py").texts) == ["ferry.py"]
    assert list(read_corpus(folder, Rules(include=("*.md",))).texts) == ["handbook.md"]


@pytest.mark.parametrize(
    ("corpus", "said"),
    [
        ({}, "at least one text"),
        ({"a.md": 1}, "texts by path"),
        ({"../a.md": "x"}, "relative paths"),
        ({"/a.md": "x"}, "relative paths"),
        ({"a//b.md": "x"}, "relative paths"),
    ],
)
def test_texts_that_are_no_corpus_are_refused(corpus: dict[str, str], said: str) -> None:
    """No text, no path, or one that leads elsewhere."""
    with pytest.raises(ConfigError, match=said):
        corpus_of(corpus)


def test_a_corpus_without_files_is_refused(tmp_path: Path) -> None:
    """The error says what tells why."""
    (tmp_path / "a.png").write_bytes(b"\x89PNG\0")
    with pytest.raises(PathError, match=r"no file here that can be read; .*chunkwright explain"):
        read_corpus(tmp_path)
    with pytest.raises(PathError, match="no such file or folder"):
        read_corpus(tmp_path / "nowhere")


def test_a_corpus_of_white_space_is_refused(tmp_path: Path) -> None:
    """It is the corpus that is at fault, not the strategy that finds nothing to cut."""
    (tmp_path / "blank.md").write_text(" \n\n")
    (tmp_path / "empty.txt").write_text("")
    with pytest.raises(PathError, match="no file here that holds any text"):
        read_corpus(tmp_path)
    (tmp_path / "note.txt").write_text("Fog.")
    assert set(read_corpus(tmp_path).texts) == {"blank.md", "empty.txt", "note.txt"}


def test_documents_lie_side_by_side_without_touching() -> None:
    """A span that ends with one document does not join one that begins with the next."""
    assert places(of_texts({"a": "xx", "b": "yyy", "c": ""})) == {"a": 0, "b": 3, "c": 7}


# strategies


@pytest.mark.parametrize("name", NAMES)
def test_every_strategy_cuts_every_file_within_the_size(name: str) -> None:
    """Exact slices of the texts that references stand in, none over the cap."""
    corpus = of_texts(TEXTS)
    cutting = cut(corpus, strategy(name), Asked(40, CHARS))

    assert {chunk.path for chunk in cutting.chunks} == set(TEXTS)
    for chunk, size in zip(cutting.chunks, cutting.sizes, strict=True):
        assert corpus.texts[chunk.path][chunk.start : chunk.end] == chunk.text
        assert size == len(chunk.text) <= 40
    assert cutting.name == f"{name} 40"
    assert list(cutting.notes()) == []


@pytest.mark.parametrize("name", NAMES)
def test_every_strategy_can_do_without_a_cap(name: str) -> None:
    """A size of None leaves the cuts to the structure of a text, or leaves it whole."""
    cutting = cut(of_texts(TEXTS), strategy(name), Asked(None, CHARS))
    assert {chunk.path for chunk in cutting.chunks} == set(TEXTS)
    assert cutting.name == f"{name} none"


def test_auto_is_what_an_index_does() -> None:
    """The chunker for each language, a notebook cell by cell."""
    cutting = cut(of_texts(TEXTS), strategy("auto"), Asked(40, CHARS))

    assert list(cutting.chunks) == [
        chunk
        for path in sorted(TEXTS)
        for chunk in cw.chunk(TEXTS[path], path=path, size=40, overlap=0)
    ]


def test_no_cap_and_overlap_are_passed_on() -> None:
    """A size of None cuts by structure alone; overlap is an upper bound in the unit."""
    whole = cut(of_texts(TEXTS), strategy("markdown"), Asked(None, CHARS))
    assert [chunk.kind for chunk in whole.chunks if chunk.path == "handbook.md"] == ["section"] * 2
    assert whole.name == "markdown none"

    text = "one two three four five six seven"
    overlapping = cut(of_texts({"a.txt": text}), strategy("recursive"), Asked(12, CHARS, 6))
    assert overlapping.chunks[1].overlap > 0


def test_options_stand_in_the_name() -> None:
    """They win over what is asked for all, and tell rows apart."""
    named = strategies("recursive, recursive:overlap=6,keep_separator=true , symbol:whole_file=yes")
    assert [one.name for one in named] == [
        "recursive",
        "recursive:overlap=6,keep_separator=true",
        "symbol:whole_file=yes",
    ]
    text = "one two three four five six seven"
    chunks = cut(of_texts({"a.txt": text}), named[1], Asked(12, CHARS)).chunks
    assert chunks[1].overlap > 0


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("recursiv", "did you mean 'recursive'"),
        ("", "at least one"),
        ("auto,auto", "different strategies"),
        ("auto:overlap", "can be imported"),
        ("auto:=3", "options as in"),
        ("auto:size=3", "names without size"),
        ("no_such_module:factory", "ModuleNotFoundError"),
        ("math:pi", "function or a class"),
    ],
)
def test_a_name_that_is_no_strategy_is_refused(name: str, said: str) -> None:
    """With the nearest one, or with what is wrong."""
    with pytest.raises(ConfigError, match=said):
        [cut(of_texts(TEXTS), one, Asked(40, CHARS)) for one in strategies(name)]


def test_an_option_that_a_strategy_does_not_have_is_refused() -> None:
    """As by its chunker."""
    with pytest.raises(ConfigError, match="did you mean 'keep_separator'"):
        cut(of_texts(TEXTS), strategy("recursive:keep_seperator=true"), Asked(40, CHARS))


# splitters of others


def in_words(size: int) -> Callable[[str], list[str]]:
    return lambda text: [" ".join(text.split()[at : at + size]) for at in range(0, 99, size)]


class ByLength:
    """A splitter with `split_text`, as LangChain's have it."""

    def __init__(self, size: int, overlap: int, length: Callable[[str], int], mark: str) -> None:
        self.seen = (size, overlap, length("abc"), mark)

    def split_text(self, text: str) -> list[str]:
        size = self.seen[0]
        return [text[at : at + size] for at in range(0, len(text), size)]


def test_a_splitter_of_others_is_asked_with_what_it_takes() -> None:
    """`size` always, `overlap` and `length` where it has them, and its own options."""
    made: list[ByLength] = []

    def factory(size: int, overlap: int, length: Callable[[str], int], mark: str) -> ByLength:
        made.append(ByLength(size, overlap, length, mark))
        return made[-1]

    cutting = cut(of_texts(TEXTS), of_factory("mine", factory, mark="x"), Asked(20, CHARS, 5))

    assert made[0].seen == (20, 5, 3, "x")
    assert cutting.strategy == "mine"
    for path, text in of_texts(TEXTS).texts.items():
        assert "".join(chunk.text for chunk in cutting.chunks if chunk.path == path) == text


def test_a_factory_is_named_by_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`package.module:factory`, with options behind another colon."""
    (tmp_path / "my_splitters.py").write_text(
        "def lines(size, keep=False):\n    return lambda text: text.splitlines(keepends=keep)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    for name, first in (("lines", "# Ferry"), ("lines:keep=true", "# Ferry\r\n")):
        cutting = cut(of_texts(TEXTS), strategy(f"my_splitters:{name}"), Asked(20, CHARS))
        found = [chunk.text for chunk in cutting.chunks if chunk.path == "handbook.md"]
        assert found[0] == first


def test_a_chunker_of_ours_may_be_made_by_a_factory() -> None:
    """An object with `chunk(document)` gives its chunks as they are."""
    made = of_factory("mine", lambda size: cw.MarkdownChunker(size=size, overlap=0))
    cutting = cut(of_texts(TEXTS), made, Asked(40, CHARS))
    assert cutting.chunks[0].breadcrumb == ("Fares",)


class Nameless:
    """Gives chunks of ours, in its own unit and without their path."""

    def __init__(self, size: int) -> None:
        self._chunker = cw.LineChunker(lines=2, overlap=0, min_lines=0, measure="lines")

    def chunk(self, document: cw.Document) -> cw.Chunking:
        return self._chunker.chunk(document.text)


def test_chunks_of_a_factory_get_their_path_and_size() -> None:
    """Whatever it told of them: rows are compared in one unit, and files by their paths."""
    cutting = cut(of_texts(TEXTS), of_factory("mine", Nameless), Asked(40, CHARS))
    assert {chunk.path for chunk in cutting.chunks} == set(TEXTS)
    assert cutting.sizes == tuple(len(chunk.text) for chunk in cutting.chunks)


def test_pieces_that_are_not_in_the_text_are_counted() -> None:
    """One is left out and noted; where none stands there, that is an error."""
    corpus = of_texts({"a.txt": "one two three", "b.txt": "four"})
    some = of_factory("some", lambda size: lambda text: [text[:3], "gone", text[3:]])
    cutting = cut(corpus, some, Asked(40, CHARS))
    assert list(cutting.notes()) == [
        "2 of the 6 pieces of some 40 are not found in the text, in order, and are left out."
    ]
    with pytest.raises(ConfigError, match="none of its 2 pieces stands in the text"):
        cut(corpus, of_factory("none", lambda size: lambda text: [text.upper()]), Asked(9, CHARS))


def test_a_splitter_that_fails_costs_only_its_document() -> None:
    """Which is noted; where all fail, that is an error."""

    def fails(only: str) -> Callable[..., Callable[[str], list[str]]]:
        def split(text: str) -> list[str]:
            if only in text:
                raise RuntimeError("too short")
            return [text]

        return lambda size: split

    corpus = of_texts({"a.txt": "one two", "b.txt": "two"})
    cutting = cut(corpus, of_factory("mine", fails("one")), Asked(40, CHARS))
    assert [chunk.path for chunk in cutting.chunks] == ["b.txt"]
    assert list(cutting.notes()) == ["mine 40 made no chunks of a.txt (RuntimeError: too short)."]
    with pytest.raises(ConfigError, match=r"makes chunks here: of a\.txt \(RuntimeError"):
        cut(corpus, of_factory("mine", fails("two")), Asked(40, CHARS))


@pytest.mark.parametrize(
    ("factory", "said"),
    [
        (lambda: None, "called with size="),
        (lambda size: None, "split_text"),
        (lambda size: lambda text: [1], "pieces that are texts"),
        (lambda size: lambda text: text, "a list of texts"),
        (lambda size: lambda text: {text: 1}, "a list of texts"),
        (lambda size: sys.exit(2), "SystemExit: 2"),
        (lambda size: lambda text: sys.exit(2), r"ends the program \(SystemExit: 2"),
    ],
)
def test_what_is_no_splitter_is_refused(factory: Callable[..., object], said: str) -> None:
    """Before, or when, it is asked."""
    with pytest.raises(ConfigError, match=said):
        cut(of_texts(TEXTS), of_factory("mine", factory), Asked(40, CHARS))


def places_of(text: str, pieces: list[str]) -> list[tuple[int, int, int]]:
    chunking = located(cw.Document(text), pieces, CHARS)
    assert all(text[chunk.start : chunk.end] == chunk.text for chunk in chunking)
    return [(chunk.start, chunk.end, chunk.overlap) for chunk in chunking]


def test_pieces_are_found_where_they_were_cut() -> None:
    """Also where the same words stand more than once, where pieces overlap, and where white space
    was stripped or added at their edges."""
    assert places_of("a b a b a b", ["a b", "a b", "a b"]) == [(0, 3, 0), (4, 7, 0), (8, 11, 0)]
    assert places_of("one two three", ["one two", "two three"]) == [(0, 7, 0), (4, 13, 3)]
    assert places_of("a\n\n  b", ["a", "b\n"]) == [(0, 1, 0), (5, 6, 0)]
    assert places_of("one two one three", ["one", "one three"]) == [(0, 3, 0), (8, 17, 0)]
    assert places_of("a. b a.", ["a. b a.", "a."]) == [(0, 7, 0), (5, 7, 2)]  # the tail of windows
    chunking = located(cw.Document("one two"), ["one", "zwei", " ", "two"], CHARS)
    assert [chunk.text for chunk in chunking] == ["one", "two"]
    assert [said.code for said in chunking.diagnostics] == [NOT_FOUND]


@given(st.lists(st.text("ab \n", min_size=1, max_size=6), max_size=12))
def test_pieces_that_tile_a_text_are_all_found(parts: list[str]) -> None:
    """Whatever repeats: each one that is not blank, in order, without a gap of anything but white
    space."""
    text = "".join(parts)
    inked = [part for part in parts if part.strip()]
    found = places_of(text, parts)
    assert [text[start:end] for start, end, _ in found] == inked
    reached = 0
    for start, end, _ in found:
        assert not text[reached:start].strip()
        reached = end
