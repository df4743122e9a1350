"""Room for context within a cap (`budget_includes_context`): how much of it is left for text, and
what is dropped, in which order, where text and context together count too much. What the context
looks like is rendering's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from chunkwright.measuring import MeasureLike, resolve
from chunkwright.measuring.exact import is_exact
from chunkwright.rendering import CODE_KIND, embed_text
from chunkwright.types import Chunk, Chunking, Diagnostic, Document, Measure, Parsed

SAMPLE = "x"
"""Stands for the text whose context is measured."""

SLACK = 2
"""Tokens kept free: where context and text meet, a tokenizer may count more than their sum."""


MANY_PARTS = 99
"""Of what is over the cap, while it is not known into how many it will be cut."""


def room(measure: MeasureLike, size: int, context: Chunk) -> int:
    """What a chunk like `context`, whatever its text, may count so that it fits `size` with its
    context: at least half of `size`, for a text comes before what is said about it.
    """
    resolved = resolve(measure)
    alone = resolved.count(SAMPLE)
    dressed = resolved.count(embed_text(replace(context, text=SAMPLE)))
    slack = 0 if is_exact(resolved) or dressed == alone else SLACK
    return max(size - (dressed - alone) - slack, (size + 1) // 2)


def room_in(
    document: Document, parsed: Parsed, measure: MeasureLike, size: int, **context: Any
) -> int:
    """As `room`, for chunks of a document; `context` is the fields that what surrounds them has."""
    chunk = Chunk(
        text=SAMPLE,
        start=0,
        end=len(SAMPLE),
        start_line=1,
        end_line=1,
        path=document.path,
        language=parsed.language,
        entry=document.summary,
        **context,
    )
    return room(measure, size, chunk)


def keep_within(chunking: Chunking, measure: MeasureLike, size: int) -> Chunking:
    """The chunking with context dropped wherever `embed_text` would count more than `size`:
    siblings, imports, links, carry, breadcrumbs from the outside in, the entry, the whole prefix,
    until it fits.

    Every chunk that loses any gets a diagnostic `context_dropped`.
    """
    resolved = resolve(measure)
    chunks = []
    dropped = []
    for chunk in chunking.chunks:
        kept, lost = _fitting(chunk, resolved, size)
        chunks.append(kept)
        if lost:
            message = f"chunk {chunk.index}: {', '.join(lost)} left out, over `size`"
            dropped.append(Diagnostic("warning", "context_dropped", message, chunk.start_line))
    if not dropped:
        return chunking
    diagnostics = (*chunking.diagnostics, *dropped)
    return replace(chunking, chunks=tuple(chunks), diagnostics=diagnostics)


def _fitting(chunk: Chunk, measure: Measure, size: int) -> tuple[Chunk, list[str]]:
    """The chunk with as much context as fits, and the names of what it lost."""
    rendered = embed_text(chunk)
    lost: list[str] = []
    if measure.count(rendered) <= size:
        return chunk, lost
    for name, fields in _reductions(chunk):
        reduced = replace(chunk, **fields)
        text = embed_text(reduced)
        if text == rendered:  # not shown: dropping it would gain nothing
            continue
        chunk, rendered = reduced, text
        if name not in lost:
            lost.append(name)
        if measure.count(rendered) <= size:
            break
    return chunk, lost


def _reductions(chunk: Chunk) -> Iterator[tuple[str, dict[str, Any]]]:
    """What can be dropped from a chunk's context, in order, as fields to replace."""
    for kept in _halved(chunk.siblings):
        yield "siblings", {"siblings": kept}
    for kept in _halved(chunk.imports):
        yield "imports", {"imports": kept}
    yield "links", {"links": ()}
    yield "carry", {"carry": "", "carry_after": ""}
    for outer in range(1, len(chunk.breadcrumb)):
        yield "breadcrumb", {"breadcrumb": chunk.breadcrumb[outer:]}
    yield "entry", {"entry": ""}
    if chunk.kind == CODE_KIND:  # language and file are worth more than what scope it is in
        yield "breadcrumb", {"breadcrumb": ()}
    yield "prefix", {"prefix": False}


def _halved(names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The first half of the names, of that the first half, down to none: each is rendered and
    counted with the whole text, so that one name after the other would be too slow."""
    while names:
        names = names[: len(names) // 2]
        yield names
