"""Where the offline model lies: the tokenizer and the weights inside the installed wordllama
wheel. Files are located here, never read, and the wheel's code is never imported.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from chunkwright.errors import EmbedError

WHEEL = "wordllama"
MODEL_NAME = "wordllama-l2-supercat-256"
TOKENIZER_FILE = Path("tokenizers", "l2_supercat_tokenizer_config.json")
WEIGHTS_FILE = Path("weights", "l2_supercat_256.safetensors")
REMEDY = "install it: pip install wordllama==0.2.2.post0"


def tokenizer_path() -> Path:
    """The tokenizer's JSON (Llama-2 style, 32,000 tokens). Raises EmbedError if it is missing."""
    return _existing(TOKENIZER_FILE)


def weights_path() -> Path:
    """The safetensors file of (32000, 256) float weights. Raises EmbedError if it is missing."""
    return _existing(WEIGHTS_FILE)


@cache
def _folder() -> Path:
    spec = find_spec(WHEEL)
    places = spec.submodule_search_locations if spec else None
    if not places:
        raise EmbedError(MODEL_NAME, f"the wheel {WHEEL} is not installed", REMEDY)
    return Path(places[0])


def _existing(name: Path) -> Path:
    path = _folder() / name
    if not path.is_file():
        raise EmbedError(MODEL_NAME, f"{path} is missing", f"{REMEDY} --force-reinstall")
    return path
