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


def parse(document: Document) -> Parsed:
    """What the parser for the document's language says about it; prose where it is unknown.

    Raises ParseError where a text cannot be taken in at all (a notebook that is not one).
    """
    row = find(language_name(document))
    room = import_module(f"chunkwright.parsing.{_ROOM_OF[row.family if row else PROSE]}")
    parsed: Parsed = room.parse(document)
    return parsed
