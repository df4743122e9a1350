"""What an answer of a search is: limited, explained, apart from tests, as many as asked for."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from math import fsum
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.embedding.hashing import HashingEmbedder
from chunkwright.measuring import resolve
from chunkwright.ranking import SHARES
from chunkwright.ranking.scoring import MEANING_WEIGHT
from chunkwright.store.schema import FORMAT

FILES = {
    "camel.ts": "export function getUserById(id: string) {\n  return id;\n}\n",
    "snake.py": "def get_user_by_id(identity):\n    return identity\n",
    "chinese.md": "# 会议\n\n今天的会议记录很长，需要切分。\n",
    "plain.md": "# Tides\n\nThe tide comes in twice a day.\n",
    "test_tide.py": "def test_tide():\n    assert tide() == 2\n",
}


@pytest.fixture
def index(tmp_path: Path) -> Iterator[cw.Index]:
    """An index of a few files."""
    for path, text in FILES.items():
        (tmp_path / path).write_text(text, "utf-8")
    with cw.Index(tmp_path, embedder=HashingEmbedder(dim=64)) as made:
        made.refresh()
        yield made


def test_tests_can_stand_in_a_list_of_their_own(index: cw.Index) -> None:
    """Each list has up to k answers; the query is embedded once; other filters hold for both."""

    class Counting(HashingEmbedder):
        texts: list[str] = []  # noqa: RUF012  # shared on purpose: instances are frozen

        def embed(self, texts: Sequence[str], /) -> Any:
            self.texts.extend(texts)
            return super().embed(texts)

    with cw.Index(index.root, embedder=Counting(dim=64)) as other:
        hits, tests = other.search_apart("tide", 3)
    assert Counting.texts == ["tide"]
    assert [hit.chunk.path for hit in tests] == ["test_tide.py"]
    assert hits[0].chunk.path == "plain.md"
    assert not any(hit.chunk.is_test for hit in hits)
    assert len(index.search_apart("tide user", 1).hits) == 1
    assert index.search_apart("tide", path="*.md").tests == []
    assert index.search_apart(" ") == ([], [])


def test_tests_are_looked_for_by_themselves_where_others_fill_the_candidates(
    tmp_path: Path,
) -> None:
    """And the other way round: each list has all there are, up to k."""
    for at in range(400):
        (tmp_path / f"fog_{at}.py").write_text(f"def fog_{at}():\n    fog('fog')\n", "utf-8")
    for at in range(3):
        body = "".join(f"    step_{at}_{line}()\n" for line in range(30))
        (tmp_path / f"test_{at}.py").write_text(f"def test_{at}():\n{body}    fog()\n", "utf-8")
    with cw.Index(tmp_path, False) as index:
        index.refresh()
        hits, tests = index.search_apart("fog", 5)
        assert (len(hits), {hit.chunk.path for hit in tests}) == (
            5,
            {"test_0.py", "test_1.py", "test_2.py"},
        )
        assert [len(found) for found in index.search_apart("fog", 500)] == [400, 3]
        assert [len(found) for found in index.search_apart("fog", 500, group=True)] == [400, 3]


def test_an_unknown_option_is_refused(index: cw.Index) -> None:
    """As Python does."""
    with pytest.raises(TypeError, match="grop"):
        index.search_apart("tide", grop=True)  # type: ignore[call-arg]  # the point of the test


def test_an_explained_answer_tells_every_signal(index: cw.Index) -> None:
    """Those without effect too, and what was measured; the sum is still the score."""
    plain = index.search("tide twice")
    hits = index.search("tide twice", explain=True)
    assert [hit.chunk for hit in hits] == [hit.chunk for hit in plain]
    for hit, other in zip(hits, plain, strict=True):
        assert set(SHARES) <= set(hit.reasons)
        assert {name: share for name, share in hit.reasons.items() if share} == other.reasons
        assert fsum(hit.reasons.values()) == pytest.approx(hit.score, abs=1e-9)
        assert set(hit.raw) == {"bm25", "cosine", "file_cosine"}
        assert other.raw == {}
    assert hits[0].raw["bm25"] > 0
    assert hits[0].raw["cosine"] * MEANING_WEIGHT == pytest.approx(
        hits[0].reasons["meaning"], abs=1e-5
    )


def test_a_threshold_is_the_least_score(index: cw.Index) -> None:
    """An answer that has just that score stays; none needs to."""
    plain = index.search("tide", 20)
    assert len(plain) >= 2
    assert index.search("tide", 20, threshold=plain[0].score) == plain[:1]
    assert index.search("tide", 20, threshold=plain[-1].score) == plain
    assert index.search("tide", threshold=1e9) == []


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("threshold", float("nan")),
        ("threshold", "high"),
        ("threshold", True),
        ("neighbours", -1),
        ("neighbours", 1.5),
        ("neighbours", True),
        ("context_tokens", 0),
        ("context_tokens", -1),
        ("context_tokens", "4000"),
        ("group", "yes"),
        ("explain", 1),
        ("rerank_optional", "yes"),
        ("k", 0),
        ("stale", "never"),
    ],
)
def test_a_wrong_option_is_refused(index: cw.Index, option: str, value: object) -> None:
    """The error names it, whatever the query."""
    for query in ("tide", ""):
        with pytest.raises(cw.ConfigError, match=f"{option}="):
            index.search(query, **{option: value})  # type: ignore[arg-type]  # as a caller would


def test_an_unknown_measure_is_refused(index: cw.Index) -> None:
    """Where it is needed."""
    with pytest.raises(cw.ConfigError, match="measure='ells'"):
        index.search("tide", context_tokens=10, context_measure="ells")


@pytest.mark.parametrize("measure", ["tokens", "chars", "bytes", "lines", len])
def test_what_is_shown_fits_the_budget(index: cw.Index, measure: object) -> None:
    """In any measure; where there is room for all, all is whole."""
    count = resolve(measure).count
    for budget in (1, 5, 20, 60, 100_000):
        hits = index.search("tide user", 20, context_tokens=budget, context_measure=measure)
        assert sum(count(hit.shown) for hit in hits if hit.density != "none") <= budget
        assert all(hit.density in {"full", "head", "signature", "none"} for hit in hits)
    assert all(hit.shown == hit.chunk.text for hit in hits)
    assert all(hit.density == "" for hit in index.search("tide"))


@pytest.mark.parametrize("k", [10**6, 10**12, 10**30])
def test_any_count_is_no_more_than_there_is(index: cw.Index, k: int) -> None:
    """However it is asked for."""
    everything = index.search("tide", 1000)
    assert index.search("tide", k) == everything
    assert {hit.chunk.path for hit in index.search("tide", k, group=True)} == {
        hit.chunk.path for hit in everything
    }


def test_a_megabyte_is_a_query(index: cw.Index) -> None:
    """Its beginning counts."""
    assert "plain.md" in {hit.chunk.path for hit in index.search("tide " + "x y z " * 170_000)}


def test_a_query_in_another_script_is_safe_to_ask(index: cw.Index) -> None:
    """With every option at once."""
    for query in ("прилив", "مد", "潮", "ไม่", "🛳️ tide"):
        hits = index.search(
            query, group=True, neighbours=1, context_tokens=50, explain=True, stale="refresh"
        )
        assert isinstance(hits, list)


def test_k_answers_come_back_where_parts_of_one_thing_fill_the_top(tmp_path: Path) -> None:
    """Candidates are added until there are enough answers."""
    lines = "".join(f"    fog = fog + fog + {at}\n" for at in range(9000))
    (tmp_path / "long.py").write_text(f"def fog(fog):\n{lines}", "utf-8")
    for at in range(12):
        text = f"# Note {at}\n\n" + "Ships and sails and more of them. " * 30 + f"Fog {at}.\n"
        (tmp_path / f"{at}.md").write_text(text, "utf-8")
    with cw.Index(tmp_path, False, {"size": 300}) as index:
        index.refresh()
        assert len(index.chunks("long.py")) > 800
        for k in (5, 100, 400):
            assert len(index.search("fog", k)) == min(k, len(index.search("fog", 10**6)))
        paths = {hit.chunk.path for hit in index.search("fog", 13, group=True)}
        assert paths == {"long.py", *(f"{at}.md" for at in range(12))}


def test_parts_of_one_function_are_one_answer(tmp_path: Path) -> None:
    """Its lines are covered from the first part found to the last; the best one is the chunk."""
    body = "".join(f"    anchor_{at} = chain_{at}\n" for at in range(40))
    (tmp_path / "ship.py").write_text(f"def sail(ship):\n{body}    fog_horn(fog_horn)\n", "utf-8")
    with cw.Index(tmp_path, False, {"size": 400}) as index:
        index.refresh()
        (hit,) = index.search("sail")
        parts = index.chunks()
        assert len(parts) > 2
        assert sorted([hit.chunk.part, *(chunk.part for chunk in hit.merged)]) == list(
            range(1 + len(hit.merged))
        )
        assert hit.merged
        assert (hit.start_line, hit.end_line) == (1, parts[len(hit.merged)].end_line)


def test_related_chunks_can_be_limited_and_shown_as_answers_are(index: cw.Index) -> None:
    """The same filters and options."""
    assert {hit.chunk.path for hit in index.find_related("test_tide.py", 1, among="*.md")} <= {
        path for path in FILES if path.endswith(".md")
    }
    hits = index.find_related("snake.py", 1, is_test=False, context_tokens=100, explain=True)
    assert hits
    assert all(hit.density and hit.raw and not hit.chunk.is_test for hit in hits)
    with pytest.raises(cw.ConfigError, match="k=0"):
        index.find_related("snake.py", 1, 0)


def test_an_index_of_other_vectors_is_refused(index: cw.Index) -> None:
    """Another length, or another name."""
    with (
        cw.Index(index.root, embedder=HashingEmbedder(dim=32)) as other,
        pytest.raises(cw.StaleIndexError, match="hashing-64"),
    ):
        other.search("tide")


def test_an_index_of_a_newer_version_is_refused(index: cw.Index) -> None:
    """It says what to do."""
    index.close()
    connection = sqlite3.connect(index.folder / "index.db")
    connection.execute(f"PRAGMA user_version = {FORMAT + 1}")
    connection.close()
    newer = r"made by a newer version .* upgrade"
    with pytest.raises(cw.StoreError, match=newer):
        index.search("tide")
    with pytest.raises(cw.StoreError, match=newer):
        index.find_related("plain.md", 1)
