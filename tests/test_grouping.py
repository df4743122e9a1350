"""One answer a document: the best of its chunks, with further places cited."""

from __future__ import annotations

from collections.abc import Iterator
from math import fsum
from pathlib import Path

import pytest
from msgspec.structs import replace

import chunkwright as cw
from chunkwright.embedding.hashing import HashingEmbedder
from chunkwright.search.grouping import (
    CHUNK_WEIGHT,
    CITATION_SHARE,
    GROUPED,
    MOST_CITATIONS,
    grouped,
)
from chunkwright.types import Chunk, Hit


def hit(score: float, at: int = 0, *, path: str = "a.md", **fields: object) -> Hit:
    """A hit with a chunk of its own place; `saturation` is what it lost for its file."""
    lost = fields.pop("saturation", 0.0)
    assert isinstance(lost, float)
    text = f"{path} {at}".ljust(10)
    chunk = Chunk(text, at * 10, at * 10 + 10, at + 1, at + 1, path=path, kind="section")
    chunk = replace(chunk, **fields)
    reasons = {"words": score, "saturation": lost} if lost else {"words": score}
    return Hit(chunk, score + lost, reasons)


def test_the_best_chunk_speaks_for_its_document() -> None:
    """Not the sum: three fair chunks do not beat a good one."""
    hits = grouped([hit(0.7), hit(0.9, path="b.md"), hit(0.7, 1), hit(0.7, 2)])
    assert [one.chunk.path for one in hits] == ["b.md", "a.md"]
    assert hits[0].score == pytest.approx(0.9 * CHUNK_WEIGHT)


def test_scores_are_sums_of_their_reasons() -> None:
    """What a chunk loses as a document's is a share of its own; what it lost among others of its
    file is given back."""
    (one,) = grouped([hit(1.0, saturation=-0.3)])
    assert one.score == pytest.approx(CHUNK_WEIGHT)
    assert one.reasons == {"words": 1.0, GROUPED: pytest.approx(CHUNK_WEIGHT - 1.0)}
    assert fsum(one.reasons.values()) == pytest.approx(one.score, abs=1e-9)


@pytest.mark.parametrize("kind", ["summary", "file"])
def test_the_higher_of_the_documents_own_score_and_its_best_chunks_counts(kind: str) -> None:
    """A chunk's counts a little less; the one that counts is the hit."""
    own, piece = hit(0.95, 5, kind=kind), hit(1.0)
    (one,) = grouped([piece, own])
    assert one.chunk.kind == kind
    assert one.score == 0.95
    assert one.citations == (piece.chunk,)
    (other,) = grouped([hit(1.1), own])
    assert other.chunk.kind == "section"
    assert other.score == pytest.approx(1.1 * CHUNK_WEIGHT)
    assert other.citations == ()


def test_a_poor_summary_does_no_harm() -> None:
    """Documents with a view of their own and without one are weighed alike."""
    with_view = [hit(1.0), hit(0.01, 5, kind="summary")]
    (one, other) = grouped([*with_view, hit(1.0, path="b.md")])
    assert one.score == other.score


def test_what_answers_nearly_as_well_is_cited() -> None:
    """In the order of scores, whatever was lost to saturation, up to a number."""
    near, exactly, below = 0.9, CITATION_SHARE, CITATION_SHARE - 0.01
    hits = [
        hit(1.0),
        hit(exactly, 1, saturation=-0.1),
        hit(near, 2, saturation=-0.3),
        hit(below, 3),
    ]
    (one,) = grouped(hits)
    assert [chunk.start for chunk in one.citations] == [20, 10]
    (many,) = grouped(hit(1.0, at) for at in range(40))
    assert len(many.citations) == MOST_CITATIONS


def test_one_place_is_cited_once() -> None:
    """A view of the file's beginning repeats what a chunk tells; a summary is no place."""
    header = hit(1.0, 0, kind="file_header")
    (one,) = grouped([hit(1.1), header, hit(1.0, 0, kind="summary")])
    assert [one.chunk.kind, *(chunk.kind for chunk in one.citations)] == ["summary", "section"]


def test_chunks_of_one_parent_are_one_answer() -> None:
    """Wherever they come from: a document's attachments are its own."""
    hits = grouped([hit(1.0, parent="x"), hit(0.9, path="b.md", parent="x"), hit(0.5, path="c.md")])
    assert len(hits) == 2
    assert [chunk.path for chunk in hits[0].citations] == ["b.md"]


def test_equal_scores_are_ordered_by_id() -> None:
    """In whatever order they come."""
    hits = [hit(1.0, path=f"{name}.md") for name in "abcdef"]
    found = grouped(hits)
    assert found == grouped(hits[::-1])
    assert [one.chunk.id for one in found] == sorted(one.chunk.id for one in hits)


@pytest.fixture
def index(tmp_path: Path) -> Iterator[cw.Index]:
    """A long document that is all about fog, and short ones that mention it."""
    long = "".join(f"## Fog {at}\n\nFog and more fog, number {at}.\n\n" for at in range(900))
    (tmp_path / "long.md").write_text(f"# Fog\n\n{long}", "utf-8")
    for at in range(6):
        text = f"# Harbour {at}\n\nShips lie here, {at} of them, in some fog or in none at all.\n"
        (tmp_path / f"short{at}.md").write_text(text, "utf-8")
    with cw.Index(tmp_path, HashingEmbedder(dim=64)) as made:
        made.refresh()
        yield made


def test_a_long_document_does_not_crowd_out_the_rest(index: cw.Index) -> None:
    """It is one answer of seven, though hundreds of its chunks are better than any other."""
    hits = index.search("fog", k=7, group=True)
    assert sorted(hit.chunk.path for hit in hits) == [
        "long.md",
        *(f"short{at}.md" for at in range(6)),
    ]
    assert hits[0].chunk.path == "long.md"
    assert 1 <= len(hits[0].citations) <= MOST_CITATIONS
    assert {chunk.path for chunk in hits[0].citations} == {"long.md"}
    assert [(-hit.score, hit.chunk.id) for hit in hits] == sorted(
        (-hit.score, hit.chunk.id) for hit in hits
    )


def test_as_many_answers_come_back_as_there_are(index: cw.Index) -> None:
    """k of them, or every document that answers."""
    assert [len(index.search("fog", k=k, group=True)) for k in (1, 3, 7, 50)] == [1, 3, 7, 7]
