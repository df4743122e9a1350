"""What each default of chunkwright is, and which saved results it follows from, in their numbers.

Nothing is run: numbers are looked up among the saved lines, so that a reason changes with them. A
default whose results are not there yet is left out, and named on stderr.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from math import floor
from statistics import fmean
from typing import NamedTuple

from benchmarks import saving
from benchmarks.facts import Line, say
from benchmarks.page.defaults import actual

ROUNDING = 1e-9
"""0.57 * 1,000 is a little less than 570."""


class Saved:
    """The saved lines, asked for single numbers."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines

    def per_cent(self, measure: str, **which: object) -> str:
        """The mean of a measure over the lines with these fields, rounded down so that 100% is
        said of no less; LookupError without any."""
        found = [line[measure] for line in self._lines if which.items() <= _plain(line).items()]
        if not found:
            raise LookupError(f"no saved line has {which}")
        means = [fmean(one) if isinstance(one, list) else one for one in found]
        return f"{floor(1000 * fmean(means) + ROUNDING) / 10:.1f}%"


def _plain(line: Line) -> Line:
    """Its fields that can be compared as they are."""
    return {name: value for name, value in line.items() if isinstance(value, str | int)}


class Reason(NamedTuple):
    """Why a default is what it is."""

    option: str
    """CLASS.FIELD, or the name of a function's argument as FUNCTION.ARGUMENT."""
    measured: str
    """The measurement: a section of the page."""
    because: Callable[[Saved], str]


def _of_code(saved: Saved, chunker: str, size: int, ranking: str, embedded: str = "context") -> str:
    """What 1,000 tokens have of the answers in the frontier of code."""
    named = {"chunker": chunker, "size": size, "ranking": ranking, "embedded": embedded}
    return saved.per_cent("recall_at_budget", what="frontier of code", **named)


def _granularity(saved: Saved) -> str:
    packed, symbol = "chunkwright CodeChunker", "chunkwright CodeChunker(granularity='symbol')"
    whole = [
        saved.per_cent("whole", what="whole functions", chunker=one) for one in (packed, symbol)
    ]
    short = [
        saved.per_cent("under_100", what="whole functions", chunker=one) for one in (packed, symbol)
    ]
    cosine = [_of_code(saved, one, 400, "cosine") for one in (packed, symbol)]
    index = [_of_code(saved, one, 400, "index") for one in (packed, symbol)]
    return (
        f"{whole[0]} of functions are whole (by symbol: {whole[1]}), the mean over six languages, "
        f"and {short[0]} of chunks are shorter than 100 characters (by symbol: {short[1]}); where "
        f"small chunks are looked for by meaning, cutting by symbol finds more: of 400 at most, "
        f"1,000 tokens have {cosine[0]} of the answers by cosine (by symbol: {cosine[1]}), "
        f"{index[0]} as an index ranks ({index[1]})"
    )


def _markdown_size(saved: Saved) -> str:
    found = [
        saved.per_cent("recall", what="retrieval of text", chunker="chunkwright Index", size=size)
        for size in (800, 1500, 3200)
    ]
    return (
        f"five answers of an index have {found[2]} of what was asked for (chunks of 1,500: "
        f"{found[1]}, of 800: {found[0]}); where the text that is handed on is bounded, smaller "
        "ones have more, see the frontier of text"
    )


def _markdown_overlap(saved: Saved) -> str:
    found = [
        saved.per_cent(
            "recall",
            what="retrieval of text",
            chunker="chunkwright MarkdownChunker",
            size=400,
            overlap=overlap,
            unit="cl100k",
            model="static",
        )
        for overlap in (0, 200)
    ]
    return (
        f"an overlap of half the size has {found[1]} of what was asked for in five chunks, none "
        f"has {found[0]}, for 1.6 times the chunks; a tenth costs a tenth"
    )


def _code_prefix(saved: Saved) -> str:
    packed = "chunkwright CodeChunker"
    found = [_of_code(saved, packed, 900, "cosine", one) for one in ("context", "text")]
    return (
        f"with path and symbols before it, chunks of 900 have {found[0]} of the answers within "
        f"1,000 tokens by cosine; the bare text has {found[1]}"
    )


REASONS = (
    Reason("CodeChunker.granularity", "whole functions", _granularity),
    Reason("MarkdownChunker.size", "retrieval of text", _markdown_size),
    Reason("MarkdownChunker.overlap", "retrieval of text", _markdown_overlap),
    Reason("embed_text.style", "frontier of code", _code_prefix),
)


def add_options(_: argparse.ArgumentParser) -> None:
    """There are none."""


def lines(_: argparse.Namespace) -> Iterator[Line]:
    """A line a default."""
    saved = Saved(saving.saved())
    for option, measured, because in REASONS:
        try:
            reason = because(saved)
        except LookupError as missing:
            say(f"left out: {option}: {missing}")
            continue
        about = {"value": repr(actual(option)), "measured": measured, "because": reason}
        yield {"what": "defaults", "option": option, **about}
