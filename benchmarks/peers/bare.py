"""What cutting is held against besides other splitters: a loop, windows of tokens, and the bare
cost of encoding and of parsing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.checks import Pieces
from benchmarks.grammars import bare_parser
from benchmarks.peers import Cut, Task, peer
from benchmarks.vocabulary import quick_encoding, tiktoken_encoding

PIECE = 16_384
"""Code points of one piece where a text is counted piece by piece."""

BARE_PARSE = "tree-sitter, one parse"


def _nothing(_: Any) -> Pieces:
    return Pieces([])


ENCODED: dict[str, Any] = {
    "units": ("cl100k",),
    "returned": "tokens",
    "read": _nothing,
    "note": "no chunks: the cost of encoding alone",
    "cuts": False,
}
PARSED: dict[str, Any] = {
    "units": ("chars",),
    "read": _nothing,
    "note": "no chunks: the cost of the parser alone",
    "cuts": False,
}


@peer("a loop over splitlines", "", units=("lines",))
def line_loop(task: Task) -> Cut:
    step = task.size - task.overlap

    def windows(text: str) -> list[str]:
        lines = text.splitlines(keepends=True)
        starts = range(0, max(len(lines) - task.overlap, 1), step)
        return ["".join(lines[start : start + task.size]) for start in starts]

    return windows


@peer("windows of tokens", "", units=("cl100k",), tokens_by="quicktok")
def token_windows(task: Task) -> Cut:
    """Every so many tokens, wherever that is."""
    encoding = quick_encoding(task.unit)

    def windows(text: str) -> list[str]:
        tokens = encoding.encode_ordinary(text)
        starts = range(0, max(len(tokens) - task.overlap, 1), task.size - task.overlap)
        return [encoding.decode(tokens[start : start + task.size]) for start in starts]

    return windows


@peer("quicktok, the whole text encoded once", "quicktok-v1", **ENCODED)
def quicktok_whole(task: Task) -> Cut:
    return quick_encoding(task.unit).encode_ordinary


@peer(f"quicktok, in pieces of {PIECE:,} code points", "quicktok-v1", **ENCODED)
def quicktok_pieces(task: Task) -> Cut:
    return _in_pieces(quick_encoding(task.unit).encode_ordinary)


@peer(f"tiktoken, in pieces of {PIECE:,} code points", "tiktoken", **ENCODED)
def tiktoken_pieces(task: Task) -> Cut:
    return _in_pieces(tiktoken_encoding(task.unit).encode_ordinary)


def _in_pieces(encode: Callable[[str], Any]) -> Cut:
    return lambda text: [encode(text[at : at + PIECE]) for at in range(0, len(text), PIECE)]


@peer(
    "pyromark, one pass over its events",
    "pyromark",
    reads=("markdown",),
    returned="nothing",
    **PARSED,
)
def markdown_events(_: Task) -> Cut:
    import pyromark

    from chunkwright.parsing.markdown_events import OPTIONS

    def walk(text: str) -> None:
        for _event in pyromark.events_with_range(text, options=OPTIONS):
            pass

    return walk


@peer(BARE_PARSE, "tree-sitter", reads=("code",), returned="a tree", **PARSED)
def parse(task: Task) -> Cut:
    parser = bare_parser(task.language)
    return lambda text: parser.parse(text.encode())
