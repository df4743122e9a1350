"""The parsers' one door: which parser reads which family of languages. What each of them does is
in its own room.
"""

from __future__ import annotations

from importlib import import_module

from chunkwright.languages import CODE, MARKDOWN, NOTEBOOK, PROSE, TEXT, find
from chunkwright.parsing.base import language_name
from chunkwright.types import Document, Parsed

_ROOM_OF = {
    CODE: "code",
    TEXT: "code",
    MARKDOWN: "markdown",
    NOTEBOOK: "notebook",
    PROSE: "prose",
}
"""Structured text has no parser: `code` says so and leaves it to be cut by lines."""

_ROOM_OF_FORMAT = {name: name for name in ("asciidoc", "html", "mdx", "org", "rst")}
"""Documents with headings that are not Markdown."""


def parse(document: Document) -> Parsed:
    """What the parser for the document's language says about it; prose where it is unknown.

    Raises ParseError where a text cannot be taken in at all (a notebook that is not one).
    """
    row = find(language_name(document))
    return _by(row.name if row else "", row.family if row else PROSE, document)


def parse_headings(document: Document, short: int = 0) -> Parsed:
    """What is said about a document with headings; one of any other language is read as Markdown.

    Of text between two headings of at most `short` bytes, no blocks need be told. Raises nothing.
    """
    row = find(language_name(document))
    if row and row.name in _ROOM_OF_FORMAT:
        return _by(row.name, MARKDOWN, document)
    from chunkwright.parsing import markdown

    return markdown.parse(document, short=short)


def _by(language: str, family: str, document: Document) -> Parsed:
    room = _ROOM_OF_FORMAT.get(language, _ROOM_OF[family])
    parsed: Parsed = import_module(f"chunkwright.parsing.{room}").parse(document)
    return parsed
