"""LlamaIndex's splitters."""

from __future__ import annotations

from typing import Any

from benchmarks.checks import Pieces
from benchmarks.grammars import bare_parser
from benchmarks.peers import Cut, Task, peer
from benchmarks.vocabulary import quick_encoding

PACKAGE = "llama-index-core"


def _tokenizer(task: Task) -> Any:
    return list if task.unit == "chars" else quick_encoding(task.unit).encode_ordinary


@peer("llama-index SentenceSplitter", PACKAGE, tokens_by="quicktok")
def sentence(task: Task) -> Cut:
    from llama_index.core.node_parser import SentenceSplitter

    options = {"chunk_size": task.size, "chunk_overlap": task.overlap}
    return SentenceSplitter(tokenizer=_tokenizer(task), **options).split_text


@peer(
    "llama-index MarkdownNodeParser",
    PACKAGE,
    reads=("markdown",),
    units=("chars",),
    returned="nodes (text, headings)",
    read=lambda nodes: Pieces([node.get_content() for node in nodes]),
    note="has no cap",
)
def markdown(_: Task) -> Cut:
    from llama_index.core import Document
    from llama_index.core.node_parser import MarkdownNodeParser

    parser = MarkdownNodeParser()
    return lambda text: parser.get_nodes_from_documents([Document(text=text)])


@peer("llama-index CodeSplitter", PACKAGE, reads=("code",), units=("chars",))
def code(task: Task) -> Cut:
    from llama_index.core.node_parser import CodeSplitter

    parser = bare_parser(task.language)
    return CodeSplitter(
        task.language, max_chars=task.size, parser=parser, tokenizer=list
    ).split_text
