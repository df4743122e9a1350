"""Static models in model2vec's format: a table of token vectors and a tokenizer, read from a folder
or from the Hugging Face hub's cache. Their own package is not needed, and none of its code runs.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from chunkwright.embedding.answers import Vectors
from chunkwright.embedding.limits import UNLIMITED
from chunkwright.errors import EmbedError

HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")
"""`owner/name`."""

PATIENCE = 10
"""Seconds that the hub is waited for."""

SAMPLE = 1 << 20
"""Bytes at either end of the weights that, with their length, stand for all of them in the name:
another training changes every one of them, and reading them all takes longer than a search."""

DIGITS = 12


class Layout(NamedTuple):
    """Where a model's files lie in its folder."""

    config: str
    weights: str
    tokenizer: str
    table: str
    """Name of the vectors among the weights."""


LAYOUTS = (
    Layout("config.json", "model.safetensors", "tokenizer.json", "embeddings"),
    Layout(
        "config_sentence_transformers.json",
        "model.safetensors",
        "tokenizer.json",
        "embedding.weight",
    ),
    Layout(
        "config_sentence_transformers.json",
        "0_StaticEmbedding/model.safetensors",
        "0_StaticEmbedding/tokenizer.json",
        "embedding.weight",
    ),
)
"""model2vec's own layout, and the two of sentence-transformers."""


class Model2VecEmbedder:
    """Mean of token vectors, as model2vec computes it, of the whole text (model2vec itself reads
    512 tokens of it unless told otherwise). A text without tokens has the zero vector.

    Picklable and safe among threads; nothing is read before it is first asked for something.
    """

    max_tokens = UNLIMITED
    is_cheap = True

    def __init__(self, source: Path | str) -> None:
        self._source = str(source)
        self._lock = threading.Lock()
        self._model: _Model | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {"source": self._source}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["source"])  # type: ignore[misc]  # the model is read again

    @property
    def name(self) -> str:
        """The last part of the folder, or the hub's id, and a digest of the files."""
        is_id = HUB_ID.fullmatch(self._source) and not _folder(self._source).is_dir()
        label = self._source if is_id else _folder(self._source).resolve().name
        return f"model2vec:{label}-{self._loaded().digest}"

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return int(self._loaded().table.shape[1])

    def embed(self, texts: Sequence[str], /) -> Vectors:
        """Vectors of shape (len(texts), dim). Raises EmbedError where the model is not there."""
        return self._loaded().embed(texts)

    def _loaded(self) -> _Model:
        with self._lock:
            if self._model is None:
                self._model = _read(self._source)
            return self._model


class _Model(NamedTuple):
    """A model as read from its files."""

    tokenizer: Any
    unknown: int | None
    """Id of the token that stands for what is not in the vocabulary; it is left out."""
    table: npt.NDArray[Any]
    mapping: npt.NDArray[Any] | None
    """Row of each token; None: its id."""
    weights: npt.NDArray[Any] | None
    """Of each token; None: 1."""
    is_normalised: bool
    digest: str

    def embed(self, texts: Sequence[str]) -> Vectors:
        rows = np.zeros((len(texts), self.table.shape[1]), dtype=np.float32)
        encoded = self.tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        for row, encoding in zip(rows, encoded, strict=True):
            ids = [number for number in encoding.ids if number != self.unknown]
            if ids:
                row[:] = self._mean(np.array(ids, dtype=np.intp))
        if self.is_normalised:
            lengths = np.linalg.norm(rows, axis=1, keepdims=True)
            np.divide(rows, lengths, out=rows, where=lengths > 0)
        return rows

    def _mean(self, ids: npt.NDArray[np.intp]) -> Vectors:
        vectors = self.table[ids if self.mapping is None else self.mapping[ids]]
        if self.weights is not None:
            vectors = vectors * self.weights[ids][:, None]
        mean: Vectors = vectors.mean(axis=0, dtype=np.float32)
        return mean


def _read(source: str) -> _Model:
    folder = _located(source)
    layout = next((one for one in LAYOUTS if _is_whole(folder, one)), None)
    if layout is None:
        raise _error(source, f"{folder} lacks {', '.join(LAYOUTS[0][:3])}", "give its folder")
    try:
        return _from_files(folder, layout)
    except Exception as error:  # what safetensors, tokenizers and json raise has no common base
        raise _error(source, f"the model in {folder}: {error}", "save it there again") from error


def _from_files(folder: Path, layout: Layout) -> _Model:
    from safetensors import safe_open
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / layout.tokenizer))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    # Text that spells a special token is text.
    tokenizer.encode_special_tokens = True
    config = json.loads((folder / layout.config).read_text("utf-8"))
    with safe_open(str(folder / layout.weights), "np") as file:
        names = set(file.keys())
        table = file.get_tensor(layout.table)
        mapping = file.get_tensor("mapping") if "mapping" in names else None
        weights = file.get_tensor("weights") if "weights" in names else None
    return _Model(
        tokenizer=tokenizer,
        unknown=_unknown(tokenizer),
        table=table,
        mapping=mapping,
        weights=weights,
        is_normalised=bool(config.get("normalize", False)),
        digest=_digest(folder, layout),
    )


def _unknown(tokenizer: Any) -> int | None:
    model = json.loads(tokenizer.to_str())["model"]
    if "unk_token" not in model:  # a unigram model tells the id itself
        number = model.get("unk_id")
        return None if number is None else int(number)
    token = model["unk_token"]
    return None if token is None else tokenizer.token_to_id(token)


def _digest(folder: Path, layout: Layout) -> str:
    """Of everything that decides a vector."""
    found = hashlib.sha256()
    for name in (layout.config, layout.tokenizer):
        found.update((folder / name).read_bytes())
    path = folder / layout.weights
    size = path.stat().st_size
    with path.open("rb") as file:
        found.update(b"%d" % size + file.read(SAMPLE))
        file.seek(max(0, size - SAMPLE))
        found.update(file.read(SAMPLE))
    return found.hexdigest()[:DIGITS]


def _is_whole(folder: Path, layout: Layout) -> bool:
    return all((folder / name).is_file() for name in layout[:3])


def _folder(source: str) -> Path:
    return Path(source).expanduser()


def _located(source: str) -> Path:
    """The folder itself, or the hub's copy of the model on this machine."""
    folder = _folder(source)
    if folder.is_dir():
        return folder
    if not HUB_ID.fullmatch(source):
        raise _error(source, f"there is no folder {folder}", "give a folder, or owner/name")
    try:
        return _from_hub(source)
    except Exception as error:  # of the hub's client, its transport, or the file system
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise _error(
            source,
            f"no such folder, not in the hub's cache, and it cannot be downloaded ({reason})",
            f"with a network run `hf download {source} --local-dir FOLDER`, then give FOLDER",
        ) from error


def _from_hub(source: str) -> Path:
    """The cached copy; where there is none, a download of it."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    wanted = sorted({name for layout in LAYOUTS for name in layout[:3]})
    try:
        cached = Path(snapshot_download(source, allow_patterns=wanted, local_files_only=True))
        if any(_is_whole(cached, layout) for layout in LAYOUTS):
            return cached
    except LocalEntryNotFoundError:
        pass
    return Path(snapshot_download(source, allow_patterns=wanted, etag_timeout=PATIENCE))


def _error(source: str, reason: str, remedy: str) -> EmbedError:
    return EmbedError(f"model2vec:{source}", reason, remedy, is_final=True)
