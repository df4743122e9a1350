"""Whether two words are one, in what a question and a name consist of. How a text is split into
words is not known here.
"""

from __future__ import annotations

import threading
from functools import lru_cache

import snowballstemmer

SAME_BEGINNING = 4
"""Letters from which on a word and its longer form (`auth`, `authentication`) count as one."""

_STEMMER = snowballstemmer.stemmer("porter")
"""The same algorithm as that of the words in the index (Porter 1980)."""

_LOCK = threading.Lock()
"""A stemmer is not safe among threads."""


def same_word(one: str, other: str) -> bool:
    """Equal but for their endings (`argument`, `arguments`), or one the beginning of the other."""
    if one == other:
        return True
    shorter, longer = sorted((stem(one), stem(other)), key=len)
    return shorter == longer or (len(shorter) >= SAME_BEGINNING and longer.startswith(shorter))


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """A lower-cased word without its English ending."""
    with _LOCK:
        stemmed: str = _STEMMER.stemWord(word)
    return stemmed
