"""The one place where bytes become code points. Nothing else outside `parsing` knows of bytes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence

FEW = 64
"""Offsets up to which it is sooner to decode what lies between them."""

FIRST_TWO_BITS = 0xC0
CONTINUATION = 0x80
"""In UTF-8, a byte whose first two bits are 10 continues a character."""


def code_points(text: str, source: bytes, offsets: Iterable[int]) -> Callable[[int], int]:
    """A function from byte offsets into `source` to code points of `text`, whose UTF-8 it is, but
    that every CRLF in it is a line feed.

    It knows `offsets` only, unless the text is ASCII with no CRLF. One pass over the source,
    whatever their number.
    """
    if text.isascii() and "\r\n" not in text:
        return _same
    wanted = list(offsets)
    places = wanted if text.isascii() else in_code_points(source, wanted)
    if "\r\n" in text:
        returns = _removed_returns(text)
        places = [place + bisect_left(returns, place) for place in places]
    return dict(zip(wanted, places, strict=True)).__getitem__


def _removed_returns(text: str) -> list[int]:
    """Where in the text without them each CR before a line feed was, in order."""
    places: list[int] = []
    at = text.find("\r\n")
    while at >= 0:
        places.append(at - len(places))
        at = text.find("\r\n", at + 2)
    return places


def in_code_points(source: bytes, offsets: Sequence[int]) -> list[int]:
    """Byte offsets into UTF-8, in any order, as code points."""
    if len(offsets) > FEW:
        return _counted(source, offsets)
    wanted = sorted(set(offsets))
    places = dict(zip(wanted, _decoded(source, wanted), strict=True))
    return [places[offset] for offset in offsets]


def _same(offset: int) -> int:
    return offset


def _decoded(source: bytes, offsets: Sequence[int]) -> list[int]:
    places = []
    position = reached = 0
    for offset in offsets:
        position += len(source[reached:offset].decode("utf-8", "ignore"))
        reached = offset
        places.append(position)
    return places


def _counted(source: bytes, offsets: Sequence[int]) -> list[int]:
    """Every offset less the bytes before it that begin no code point."""
    import numpy as np

    data = np.frombuffer(source, np.uint8)
    later = np.flatnonzero((data & FIRST_TWO_BITS) == CONTINUATION)
    places = np.asarray(offsets)
    counted: list[int] = (places - np.searchsorted(later, places)).tolist()
    return counted
