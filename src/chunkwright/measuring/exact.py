"""Measures whose counts never shrink as a text grows, so that a reach needs no searching: code
points, bytes of UTF-8, grapheme clusters, physical lines. Tokens are not here.

`reach(text, start, size)` is the furthest end such that text[start:end] counts at most `size`;
`reach_back(text, end, size, low)` the earliest start, not before `low`. Sizes are 1 or more.
"""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Protocol, TypeGuard

from chunkwright.characters import LINE_END, REGIONAL_INDICATORS, cluster_floor
from chunkwright.types import Measure

if TYPE_CHECKING:
    from regex import Pattern


class ExactMeasure(Measure, Protocol):
    """A measure that finds a reach by itself."""

    @property
    def most(self) -> int:
        """What one code point counts at most."""

    def reach(self, text: str, start: int, size: int) -> int:
        """As the module says."""

    def reach_back(self, text: str, end: int, size: int, low: int) -> int:
        """As the module says."""


class Characters:
    """Code points."""

    name = "chars"
    most = 1

    def count(self, text: str, /) -> int:
        """Number of code points."""
        return len(text)

    def reach(self, text: str, start: int, size: int) -> int:
        """As the module says."""
        return min(len(text), start + size)

    def reach_back(self, text: str, end: int, size: int, low: int) -> int:  # noqa: ARG002  # all share one signature
        """As the module says."""
        return max(low, end - size)


class Bytes:
    """Bytes of UTF-8."""

    name = "bytes"
    most = 4

    def count(self, text: str, /) -> int:
        """Number of bytes when encoded as UTF-8."""
        return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))

    def reach(self, text: str, start: int, size: int) -> int:
        """As the module says."""
        kept = text[start : start + size]
        if kept.isascii():
            return start + len(kept)
        return start + len(kept.encode()[:size].decode("utf-8", "ignore"))

    def reach_back(self, text: str, end: int, size: int, low: int) -> int:
        """As the module says."""
        kept = text[max(low, end - size) : end]
        if kept.isascii():
            return end - len(kept)
        return end - len(kept.encode()[-size:].decode("utf-8", "ignore"))


class Graphemes:
    """Extended grapheme clusters of the text by itself."""

    name = "graphemes"
    most = 1

    def count(self, text: str, /) -> int:
        """Number of clusters; a CRLF is one."""
        if text.isascii():
            return len(text) - text.count("\r\n")
        return sum(1 for _ in _clusters().finditer(text))

    def reach(self, text: str, start: int, size: int) -> int:
        """As the module says."""
        kept = text[start : start + size + 1]
        if kept.isascii() and "\r" not in kept:
            return min(len(text), start + size)
        look = size
        while True:  # slices: a pattern that sees what is before `start` counts otherwise
            look *= 4
            found = _clusters().finditer(text[start : start + look])
            ends = [match.end() for match in islice(found, size + 1)]
            if len(ends) > size:
                return start + int(ends[size - 1])
            if start + look >= len(text):
                return len(text)

    def reach_back(self, text: str, end: int, size: int, low: int) -> int:
        """As the module says; `low` is a cluster boundary."""
        kept = text[max(low, end - size) : end]
        if kept.isascii() and "\r" not in kept:
            return end - len(kept)
        look = size
        while True:
            look *= 4
            start = cluster_floor(text, low, max(low, end - look))
            starts = [match.start() for match in _clusters().finditer(text, start, end)]
            if len(starts) > size:
                return int(starts[-size])
            if start <= low:
                return low


class PhysicalLines:
    """Physical lines touched; a line's end belongs to it."""

    name = "lines"
    most = 1

    def count(self, text: str, /) -> int:
        """Number of lines; 0 for the empty text."""
        ends = text.count("\n") + text.count("\r") - text.count("\r\n")
        return ends + (text[-1:] not in ("\n", "\r", ""))

    def reach(self, text: str, start: int, size: int) -> int:
        """As the module says."""
        last = next(islice(LINE_END.finditer(text, start), size - 1, None), None)
        return len(text) if last is None else last.end()

    def reach_back(self, text: str, end: int, size: int, low: int) -> int:
        """As the module says."""
        ends_line = text[end - 1 : end] in ("\n", "\r")
        ends = _line_ends_backwards().finditer(text, low, end)
        first = next(islice(ends, size if ends_line else size - 1, None), None)
        return low if first is None else int(first.end())


EXACT: dict[str, ExactMeasure] = {
    measure.name: measure for measure in (Characters(), Bytes(), Graphemes(), PhysicalLines())
}
"""The exact measures by name."""


def is_exact(measure: Measure) -> TypeGuard[ExactMeasure]:
    """Whether a measure is one of these: an `isinstance` of a protocol takes twenty times as
    long, and every ruler asks."""
    return EXACT.get(measure.name) is measure


@cache
def _clusters() -> Pattern[str]:
    r"""Like `\X`, which at a flag counts the whole run of regional indicators before it: flags are
    taken pair by pair from the left instead, so that a run of them stays linear."""
    import regex

    extenders = r"[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}]"
    return regex.compile(rf"[{REGIONAL_INDICATORS}]{{1,2}}+{extenders}*+|\X")


@cache
def _line_ends_backwards() -> Pattern[str]:
    import regex

    return regex.compile(r"(?r)\r\n|\n|\r")
