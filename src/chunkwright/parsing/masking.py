"""Blanks out what a grammar cannot know: macros that stand where the language has no place for
them. Only a source that does not parse is masked, and only where that makes it better.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tree_sitter import Node, Tree

from chunkwright.parsing.rules import Reader
from chunkwright.parsing.syntax import parse_within_bounds

LINES_AROUND: Final = 2
"""Lines before and behind a hint that masks may look at."""

INK: Final = re.compile(rb"[^\n]")


def parse_masked(tree: Tree, source: bytes, reader: Reader) -> tuple[Tree, bytes]:
    """A tree with fewer errors and the bytes it is of, as long as `source`; the given ones where
    masks do not help. Raises TooMuchWorkError over a bound."""
    if not reader.masks or not tree.root_node.has_error:
        return tree, source
    masked = b"".join(_masked(source, reader))
    if masked == source:
        return tree, source
    other = parse_within_bounds(reader.tongue, masked)
    better = _faults(other.root_node) < _faults(tree.root_node)
    return (other, masked) if better else (tree, source)


def _masked(source: bytes, reader: Reader) -> Iterator[bytes]:
    """The source, masked where something hints at what masks are for, piece by piece."""
    reached = 0
    for start, end in _windows(source, reader):
        yield source[reached:start]
        window = source[start:end]
        for pattern, word in reader.masks:
            window = pattern.sub(_Over(word), window)
        yield window
        reached = end
    yield source[reached:]


def _windows(source: bytes, reader: Reader) -> Iterator[tuple[int, int]]:
    """Stretches of whole lines around every hint; all of the source where a language has none."""
    if reader.mask_hint is None:
        yield 0, len(source)
        return
    start = end = 0
    for match in reader.mask_hint.finditer(source):
        low, high = match.start(), match.end()
        for _ in range(LINES_AROUND):
            low = max(source.rfind(b"\n", 0, low), 0)
            following = source.find(b"\n", high) + 1
            high = following or len(source)
        if low > end > start:
            yield start, end
            start = low
        elif end == start:
            start = low
        end = high
    if end > start:
        yield start, end


class _Over:
    """What stands instead of a match: blanks, line feeds, the mask's word, the first group."""

    def __init__(self, word: bytes) -> None:
        self._word = word

    def __call__(self, match: re.Match[bytes]) -> bytes:
        blank = bytearray(INK.sub(b" ", match[0]))
        if len(self._word) <= len(blank):
            blank[: len(self._word)] = self._word
        if match.re.groups and match[1]:
            at = match.start(1) - match.start()
            blank[at : at + len(match[1])] = match[1]
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
