"""Every chunker with generated options, each with what was asked of it in the words of the
promises: who is judged, on what. How is in promises, and the running in test_promises.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from typing import Any
from zlib import crc32

from hypothesis import strategies as st

from chunkwright import (
    Block,
    Chunking,
    CodeChunker,
    Document,
    LineChunker,
    MarkdownChunker,
    RecursiveChunker,
    TextChunker,
)
from chunkwright.measuring import resolve
from strategies import (
    SUFFIXES,
    any_texts,
    blocks,
    markdown,
    monotonous_texts,
    source,
    texts,
)
from trial import COUNTERS, EXTRA_VIEWS, INK, Asked, Counter, Cutter, count_lines


def count_ink(text: str) -> int:
    """A measure of a caller's own under which white space weighs nothing."""
    return len(INK.findall(text))


def count_columns(text: str) -> int:
    """A measure of a caller's own: ASCII weighs one, everything else three."""
    return sum(1 if character < "\x80" else 3 for character in text)


def count_capriciously(text: str) -> int:
    """A measure of a caller's own that is neither additive nor monotonic: a longer text may count
    less, and two texts together less or more than each by itself."""
    return len(text) // 2 + crc32(text.encode()) % 5 if text else 0


MEASURES: dict[str, tuple[Any, Counter]] = {
    **{name: (name, counter) for name, counter in COUNTERS.items()},
    "tokens": ("tokens", lambda text: resolve("tokens").count(text)),
    "ink": (count_ink, count_ink),
    "columns": (count_columns, count_columns),
    "capricious": (count_capriciously, count_capriciously),
}
"""Name -> the option, and a counter of the same unit; independent but for tokens."""

if find_spec("quicktok") or find_spec("toktok"):
    MEASURES["cl100k"] = ("cl100k", lambda text: resolve("cl100k").count(text))


@dataclass(frozen=True)
class Subject:
    """One generated trial to be run."""

    cutter: Cutter
    document: Document
    asked: Asked
    blocks: Sequence[Block] | None = None
    most_lines: int | None = None
    """Physical lines a chunk may have, where that is an option."""


MANY = 20
"""Examples with an overlap among which one at least has room for it."""


@dataclass
class Tally:
    """What a run of generated examples was worth."""

    examples: int = 0
    in_three_or_more: int = 0
    overlap_asked: int = 0
    overlap_given: int = 0
    kinds: set[str] = field(default_factory=set)

    def count(self, subject: Subject, chunking: Chunking) -> None:
        ordinary = [chunk for chunk in chunking if chunk.kind not in EXTRA_VIEWS]
        self.examples += 1
        self.in_three_or_more += len(ordinary) >= 3
        self.overlap_asked += subject.asked.overlap > 0
        self.overlap_given += any(chunk.overlap for chunk in chunking)
        self.kinds.update(chunk.kind for chunk in chunking)

    def demand(self) -> None:
        """A third of the examples, or more, came in three or more chunks; overlap, where it was
        asked for in many, was given in some."""
        assert self.examples >= 10, self
        assert self.in_three_or_more * 3 >= self.examples, self
        assert self.overlap_given or self.overlap_asked < MANY, self


def usable(overlap: int, size: int | None) -> int:
    """What an overlap is bounded by: nothing below zero, half the size where it is no smaller."""
    if overlap <= 0:
        return 0
    return overlap if size is None or overlap < size else size // 2


@st.composite
def sizes(draw: st.DrawFn, text: str, count: Counter) -> int:
    """A cap under which the text is likely to come in several chunks."""
    total = count(text)
    few, many = max(1, total // 4), max(1, total // 30)
    return draw(st.one_of(st.integers(1, few), st.integers(many, few), st.integers(1, 8)))


@st.composite
def common_options(
    draw: st.DrawFn, text: str, unit: str | None = None
) -> tuple[dict[str, Any], Asked]:
    """size, overlap, measure (any, or that of one name) and budget, and the same as it is asked."""
    measure, count = MEASURES[unit or draw(st.sampled_from(sorted(MEASURES)))]
    size = draw(sizes(text, count))
    overlap = draw(
        st.one_of(st.just(0), st.integers(0, max(1, size // 2)), st.integers(-2, size * 2))
    )
    budgeted = draw(st.sampled_from([False, False, True]))
    options = {
        "size": size,
        "overlap": overlap,
        "measure": measure,
        "budget_includes_context": budgeted,
    }
    return options, Asked(size, usable(overlap, size), count, budgeted=budgeted)


SUMMARIES = st.sampled_from(["", "", "About boats. And tides.", "雪国の列車は長い。"])


def texts_for(unit: str | None) -> st.SearchStrategy[str]:
    """Text of every sort; for a cap in lines, such as has many."""
    return texts_of_lines() if unit == "lines" else any_texts()


def texts_of_lines() -> st.SearchStrategy[str]:
    return st.one_of(source("python"), markdown(), texts(30, 80), monotonous_texts("line ends"))


@st.composite
def text_chunkers(draw: st.DrawFn, unit: str | None = None, stable: bool | None = None) -> Subject:
    """TextChunker on text of every kind."""
    text = draw(texts_for(unit))
    options, asked = draw(common_options(text, unit))
    chunker = TextChunker(
        min_size=0,
        max_chunks=draw(st.sampled_from([None, None, None, 3, 8])),
        stable=draw(st.booleans()) if stable is None else stable,
        **options,
    )
    path = draw(st.sampled_from(["", "notes/tide.txt"]))
    return Subject(chunker, Document(text, path=path), asked)


SEPARATORS = (
    ("\n\n", "\n", " ", ""),
    ("\n\n", "\n", " "),
    (". ", "; ", " "),
    ("\r\n", "。", "x"),
    ("",),
    ("🙂", "\u0301"),
)


@st.composite
def recursive_chunkers(draw: st.DrawFn, unit: str | None = None) -> Subject:
    """RecursiveChunker on text of every kind, with separators that split clusters too."""
    text = draw(texts_for(unit))
    options, asked = draw(common_options(text, unit))
    separators = draw(st.sampled_from([None, None, *SEPARATORS]))
    if separators is not None:
        options["separators"] = separators
    chunker = RecursiveChunker(keep_separator=draw(st.booleans()), **options)
    return Subject(chunker, Document(text, path="notes.txt"), asked)


@st.composite
def line_chunkers(draw: st.DrawFn, unit: str | None = None) -> Subject:
    """LineChunker on text with many lines, with a cap on top and a header before."""
    part = draw(st.one_of(source("python", 2, 6), markdown(3, 6), texts(20, 40), any_texts()))
    text = (part + draw(st.sampled_from(["\n", "\r\n", "\r"]))) * draw(st.integers(3, 5))
    options, asked = draw(common_options(text, unit))
    if draw(st.booleans()):
        options["size"] = None
    lines = draw(st.integers(1, max(1, count_lines(text) // 3)))
    overlap = draw(st.integers(-1, lines + 1))
    least = draw(st.sampled_from([0, 0, 0, 1, 2, 40]))
    header = draw(st.sampled_from(["", "function parse (page 1)"]))
    chunker = LineChunker(
        **{**options, "lines": lines, "overlap": overlap, "min_lines": least, "header": header}
    )
    metadata = draw(st.sampled_from([{}, {"header": "of this document"}]))
    asked = Asked(
        options["size"],
        usable(overlap, lines),
        asked.count,
        overlap_count=count_lines,
        whole_lines=True,
        budgeted=asked.budgeted,
    )
    most = lines if count_lines(text) >= least else None
    return Subject(chunker, Document(text, "lines.txt", metadata=metadata), asked, most_lines=most)


@st.composite
def markdown_chunkers(draw: st.DrawFn) -> Subject:
    """MarkdownChunker on blocks of every kind, in every combination of its options."""
    text = draw(st.one_of(markdown(), markdown(), texts()))
    options, asked = draw(common_options(text))
    levels = st.sampled_from([(1, 2, 3, 4, 5, 6), (1,), (1, 2), ()])
    second = st.sampled_from([None, None, None, RecursiveChunker(size=30, overlap=0)])
    chunker = MarkdownChunker(
        code_blocks=draw(st.sampled_from([True, True, False])),
        reference_links=draw(st.booleans()),
        join_table_rows=draw(st.booleans()),
        split_levels=draw(levels),
        merge_small=draw(st.booleans()),
        second_chunker=draw(second),
        **options,
    )
    document = Document(text, path="docs/tide.md", summary=draw(SUMMARIES))
    return Subject(chunker, document, replace(asked, parser="pyromark"))


@st.composite
def code_chunkers(draw: st.DrawFn, language: str) -> Subject:
    """CodeChunker on spliced source of one language, whole, torn and broken."""
    text = draw(st.one_of(source(language), source(language), source(language), texts()))
    options, asked = draw(common_options(text))
    granularity = draw(st.sampled_from(["packed", "symbol"]))
    if granularity == "symbol" and draw(st.booleans()):
        options["size"] = None
    chunker = CodeChunker(
        granularity=granularity,
        file_header=draw(st.booleans()),
        header_lines=draw(st.sampled_from([1, 3, 50])),
        whole_file=draw(st.booleans()),
        context=draw(st.sampled_from([(), (), ("imports", "siblings")])),
        **options,
    )
    document = Document(text, path=f"src/part.{SUFFIXES[language]}", summary=draw(SUMMARIES))
    size = options["size"]
    overlap = usable(options["overlap"], size)
    asked = replace(asked, size=size, overlap=overlap, whole_lines=True, parser="tree-sitter")
    return Subject(chunker, document, asked)


@st.composite
def given_blocks(draw: st.DrawFn) -> Subject:
    """Chunkers that are given the caller's own blocks instead of parsing."""
    subject = draw(st.one_of(code_chunkers("go"), markdown_chunkers(), text_chunkers()))
    own = draw(blocks(subject.document.text))
    shuffled = tuple(draw(st.permutations(own)))
    asked = replace(subject.asked, parser="given" if own else "")
    return Subject(subject.cutter, subject.document, asked, shuffled)


SUBJECTS: dict[str, Callable[[], st.SearchStrategy[Subject]]] = {
    "text": text_chunkers,
    "recursive": recursive_chunkers,
    "lines": line_chunkers,
    "markdown": markdown_chunkers,
    **{
        f"code-{language}": lambda language=language: code_chunkers(language)  # type: ignore[misc]
        for language in SUFFIXES
    },
    "given": given_blocks,
}

PROSE_SUBJECTS: dict[str, Callable[[str], st.SearchStrategy[Subject]]] = {
    "text": lambda unit: text_chunkers(unit, stable=False),
    "text stable": lambda unit: text_chunkers(unit, stable=True),
    "recursive": recursive_chunkers,
    "lines": line_chunkers,
}
"""The chunkers that need no parser, under the measure of a name."""
