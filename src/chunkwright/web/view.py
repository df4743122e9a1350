"""One self-contained HTML page that shows how documents were cut: every chunk in a colour of its
own, overlaps and excluded stretches marked. Where the chunks come from is not decided here.

The page loads nothing and runs nothing (its content security policy says so), and all text is
escaped: a hostile source is only shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from chunkwright.types import EXTRA_VIEWS, Chunk, Chunking
from chunkwright.web.markup import END, escaped, head

GOLDEN_ANGLE = 137.508
"""Degrees of hue from one chunk to the next: neighbours, and theirs, never look alike."""

_STYLE = """
:root { --tone: 88%; }
@media (prefers-color-scheme: dark) { :root { --tone: 24%; } }
body { max-width: 90rem; }
h1 { font-size: 1.3rem; } h2 { font-size: 1.05rem; margin: 2.5rem 0 .5rem; }
h2, td, pre { font-family: ui-monospace, Menlo, Consolas, monospace; }
.quiet { font-weight: normal; }
main { display: grid; grid-template-columns: minmax(0, 1fr) minmax(16rem, 26rem); gap: 1.5rem; }
pre { margin: 0; padding: 1rem; border: 1px solid var(--line); border-radius: 6px;
  font-size: 13px; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; }
mark { color: inherit; background: hsl(var(--hue) 65% var(--tone)); border-radius: 2px; }
mark.again { text-decoration: underline dotted; text-underline-offset: 3px; }
mark:target { outline: 2px solid currentColor; }
del { color: var(--quiet); }
.list { align-self: start; position: sticky; top: 1rem; max-height: 95vh; overflow: auto; }
table { border-collapse: collapse; font-size: 12.5px; width: 100%; }
td, th { padding: .15rem .5rem; text-align: left; vertical-align: top; }
th { font-weight: 600; color: var(--quiet); } td:nth-child(4) { text-align: right; }
tr { border-bottom: 1px solid var(--line); } a { color: inherit; }
td a { background: hsl(var(--hue) 65% var(--tone)); padding: 0 .3rem; border-radius: 2px;
  text-decoration: none; }
ul { font-size: 13px; color: var(--quiet); }
@media (max-width: 60rem) { main { grid-template-columns: 1fr; } .list { position: static; } }
"""


class Stretch(NamedTuple):
    """A piece of a text within which nothing changes."""

    start: int
    end: int
    owner: Chunk | None
    """The chunk it is new in; None where no chunk holds it."""
    repeated: bool
    """Whether the chunk after holds it too."""
    excluded: str
    """Why no chunk holds it, where that is on purpose."""


def page(chunkings: Iterable[Chunking], title: str = "chunkwright") -> Iterator[str]:
    """The page, piece by piece: one section a document, in the order given."""
    yield head(title, _STYLE)
    for number, chunking in enumerate(chunkings):
        yield from _section(number, chunking)
    yield END


def _section(number: int, chunking: Chunking) -> Iterator[str]:
    chunks = "1 chunk" if len(chunking) == 1 else f"{len(chunking):,} chunks"
    about = f"{chunking.language}, cut by {chunking.parser or 'nothing'}, {chunks}"
    name = escaped(chunking.path or "text")
    yield f'<h2>{name} <span class="quiet">{escaped(about)}</span></h2>\n'
    yield from _diagnostics(chunking)
    if not chunking.chunks:
        return
    # A newline right after <pre> is dropped by browsers: one is given away on purpose.
    yield "<main>\n<pre>\n"
    yield from _text(number, chunking)
    yield "</pre>\n"
    yield from _list(number, chunking)
    yield "</main>\n"


def _diagnostics(chunking: Chunking) -> Iterator[str]:
    if not chunking.diagnostics:
        return
    yield "<ul>\n"
    for diagnostic in chunking.diagnostics:
        where = f"line {diagnostic.line}: " if diagnostic.line else ""
        yield f"<li>{escaped(f'{where}{diagnostic.code}: {diagnostic.message}')}</li>\n"
    yield "</ul>\n"


def _text(number: int, chunking: Chunking) -> Iterator[str]:
    anchored: set[int] = set()
    for stretch in stretches(chunking):
        text = escaped(chunking.text[stretch.start : stretch.end])
        if stretch.excluded:
            yield f'<del title="{escaped(stretch.excluded)}">{text}</del>'
        elif stretch.owner is None:
            yield text
        else:
            yield _marked(number, stretch, text, first=stretch.owner.index not in anchored)
            anchored.add(stretch.owner.index)


def _marked(number: int, stretch: Stretch, text: str, *, first: bool) -> str:
    chunk = stretch.owner
    assert chunk is not None  # noqa: S101  # narrowed by the caller, for the type checker
    anchor = f' id="{_anchor(number, chunk)}"' if first else ""
    again = ' class="again"' if stretch.repeated else ""
    label = f"{chunk.index}: {chunk.kind} {chunk.name}".strip()
    return f'<mark{anchor}{again} style="{_hue(chunk)}" title="{escaped(label)}">{text}</mark>'


def stretches(chunking: Chunking) -> Iterator[Stretch]:
    """The whole text in order, divided wherever a chunk or an exclusion begins or ends.

    Extra views (a file's header, the whole file) repeat text and are left out.
    """
    chunks = [chunk for chunk in chunking if chunk.level == 0]
    edges = {0, len(chunking.text)}
    edges |= {edge for chunk in chunks for edge in (chunk.start, chunk.end)}
    edges |= {edge for gone in chunking.excluded for edge in (gone.start, gone.end)}
    current = gone = 0
    for start, end in pairwise(sorted(edges)):
        while current < len(chunks) and chunks[current].end <= start:
            current += 1
        while gone < len(chunking.excluded) and chunking.excluded[gone].end <= start:
            gone += 1
        owner = chunks[current] if current < len(chunks) else None
        following = chunks[current + 1] if current + 1 < len(chunks) else None
        holds = owner is not None and owner.start <= start
        outside = gone < len(chunking.excluded) and chunking.excluded[gone].start <= start
        yield Stretch(
            start,
            end,
            owner if holds else None,
            holds and following is not None and following.start <= start,
            chunking.excluded[gone].reason if outside and not holds else "",
        )


def _list(number: int, chunking: Chunking) -> Iterator[str]:
    yield '<div class="list"><table>\n<tr><th>#</th><th>lines</th><th>what</th><th>size</th>'
    yield "<th>ends at</th></tr>\n"
    for chunk in chunking:
        yield _list_row(number, chunk)
    yield "</table></div>\n"


def _list_row(number: int, chunk: Chunk) -> str:
    link = f'<a style="{_hue(chunk)}" href="#{_anchor(number, chunk)}">{chunk.index}</a>'
    if chunk.kind in EXTRA_VIEWS:
        link = str(chunk.index)
    cells = (
        f"{chunk.start_line}-{chunk.end_line}",
        f"{chunk.kind} {chunk.name}".strip(),
        str(chunk.size),
        chunk.boundary,
    )
    columns = "".join(f"<td>{escaped(cell)}</td>" for cell in cells)
    return f"<tr><td>{link}</td>{columns}</tr>\n"


def _anchor(number: int, chunk: Chunk) -> str:
    return f"f{number}c{chunk.index}"


def _hue(chunk: Chunk) -> str:
    return f"--hue: {chunk.index * GOLDEN_ANGLE % 360:.1f}"
