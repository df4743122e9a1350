"""A byte pair encoding as a measure: quicktok's, tiktoken's, or one with the same methods. Where an
encoding comes from is not here.

Every token is a run of bytes of the text itself, so the ends of all tokens are sums of lengths.
Text that spells a special token is ordinary text.

These encodings cut a text by a pattern before they look for tokens, and no token reaches over such
a cut. Where that pattern cuts whatever else stands in the text is a seam: what is left of it and
what is right of it count by themselves, and the sum is the count of both.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

FIRST_TWO_BITS = 0xC0
CONTINUATION = 0x80
"""In UTF-8, a byte whose first two bits are 10 continues a character."""

OPENAI_SEAMS = re.compile(r"\S(?= )|[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fef](?=[。，、！？；：])")
"""Ends at a seam of `cl100k` and `o200k`. Of the alternatives of their patterns (in tiktoken's
`tiktoken_ext.openai_public`), none that holds anything but white space goes on with a space, and
none that holds a letter goes on with such a mark; and where white space or a run ends is seen from
the next character, which is there on both sides of a seam. Kana and ideographs stand for letters,
as far as Unicode 11 knew them, so that every table has them."""


class BytePairs:
    """Counts the tokens of an encoding, and tells where in a text they end and where seams are."""

    def __init__(self, name: str, encoding: Any, seams: re.Pattern[str] | None = None) -> None:
        self.name = name
        self.seams = seams
        self._encoding = encoding
        self._encode = _encoder(encoding)
        self._lengths = np.zeros(encoding.n_vocab, np.int32)
        """Bytes of every token met so far; 0 for the others."""
        own_count = getattr(encoding, "count", None)
        self._own_count = own_count if _is_quicktok(encoding) and callable(own_count) else None

    def count(self, text: str, /) -> int:
        """Number of tokens."""
        return int(self._own_count(text)) if self._own_count else len(self._encode(text))

    def ends(self, text: str, /) -> NDArray[np.int64]:
        """End of every token, in code points; one that ends inside a character ends with it."""
        ids = self._encode(text)
        lengths = self._lengths.take(ids)
        if np.count_nonzero(lengths) < len(lengths):
            self._learn(ids[lengths == 0])
            lengths = self._lengths.take(ids)
        ends = np.cumsum(lengths, dtype=np.int64)
        return ends if text.isascii() else _in_code_points(text, ends)

    def _learn(self, ids: NDArray[Any]) -> None:
        for number in np.unique(ids).tolist():
            self._lengths[number] = len(self._encoding.decode_single_token_bytes(number))


def _is_quicktok(encoding: Any) -> bool:
    return type(encoding).__module__.partition(".")[0] == "quicktok"


def _encoder(encoding: Any) -> Callable[[str], NDArray[Any]]:
    """From a text to its tokens' numbers, straight into an array where the encoding can do so."""
    if _is_quicktok(encoding):
        return lambda text: np.asarray(encoding.encode_batch([text], 1)[0])
    if callable(getattr(encoding, "encode_to_numpy", None)):
        return lambda text: np.asarray(encoding.encode_to_numpy(text, disallowed_special=()))
    return lambda text: np.asarray(encoding.encode_ordinary(text), dtype=np.int64)


def _in_code_points(text: str, ends: NDArray[np.int64]) -> NDArray[np.int64]:
    """From ends in bytes to ends in code points: how many characters begin before each."""
    data = np.frombuffer(text.encode(), np.uint8)
    begun: NDArray[np.int64] = np.cumsum((data & FIRST_TWO_BITS) != CONTINUATION, dtype=np.int64)
    # An encoding that normalizes its text may find more bytes in it than there are.
    return begun.take(np.minimum(ends, len(data)) - 1)
