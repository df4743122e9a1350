"""Questions about the bytes of a source: where lines begin, what stands beside what, where words
are. Nothing is known of trees here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

INDENTATION_BYTES: Final = 400
"""How far back the start of a line is looked for."""

FAR: Final = 100
"""Bytes from which on they are sooner searched than looked at one by one."""

LINE_FEED: Final = 0x0A

BLANK: Final = 0x20

WHITE_SPACE: Final = b"\t\x0b\f\r "
"""What may indent a line."""

LAST_BLANK: Final = 0x20
"""The last of ASCII's white space and controls."""

IN_WORD: Final = bytes(chr(byte).isalnum() or byte == ord("_") for byte in range(128)) + bytes(128)
"""For each byte 1 where words are made of it, of ASCII's only; else 0."""

PRELUDE: Final = re.compile(rb"[ \t]*(?:@|#|//|/\*|\*)[^\n]*\n\Z")
"""A line of comment or decorator, which belongs to the definition below it."""

PRELUDE_LINES: Final = 200
"""Lines looked back over for comments above a definition."""


class SourceBytes:
    """The UTF-8 of a source, as it is parsed: with line feeds only."""

    def __init__(self, source: bytes) -> None:
        self.source = source

    def adjacent(self, end: int, start: int) -> bool:
        """Whether no blank line lies between two places."""
        if start - end > FAR:
            return self.source.count(b"\n", end, start) < 2
        line_ends = 0
        for at in range(end, start):
            line_ends += self.source[at] == LINE_FEED
        return line_ends < 2

    def parted(self, end: int, start: int) -> bool:
        """Whether a line ends between two places, or right before the first."""
        return self.source.find(b"\n", max(0, end - 1), start) >= 0

    def begins_line(self, position: int) -> bool:
        """Whether only white space stands before `position` on its line."""
        low = max(0, position - INDENTATION_BYTES)
        at = position - 1
        while at >= low:
            code = self.source[at]
            if code == LINE_FEED:
                return True
            if code != BLANK and code not in WHITE_SPACE:
                return False
            at -= 1
        return low == 0

    def inked(self, end: int) -> int:
        """`end`, moved back over white space."""
        if end and self.source[end - 1] > LAST_BLANK:
            return end
        while self.source[end - 1 : end].isspace():
            end -= 1
        return end


class Hints:
    """Where words stand that hint at a definition. Questions come from the first place to the
    last: what lies before the last one asked about is not looked at again."""

    def __init__(self, places: list[int]) -> None:
        self.places = sorted(places)
        self._count = len(places)
        self._at = 0

    def within(self, start: int, end: int) -> bool:
        """Whether one stands in source[start:end]; `start` is not before that of the last call."""
        at = self._at
        while at < self._count and self.places[at] < start:
            at += 1
        self._at = at
        return at < self._count and self.places[at] < end


def places_of(source: bytes, words: tuple[bytes, ...], patterns: tuple[Any, ...]) -> list[int]:
    """Where words and matches of patterns, or of their first groups, begin."""
    places: list[int] = []
    for word in words:
        _add_places(places, source, word)
    for pattern in patterns:
        group = 1 if pattern.groups else 0
        places += [match.start(group) for match in pattern.finditer(source)]
    return places


def _add_places(places: list[int], source: bytes, word: bytes) -> None:
    """Where a word stands by itself, or anywhere if it is none (`=>`)."""
    is_word, length, size = word.isalpha(), len(word), len(source)
    at = source.find(word)
    while at >= 0:
        end = at + length
        begun = is_word and at > 0 and IN_WORD[source[at - 1]]
        if not begun and not (is_word and end < size and IN_WORD[source[end]]):
            places.append(at)
        at = source.find(word, end)


def pieces(source: bytes, begin: int, end: int, places: Iterable[int]) -> Iterator[tuple[int, int]]:
    """source[begin:end] cut before each of the places, where something begins, with the comments
    and decorators that belong to it; nothing blank is cut off."""
    low = begin
    for place in places:
        cut = _prelude_start(source, low, place)
        if source[low:cut].strip():
            yield low, cut
            low = cut
    yield low, end


def _prelude_start(source: bytes, low: int, position: int) -> int:
    """Where the comments and decorators directly above `position` begin."""
    for _ in range(PRELUDE_LINES):
        line_start = source.rfind(b"\n", low, max(low, position - 1)) + 1 or low
        if line_start >= position:
            break
        if source[line_start:position].rstrip().endswith(b"*/"):
            opening = source.rfind(b"/*", low, position)
            line_start = source.rfind(b"\n", low, max(low, opening)) + 1 or low
        elif not PRELUDE.match(source, line_start, position):
            break
        position = line_start
    return position
