"""Prose of no known format: a document's facts, and no blocks. Where sentences and paragraphs end
is looked for by the chunkers, near their cuts only.
"""

from __future__ import annotations

from chunkwright.parsing.base import start
from chunkwright.types import Document, Parsed

PARSER = "prose"


def parse(document: Document) -> Parsed:
    """What is known about a document from its path and metadata alone."""
    return start(document, PARSER)
