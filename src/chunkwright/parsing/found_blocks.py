"""Blocks of what a walk found: bytes become code points here, once a document."""

from __future__ import annotations

from chunkwright.parsing.describing import first_line, signature
from chunkwright.parsing.frames import Found
from chunkwright.parsing.positions import places_of
from chunkwright.types import Block


def blocks_of(text: str, source: bytes, found: list[Found]) -> list[Block]:
    """The blocks of a document. Afterwards `found` holds code points, too."""
    if not text.isascii() or "\r" in text:
        _to_code_points(text, source, found)
    scopes = _scopes(found)
    blocks: list[Block] = []
    for number, one in enumerate(found):
        if not one.name:
            kind = "scope" if number in scopes else one.kind
            blocks.append(Block(one.start, one.end, one.depth, kind))
            continue
        blocks.append(
            Block(
                one.start,
                one.end,
                one.depth,
                one.kind,
                one.name,
                one.body,
                signature(text, one.head, one.body, one.end),
                first_line(text, one.doc_start, one.doc_end),
            )
        )
    return blocks


def _to_code_points(text: str, source: bytes, found: list[Found]) -> None:
    offsets: list[int] = []
    for one in found:
        offsets += (one.start, one.end)
        if one.name:
            offsets += (one.head, one.body, one.doc_start, one.doc_end)
    places = places_of(text, source, offsets)
    at = 0
    for one in found:
        one.start, one.end = places[at], places[at + 1]
        at += 2
        if one.name:
            one.head, one.body = places[at], places[at + 1]
            one.doc_start, one.doc_end = places[at + 2], places[at + 3]
            at += 4


def _scopes(found: list[Found]) -> set[int]:
    """Numbers of the statements that definitions stand in."""
    scopes: set[int] = set()
    around: list[int] = []
    for number, one in enumerate(found):
        while around and found[around[-1]].end <= one.start:
            around.pop()
        if one.name:
            for outer in reversed(around):
                if outer in scopes:
                    break
                if not found[outer].name:
                    scopes.add(outer)
        around.append(number)
    return scopes
