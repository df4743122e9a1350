"""How well cuts fall where the topic changes, and how many chunks outlast an edit: on made-up texts
whose topics are known, and on our own documentation and source code."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from chunkwright import CodeChunker, LineChunker, MarkdownChunker, TextChunker
from chunkwright.embedding import resolve
from chunkwright.evaluation.boundaries import borders, boundary_strength
from chunkwright.evaluation.editing import edit_stability
from chunkwright.evaluation.sampling import some_of
from chunkwright.evaluation.structure import structure_of
from chunkwright.types import Chunk, Chunking, Document, Embedder

HOME = Path(__file__).parent.parent


def embedder() -> Embedder:
    found = resolve("static")
    assert found is not None
    return found


def cut_at(document: Document, cuts: Sequence[int]) -> Chunking:
    ends = [*cuts, len(document.text)]
    chunks = tuple(
        Chunk(document.text[start:end], start, end, 1, 1)
        for start, end in zip([0, *cuts], ends, strict=True)
    )
    return Chunking(chunks=chunks, text=document.text, path=document.path)


def strength(documents: Sequence[Document], chunkings: Sequence[Chunking]) -> float:
    """Of all cuts, so that no sample of them decides."""
    structures = [structure_of(document) for document in documents]
    found = boundary_strength(chunkings, structures, embedder(), seed=1, cuts=10_000)
    return found["boundary_strength"]


TOPICS = (
    ("sail mast harbour anchor wave tide captain deck rope crew", "ship"),
    ("flour oven yeast dough butter sugar bowl crust recipe salt", "bread"),
    ("judge court lawyer verdict statute appeal jury witness trial clause", "law"),
    ("planet orbit star telescope galaxy comet lunar gravity solar crater", "star"),
)


def essay() -> tuple[Document, list[int]]:
    """Twelve stretches of ten sentences, each of one topic; and where the topic changes."""
    chance = random.Random(7)  # noqa: S311  # test data
    text, changes = "", []
    for number in range(12):
        words, name = TOPICS[number % len(TOPICS)]
        for _ in range(10):
            said = " ".join(chance.choices(words.split(), k=8))
            text += f"The {name} has {said}. "
        changes.append(len(text))
    return Document(text), changes[:-1]


def all_borders(document: Document) -> list[int]:
    return borders(structure_of(document), 1, len(document.text))


def test_cuts_where_the_topic_changes_are_the_strongest() -> None:
    """Near 1 there; near 0 in the middle of each topic; 0.5 at every border."""
    document, changes = essay()
    middles = [place - 300 for place in changes]
    every = all_borders(document)
    near_middles = [min(every, key=lambda border: abs(border - place)) for place in middles]
    assert strength([document], [cut_at(document, changes)]) > 0.95
    assert strength([document], [cut_at(document, near_middles)]) < 0.4
    assert 0.45 < strength([document], [cut_at(document, every)]) < 0.55


PROSE = ("docs/architecture.md", "docs/embedders.md", "docs/memory.md", "training/README.md")


def pages() -> list[Document]:
    return [Document((HOME / name).read_text("utf-8"), path=name) for name in PROSE]


def test_our_cuts_of_real_text_beat_those_at_random_borders() -> None:
    """Of the documentation of this project: by headings better than at any border, and blind cuts
    every 500 code points worse than that."""
    documents = pages()
    chance = random.Random(3)  # noqa: S311  # test data
    chunker = MarkdownChunker(size=500, overlap=0)
    cut_well = [chunker.chunk(document) for document in documents]
    blind = [cut_at(one, range(500, len(one.text), 500)) for one in documents]
    every = [all_borders(document) for document in documents]
    at_random = [
        cut_at(document, sorted(chance.sample(of_one, min(len(of_one), len(well)))))
        for _ in range(4)
        for document, of_one, well in zip(documents, every, cut_well, strict=True)
    ]
    random_strength = strength(documents * 4, at_random)
    print(random_strength, strength(documents, cut_well), strength(documents, blind))
    assert random_strength == pytest.approx(0.5, abs=0.05)
    assert strength(documents, cut_well) > random_strength + 0.05
    assert strength(documents, blind) < random_strength - 0.03


def test_symbols_are_stronger_borders_than_windows_of_lines() -> None:
    """Of this project's own chunkers, where lines are the borders."""
    files = sorted((HOME / "src" / "chunkwright" / "chunking").glob("*.py"))
    documents = [Document(file.read_text("utf-8"), path=file.name) for file in files]
    code = [CodeChunker(size=1500).chunk(document) for document in documents]
    lines = [LineChunker(overlap=0).chunk(document) for document in documents]
    print(strength(documents, code), strength(documents, lines))
    assert strength(documents, code) > strength(documents, lines) + 0.08


def test_boundary_strength_is_the_same_each_time() -> None:
    """For one seed; another looks at other cuts."""
    documents = pages()
    chunkings = [TextChunker(min_size=0, max_chunks=None).chunk(one) for one in documents]
    structures = [structure_of(one) for one in documents]

    def told(seed: int) -> dict[str, float]:
        return boundary_strength(chunkings, structures, embedder(), seed=seed, cuts=20)

    assert told(1) == told(1)
    assert told(1) != told(2)


def test_without_cuts_there_is_no_strength() -> None:
    """One chunk; a text too short for two sides; texts without a word that has a vector."""
    long, short = Document("A sentence of words. " * 40), Document("Some words. And others.")
    blank = Document("\ue000\n\n" * 300)
    for document, cuts in ((long, []), (short, [12]), (blank, [450])):
        chunkings = [cut_at(document, cuts)]
        assert boundary_strength(chunkings, [structure_of(document)], embedder(), seed=1) == {}


def test_samples_keep_their_order_and_their_seed() -> None:
    """Each as likely as another: of 1,000 samples of 10 among 100, every place is in 60 to 145."""
    assert some_of("abc", 3, 1) == ["a", "b", "c"]
    assert some_of(range(100), 10, 5) == sorted(some_of(range(100), 10, 5))
    drawn = [place for seed in range(1000) for place in some_of(range(100), 10, seed)]
    counts = np.bincount(drawn, minlength=100)
    assert counts.sum() == 10_000
    assert 60 < counts.min() <= counts.max() < 145


def paragraphs(document: Document) -> Chunking:
    """A chunk for every ten paragraphs: an edit changes one of them."""
    ends = [at for at in range(len(document.text)) if document.text.startswith("\n\n", at)]
    return cut_at(document, ends[9::10])


def windows(document: Document) -> Chunking:
    """A chunk for every 500 code points: an edit changes all that follow."""
    return cut_at(document, range(500, len(document.text), 500))


def story() -> Document:
    chance = random.Random(11)  # noqa: S311  # test data
    words = [word for topic, _ in TOPICS for word in topic.split()]
    lines = (" ".join(chance.choices(words, k=30)) + "." for _ in range(200))
    return Document("\n\n".join(lines), path="story.txt")


def test_cuts_that_follow_the_text_outlast_an_edit() -> None:
    """Of 20 chunks by paragraphs 19 are kept; of windows none but those before the edit."""
    kept = edit_stability([story()], paragraphs, seed=1)
    assert kept["kept_after_edit_at_start"] == pytest.approx(0.95)
    assert kept["kept_after_edit_in_middle"] == pytest.approx(0.95)
    lost = edit_stability([story()], windows, seed=1)
    assert lost["kept_after_edit_at_start"] < 0.05
    assert 0.35 < lost["kept_after_edit_in_middle"] < 0.65


def test_edits_are_the_same_for_every_chunker() -> None:
    """What is given to one to be cut is given to the other."""
    seen: list[list[str]] = [[], []]
    for number, cut in enumerate((paragraphs, windows)):

        def noted(document: Document, cut=cut, number=number) -> Chunking:  # type: ignore[no-untyped-def]
            seen[number].append(document.text)
            made: Chunking = cut(document)
            return made

        edit_stability([story(), story()], noted, seed=4)
    assert seen[0] == seen[1]
    assert len(set(seen[0])) > 6


def test_documents_of_one_chunk_say_nothing() -> None:
    """Nor does an empty corpus."""
    assert edit_stability([Document("short")], windows, seed=1) == {}
    assert edit_stability([], windows, seed=1) == {}
