"""A query against a store: gathers candidates by words and by meaning, and has them ranked. What a
signal is worth is ranking's to say; whether the index is fit to be asked is the index's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import PurePosixPath

import msgspec
import numpy as np
import numpy.typing as npt

from chunkwright.errors import ChunkwrightError, ConfigError, EmbedError, PathError
from chunkwright.ranking import Candidate, Query, rank
from chunkwright.store import Store
from chunkwright.store.reading import Snapshot
from chunkwright.store.rows import Filter, Vectors
from chunkwright.store.terms import MAX_QUERY, name_in, parts_of, query_terms
from chunkwright.types import EXTRA_VIEWS, Chunk, Embedder, Hit

COLUMN_WEIGHTS = (1.0, 1.0, 1.5, 2.5)
"""Text, parts of identifiers, path, names, for BM25. Names and paths are short and say what a chunk
is about; a part of an identifier is a weaker sign than a word."""

WORD_DEPTH = 200
MEANING_DEPTH = 100
"""Candidates taken by words and by meaning; at least DEPTH_FACTOR times the hits asked for."""

DEPTH_FACTOR = 4
"""Merging overlapping hits leaves fewer than there were candidates."""

LEAST_COSINE = 0.4
"""A chunk that shares no word with the query must be at least this near: what is further away is
near by chance."""

REAL = "fiu"
"""Kinds of numpy types a query's vector may have."""


class Scope(msgspec.Struct, frozen=True, kw_only=True):
    """Which chunks may answer; None: any."""

    path: str | None = None
    """A pattern as in a .gitignore: `*.py`, `src/`, `docs/**/*.md`."""
    language: str | None = None
    kind: str | None = None


ANYWHERE = Scope()
Vector = npt.NDArray[np.float32]


def search(
    store: Store, embedder: Embedder | None, query: str, k: int, scope: Scope = ANYWHERE
) -> list[Hit]:
    """The best k answers, best first; none for a blank query. Raises ConfigError for k below 1."""
    _check_count("k", k)
    query = _encodable(query)
    if not query.strip():
        return []
    vector = None if embedder is None else _embedded(embedder, query)
    with store.reading() as snapshot:
        asked = _Asked(query, query_terms(query), vector, k)
        return _answer(store, snapshot, embedder, asked, _filter(snapshot, scope))


def find_related(
    store: Store, embedder: Embedder | None, path: str, line: int, k: int
) -> list[Hit]:
    """Chunks like the one at a line, without it. Raises PathError for a path not in the index."""
    _check_count("k", k)
    _check_count("line", line)
    with store.reading() as snapshot:
        row, chunk = _chunk_at(snapshot, path, line)
        vector = None
        if embedder is not None:
            vector = _stored_vector(store.vectors(snapshot, embedder.name, embedder.dim), row)
        asked = _Asked(chunk.text, query_terms(chunk.text), vector, k, without=chunk)
        return _answer(store, snapshot, embedder, asked, Filter())


class _Asked(msgspec.Struct, frozen=True):
    """A question in all its forms."""

    text: str
    terms: list[str]
    vector: Vector | None
    k: int
    without: Chunk | None = None
    """What answers nothing: it is what was asked about."""


def _answer(
    store: Store, snapshot: Snapshot, embedder: Embedder | None, asked: _Asked, allowed: Filter
) -> list[Hit]:
    depth = DEPTH_FACTOR * asked.k
    matches = snapshot.match(asked.terms, COLUMN_WEIGHTS, max(WORD_DEPTH, depth), allowed)
    words = {match.row: match.score for match in matches}
    meanings: dict[int, float] = {}
    if embedder is not None and asked.vector is not None:
        vectors = store.vectors(snapshot, embedder.name, embedder.dim)
        rows = None if allowed.is_open() else snapshot.allowed_rows(allowed)
        meanings = _by_meaning(vectors, asked.vector, list(words), rows, max(MEANING_DEPTH, depth))
    chunks = snapshot.chunks_at([*words, *(row for row in meanings if row not in words)])
    candidates = (
        candidate(chunk, words.get(row, 0.0), meanings.get(row, 0.0))
        for row, chunk in chunks.items()
        if not _is_part_of(asked.without, chunk)
    )
    name = name_in(asked.text)
    query = Query(tuple(asked.terms), name, "".join(parts_of(name)))
    return rank(query, candidates, asked.k)


def _by_meaning(
    vectors: Vectors,
    vector: Vector,
    wanted: Sequence[int],
    allowed: npt.NDArray[np.int64] | None,
    depth: int,
) -> dict[int, float]:
    """Row -> cosine, of the nearest chunks and of those already found by words."""
    if not len(vectors.rows) or not vector.any():
        return {}
    # All rows have length 1 or 0; so has the query. The rows are in the order of ids, so equal
    # cosines stay in that order.
    cosines = vectors.matrix @ vector
    nearest = _nearest(cosines, vectors.rows, allowed, depth)
    known = np.flatnonzero(np.isin(vectors.rows, np.array(wanted, dtype=np.int64)))
    places = np.union1d(nearest, known)
    return dict(
        zip(vectors.rows[places].tolist(), cosines[places].astype(float).tolist(), strict=True)
    )


def _nearest(
    cosines: Vector,
    rows: npt.NDArray[np.int64],
    allowed: npt.NDArray[np.int64] | None,
    depth: int,
) -> npt.NDArray[np.intp]:
    """Places of the `depth` highest cosines that are not too low."""
    usable = cosines >= LEAST_COSINE
    if allowed is not None:
        usable &= np.isin(rows, allowed)
    places: npt.NDArray[np.intp] = np.flatnonzero(usable)
    if len(places) <= depth:
        return places
    border = np.partition(cosines[places], -depth)[-depth]
    best: npt.NDArray[np.intp] = places[cosines[places] >= border]
    order = np.argsort(-cosines[best], kind="stable")[:depth]
    return best[order]


def candidate(chunk: Chunk, words: float, meaning: float) -> Candidate:
    """A chunk with its scores and the parts of its names."""
    names = _names(chunk)
    file_parts, file_words, folder_words = _words_of_path(chunk.path)
    return Candidate(
        chunk=chunk,
        words=words,
        meaning=meaning,
        defines=tuple([tuple(parts_of(name)) for name in names]),
        spellings=names,
        file_parts=file_parts,
        file_words=file_words,
        folder_words=folder_words,
    )


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


def _is_part_of(asked: Chunk | None, chunk: Chunk) -> bool:
    """Whether the chunk is, or lies within, the one that was asked about."""
    if asked is None or asked.path != chunk.path:
        return False
    return chunk.start < asked.end and asked.start < chunk.end


def _chunk_at(snapshot: Snapshot, path: str, line: int) -> tuple[int, Chunk]:
    """Row and chunk nearest to a line: the shortest one that holds it, if any does."""
    chunks = snapshot.chunks_at(snapshot.rows_of(path))
    if not chunks:
        raise PathError(path, "is not in the index", "refresh the index, or check the spelling")
    return min(chunks.items(), key=lambda item: _distance(item[1], line))


def _distance(chunk: Chunk, line: int) -> tuple[int, bool, int, int]:
    outside = max(chunk.start_line - line, line - chunk.end_line, 0)
    return outside, chunk.kind in EXTRA_VIEWS, chunk.end_line - chunk.start_line, chunk.index


def _stored_vector(vectors: Vectors, row: int) -> Vector | None:
    places = np.flatnonzero(vectors.rows == row)
    return vectors.matrix[places[0]] if len(places) else None


def _embedded(embedder: Embedder, query: str) -> Vector:
    """The query's vector; the length of 1 makes a scalar product a cosine."""
    try:
        answer = np.asarray(embedder.embed([query[:MAX_QUERY]]))
    except ChunkwrightError:
        raise
    except Exception as error:  # whatever an embedder raises, a search says which one it was
        raise EmbedError(
            embedder.name,
            f"{type(error).__name__} for the query: {error}",
            "check the embedder, or search with embedder=False for words only",
        ) from error
    is_real = answer.dtype.kind in REAL
    if answer.shape != (1, embedder.dim) or not is_real or not np.isfinite(answer).all():
        raise EmbedError(
            embedder.name,
            f"no finite vector of {embedder.dim} for the query",
            "embed(texts) must return numpy float32 of shape (len(texts), dim)",
        )
    vector = answer[0].astype(np.float64)
    # By its largest value first: the square of a huge one would overflow.
    largest = np.abs(vector).max()
    if largest > 0:
        vector /= largest
        vector /= np.sqrt((vector**2).sum())
    unit: Vector = vector.astype(np.float32)
    return unit


def _filter(snapshot: Snapshot, scope: Scope) -> Filter:
    files = None if scope.path is None else _files_named(snapshot, scope.path)
    language, kind = (
        None if wanted is None else _encodable(wanted) for wanted in (scope.language, scope.kind)
    )
    return Filter(files, language, kind)


def _files_named(snapshot: Snapshot, pattern: str) -> list[int]:
    """Numbers of the files a pattern names; it means what it means in a .gitignore."""
    import pathspec  # only where a pattern is given

    # `!` and `#` would be a negation and a comment.
    line = f"\\{pattern}" if pattern.startswith(("!", "#")) else pattern
    try:
        spec = pathspec.GitIgnoreSpec.from_lines([line])
    except ValueError as error:
        raise ConfigError("path", pattern, f"a pattern as in a .gitignore ({error})") from None
    return [number for path, number in snapshot.numbers().items() if spec.match_file(path)]


def _encodable(text: str) -> str:
    """The text with a question mark for each lone surrogate: neither SQLite nor an embedder takes
    one, and no text of an index holds any."""
    return text.encode(errors="replace").decode()


def _check_count(option: str, value: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ConfigError(option, value, "a whole number of 1 or more")
