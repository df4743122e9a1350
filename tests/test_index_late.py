"""A late index: words at once, vectors when a question wants them, the rest at leisure."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import chunkwright as cw
from chunkwright.embedding.hashing import HashingEmbedder
from chunkwright.index import late
from chunkwright.store import Store

LATE = {"late_embedding": True}
FILES = 8


class Noting(HashingEmbedder):
    """Knows the documents it was given; fails, or is interrupted, after so many."""

    def __init__(self) -> None:
        super().__init__(dim=64)
        self.texts: list[str] = []
        self.most = 10**9
        self.error: type[BaseException] = KeyboardInterrupt

    def embed(self, texts: Sequence[str], /) -> npt.NDArray[np.float32]:
        if len(self.texts) + len(texts) > self.most:
            raise self.error
        self.texts += texts
        return super().embed(texts)

    def embed_query(self, texts: Sequence[str], /) -> npt.NDArray[np.float32]:
        return super().embed(texts)


@pytest.fixture
def embedder() -> Noting:
    """A new one."""
    return Noting()


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Files of one function each, half of them about fog; a test."""
    for number in range(FILES):
        word = "fog" if number % 2 else "tide"
        (tmp_path / f"ship{number}.py").write_text(
            f"def {word}_{number}(pier):\n    return pier + {number}\n"
        )
    (tmp_path / "test_ship.py").write_text("def test_fog():\n    assert fog_1(0) == 1\n")
    return tmp_path


def counts(index: cw.Index) -> tuple[int, int]:
    """Chunks with and without a vector."""
    status = index.status()
    return status.vectors, status.missing_vectors


def test_a_refresh_embeds_nothing_and_says_so(tree: Path, embedder: Noting) -> None:
    """That vectors are missing is no failure, and what is not late is not called so."""
    with cw.Index(tree, embedder, LATE) as index:
        report = index.refresh()
        assert (report.embedded, report.failed, embedder.texts) == (0, (), [])
        status = index.status()
        assert (status.late, status.embedder, status.dim) == (True, embedder.name, 64)
        assert counts(index) == (0, FILES + 1)
        assert index.verify() == ()
    with cw.Index(tree, embedder, index_dir=tree / "other") as index:
        index.refresh()
        assert index.status().late is False


def test_the_index_remembers_that_it_is_late(tree: Path, embedder: Noting) -> None:
    """Without the setting: a change, another refresh and a rebuild embed nothing."""
    with cw.Index(tree, embedder, LATE) as index:
        index.refresh()
    with cw.Index(tree, embedder) as index:
        (tree / "new.py").write_text("def gull():\n    return 1\n")
        assert index.refresh().added == ("new.py",)
        index.rebuild()
        assert (index.status().late, embedder.texts) == (True, [])


def test_a_late_index_that_is_not_to_be_late_any_more_is_completed(
    tree: Path, embedder: Noting
) -> None:
    """By its next refresh."""
    with cw.Index(tree, embedder, LATE) as index:
        index.refresh()
    with cw.Index(tree, embedder, {"late_embedding": False}) as index:
        assert index.refresh().embedded == FILES + 1
        assert (index.status().late, counts(index)) == (False, (FILES + 1, 0))


def test_an_unchanged_late_index_is_not_written(tree: Path, embedder: Noting) -> None:
    """Though vectors are missing."""
    with cw.Index(tree, embedder, LATE) as index:
        index.refresh(verify=True)
        index.search("fog")
        index.refresh(verify=True)
        before = Store(index.folder).path.read_bytes()
        index.refresh(verify=True)
        assert Store(index.folder).path.read_bytes() == before


def test_a_question_embeds_its_candidates_once(tree: Path, embedder: Noting) -> None:
    """Only those, and they are there for the next question; also for one by meaning."""
    with cw.Index(tree, embedder, LATE) as index:
        index.refresh()
        hits = index.search("fog", explain=True)
        assert all("fog" in text for text in embedder.texts)
        assert len(embedder.texts) == len(hits) == FILES // 2 + 1
        assert any(hit.raw["cosine"] != 0 for hit in hits)
        assert counts(index) == (len(hits), FILES + 1 - len(hits))
        assert index.search("fog", explain=True) == hits
        assert len(embedder.texts) == len(hits)


def test_a_late_index_answers_as_one_that_embeds_at_once(tree: Path, embedder: Noting) -> None:
    """Where words find all that is to be found."""
    with cw.Index(tree, embedder, LATE) as index:
        index.refresh()
        late_hits = index.search("fog pier", explain=True)
        related = index.find_related("ship1.py", 1, explain=True)
        filtered = index.search_apart("fog", path="ship*", explain=True)
    with cw.Index(tree, embedder, index_dir=tree / "other") as index:
        index.refresh()
        assert index.search("fog pier", explain=True) == late_hits
        assert index.find_related("ship1.py", 1, explain=True) == related
        assert index.search_apart("fog", path="ship*", explain=True) == filtered


def test_while_another_process_writes_vectors_are_used_and_not_kept(
    tree: Path, embedder: Noting
) -> None:
    """The answer is the same."""
    with cw.Index(tree, embedder, LATE) as index:
        index.refresh()
        with Store(index.folder).locked():
            hits = index.search("fog", explain=True)
            assert counts(index)[0] == 0
        assert any(hit.raw["cosine"] != 0 for hit in hits)
        assert index.search("fog", explain=True) == hits
        assert counts(index)[0] == len(hits)


def test_the_rest_is_embedded_the_most_useful_first(tree: Path, embedder: Noting) -> None:
    """In steps: the first chunk of every document before the second of any, tests last."""
    functions = "".join(f"def gull_{n}():\n    return '{'x' * 900}'\n\n\n" for n in range(3))
    (tree / "gulls.py").write_text(functions)
    with cw.Index(tree, embedder, LATE) as index:
        index.refresh()
        total = len(index.chunks())
        assert index.embed(limit=0) == cw.RefreshReport()
        assert index.embed(limit=2).embedded == 2
        assert counts(index) == (2, total - 2)
        seen: list[tuple[str, int, int, str]] = []
        assert index.embed(progress=lambda *step: seen.append(step)).embedded == total - 2
        assert seen == [("chunks", total - 2, total - 2, "")]
        assert counts(index) == (total, 0)
        assert "test_fog" in embedder.texts[-1]
        firsts = sum("def gull_0" in text or "ship" in text for text in embedder.texts[: FILES + 1])
        assert firsts == FILES + 1
        assert index.embed() == cw.RefreshReport()
    with pytest.raises(cw.ConfigError, match="limit"):
        index.embed(limit=-1)


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_what_was_embedded_before_an_end_is_kept(
    tree: Path, embedder: Noting, error: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Interrupted, or with an embedder that is down: the next time goes on from there."""
    monkeypatch.setattr(late, "GROUP", 2)
    with cw.Index(tree, embedder, LATE) as index:
        index.refresh()
        embedder.most, embedder.error = 4, error
        with pytest.raises(KeyboardInterrupt if error is KeyboardInterrupt else cw.EmbedError):
            index.embed()
        assert counts(index) == (4, FILES - 3)
        embedder.most = 10**9
        assert index.embed().embedded == FILES - 3
        assert len(set(embedder.texts) - {"a"}) == FILES + 1


def test_an_embedder_that_is_down_is_told_by_the_search(tree: Path, embedder: Noting) -> None:
    """As by any search."""
    with cw.Index(tree, embedder, LATE) as index:
        index.refresh()
        embedder.most, embedder.error = 0, ValueError
        with pytest.raises(cw.EmbedError, match="down"):
            index.search("fog")


def test_documents_are_embedded_when_they_are_put(tree: Path, embedder: Noting) -> None:
    """A late index leaves files for later, and what a rebuild has to chunk anew."""
    with cw.Index(tree, embedder, LATE) as index:
        index.refresh()
        assert index.put("tide", "The tide is low.").waiting == ""
        assert counts(index)[0] == len(embedder.texts) == 1
        index.rebuild()
        assert counts(index)[0] == 0
        assert index.heal().embedded == 1


def test_nothing_is_embedded_without_an_embedder(tree: Path) -> None:
    """Words only is words only, late or not."""
    with cw.Index(tree, False, LATE) as index:
        index.refresh()
        assert index.embed() == cw.RefreshReport()
        assert (index.status().late, index.status().missing_vectors) == (False, 0)
        assert index.search("fog")
