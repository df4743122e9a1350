"""Who is compared: chunkwright and other splitters, each a few lines that say how it is made, how
it is called and what it returns. Every peer is called the quickest way that gives what it names.

A call gets a text and returns a materialised list; `read` makes that comparable, untimed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from checks import Pieces
from vocabulary import counter, quick_encoding, tiktoken_encoding

REFERENCE = "chunkwright TextChunker"
"""The contestant that ratios are in proportion to."""

PIECE = 16_384
"""Code points of one piece where a text is counted piece by piece."""


@dataclass(frozen=True)
class Task:
    """What every contestant is asked for, in `unit`: chars, cl100k or lines."""

    size: int
    overlap: int
    unit: str


CHARACTERS = Task(1200, 200, "chars")
TOKENS = Task(512, 0, "cl100k")
LINES = Task(60, 15, "lines")


@dataclass(frozen=True)
class Contestant:
    """One way of cutting. `make` is called anew for each timed call, so that no cache is kept."""

    name: str
    distribution: str
    returned: str
    make: Callable[[], Callable[[str], Any]]
    read: Callable[[Any], Pieces]
    note: str = ""
    cuts: bool = True
    """False: it only counts or encodes, so that there are no chunks to check."""

    @property
    def is_ours(self) -> bool:
        """Whether it is chunkwright: where it fails there is nothing to compare with."""
        return self.distribution == "chunkwright"

    @property
    def version(self) -> str:
        """The installed version."""
        return version(self.distribution) if self.distribution else ""


Builder = Callable[[Task], Contestant]


def contestants(builders: Iterable[Builder], task: Task) -> Iterator[Contestant]:
    """Those that are installed; absent peers are named on stderr. chunkwright has to be there."""
    for build in builders:
        try:
            yield build(task)
        except ModuleNotFoundError as absent:
            if (absent.name or "").startswith("chunkwright"):
                raise
            print(f"left out: {build.__name__}: {absent}", file=sys.stderr)


def text_chunker(task: Task, *, stable: bool = False) -> Contestant:
    from chunkwright import TextChunker

    chunker = TextChunker(
        size=task.size,
        overlap=task.overlap,
        min_size=0,
        max_chunks=None,
        stable=stable,
        measure=task.unit,
    )
    return chunkwright(REFERENCE + ("(stable=True)" if stable else ""), chunker)


def stable_text_chunker(task: Task) -> Contestant:
    return text_chunker(task, stable=True)


def recursive_chunker(task: Task) -> Contestant:
    from chunkwright import RecursiveChunker

    chunker = RecursiveChunker(size=task.size, overlap=task.overlap, measure=task.unit)
    return chunkwright("chunkwright RecursiveChunker", chunker)


def line_chunker(task: Task) -> Contestant:
    from chunkwright import LineChunker

    chunker = LineChunker(lines=task.size, overlap=task.overlap)
    return chunkwright(LINE_REFERENCE, chunker)


LINE_REFERENCE = "chunkwright LineChunker"


def chunkwright(name: str, chunker: Any) -> Contestant:
    """One of our own, whose chunks have everything."""
    return Contestant(
        name,
        "chunkwright",
        "Chunks (text, offsets, lines, ids)",
        lambda: lambda text: list(chunker.chunk(text)),
        lambda chunks: Pieces(
            [chunk.text for chunk in chunks],
            [(chunk.start, chunk.end) for chunk in chunks],
            [chunk.id for chunk in chunks],
        ),
    )


def line_loop(task: Task) -> Contestant:
    step = task.size - task.overlap

    def windows(text: str) -> list[str]:
        lines = text.splitlines(keepends=True)
        starts = range(0, max(len(lines) - task.overlap, 1), step)
        return ["".join(lines[start : start + task.size]) for start in starts]

    return Contestant("a loop over splitlines", "", "texts", lambda: windows, Pieces)


def langchain_recursive(
    task: Task, separators: list[str] | None = None, note: str = ""
) -> Contestant:
    """`separators`: None for its own; `note`: what is special about it; else who counts."""
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    return Contestant(
        "langchain RecursiveCharacterTextSplitter",
        "langchain-text-splitters",
        "texts",
        lambda: (
            RecursiveCharacterTextSplitter(
                chunk_size=task.size,
                chunk_overlap=task.overlap,
                length_function=counter(task.unit),
                separators=separators,
            ).split_text
        ),
        Pieces,
        note or _counted_by(task, "quicktok"),
    )


def langchain_tiktoken(task: Task) -> Contestant:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    encoding = tiktoken_encoding(task.unit)
    return Contestant(
        "langchain RecursiveCharacterTextSplitter.from_tiktoken_encoder",
        "langchain-text-splitters",
        "texts",
        lambda: (
            RecursiveCharacterTextSplitter.from_tiktoken_encoder(
                encoding.name, chunk_size=task.size, chunk_overlap=task.overlap
            ).split_text
        ),
        Pieces,
        _counted_by(task, "tiktoken"),
    )


def chonkie_fast(task: Task) -> Contestant:
    from chonkie import FastChunker

    return chonkie(
        "FastChunker", lambda: FastChunker(chunk_size=task.size), "size in bytes; has no overlap"
    )


def chonkie_recursive(task: Task) -> Contestant:
    from chonkie import RecursiveChunker

    return chonkie(
        "RecursiveChunker",
        lambda: RecursiveChunker(tokenizer=_chonkie_counter(task), chunk_size=task.size),
        _and("has no overlap" if task.overlap else "", _counted_by(task, "quicktok")),
    )


def chonkie_sentence(task: Task) -> Contestant:
    from chonkie import SentenceChunker

    return chonkie(
        "SentenceChunker",
        lambda: SentenceChunker(
            tokenizer=_chonkie_counter(task), chunk_size=task.size, chunk_overlap=task.overlap
        ),
        _counted_by(task, "quicktok"),
    )


def chonkie_token(task: Task) -> Contestant:
    from chonkie import TokenChunker

    encoding = tiktoken_encoding(task.unit)
    return chonkie(
        "TokenChunker",
        lambda: TokenChunker(tokenizer=encoding, chunk_size=task.size, chunk_overlap=task.overlap),
        "cuts between any two tokens; tokens by tiktoken",
    )


def chonkie(name: str, make: Callable[[], Any], note: str = "") -> Contestant:
    """One of chonkie's chunkers, which `make` makes."""
    return Contestant(
        f"chonkie {name}",
        "chonkie",
        "chunks (text, offsets)",
        lambda: make().chunk,
        lambda chunks: Pieces(
            [chunk.text for chunk in chunks],
            [(chunk.start_index, chunk.end_index) for chunk in chunks],
        ),
        note,
    )


def _chonkie_counter(task: Task) -> Any:
    return "character" if task.unit == "chars" else counter(task.unit)


def semantic_text_splitter(task: Task) -> Contestant:
    from semantic_text_splitter import TextSplitter

    def make() -> Any:
        if task.unit == "chars":
            return TextSplitter(task.size, overlap=task.overlap).chunk_indices
        splitter = TextSplitter.from_tiktoken_model("gpt-4", task.size, overlap=task.overlap)
        return splitter.chunk_indices

    return Contestant(
        "semantic-text-splitter TextSplitter",
        "semantic-text-splitter",
        "texts, offsets",
        make,
        _pieces_with_starts,
        _counted_by(task, "its own tiktoken"),
    )


def _pieces_with_starts(pairs: Sequence[tuple[int, str]]) -> Pieces:
    return Pieces([text for _, text in pairs], [(at, at + len(text)) for at, text in pairs])


def semchunk(task: Task) -> Contestant:
    from semchunk import chunkerify

    def make() -> Callable[[str], Any]:
        chunker = chunkerify(counter(task.unit), task.size)
        return lambda text: chunker(text, overlap=task.overlap or None, offsets=True)

    return Contestant(
        "semchunk",
        "semchunk",
        "texts, offsets",
        make,
        lambda answer: Pieces(answer[0], answer[1]),
        _counted_by(task, "quicktok"),
    )


def llama_index_sentence(task: Task) -> Contestant:
    from llama_index.core.node_parser import SentenceSplitter

    tokenizer = list if task.unit == "chars" else quick_encoding(task.unit).encode_ordinary
    return Contestant(
        "llama-index SentenceSplitter",
        "llama-index-core",
        "texts",
        lambda: (
            SentenceSplitter(
                tokenizer=tokenizer, chunk_size=task.size, chunk_overlap=task.overlap
            ).split_text
        ),
        Pieces,
        _counted_by(task, "quicktok"),
    )


def quicktok_whole(task: Task) -> Contestant:
    encode = quick_encoding(task.unit).encode_ordinary
    return _bare("quicktok, the whole text encoded once", "quicktok-v1", lambda: encode)


def quicktok_pieces(task: Task) -> Contestant:
    encode = quick_encoding(task.unit).encode_ordinary
    return _bare(
        f"quicktok, in pieces of {PIECE:,} code points",
        "quicktok-v1",
        lambda: _in_pieces(encode),
    )


def tiktoken_pieces(task: Task) -> Contestant:
    encode = tiktoken_encoding(task.unit).encode_ordinary
    return _bare(
        f"tiktoken, in pieces of {PIECE:,} code points",
        "tiktoken",
        lambda: _in_pieces(encode),
    )


def _in_pieces(encode: Callable[[str], Any]) -> Callable[[str], Any]:
    return lambda text: [encode(text[at : at + PIECE]) for at in range(0, len(text), PIECE)]


def _bare(name: str, distribution: str, make: Callable[[], Any]) -> Contestant:
    note = "no chunks: the cost of encoding alone"
    return Contestant(name, distribution, "tokens", make, lambda _: Pieces([]), note, cuts=False)


def _counted_by(task: Task, what: str) -> str:
    return "" if task.unit == "chars" else f"tokens by {what}"


def _and(*notes: str) -> str:
    return "; ".join(filter(None, notes))


CHARACTER_BUILDERS: tuple[Builder, ...] = (
    text_chunker,
    stable_text_chunker,
    recursive_chunker,
    langchain_recursive,
    chonkie_fast,
    chonkie_recursive,
    chonkie_sentence,
    semantic_text_splitter,
    semchunk,
    llama_index_sentence,
)

TOKEN_BUILDERS: tuple[Builder, ...] = (
    text_chunker,
    recursive_chunker,
    langchain_recursive,
    langchain_tiktoken,
    chonkie_recursive,
    chonkie_sentence,
    chonkie_token,
    semantic_text_splitter,
    semchunk,
    llama_index_sentence,
    quicktok_whole,
    quicktok_pieces,
    tiktoken_pieces,
)

LINE_BUILDERS: tuple[Builder, ...] = (line_chunker, line_loop)
