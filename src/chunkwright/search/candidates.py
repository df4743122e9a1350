"""A chunk as ranking looks at it: its scores, and the words that its names and path consist of."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import PurePosixPath

from chunkwright.ranking import Candidate
from chunkwright.store.terms import parts_of
from chunkwright.types import EXTRA_VIEWS, Chunk, key_of


def candidate(chunk: Chunk, words: float, meaning: float, file_meaning: float = 0.0) -> Candidate:
    """A chunk with its scores and the parts of its names."""
    names = _names(chunk)
    file_parts, file_words, folder_words = _words_of_path(key_of(chunk.path))
    return Candidate(
        chunk=chunk,
        words=words,
        meaning=meaning,
        file_meaning=file_meaning,
        defines=tuple(map(_parts, names)),
        spellings=names,
        file_parts=file_parts,
        file_words=file_words,
        folder_words=folder_words,
    )


@lru_cache(maxsize=16_384)
def _parts(name: str) -> tuple[str, ...]:
    return tuple(parts_of(name))


@lru_cache(maxsize=4096)
def _words_of_path(path: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Parts of the file's name, its words, and the words of its folders' names."""
    parsed = PurePosixPath(path)
    parts = tuple(dict.fromkeys(parts_of(parsed.stem)))
    return parts, _path_words([parsed.stem]), _path_words(parsed.parent.parts)


def _path_words(names: Iterable[str]) -> tuple[str, ...]:
    """Each name whole and in parts."""
    found: dict[str, None] = {}
    for name in names:
        parts = parts_of(name)
        found |= dict.fromkeys(["".join(parts), *parts])
    return tuple(found)


def _names(chunk: Chunk) -> tuple[str, ...]:
    """Names defined here, without what qualifies them; an extra view repeats, it defines none."""
    if chunk.kind in EXTRA_VIEWS:
        return ()
    names = dict.fromkeys([chunk.name, *(symbol.name for symbol in chunk.symbols)])
    return tuple([name.rpartition(".")[2] if chunk.symbols else name for name in names if name])
