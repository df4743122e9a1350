"""Where a quoted text stands in documents: exactly, or not at all. Nothing is guessed here; what is
nearly right is told in the error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from chunkwright.characters import Lines, is_whitespace_only
from chunkwright.evaluation.mistakes import Mistake, shown
from chunkwright.evaluation.nouns import Reference

PLACES_TOLD = 5
"""Occurrences of an ambiguous quote that its error names."""


def locate(
    quote: str, corpus: Mapping[str, str], path: str | None = None, occurrence: int | None = None
) -> Reference:
    """Where `quote` stands: in the document at `path`, else in any; the 1-based `occurrence` of
    several, documents in the order of their paths.

    Raises Mistake where it is blank, missing, or ambiguous.
    """
    if is_whitespace_only(quote):
        raise Mistake("the quote is blank", "quote the text that answers the question")
    paths = sorted(corpus) if path is None else [path]
    enough = max(PLACES_TOLD + 1, occurrence or 0)
    found = list(islice(_places(quote, corpus, paths), enough))
    if not found:
        raise _missing(quote, corpus, path)
    if occurrence is None:
        if len(found) > 1:
            raise _ambiguous(quote, found, corpus, path)
        return found[0]
    if not 0 < occurrence <= len(found):
        raise Mistake(
            f"there is no occurrence {occurrence} of the quote {shown(quote)}",
            f"occurrences are counted from 1; there are {_count(quote, corpus, paths)}",
        )
    return found[occurrence - 1]


def lines_of(reference: Reference, text: str) -> str:
    """The physical lines of a stretch, in words."""
    lines = Lines(text)
    first, last = lines.number(reference.start), lines.number(reference.end - 1)
    return f"line {first}" if first == last else f"lines {first} to {last}"


def _places(quote: str, corpus: Mapping[str, str], paths: Iterable[str]) -> Iterator[Reference]:
    """Every occurrence, also those that overlap."""
    for path in paths:
        text = corpus[path]
        at = text.find(quote)
        while at >= 0:
            yield Reference(path, at, at + len(quote))
            at = text.find(quote, at + 1)


def _count(quote: str, corpus: Mapping[str, str], paths: Iterable[str]) -> int:
    return sum(1 for _ in _places(quote, corpus, paths))


def _ambiguous(
    quote: str, found: list[Reference], corpus: Mapping[str, str], path: str | None
) -> Mistake:
    told = [f"{one.path} {lines_of(one, corpus[one.path])}" for one in found[:PLACES_TOLD]]
    where = ", ".join(told) + (", and elsewhere" if len(found) > PLACES_TOLD else "")
    remedy = "give more of the text, or `occurrence` (1 is the first)"
    return Mistake(
        f"the quote {shown(quote)} stands in several places: {where}",
        remedy if path is not None else f"give `path`, {remedy}",
    )


def _missing(quote: str, corpus: Mapping[str, str], path: str | None) -> Mistake:
    """A mistake that says where the quote, or nearly it, stands instead."""
    reason = f"the quote {shown(quote)} does not stand in {path or 'any document'}"
    paths = sorted(corpus)
    elsewhere = next(_places(quote, corpus, paths), None) if path is not None else None
    if elsewhere is not None:
        where = f"{elsewhere.path}, {lines_of(elsewhere, corpus[elsewhere.path])}"
        return Mistake(reason, f"it stands in {where}: correct `path`")
    ordered = paths if path is None else [path, *paths]
    near = next(_loose_places(quote, corpus, ordered), None)
    if near is not None:
        where = f"{near.path}, {lines_of(near, corpus[near.path])}"
        return Mistake(
            reason,
            f"but for white space it stands in {where}: copy it from there, line ends included, "
            "or give `path`, `start_line` and `end_line`",
        )
    return Mistake(reason, "copy it exactly as it stands in the file")


def _loose_places(
    quote: str, corpus: Mapping[str, str], paths: Iterable[str]
) -> Iterator[Reference]:
    """Where the same words stand with any white space between them."""
    words = re.compile(r"\s++".join(re.escape(word) for word in quote.split()))
    for path in paths:
        match = words.search(corpus[path])
        if match is not None:
            yield Reference(path, match.start(), match.end())
