"""A caller's reranker: what it gets, what it may answer, and what becomes of the scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import fsum
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import chunkwright as cw
from chunkwright.embedding.hashing import HashingEmbedder
from chunkwright.search.reranking import RERANK_DEPTH, RERANKED

FILES = 70


class Reranker:
    """Answers what the function makes of its hits; remembers what it was given."""

    name = "by hand"

    def __init__(self, answer: Callable[[Sequence[cw.Hit]], Any]) -> None:
        self.answer = answer
        self.given: list[tuple[str, list[cw.Hit]]] = []

    def rerank(self, query: str, hits: Sequence[cw.Hit], /) -> Any:
        self.given.append((query, list(hits)))
        return self.answer(hits)


@pytest.fixture
def index(tmp_path: Path) -> Iterator[cw.Index]:
    """Many short notes about the tide."""
    for at in range(FILES):
        (tmp_path / f"{at:02}.md").write_text(f"# Note {at}\n\nThe tide, time {at}.\n", "utf-8")
    with cw.Index(tmp_path, HashingEmbedder(dim=64)) as made:
        made.refresh()
        yield made


def test_the_order_is_the_rerankers(index: cw.Index) -> None:
    """It gets the query and the best hits with their texts, more than are asked for."""
    plain = index.search("tide", RERANK_DEPTH)
    reranker = Reranker(lambda hits: sorted(hits, key=lambda hit: hit.chunk.path))
    hits = index.search("tide", 3, reranker=reranker)
    ((query, given),) = reranker.given
    assert query == "tide"
    assert given == plain
    assert all("tide" in hit.chunk.text for hit in given)
    paths = sorted(hit.chunk.path for hit in plain)
    assert [hit.chunk.path for hit in hits] == paths[:3]


def test_scores_still_fall_and_are_explained(index: cw.Index) -> None:
    """They are handed out anew in the new order; a share tells the difference."""
    plain = index.search("tide", RERANK_DEPTH)
    hits = index.search("tide", RERANK_DEPTH, reranker=Reranker(lambda hits: list(hits)[::-1]))
    assert [hit.score for hit in hits] == [hit.score for hit in plain]
    assert [hit.chunk.id for hit in hits] == [hit.chunk.id for hit in plain][::-1]
    for hit in hits:
        assert RERANKED in hit.reasons
        assert fsum(hit.reasons.values()) == pytest.approx(hit.score, abs=1e-9)


def test_what_a_reranker_writes_into_hits_is_not_kept(index: cw.Index) -> None:
    """Only their order counts."""
    rewritten = Reranker(lambda hits: [replace(hit, score=99.0, reasons={}) for hit in hits])
    assert index.search("tide", 5, reranker=rewritten)[0].score < 99.0


def test_it_gets_as_many_as_are_asked_for(index: cw.Index) -> None:
    """More than its usual number, where that many are wanted."""
    reranker = Reranker(list)
    assert len(index.search("tide", 60, reranker=reranker)) == 60
    assert len(reranker.given[0][1]) == 60
    assert index.search("zzzz", reranker=reranker, path="nowhere/") == []
    assert len(reranker.given) == 1


WRONG: dict[str, Callable[[Sequence[cw.Hit]], Any]] = {
    "nothing": lambda hits: None,
    "none of them": lambda hits: [],
    "one lost": lambda hits: hits[1:],
    "one twice": lambda hits: [*hits, hits[0]],
    "one for another": lambda hits: [*hits[1:], hits[1]],
    "an invented one": lambda hits: [
        *hits[1:],
        replace(hits[0], chunk=replace(hits[0].chunk, text="made up")),
    ],
    "chunks": lambda hits: [hit.chunk for hit in hits],
    "text": lambda hits: "best first",
}


@pytest.mark.parametrize("answer", WRONG.values(), ids=WRONG)
def test_a_wrong_answer_is_an_error(
    index: cw.Index, answer: Callable[[Sequence[cw.Hit]], Any]
) -> None:
    """The reranker is named; what it must return is said."""
    with pytest.raises(cw.RerankError, match=r"reranker by hand: gave .* the same hits") as raised:
        index.search("tide", reranker=Reranker(answer))
    assert raised.value.reranker == "by hand"


def broken(hits: Sequence[cw.Hit]) -> Any:
    raise RuntimeError("no connection")


def test_a_reranker_that_fails_is_an_error_or_a_warning(index: cw.Index) -> None:
    """With `rerank_optional` the order of the search stays, and no hit says it was reranked."""
    with pytest.raises(cw.RerankError, match="RuntimeError: no connection"):
        index.search("tide", reranker=Reranker(broken))
    for answer in (broken, WRONG["none of them"]):
        with pytest.warns(RuntimeWarning, match="not reranked: reranker by hand"):
            hits = index.search("tide", reranker=Reranker(answer), rerank_optional=True)
        assert hits == index.search("tide")


def test_what_is_no_reranker_is_refused(index: cw.Index) -> None:
    """It needs a name and a method."""
    with pytest.raises(cw.ConfigError, match="reranker="):
        index.search("tide", reranker="best")  # type: ignore[arg-type]  # the point of the test


def test_a_threshold_is_of_the_searchs_own_scores(index: cw.Index) -> None:
    """Hits below it are not given to the reranker."""
    least = index.search("tide", 4)[-1].score
    reranker = Reranker(lambda hits: list(hits)[::-1])
    hits = index.search("tide", 50, threshold=least, reranker=reranker)
    assert len(hits) == len(reranker.given[0][1])
    assert min(hit.score for hit in hits) == least
