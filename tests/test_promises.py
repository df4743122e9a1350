"""Every promise of docs/architecture.md, held against every chunker, every fixture and generated
input. What the promises mean is in promises and repeatability; who is judged, in subjects.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import cycle, product
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright
from chunkwright import Block, ConfigError, Document, ParseError
from chunkwright.measuring import resolve
from chunkwright.pipeline import choose
from corpus import DULL, FILES, GIANTS, LONG_LINES, MILLION, dull
from promises import check_unique_ids, examine, violations
from repeatability import CountingMeasure, check_linear, check_stable
from strategies import blank_texts, markdown, source, texts
from subjects import MEASURES, PROSE_SUBJECTS, SUBJECTS, Subject, Tally, count_capriciously, usable
from trial import Asked, Cutter, count_lines

# Generated input.


@pytest.mark.parametrize("name", SUBJECTS)
def test_every_promise_on_generated_input(name: str) -> None:
    """No text, no options, no line ends and no script make a chunker break a promise."""
    check_generated(SUBJECTS[name]())


@pytest.mark.parametrize("unit", MEASURES)
@pytest.mark.parametrize("name", PROSE_SUBJECTS)
def test_every_promise_under_every_measure(name: str, unit: str) -> None:
    """Nor does a measure, be it one that is neither additive nor monotonic."""
    check_generated(PROSE_SUBJECTS[name](unit))


def check_generated(subjects: st.SearchStrategy[Subject]) -> None:
    """Every promise on every subject, most of which come in several chunks."""
    tally = Tally()

    @given(subjects)
    def keeps_its_promises(subject: Subject) -> None:
        chunking, found = examine(subject.cutter, subject.document, subject.asked, subject.blocks)
        tally.count(subject, chunking)
        assert found == []
        for chunk in chunking if subject.most_lines else ():
            assert count_lines(chunk.text) <= subject.most_lines  # type: ignore[operator]  # not None

    keeps_its_promises()
    tally.demand()


# Fixed input: every fixture under every chunker, whichever language it was written for.


def fixed(**options: Any) -> dict[str, tuple[type[Any], dict[str, Any], bool]]:
    """Name -> chunker, options, whether it gives whole lines."""
    whole = {"min_size": 0, "max_chunks": None}
    return {
        "text": (chunkwright.TextChunker, {**whole, **options}, False),
        "text stable": (chunkwright.TextChunker, {"stable": True, **whole, **options}, False),
        "recursive": (chunkwright.RecursiveChunker, options, False),
        "lines": (chunkwright.LineChunker, options, True),
        "markdown": (chunkwright.MarkdownChunker, options, False),
        "markdown by rows": (
            chunkwright.MarkdownChunker,
            {"join_table_rows": False, "merge_small": True, **options},
            False,
        ),
        "code": (chunkwright.CodeChunker, options, True),
        "code by symbol": (chunkwright.CodeChunker, {"granularity": "symbol", **options}, True),
    }


SIZED: dict[str, dict[str, Any]] = {
    "120 with overlap": {"size": 120, "overlap": 30},
    "1 code point": {"size": 1, "overlap": 0},
    "bytes": {"size": 47, "overlap": 9, "measure": "bytes"},
    "graphemes": {"size": 20, "overlap": 6, "measure": "graphemes"},
    "lines": {"size": 3, "overlap": 1, "measure": "lines"},
    "tokens": {"size": 24, "overlap": 6, "measure": "tokens"},
    "capricious": {"size": 24, "overlap": 6, "measure": count_capriciously},
    "with context": {"size": 160, "overlap": 20, "budget_includes_context": True},
    "defaults": {},
}
CHUNKERS = sorted(fixed())

MOST_SINGLE_CHARACTERS = 2_500
"""Code points of the fixtures that are cut one by one: longer ones show nothing more, slowly."""

GRAMMARS = {".py", ".go", ".js", ".ts", ".tsx", ".sol"}


FORMATS = {".adoc": "asciidoc", ".html": "html", ".org": "org", ".rst": "rst"}
"""Documents with headings that are not Markdown -> what reads them."""


def parser_for(name: str, path: str) -> str:
    """How the name of the parser begins that has to read this file, or else say why not."""
    if name.startswith("markdown"):
        return FORMATS.get(Path(path).suffix, "pyromark")
    return "tree-sitter" if name.startswith("code") and Path(path).suffix in GRAMMARS else ""


def prepared(name: str, options: dict[str, Any]) -> tuple[Cutter, Asked]:
    """A chunker and what was asked of it, defaults included."""
    kind, all_options, whole_lines = fixed(**options)[name]
    settled = {**kind.defaults(), **all_options}
    if kind is chunkwright.LineChunker:
        settled["overlap"] = min(settled["overlap"], settled["lines"] // 2)
        all_options = {**all_options, "overlap": settled["overlap"]}
    count = resolve(settled["measure"]).count
    bound = None if kind is chunkwright.LineChunker else settled["size"]
    return kind(**all_options), Asked(
        size=settled["size"],
        overlap=usable(settled["overlap"], bound),
        count=MEASURES[settled["measure"]][1] if settled["measure"] in MEASURES else count,
        overlap_count=count_lines if kind is chunkwright.LineChunker else None,
        whole_lines=whole_lines,
        budgeted=settled["budget_includes_context"],
    )


@pytest.mark.parametrize("options", SIZED.values(), ids=SIZED)
@pytest.mark.parametrize("name", CHUNKERS)
def test_every_promise_on_every_fixture(name: str, options: dict[str, Any]) -> None:
    """Each fixture, under each chunker and measure, keeps every promise; ids are unique in all."""
    cutter, asked = prepared(name, options)
    chunkings = []
    for document in FILES.values():
        if options.get("size") == 1 and len(document.text) > MOST_SINGLE_CHARACTERS:
            continue
        expected = replace(asked, parser=parser_for(name, document.path))
        chunking = cutter.chunk(document)
        assert violations(document, chunking, expected) == [], document.path
        chunkings.append(chunking)
    assert check_unique_ids(chunkings) == []


@pytest.mark.parametrize("name", CHUNKERS)
def test_every_fixture_is_cut_alike_again(name: str) -> None:
    """The same twice, after pickling, under another commit and below another line."""
    cutter, _ = prepared(name, SIZED["120 with overlap"])
    for document in FILES.values():
        assert list(check_stable(cutter, document)) == [], document.path


@pytest.mark.parametrize("path", GIANTS)
@pytest.mark.parametrize("name", CHUNKERS)
def test_every_promise_on_giants(name: str, path: str) -> None:
    """Huge lines, deep nesting and endless blank lines are cut like anything else."""
    cutter, asked = prepared(name, {"size": 1_000, "overlap": 100})
    document = GIANTS[path]
    chunking = cutter.chunk(document)
    asked = replace(asked, parser=parser_for(name, path))
    assert violations(document, chunking, asked) == []


TEXT_CUTTERS = ("text", "text stable", "recursive", "lines")
"""The chunkers that need no parser: they cut whatever nothing else is there for."""

FEW = 2_000
"""Units of a dull text in everyday tests: a hundred thousand are too many for them."""


def check_dull(name: str, unit: str, document: Document) -> None:
    """Every promise on a text of one unit, under a cap that makes dozens of chunks."""
    lines = unit == "lines"
    options = {"size": 30 if lines else 200, "overlap": 3 if lines else 40}
    cutter, asked = prepared(name, {**options, "measure": MEASURES[unit][0]})
    asked = replace(asked, count=MEASURES[unit][1])
    assert violations(document, cutter.chunk(document), asked) == [], document.path


@pytest.mark.parametrize("unit", MEASURES)
@pytest.mark.parametrize("name", TEXT_CUTTERS)
def test_every_promise_on_dull_texts(name: str, unit: str) -> None:
    """Thousands of separators, marks, flags or blank lines, and nothing else, in every measure."""
    for kind in DULL:
        check_dull(name, unit, dull(kind, FEW))


BUDGETED = {"budget_includes_context": True}
ODD: tuple[tuple[str, str, int, int, dict[str, Any], str], ...] = (
    ("text", "bytes", 2, 0, {}, "\u0600 "),
    ("recursive", "chars", 1, 0, {"separators": ("x",)}, "\U000110bd\u0600١\U000110bd١\u0600 "),
    ("text stable", "graphemes", 6, 0, BUDGETED, "abc\u0600 "),
    ("recursive", "tokens", 9, 6, {}, "\n\n雪xxxxxxxxxééé Harbour a"),
    ("recursive", "capricious", 7, 3, {}, ". . . boat a 雪word boat "),
    ("lines", "capricious", 7, 0, {"lines": 5, "min_lines": 0}, "Harbour \n\n"),
    ("code", "capricious", 5, 0, {}, " boat \n\n. "),
    ("text", "tokens", 3, 3, {}, "boat xxxxxxxxx.  \n\nHarbour"),
    ("markdown", "tokens", 4, 1, {}, "abc bcxxxxxx \u0301. \n"),
    ("text", "capricious", 4, 2, {}, " word . éword "),
    ("recursive", "capricious", 4, 2, {}, "word xxxxxxxxxHarbour "),
)
"""Chunker, unit, size, overlap, other options, and a small text that broke a promise once."""


@pytest.mark.parametrize(
    ("name", "unit", "size", "overlap", "others", "text"),
    ODD,
    ids=[f"{number} {name} {unit}" for number, (name, unit, *_) in enumerate(ODD)],
)
def test_every_promise_on_texts_that_broke_one(
    name: str, unit: str, size: int, overlap: int, others: dict[str, Any], text: str
) -> None:
    """Prepended marks before the last space, and counts that grow as a text shrinks."""
    measure, count = MEASURES[unit]
    options = {"size": size, "overlap": overlap, "measure": measure, **others}
    cutter, asked = prepared(name, options)
    document = Document(text, path="a.txt")
    asked = replace(asked, count=count)
    assert violations(document, cutter.chunk(document), asked) == []


def huge() -> Iterator[tuple[str, str, str]]:
    """(cutter, measure, kind of text): every cutter on every kind, the measures taking turns, and
    one line of a million under all of them."""
    units = cycle(MEASURES)
    for name, kind in product(TEXT_CUTTERS, DULL):
        yield name, next(units), kind
    for unit, kind in product(MEASURES, LONG_LINES):
        yield "text", unit, kind


@pytest.mark.integration
@pytest.mark.parametrize(("name", "unit", "kind"), sorted(set(huge())))
def test_every_promise_on_a_hundred_thousand(name: str, unit: str, kind: str) -> None:
    """Separators, marks, flags, blank lines; a million code points of what is one line."""
    times = MILLION // len(DULL[kind]) if kind in LONG_LINES else MILLION // 10
    check_dull(name, unit, dull(kind, times))


@pytest.mark.parametrize("name", CHUNKERS)
def test_white_space_alone_gives_no_chunks(name: str) -> None:
    """Texts of nothing but white space of every kind give an empty chunking."""
    cutter, _ = prepared(name, {"size": 10, "overlap": 3})

    @given(blank_texts())
    def gives_nothing(text: str) -> None:
        assert list(cutter.chunk(Document(text))) == []

    gives_nothing()


@pytest.mark.parametrize("name", CHUNKERS)
def test_lone_surrogates_are_refused(name: str) -> None:
    """A text that is not valid Unicode is a ParseError with its line, whatever the chunker."""
    cutter, _ = prepared(name, {})
    with pytest.raises(ParseError, match="U\\+D800") as refused:
        cutter.chunk(Document("one\ntwo \ud800 three", path="a.txt"))
    assert refused.value.line == 2


@pytest.mark.parametrize("name", CHUNKERS)
def test_blocks_outside_the_text_are_refused(name: str) -> None:
    """A caller's blocks must lie inside the text."""
    cutter, _ = prepared(name, {})
    with pytest.raises(ConfigError, match="blocks"):
        cutter.chunk(Document("short"), [Block(0, 6)])


# What the one door chooses, and several sizes at once.


def asked_of(document: Document, **options: Any) -> Asked:
    """What `chunk` asks of the chunker it chooses for a document."""
    chosen = choose(document, **options)
    settled = chosen.options()
    by_lines = isinstance(chosen, chunkwright.LineChunker)
    unit = settled["lines"] if by_lines else settled["size"]
    return Asked(
        size=settled["size"],
        overlap=usable(settled["overlap"], unit),
        overlap_count=count_lines if by_lines else None,
        whole_lines=by_lines or isinstance(chosen, chunkwright.CodeChunker),
    )


ORDINARY = {path: document for path, document in FILES.items() if path != "study.ipynb"}


@pytest.mark.parametrize("path", ORDINARY)
def test_every_promise_by_path(path: str) -> None:
    """`chunk` keeps every promise with whichever chunker it chooses."""
    document = ORDINARY[path]
    for options in ({}, {"size": 90, "overlap": 20}, {"size": None}):
        chunking = chunkwright.chunk(document, **options)
        assert violations(document, chunking, asked_of(document, **options)) == []


def check_levels(document: Document, sizes: Sequence[int]) -> None:
    """Every level keeps the promises; each chunk lies in its parent; no id comes twice."""
    levels = chunkwright.chunk_levels(document, sizes, overlap=0)
    for level, (chunking, size) in enumerate(zip(levels, sizes, strict=True)):
        asked = replace(asked_of(document, overlap=0), size=size)
        assert violations(document, chunking, asked) == []
        assert {chunk.level for chunk in chunking} <= {level, 101, 102}
    every = {chunk.id: chunk for chunking in levels for chunk in chunking}
    assert len(every) == sum(map(len, levels))
    for chunk in (chunk for chunking in levels[1:] for chunk in chunking):
        parent = every[chunk.parent]
        assert parent.level == chunk.level - 1
        assert parent.start <= chunk.start < chunk.end <= parent.end


@pytest.mark.parametrize("path", ORDINARY)
def test_levels_of_every_fixture(path: str) -> None:
    """Chunks in several sizes are nested, and each size keeps the promises."""
    check_levels(ORDINARY[path], (600, 150, 40))


def test_levels_of_code_are_whole_lines() -> None:
    """The blanks that end the last line of a file are part of that line on every level."""
    check_levels(Document("def a():\n    return 1\n\n\n# nor \n\n\n", path="a.py"), (80, 30, 7))


@given(st.sampled_from(["a.py", "a.go", "a.md", ""]), st.data())
def test_levels_on_generated_input(path: str, data: st.DataObject) -> None:
    """The same on any text."""
    written = {"a.py": source("python"), "a.go": source("go"), "a.md": markdown(), "": texts()}
    check_levels(Document(data.draw(written[path]), path=path), (80, 30, 7))


# Notebooks: chunking.text is the cells' sources, lines count from the cell.


def test_notebook_promises() -> None:
    """A notebook's chunks are slices of its joined cells, on lines counted in each cell."""
    document = FILES["study.ipynb"]
    cells = msgspec.json.decode(document.text)["cells"]
    sources = ["".join(cell["source"]) for cell in cells]
    chunking = chunkwright.chunk(document)
    starts = {}
    for number, written in enumerate(sources):
        if written:
            starts[number] = chunking.text.index(written)
    asked = Asked(size=3200, overlap=0, cells=starts)
    assert violations(document, chunking, asked) == []
    assert {chunk.cell for chunk in chunking} == set(starts)
    assert "never chunked" not in chunking.text


# STABLE, elsewhere and later.

DIGEST = """
import hashlib, sys
sys.path.insert(0, {tests!r})
import msgspec
from corpus import FILES
from test_promises import CHUNKERS, SIZED, prepared
digest = hashlib.sha256()
for name in CHUNKERS:
    cutter, _ = prepared(name, SIZED["120 with overlap"])
    for document in FILES.values():
        digest.update(msgspec.json.encode(cutter.chunk(document)))
print(digest.hexdigest())
"""


def digest_in_another_process(seed: str) -> str:
    program = DIGEST.format(tests=str(Path(__file__).parent))
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    return done.stdout.strip()


def test_the_same_in_every_process() -> None:
    """No chunking depends on the order of a hash table."""
    assert digest_in_another_process("1") == digest_in_another_process("2")


@pytest.mark.parametrize("name", CHUNKERS)
def test_many_and_one_are_the_same(name: str) -> None:
    """`chunk_many`, in one process or in two, gives what `chunk` gives, in order."""
    cutter, _ = prepared(name, SIZED["120 with overlap"])
    documents = [FILES[path] for path in ("crlf.py", "emoji.txt", "groups.go", "harbour.md")]
    expected = [cutter.chunk(document) for document in documents]
    assert list(cutter.chunk_many(documents)) == expected  # type: ignore[attr-defined]


# LINEAR.

GROWING = {
    "prose": ("The harbour is quiet, e.g. at 3.50 p.m. Boats lie on the sand.\n\n" * 60, "a.txt"),
    "words without end": ("harbour" * 600, "a.txt"),
    "no spaces": ("第一句话说明背景情况。第二句话给出更多细节内容！" * 100, "a.txt"),
    "emoji": ("👨‍👩‍👧‍👦🇳🇴👍🏽e\u0301" * 150, "a.txt"),
    "blank lines": ("ab\ncd\n\n\n\n" * 300, "a.md"),
    "white space": ((" \n" * 300 + "x") * 5, "a.md"),
    "headings": ("# A heading\n\n## Another\n\ntext\n\n" * 80, "a.md"),
    "lists": ("- item\n  - nested item\n    with text\n" * 80, "a.md"),
    "table": ("|a|b|\n|-|-|\n" + "|1|2|\n" * 500, "a.md"),
    "fences": ("```py\nx = 1\n```\n\n" * 120, "a.md"),
    "functions": ("def f(a):\n    # about\n    return [a, (a + 1)]\n\n\n" * 80, "a.py"),
    "one function": ("def f(a):\n" + "    a = a + 1\n" * 250, "a.py"),
    "one class": ("class A:\n" + "    def m(self):\n        return 1\n\n" * 100, "a.py"),
    "brackets": (("x = " + "[" * 300 + "]" * 300 + "\n") * 3, "a.py"),
    "go": ("// About.\nfunc (s *Stack[T]) Push(v T) {\n\ts.items = 1\n}\n\n" * 70, "a.go"),
    "broken go": ("func (s *Stack[T] Push(v T) {{\n\ts.items = 1\n}\n\n" * 70, "a.go"),
}


@pytest.mark.parametrize("kind", GROWING)
@pytest.mark.parametrize("name", CHUNKERS)
def test_work_grows_as_the_text_does(name: str, kind: str) -> None:
    """Steps, memory and measuring at most 2.5-fold for twice the text."""
    text, path = GROWING[kind]
    chunker, options, _ = fixed(size=120, overlap=20)[name]

    def make(counting: CountingMeasure) -> Cutter:
        made: Cutter = chunker(**{**options, "measure": counting})
        return made

    assert list(check_linear(make, text, path)) == []
