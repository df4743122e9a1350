"""Which chunker cuts a document, and with which of the given options: the one table that says so.
Nothing is read or cut here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any, NamedTuple

from chunkwright.chunking.base import Chunker
from chunkwright.errors import ConfigError, did_you_mean
from chunkwright.languages import CODE, MARKDOWN, NOTEBOOK, PROSE, TEXT, UNKNOWN, find
from chunkwright.parsing.base import language_name
from chunkwright.types import Document

LINE_CAP = 3200
"""Code points of a window of lines: a line may be a whole minified file. As much as a section."""

NO_CAP = 2**53
"""What `size=None` is to the chunker of prose, which always has a cap: more than any text."""

FINGERPRINT_DIGITS = 16


class Choice(NamedTuple):
    """A chunker and the defaults that are other than its own."""

    room: str
    chunker: str
    defaults: Mapping[str, object] = {}

    def kind(self) -> Any:
        """The class of the chunker."""
        return getattr(import_module(f"chunkwright.chunking.{self.room}"), self.chunker)


CHOICES = {
    CODE: Choice("code", "CodeChunker"),
    MARKDOWN: Choice("markdown", "MarkdownChunker"),
    NOTEBOOK: Choice("notebook", "NotebookChunker"),
    # All of a text, also a short one: there is no vector of the whole document beside it.
    PROSE: Choice("text", "TextChunker", {"min_size": 0, "max_chunks": None}),
    TEXT: Choice("lines", "LineChunker", {"size": LINE_CAP}),
}
"""Family of languages -> its chunker."""


class Chooser:
    """Chunkers made with one set of options, each when it is first needed."""

    def __init__(self, options: Mapping[str, object]) -> None:
        self._options = dict(options)
        self._made: dict[str, Chunker] = {}

    def chunker(self, family: str) -> Chunker:
        """The chunker of a family of languages. Raises ConfigError for a wrong option."""
        if family not in self._made:
            self._made[family] = _make(family, self._options)
        return self._made[family]

    def choose(self, document: Document) -> Chunker:
        """The chunker of a document. Raises ConfigError for a wrong option."""
        return self.chunker(family_of(document))

    def check(self) -> Chooser:
        """Make every chunker now, so that a wrong option is known before any file is read."""
        for family in CHOICES:
            self.chunker(family)
        return self


def choose(document: Document, **options: Any) -> Chunker:
    """The chunker for `document`, with those of `options` that it has.

    Raises ConfigError for an option that no chunker here has, and for a value that is not allowed.
    """
    return Chooser(options).choose(document)


def fingerprint(**options: Any) -> str:
    """Equal where every document would be cut alike with these options, different otherwise."""
    facts = "\n".join(fingerprints(**options).values())
    return hashlib.sha256(facts.encode()).hexdigest()[:FINGERPRINT_DIGITS]


def fingerprints(**options: Any) -> dict[str, str]:
    """Family of languages -> the same of its documents alone."""
    chooser = Chooser(options)
    return {family: chooser.chunker(family).fingerprint for family in CHOICES}


def family_of(document: Document) -> str:
    """By its language; a text that has neither language nor path is prose."""
    name = language_name(document)
    row = find(name)
    if row is not None:
        return row.family
    return PROSE if name == UNKNOWN and not document.path else TEXT


def _make(family: str, options: Mapping[str, object]) -> Chunker:
    choice = CHOICES[family]
    kind = choice.kind()
    names = kind.__struct_fields__
    for name, value in options.items():
        if name not in names:
            _require_known(name, value)
    taken = {name: value for name, value in options.items() if name in names}
    chunker: Chunker = kind(**{**choice.defaults, **_fitted(family, taken)})
    return chunker


def _fitted(family: str, options: dict[str, object]) -> dict[str, object]:
    """Options that mean something else to one chunker than to the others."""
    if family == PROSE and options.get("size", 0) is None:
        return {**options, "size": NO_CAP}
    if family == TEXT and "overlap" in options and "lines" not in options:
        # There it counts lines, everywhere else the measure's units. It is an upper bound, so
        # none at all keeps what was asked for.
        return {**options, "overlap": 0}
    return options


@lru_cache(maxsize=1)
def _known() -> tuple[str, ...]:
    return tuple(
        sorted({name for choice in CHOICES.values() for name in choice.kind().__struct_fields__})
    )


def _require_known(name: str, value: object) -> None:
    if name in _known():
        return
    hint = did_you_mean(name, _known())
    raise ConfigError(name, value, f"{hint}options are {', '.join(_known())}")
