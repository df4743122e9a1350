"""Who is compared on Markdown, each a few lines: how it is made, called and read. Who is compared
on plain text is in peers.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from checks import Pieces
from peers import Builder, Contestant, Task, chonkie, chunkwright

SECTIONS = Task(3200, 320, "chars")

HEADINGS = [("#" * level, f"level {level}") for level in range(1, 7)]


def markdown_chunker(task: Task) -> Contestant:
    from chunkwright import MarkdownChunker

    chunker = MarkdownChunker(size=task.size, overlap=task.overlap)
    return chunkwright("chunkwright MarkdownChunker", chunker)


def langchain_headers(task: Task) -> Contestant:
    from langchain_text_splitters import MarkdownHeaderTextSplitter, RecursiveCharacterTextSplitter

    def make() -> Callable[[str], Any]:
        headers = MarkdownHeaderTextSplitter(HEADINGS, strip_headers=False)
        second = RecursiveCharacterTextSplitter(chunk_size=task.size, chunk_overlap=task.overlap)
        return lambda text: second.split_documents(headers.split_text(text))

    return Contestant(
        "langchain MarkdownHeaderTextSplitter, then RecursiveCharacterTextSplitter",
        "langchain-text-splitters",
        "texts, headings",
        make,
        lambda documents: Pieces([document.page_content for document in documents]),
    )


def llama_index_markdown(_: Task) -> Contestant:
    from llama_index.core import Document
    from llama_index.core.node_parser import MarkdownNodeParser

    def make() -> Callable[[str], Any]:
        parser = MarkdownNodeParser()
        return lambda text: parser.get_nodes_from_documents([Document(text=text)])

    return Contestant(
        "llama-index MarkdownNodeParser",
        "llama-index-core",
        "nodes (text, headings)",
        make,
        lambda nodes: Pieces([node.get_content() for node in nodes]),
        "has no cap",
    )


def semantic_markdown(task: Task) -> Contestant:
    from semantic_text_splitter import MarkdownSplitter

    return Contestant(
        "semantic-text-splitter MarkdownSplitter",
        "semantic-text-splitter",
        "texts",
        lambda: MarkdownSplitter(task.size, overlap=task.overlap).chunks,
        Pieces,
    )


def chonkie_markdown(task: Task) -> Contestant:
    """Its recipe for Markdown is on a server; these are separators of the same kind."""
    from chonkie import RecursiveChunker, RecursiveLevel, RecursiveRules

    rules = RecursiveRules(
        levels=[
            RecursiveLevel(
                delimiters=[f"\n{marks} " for marks, _ in HEADINGS], include_delim="next"
            ),
            RecursiveLevel(delimiters=["\n\n", "\n", "\r\n", "\r"]),
            RecursiveLevel(delimiters=[". ", "! ", "? "]),
            RecursiveLevel(whitespace=True),
            RecursiveLevel(),
        ]
    )
    return chonkie(
        "RecursiveChunker with Markdown's separators",
        lambda: RecursiveChunker("character", chunk_size=task.size, rules=rules),
        "knows no Markdown: a # in a fence is a heading; has no overlap, no headings",
    )


def bare_events(_: Task) -> Contestant:
    import pyromark

    from chunkwright.parsing.markdown_events import OPTIONS

    def walk(text: str) -> None:
        for _event in pyromark.events_with_range(text, options=OPTIONS):
            pass

    return Contestant(
        "pyromark, one pass over its events",
        "pyromark",
        "nothing",
        lambda: walk,
        lambda _: Pieces([]),
        "no chunks: the cost of the parser alone",
        cuts=False,
    )


BUILDERS: tuple[Builder, ...] = (
    markdown_chunker,
    langchain_headers,
    llama_index_markdown,
    semantic_markdown,
    chonkie_markdown,
    bare_events,
)
