"""What ranking looks at: a question, and chunks that may answer it."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property

import msgspec

from chunkwright.ranking.words import Asked
from chunkwright.types import Chunk


class Query(msgspec.Struct, frozen=True, dict=True):
    """A question, as far as ranking looks at it."""

    terms: tuple[str, ...]
    """Lower-cased; identifiers whole and in parts."""
    spelling: str = ""
    """What it names, where it is one name, without what qualifies it."""
    symbol: str = ""
    """The same lower-cased, without what parts it."""
    among_code: bool = False
    """Whether code that is no test is among what may answer it."""

    @cached_property
    def asked(self) -> Asked:
        """The terms, to compare words with."""
        return Asked(self.terms)

    @cached_property
    def told(self) -> dict[Hashable, float]:
        """What a name, or the words of a path, were found to say: many chunks share them."""
        return {}


class Candidate(msgspec.Struct, frozen=True, gc=False):
    """A chunk that may answer, with raw scores and the words its names consist of."""

    chunk: Chunk
    words: float = 0.0
    """BM25, 0 where none of the words was found."""
    meaning: float = 0.0
    """Cosine with the query, -1 to 1."""
    file_meaning: float = 0.0
    """That of the file as a whole; 0 where files have no vectors of their own."""
    defines: tuple[tuple[str, ...], ...] = ()
    """Lower-cased parts of each name the chunk defines, without its qualification."""
    spellings: tuple[str, ...] = ()
    """The same names as they are written."""
    file_parts: tuple[str, ...] = ()
    """Lower-cased parts of the file's name, without its ending."""
    file_words: tuple[str, ...] = ()
    """The same, and the name as a whole."""
    folder_words: tuple[str, ...] = ()


class Standing(msgspec.Struct, gc=False):
    """A candidate, and how it stands so far."""

    candidate: Candidate
    base: float = 0.0
    """What words and meaning say, before the signals."""
    score: float = 0.0
    file: float = 0.0
    """Of the score, what the file's other chunks gave."""
    lost: float = 0.0
    """What was taken because better chunks of the file come before it."""
