"""From texts, files and trees to chunks: which chunker is chosen, which options it gets, what is
said of files that are left out, and levels of sizes that nest.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from chunkwright import (
    Block,
    CodeChunker,
    Document,
    LineChunker,
    MarkdownChunker,
    TextChunker,
    chunk,
    chunk_file,
    chunk_levels,
    chunk_tree,
    embed_text,
    is_whitespace_only,
    pipeline,
    summary_chunk,
)
from chunkwright.characters import Lines
from chunkwright.chunking.notebook import NotebookChunker
from chunkwright.errors import ConfigError, ParseError, PathError
from chunkwright.sources import Rules
from chunkwright.types import EXTRA_VIEWS, Chunking, Diagnostic

GO = """package shop

// Cart holds items.
type Cart struct{ items []string }

// Add puts an item in.
func (c *Cart) Add(item string) {
\tc.items = append(c.items, item)
}

func Total(prices []int) int {
\tsum := 0
\tfor _, price := range prices {
\t\tsum += price
\t}
\treturn sum
}
"""
MARKDOWN = "# Café\r\n\r\nIntro 🙂.\r\n\r\n## Menu\r\n\r\n" + "One fact is here. " * 60 + "\r\n"
PROSE = "The e\u0301tude is long.  It goes on, and on; and on!\r" * 60
NOTEBOOK = json.dumps(
    {
        "cells": [
            {"cell_type": "markdown", "source": "# Title\n\nSome words.\n" * 20},
            {"cell_type": "code", "source": "import os\n\n\ndef f():\n    return 1\n" * 12},
        ],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
)


def grow(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files below root."""
    for path, content in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def said(chunking: Chunking) -> list[tuple[str, str, str]]:
    return [(one.level, one.code, one.message) for one in chunking.diagnostics]


class TestChoosing:
    """One table says which chunker a document gets."""

    @pytest.mark.parametrize(
        ("path", "language", "chunker"),
        [
            ("a.go", None, CodeChunker()),
            ("", "python", CodeChunker()),
            ("README.md", None, MarkdownChunker()),
            ("n.ipynb", None, NotebookChunker()),
            ("notes.txt", None, TextChunker(min_size=0, max_chunks=None)),
            ("guide.rst", None, MarkdownChunker()),
            ("page.HTML", None, MarkdownChunker()),
            ("log.tex", None, TextChunker(min_size=0, max_chunks=None)),
            ("", None, TextChunker(min_size=0, max_chunks=None)),
            ("data.csv", None, LineChunker(size=3200)),
            ("file.unheardof", None, LineChunker(size=3200)),
            ("", "klingon", LineChunker(size=3200)),
            ("a.md", "go", CodeChunker()),
        ],
    )
    def test_the_language_decides(self, path: str, language: str | None, chunker: object) -> None:
        """The given one, else the path's; a text with neither is prose."""
        assert pipeline.choose(Document("x", path, language)) == chunker

    def test_options_go_to_the_chunker_that_has_them(self) -> None:
        """The others are for other documents."""
        options: dict[str, Any] = {
            "size": 99,
            "granularity": "symbol",
            "code_blocks": False,
            "lines": 7,
        }
        assert pipeline.choose(Document("", "a.go"), **options) == CodeChunker(
            size=99, granularity="symbol"
        )
        assert pipeline.choose(Document("", "a.md"), **options) == MarkdownChunker(
            size=99, code_blocks=False
        )
        assert pipeline.choose(Document("", "a.csv"), **options) == LineChunker(size=99, lines=7)

    def test_an_option_that_no_chunker_has_is_an_error(self) -> None:
        """With the nearest name that one has."""
        with pytest.raises(ConfigError, match="did you mean 'granularity'") as caught:
            chunk("x", "a.txt", granulrity="symbol")
        assert caught.value.option == "granulrity"

    def test_a_wrong_value_is_an_error(self) -> None:
        """Of the chunker that is chosen."""
        with pytest.raises(ConfigError) as caught:
            chunk("x", "a.go", size=0)
        assert (caught.value.option, caught.value.value) == ("size", 0)

    def test_no_cap_means_no_cap_for_prose_too(self) -> None:
        """Its chunker always has one; here it is larger than any text."""
        assert [one.text for one in chunk(PROSE, size=None)] == [PROSE.strip()]

    def test_an_overlap_in_units_is_not_taken_for_lines(self) -> None:
        """An upper bound in code points holds for windows of lines as well."""
        text = "key: value\n" * 300
        made = chunk(text, "a.ini", overlap=20)
        assert len(made) > 1
        assert max(one.overlap for one in made) <= 20
        windows = chunk(text, "a.ini", overlap=5, lines=50, size=None)
        assert [one.start_line for one in windows][:3] == [1, 46, 91]

    def test_fingerprints_follow_options(self) -> None:
        """Any option of any chunker counts, and so do defaults given by hand."""
        plain = pipeline.fingerprint()
        assert pipeline.fingerprint() == plain
        assert pipeline.fingerprint(granularity="packed") == plain
        others: list[dict[str, Any]] = [
            {"size": 700},
            {"granularity": "symbol"},
            {"lines": 50},
            {"code_blocks": False},
        ]
        assert len({plain, *(pipeline.fingerprint(**options) for options in others)}) == 5


class TestChunk:
    """A text and its name."""

    def test_short_text_is_one_chunk(self) -> None:
        """There is no vector of the whole beside it, so nothing is too short."""
        assert chunk("hello").texts == ("hello",)

    def test_long_text_is_never_truncated(self) -> None:
        """However many chunks it makes."""
        made = chunk("word " * 30_000)
        assert len(made) > 64
        assert (made.truncated, made.covered) == (False, 150_000)

    def test_code_is_cut_at_symbols(self) -> None:
        """With the path's language and names that search can use."""
        made = chunk(GO, "shop/cart.go", size=90)
        assert [symbol.name for symbol in made.symbols] == ["Cart", "Cart.Add", "Total"]
        assert {one.path for one in made} == {"shop/cart.go"}
        assert {one.language for one in made} == {"go"}

    def test_a_document_keeps_what_it_says(self) -> None:
        """Path and language may be given beside it, and win."""
        document = Document(GO, "x.txt", commit="abc", summary="A shop.")
        made = chunk(document, "cart.go")
        assert (made.path, made.language) == ("cart.go", "go")
        assert {(one.commit, one.entry) for one in made} == {("abc", "A shop.")}
        assert chunk(document).path == "x.txt"

    def test_blocks_replace_parsing(self) -> None:
        """Spans of another parser make the chunks."""
        blocks = [
            Block(0, 4, kind="Function", name="one"),
            Block(5, 9, kind="Function", name="two"),
        ]
        made = chunk("aaaa\nbbbb\n", "a.go", blocks=blocks, granularity="symbol")
        names = [one.name for one in made if one.kind not in EXTRA_VIEWS]
        assert (made.parser, names) == ("given", ["one", "two"])

    def test_lone_surrogates_are_an_error(self) -> None:
        """They are no text."""
        with pytest.raises(ParseError):
            chunk("a\ud800", "a.txt")

    @pytest.mark.parametrize("path", ["", "a.go", "a.md", "a.txt", "a.yaml", "n.ipynb"])
    def test_nothing_gives_no_chunks(self, path: str) -> None:
        """Neither does white space."""
        assert len(chunk("", path)) == 0
        assert len(chunk(" \r\n\t", path)) == 0

    @pytest.mark.parametrize("path", ["", "a.go", "a.md", "a.txt", "a.yaml", "a.min.js"])
    def test_one_huge_line_is_cut(self, path: str) -> None:
        """Every family has a cap by default."""
        made = chunk("x" * 20_000, path)
        assert max(len(one.text) for one in made) <= 3200
        assert made.covered == 20_000


class TestChunkFile:
    """One file."""

    def test_the_path_is_relative_to_the_root(self, tmp_path: Path) -> None:
        """Given relative to it or absolute."""
        grow(tmp_path, {"s/cart.go": GO})
        for path in ("s/cart.go", tmp_path / "s/cart.go"):
            made = chunk_file(path, tmp_path)
            assert made == chunk(GO, "s/cart.go")

    def test_the_root_is_the_working_folder_by_default(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """For relative paths and for absolute ones below it."""
        grow(tmp_path, {"s/cart.go": GO})
        monkeypatch.chdir(tmp_path / "s")
        assert chunk_file("cart.go").path == "cart.go"
        assert chunk_file(tmp_path / "s/cart.go").path == "cart.go"
        with pytest.raises(PathError, match="outside"):
            chunk_file("../other.go")

    @pytest.mark.parametrize("path", ["../x.py", "/etc/hostname", "gone.py", "folder", "a\0b"])
    def test_wrong_paths_are_errors(self, tmp_path: Path, path: str) -> None:
        """Outside, missing, a folder, not a name at all."""
        (tmp_path / "root/folder").mkdir(parents=True)
        grow(tmp_path, {"x.py": "1"})
        with pytest.raises(PathError) as caught:
            chunk_file(path, tmp_path / "root")
        assert caught.value.path == path

    def test_what_is_never_read_says_why(self, tmp_path: Path) -> None:
        """A secret, a binary file, a file over the limit: empty, with reason and rule."""
        grow(tmp_path, {".env": "KEY=1\n", "a.bin": b"\0\1", "b.png": b"", "c.py": "x = 1\n" * 9})
        rules = Rules(max_file_size=20)
        reasons = {
            ".env": "secret: .env*",
            "a.bin": "binary: NUL byte near the start",
            "b.png": "binary: *.png",
            "c.py": "too_large: over max_file_size=20",
        }
        for path, reason in reasons.items():
            made = chunk_file(path, tmp_path, rules=rules)
            assert (made.path, len(made), made.text) == (path, 0, "")
            assert said(made) == [("warning", "skipped", reason)]

    def test_an_ignored_file_is_cut_when_it_is_named(self, tmp_path: Path) -> None:
        """Ignore files speak of walks."""
        grow(tmp_path, {".gitignore": "*.go\n", "a.go": GO})
        assert len(chunk_file("a.go", tmp_path)) == 1

    def test_the_encoding_is_said_first(self, tmp_path: Path) -> None:
        """Then comes what the chunker says."""
        grow(tmp_path, {"a.py": "\ufeffdef f(:\n    é\n".encode("utf-16-le")})
        made = chunk_file("a.py", tmp_path)
        assert made.text == "def f(:\n    é\n"
        assert [one.code for one in made.diagnostics] == ["decoded", "parse_error"]

    def test_the_commit_is_passed_on(self, tmp_path: Path) -> None:
        """It is on every chunk, and in no id."""
        grow(tmp_path, {"a.go": GO})
        made = chunk_file("a.go", tmp_path, commit="abc", size=60)
        assert {one.commit for one in made} == {"abc"}
        assert [one.id for one in made] == [one.id for one in chunk_file("a.go", tmp_path, size=60)]


class TestChunkTree:
    """Every file of a tree."""

    def test_one_chunking_a_file_in_order(self, tmp_path: Path) -> None:
        """Left out files are empty ones, with the rule."""
        grow(tmp_path, {".gitignore": "*.log\nout/\n", "a.log": "", "b.md": MARKDOWN, "out/x": ""})
        grow(tmp_path, {"c/.env": "K=1\n", "c/d.go": GO, "e.txt": "hi\n"})
        found = {one.path: one for one in chunk_tree(tmp_path)}
        assert list(found) == [".gitignore", "a.log", "b.md", "c/.env", "c/d.go", "e.txt", "out/"]
        assert [path for path, one in found.items() if not len(one)] == ["a.log", "c/.env", "out/"]
        assert said(found["a.log"]) == [("info", "skipped", "ignored: .gitignore:1: *.log")]
        assert said(found["out/"]) == [("info", "skipped", "ignored: .gitignore:2: out/")]
        assert said(found["c/.env"]) == [("warning", "skipped", "secret: .env*")]
        assert found["c/d.go"] == chunk(GO, "c/d.go")

    def test_secrets_stay_out_whatever_the_rules_say(self, tmp_path: Path) -> None:
        """No text of theirs is anywhere in the result."""
        grow(
            tmp_path, {".env": "API_KEY=abc\n", "certs/server.pem": "abc", "app.py": "import os\n"}
        )
        made = list(chunk_tree(tmp_path, rules=Rules(ignore_files=False, include=("*",))))
        assert [one.path for one in made if len(one)] == ["app.py"]
        assert "abc" not in repr(made)

    def test_files_are_read_when_they_are_asked_for(self, tmp_path: Path) -> None:
        """A tree is never in memory as a whole."""
        grow(tmp_path, {"a.py": "A = 1\n", "b.py": "B = 1\n"})
        found = chunk_tree(tmp_path)
        assert next(found).texts == ("A = 1",)
        grow(tmp_path, {"b.py": "B = 2\n"})
        assert next(found).texts == ("B = 2",)

    def test_a_file_that_vanishes_is_skipped(self, tmp_path: Path) -> None:
        """Between the walk and the reading; the others are cut."""
        grow(tmp_path, {"a.py": "1\n", "b.py": "2\n", "c.py": "3\n"})
        found = chunk_tree(tmp_path)
        next(found)
        (tmp_path / "b.py").unlink()
        gone, last = found
        assert (gone.path, len(gone), gone.diagnostics[0].code) == ("b.py", 0, "skipped")
        assert last.texts == ("3",)

    def test_one_file_that_fails_is_one_failure(self, tmp_path: Path) -> None:
        """The error's class and text are said, and the rest is cut."""

        class Fussy:
            """A measure that cannot count everything."""

            name = "fussy"

            def count(self, text: str) -> int:
                if "bad" in text:
                    raise RuntimeError("cannot count this")
                return len(text)

        grow(tmp_path, {"a.txt": "fine\n", "b.txt": "bad\n", "c.txt": "fine\n"})
        made = list(chunk_tree(tmp_path, measure=Fussy()))
        assert [len(one) for one in made] == [1, 0, 1]
        assert said(made[1]) == [("error", "failed", "RuntimeError: cannot count this")]

    @pytest.mark.skipif(
        sys.platform == "win32" or os.geteuid() == 0, reason="nothing is locked for the superuser"
    )
    def test_a_locked_file_is_a_failure(self, tmp_path: Path) -> None:
        """It is not left out by a rule, so it must not look as if it were."""
        grow(tmp_path, {"a.py": "1\n", "b.py": "2\n"})
        (tmp_path / "b.py").chmod(0)
        made = list(chunk_tree(tmp_path))
        expected = ("error", "failed", "unreadable: PermissionError: Permission denied")
        assert said(made[1]) == [expected]

    def test_brackets_by_the_thousand_are_no_failure(self, tmp_path: Path) -> None:
        """Nothing recurses on depth."""
        grow(tmp_path, {"a.py": "A = 1\n", "bad.py": "x=" + "[" * 5000 + "]" * 5000})
        made = {one.path: one for one in chunk_tree(tmp_path)}
        assert made["bad.py"].covered == 10_002
        assert "failed" not in {one.code for one in made["bad.py"].diagnostics}

    def test_a_wrong_option_is_an_error_before_any_file(self, tmp_path: Path) -> None:
        """Not a failure of each file."""
        with pytest.raises(ConfigError, match="size"):
            chunk_tree(tmp_path, size=-1)
        with pytest.raises(ConfigError, match="did you mean 'measure'"):
            chunk_tree(tmp_path, measures="chars")

    def test_a_wrong_root_is_an_error(self, tmp_path: Path) -> None:
        """A missing folder is not an empty one."""
        with pytest.raises(PathError):
            chunk_tree(tmp_path / "nowhere")

    def test_under_narrows_to_a_file_or_a_folder(self, tmp_path: Path) -> None:
        """Paths stay relative to the root, and rules above count."""
        grow(tmp_path, {".gitignore": "*.log\n", "s/a.go": GO, "s/b.log": "", "c.go": GO})
        assert [one.path for one in chunk_tree(tmp_path, under="s")] == ["s/a.go", "s/b.log"]
        assert [one.path for one in chunk_tree(tmp_path, under=tmp_path / "s/a.go")] == ["s/a.go"]

    def test_ids_are_unique_in_a_tree(self, tmp_path: Path) -> None:
        """Equal files in two places are two sets of chunks."""
        grow(tmp_path, {"a.go": GO, "b/a.go": GO, "c.md": MARKDOWN * 2, "d.txt": PROSE})
        ids = [one.id for made in chunk_tree(tmp_path, size=200) for one in made]
        assert len(set(ids)) == len(ids) > 20


LEVELLED = [
    Document(GO, "cart.go"),
    Document(MARKDOWN, "menu.md"),
    Document("---\ntitle: x\n---\n" + MARKDOWN, "front.md"),
    Document(PROSE, "notes.txt"),
    Document(PROSE),
    Document(NOTEBOOK, "n.ipynb"),
    Document("not a notebook", "n.ipynb"),
    Document("key: value\n" * 200, "a.yaml"),
    Document("x" * 3000, "one.min.js"),
    Document("🙂e\u0301\r\nabc\rd\0ef\t" * 90, "odd.txt"),
    Document("def f(:\n  x = = 1\n" * 40, "broken.py"),
    Document("", "empty.md"),
]
LEVEL_OPTIONS = [
    {},
    {"overlap": 30},
    {"granularity": "symbol"},
    {"budget_includes_context": True},
]


class TestLevels:
    """Chunks cut again into smaller ones."""

    @pytest.mark.parametrize("options", LEVEL_OPTIONS, ids=str)
    @pytest.mark.parametrize("document", LEVELLED, ids=lambda one: one.path or "prose")
    def test_levels_nest_and_keep_every_promise(
        self, document: Document, options: dict[str, object]
    ) -> None:
        """Slices, lines, cap, order, cover and ids hold on every level and across them."""
        sizes = (150, 800, 400)
        levels = chunk_levels(document, sizes, **options)
        assert len(levels) == 3
        ids = [one.id for made in levels for one in made]
        assert len(set(ids)) == len(ids)
        for number, (made, size) in enumerate(
            zip(levels, sorted(sizes, reverse=True), strict=True)
        ):
            check_level(made, number, size)
        for outer, inner in pairwise(levels):
            check_nested(outer, inner)
        if options.get("budget_includes_context"):
            check_budget(levels[-1], 150)

    def test_a_level_is_named_like_its_parents(self) -> None:
        """Breadcrumbs and symbols are those of the whole document."""
        levels = chunk_levels(Document(MARKDOWN, "menu.md"), (1200, 200), overlap=0)
        assert {one.breadcrumb for one in levels[1]} == {("Café",), ("Café", "Menu")}
        code = chunk_levels(Document(GO, "cart.go"), (1000, 80))
        assert [one.name for one in code[1].symbols] == ["Cart", "Cart.Add", "Total"]
        assert code[1].symbols == code[0].symbols

    def test_what_a_chunk_is_no_larger_than_keeps_its_text(self) -> None:
        """A chunk that fits the next size is one child, with another id."""
        first, second = chunk_levels("short", (100, 50))
        assert (first.texts, second.texts) == (("short",), ("short",))
        assert second[0].parent == first[0].id != second[0].id
        assert (first[0].occurrence, second[0].occurrence) == (0, 1)

    def test_one_size_is_ordinary_chunking(self) -> None:
        """One level, the top."""
        assert chunk_levels(GO, [90]) == (chunk(GO, size=90),)

    @pytest.mark.parametrize("sizes", [(), (100, 100), (100, 0), (True,), (10.5,)])
    def test_wrong_sizes_are_errors(self, sizes: tuple[int, ...]) -> None:
        """None, equal ones, and what is no positive whole number."""
        with pytest.raises(ConfigError, match="sizes"):
            chunk_levels("x", sizes)

    def test_a_size_beside_sizes_is_an_error(self) -> None:
        """It would be one of two answers to the same question."""
        with pytest.raises(ConfigError, match="sizes"):
            chunk_levels("x", (10, 5), size=7)


def ordinary(made: Chunking) -> list[int]:
    return [at for at, one in enumerate(made) if one.kind not in EXTRA_VIEWS]


def check_level(made: Chunking, number: int, size: int) -> None:
    lines = Lines(made.text)
    held = [(gone.start, gone.end) for gone in made.excluded]
    before = None
    for at in ordinary(made):
        one = made[at]
        assert one.index == at
        assert one.level == number
        assert one.text == made.text[one.start : one.end]
        assert len(one.text) <= size
        if one.cell is None:
            assert one.start_line == lines.number(one.start)
            assert one.end_line == lines.number(one.end - 1)
        if before is not None:
            assert one.start > before.start
            assert one.end > before.end
            assert one.overlap == max(0, before.end - one.start)
        before = one
        held.append((one.start, one.end))
    reached = 0
    for start, end in [*sorted(held), (len(made.text), len(made.text))]:
        assert is_whitespace_only(made.text[reached:start])
        reached = max(reached, end)


def check_nested(outer: Chunking, inner: Chunking) -> None:
    parents = {one.id: one for one in outer}
    for child in inner:
        parent = parents[child.parent]
        assert parent.start <= child.start < child.end <= parent.end
        assert (child.path, child.language, child.cell) == (
            parent.path,
            parent.language,
            parent.cell,
        )


def check_budget(made: Chunking, size: int) -> None:
    for one in made:
        assert len(embed_text(one)) <= size


class TestSummary:
    """The chunk of a summary."""

    def test_a_summary_stands_outside_the_text(self) -> None:
        """Its own kind and level, no place, no prefix."""
        made = summary_chunk(" What it is. \n", "a.md", "abc")
        assert made is not None
        assert (made.text, made.start, made.end) == ("What it is.", 0, 0)
        assert (made.kind, made.is_summary, made.level) == ("summary", True, EXTRA_VIEWS["summary"])
        assert (made.path, made.commit, made.size) == ("a.md", "abc", 11)
        assert embed_text(made) == "What it is."

    def test_a_blank_summary_is_none(self) -> None:
        """Nothing to find."""
        assert summary_chunk("") is None
        assert summary_chunk(" \t\r\n\u3000") is None


def test_every_code_is_documented(tmp_path: Path) -> None:
    """What this room says is in the table of diagnostics."""
    from chunkwright.types import DIAGNOSTIC_CODES

    grow(tmp_path, {".env": "", "a.txt": "caf\xe9".encode("latin-1"), "b.py": "def (:\n"})
    found: list[Diagnostic] = [one for made in chunk_tree(tmp_path) for one in made.diagnostics]
    assert {one.code for one in found} >= {"skipped", "decoded"}
    assert {one.code for one in found} <= set(DIAGNOSTIC_CODES)


def test_limits_of_the_whole_hold_on_the_first_level_only() -> None:
    """What the first level holds, every level does; what it leaves out is told on each."""
    text = "word " * 2000
    top, inner = chunk_levels(text, [2000, 100], max_chunks=3, overlap=0)
    assert top.truncated
    assert inner.truncated
    assert inner.covered == top.covered
    assert [said.code for said in inner.diagnostics] == ["truncated"]
    assert "".join(chunk.text + " " for chunk in inner) == text[: top.covered + 1]


def test_a_short_last_parent_has_children_too() -> None:
    """`min_size` is about the document."""
    text = "word " * 800 + "\n\nEnd here is a short tail."
    _, inner = chunk_levels(text, [2000, 100], min_size=300, overlap=0)
    assert inner[-1].text.endswith("tail.")
    assert inner.diagnostics == ()
