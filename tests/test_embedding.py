"""Embedders: offline, finite, repeatable; batches that survive texts and embedders that fail."""

from __future__ import annotations

import pickle
import socket
import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from chunkwright import ConfigError, EmbedError
from chunkwright.embedding import resolve
from chunkwright.embedding.batching import BATCH, embed_safely
from chunkwright.embedding.hashing import HashingEmbedder
from chunkwright.embedding.static import StaticEmbedder

Vectors = npt.NDArray[np.float32]


@pytest.fixture(scope="module")
def static() -> StaticEmbedder:
    """The default embedder, its model read once."""
    return StaticEmbedder()


def test_the_default_needs_no_network(
    static: StaticEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No socket is opened, and alike texts are nearer than unlike ones."""
    monkeypatch.setattr(socket, "socket", None)
    boat, ship, tax = static.embed(["a boat at sea", "a ship on the ocean", "income tax form"])
    assert boat @ ship > boat @ tax


def test_vectors_are_unit_or_zero_and_finite(static: StaticEmbedder) -> None:
    """A text without tokens has the zero vector, never NaN."""
    vectors = static.embed(["harbour", "", " ", "\0", "今天", "_" * 50_000, "x " * 50_000])
    assert vectors.shape == (7, 256)
    assert vectors.dtype == np.float32
    assert np.isfinite(vectors).all()
    lengths = np.linalg.norm(vectors, axis=1)
    assert all(abs(length - 1) < 1e-5 or length == 0 for length in lengths)
    assert lengths[0] > 0
    assert lengths[1] == 0


def test_batches_and_pickling_change_nothing(static: StaticEmbedder) -> None:
    """A text has one vector, whatever it is embedded with."""
    texts = [f"harbour number {number}" for number in range(600)]
    together = static.embed(texts)
    alone = pickle.loads(pickle.dumps(static)).embed([texts[599]])  # noqa: S301  # our own bytes
    assert np.array_equal(together[599], alone[0])
    assert static.embed([]).shape == (0, 256)


def test_the_default_embeds_in_a_process_without_a_network() -> None:
    """From the import to the vectors, no event of the socket module is seen."""
    program = """
import sys

def refuse(event, arguments):
    if event.startswith("socket."):
        raise RuntimeError(event)

sys.addaudithook(refuse)
from chunkwright.embedding.static import StaticEmbedder
assert StaticEmbedder().embed(["harbour"]).any()
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_hashing_gives_unit_rows_or_zero_of_any_dimension() -> None:
    """A text without words has no direction."""
    for dim in (1, 3, 64):
        vectors = HashingEmbedder(dim=dim).embed(["tide", "", "?! \n", "tide tide fog"])
        assert vectors.dtype == np.float32
        assert [round(float(np.linalg.norm(row)), 5) for row in vectors[:3]] == [1.0, 0.0, 0.0]
    assert HashingEmbedder(dim=8).name == "hashing-8"


@pytest.mark.parametrize("dim", [0, -1, 1.5, True, "8"])
def test_a_wrong_dimension_is_refused(dim: int) -> None:
    """The error names it."""
    with pytest.raises(ConfigError, match="dim="):
        HashingEmbedder(dim=dim)


def test_hashing_is_repeatable_and_knows_words() -> None:
    """Case does not count; other words give another vector."""
    one, same, other = HashingEmbedder(dim=64).embed(["The Tide", "the tide", "a ferry"])
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_names_lead_to_embedders() -> None:
    """None is the default, False means words only, an object is itself."""
    assert isinstance(resolve(None), StaticEmbedder)
    assert resolve(False) is None
    assert resolve("none") is None
    own = HashingEmbedder(dim=8)
    assert resolve(own) is own
    with pytest.raises(ConfigError, match="did you mean 'static'"):
        resolve("statik")
    with pytest.raises(ConfigError, match="embedder"):
        resolve(3)  # type: ignore[arg-type]  # wrong on purpose


class Fussy:
    """Refuses what `refuses` says; remembers the size of every call."""

    name, dim, max_tokens = "fussy", 4, 100

    def __init__(self, most: int = 1_000, poison: str = "", longest: int = 10**9) -> None:
        self.calls: list[int] = []
        self._most, self._poison, self._longest = most, poison, longest

    def embed(self, texts: Sequence[str], /) -> Vectors:
        self.calls.append(len(texts))
        if len(texts) > self._most:
            raise MemoryError
        for text in texts:
            if (self._poison and self._poison in text) or len(text) > self._longest:
                raise ValueError("cannot take this text")
        return np.ones((len(texts), self.dim), dtype=np.float32)


def test_batches_are_of_32_and_halved_under_memory_pressure() -> None:
    """Everything is embedded in the end."""
    fussy = Fussy()
    embed_safely(fussy, ["text"] * 70)
    assert fussy.calls == [BATCH, BATCH, 6]
    tight = Fussy(most=5)
    result = embed_safely(tight, ["text"] * 40)
    assert result.failed == {}
    assert result.vectors.all()


def test_one_bad_text_fails_alone() -> None:
    """The others have their vectors; the reason is told."""
    texts = ["good"] * 20 + ["poison"] + ["good"] * 20
    result = embed_safely(Fussy(poison="poison"), texts)
    assert list(result.failed) == [20]
    assert "cannot take this text" in result.failed[20]
    assert result.vectors[:20].all()
    assert result.vectors[21:].all()
    assert not result.vectors[20].any()


def test_a_text_that_is_too_long_is_embedded_by_its_beginning() -> None:
    """And reported as shortened."""
    result = embed_safely(Fussy(longest=1_000), ["short", "long " * 1_000])
    assert result.failed == {}
    assert list(result.shortened) == [1]
    assert result.vectors.all()


def test_no_texts_need_no_call() -> None:
    """The vectors of nothing have the right shape."""
    fussy = Fussy()
    assert embed_safely(fussy, []).vectors.shape == (0, 4)
    assert fussy.calls == []


def test_an_interruption_is_not_taken_for_a_bad_text() -> None:
    """Ctrl-C ends the run."""

    class Interrupted(Fussy):
        def embed(self, texts: Sequence[str], /) -> Vectors:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        embed_safely(Interrupted(), ["text"])


def test_an_embedder_that_is_down_is_an_error() -> None:
    """Named, with what it said; not thousands of failed texts."""
    down = Fussy(longest=0)
    with pytest.raises(EmbedError, match="fussy"):
        embed_safely(down, ["text"] * 500)
    assert len(down.calls) < 100


@pytest.mark.parametrize(
    "answer",
    [
        np.ones((1, 4), dtype=np.float32),
        np.ones((2, 5), dtype=np.float32),
        np.full((2, 4), np.nan, dtype=np.float32),
        np.full((2, 4), np.inf, dtype=np.float32),
        np.array([["a"] * 4] * 2),
        np.ones((2, 4), dtype=np.float64),
        [[1.0] * 4, [1.0]],
        None,
    ],
    ids=[
        "too few",
        "wrong dimension",
        "not a number",
        "infinite",
        "text",
        "float64",
        "rows of unequal lengths",
        "nothing",
    ],
)
def test_an_answer_that_is_no_vectors_is_an_error(answer: Vectors) -> None:
    """The embedder is named; nothing of it is stored."""

    class Wrong(Fussy):
        name = "wrong"

        def embed(self, texts: Sequence[str], /) -> Vectors:
            return answer

    with pytest.raises(EmbedError, match="wrong"):
        embed_safely(Wrong(), ["one", "two"])
