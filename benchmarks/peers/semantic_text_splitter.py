"""semantic-text-splitter's splitters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.checks import Pieces
from benchmarks.grammars import grammar_address
from benchmarks.peers import Cut, Task, peer

PACKAGE = "semantic-text-splitter"


def _read(pairs: Sequence[tuple[int, str]]) -> Pieces:
    return Pieces([text for _, text in pairs], [(at, at + len(text)) for at, text in pairs])


THEIRS: dict[str, Any] = {
    "returned": "texts, offsets",
    "read": _read,
    "tokens_by": "its own tiktoken",
}


def _indices(splitter: Any, task: Task, *grammar: Any) -> Cut:
    """`splitter` is one of its classes."""
    if task.unit == "chars":
        return splitter(*grammar, task.size, overlap=task.overlap).chunk_indices
    make = splitter.from_tiktoken_model
    return make(*grammar, "gpt-4", task.size, overlap=task.overlap).chunk_indices


@peer("semantic-text-splitter TextSplitter", PACKAGE, **THEIRS)
def text(task: Task) -> Cut:
    from semantic_text_splitter import TextSplitter

    return _indices(TextSplitter, task)


@peer("semantic-text-splitter MarkdownSplitter", PACKAGE, reads=("markdown",), **THEIRS)
def markdown(task: Task) -> Cut:
    from semantic_text_splitter import MarkdownSplitter

    return _indices(MarkdownSplitter, task)


@peer("semantic-text-splitter CodeSplitter", PACKAGE, reads=("code",), **THEIRS)
def code(task: Task) -> Cut:
    from semantic_text_splitter import CodeSplitter

    return _indices(CodeSplitter, task, grammar_address(task.language))
