"""chonkie's chunkers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.checks import Pieces
from benchmarks.grammars import lay_grammars_for_pack
from benchmarks.peers import Cut, Task, peer
from benchmarks.vocabulary import quick_encoding, tiktoken_encoding

PACKAGE = "chonkie"
HEADINGS = [f"\n{'#' * level} " for level in range(1, 7)]


def _read(chunks: Sequence[Any]) -> Pieces:
    spans = [(chunk.start_index, chunk.end_index) for chunk in chunks]
    return Pieces([chunk.text for chunk in chunks], spans)


THEIRS: dict[str, Any] = {"returned": "chunks (text, offsets)", "read": _read}


def _tokenizer(task: Task) -> Any:
    """quicktok's, as a tokenizer of theirs: where nothing else is left they cut between tokens."""
    if task.unit == "chars":
        return "character"
    from chonkie.tokenizer import Tokenizer

    encoding = quick_encoding(task.unit)

    class Quick(Tokenizer):
        def __repr__(self) -> str:
            return str(encoding)

        def encode(self, text: str) -> Any:
            return encoding.encode_ordinary(text)

        tokenize = encode

        def decode(self, tokens: Any) -> str:
            return str(encoding.decode(tokens))

    return Quick()


@peer(
    "chonkie FastChunker",
    PACKAGE,
    units=("chars",),
    note="size in bytes; has no overlap",
    **THEIRS,
)
def fast(task: Task) -> Cut:
    from chonkie import FastChunker

    return FastChunker(chunk_size=task.size).chunk


@peer("chonkie RecursiveChunker", PACKAGE, has_overlap=False, tokens_by="quicktok", **THEIRS)
def recursive(task: Task) -> Cut:
    from chonkie import RecursiveChunker

    return RecursiveChunker(tokenizer=_tokenizer(task), chunk_size=task.size).chunk


@peer("chonkie SentenceChunker", PACKAGE, tokens_by="quicktok", **THEIRS)
def sentence(task: Task) -> Cut:
    from chonkie import SentenceChunker

    options = {"chunk_size": task.size, "chunk_overlap": task.overlap}
    return SentenceChunker(tokenizer=_tokenizer(task), **options).chunk


@peer(
    "chonkie TokenChunker",
    PACKAGE,
    units=("cl100k",),
    note="cuts between any two tokens",
    tokens_by="tiktoken",
    **THEIRS,
)
def token(task: Task) -> Cut:
    from chonkie import TokenChunker

    options = {"chunk_size": task.size, "chunk_overlap": task.overlap}
    return TokenChunker(tokenizer=tiktoken_encoding(task.unit), **options).chunk


@peer(
    "chonkie RecursiveChunker with Markdown's separators",
    PACKAGE,
    reads=("markdown",),
    note="knows no Markdown: a # in a fence is a heading; has no overlap, no headings",
    **THEIRS,
)
def markdown(task: Task) -> Cut:
    """Its recipe for Markdown is on a server; these are separators of the same kind."""
    from chonkie import RecursiveChunker, RecursiveLevel, RecursiveRules

    levels = [
        RecursiveLevel(delimiters=HEADINGS, include_delim="next"),
        RecursiveLevel(delimiters=["\n\n", "\n", "\r\n", "\r"]),
        RecursiveLevel(delimiters=[". ", "! ", "? "]),
        RecursiveLevel(whitespace=True),
        RecursiveLevel(),
    ]
    rules = RecursiveRules(levels=levels)
    return RecursiveChunker(_tokenizer(task), chunk_size=task.size, rules=rules).chunk


@peer("chonkie CodeChunker", PACKAGE, reads=("code",), tokens_by="quicktok", **THEIRS)
def code(task: Task) -> Cut:
    from chonkie import CodeChunker

    lay_grammars_for_pack()
    options = {"chunk_size": task.size, "language": task.language}
    return CodeChunker(_tokenizer(task), **options).chunk
