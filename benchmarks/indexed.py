"""What an index answers with, chunk by chunk: texts as files, indexed and asked as users do. How an
answer is scored is told by the frontiers."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import ceil
from pathlib import Path

from benchmarks.frontiers import BUDGET, Order
from benchmarks.vocabulary import counter
from chunkwright import Chunk, Index
from chunkwright.embedding import EmbedderLike


@contextmanager
def index_of(
    texts: Mapping[str, str], embedder: EmbedderLike, config: Mapping[str, object]
) -> Iterator[Index]:
    """An index of texts as files, while the block runs."""
    with tempfile.TemporaryDirectory() as place:
        root = Path(place, "files")
        for path, text in texts.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(text.encode())
        with Index(root, embedder, config, index_dir=Path(place, "index")) as index:
            index.refresh()
            yield index


def answers(
    texts: Mapping[str, str],
    embedder: EmbedderLike,
    config: Mapping[str, object],
    asked: Sequence[str],
) -> tuple[list[Chunk], list[Order]]:
    """All chunks, and for each question the positions of those found, best first: by words, vectors
    and all signals of ranking. As many are asked for as fill the budget, for neighbours among
    those are joined, and one answer."""
    with index_of(texts, embedder, config) as index:
        chunks = list(index.chunks())
        row = {chunk.id: at for at, chunk in enumerate(chunks)}
        count = _filling([chunk.text for chunk in chunks])
        return chunks, [_found(index, question, count, row) for question in asked]


def _filling(texts: Sequence[str]) -> int:
    """How many chunks of the mean size fill the budget."""
    count = counter("cl100k")
    return ceil(BUDGET * len(texts) / sum(map(count, texts)))


def _found(index: Index, question: str, count: int, row: Mapping[str, int]) -> Order:
    """Pieces of an answer one after another, as they stand in the file."""
    found = [(hit.chunk, *hit.merged) for hit in index.search(question, count)]
    return [row[chunk.id] for answer in found for chunk in sorted(answer, key=_start)]


def _start(chunk: Chunk) -> int:
    return chunk.start
