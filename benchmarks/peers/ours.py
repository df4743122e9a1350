"""chunkwright's own chunkers. The first that does a task is what ratios are in proportion to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.checks import Pieces
from benchmarks.peers import Cut, Peer, Task, peer
from chunkwright import CodeChunker, LineChunker, MarkdownChunker, RecursiveChunker, TextChunker
from chunkwright.types import Chunk, Document

TEXT_REFERENCE = "chunkwright TextChunker"
LINE_REFERENCE = "chunkwright LineChunker"
CODE_REFERENCE = "chunkwright CodeChunker"


def _read(chunks: Sequence[Chunk]) -> Pieces:
    return Pieces(
        [chunk.text for chunk in chunks],
        [(chunk.start, chunk.end) for chunk in chunks],
        [chunk.id for chunk in chunks],
    )


OURS: dict[str, Any] = {"returned": "Chunks (text, offsets, lines, ids)", "read": _read}


def _list_of(chunker: Any) -> Cut:
    return lambda text: list(chunker.chunk(text))


def _text(task: Task, **options: Any) -> Cut:
    size, overlap = task.size, task.overlap
    options |= {"min_size": 0, "max_chunks": None, "measure": task.unit}
    return _list_of(TextChunker(size=size, overlap=overlap, **options))


@peer(TEXT_REFERENCE, "chunkwright", **OURS)
def text_chunker(task: Task) -> Cut:
    return _text(task)


@peer(f"{TEXT_REFERENCE}(stable=True)", "chunkwright", units=("chars",), **OURS)
def stable_text_chunker(task: Task) -> Cut:
    return _text(task, stable=True)


@peer("chunkwright RecursiveChunker", "chunkwright", **OURS)
def recursive_chunker(task: Task) -> Cut:
    return _list_of(RecursiveChunker(size=task.size, overlap=task.overlap, measure=task.unit))


@peer(LINE_REFERENCE, "chunkwright", units=("lines",), **OURS)
def line_chunker(task: Task) -> Cut:
    return _list_of(LineChunker(lines=task.size, overlap=task.overlap))


@peer("chunkwright MarkdownChunker", "chunkwright", reads=("markdown",), **OURS)
def markdown_chunker(task: Task) -> Cut:
    return _list_of(MarkdownChunker(size=task.size, overlap=task.overlap, measure=task.unit))


def _code(granularity: str) -> Peer:
    is_default = granularity == "packed"
    name = CODE_REFERENCE if is_default else f"{CODE_REFERENCE}(granularity={granularity!r})"

    @peer(name, "chunkwright", reads=("code",), **OURS)
    def code_chunker(task: Task) -> Cut:
        chunker = CodeChunker(
            size=task.size,
            overlap=task.overlap,
            measure=task.unit,
            granularity=granularity,
            file_header=False,
        )
        return lambda text: list(chunker.chunk(_document(text, task.language)))

    return code_chunker


def _document(text: str | Document, language: str) -> Document:
    """A text is taken to be of the task's language; a document says what it is."""
    return text if isinstance(text, Document) else Document(text, language=language)


code_chunker = _code("packed")
symbol_chunker = _code("symbol")
