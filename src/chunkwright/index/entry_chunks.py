"""The chunks of one document that was put: its own view of the whole, its summary, its text and
its attachments, all under one id. Nothing is read or written here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from chunkwright.characters import Lines, cluster_floor, trim
from chunkwright.index.setup import Setup
from chunkwright.languages import MARKDOWN, UNKNOWN, language_of
from chunkwright.pipeline import summary_chunk
from chunkwright.pipeline.choosing import Chooser
from chunkwright.store.entries import EntryRow
from chunkwright.store.rows import FileDetails
from chunkwright.types import EXTRA_VIEWS, Chunk, Chunking, Document

WHOLE = "file"
"""Kind of the view that has the document's own vector."""

WHOLE_SIZE = 8000
"""Code points of it: about four pages, more than most embedders read."""

CHARS_PER_TOKEN = 4
"""Of English; of an embedder's longest text, what lies beyond it is cut off unread."""

PLAIN = "text"
"""Language of an attachment whose path says nothing."""

HINTS = frozenset({"doc_kind", "header"})
"""Metadata that chunkers read."""

RULES = 1
"""Raised when the rules here change, so that documents are chunked anew."""


def whole_size(setup: Setup) -> int:
    """How much of a document its own vector is made of."""
    most = getattr(setup.embedder, "max_tokens", None)  # not every embedder says
    return max(1, min(WHOLE_SIZE, CHARS_PER_TOKEN * most)) if isinstance(most, int) else WHOLE_SIZE


def fingerprint(setup: Setup) -> str:
    """Of the options that decide which chunks a document has."""
    return f"{setup.fingerprint()}.{RULES}.{whole_size(setup)}"


class Cutter:
    """Cuts documents with one set of options."""

    def __init__(self, setup: Setup) -> None:
        self._chooser = Chooser(setup.options)
        self._whole_size = whole_size(setup)

    def cut(self, row: EntryRow) -> tuple[str, FileDetails, list[Chunk]]:
        """Language, details and chunks: the whole first, then summary, text, attachments."""
        content = row.content()
        language = content.language or _language_of(row.key)
        hints = {name: value for name, value in content.metadata.items() if _is_hint(name, value)}
        body = self._chunking(
            Document(content.text, row.id, language, summary=content.summary, metadata=hints)
        )
        attached = [
            self._chunking(_attachment(row.id, path, text, content.summary))
            for path, text in content.attachments.items()
        ]
        summary = summary_chunk(content.summary, row.id)
        parts = [
            *_with_whole(body, self._whole_size),
            *([summary] if summary else []),
            *(chunk for chunking in attached for chunk in chunking),
        ]
        details = FileDetails(
            parser=body.parser,
            outline=body.outline,
            frontmatter={**(body.frontmatter or {}), **content.metadata},
            diagnostics=tuple(said for one in (body, *attached) for said in one.diagnostics),
        )
        return body.language, details, list(_under(row.id, parts))

    def _chunking(self, document: Document) -> Chunking:
        return self._chooser.choose(document).chunk(document)


def _is_hint(name: str, value: object) -> bool:
    """Whether a chunker would make something of it, and not only filters."""
    return name in HINTS and isinstance(value, str)


def _attachment(id_: str, path: str, text: str, summary: str) -> Document:
    language = language_of(path, text)
    language = PLAIN if language == UNKNOWN else language
    return Document(text, id_, language, summary=summary, attachment_path=path)


def _language_of(key: str) -> str:
    """By the key's ending, where it has one that says something."""
    name = key.rpartition("/")[2]
    language = language_of(name) if "." in name else UNKNOWN
    return MARKDOWN if language == UNKNOWN else language


def _with_whole(body: Chunking, size: int) -> Iterator[Chunk]:
    """The view of the whole and the chunks; one that is all there is, is the view."""
    cut = [chunk for chunk in body if chunk.kind not in EXTRA_VIEWS]
    if len(cut) == 1 and len(cut[0].text) <= size:
        yield replace(cut[0], kind=WHOLE, level=EXTRA_VIEWS[WHOLE])
        return
    if cut:
        yield from _whole(body, cut, size)
    yield from body


def _whole(body: Chunking, cut: list[Chunk], size: int) -> Iterator[Chunk]:
    first = cut[0]
    last = max(chunk.end for chunk in cut)
    stop = cluster_floor(body.text, first.start, min(first.start + size, last))
    start, end = trim(body.text, first.start, stop)
    if start == end:
        return  # one cluster longer than the view
    lines = Lines(body.text)
    yield Chunk(
        body.text[start:end],
        start,
        end,
        lines.number(start),
        lines.number(end - 1),
        first.path,
        body.language,
        kind=WHOLE,
        level=EXTRA_VIEWS[WHOLE],
        size=end - start,
        is_test=first.is_test,
        doc_kind=first.doc_kind,
        entry=first.entry,
    )


def _under(id_: str, chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    """The chunks as those of one document: numbered through, with ids of their own."""
    seen: Counter[tuple[str, str]] = Counter()
    for index, chunk in enumerate(chunks):
        kind = chunk.kind, chunk.text
        yield replace(chunk, parent=id_, index=index, occurrence=seen[kind])
        seen[kind] += 1
