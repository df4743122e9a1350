"""How long a query takes, beside the bare scan of as many vectors.

The source code below the folders is copied until it makes 10,000 and 100,000 chunks
(search_corpora.py); everyone searches the same chunks for the same queries, one after another:
each query is put to all in turn. Vectors are those of the default embedder, turned into the
384 dimensions of the models that people use, which changes no cosine.

    numpy scan                  matrix @ vector, float32: what an exact search cannot do without
    chunkwright                 Index.search: words, vectors, ranking, whole chunks as answers
    semble                      its whole search
    sqlite-vec                  the ten nearest vectors, exactly; no words, no chunks

Ours and semble embed the query, the scan and sqlite-vec are given its vector. --place keeps
folders and indexes for the next run; without it they are made anew, and removed.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks import facts, search_corpora
from benchmarks.corpora import SEED
from benchmarks.facts import Line
from benchmarks.timing import set_aside_what_is_loaded
from chunkwright import Chunk, Index, assets, embed_text
from chunkwright.embedding.static import StaticEmbedder

SIZES = (10_000, 100_000)
QUERIES = 300
WARMING = 30
"""Queries before those that are timed."""

HITS = 10
DIM = 384
SCAN = "numpy scan"
OURS = "chunkwright"
DEFAULT = "chunkwright, default embedder"
WORDS = "chunkwright, words only"

Vectors = npt.NDArray[np.float32]


class Query(NamedTuple):
    """What is looked for; the vector is for those who do not embed."""

    text: str
    vector: Vectors


Search = Callable[[Query], object]


class Turned:
    """The default embedder in more dimensions: a fixed isometry keeps every cosine."""

    name = f"static-turned-{DIM}"
    dim = DIM
    max_tokens = StaticEmbedder.max_tokens

    def __init__(self) -> None:
        self._static = StaticEmbedder()
        drawn = np.random.default_rng(SEED).standard_normal((DIM, self._static.dim))
        self.turn: Vectors = np.linalg.qr(drawn)[0].T.astype(np.float32)

    def embed(self, texts: Sequence[str], /) -> Vectors:
        return self._static.embed(texts) @ self.turn


@dataclass
class Corpus:
    """A folder of code, with our index of it."""

    place: Path
    repeated: int

    @property
    def root(self) -> Path:
        return self.place / "files"

    def index(self, name: str, embedder: Any) -> Index:
        index = Index(self.root, embedder, index_dir=self.place / name)
        facts.say(f"{self.place.name}: index {name}")
        index.refresh()
        return index

    @cached_property
    def turned(self) -> Turned:
        return Turned()

    @cached_property
    def ours(self) -> Index:
        return self.index("turned", self.turned)

    @cached_property
    def chunks(self) -> list[Chunk]:
        return list(self.ours.chunks())

    @cached_property
    def matrix(self) -> Vectors:
        return self.turned.embed([embed_text(chunk) for chunk in self.chunks])


def lines(options: argparse.Namespace) -> Iterator[Line]:
    """A line an engine and size."""
    with _kept(options.place) as place:
        for size in options.sizes:
            corpus = _corpus(place / str(size), options.folders, size)
            yield from _lines(corpus, options.queries)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES, help="chunks")
    parser.add_argument("--queries", type=int, default=QUERIES)
    parser.add_argument("--place", type=Path)


@contextmanager
def _kept(place: Path | None) -> Iterator[Path]:
    if place is not None:
        yield place
    else:
        with tempfile.TemporaryDirectory() as temporary:
            yield Path(temporary)


def _corpus(place: Path, folders: Sequence[Path], size: int) -> Corpus:
    record = place / "repeated"
    if not record.exists():
        facts.say(f"{place.name}: copying")
        repeated = search_corpora.fill(place / "files", folders, size)
        record.write_text(str(repeated))
    return Corpus(place, int(record.read_text()))


def _lines(corpus: Corpus, number: int) -> Iterator[Line]:
    texts = search_corpora.queries(corpus.chunks, number + WARMING)
    asked = list(map(Query, texts, corpus.turned.embed(texts)))
    searches: dict[str, Search] = {}
    for name, engine in ENGINES.items():
        try:
            searches[name] = engine(corpus)
        except ModuleNotFoundError as missing:
            facts.say(f"left out: {name}: {missing}")
    for query in asked[:WARMING]:
        for search in searches.values():
            search(query)
    set_aside_what_is_loaded()
    times = _times(searches, asked[WARMING:])
    scan = float(np.median(times[SCAN]))
    for name, taken in times.items():
        median, late = np.percentile(taken, [50, 95]).tolist()
        yield {
            "what": "search",
            "engine": name,
            "size": int(corpus.place.name),
            "chunks": len(corpus.chunks),
            "repeated_files": corpus.repeated,
            "dim": {DEFAULT: StaticEmbedder.dim, WORDS: 0}.get(name, DIM),
            "queries": len(taken),
            "ratio": median / scan,
            "late_ratio": late / scan,
            "milliseconds": 1e3 * median,
            "late_milliseconds": 1e3 * late,
            "uses": ("numpy", *USED.get(name, ())),
        }


def _times(searches: dict[str, Search], asked: Sequence[Query]) -> dict[str, list[float]]:
    """Seconds of each query; who is first changes with the query."""
    names = list(searches)
    times: dict[str, list[float]] = {name: [] for name in names}
    for turn, query in enumerate(asked):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            begun = perf_counter()
            searches[name](query)
            times[name].append(perf_counter() - begun)
    return times


# Contestants.


def _scan(corpus: Corpus) -> Search:
    matrix = corpus.matrix
    return lambda query: matrix @ query.vector


def _ours(corpus: Corpus) -> Search:
    return lambda query: corpus.ours.search(query.text, HITS)


def _default(corpus: Corpus) -> Search:
    index = corpus.index("default", None)
    return lambda query: index.search(query.text, HITS)


def _words(corpus: Corpus) -> Search:
    index = corpus.index("words", False)
    return lambda query: index.search(query.text, HITS)


def _semble(corpus: Corpus) -> Search:
    """Its index in memory, of our chunks; a query is answered by its own search."""
    from model2vec import StaticModel
    from safetensors import safe_open
    from semble import SembleIndex
    from semble.index.bm25 import BM25
    from semble.index.dense import SelectableBasicBackend, embed_chunks
    from semble.index.sparse import enrich_for_bm25
    from semble.tokens import tokenize
    from semble.types import Chunk as Theirs
    from tokenizers import Tokenizer
    from vicinity.backends.basic import BasicArgs

    os.environ["SEMBLE_CACHE_LOCATION"] = str(corpus.place / "semble")  # where it counts searches
    with safe_open(str(assets.weights_path()), "np") as file:
        weights = file.get_tensor("table") * file.get_tensor("scales") @ corpus.turned.turn
    model = StaticModel(weights, Tokenizer.from_file(str(assets.tokenizer_path())), normalize=True)
    chunks = [
        Theirs(one.text, one.path, one.start_line, one.end_line, one.language)
        for one in corpus.chunks
    ]
    words = BM25.empty()
    for one, theirs in zip(corpus.chunks, chunks, strict=True):
        words.add_document(one.id, tokenize(enrich_for_bm25(theirs)))
    words.set_doc_order([one.id for one in corpus.chunks])
    vectors = SelectableBasicBackend(embed_chunks(model, chunks), BasicArgs())
    index = SembleIndex(model, words, vectors, chunks, "turned")
    return lambda query: index.search(query.text, top_k=HITS)


def _sqlite_vec(corpus: Corpus) -> Search:
    """In memory, through apsw: the sqlite3 of many Pythons loads no extensions."""
    import apsw
    import sqlite_vec

    database = apsw.Connection(":memory:")
    database.enable_load_extension(True)
    database.load_extension(sqlite_vec.loadable_path())
    database.execute(f"CREATE VIRTUAL TABLE v USING vec0(e float[{DIM}] distance_metric=cosine)")
    rows = ((row, vector.tobytes()) for row, vector in enumerate(corpus.matrix))
    with database:
        database.executemany("INSERT INTO v(rowid, e) VALUES (?, ?)", rows)
    nearest = f"SELECT rowid, distance FROM v WHERE e MATCH ? AND k = {HITS}"
    return lambda query: database.execute(nearest, (query.vector.tobytes(),)).fetchall()


USED = {"semble": ("semble", "model2vec", "vicinity"), "sqlite-vec": ("sqlite-vec", "apsw")}
"""Engine -> its distributions."""

ENGINES: dict[str, Callable[[Corpus], Search]] = {
    SCAN: _scan,
    OURS: _ours,
    DEFAULT: _default,
    WORDS: _words,
    "semble": _semble,
    "sqlite-vec": _sqlite_vec,
}
