"""Embedders: offline, finite, repeatable; batches that survive texts and embedders that fail."""

from __future__ import annotations

import pickle
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import chunkwright as cw
from chunkwright import ConfigError, EmbedError
from chunkwright.embedding import is_cheap, query_vector, resolve
from chunkwright.embedding.answers import checked
from chunkwright.embedding.batching import BATCH, embed_safely
from chunkwright.embedding.hashing import HashingEmbedder
from chunkwright.embedding.limits import chunk_options
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
    fussy = Fussy(longest=1_000)
    fussy.max_tokens = 10_000
    result = embed_safely(fussy, ["short", "long " * 1_000])
    assert (result.failed, result.over_limit) == ({}, {})
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
    result = embed_safely(down, ["text"] * 500)
    assert isinstance(result.stopped, EmbedError)
    assert "fussy: down" in str(result.stopped)
    assert (result.done, result.failed) == ([], {})
    assert down.calls == [32, 16, 1]


def test_an_embedder_that_goes_down_stops_the_run_with_what_is_done() -> None:
    """What was embedded before is returned beside the error."""

    class Dying(Fussy):
        def embed(self, texts: Sequence[str], /) -> Vectors:
            if len(self.calls) >= 2:
                raise OSError("connection refused")
            return super().embed(texts)

    result = embed_safely(Dying(), ["text"] * 500)
    assert "connection refused" in str(result.stopped)
    assert result.done == list(range(64))
    assert result.vectors[:64].all()


def test_an_embedder_says_its_own_batch_and_is_asked_several_at_a_time() -> None:
    """Each text gets its own vector, whichever batch is answered first; bad ones fail alone."""

    class Wide(Fussy):
        batch_size, concurrency = 10, 3

        def embed(self, texts: Sequence[str], /) -> Vectors:
            super().embed(texts)
            rows = [[float(text.split()[0].replace("a", "0"))] * self.dim for text in texts]
            return np.array(rows, dtype=np.float32)

    wide = Wide(poison="poison")
    texts = [f"{number} poison" if number == 41 else f"{number} text" for number in range(1, 96)]
    result = embed_safely(wide, texts)
    assert max(wide.calls) == 10
    assert list(result.failed) == [40]
    assert result.stopped is None
    expected = [0.0 if number == 41 else float(number) for number in range(1, 96)]
    assert result.vectors[:, 0].tolist() == expected


def test_a_text_over_max_tokens_is_read_by_its_beginning_and_reported() -> None:
    """With a tokenizer to its last token, without one by a guess; nothing is cut unsaid."""

    class Counted(Fussy):
        max_tokens, special_tokens, measure = 12, 2, Words()

        def embed(self, texts: Sequence[str], /) -> Vectors:
            assert all(Words().count(text) <= 10 for text in texts)
            return super().embed(texts)

    result = embed_safely(Counted(), ["fog " * 10, "fog " * 11])
    assert list(result.over_limit) == [1]
    assert "over the 10 tokens" in result.over_limit[1]
    assert result.done == [0, 1]
    guessed = embed_safely(Fussy(), ["a" * 200, "a" * 201])
    assert guessed.over_limit == {
        1: "only 199 of 201 characters; over the 100 tokens that the embedder reads, "
        "guessed from its bytes: set `size`, or say what counts them"
    }


class Words:
    """Counts words."""

    name = "words"

    def count(self, text: str, /) -> int:
        """Number of words."""
        return len(text.split())


def reading(most: int, measure: object = None) -> Fussy:
    """An embedder that reads so many tokens, two of which it adds itself."""
    embedder = Fussy()
    embedder.__dict__.update(max_tokens=most, special_tokens=2, measure=measure)
    return embedder


@pytest.mark.parametrize(
    ("most", "size"), [(256, 254), (482, 480), (512, 480), (3_201, 480), (3_202, None)]
)
def test_chunks_are_cut_by_tokens_where_the_usual_ones_are_too_long(
    most: int, size: int | None
) -> None:
    """Never longer than they would be anyway, and as usual for whoever reads every chunk."""
    words = Words()
    options = chunk_options(reading(most, words))
    assert options.get("size") == size
    if size is not None:
        assert options["measure"] is words
        assert options["budget_includes_context"] is True
    assert chunk_options(reading(most)) == {}


def test_an_index_keeps_to_what_its_embedder_reads(tmp_path: Path) -> None:
    """By the embedder's tokens, unless a size is set: then what is too long is reported."""
    prose = " ".join(f"fog{number}" for number in range(400))
    (tmp_path / "log.md").write_text(f"# Log\n\n{prose}\n", "utf-8")
    with cw.Index(tmp_path, reading(52, Words())) as index:
        assert index.refresh().failed == ()
        assert max(Words().count(cw.embed_text(chunk)) for chunk in index.chunks()) <= 50
        assert index.status().missing_vectors == 0
    with cw.Index(tmp_path, reading(52, Words()), {"size": 3_000}) as index:
        ((path, reason, _),) = index.refresh().failed
        assert path == "log.md"
        assert "over the 50 tokens that the embedder reads" in reason
        status = index.status()
        assert (status.missing_vectors, status.cut_vectors) == (0, 1)


def test_nothing_is_cut_for_an_embedder_without_a_limit() -> None:
    """`max_tokens` may be missing."""

    class Bare:
        name, dim = "bare", 2

        def embed(self, texts: Sequence[str], /) -> list[list[float]]:
            return [[float(len(text)), 0.0] for text in texts]

    bare = resolve(Bare())  # type: ignore[arg-type]  # without max_tokens, on purpose
    assert bare is not None
    assert embed_safely(bare, ["a" * 5_000]).vectors.tolist() == [[5000.0, 0.0]]


def test_a_text_whose_vector_is_no_number_fails_alone() -> None:
    """The others of its batch have theirs."""

    class Unlucky(Fussy):
        def embed(self, texts: Sequence[str], /) -> Vectors:
            rows = super().embed(texts)
            rows[["odd" in text for text in texts]] = np.nan
            return rows

    result = embed_safely(Unlucky(), ["even"] * 9 + ["odd"])
    assert list(result.failed) == [9]
    assert "NaN" in result.failed[9]
    assert result.done == list(range(9))


@pytest.mark.parametrize(
    "answer",
    [
        np.ones((1, 4), dtype=np.float32),
        np.ones((2, 5), dtype=np.float32),
        np.full((2, 4), np.nan, dtype=np.float32),
        np.full((2, 4), np.inf, dtype=np.float32),
        np.array([["a"] * 4] * 2),
        np.full((2, 4), 1e300),
        [[1.0] * 4, [1.0]],
        None,
    ],
    ids=[
        "too few",
        "wrong dimension",
        "not a number",
        "infinite",
        "text",
        "too large",
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

    result = embed_safely(Wrong(), ["one", "two"])
    assert isinstance(result.stopped, EmbedError)
    assert result.stopped.embedder == "wrong"
    assert result.done == []


@pytest.mark.parametrize(
    "answer",
    [[[1, 2], [3, 4]], np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[1, 2], [3, 4]], np.int8)],
    ids=["lists", "float64", "int8"],
)
def test_numbers_of_any_precision_are_taken(answer: object) -> None:
    """An embedder need not answer with float32, nor with an array."""
    vectors = checked(HashingEmbedder(dim=2), answer, 2)
    assert vectors.dtype == np.float32
    assert vectors.tolist() == [[1.0, 2.0], [3.0, 4.0]]


class TwoSided(Fussy):
    """Has another answer for queries."""

    dim = 2

    def embed(self, texts: Sequence[str], /) -> Vectors:
        return np.array([[len(text), 0.0] for text in texts], dtype=np.float32)

    def embed_query(self, texts: Sequence[str], /) -> Vectors:
        return np.array([[0.0, len(text)] for text in texts], dtype=np.float32)


def test_queries_go_to_their_own_side() -> None:
    """`embed_query` where there is one, else `embed`; the vector has length 1."""
    assert query_vector(TwoSided(), "fog").tolist() == [0.0, 1.0]
    hashing = HashingEmbedder(dim=8)
    assert np.allclose(query_vector(hashing, "fog"), hashing.embed(["fog"])[0])


def test_prefixes_are_put_before_each_side_and_into_the_name() -> None:
    """Other instructions give other vectors, so they have another name; the rest stays."""
    options = {"query_prefix": "query: ", "document_prefix": "passage: "}
    prefixed = resolve("hashing", options)
    assert prefixed is not None
    plain = HashingEmbedder()
    assert np.array_equal(prefixed.embed(["fog"]), plain.embed(["passage: fog"]))
    assert np.allclose(query_vector(prefixed, "fog"), plain.embed(["query: fog"])[0])
    assert prefixed.name == "hashing-64 query='query: ' document='passage: '"
    copy = pickle.loads(pickle.dumps(prefixed))  # noqa: S301  # our own bytes
    assert (copy.name, copy.dim, is_cheap(copy)) == (prefixed.name, 64, True)


def test_a_long_query_is_read_by_its_beginning() -> None:
    """It is no error to paste a whole file."""
    assert query_vector(Fussy(longest=200), "fog " * 1_000).tolist() == [0.5] * 4


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("static", {"dimensions": 3}, "embedder_options.dimensions"),
        ("openai:", {}, "openai:MODEL"),
        ("openai:x", {"dimension": 3}, "did you mean 'dimensions'"),
        ("openai:x", {"dimensions": 0}, "1 or more"),
        ("openai:x", {"timeout": "long"}, "seconds"),
        ("model2vec:", {}, "model2vec:FOLDER"),
        ("http://localhost:1/v1", {}, "the model after the URL"),
        ("http://#model", {}, "http://HOST:PORT/v1#MODEL"),
        ("http://me:secret@host/v1#model", {}, "without password"),
        ("https://host/v1?key=secret#model", {}, "without password"),
        ("ftp://host/v1#model", {}, "embedders are"),
        ("hashing", {"query_prefix": 3}, "a text in quotes"),
    ],
)
def test_a_wrong_name_or_option_is_refused(
    name: str, options: dict[str, object], message: str
) -> None:
    """The error says what may be given, and repeats no password."""
    with pytest.raises(ConfigError, match=message) as caught:
        resolve(name, options)
    assert "secret" not in str(caught.value)
    assert "secret" not in repr(caught.value.value)


def test_another_embedder_than_the_settings_name_is_told_nothing(tmp_path: Path) -> None:
    """What a file tells its own embedder is not for one that is given instead."""
    settings = 'embedder = "openai:x"\n[embedder_options]\ndimensions = 8\n'
    (tmp_path / "chunkwright.toml").write_text(settings, "utf-8")
    for given in ("hashing", False, HashingEmbedder(dim=4)):
        with cw.Index(tmp_path, given) as index:
            index.rebuild()
            assert index.search("embedder")
    with pytest.raises(ConfigError, match=r"embedder_options\.dimensions"):
        cw.Index(tmp_path, config={"embedder": "hashing", "embedder_options": {"dimensions": 8}})


def test_resolving_reads_and_asks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the model is there is found out when it is needed; until then names are enough."""
    monkeypatch.setattr(socket, "socket", None)
    for name in ("minilm", "model2vec:/nowhere", "openai:text-embedding-3-small", "http://h/v1#m"):
        made = resolve(name)
        assert resolve(made) is made
        pickle.dumps(made)
    small = resolve("openai:text-embedding-3-small")
    assert small is not None
    assert (small.name, small.dim) == ("openai:text-embedding-3-small", 1536)
    assert is_cheap(small) is False
