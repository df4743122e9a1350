"""Searching: any query is safe to ask, identifiers are found by their parts, every script by its
words, and each answer explains its score.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import fsum
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import chunkwright as cw
from chunkwright.embedding.hashing import HashingEmbedder

FILES = {
    "camel.ts": "export function getUserById(id: string) {\n  return id;\n}\n",
    "snake.py": "def get_user_by_id(identity):\n    return identity\n",
    "acronym.go": "package web\n\ntype HTTPServer struct{}\n",
    "chinese.md": "# 会议\n\n今天的会议记录很长，需要切分。\n",
    "thai.md": "# ไทย\n\nภาษาไทยไม่มีช่องว่างระหว่างคำ\n",
    "korean.md": "# 항구\n\n배가 항구에 들어왔다.\n",
    "plain.md": "# Tides\n\nThe tide comes in twice a day.\n",
    "test_tide.py": "def test_tide():\n    assert tide() == 2\n",
}


@pytest.fixture
def index(tmp_path: Path) -> Iterator[cw.Index]:
    """An index of a few files in several languages and scripts."""
    for path, text in FILES.items():
        (tmp_path / path).write_text(text, "utf-8")
    with cw.Index(tmp_path, embedder=HashingEmbedder(dim=64)) as made:
        made.refresh()
        yield made


def found(index: cw.Index, query: str) -> set[str]:
    """Paths of the hits that share a word with the query."""
    return {hit.chunk.path for hit in index.search(query) if hit.reasons.get("words", 0) > 0}


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ("user", {"camel.ts", "snake.py"}),
        ("getUserById", {"camel.ts", "snake.py"}),
        ("get_user_by_id", {"camel.ts", "snake.py"}),
        ("server", {"acronym.go"}),
        ("http", {"acronym.go"}),
        ("会议", {"chinese.md"}),
        ("切分", {"chinese.md"}),
        ("ช่องว่าง", {"thai.md"}),
        ("항구", {"korean.md"}),
    ],
)
def test_words_are_found_in_parts_and_in_every_script(
    index: cw.Index, query: str, paths: set[str]
) -> None:
    """camelCase, snake_case and acronyms match by their parts; CJK and Thai without spaces."""
    assert found(index, query) >= paths


@pytest.mark.parametrize(
    "query",
    [
        '"',
        '"tide',
        "tide*",
        "*",
        "AND",
        "tide AND",
        "NOT tide",
        "tide NEAR(day",
        "text:tide",
        "(tide",
        "^tide",
        "-tide",
        "tide; DROP TABLE chunks",
        "ti\0de",
        "\0",
        "'",
        "{tide}",
        "🛳️",
        "tide \ud800",
        "\udcff",
        "tide " * 20_000,
        "x" * 100_000,
    ],
)
def test_any_query_is_safe_to_ask(index: cw.Index, query: str) -> None:
    """Operators are words, and nothing raises."""
    assert isinstance(index.search(query), list)
    assert len(index.chunks()) == len(FILES)


def test_operators_do_not_change_what_is_found(index: cw.Index) -> None:
    """A word with operators around it finds what the word finds."""
    for query in ('"tide', "tide*", "text:tide", "(tide", "^tide", "tide AND"):
        assert "plain.md" in found(index, query), query


@pytest.mark.parametrize("query", ["", " ", "\n\t", "\u3000"])
def test_a_blank_query_has_no_answers(index: cw.Index, query: str) -> None:
    """It is an honest empty list."""
    assert index.search(query) == []


@pytest.mark.parametrize("query", ["\ud800", "tide \ud800"])
def test_a_lone_surrogate_is_safe_to_ask_the_default_embedder(tmp_path: Path, query: str) -> None:
    """It is part of no word; the rest of the query counts. The same for filters."""
    (tmp_path / "plain.md").write_text(FILES["plain.md"], "utf-8")
    with cw.Index(tmp_path) as index:
        index.refresh()
        assert found(index, query) == ({"plain.md"} if "tide" in query else set())
        assert index.search("tide", language="\ud800", kind="\ud800") == []


@pytest.mark.parametrize("query", [None, 3, b"tide"])
def test_a_query_that_is_no_string_is_refused(index: cw.Index, query: str) -> None:
    """The error names it."""
    with pytest.raises(cw.ConfigError, match="query="):
        index.search(query)


@pytest.mark.parametrize("line", [0, -1, "3", None])
def test_a_wrong_line_is_refused(index: cw.Index, line: int) -> None:
    """Lines are counted from 1."""
    with pytest.raises(cw.ConfigError, match="line="):
        index.find_related("plain.md", line)


@pytest.mark.parametrize(
    "answer",
    [
        [["a"] * 64],
        [[1j] * 64],
        [[float("nan")] * 64],
        [[1.0]],
        [[1.0], [1.0, 2.0]],
        None,
    ],
    ids=["text", "complex", "not a number", "too short", "of unequal lengths", "nothing"],
)
def test_a_query_vector_that_is_none_is_an_error(index: cw.Index, answer: object) -> None:
    """The embedder is named; what to do instead is said."""

    class Wrong(HashingEmbedder):
        def embed(self, texts: Sequence[str], /) -> Any:
            return answer

    with (
        cw.Index(index.root, embedder=Wrong(dim=64)) as other,
        pytest.raises(cw.EmbedError, match="hashing-64"),
    ):
        other.search("tide")


def test_huge_vectors_are_scaled_without_overflow(tmp_path: Path) -> None:
    """Their direction is what counts."""

    class Huge(HashingEmbedder):
        def embed(self, texts: Sequence[str], /) -> Any:
            return super().embed(texts) * np.float32(3e38)

    (tmp_path / "plain.md").write_text(FILES["plain.md"], "utf-8")
    answers = []
    for number, kind in enumerate((HashingEmbedder, Huge)):
        place = tmp_path.parent / f"index{number}"
        with cw.Index(tmp_path, embedder=kind(dim=64), index_dir=place) as index:
            index.refresh()
            answers.append(index.search("tide twice"))
    assert answers[0][0].reasons["meaning"] > 0
    assert answers[1] == answers[0]


@pytest.mark.parametrize("k", [0, -1, True, 1.5])
def test_a_wrong_count_is_refused(index: cw.Index, k: int) -> None:
    """The error names k."""
    with pytest.raises(cw.ConfigError, match="k="):
        index.search("tide", k=k)


def test_a_huge_count_gives_what_there_is(index: cw.Index) -> None:
    """A million is no error."""
    assert 1 <= len(index.search("tide", k=1_000_000)) <= len(FILES)


def test_shares_sum_to_the_score_and_hits_are_ordered(index: cw.Index) -> None:
    """Best first; each score is the sum of its reasons; equal ones by id."""
    hits = index.search("user tide server", k=20)
    assert len(hits) >= 3
    for hit in hits:
        assert fsum(hit.reasons.values()) == pytest.approx(hit.score, abs=1e-9)
    assert [(-hit.score, hit.chunk.id) for hit in hits] == sorted(
        (-hit.score, hit.chunk.id) for hit in hits
    )


def test_tests_come_after_what_they_test(index: cw.Index) -> None:
    """Unless tests are asked for."""
    ranked = [hit.chunk.path for hit in index.search("tide")]
    assert ranked.index("plain.md") < ranked.index("test_tide.py")


def test_filters_choose_before_ranking(index: cw.Index) -> None:
    """By path pattern, language and kind; one that matches nothing gives nothing."""
    assert {hit.chunk.path for hit in index.search("user", path="*.py")} <= {
        "snake.py",
        "test_tide.py",
    }
    assert {hit.chunk.language for hit in index.search("user", language="typescript")} == {
        "typescript"
    }
    assert index.search("user", path="nowhere/") == []
    assert {hit.chunk.kind for hit in index.search("tide", kind="section")} == {"section"}
