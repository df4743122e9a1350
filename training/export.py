"""Writes the model: token vectors as int8 with a scale for each, and the tokenizer beside them.

python export.py RESULT/step-N.npy tokenizer.json FOLDER
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file
from tokenizers import Tokenizer

UNKNOWN = "[UNK]"
LARGEST = 127


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vectors", type=Path)
    parser.add_argument("tokenizer", type=Path)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    vectors = np.load(given.vectors)
    tokenizer = Tokenizer.from_file(str(given.tokenizer))
    # What is unknown says nothing.
    vectors[tokenizer.token_to_id(UNKNOWN)] = 0
    table, scales = quantised(vectors)
    given.folder.mkdir(parents=True, exist_ok=True)
    save_file({"table": table, "scales": scales}, str(given.folder / "model.safetensors"))
    shutil.copy(given.tokenizer, given.folder / "tokenizer.json")


def quantised(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows of int8, and what each is to be multiplied with, as a column."""
    scales = np.abs(vectors).max(axis=1, keepdims=True).astype(np.float32) / LARGEST
    table = np.divide(vectors, scales, out=np.zeros_like(vectors), where=scales > 0)
    return np.rint(table).astype(np.int8), scales


if __name__ == "__main__":
    main()
