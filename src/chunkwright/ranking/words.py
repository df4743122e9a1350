"""Whether two words are one, in what a question and a name consist of. How a text is split into
words is not known here.
"""

from __future__ import annotations

import threading
from functools import lru_cache

import snowballstemmer

SAME_BEGINNING = 4
"""Letters from which on a word and its longer form (`auth`, `authentication`) count as one."""

KEPT_START = 5
"""Letters: of a longer word two or more are left, as no ending that is taken before there is a
whole syllable has more than four (`-ings`)."""

_STEMMER = snowballstemmer.stemmer("porter")
"""The same algorithm as that of the words in the index (Porter 1980)."""

_LOCK = threading.Lock()
"""A stemmer is not safe among threads."""


class Asked:
    """The words of a question, and what was found of other words so far: the names and paths of
    hundreds of chunks consist of few words."""

    def __init__(self, words: tuple[str, ...]) -> None:
        self._stems = {word: stem(word) for word in words}
        stems = set(self._stems.values())
        self._beginnings = stems | {
            one[:end] for one in stems for end in range(SAME_BEGINNING, len(one))
        }
        """The stems, and what they begin with: a first look, for most words are like none."""
        self._long = tuple([one for one in stems if len(one) >= SAME_BEGINNING])
        """Those that a longer word may begin with."""
        self._starts = set(map(_start, stems))
        self._known: dict[str, frozenset[str]] = {}

    def same(self, word: str) -> frozenset[str]:
        """Those of the question's words that are this one: equal but for their endings (`argument`,
        `arguments`), or one the beginning of the other."""
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = self._same(word)
        return known

    def _same(self, word: str) -> frozenset[str]:
        if len(word) > KEPT_START and _start(word) not in self._starts:
            return _NONE  # nine in ten of these words, and a stem takes longest of all
        stemmed = stem(word)
        if stemmed not in self._beginnings and not stemmed.startswith(self._long):
            return _NONE
        return frozenset(word for word, own in self._stems.items() if _is_same(stemmed, own))


_NONE: frozenset[str] = frozenset()


def _start(word: str) -> str:
    """What a word of more than KEPT_START letters has in common with its stem, which may have an
    `i` for a `y`; a shorter stem has no such start but its own."""
    return word[:2].replace("y", "i")


def _is_same(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return shorter == longer or (len(shorter) >= SAME_BEGINNING and longer.startswith(shorter))


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """A lower-cased word without its English ending."""
    with _LOCK:
        stemmed: str = _STEMMER.stemWord(word)
    return stemmed
