"""The default embedder: the mean of fixed token vectors. Offline, no key, no torch.

The weights and the tokenizer lie in `model` beside this module; MODEL_CARD.md there says what they
are made of. Choosing an embedder is not done here, nor training one.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from chunkwright import assets
from chunkwright.errors import EmbedError

PIECE = 8192
"""Code points tokenised at once: a giant text is never normalised as a whole."""

BATCH_TEXTS = 256
BATCH_SIZE = 1 << 20
"""Code points of a batch: its tokens and their vectors stay under some 50 MB."""

CAST_FROM = 20_000
"""Tokens in a call from which on the whole table is cast to float32 once (50 ms): a query does
not need it, an index does (five times faster)."""

_REMEDY = f"{assets.REMEDY}, or choose another embedder"


class StaticEmbedder:
    """Mean of token vectors, scaled to length 1 (0 for a text without tokens, never NaN).

    Picklable and safe among threads; nothing is read before the first `embed`. Tokenising
    releases the interpreter's lock and uses all cores; the result does not depend on how many.
    """

    name = assets.MODEL_NAME
    dim = 256
    is_cheap = True
    embeds_files = True
    """Files as a whole have vectors too: a sum of many words is a blur."""
    max_tokens = 2**31 - 1
    """A mean takes a text of any length: nothing is ever cut off."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._model: _Model | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__()  # type: ignore[misc]  # nothing but the lazily read model to restore

    def embed(self, texts: Sequence[str], /) -> npt.NDArray[np.float32]:
        """Vectors of shape (len(texts), 256). Raises EmbedError where the model is missing."""
        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        model = self._loaded()
        for start, stop in _batches(texts):
            model.embed_into(rows[start:stop], texts[start:stop])
        return rows

    def _loaded(self) -> _Model:
        with self._lock:
            if self._model is None:
                self._model = _Model()
            return self._model


class _Model:
    """Tokenizer and weights as read from their files."""

    def __init__(self) -> None:
        self._tokenizer = _read_tokenizer()
        self._table, self._scales = _read_weights()
        self._whole: npt.NDArray[np.float32] | None = None

    def embed_into(self, rows: npt.NDArray[np.float32], texts: Sequence[str]) -> None:
        """Fill one row a text."""
        pieces = [(row, piece) for row, text in enumerate(texts) for piece in _pieces(text)]
        encoded = self._tokenizer.encode_batch_fast(
            [piece for _, piece in pieces], add_special_tokens=False
        )
        tokens = [np.array(encoding.ids, dtype=np.intp) for encoding in encoded]
        self._prepare(sum(map(len, tokens)))
        for (row, _), ids in zip(pieces, tokens, strict=True):
            rows[row] += self._vectors(ids).sum(axis=0)
        # The mean's divisor cancels in the scaling. In float64 the rounding of the length cannot
        # differ between machines by as much as the result can show.
        lengths = np.sqrt((rows.astype(np.float64) ** 2).sum(axis=1, keepdims=True))
        np.divide(rows, lengths, out=rows, where=lengths > 0, casting="same_kind")

    def _prepare(self, tokens: int) -> None:
        if tokens >= CAST_FROM and self._whole is None:
            self._whole = self._table * self._scales

    def _vectors(self, ids: npt.NDArray[np.intp]) -> npt.NDArray[np.float32]:
        if self._whole is not None:
            return self._whole.take(ids, axis=0)
        return self._table.take(ids, axis=0) * self._scales.take(ids, axis=0)


def _read_tokenizer() -> Any:
    path = assets.tokenizer_path()
    try:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # tokenizers raises bare Exception for a missing or broken file
        raise EmbedError(
            StaticEmbedder.name, f"its tokenizer at {path}: {error}", _REMEDY
        ) from error
    # Text that spells a special token (`<s>` in a web page) is text.
    tokenizer.encode_special_tokens = True
    return tokenizer


def _read_weights() -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
    path = assets.weights_path()
    try:
        from safetensors import safe_open

        with safe_open(str(path), "np") as file:
            return file.get_tensor("table"), file.get_tensor("scales")
    except Exception as error:  # safetensors' own error type, OSError, or a missing key
        raise EmbedError(StaticEmbedder.name, f"its weights at {path}: {error}", _REMEDY) from error


def _pieces(text: str) -> Iterator[str]:
    """The text in pieces of at most PIECE code points, cut at spaces where there are any."""
    start = 0
    while len(text) - start > PIECE:
        end = text.rfind(" ", start + PIECE // 2, start + PIECE)
        end = end + 1 if end > 0 else start + PIECE
        yield text[start:end]
        start = end
    if start < len(text):
        yield text[start:]


def _batches(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Ranges of texts that are tokenised together; a giant text is a batch of its own."""
    start = size = 0
    for position, text in enumerate(texts):
        if position > start and (position - start >= BATCH_TEXTS or size + len(text) > BATCH_SIZE):
            yield start, position
            start, size = position, 0
        size += len(text)
    if start < len(texts):
        yield start, len(texts)
