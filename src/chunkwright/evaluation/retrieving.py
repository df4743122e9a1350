"""Which chunks are found for questions: by exact cosines over all of them, or as an index answers.
What they are worth is judged in `scoring`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

import numpy as np
import numpy.typing as npt

from chunkwright.embedding import query_vector
from chunkwright.embedding.answers import unit
from chunkwright.embedding.batching import embed_safely
from chunkwright.errors import PathError
from chunkwright.evaluation.corpus import Corpus
from chunkwright.evaluation.cutting import Cutting
from chunkwright.evaluation.nouns import Progress
from chunkwright.evaluation.remembering import RememberingEmbedder
from chunkwright.index.prepared import PreparedIndex
from chunkwright.rendering import embed_text

TOGETHER = 256
"""Texts that are embedded before progress is told."""

Vectors = npt.NDArray[np.float32]


class Finder(Protocol):
    """What finds chunks of a cutting."""

    notes: list[str]
    """What could not be done as asked, in sentences."""

    def find(self, question: str, depth: int) -> list[int]:
        """Positions of the chunks that answer, the best first; about `depth` of them."""


class NearestChunks:
    """Finds by the cosine of a chunk's vector with the question's, over all chunks: equal ones in
    the order of the corpus. A chunk without a vector is never found, and nothing for a question
    without one."""

    def __init__(self, cutting: Cutting, embedder: RememberingEmbedder, progress: Progress) -> None:
        self.notes: list[str] = []
        self._embedder = embedder
        self._matrix = self._embedded(cutting, progress)
        self._has_vector: npt.NDArray[np.bool_] = np.any(self._matrix, axis=1)

    def find(self, question: str, depth: int) -> list[int]:
        """As `Finder` has it."""
        vector = query_vector(self._embedder, question)
        if not vector.any():
            return []
        cosines = self._matrix @ vector
        cosines[~self._has_vector] = -np.inf
        depth = min(depth, len(cosines))
        least = np.partition(cosines, -depth)[-depth]
        places = np.flatnonzero(cosines >= least)
        ranked = places[np.argsort(-cosines[places], kind="stable")[:depth]]
        return [int(place) for place in ranked if self._has_vector[place]]

    def _embedded(self, cutting: Cutting, progress: Progress) -> Vectors:
        texts = [embed_text(chunk) for chunk in cutting.chunks]
        rows, cut_short, left_out = [], 0, 0
        for start in range(0, len(texts), TOGETHER):
            made = embed_safely(self._embedder, texts[start : start + TOGETHER])
            if made.stopped is not None:
                raise made.stopped
            rows += [unit(row) for row in made.vectors]
            cut_short += len(made.shortened) + len(made.over_limit)
            left_out += len(made.failed)
            progress("embed", len(rows), len(texts), cutting.name)
        self.notes += _embedding_notes(cutting, cut_short, left_out)
        return np.stack(rows)


def _embedding_notes(cutting: Cutting, cut_short: int, left_out: int) -> Iterator[str]:
    of_all = f"of the {len(cutting.chunks):,} chunks of {cutting.name}"
    if cut_short:
        yield f"{cut_short:,} {of_all} are longer than the embedder reads: the rest counts not."
    if left_out:
        yield f"{left_out:,} {of_all} could not be embedded and are never found."


class IndexAnswers:
    """Finds as an index does: by words, or by words and meaning, with all of its signals. Pieces
    that are one answer stand side by side."""

    def __init__(self, cutting: Cutting, index: PreparedIndex) -> None:
        self.notes: list[str] = []
        self._index = index
        self._places = {chunk.id: place for place, chunk in enumerate(cutting.chunks)}

    def find(self, question: str, depth: int) -> list[int]:
        """As `Finder` has it."""
        hits = self._index.search(question, depth, stale="ignore")
        chunks = (chunk for hit in hits for chunk in (hit.chunk, *hit.merged))
        return [self._places[chunk.id] for chunk in chunks]


@contextmanager
def index_answers(
    corpus: Corpus, cutting: Cutting, embedder: RememberingEmbedder | None, progress: Progress
) -> Iterator[IndexAnswers]:
    """An index of the cutting, in a temporary folder while the block runs."""
    chunkings = {chunking.path: chunking for chunking in cutting.chunkings}
    with TemporaryDirectory(prefix="chunkwright-") as folder:
        _write(corpus, Path(folder))
        with PreparedIndex(Path(folder), lambda one: chunkings[one.path], embedder) as index:
            report = index.refresh(progress=_renamed(progress, cutting))
            for path, reason, rule in (*report.failed, *report.skipped):
                raise PathError(path, f"cannot be indexed: {reason} {rule}", "leave it out")
            yield IndexAnswers(cutting, index)


def _write(corpus: Corpus, folder: Path) -> None:
    for document in corpus.documents:
        place = folder / document.path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(document.text.encode("utf-8", "replace"))


def _renamed(progress: Progress, cutting: Cutting) -> Progress:
    """An index tells of files too, and knows no rows."""

    def told(stage: str, done: int, total: int, _path: str) -> None:
        if stage == "chunks":
            progress("embed", done, total, cutting.name)

    return told
