"""Whether code is found: questions about repositories, and the files that answer them.

NDCG@10 over files, a file scored by its best chunk; and, since that does not see one file fill an
answer, how many of the right files are among the first ten chunks. FOLDER holds one folder a
repository, by its name. `queries.jsonl` has a line for each question: `repo`, `query`, `category`,
and the paths `relevant` and `secondary`, which are right alike. `repos.json` lists the
repositories: `name`, and `benchmark_root`, the folder that is searched.

Constants of ranking were chosen by every second repository, from the first on; results on the
others, which chose nothing, stand beside theirs (`chosen_by`, `others`). With --signals, ours is
run again without each signal.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks import facts
from benchmarks.facts import Line
from chunkwright import Index
from chunkwright.embedding import resolve
from chunkwright.evaluation import ndcg_at, recall_at
from chunkwright.ranking import scoring
from chunkwright.ranking.signals import SIGNALS

CHUNKS = 50
"""Chunks asked for: enough of them for ten files."""

FILES = 10
HITS = 10
"""What people look at: chunks, several of which may be of one file."""

Search = Callable[[str], Sequence[str]]
"""A question -> paths under the root of the repository, best first, with repetitions."""

Engine = Callable[[Path, Path], Search]
"""Root, a folder of its own -> a search."""


@dataclass
class Repository:
    """What is searched, and what it is asked."""

    name: str
    root: Path
    prefix: str
    questions: list[dict[str, Any]] = field(default_factory=list)


def lines(options: argparse.Namespace) -> Iterator[Line]:
    """Every engine, then ours without each signal."""
    repositories = read(options.folder, options.questions, options.about)
    for name, engine in ENGINES.items():
        if options.only and name not in options.only:
            continue
        try:
            yield _line(name, engine, repositories)
        except ModuleNotFoundError as missing:
            facts.say(f"left out: {name}: {missing}")
    if options.signals:
        for signal in [*SIGNALS, *CONSTANTS]:
            with _without(signal):
                yield _line("chunkwright", _ours(None), repositories) | {"without": signal}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--about", type=Path, required=True)
    parser.add_argument("--only", nargs="*", choices=ENGINES, help="those contestants alone")
    parser.add_argument("--signals", action="store_true")


def read(folder: Path, questions: Path, about: Path) -> list[Repository]:
    """The repositories, each with its questions."""
    found = {}
    for one in json.loads(about.read_text("utf-8")):
        root = one["benchmark_root"]
        prefix = f"{root}/" if root else ""
        found[one["name"]] = Repository(one["name"], folder / one["name"] / root, prefix)
    for line in questions.read_text("utf-8").splitlines():
        question = json.loads(line)
        found[question["repo"]].questions.append(question)
    return list(found.values())


def _line(name: str, engine: Engine, repositories: Sequence[Repository]) -> Line:
    by_repository: dict[str, float] = {}
    by_category: dict[str, list[float]] = {}
    variety: list[float] = []
    for repository in repositories:
        scores, recalls = [], []
        with tempfile.TemporaryDirectory() as place:
            search = engine(repository.root, Path(place))
            for question in repository.questions:
                found = [repository.prefix + path for path in search(question["query"])]
                score = ndcg_at(list(dict.fromkeys(found)), right(question), FILES)
                scores.append(score)
                recalls.append(recall_at(found, right(question), HITS))
                by_category.setdefault(question["category"], []).append(score)
        by_repository[repository.name] = fmean(scores)
        variety.append(fmean(recalls))
    each = list(by_repository.values())
    return {
        "what": "retrieval of code",
        "engine": name,
        "questions": sum(map(len, by_category.values())),
        "ndcg": fmean(each),
        "chosen_by": fmean(each[::2]),
        "others": fmean(each[1::2]),
        "recall_in_hits": fmean(variety),
        "categories": {category: fmean(scores) for category, scores in by_category.items()},
        "repositories": by_repository,
        "uses": ("numpy", "semble") if name == "semble" else ("numpy",),
    }


def right(question: dict[str, Any]) -> set[str]:
    """Paths of the files that answer a question."""
    places = [*question["relevant"], *question["secondary"]]
    return {place if isinstance(place, str) else place["path"] for place in places}


# Contestants.


def _ours(embedder: Any) -> Engine:
    def engine(root: Path, place: Path) -> Search:
        index = Index(root, embedder, index_dir=place / "index")
        index.refresh()
        return lambda query: [hit.chunk.path for hit in index.search(query, CHUNKS)]

    return engine


def _bm25(root: Path, place: Path) -> Search:
    """SQLite's BM25 over the text of our chunks, and nothing else."""
    from chunkwright.store import Store
    from chunkwright.store.rows import Filter
    from chunkwright.store.terms import query_terms

    with Index(root, False, index_dir=place / "index") as index:
        index.refresh()
        store = Store(index.folder)

    def search(query: str) -> list[str]:
        with store.reading() as snapshot:
            matches = snapshot.match(query_terms(query), (1.0, 0.0, 0.0, 0.0), CHUNKS, Filter())
            chunks = snapshot.chunks_at([match.row for match in matches])
            return [chunks[match.row].path for match in matches]

    return search


def _static(root: Path, place: Path) -> Search:
    """Cosines of the default embedder's vectors, and nothing else."""
    from chunkwright import embed_text

    with Index(root, False, index_dir=place / "index") as index:
        index.refresh()
        chunks = index.chunks()
    embedder = resolve(None)
    assert embedder is not None
    matrix = embedder.embed([embed_text(chunk) for chunk in chunks])

    def search(query: str) -> list[str]:
        cosines = matrix @ embedder.embed([query])[0]
        return [chunks[at].path for at in (-cosines).argsort(kind="stable")[:CHUNKS]]

    return search


def _semble(root: Path, place: Path) -> Search:
    """Its whole search, over the weights of our default embedder: its own model is on a server."""
    from semble import SembleIndex

    os.environ["XDG_CACHE_HOME"] = str(place / "cache")
    index = SembleIndex.from_path(root, model_path=_model_folder())

    def search(query: str) -> list[str]:
        found = index.search(query, top_k=CHUNKS)
        return [Path(one.chunk.file_path).as_posix() for one in found]

    return search


def _model_folder() -> str:
    """A folder such as model2vec reads: SEMBLE_MODEL_NAME, or one made of our default embedder's
    weights and tokenizer."""
    if given := os.environ.get("SEMBLE_MODEL_NAME"):
        return given
    import numpy as np
    from model2vec import StaticModel
    from safetensors import safe_open
    from tokenizers import Tokenizer

    from chunkwright import assets

    folder = Path(tempfile.gettempdir()) / f"{assets.MODEL_NAME}-as-model2vec"
    if not folder.exists():
        with safe_open(str(assets.weights_path()), "np") as file:
            weights = (file.get_tensor("table") * file.get_tensor("scales")).astype(np.float32)
        tokenizer = Tokenizer.from_file(str(assets.tokenizer_path()))
        StaticModel(weights, tokenizer, normalize=True).save_pretrained(str(folder))
    return str(folder)


ENGINES: dict[str, Engine] = {
    "chunkwright": _ours(None),
    "chunkwright, words only": _ours(False),
    "semble": _semble,
    "BM25": _bm25,
    "static embedding": _static,
}


CONSTANTS = {
    "meaning": "MEANING_WEIGHT",
    "file_meaning": "FILE_MEANING_WEIGHT",
    "file": "FILE_BOOST",
    "saturation": "SATURATION",
}
"""Shares that are no signals of their own -> the weight of each in `ranking.scoring`."""


@contextmanager
def _without(signal: str) -> Iterator[None]:
    """Ranking without one of its signals."""
    if signal in SIGNALS:
        kept = SIGNALS[signal]
        SIGNALS[signal] = (kept[0], 0.0)
        try:
            yield
        finally:
            SIGNALS[signal] = kept
    else:
        weight = getattr(scoring, CONSTANTS[signal])
        setattr(scoring, CONSTANTS[signal], 0.0)
        try:
            yield
        finally:
            setattr(scoring, CONSTANTS[signal], weight)
