"""The one place where bytes become code points. Nothing else outside `parsing` knows of bytes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

FEW: Final = 64
"""Offsets up to which it is sooner to decode what lies between them."""

FIRST_TWO_BITS: Final = 0xC0
CONTINUATION: Final = 0x80
"""In UTF-8, a byte whose first two bits are 10 continues a character."""


def places_of(text: str, source: bytes, offsets: Sequence[int]) -> Sequence[int]:
    """Byte offsets into `source`, in any order, as code points of `text`, whose UTF-8 it is, but
    that every CRLF is a line feed in it. One pass over the source, whatever their number.
    """
    places = offsets if text.isascii() else in_code_points(source, offsets)
    if "\r\n" not in text:
        return places
    returns = _removed_returns(text)
    return [place + bisect_left(returns, place) for place in places]


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
