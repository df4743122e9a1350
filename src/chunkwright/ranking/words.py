"""Whether two words are one, in what a question and a name consist of. How a text is split into
words is not known here.
"""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import NamedTuple

import snowballstemmer

SAME_BEGINNING = 4
"""Letters from which on a word and its longer form (`auth`, `authentication`) count as one."""

_STEMMER = snowballstemmer.stemmer("porter")
"""The same algorithm as that of the words in the index (Porter 1980)."""

_LOCK = threading.Lock()
"""A stemmer is not safe among threads."""


@lru_cache(maxsize=65_536)
def same_words(word: str, others: tuple[str, ...]) -> frozenset[str]:
    """Those of the others that are the same word: equal but for their endings (`argument`,
    `arguments`), or one the beginning of the other."""
    stemmed, prepared = stem(word), _prepared(others)
    if stemmed not in prepared.beginnings and not stemmed.startswith(prepared.long):
        return frozenset()
    return frozenset(other for other in others if _is_same(stemmed, stem(other)))


def _is_same(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return shorter == longer or (len(shorter) >= SAME_BEGINNING and longer.startswith(shorter))


class _Prepared(NamedTuple):
    """Stems of words, for a first look: most words are like none of them."""

    beginnings: frozenset[str]
    """The stems, and what they begin with."""
    long: tuple[str, ...]
    """Those that a longer word may begin with."""


@lru_cache(maxsize=64)
def _prepared(words: tuple[str, ...]) -> _Prepared:
    stems = set(map(stem, words))
    beginnings = {one[:end] for one in stems for end in range(SAME_BEGINNING, len(one))}
    long = tuple([one for one in stems if len(one) >= SAME_BEGINNING])
    return _Prepared(frozenset(stems | beginnings), long)


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """A lower-cased word without its English ending."""
    with _LOCK:
        stemmed: str = _STEMMER.stemWord(word)
    return stemmed
