"""Splitters of others as strategies: how one is made and asked, and where its pieces stand in the
text. What it answers is taken as it is: nothing is cut here.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any

from msgspec.structs import replace

from chunkwright.characters import INK, WHITE_SPACE, is_whitespace_only
from chunkwright.chunking.assembling import assemble_segments
from chunkwright.chunking.layouts import Span
from chunkwright.errors import ChunkwrightError, ConfigError, told
from chunkwright.evaluation.measures import Span as Place
from chunkwright.evaluation.nouns import Asked, Cut
from chunkwright.measuring import Ruler
from chunkwright.parsing.base import start
from chunkwright.types import Chunking, Diagnostic, Document, Measure

PARSER = "foreign"
"""What cut it, in the chunking of pieces."""

NOT_FOUND = "piece_not_found"
"""Code of the diagnostic of a piece that does not stand in the text as it is."""

SHOWN = 60
"""Code points of such a piece that are shown."""

Factory = Callable[..., Any]
"""Called with `size=`, makes a splitter: an object with `chunk(document)` that gives chunks of
ours, one with `split_text(text)`, or a function of a text; the last two give texts."""


def factory(name: str) -> Factory:
    """What `package.module:factory` names. Raises ConfigError where it names nothing."""
    module, _, attribute = name.partition(":")
    try:
        found = import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except (Exception, SystemExit) as error:  # whatever a module does when it is imported
        allowed = f"the name of a function that can be imported ({told(error)})"
        raise ConfigError("strategies", name, allowed) from error
    if not callable(found):
        raise ConfigError("strategies", name, "the name of a function or a class")
    made: Factory = found
    return made


def cutter(make: Factory, asked: Asked, options: Mapping[str, Any]) -> Cut:
    """What a factory makes, as a cutter.

    It is called with `size=` and the options and, where it has parameters of these names, with
    `overlap` and `length`, a function that counts a text in the measure.
    Raises ConfigError where it fails, or makes nothing that splits.
    """
    offered = {"overlap": asked.overlap, "length": asked.measure.count}
    given = {**{name: offered[name] for name in _parameters(make) & set(offered)}, **options}
    try:
        splitter = make(size=asked.size, **given)
    except ChunkwrightError:
        raise
    except (Exception, SystemExit) as error:
        name = f"{make.__module__}:{make.__qualname__}" if hasattr(make, "__qualname__") else make
        allowed = f"a function that can be called with size= ({told(error)})"
        raise ConfigError("strategies", name, allowed) from error
    return _failing(_asking(splitter, asked))


def _failing(cut: Cut) -> Cut:
    """The same, failing where it would end the program."""

    def safely(document: Document) -> Chunking:
        try:
            return cut(document)
        except SystemExit as error:
            raise ChunkwrightError(f"it ends the program ({told(error)})") from error

    return safely


def _parameters(make: Factory) -> set[str]:
    try:
        return set(inspect.signature(make).parameters)
    except (TypeError, ValueError):  # a class written in C may not tell
        return set()


def _asking(splitter: Any, asked: Asked) -> Cut:
    if hasattr(splitter, "chunk"):
        return lambda document: _given(splitter.chunk(document), document, asked)
    split = getattr(splitter, "split_text", splitter)
    if not callable(split):
        allowed = "something with chunk(document) or split_text(text), or a function of a text"
        raise ConfigError("strategies", splitter, allowed)
    return lambda document: located(document, split(document.text), asked.measure)


def _given(answer: Any, document: Document, asked: Asked) -> Chunking:
    if isinstance(answer, Chunking):
        return _in_measure(answer, document, asked.measure)
    return located(document, answer, asked.measure)


def _in_measure(chunking: Chunking, document: Document, measure: Measure) -> Chunking:
    """Its chunks with the path of the document and their sizes in the measure."""
    if chunking.text != document.text:
        raise ConfigError("strategies", chunking.path, "chunks of the text that was given")
    chunks = tuple(
        replace(chunk, path=document.path, size=measure.count(chunk.text)) for chunk in chunking
    )
    return replace(chunking, chunks=chunks, path=document.path)


def located(document: Document, pieces: Iterable[Any], measure: Measure) -> Chunking:
    """Pieces of a text, in order, as chunks with places; each that does not stand in it is a
    diagnostic instead. A piece is a str, or has one in `text`.

    Raises ConfigError for what are no pieces, a single text among it.
    """
    if isinstance(pieces, str | Mapping):
        raise ConfigError("strategies", pieces, "a splitter that gives a list of texts")
    found: list[Place] = []
    lost: list[Diagnostic] = []
    for piece in map(_text, pieces):
        if is_whitespace_only(piece):
            continue
        span = _next(document.text, piece, found[-1] if found else None)
        if span is not None:
            found.append(span)
        else:
            lost.append(Diagnostic("warning", NOT_FOUND, f"{piece[:SHOWN]!r} is not in the text"))
    chunking = chunking_of(document, found, measure)
    return replace(chunking, diagnostics=(*chunking.diagnostics, *lost))


def chunking_of(document: Document, places: Iterable[Place], measure: Measure) -> Chunking:
    """What another chunker made, told by its spans, as a chunking to be judged beside ours."""
    spans: list[Span] = []
    reached = 0
    for first, last in sorted(places):
        spans.append(Span(first, last, max(0, reached - first), ""))
        reached = last
    ruler = Ruler(document.text, measure, None)
    return assemble_segments(document, start(document, PARSER), spans, ruler)


def _text(piece: Any) -> str:
    text = piece if isinstance(piece, str) else getattr(piece, "text", None)
    if not isinstance(text, str):
        raise ConfigError("strategies", piece, "pieces that are texts, or have one in `text`")
    return text


def _next(text: str, piece: str, before: Place | None) -> Place | None:
    """Where a piece stands behind the beginning of the one before it, if it does: many splitters
    strip white space, so that may be missing at its edges."""
    for wanted in (piece, piece.strip(WHITE_SPACE)):
        place = _place(text, wanted, before)
        if place >= 0:
            return place, place + len(wanted)
    return None


def _place(text: str, piece: str, before: Place | None) -> int:
    """The first place right behind the piece before, nothing but white space between them; else
    one that begins within it, rather where it goes on to its end than where it adds nothing; else
    any behind it; -1 where there is none."""
    if before is None:
        return text.find(piece)
    first, end = before
    after = text.find(piece, end)
    if after >= 0 and INK.search(text, end, after) is None:
        return after
    earliest, last = first + 1, end + len(piece) - 1
    for least in (max(earliest, end - len(piece)), earliest):
        within = text.find(piece, least, last)
        if within >= 0:
            return within
    return after
