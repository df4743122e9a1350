"""What every parser starts from: the facts about a document that its path tells, and blocks that a
caller brings instead of a parser. No format is known here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from chunkwright.characters import INK, Lines, last_ink
from chunkwright.languages import UNKNOWN, doc_kind, find, is_test, language_of
from chunkwright.types import SYMBOL_KINDS, Block, Diagnostic, Document, Parsed

GIVEN = "given"
"""`Parsed.parser` of blocks that the caller brought."""

_KIND_OF = {kind.lower(): kind for kind in SYMBOL_KINDS}


def language_name(document: Document) -> str:
    """The document's language: as given, by the table's name for it, else by its path."""
    if document.language:
        row = find(document.language)
        return row.name if row else document.language
    return language_of(document.path, document.text) if document.path else UNKNOWN


def start(document: Document, parser: str, **fields: Any) -> Parsed:
    """A `Parsed` with language, `is_test` and `doc_kind` filled in; `fields` are the rest of it.

    `document.metadata["doc_kind"]`, where it is there, wins over the path.
    """
    language = language_name(document)
    facts: dict[str, Any] = {
        "text": document.text,
        "language": language,
        "is_test": is_test(document.path, language),
        "doc_kind": str(document.metadata.get("doc_kind") or doc_kind(document.path)),
    }
    return Parsed(parser=parser, **{**facts, **fields})


def given(document: Document, blocks: Sequence[Block]) -> Parsed:
    """A `Parsed` of blocks that the caller brought, in any order.

    White space at their edges is not theirs, and one that is nothing else is left out. They are
    sorted, symbol kinds are spelled as in SYMBOL_KINDS, and where two cross, the one that
    begins first is clipped to end where the other begins: the later definition stays whole.
    Clipping is reported as `blocks_clipped`.
    """
    inked = (_trimmed(document.text, block) for block in blocks)
    ordered = sorted(
        (_spelled(block) for block in inked if block), key=lambda block: (block.start, -block.end)
    )
    nested, clipped = _nest(ordered)
    diagnostics = (_clipping(document, clipped[0], len(clipped)),) if clipped else ()
    return start(document, GIVEN, blocks=tuple(nested), diagnostics=diagnostics)


def _trimmed(text: str, block: Block) -> Block | None:
    first = INK.search(text, block.start, block.end)
    last = last_ink(text, block.start, block.end)
    if first is None or last is None:
        return None
    return msgspec.structs.replace(block, start=first.start(), end=last + 1)


def _spelled(block: Block) -> Block:
    kind = _KIND_OF.get(block.kind.lower(), block.kind)
    return block if kind == block.kind else msgspec.structs.replace(block, kind=kind)


def _nest(ordered: Iterable[Block]) -> tuple[list[Block], list[Block]]:
    """Blocks, each inside another or apart from it, and those that were clipped for that."""
    nested: list[Block] = []
    clipped: list[Block] = []
    open_blocks: list[int] = []
    for block in ordered:
        while open_blocks and nested[open_blocks[-1]].end <= block.start:
            open_blocks.pop()
        while open_blocks and nested[open_blocks[-1]].end < block.end:
            crossing = open_blocks.pop()
            clipped.append(nested[crossing])
            nested[crossing] = msgspec.structs.replace(nested[crossing], end=block.start)
        open_blocks.append(len(nested))
        nested.append(block)
    return nested, clipped


def _clipping(document: Document, block: Block, count: int) -> Diagnostic:
    line = Lines(document.text).number(block.start)
    message = f"{count} given blocks cross a later one and were clipped, {block.name!r} first"
    return Diagnostic("warning", "blocks_clipped", message, line)
