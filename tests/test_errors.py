"""What errors say: of a wrong value what can be read, of a foreign error what it lets us."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import chunkwright as cw
from chunkwright.embedding.hashing import HashingEmbedder
from chunkwright.errors import LONGEST_VALUE, told


class Mute(Exception):  # noqa: N818  # it is none of ours
    """An error that fails when it is asked what it says."""

    def __str__(self) -> str:
        raise RuntimeError("no words")

    __repr__ = __str__


class Broken(HashingEmbedder):
    """An embedder that fails so, from its first text on or only for questions."""

    def __init__(self, *, only_queries: bool = False) -> None:
        super().__init__(dim=16)
        self._only_queries = only_queries

    def embed(self, texts: Sequence[str], /) -> npt.NDArray[np.float32]:
        if not self._only_queries:
            raise Mute
        return super().embed(texts)

    def embed_query(self, texts: Sequence[str], /) -> npt.NDArray[np.float32]:
        raise Mute


def test_a_message_shows_the_beginning_of_a_huge_value() -> None:
    """The value itself stays whole, as an attribute."""
    huge = "x" * 10**6
    error = cw.ConfigError("size", huge, "a number")
    assert str(error) == f"size='{'x' * (LONGEST_VALUE - 2)}… is not allowed: a number"
    assert error.value is huge


def test_a_value_that_cannot_be_shown_is_named_by_its_class() -> None:
    """The message is about the option, whatever the value does."""
    error = cw.ConfigError("size", Mute(), "a number")
    assert str(error) == "size=<Mute> is not allowed: a number"


def test_a_foreign_error_is_told_in_any_case() -> None:
    """By its class alone where it cannot say more, and in characters that can be stored."""
    assert told(ValueError("too long")) == "ValueError: too long"
    assert told(Mute()) == "Mute: (it does not say what)"
    assert told(ValueError("a\udc80b")) == "ValueError: a\\udc80b"


def test_an_embedder_that_fails_without_words_is_named(tmp_path: Path) -> None:
    """Its own error never escapes, neither while indexing nor while searching."""
    (tmp_path / "a.md").write_text("# Fog\n", "utf-8")
    with (
        cw.Index(tmp_path, Broken()) as index,
        pytest.raises(cw.EmbedError, match=r"down, .*\(Mute: "),
    ):
        index.refresh()
    with cw.Index(tmp_path, Broken(only_queries=True)) as index:
        index.refresh()
        with pytest.raises(cw.EmbedError, match="Mute for the query"):
            index.search("fog")
