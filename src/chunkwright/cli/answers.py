"""How the answers of a search look: ranked places with the lines that matter most to the query.
Finding and ranking them is done elsewhere, and so is choosing those lines.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec
from rich.text import Text

from chunkwright.cli import printing
from chunkwright.index import best_lines, snippet, words_of
from chunkwright.types import Chunk, Hit

SNIPPET_LINES = 6
"""Enough for a signature and the first thing it does; ten answers stay on two screens."""

CITED = 3
"""Citations named under an answer; the rest is counted."""

STALE = {
    "changed": "changed since it was indexed",
    "vanished": "gone since it was indexed",
}
"""What is said of a file for each `Hit.stale`."""

DENSITIES = {"head": "shortened", "signature": "signature only", "none": "no room to show it"}
"""What is said of an answer that is not shown whole."""

RAW = ("bm25", "cosine")
"""What `Hit.raw` holds, in the order it is shown in."""

COLUMNS = 10
"""Answers side by side in the table of signals: as many fit 80 columns."""


class Excerpt(NamedTuple):
    """Lines of an answer."""

    first_line: int
    """Number of the first of them in the file; 0 where they do not follow on one another."""
    lines: list[str]


def show(hits: Sequence[Hit], query: str) -> None:
    """All hits, best first: with colours on a terminal, as plain lines in a pipe."""
    words = words_of(query)
    render = _on_terminal if printing.is_terminal(sys.stdout) else _plain
    for rank, hit in enumerate(hits, 1):
        render(rank, hit, words)


def show_signals(hits: Sequence[Hit]) -> None:
    """What each signal gave: a row a signal, a column an answer; and what they were made of."""
    names = list(dict.fromkeys(name for hit in hits for name in hit.reasons))
    told = [name for name in names if any(hit.reasons.get(name) for hit in hits)]
    for start in range(0, len(hits), COLUMNS):
        some = hits[start : start + COLUMNS]
        rows = [["rank", *(str(start + place) for place in range(1, len(some) + 1))]]
        rows.append(["score", *(f"{hit.score:.3f}" for hit in some)])
        rows += [[f"  {name}", *(_share(hit, name) for hit in some)] for name in told]
        rows += [[name, *(f"{hit.raw.get(name, 0.0):.3f}" for hit in some)] for name in RAW]
        printing.table(rows)
    if silent := [name for name in names if name not in told]:
        printing.line(f"without effect here: {', '.join(silent)}")


def _share(hit: Hit, name: str) -> str:
    share = hit.reasons.get(name)
    return f"{share:+.3f}" if share else "0"


def as_json(hit: Hit, rank: int, **more: str) -> dict[str, object]:
    """A hit as JSON: its rank, every field, every chunk with its id, and the lines it covers."""
    fields = {name: _as_plain(getattr(hit, name)) for name in hit.__struct_fields__}
    lines = {"start_line": hit.start_line, "end_line": hit.end_line}
    return {"rank": rank, **more, **fields, **lines}


def _as_plain(value: object) -> object:
    if isinstance(value, Chunk):
        return value.as_dict()
    if isinstance(value, tuple):
        return [_as_plain(one) for one in value]
    plain: object = msgspec.to_builtins(value)
    return plain


def excerpt(hit: Hit, words: Sequence[str]) -> Excerpt:
    """What is shown of an answer: the text that was fitted to a budget, the answer between its
    neighbours, or the lines where most of the words stand (the first ones where none do)."""
    if hit.density:
        return Excerpt(0, _framed(printing.body(hit.shown)) if hit.shown else [])
    if hit.before or hit.after:
        return _between_neighbours(hit)
    rows = printing.body(hit.chunk.text)
    start = best_lines(rows, words, SNIPPET_LINES)
    while start < len(rows) - 1 and not rows[start].strip():
        start += 1
    return Excerpt(hit.chunk.start_line + start, _framed(rows[start : start + SNIPPET_LINES]))


def _framed(rows: list[str]) -> list[str]:
    """Without blank lines at the end, nor an indentation that all have."""
    while len(rows) > 1 and not rows[-1].strip():
        rows.pop()
    return textwrap.dedent("\n".join(rows)).split("\n")


def _between_neighbours(hit: Hit) -> Excerpt:
    """Every line from the first neighbour to the last, each once."""
    chunks = [*hit.before, *sorted((hit.chunk, *hit.merged), key=_start), *hit.after]
    numbered = dict(line for chunk in chunks for line in _numbered(chunk))
    first, last = min(numbered), max(numbered)
    return Excerpt(first, _framed([numbered.get(line, "") for line in range(first, last + 1)]))


def _start(chunk: Chunk) -> int:
    return chunk.start


def _numbered(chunk: Chunk) -> Iterator[tuple[int, str]]:
    return enumerate(printing.body(chunk.text), chunk.start_line)


def _plain(_rank: int, hit: Hit, words: Sequence[str]) -> None:
    remarks = [DENSITIES.get(hit.density), STALE.get(hit.stale)]
    heading = [_place(hit), _title(hit), *(f"({remark})" for remark in remarks if remark)]
    printing.line("  ".join(filter(None, heading)))
    for row in excerpt(hit, words).lines:
        printing.line(f"{printing.INDENT}{row}".rstrip())
    if hit.citations:
        printing.line(f"{printing.INDENT}also {_cited(hit)}")


def _on_terminal(rank: int, hit: Hit, words: Sequence[str]) -> None:
    console = printing.console(sys.stdout)
    part = excerpt(hit, words)
    digits = len(str(part.first_line + len(part.lines) - 1))
    console.print(_heading(rank, hit), soft_wrap=True)
    for number, row in enumerate(part.lines, part.first_line):
        margin = f"{number if part.first_line else '':>{digits + 4}} │ "
        text = Text.assemble((margin, "dim"), _marked(row, words, console.width - len(margin)))
        if part.first_line and not hit.start_line <= number <= hit.end_line:
            text.stylize("dim")
        text.truncate(console.width, overflow="ellipsis")
        console.print(text, no_wrap=True, overflow="ellipsis", crop=True)
    if hit.citations:
        console.print(Text(f"{'':>{digits + 4}} also {_cited(hit)}", "cyan"), soft_wrap=True)
    console.print()


def _heading(rank: int, hit: Hit) -> Text:
    chunk = hit.chunk
    name = _title(hit)
    kind = chunk.symbol_kind.lower() or chunk.kind.replace("_", " ")
    text = Text.assemble((f"{rank:>2}  ", "bold"), (_place(hit), "bold cyan"))
    if name:
        text.append("  ").append(name, "bold yellow")
    text.append(f"  {kind}  {hit.score:.3f}", "dim")
    if hit.density in DENSITIES:
        text.append(f"  {DENSITIES[hit.density]}", "dim")
    return text.append(f"  {STALE[hit.stale]}", "bold red") if hit.stale else text


def _place(hit: Hit) -> str:
    lines = f"{hit.start_line}-{hit.end_line}"
    return f"{printing.place(hit.chunk).rpartition(':')[0]}:{lines}"


def _title(hit: Hit) -> str:
    chunk = hit.chunk
    if not hit.merged or chunk.parts == 1:
        return printing.title(chunk)
    parts = sorted(one.part + 1 for one in (chunk, *hit.merged))
    whole = printing.title(msgspec.structs.replace(chunk, parts=1, part=0))
    return f"{whole} (parts {parts[0]}-{parts[-1]} of {chunk.parts})".lstrip()


def _cited(hit: Hit) -> str:
    """Where else the document answers: lines, and names where there are some."""
    places = [
        " ".join(filter(None, (f"{chunk.start_line}-{chunk.end_line}", printing.title(chunk))))
        for chunk in hit.citations[:CITED]
    ]
    more = len(hit.citations) - len(places)
    return ", ".join(places) + (f" and {more} more" if more else "")


def _marked(row: str, words: Sequence[str], width: int) -> Text:
    """A line with the words of the query in bold; the part of it where they are, if it is long."""
    part = snippet(row, words, max(1, width - 2 if len(row) > width else len(row)))
    shown, shift = part.with_ellipses(), int(part.is_cut_before)
    if not part.is_cut_before:
        shown, shift = row[: part.start] + shown, part.start
    text = Text(shown)
    for start, end in part.marks:
        text.stylize("bold green", start + shift, end + shift)
    return text
