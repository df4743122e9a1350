"""Vectors are made once: for a branch that comes back, for a second checkout, for options that
touch a part of the tree. And a cache that cannot be used is done without.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import chunkwright as cw
from chunkwright.embedding import EmbedderLike
from chunkwright.embedding.hashing import HashingEmbedder
from chunkwright.index import setup
from chunkwright.store import shared
from chunkwright.store.shared import SharedVectors


class Counting(HashingEmbedder):
    """Knows how many texts it was given."""

    def __init__(self) -> None:
        super().__init__(dim=32)
        self.count = 0

    def embed(self, texts: Sequence[str], /) -> npt.NDArray[np.float32]:
        self.count += len(texts)
        return super().embed(texts)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Code and Markdown."""
    root = tmp_path / "tree"
    root.mkdir()
    for number in range(6):
        (root / f"ship{number}.py").write_text(f"def anchor{number}():\n    return {number}\n")
        (root / f"log{number}.md").write_text(f"# Log {number}\n\nFog at {number}.\n")
    return root


def git(root: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


def test_a_branch_and_back_embeds_nothing_again(tree: Path) -> None:
    """A real repository: going to a branch that has next to nothing in common embeds what is new
    there, going back and forth again nothing."""
    git(tree, "init", "-b", "main")
    git(tree, "add", ".")
    git(tree, "commit", "-m", "first")
    git(tree, "switch", "-c", "other")
    git(tree, "rm", "-q", *(f"log{number}.md" for number in range(6)))
    for number in range(6):
        (tree / f"ship{number}.py").write_text(f"def berth{number}():\n    return -{number}\n")
    git(tree, "commit", "-am", "second")
    git(tree, "switch", "main")

    embedder = Counting()
    with cw.Index(tree, embedder) as index:
        assert index.refresh().embedded == embedder.count == 12
        before = index.chunks()
        git(tree, "switch", "other")
        assert index.refresh().embedded == 6
        assert {chunk.language for chunk in index.chunks()} == {"python"}
        embedder.count = 0
        for branch in ("main", "other", "main"):
            git(tree, "switch", branch)
            report = index.refresh()
            assert (report.embedded, report.reused > 0) == (0, True)
        assert embedder.count == 0
        assert index.chunks() == before


def test_an_option_chunks_anew_only_what_it_touches(tree: Path) -> None:
    """`granularity` is of code: Markdown stays as it was cut, and is not read."""
    with cw.Index(tree, HashingEmbedder(dim=32)) as index:
        index.refresh()
    with cw.Index(tree, HashingEmbedder(dim=32), {"granularity": "symbol"}) as index:
        with pytest.raises(cw.StaleIndexError, match="chunkwright index"):
            index.search("fog")
        report = index.refresh()
        assert report.changed == tuple(f"ship{number}.py" for number in range(6))
        assert {chunk.kind for chunk in index.chunks("ship0.py")} >= {"symbol"}
        assert index.search("fog")
    with cw.Index(tree, HashingEmbedder(dim=32), {"granularity": "symbol"}) as index:
        assert index.refresh().changed == ()


def test_a_content_of_the_same_size_and_time_is_found_by_verifying(tree: Path) -> None:
    """Size and time are believed, unless every file is to be read; then nothing else changes."""
    for path in tree.iterdir():
        os.utime(path, (10**9, 10**9))
    with cw.Index(tree, HashingEmbedder(dim=32)) as index:
        index.refresh()
        (tree / "log3.md").write_text("# Log 3\n\nSun at 3.\n")
        os.utime(tree / "log3.md", (10**9, 10**9))
        assert index.refresh() == cw.RefreshReport()
        assert index.refresh(verify=True).changed == ("log3.md",)
        content = (index.folder / "index.db").read_bytes()
        assert index.refresh(verify=True) == cw.RefreshReport()
        assert (index.folder / "index.db").read_bytes() == content


def test_a_refresh_of_an_unchanged_tree_writes_nothing(tree: Path) -> None:
    """Not a byte of the database, nor a log beside it; only when it was is noted."""
    for path in tree.iterdir():
        os.utime(path, (10**9, 10**9))
    with cw.Index(tree, HashingEmbedder(dim=32)) as index:
        index.refresh()
        names = ("index.db", "index.db-wal", "index.sums")
        before = [(index.folder / name).stat().st_mtime_ns for name in names]
        refreshed = (index.folder / "refreshed").stat().st_mtime_ns
        assert index.refresh() == cw.RefreshReport()
        assert [(index.folder / name).stat().st_mtime_ns for name in names] == before
        assert (index.folder / "refreshed").stat().st_mtime_ns > refreshed


def test_a_second_checkout_embeds_nothing(tree: Path, tmp_path: Path) -> None:
    """With a folder for the vectors that indexes share, also for an embedder that is an object."""
    cache = str(tmp_path / "cache")
    with cw.Index(tree, HashingEmbedder(dim=32), {"vector_cache": cache}) as index:
        assert index.refresh().embedded == 12
        answers = [(hit.chunk.id, hit.score) for hit in index.search("fog at 3")]
    second = tmp_path / "second"
    tree.rename(second)
    embedder = Counting()
    place = tmp_path / "another index"
    with cw.Index(second, embedder, {"vector_cache": cache}, index_dir=place) as index:
        report = index.refresh()
        assert (report.embedded, report.reused) == (0, 12)
        assert embedder.count == 0
        assert index.status().missing_vectors == 0
        assert [(hit.chunk.id, hit.score) for hit in index.search("fog at 3")] == answers


def spoil(file: Path) -> None:
    file.write_bytes(b"nothing that was ever a cache\n" * 300)


def make_a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def spoil_every_vector(file: Path) -> None:
    base = sqlite3.connect(file)
    base.execute("UPDATE vectors SET vector = zeroblob(length(vector))")
    base.commit()
    base.close()


@pytest.mark.parametrize("damage", [spoil, make_a_folder, spoil_every_vector])
def test_a_cache_that_cannot_be_used_is_done_without(
    tree: Path, tmp_path: Path, damage: object, caplog: pytest.LogCaptureFixture
) -> None:
    """The vectors are made anew, and what is wrong is noted."""
    assert callable(damage)
    cache = tmp_path / "cache"
    vectors = SharedVectors(cache, "hashing-32", 32)
    vectors.put({"some": np.ones(32, dtype=np.float32)})
    damage(cache / shared.NAME)
    assert vectors.find(["some"]) == {}
    with (
        caplog.at_level(logging.WARNING, "chunkwright"),
        cw.Index(tree, HashingEmbedder(dim=32), {"vector_cache": str(cache)}) as index,
    ):
        assert index.refresh().embedded == 12
    assert bool(caplog.messages) == (damage is not spoil_every_vector)


def test_a_cache_that_is_locked_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Another process that writes for long is not waited for."""
    monkeypatch.setattr(shared, "WAIT_SECONDS", 0.01)
    vectors = SharedVectors(tmp_path, "m", 4)
    vectors.put({"one": np.ones(4, dtype=np.float32)})
    other = sqlite3.connect(tmp_path / shared.NAME, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    vectors.put({"two": np.ones(4, dtype=np.float32)})
    assert "locked" in caplog.text
    other.close()
    assert set(vectors.find(["one", "two"])) == {"one"}


def test_a_full_cache_loses_what_was_not_used_for_longest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of it; what was looked up since is kept."""
    vectors = SharedVectors(tmp_path, "m", 256, most_bytes=400_000)
    row = np.ones(256, dtype=np.float32)
    monkeypatch.setattr(shared, "_today", lambda: 1)
    vectors.put({f"old {number:03}": row for number in range(200)})
    monkeypatch.setattr(shared, "_today", lambda: 2)
    used = [f"old {number:03}" for number in range(10)]
    assert set(vectors.find(used)) == set(used)
    vectors.put({f"new {number:03}": row for number in range(200)})
    left = vectors.find(f"{age} {number:03}" for number in range(200) for age in ("old", "new"))
    assert set(used) <= set(left)
    assert {hash_[:3] for hash_ in set(left) - set(used)} == {"new"}
    assert len(left) == 200


def test_vectors_of_another_model_or_size_are_not_found(tmp_path: Path) -> None:
    """A name counts together with the number of dimensions."""
    SharedVectors(tmp_path, "m", 4).put({"one": np.ones(4, dtype=np.float32)})
    assert SharedVectors(tmp_path, "m", 8).find(["one"]) == {}
    assert SharedVectors(tmp_path, "n", 4).find(["one"]) == {}


def test_who_shares_vectors(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the configuration says, else the environment, else slow embedders given by name."""

    def cache(embedder: EmbedderLike = None, setting: str | None = None) -> Path | None:
        config = {} if setting is None else {"vector_cache": setting}
        return setup.settle(tree, embedder, config, None).vector_cache

    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.delenv(setup.VECTOR_CACHE)
    assert cache("minilm") == tmp_path / "home" / "chunkwright"
    cheap: tuple[EmbedderLike, ...] = ("static", "hashing", "none", None, False, HashingEmbedder())
    assert [cache(embedder) for embedder in cheap] == [None] * len(cheap)
    assert cache("minilm", "") is None
    assert cache("static", "here") == tree / "here"
    monkeypatch.setenv(setup.VECTOR_CACHE, "there")
    assert cache("static") == tree / "there"
    assert cache("static", "here") == tree / "here"
    monkeypatch.setenv(setup.VECTOR_CACHE, "")
    assert cache("minilm") is None
