"""Who cuts the texts of the evaluation on text, and to what size. Nothing is embedded here."""

from __future__ import annotations

from collections.abc import Iterator

import peers
from checks import Pieces
from peers import Contestant, Task
from vocabulary import quick_encoding

SIZES = (
    Task(200, 0, "cl100k"),
    Task(400, 0, "cl100k"),
    Task(400, 200, "cl100k"),
    Task(800, 400, "cl100k"),
    Task(800, 0, "chars"),
    Task(1500, 0, "chars"),
)
"""The first four are the report's."""

SEPARATORS = ["\n\n", "\n", ".", "?", "!", " ", ""]
"""The report's for the recursive splitter."""


def contestants() -> Iterator[tuple[Task, Contestant]]:
    """Every chunker at every size, ours first."""
    for task in SIZES:
        builders = [peers.recursive_chunker, markdown_chunker, peers.text_chunker]
        builders += [reports_recursive]
        builders += [] if task.overlap else [peers.chonkie_recursive]  # it has no overlap
        builders += [] if task.unit == "chars" else [fixed_tokens]
        for contestant in peers.contestants(builders, task):
            yield task, contestant


def markdown_chunker(task: Task) -> Contestant:
    from chunkwright import MarkdownChunker

    chunker = MarkdownChunker(size=task.size, overlap=task.overlap, measure=task.unit)
    return peers.chunkwright("chunkwright MarkdownChunker", chunker)


def reports_recursive(task: Task) -> Contestant:
    note = "cuts at sentence ends too, as in the report"
    return peers.langchain_recursive(task, SEPARATORS, note)


def fixed_tokens(task: Task) -> Contestant:
    """Every so many tokens, wherever that is."""
    encoding = quick_encoding(task.unit)

    def windows(text: str) -> list[str]:
        tokens = encoding.encode_ordinary(text)
        starts = range(0, max(len(tokens) - task.overlap, 1), task.size - task.overlap)
        return [encoding.decode(tokens[start : start + task.size]) for start in starts]

    return Contestant("windows of tokens", "", "texts", lambda: windows, Pieces)
