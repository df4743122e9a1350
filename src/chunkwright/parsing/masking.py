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
    over, places = masked(source, reader.mask_hint, reader.masks)
    if not places:
        return tree, source
    other = parse_within_bounds(reader.tongue, over, _edited(tree, source, places))
    better = _faults(other.root_node) < _faults(tree.root_node)
    return (other, over) if better else (tree, source)


def masked(
    source: bytes, hint: re.Pattern[bytes], masks: list[Mask]
) -> tuple[bytes, list[tuple[int, int]]]:
    """The source, masked where something hints at what masks are for, and where it is: each mask is
    tried where the white space before a hint begins, on what is masked up to there."""
    over = bytearray(source)
    places = []
    reached = 0
    for found in hint.finditer(source):
        at = found.start()
        if at < reached:
            continue
        low = reached + len(source[reached:at].rstrip())
        match, word = _first_match(masks, over, low)
        reached = found.end() if match is None else match.end()
        if match is not None:
            over[low:reached] = _blank(match, at - low, word)
            places.append((low, reached))
    return bytes(over), places


def _edited(tree: Tree, source: bytes, places: list[tuple[int, int]]) -> Tree:
    """A copy of the tree that knows where the source has changed, so that it is parsed anew only
    around there."""
    edited = tree.copy()
    line = row = reached = 0
    for place in places:
        points = []
        for at in place:
            row += source.count(b"\n", reached, at)
            line = source.rfind(b"\n", reached, at) + 1 or line
            points.append(Point(row, at - line))
            reached = at
        low, high = place
        edited.edit(low, high, high, points[0], points[1], points[1])
    return edited


def _first_match(
    masks: list[Mask], source: bytearray, low: int
) -> tuple[re.Match[bytes] | None, bytes]:
    for pattern, word in masks:
        match = pattern.match(source, low)
        if match is not None:
            return match, word
    return None, b""


def _blank(match: re.Match[bytes], at: int, word: bytes) -> bytes:
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
