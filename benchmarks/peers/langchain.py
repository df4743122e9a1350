"""LangChain's splitters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.checks import Pieces
from benchmarks.peers import Cut, Task, UnsupportedError, peer
from benchmarks.vocabulary import counter, tiktoken_encoding

PACKAGE = "langchain-text-splitters"
RECURSIVE = "langchain RecursiveCharacterTextSplitter"
WITH_SENTENCES = f"{RECURSIVE}, sentence ends too"

SENTENCES = ["\n\n", "\n", ".", "?", "!", " ", ""]
"""Separators of Chroma's report on chunking (2024)."""

HEADINGS = [("#" * level, f"level {level}") for level in range(1, 7)]

LANGUAGES = {"csharp": "csharp", "javascript": "js", "typescript": "ts", "tsx": "ts"}
"""Ours -> its name, where they differ."""


def _recursive(task: Task, **options: Any) -> Any:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    options |= {"chunk_size": task.size, "chunk_overlap": task.overlap}
    return RecursiveCharacterTextSplitter(length_function=counter(task.unit), **options)


def _contents(documents: Sequence[Any]) -> Pieces:
    return Pieces([document.page_content for document in documents])


@peer(RECURSIVE, PACKAGE, tokens_by="quicktok")
def recursive(task: Task) -> Cut:
    return _recursive(task).split_text


@peer(WITH_SENTENCES, PACKAGE, note="as in Chroma's report", tokens_by="quicktok")
def with_sentences(task: Task) -> Cut:
    return _recursive(task, separators=SENTENCES).split_text


@peer(f"{RECURSIVE}.from_tiktoken_encoder", PACKAGE, units=("cl100k",), tokens_by="tiktoken")
def from_tiktoken(task: Task) -> Cut:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    name = tiktoken_encoding(task.unit).name
    options = {"chunk_size": task.size, "chunk_overlap": task.overlap}
    return RecursiveCharacterTextSplitter.from_tiktoken_encoder(name, **options).split_text


@peer(
    "langchain MarkdownHeaderTextSplitter, then RecursiveCharacterTextSplitter",
    PACKAGE,
    reads=("markdown",),
    returned="texts, headings",
    read=_contents,
    tokens_by="quicktok",
)
def headers(task: Task) -> Cut:
    from langchain_text_splitters import MarkdownHeaderTextSplitter

    first, second = MarkdownHeaderTextSplitter(HEADINGS, strip_headers=False), _recursive(task)
    return lambda text: second.split_documents(first.split_text(text))


@peer(f"{RECURSIVE}.from_language", PACKAGE, reads=("code",), tokens_by="quicktok")
def from_language(task: Task) -> Cut:
    from langchain_text_splitters import Language, RecursiveCharacterTextSplitter

    name = LANGUAGES.get(task.language, task.language)
    if name not in list(Language):
        raise UnsupportedError(f"does not read {task.language}")
    separators = RecursiveCharacterTextSplitter.get_separators_for_language(Language(name))
    return _recursive(task, separators=separators, is_separator_regex=True).split_text
