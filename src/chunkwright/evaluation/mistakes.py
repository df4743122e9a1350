"""What is wrong with a file of questions: told in words, gathered, and raised together. What is
right is not known here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import NamedTuple

from chunkwright.errors import LONGEST_VALUE, ParseError

MOST = 10
"""Mistakes that are told at once; reading stops there."""

LONGEST_NAME = 100
"""Code points of a name that others are compared with: the cost is that of the lengths' product."""


class Mistake(Exception):  # noqa: N818  it never leaves the room: a ParseError is made of it
    """Something in a file of questions cannot be taken as it is written."""

    def __init__(self, reason: str, remedy: str) -> None:
        super().__init__(f"{reason}; {remedy}")
        self.reason = reason
        self.remedy = remedy


class _Noted(NamedTuple):
    line: int
    reason: str
    remedy: str


class Mistakes:
    """The mistakes of one file, in the order of its lines."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._noted: list[_Noted] = []

    @contextmanager
    def noted(self, line: int, question: object = None) -> Iterator[None]:
        """Go on after a mistake. Raises ParseError where enough were made."""
        try:
            yield
        except Mistake as mistake:
            about = "" if question is None else f"question {shown(question)}: "
            self._noted.append(_Noted(line, about + mistake.reason, mistake.remedy))
            if len(self._noted) == MOST:
                self.tell()

    def tell(self) -> None:
        """Raises one ParseError that tells them all; nothing where there are none."""
        if not self._noted:
            return
        first, *others = self._noted
        more = [f"{self._path}:{one.line}: {one.reason}; {one.remedy}" for one in others]
        if len(self._noted) == MOST:
            more.append(f"reading stopped after {MOST} mistakes; there may be more")
        raise ParseError(self._path, first.line, first.reason, "\n".join([first.remedy, *more]))


def shown(value: object) -> str:
    """A value as an error shows it: in quotation marks, on one line, 200 characters at most."""
    text = value if isinstance(value, str) else repr(value)
    text = text.replace("\r", "\\r").replace("\n", "\\n")
    short = text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"
    return f'"{short}"' if isinstance(value, str) else short


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name most like a wrong one; "" where none is."""
    near = get_close_matches(name[:LONGEST_NAME], known, 1)
    return near[0] if near else ""
