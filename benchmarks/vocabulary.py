"""Counting tokens without a network: quicktok's wheel holds the vocabulary, and tiktoken, which
would download it, is given the same from there. Who counts what is in the room of peers.
"""

from __future__ import annotations

import base64
import hashlib
import os
import tempfile
from collections.abc import Callable, Sized
from functools import cache
from pathlib import Path
from typing import Any

ENCODINGS = {"cl100k": "cl100k_base"}
"""Unit -> name in the packages."""

SPLITTERS: dict[str, Callable[[str], Sized]] = {"chars": str, "lines": str.splitlines}
"""Unit -> what gives as many things as the text has units, where no tokenizer is needed."""

SOURCE = "https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken"
"""Where tiktoken would get the file; a file named after the hash of this is its cache. tiktoken
checks the content's own hash, so that a vocabulary that differs is refused."""


def counter(unit: str) -> Callable[[str], int]:
    """A new function that counts in the unit: some splitters keep answers with the function."""
    split = SPLITTERS[unit] if unit in SPLITTERS else quick_encoding(unit).encode_ordinary
    return lambda text: len(split(text))


@cache
def quick_encoding(unit: str) -> Any:
    """quicktok's tokenizer for the unit."""
    import quicktok

    return quicktok.get_encoding(ENCODINGS[unit])


@cache
def tiktoken_encoding(unit: str) -> Any:
    """tiktoken's tokenizer for the unit."""
    import tiktoken

    with tempfile.TemporaryDirectory() as folder:
        before = os.environ.get("TIKTOKEN_CACHE_DIR")
        os.environ["TIKTOKEN_CACHE_DIR"] = folder
        try:
            name = hashlib.sha1(SOURCE.encode(), usedforsecurity=False).hexdigest()
            (Path(folder) / name).write_bytes(_ranks(quick_encoding(unit)))
            return tiktoken.get_encoding(ENCODINGS[unit])
        finally:
            _restore("TIKTOKEN_CACHE_DIR", before)


def _ranks(encoding: Any) -> bytes:
    """The vocabulary in tiktoken's file format: base64 of the token, a space, its rank."""
    tokens = [bytes(token) for token in encoding.token_byte_values()]
    ranked = sorted((encoding.encode_single_token(token), token) for token in tokens)
    return b"".join(b"%s %d\n" % (base64.b64encode(token), rank) for rank, token in ranked)


def _restore(name: str, value: str | None) -> None:
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = value
