"""From a text, a file or a tree to chunks: the one place that chooses a chunker for a document.
How each format is cut, and which files there are, is for other rooms to say.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import msgspec

from chunkwright.characters import WHITE_SPACE
from chunkwright.pipeline.choosing import choose, family_of, fingerprint, fingerprints
from chunkwright.pipeline.files import chunk_file, chunk_tree
from chunkwright.pipeline.levels import chunk_levels
from chunkwright.types import EXTRA_VIEWS, Block, Chunk, Chunking, Document

__all__ = [
    "choose",
    "chunk",
    "chunk_file",
    "chunk_levels",
    "chunk_tree",
    "family_of",
    "fingerprint",
    "fingerprints",
    "summary_chunk",
]

SUMMARY = "summary"


def chunk(
    text: Document | str,
    path: str | os.PathLike[str] = "",
    *,
    language: str | None = None,
    blocks: Sequence[Block] | None = None,
    **options: Any,
) -> Chunking:
    """Cut a text with the chunker for its language, which `path` tells unless it is given.

    Neither is read from disk: `path` is a name. A text with neither is prose. `blocks` replace
    parsing. Every option goes to the chunker if it has it.
    Raises ConfigError for an option no chunker has, ParseError for text with lone surrogates.
    """
    document = Document(text) if isinstance(text, str) else text
    name = os.fspath(path).replace(os.sep, "/")
    given = {"path": name or document.path, "language": language or document.language}
    document = msgspec.structs.replace(document, **given)
    return choose(document, **options).chunk(document, blocks)


def summary_chunk(summary: str, path: str = "", commit: str = "") -> Chunk | None:
    """A chunk of the summary of a document, or None where it is blank.

    It is no slice of anything: start, end and lines are 0, and it is rendered without a prefix.
    Its size is in code points.
    """
    text = summary.strip(WHITE_SPACE)
    if not text:
        return None
    return Chunk(
        text=text,
        start=0,
        end=0,
        start_line=0,
        end_line=0,
        path=path,
        commit=commit,
        kind=SUMMARY,
        level=EXTRA_VIEWS[SUMMARY],
        size=len(text),
        is_summary=True,
    )
