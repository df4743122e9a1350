"""Where text may be broken well, kind by kind: blank lines, lines, sentences, clauses, words; and
the styles that say in which order to look for them. Windows and caps are the packer's.

A finder gives positions at which a stretch may end and the next begin; the white space around
such a position belongs to neither.
"""

from __future__ import annotations

from collections.abc import Callable
from re import Pattern
from re import compile as compile_plain
from typing import Final, NamedTuple

import regex

from chunkwright.characters import (
    INK,
    LINE_END,
    WHITE_SPACE,
    cluster_floor,
    is_whitespace_only,
)
from chunkwright.chunking.sentences import (
    CLAUSE_ENDS_ANYWHERE,
    ENDS_ANYWHERE,
    ENDS_BEFORE_SPACE,
    NEVER_FIRST,
    characters_of,
    first_sentence_start,
    last_clause_end,
    last_sentence_end,
)

PROSE: Final = "prose"
MARKUP: Final = "markup"
"""Prose whose headings are known, so that no line has to be taken for one."""
CODE: Final = "code"
EXACT: Final = "exact"

HEADING_LENGTH: Final = 60
"""Code points up to which a lonely line without end punctuation is taken for a heading."""

LONGEST_HEADING_LINE: Final = 2 * HEADING_LENGTH
"""Code points of a line, white space included, that is looked at to tell."""

MOST_INDENTED: Final = 64
"""Code points of white space before a line's text that are looked back over."""

MOST_MOVED: Final = 4
"""Clusters a cut without white space moves back to keep NEVER_FIRST from beginning a chunk."""

_WHITE: Final = characters_of(WHITE_SPACE)
_SEPARATORS: Final = _WHITE + "\u200b"
"""White space, and the zero-width space that Thai and Khmer texts put between words."""

_LAST_SEPARATOR: Final = compile_plain(f"(?s).*[{_SEPARATORS}]")
_NEXT_SEPARATOR: Final = compile_plain(f"[{_SEPARATORS}]")
_LINE_START: Final = compile_plain(rf"(?<=[\r\n])[ \t]*+(?=[^{_WHITE}])")
_WORD_START: Final = compile_plain(f"(?<=[{_SEPARATORS}])[^{_SEPARATORS}]")
_LINE_ENDS: Final = compile_plain(r"[ \t]*+[\r\n]")
_BLANKS: Final = " \t\f\v"
"""What a blank line may hold."""

_UNSPACED: Final = regex.compile(
    r"[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}"
    r"\p{Script=Khmer}\p{Script=Myanmar}"
    rf"{characters_of(NEVER_FIRST + ENDS_ANYWHERE + CLAUSE_ENDS_ANYWHERE)}]"
)
_CAPITAL: Final = regex.compile(r"\p{Lu}")
_ATX_HEADING: Final = compile_plain(r" {0,3}#{1,6}[ \t]+\S")
NO_HEADING_END: Final = frozenset(ENDS_BEFORE_SPACE + ENDS_ANYWHERE + CLAUSE_ENDS_ANYWHERE + ",;")
"""What a line that ends with it is no heading for, unless a mark says it is one."""


class Attempt(NamedTuple):
    """One way to look for a break."""

    kind: str
    """A key of FINDERS, and the reason a chunk ends there."""
    share: int
    """Quarters of the window of new text that the break must leave behind it."""


class Style(NamedTuple):
    """How a sort of text is broken. Attempts come in order; the first that finds a break wins.

    An attempt with a share of 0 counts only where the unit that would be cut otherwise fits the
    cap as a whole.
    """

    attempts: tuple[Attempt, ...]
    splitting: frozenset[str]
    """Kinds of break that cut through a unit: worth dropping an overlap to avoid."""
    unit: str
    """What is kept whole before context is kept: `line`, `word`, or "" for nothing."""
    starts: tuple[str, ...]
    """Keys of STARTS an overlap prefers to begin at, the best first."""
    headings: bool = False
    """Whether a heading at the end of a chunk moves to the next."""


STYLES: dict[str, Style] = {
    PROSE: Style(
        attempts=(
            Attempt("blank line", 2),
            Attempt("line", 2),
            Attempt("sentence", 2),
            Attempt("clause", 2),
            Attempt("word", 2),
            Attempt("blank line", 1),
            Attempt("line", 1),
            Attempt("sentence", 1),
            Attempt("clause", 1),
            Attempt("word", 1),
            Attempt("word", 0),
        ),
        splitting=frozenset({"cluster"}),
        unit="word",
        starts=("sentence", "line", "word"),
        headings=True,
    ),
    CODE: Style(
        attempts=(
            Attempt("line", 2),
            Attempt("line", 1),
            Attempt("line", 0),
            Attempt("word", 2),
            Attempt("word", 1),
            Attempt("word", 0),
        ),
        splitting=frozenset({"word", "cluster"}),
        unit="line",
        starts=("line", "word"),
    ),
    EXACT: Style(attempts=(), splitting=frozenset(), unit="", starts=("word",)),
}
"""Every style by name."""

STYLES[MARKUP] = STYLES[PROSE]._replace(headings=False)


STABLE_KINDS: Final = (("sentence", "line", "blank line"), ("word", "clause"))
"""Kinds among which a stable cut is chosen by checksum; the second group where the first has none.
Of two kinds at one place, the later gives the reason."""


def last_blank_line(text: str, low: int, high: int) -> int:
    """The last place in low < place <= high before which a line is blank; or -1."""
    place = last_line_end(text, low, high)
    while place >= 0:
        line = place - (2 if place - 2 >= low and text[place - 2 : place] == "\r\n" else 1)
        start = line
        while start > low and text[start - 1] in _BLANKS:
            start -= 1
        if start > low and text[start - 1] in "\r\n":
            return place
        place = last_line_end(text, low, line)
    return -1


def last_line_end(text: str, low: int, high: int) -> int:
    """The last place in low < place <= high after the end of a physical line; or -1."""
    found = max(text.rfind("\n", low, high), text.rfind("\r", low, high))
    return found + 1 if found >= 0 else -1


def last_word_end(text: str, low: int, high: int) -> int:
    """The last place in low < place <= high after white space; or -1."""
    match = _LAST_SEPARATOR.match(text, low, high)
    return match.end() if match else -1


FINDERS: dict[str, Callable[[str, int, int], int]] = {
    "blank line": last_blank_line,
    "line": last_line_end,
    "sentence": last_sentence_end,
    "clause": last_clause_end,
    "word": last_word_end,
}
"""Kind -> (text, low, high) -> the last break of the kind in low < break <= high, or -1."""


def _first(pattern: Pattern[str]) -> Callable[[str, int, int], int]:
    def find(text: str, low: int, high: int) -> int:
        match = pattern.search(text, low, high)
        return match.start() if match and match.start() < high else -1

    return find


_first_line_start = _first(_LINE_START)


def first_line_start(text: str, low: int, high: int) -> int:
    """The first place in low <= place < high at which a line that is not blank begins; or -1."""
    begins = (
        text.find("\n", max(0, low - 1), high) >= 0 or text.find("\r", max(0, low - 1), high) >= 0
    )
    return _first_line_start(text, low, high) if begins else -1


STARTS: dict[str, Callable[[str, int, int], int]] = {
    "sentence": first_sentence_start,
    "line": first_line_start,
    "word": _first(_WORD_START),
}
"""Kind -> (text, low, high) -> the first place in low <= place < high that begins one, or -1."""


def unit_end(kind: str, text: str, position: int, high: int) -> int:
    """Where the line or word that holds `position` ends; -1 where that is not before `high`."""
    pattern = LINE_END if kind == "line" else _NEXT_SEPARATOR
    match = pattern.search(text, position, high)
    return match.start() if match else -1


def can_be_cut_anywhere(text: str, position: int) -> bool:
    """Whether a script without spaces stands at `position`: a cut there goes through no word."""
    around = text[max(0, position - 1) : position + 1]
    return not around.isascii() and bool(_UNSPACED.search(around))


def keep_from_start(text: str, begin: int, low: int, position: int) -> int:
    """`position`, or up to MOST_MOVED clusters before it, so that no mark of NEVER_FIRST begins
    what follows; `position` where that is not possible after `low`. `begin` is a boundary."""
    moved = position
    for _ in range(MOST_MOVED):
        if moved <= low or moved >= len(text) or text[moved] not in NEVER_FIRST:
            break
        moved = cluster_floor(text, begin, moved - 1)
    return moved if moved > low else position


def heading_at_end(text: str, start: int, end: int, stop: int) -> int:
    """Where the heading begins that is the last line of text[start:end], or all of it; -1 if none
    is. `stop` bounds the look at what follows it."""
    line = last_line_end(text, start, end)
    if line < 0 and _begins_line(text, start):
        line = start
    if line < 0 or text[end : end + 1] not in ("\n", "\r", " ", "\t"):
        return -1
    if _ATX_HEADING.match(text, line, end):
        return line
    return line if _is_lonely_heading(text, line, end, stop) else -1


def _begins_line(text: str, position: int) -> bool:
    """Whether nothing but indentation stands before `position` in its line."""
    before = text[max(0, position - MOST_INDENTED) : position].rstrip(" \t")
    return before[-1] in "\r\n" if before else position <= MOST_INDENTED


def _is_lonely_heading(text: str, line: int, end: int, stop: int) -> bool:
    """A short line without end punctuation, after a blank line or nothing, before a paragraph that
    is more than such a line itself: one after a blank line, or one that begins with a capital, for
    otherwise it may be the first line of a wrapped paragraph."""
    if end - line > LONGEST_HEADING_LINE or not _is_title(text[line:end]):
        return False
    if not (_LINE_ENDS.match(text, end) and _is_after_blank(text, line)):
        return False
    after = INK.search(text, end, stop)
    if after is None or not (
        _CAPITAL.match(text, after.start()) or last_blank_line(text, end, after.start()) >= 0
    ):
        return False
    following = text[after.start() : min(stop, after.start() + LONGEST_HEADING_LINE)]
    first, *others = LINE_END.split(following, maxsplit=2)
    return not (_is_title(first) and (not others or is_whitespace_only(others[0])))


def _is_after_blank(text: str, line: int) -> bool:
    """Whether the line before the one that begins at `line`, indented or not, is blank, or none."""
    low = max(0, line - LONGEST_HEADING_LINE)
    start = low + len(text[low:line].rstrip(" \t"))
    return start == 0 or last_blank_line(text, low, start) == start


def _is_title(line: str) -> bool:
    kept = line.strip(WHITE_SPACE)
    return 0 < len(kept) <= HEADING_LENGTH and kept[-1] not in NO_HEADING_END
