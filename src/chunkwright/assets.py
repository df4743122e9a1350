"""Where the offline model lies: the tokenizer and the weights that are part of this package. Files
are located here, never read.
"""

from __future__ import annotations

from pathlib import Path

from chunkwright.errors import EmbedError

MODEL_NAME = "chunkwright-static-256"
"""Another training is another name: an index keeps to the vectors it was made of."""

FOLDER = Path(__file__).parent / "embedding" / "model"
TOKENIZER_FILE = "tokenizer.json"
WEIGHTS_FILE = "model.safetensors"
REMEDY = "install the package again: pip install --force-reinstall chunkwright"


def tokenizer_path() -> Path:
    """The tokenizer's JSON. Raises EmbedError if it is missing."""
    return _existing(TOKENIZER_FILE)


def weights_path() -> Path:
    """The safetensors file: `table`, a row of int8 a token, and `scales`, a float32 a row. Raises
    EmbedError if it is missing."""
    return _existing(WEIGHTS_FILE)


def _existing(name: str) -> Path:
    path = FOLDER / name
    if not path.is_file():
        raise EmbedError(MODEL_NAME, f"{path} is missing", REMEDY)
    return path
