"""Faults that users of other tools reported about whole trees and indexes: each must not happen
here. A test's id is the case's; its failure names the report.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import chunkwright as cw
from cases import CASES, Case, generated
from chunkwright.embedding.hashing import HashingEmbedder


class Recorder:
    """An embedder of hashes that remembers what it was given, and refuses what holds a word."""

    max_tokens = 1_000

    def __init__(self, name: str = "hashing", dim: int = 16, refused: str = "") -> None:
        self.name, self.dim = name, dim
        self.seen: list[str] = []
        self._refused = refused
        self._inner = HashingEmbedder(dim=dim)

    def embed(self, texts: Sequence[str], /) -> npt.NDArray[np.float32]:
        if self._refused and any(self._refused in text.lower() for text in texts):
            raise ValueError(f"no vector for {self._refused!r}")
        self.seen += texts
        return self._inner.embed(texts)


def ids(kind: str) -> list[Any]:
    return [pytest.param(case, id=case.id) for case in CASES.values() if case.kind == kind]


def write(root: Path, files: dict[str, Any]) -> None:
    for path, content in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        text = content["text"] if isinstance(content, dict) and "text" in content else content
        place.write_bytes(generated(text).encode())


def rename(root: Path, moves: dict[str, str]) -> None:
    for old, new in moves.items():
        (root / new).parent.mkdir(parents=True, exist_ok=True)
        (root / old).rename(root / new)


def delete(root: Path, paths: list[str]) -> None:
    for path in paths:
        (root / path).unlink()


ACTIONS: dict[str, Callable[[Path, Any], None]] = {
    "write": write,
    "delete": delete,
    "rename": rename,
}


class Synced:
    """What a refresh left behind."""

    def __init__(self, root: Path, settings: Any) -> None:
        given = settings if isinstance(settings, dict) else {}
        name, dim = given.get("model", "hashing"), given.get("dim", 16)
        self.embedder = Recorder(name, dim, given.get("fail_on", ""))
        config = {"size": given["size"]} if "size" in given else None
        with cw.Index(root, embedder=self.embedder, config=config) as index:
            self.report = index.refresh()
            self.chunks = index.chunks()
            self.status = index.status()
        with cw.Index(root, embedder=Recorder(name, dim), config=config) as index:
            self.hits = index.search("same words")
            self.found = {
                word for word in ("one", "two") for hit in index.search(word) if _holds(hit, word)
            }

    @property
    def paths(self) -> list[str]:
        return sorted({chunk.path for chunk in self.chunks})


def _holds(hit: cw.Hit, word: str) -> bool:
    return word in hit.chunk.text and hit.reasons.get("meaning", 0) > 0


def steps(case: Case, root: Path) -> list[Synced | Exception]:
    """Every sync of a case, in order: what it left, or the error it ended with."""
    synced: list[Synced | Exception] = []
    for step in case.input["steps"]:
        ((action, value),) = step.items()
        if action in ACTIONS:
            ACTIONS[action](root, value)
            continue
        try:
            synced.append(Synced(root, value))
        except cw.ChunkwrightError as error:
            synced.append(error)
    return synced


def paths_after(_: Path, synced: list[Any], wanted: list[list[str]]) -> None:
    assert [one.paths for one in synced] == wanted
    for one in synced:
        assert len({chunk.id for chunk in one.chunks}) == len(one.chunks)


def all_chunks_max_after(_: Path, synced: list[Any], wanted: list[int]) -> None:
    for one, size in zip(synced, wanted, strict=True):
        assert one.chunks
        assert all(len(chunk.text) <= size for chunk in one.chunks)
    assert synced[0].status.fingerprint != synced[1].status.fingerprint


def raises_steps(root: Path, synced: list[Any], wanted: list[int]) -> None:
    """Steps count from 0 with the write; the first sync is step 1."""
    refused = [at for at, one in enumerate(synced, start=1) if isinstance(one, cw.StaleIndexError)]
    assert refused == wanted
    assert "m1" in str(synced[1])
    assert "m2" in str(synced[1])
    assert "index --rebuild" in str(synced[1])
    with cw.Index(root, embedder=Recorder("m1", 8)) as index:
        assert index.refresh().embedded == 0
        assert [chunk.text for chunk in index.chunks()] == ["aa"]


def contains_after(_: Path, synced: list[Any], wanted: list[list[str]]) -> None:
    assert [sorted(one.found) for one in synced] == wanted
    assert synced[0].report.failed
    assert synced[0].status.missing_vectors == 1
    assert synced[1].report.embedded == 1
    assert synced[1].status.missing_vectors == 0


CHECKS: dict[str, Callable[[Path, list[Any], Any], None]] = {
    "paths_after": paths_after,
    "all_chunks_max_after": all_chunks_max_after,
    "raises_steps": raises_steps,
    "contains_after": contains_after,
}


@pytest.mark.parametrize("case", ids("index"))
def test_index_case(case: Case, tmp_path: Path) -> None:
    """What went wrong in other indexes does not go wrong in this one."""
    synced = steps(case, tmp_path)
    for name, wanted in case.checks.items():
        CHECKS[name](tmp_path, synced, wanted)


def test_equal_texts_in_two_files_share_a_vector_and_nothing_else(tmp_path: Path) -> None:
    """Both files answer, with ids of their own, and what does not name a path embeds once."""
    first = steps(CASES["id-same-text-two-files"], tmp_path)[0]
    assert isinstance(first, Synced)
    assert {hit.chunk.path for hit in first.hits} == {"a.md", "b.md"}
    assert len({hit.chunk.id for hit in first.hits}) == 2
    assert len({hit.chunk.content_hash for hit in first.hits}) == 1
    assert len(first.embedder.seen) == 1


def test_a_renamed_file_embeds_only_what_names_its_path(tmp_path: Path) -> None:
    """One text a step: the prefix of code names the path."""
    for one in steps(CASES["idx-rename"], tmp_path):
        assert isinstance(one, Synced)
        assert len(one.embedder.seen) == 1


@pytest.fixture
def tree(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The files and links of a repo case; a link that leads out has somewhere to lead."""
    case: Case = request.param
    write(tmp_path, case.input["files"])
    for path, target in case.input.get("symlinks", {}).items():
        (tmp_path / path).symlink_to(target)
    for path, content in case.input["files"].items():
        if isinstance(content, dict) and "mode" in content:
            (tmp_path / path).chmod(int(content["mode"], 8))
    return tmp_path


@pytest.mark.parametrize(
    ("case", "tree"),
    [pytest.param(case, case, id=case.id) for case in CASES.values() if case.kind == "repo"],
    indirect=["tree"],
)
def test_repo_case(case: Case, tree: Path) -> None:
    """What went wrong in other walks does not go wrong here; the index and the stream agree."""
    with cw.Index(tree, embedder=Recorder()) as index:
        report = index.refresh()
        indexed = {chunk.path for chunk in index.chunks()}
    streamed = {one.path for one in cw.chunk_tree(tree) if len(one)}
    assert indexed == streamed
    assert indexed >= set(case.checks.get("indexed", ()))
    assert not indexed & set(case.checks.get("not_indexed", ()))
    if "indexed_exact" in case.checks:
        assert sorted(indexed) == case.checks["indexed_exact"]
    told = {path: reason for path, reason, _ in (*report.skipped, *report.failed)}
    for path in case.checks.get("not_indexed", ()):
        assert told[path] == "secret"
    if "locked.py" in case.input["files"] and os.geteuid() != 0:
        assert "locked.py" in told
