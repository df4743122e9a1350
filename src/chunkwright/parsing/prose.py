"""Prose of no known format: a document's facts, and blocks only where it is a transcript, for its
turns. Where sentences and paragraphs end is looked for by the chunkers, near their cuts only.
"""

from __future__ import annotations

from chunkwright.parsing import transcripts
from chunkwright.parsing.base import start
from chunkwright.types import Document, Parsed

PARSER = "prose"


def parse(document: Document) -> Parsed:
    """What is known about a document from its path and metadata alone, and its turns."""
    turns = transcripts.turns(document.text)
    return start(document, transcripts.PARSER if turns else PARSER, blocks=turns)
