"""How much of each answer is shown so that all of them fit a budget. Counting is the caller's, and
which answers there are is decided elsewhere.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from chunkwright.search.snippets import snippet
from chunkwright.types import Chunk, Hit

FULL, HEAD, SIGNATURE, NONE = "full", "head", "signature", "none"
"""Values of `Hit.density`, from all to nothing."""

HEAD_LINES = 5
"""Lines shown under a signature or a heading."""

INDENT = "    "
"""Put before lines under a signature, which itself stands at the margin."""

LINE = 200
"""Code points of a line in a head or a signature: the whole of a minified file may be one."""

Count = Callable[[str], int]


class _Rung(NamedTuple):
    density: str
    shown: str
    size: int


def fitted(hits: Sequence[Hit], budget: int, count: Count) -> list[Hit]:
    """The hits with `density` and `shown`; the sizes of what is shown sum to `budget` at most.

    The last is shortened first, as far as need be, down to its signature, before the one above it
    is touched: the best stay whole. Where all are signatures and still too much, the last are not
    shown at all (`none`). A rung that saves nothing is left out.
    """
    ladders = [_ladder(hit, count) for hit in hits]
    chosen = [next(ladder) for ladder in ladders]
    total = sum(rung.size for rung in chosen)
    for lowest in (SIGNATURE, NONE):
        for at in reversed(range(len(hits))):
            while total > budget and chosen[at].density != lowest:
                lower = next(ladders[at]) if lowest == SIGNATURE else _Rung(NONE, "", 0)
                if lower.density == NONE and lowest == SIGNATURE:
                    break
                total += lower.size - chosen[at].size
                chosen[at] = lower
    return [
        replace(hit, density=rung.density, shown=rung.shown)
        for hit, rung in zip(hits, chosen, strict=True)
    ]


def _ladder(hit: Hit, count: Count) -> Iterator[_Rung]:
    """From the whole downwards, each rung smaller than the one before."""
    size = None
    for density, text in ((FULL, full), (HEAD, head), (SIGNATURE, signature)):
        shown = text(hit)
        if density == HEAD and shown == signature(hit):
            continue
        new = count(shown)
        if size is None or new < size:
            size = new
            yield _Rung(density, shown, new)
    while True:
        yield _Rung(NONE, "", 0)


def full(hit: Hit) -> str:
    """Everything that belongs to the answer, with its neighbours, in the order of the file."""
    pieces = [*hit.before, hit.chunk, *hit.merged, *hit.after]
    pieces.sort(key=lambda chunk: chunk.start)
    return joined_text(pieces)


def joined_text(chunks: Sequence[Chunk]) -> str:
    """Chunks of one document one after another: what they share once, and between those that do
    not touch as many line ends as there are, for nothing but white space stood there."""
    text, last = chunks[0].text, chunks[0]
    for chunk in chunks[1:]:
        if chunk.end <= last.end:
            continue
        if chunk.start > last.end:
            text += "\n" * (chunk.start_line - last.end_line) or " "
        text += chunk.text[max(0, last.end - chunk.start) :]
        last = chunk
    return text


def head(hit: Hit) -> str:
    """The first signature, or the heading, and the lines that follow it; then other signatures."""
    chunk = _first(hit)
    first, *others = signature(hit).split("\n")
    rows = [row for row in _below(chunk).splitlines() if row.strip()][:HEAD_LINES]
    if chunk.symbols:
        rows = textwrap.indent(textwrap.dedent("\n".join(rows)), INDENT).splitlines()
    return "\n".join([first, *map(_short, rows), *others])


def signature(hit: Hit) -> str:
    """The signature of each symbol that starts in the first piece, the heading, or the first line;
    each on a line of its own."""
    chunk = _first(hit)
    if chunk.symbols:
        return "\n".join(_short(_flat(symbol.signature or symbol.name)) for symbol in chunk.symbols)
    if chunk.part and chunk.symbol_kind:
        return _short(_flat(chunk.carry) or chunk.name)
    if chunk.part and chunk.breadcrumb:
        return _short(" > ".join(chunk.breadcrumb))
    return _short(_first_line(chunk.text))


def _first(hit: Hit) -> Chunk:
    return min((hit.chunk, *hit.merged), key=lambda chunk: chunk.start)


def _below(chunk: Chunk) -> str:
    """What follows the first signature or heading, up to the next symbol."""
    if chunk.part and (chunk.symbol_kind or chunk.breadcrumb):
        return chunk.text
    first = chunk.symbols[0].signature if chunk.symbols else _first_line(chunk.text)
    end = chunk.symbols[1].start - chunk.start if len(chunk.symbols) > 1 else len(chunk.text)
    text = chunk.text[:end]
    at = text.find(first)
    return text[at + len(first) :] if at >= 0 else text


def _first_line(text: str) -> str:
    return text.lstrip().splitlines()[0].rstrip() if text.strip() else ""


def _flat(text: str) -> str:
    return " ".join(text.split())


def _short(line: str) -> str:
    line = line.rstrip()
    if len(line) <= LINE:
        return line
    indentation = line[: len(line) - len(line.lstrip())]
    return indentation + snippet(line, (), LINE).with_ellipses()
