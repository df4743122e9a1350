"""Blanks out what a grammar cannot know: macros that stand where the language has no place for
them. Only a source that does not parse is masked, and only where that makes it better.
"""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Node, Point, Tree

from chunkwright.parsing.rules import Reader
from chunkwright.parsing.syntax import parse_within_bounds

Mask = tuple[re.Pattern[bytes], bytes]
"""What is masked, and the word that then stands there."""

BLANKS: Final = bytes(code if code == 0x0A else 0x20 for code in range(256))
"""What stands for each byte that is masked."""


def parse_masked(tree: Tree, source: bytes, reader: Reader) -> tuple[Tree, bytes]:
    """A tree with fewer errors and the bytes it is of, as long as `source`; the given ones where
    masks do not help. Raises TooMuchWorkError over a bound."""
    if reader.mask_hint is None or not tree.root_node.has_error:
        return tree, source
    masked, places = _masked(source, reader.mask_hint, reader.masks)
    if not places:
        return tree, source
    other = parse_within_bounds(reader.tongue, masked, _edited(tree, source, places))
    better = _faults(other.root_node) < _faults(tree.root_node)
    return (other, masked) if better else (tree, source)


def _masked(
    source: bytes, hint: re.Pattern[bytes], masks: list[Mask]
) -> tuple[bytes, list[tuple[int, int]]]:
    """The source, masked where something hints at what masks are for, and where it is: each mask is
    tried where the white space before a hint begins, on what is masked up to there."""
    masked = bytearray(source)
    places = []
    reached = 0
    for found in hint.finditer(source):
        at = found.start()
        if at < reached:
            continue
        low = reached + len(source[reached:at].rstrip())
        match, word = _first_match(masks, masked, low)
        reached = found.end() if match is None else match.end()
        if match is not None:
            masked[low:reached] = _over(match, at - low, word)
            places.append((low, reached))
    return bytes(masked), places


def _edited(tree: Tree, source: bytes, places: list[tuple[int, int]]) -> Tree:
    """A copy of the tree that knows where the source has changed, so that it is parsed anew only
    around there."""
    edited = tree.copy()
    row = start = reached = 0
    for low, high in places:
        first, row, start = _point(source, reached, low, row, start)
        last, row, start = _point(source, low, high, row, start)
        edited.edit(low, high, high, first, last, last)
        reached = high
    return edited


def _point(source: bytes, low: int, high: int, row: int, start: int) -> tuple[Point, int, int]:
    """Where a byte is, in rows and columns: as many rows below a known one, that began at `start`,
    as there are line feeds between; and the row and its beginning."""
    row += source.count(b"\n", low, high)
    start = source.rfind(b"\n", low, high) + 1 or start
    return Point(row, high - start), row, start


def _first_match(
    masks: list[Mask], masked: bytearray, low: int
) -> tuple[re.Match[bytes] | None, bytes]:
    for pattern, word in masks:
        match = pattern.match(masked, low)
        if match is not None:
            return match, word
    return None, b""


def _over(match: re.Match[bytes], at: int, word: bytes) -> bytes:
    """What stands instead of a match: blanks, line feeds, the mask's word where the hint was, and
    the first group."""
    blank = bytearray(match[0].translate(BLANKS))
    if at + len(word) <= len(blank):
        blank[at : at + len(word)] = word
    if match.re.groups and match[1]:
        blank[match.start(1) - match.start() : match.end(1) - match.start()] = match[1]
    return bytes(blank)


def _faults(root: Node) -> int:
    """How much of a tree is wrong: each error, and the bytes in it."""
    faults = 0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.is_error or node.is_missing:
            faults += 1 + node.end_byte - node.start_byte
        elif node.has_error:
            waiting += node.children
    return faults
