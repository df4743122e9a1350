"""Titles of reStructuredText: whether an adornment is long enough for one, and what it says without
its inline markup. Where titles stand is `rst`'s.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from chunkwright.parsing.line_blocks import LONGEST_TITLE

if TYPE_CHECKING:
    from regex import Pattern

SHORT = 4
"""An adornment of fewer characters is text unless a title that is no longer stands at it."""

_BEFORE = r"(?<![^\s'\"(\[{<\-/:\u00a1-\u00bf\u2010-\u203a\u3000-\u3011])"
_AFTER = r"(?![^\s'\")\]}>\-/\\:.,;!?\u00a1-\u00bf\u2010-\u203a\u3000-\u3011])"
_LETTER = r"[0-9A-Za-z\u00c0-\U0010ffff]"
INLINE = re.compile(
    rf"{_BEFORE}(?:``(\S|\S.*?\S)``"
    r"|(?::[a-zA-Z0-9_:+.-]+:)?`([^\s`]|[^\s`][^`]*[^\s`])`(?:__?|:[a-zA-Z0-9_:+.-]+:)?"
    r"|\*\*(\S|\S.*?[^\s\\])\*\*|\*([^\s*]|[^\s*].*?[^\s\\])\*|\|(\S|\S.*?\S)\|_{0,2}"
    rf"|({_LETTER}+(?:[-._+:]{_LETTER}+)*)__?){_AFTER}"
    r"|\\(?:\s|(.))"
)
"""Inline markup, each kind with what shows of it."""
HIDDEN = re.compile(r"\s*<[^<>]*>$")
"""What a reference with a text of its own refers to."""


def reaches(adornment: str, title: str) -> bool:
    """Whether an adornment is long enough for a title."""
    return len(adornment) >= SHORT or _width(title) <= len(adornment)


def _width(title: str) -> int:
    """Columns, as docutils counts them."""
    if title.isascii():
        return len(title)
    wide, marks = _odd_widths()
    return len(title) + len(wide.findall(title)) - len(marks.findall(title))


@lru_cache(maxsize=1)
def _odd_widths() -> tuple[Pattern[str], Pattern[str]]:
    """Characters of two columns, and of none."""
    import regex

    return (
        regex.compile(r"[\p{East_Asian_Width=W}\p{East_Asian_Width=F}]"),
        regex.compile(r"\P{Canonical_Combining_Class=0}"),
    )


def plain(title: str) -> str:
    """A title without its inline markup, on one line."""
    if len(title) <= LONGEST_TITLE:
        title = INLINE.sub(_shown, title)
    return " ".join(title.split())


def _shown(markup: re.Match[str]) -> str:
    return HIDDEN.sub("", markup[markup.lastindex]) if markup.lastindex else ""
