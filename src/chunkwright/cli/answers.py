"""How the answers of a search look: ranked places with the lines that matter most to the query.
Finding and ranking them is done elsewhere.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Sequence
from typing import NamedTuple

from rich.text import Text

from chunkwright.cli import printing
from chunkwright.types import Hit

SNIPPET_LINES = 6
"""Enough for a signature and the first thing it does; ten answers stay on two screens."""

SHORTEST_WORD = 3
"""Letters; shorter words of a query stand on nearly every line."""


MOST_WORDS = 50
"""A query may be a whole page; more words than this mark everything."""


class Snippet(NamedTuple):
    """Some consecutive lines of a chunk."""

    first_line: int
    """Number of the first of them in the file."""
    lines: list[str]


def show(hits: Sequence[Hit], query: str) -> None:
    """All hits, best first: with colours on a terminal, as plain lines in a pipe."""
    words = query_words(query)
    render = _on_terminal if printing.is_terminal(sys.stdout) else _plain
    for rank, hit in enumerate(hits, 1):
        render(rank, hit, words)


def as_json(hit: Hit, rank: int) -> dict[str, object]:
    """A hit as JSON: its rank and score, the share of each signal, and the whole chunk."""
    return {
        "rank": rank,
        "score": hit.score,
        "reasons": hit.reasons,
        "chunk": hit.chunk.as_dict(),
    }


def query_words(query: str) -> frozenset[str]:
    """The words of a query that are worth looking for in a line, case folded."""
    words = list(dict.fromkeys(re.findall(r"\w+", query.casefold())))
    long = [word for word in words if len(word) >= SHORTEST_WORD]
    return frozenset((long or words)[:MOST_WORDS])


def snippet(hit: Hit, words: frozenset[str]) -> Snippet:
    """The stretch of the chunk where most of the words stand; its beginning where none do."""
    rows = printing.body(hit.chunk.text)
    start = _best_window([{word for word in words if word in row.casefold()} for row in rows])
    while start < len(rows) - 1 and not rows[start].strip():
        start += 1
    shown = rows[start : start + SNIPPET_LINES]
    while len(shown) > 1 and not shown[-1].strip():
        shown.pop()
    return Snippet(hit.chunk.start_line + start, textwrap.dedent("\n".join(shown)).split("\n"))


def _best_window(found: Sequence[set[str]]) -> int:
    """Start of the first SNIPPET_LINES lines with the most different words, then the most lines."""

    def worth(start: int) -> tuple[int, int]:
        window = found[start : start + SNIPPET_LINES]
        return len(set().union(*window)), sum(map(bool, window))

    starts = range(max(1, len(found) - SNIPPET_LINES + 1))
    return max(starts, key=worth)


def _plain(_rank: int, hit: Hit, words: frozenset[str]) -> None:
    heading = f"{printing.place(hit.chunk)}  {printing.title(hit.chunk)}"
    printing.line(heading.rstrip())
    for row in snippet(hit, words).lines:
        printing.line(f"{printing.INDENT}{row}".rstrip())


def _on_terminal(rank: int, hit: Hit, words: frozenset[str]) -> None:
    console = printing.console(sys.stdout)
    part = snippet(hit, words)
    digits = len(str(part.first_line + len(part.lines) - 1))
    console.print(_heading(rank, hit), soft_wrap=True)
    for number, row in enumerate(part.lines, part.first_line):
        text = Text.assemble((f"{number:>{digits + 4}} │ ", "dim"), _marked(row, words))
        text.truncate(console.width, overflow="ellipsis")
        console.print(text, no_wrap=True, overflow="ellipsis", crop=True)
    console.print()


def _heading(rank: int, hit: Hit) -> Text:
    chunk = hit.chunk
    name = printing.title(chunk)
    kind = chunk.symbol_kind.lower() or chunk.kind.replace("_", " ")
    text = Text.assemble((f"{rank:>2}  ", "bold"), (printing.place(chunk), "bold cyan"))
    if name:
        text.append("  ").append(name, "bold yellow")
    return text.append(f"  {kind}  {hit.score:.3f}", "dim")


def _marked(row: str, words: frozenset[str]) -> Text:
    """A line with the words of the query in bold."""
    text = Text(row)
    if words:
        pattern = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
        text.highlight_regex(re.compile(pattern, re.IGNORECASE), "bold green")
    return text
