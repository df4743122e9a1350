"""What is told to an index and asked of it that cannot be meant: embedders that say nonsense of
themselves, paths and filters of another kind, a root that is gone.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import chunkwright as cw
from chunkwright.embedding.hashing import HashingEmbedder
from chunkwright.store import Store


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with one source file."""
    folder = tmp_path / "root"
    folder.mkdir()
    (folder / "anchor.py").write_text("def anchor():\n    return 1\n", "utf-8")
    return folder


@pytest.fixture
def index(root: Path, tmp_path: Path) -> Iterator[cw.Index]:
    """An index of it, outside of it, up to date."""
    with cw.Index(root, HashingEmbedder(), index_dir=tmp_path / "index") as opened:
        opened.refresh()
        yield opened


class Odd(HashingEmbedder):
    """Says of itself what it is told to."""

    def __init__(self, **facts: Any) -> None:
        super().__init__(dim=32)
        self.__dict__.update(facts)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(("name", value) for value in (None, 1, "", " ", "none", "\ud800")),
        *(("batch_size", value) for value in (0, -1, None, "x", True, 1.5)),
        *(("concurrency", value) for value in (0, -1, None, "x")),
        *(("max_tokens", value) for value in (0, -1, "x", float("nan"))),
    ],
)
def test_an_embedder_that_cannot_be_meant_is_refused(
    root: Path, option: str, value: object
) -> None:
    """Its attribute is named, before anything is written. A batch of -1 would embed nothing, and
    say that all is well."""
    index = cw.Index(root, Odd(**{option: value}))
    for work in (index.refresh, index.rebuild, lambda: index.put("fog", "Fog at noon.")):
        with pytest.raises(cw.ConfigError, match=f"embedder.{option}"):
            work()
    assert index.status().chunks == 0
    assert index.list() == []


@pytest.mark.parametrize("dim", [0, -1, None, "4", 4.0, True])
def test_dimensions_that_are_no_count_are_refused(root: Path, dim: object) -> None:
    """When they are asked for, before anything is written."""
    index = cw.Index(root, Odd(dim=dim))
    for work in (index.refresh, index.rebuild):
        with pytest.raises(cw.ConfigError, match=r"embedder\.dim"):
            work()
    assert index.status().chunks == 0


def test_numbers_of_numpy_are_numbers(root: Path) -> None:
    """Many embedders say so what a matrix of theirs has."""
    index = cw.Index(root, Odd(dim=np.int64(32), batch_size=np.int64(2), max_tokens=np.inf))
    index.refresh()
    assert index.status().vectors == 1


class Mute(HashingEmbedder):
    """Does not tell its dimensions."""

    @property
    def dim(self) -> int:
        raise RuntimeError("no model")

    @dim.setter
    def dim(self, _value: int) -> None:
        pass


def test_an_embedder_that_does_not_tell_its_dimensions_is_named(root: Path) -> None:
    """As one that cannot be used, not by an error of its own."""
    with pytest.raises(cw.EmbedError, match=r"does not tell its dim .*no model"):
        cw.Index(root, Mute()).refresh()


class Greedy(HashingEmbedder):
    """Takes the texts out of the list it is given, and loses the vectors."""

    def embed(self, texts: Sequence[str], /) -> npt.NDArray[np.float32]:
        if isinstance(texts, list):
            texts.clear()
        return super().embed(texts)


def test_an_embedder_may_empty_its_list(root: Path) -> None:
    """Its answer is held against the texts it was given, not those that are left."""
    with pytest.raises(cw.EmbedError, match="for 1 texts"):
        cw.Index(root, Greedy()).refresh()


@pytest.mark.parametrize("path", [1, None, b"anchor.py", object()])
def test_a_path_is_a_path(index: cw.Index, path: Any) -> None:
    """Anything else names itself."""
    for ask in (
        lambda: index.find_related(path, 1),
        lambda: index.outline(path),
        lambda: index.refresh([path]),
        lambda: index.remove([path]),
    ):
        with pytest.raises(cw.ConfigError, match="a string or a Path"):
            ask()


@pytest.mark.parametrize("path", ["bad\udcff.py", "//entries/bad\udcff"])
def test_a_name_that_is_not_utf_8_is_not_indexed(index: cw.Index, path: str) -> None:
    """Nor looked for among those that are."""
    for ask in (
        lambda: index.find_related(path, 1),
        lambda: index.outline(path),
        lambda: index.chunks(path),
    ):
        with pytest.raises(cw.PathError):
            ask()
    assert index.chunks(parent=path) == []


def test_a_parent_is_an_id(index: cw.Index) -> None:
    """A wrong kind of it says nothing of the state of the index."""
    with pytest.raises(cw.ConfigError, match="parent"):
        index.chunks(parent=object())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong",
    [{"path": "[z-a]"}, {"where": {1: 2}}, {"stale": np.array([1, 2])}, {"threshold": "high"}],
)
def test_a_wrong_argument_names_itself(index: cw.Index, wrong: dict[str, Any]) -> None:
    """Whatever the library that reads it makes of it."""
    with pytest.raises(cw.ConfigError, match=next(iter(wrong))):
        index.search("anchor", **wrong)


def test_odd_arguments_that_mean_something_find_what_they_mean(index: cw.Index) -> None:
    """Nothing here has such a score, or such a key."""
    assert index.search("anchor", threshold=10**400) == []
    assert index.search("anchor", where={"\ud800": 1}) == []
    assert len(index.search("anchor", threshold=-(10**400))) == 1


def test_a_root_that_is_gone_costs_no_index(index: cw.Index) -> None:
    """It may lie on a disk that is not mounted: what is known of it stays."""
    shutil.rmtree(index.root)
    for work in (index.refresh, index.rebuild):
        with pytest.raises(cw.PathError, match="does not exist"):
            work()
    assert [hit.stale for hit in index.search("anchor")] == ["vanished"]


def test_a_root_that_is_gone_is_not_made_anew(root: Path) -> None:
    """The index would lie in it."""
    index = cw.Index(root, HashingEmbedder())
    index.refresh()
    index.close()
    shutil.rmtree(root)
    for work in (index.refresh, index.rebuild, lambda: index.put("fog", "Fog at noon.")):
        with pytest.raises(cw.PathError, match="does not exist"):
            work()
    assert not root.exists()


def test_an_index_that_is_being_made_is_not_one_of_another_embedder(tmp_path: Path) -> None:
    """What its maker has not noted yet, or could not, is no reason to make it anew."""
    index = cw.Index(tmp_path, HashingEmbedder())
    Store(index.folder).create()
    with pytest.raises(cw.StoreError, match="not made yet") as caught:
        index.search("anchor")
    assert type(caught.value) is cw.StoreError
    index.refresh()
    assert index.search("anchor") == []


def test_an_empty_index_dir_is_refused(tmp_path: Path) -> None:
    """It would mean the working folder, whatever that is."""
    with pytest.raises(cw.ConfigError, match="index_dir=''"):
        cw.Index(tmp_path, HashingEmbedder(), index_dir="")
