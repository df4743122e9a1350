"""What a parser found, as the tests of source code look at it."""

from __future__ import annotations

from chunkwright import Block
from chunkwright.characters import Lines
from chunkwright.types import Parsed


def symbols(result: Parsed) -> list[str]:
    """`first-last Kind name` of every symbol, as in the data files."""
    lines = Lines(result.text)
    return [
        f"{lines.number(block.start)}-{lines.number(block.end - 1)} {block.kind} {block.name}"
        for block in result.blocks
        if block.name
    ]


def named(result: Parsed, name: str) -> Block:
    """The symbol of a name."""
    return next(block for block in result.blocks if block.name == name)
