"""The one place where bytes become code points. Nothing else outside `parsing` knows of bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable


def code_points(text: str, source: bytes, offsets: Iterable[int]) -> Callable[[int], int]:
    """A function from byte offsets into `source`, the UTF-8 of `text`, to code points.

    It knows `offsets` only, unless the text is ASCII. One pass over the source, whatever their
    number.
    """
    if text.isascii():
        return _same
    known: dict[int, int] = {}
    position = reached = 0
    for offset in sorted(set(offsets)):
        position += len(source[reached:offset].decode("utf-8", "ignore"))
        reached = offset
        known[offset] = position
    return known.__getitem__


def _same(offset: int) -> int:
    return offset
