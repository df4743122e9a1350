"""What embedding late gives and costs: NDCG@10 over files, and seconds until answers are there.

Words are indexed at once, and of each question the best candidates by words are embedded when it is
asked. FOLDER and the two files are those of retrieval_code. Each question is asked once, one after
another, so that later ones find some vectors of earlier ones, as in use. `late 0` embeds nothing:
it shows what chunks of the embedder's size give by their words alone.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean, median

from benchmarks import vectors
from benchmarks.facts import Line
from benchmarks.measurements import retrieval_code
from chunkwright import Index
from chunkwright.embedding import EmbedderLike
from chunkwright.evaluation import ndcg_at
from chunkwright.index import late

DEPTHS = (0, 10, 25, 50, 100, 200)
"""Candidates that are embedded for a question."""


def lines(options: argparse.Namespace) -> Iterator[Line]:
    """Every contestant over every repository."""
    found = retrieval_code.read(options.folder, options.questions, options.about)
    repositories = [one for one in found if one.name in options.repositories]
    for name, embedder in (("words only", False), ("static", "static"), ("at once", options.slow)):
        yield _line(name, repositories, embedder)
    for depth in options.depths:
        with _depth(depth):
            yield _line(f"late {depth}", repositories, options.slow, is_late=True)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--about", type=Path, required=True)
    parser.add_argument("--repositories", nargs="+", required=True)
    parser.add_argument("--slow", default="minilm", help="the embedder that is late")
    parser.add_argument("--depths", nargs="*", type=int, default=DEPTHS)


@contextmanager
def _depth(depth: int) -> Iterator[None]:
    kept, late.DEPTH = late.DEPTH, depth
    try:
        yield
    finally:
        late.DEPTH = kept


def _line(
    name: str,
    repositories: Sequence[retrieval_code.Repository],
    embedder: EmbedderLike,
    *,
    is_late: bool = False,
) -> Line:
    results = {one.name: _result(one, embedder, is_late=is_late) for one in repositories}
    mean = {key: fmean(one[key] for one in results.values()) for key in _keys(results)}
    return {
        "what": "late embedding",
        "contestant": name,
        **mean,
        "repositories": results,
        "uses": vectors.PACKAGES.get(str(embedder), ()),
    }


def _keys(results: dict[str, Line]) -> list[str]:
    return list(next(iter(results.values())))


def _result(
    repository: retrieval_code.Repository, embedder: EmbedderLike, *, is_late: bool
) -> Line:
    """One contestant over one repository; what others have embedded is no help."""
    config = {"late_embedding": is_late, "vector_cache": ""}
    scores, seconds = [], []
    with (
        tempfile.TemporaryDirectory() as place,
        Index(repository.root, embedder, config, index_dir=Path(place) / "index") as index,
    ):
        started = time.perf_counter()
        index.refresh()
        indexed = time.perf_counter() - started
        for question in repository.questions:
            asked = time.perf_counter()
            hits = index.search(question["query"], retrieval_code.CHUNKS)
            seconds.append(time.perf_counter() - asked)
            found = dict.fromkeys(repository.prefix + hit.chunk.path for hit in hits)
            right = retrieval_code.right(question)
            scores.append(ndcg_at(list(found), right, retrieval_code.FILES))
        status = index.status()
    return {
        "ndcg": fmean(scores),
        "indexed_seconds": indexed,
        "first_answer_seconds": indexed + seconds[0],
        "question_seconds": median(seconds),
        "all_seconds": indexed + sum(seconds),
        "questions": len(seconds),
        "chunks": status.chunks,
        "embedded": status.vectors,
    }
