"""Context within the cap: room reserved for it, and what goes first where there is too little."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from chunkwright import (
    Chunk,
    Chunking,
    Document,
    LineChunker,
    MarkdownChunker,
    RecursiveChunker,
    TextChunker,
    embed_text,
)
from chunkwright.chunking.budgeting import keep_within, room
from chunkwright.measuring import resolve

PROSE = "The harbour keeps a ledger of every boat that came and went. " * 40
DRESSED = Chunk(
    text="body of the section",
    start=0,
    end=19,
    start_line=7,
    end_line=7,
    kind="section",
    language="markdown",
    breadcrumb=("Handbook", "Chapter", "Section"),
    entry="A handbook.",
    carry="| a | b |\n",
    carry_after="\n```",
    links=(("x", "https://example.org"),),
)
ALL = len(embed_text(DRESSED))


@pytest.mark.parametrize("measure", ["chars", "bytes", "graphemes", "lines", "tokens", len])
@pytest.mark.parametrize("size", [9, 40, 200])
def test_embedded_text_fits_in_every_measure(measure: object, size: int) -> None:
    """CAP+ for prose with a path, whatever the unit and however small the cap."""
    document = Document(PROSE, "docs/notes/harbour.txt")
    options: dict[str, Any] = {"size": size, "measure": measure, "budget_includes_context": True}
    count = resolve(measure).count
    for chunker in (
        TextChunker(min_size=0, max_chunks=None, **options),
        RecursiveChunker(**options),
        LineChunker(min_lines=0, header="page 1", **options),
    ):
        chunking = chunker.chunk(document)
        assert chunking
        assert all(count(embed_text(chunk)) <= size for chunk in chunking)


@pytest.mark.parametrize("text", ["\u200bword", "# Title\n\nab\u200bcd ef", "a\u200b\u200b b"])
@pytest.mark.parametrize("size", [2, 3, 4])
def test_a_break_without_white_space_at_the_start_is_passed(text: str, size: int) -> None:
    """A zero-width space is where a word ends, and no text before it is no chunk."""
    for kind in (MarkdownChunker, RecursiveChunker):
        chunker = kind(size=size, overlap=0, measure="bytes", budget_includes_context=True)
        chunking = chunker.chunk(Document(text, "a.md", summary="Some summary here."))
        assert "".join(chunking.texts).replace(" ", "") == "".join(text.split())


def test_room_is_reserved_so_that_nothing_is_dropped() -> None:
    """With a cap that leaves room, every chunk keeps its prefix and nothing is reported."""
    chunker = TextChunker(size=300, min_size=0, budget_includes_context=True)
    chunking = chunker.chunk(Document(PROSE, "harbour.txt"))
    assert all(embed_text(c).startswith("language: text. file: harbour.txt.") for c in chunking)
    assert max(len(embed_text(c)) for c in chunking) > 250
    assert not chunking.diagnostics


def test_without_the_budget_the_text_may_fill_the_cap() -> None:
    """The cap is on the text alone by default."""
    chunking = TextChunker(size=100, min_size=0).chunk(Document(PROSE, "harbour.txt"))
    assert max(len(embed_text(chunk)) for chunk in chunking) > 100


def test_a_text_has_half_of_the_cap_at_least() -> None:
    """A long path never leaves a document in crumbs: the prefix goes instead, and is reported."""
    chunker = TextChunker(
        size=60, overlap=0, min_size=0, max_chunks=None, budget_includes_context=True
    )
    chunking = chunker.chunk(Document(PROSE, f"{'deep/' * 30}harbour.txt"))
    assert min(len(chunk.text) for chunk in chunking[:-1]) > 10
    assert not any(chunk.prefix for chunk in chunking)
    assert {d.code for d in chunking.diagnostics} == {"context_dropped"}
    assert len(chunking.diagnostics) == len(chunking)


def test_a_cluster_is_not_cut_for_the_sake_of_context() -> None:
    """What fits the whole cap but not what the context leaves of it takes the context's room."""
    family = "👨\u200d👩\u200d👧\u200d👦"
    chunker = TextChunker(size=8, overlap=0, min_size=0, budget_includes_context=True)
    assert set(chunker.split_text(f"{family} {family}")) == {family}
    assert set(chunker.chunk(Document(f"{family} {family}", "a.txt")).texts) == {family}


def test_room_is_what_the_context_leaves() -> None:
    """The size less prefix, carry and closer, in the measure; for tokens a little less."""
    around = ALL - len(DRESSED.text)
    assert room("chars", 500, DRESSED) == 500 - around
    assert room("lines", 20, DRESSED) == 20 - 5
    assert room("chars", 100, DRESSED) == 50
    plain = replace(DRESSED, breadcrumb=(), entry="", carry="", carry_after="")
    assert room("tokens", 100, plain) == 100


@pytest.mark.parametrize(
    ("size", "lost", "rendered"),
    [
        (ALL, "", embed_text(DRESSED)),
        (ALL - 1, "carry", "Entry: A handbook.\nBreadcrumb: Handbook > Chapter > Section\n\nbody"),
        (75, "carry, breadcrumb", "Entry: A handbook.\nBreadcrumb: Chapter > Section\n\nbody"),
        (60, "carry, breadcrumb", "Entry: A handbook.\nBreadcrumb: Section\n\nbody"),
        (45, "carry, breadcrumb, entry", "Breadcrumb: Section\n\nbody"),
        (30, "carry, breadcrumb, entry, prefix", "body"),
    ],
)
def test_context_is_dropped_in_the_documented_order(size: int, lost: str, rendered: str) -> None:
    """Carry first, then breadcrumbs from the outside in, the entry, the whole prefix."""
    kept = keep_within(Chunking(chunks=(DRESSED,)), "chars", size)
    assert embed_text(kept[0]).startswith(rendered)
    assert len(embed_text(kept[0])) <= size
    assert kept[0].text == DRESSED.text
    assert [(d.line, lost in d.message) for d in kept.diagnostics] == ([(7, True)] if lost else [])


def test_links_go_before_everything_else() -> None:
    """A reference is embedded with its address only where there is room for it."""
    chunk = replace(DRESSED, text="see [it][x]")
    kept = keep_within(Chunking(chunks=(chunk,)), "chars", len(embed_text(chunk)) - 1)
    assert (kept[0].links, kept[0].carry) == ((), DRESSED.carry)


def test_ids_do_not_depend_on_what_was_dropped() -> None:
    """Context is not part of a chunk's identity."""
    kept = keep_within(Chunking(chunks=(DRESSED,)), "chars", 30)
    assert kept[0].id == DRESSED.id
