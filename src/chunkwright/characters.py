"""Facts about characters that every room must agree on: white space, physical lines, grapheme
clusters. Units, sizes and boundaries of meaning are not here (see measuring, chunking).

Classes come from the `regex` package's Unicode table, never from the interpreter's, so that the
same text is cut alike under every Python.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from re import compile as compile_plain
from re import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from regex import Pattern

WHITE_SPACE: Final = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005"
    "\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
"""The 25 code points of Unicode's White_Space and the four ASCII separators U+001C to U+001F:
the set that `str.split` and `str.strip` know. Zero-width characters are not white space."""

_WHITE: Final = frozenset(WHITE_SPACE)

LINE_END: Final = compile_plain(r"\r\n|\n|\r")
"""What ends a physical line; form feeds, U+0085 and U+2028 do not."""

INK: Final = compile_plain(f"[^{escape(WHITE_SPACE)}]")
"""A character that is not white space."""

INDENTATION: Final = " \t"

PART: Final = 262_144
"""Code points that are encoded at once, so that no copy of a whole text is made."""

REGIONAL_INDICATORS: Final = "".join(chr(code) for code in range(0x1F1E6, 0x1F200))

NEAR_LINES: Final = 128
"""Code points of a line up to which line feeds are sooner counted than gone through."""

FAR_BACK: Final = 65_536
"""Code points back over which line ends are counted again, rather than all of them noted."""

LONG_LINE: Final = 1_024
"""Code points within which the edge of a line is looked for in the text."""

PAIRS_REMEMBERED: Final = 16_384
"""Pairs of characters of which it is known whether a cluster ends between them."""

SHORT: Final = 200
"""Code points that are copied sooner than a pattern is asked about them."""

FIRST_LOOK: Final = 32
"""Code points looked back over, at first, for a place where segmentation can start."""


def is_whitespace_only(text: str) -> bool:
    """True when `text` is empty or holds nothing but WHITE_SPACE."""
    return not text or text.isspace()


def is_blank(text: str, start: int, end: int) -> bool:
    """Whether text[start:end] is empty or holds nothing but WHITE_SPACE. A long stretch is not
    copied: many may lie on one line."""
    if end - start <= SHORT:
        return is_whitespace_only(text[start:end])
    return INK.search(text, start, end) is None


def lone_surrogate(text: str) -> int | None:
    """Where the first code point stands that no text can have; None where there is none."""
    if text.isascii():
        return None
    for start in range(0, len(text), PART):
        try:
            # Of all encodings that refuse one, this does the least to the rest.
            text[start : start + PART].encode("utf-32-le")
        except UnicodeEncodeError as error:
            return start + error.start
    return None


def last_ink(text: str, start: int, end: int) -> int | None:
    """Where the last character of text[start:end] that is not white space stands; None without
    one. The cost is that of the white space behind it."""
    at = min(end, len(text)) - 1
    while at >= start and text[at] in _WHITE:
        at -= 1
    return at if at >= start else None


def last_up_to(places: list[int], position: int, near: int = 0) -> int:
    """Number of the last of sorted places that is not behind `position`; `near` is the number of
    one that is not, and the nearer it is, the sooner the last one is found."""
    found, step, count = near, 1, len(places)
    while found + step < count and places[found + step] <= position:
        found += step
        step *= 2
    after = min(found + step, count)
    while after - found > 1:
        middle = (found + after) // 2
        if places[middle] <= position:
            found = middle
        else:
            after = middle
    return found


class Lines:
    """The physical lines of a text: where each starts, and which one a position lies on.

    Answers that lie near the last one, or near what was asked, are found by a look at the text;
    for others a table of all lines is made, once.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._table: list[int] | None = None
        self._is_plain = "\r" not in text
        self._index = 0
        """Number of the line last found in the table."""
        self._position = 0
        """Where the number of the line was last asked for."""
        self._line = 1

    @property
    def starts(self) -> list[int]:
        """Offset of every line's first code point; the last may be the text's end."""
        if self._table is None:
            self._table = self._all_starts()
        return self._table

    def _all_starts(self) -> list[int]:
        starts = [0]
        if not self._is_plain:
            starts += [match.end() for match in LINE_END.finditer(self._text)]
            return starts
        start = self._text.find("\n") + 1
        while start:
            starts.append(start)
            start = self._text.find("\n", start) + 1
        return starts

    def number(self, position: int) -> int:
        """1-based line that holds the code point at `position`."""
        back = self._position - position
        if self._table is not None or not self._is_plain or min(back, position) > FAR_BACK:
            return self.index_of(position) + 1
        if back <= 0:
            self._line += _line_feeds(self._text, self._position, position)
        elif back <= position:
            self._line -= self._text.count("\n", position, self._position)
        else:
            self._line = 1 + _line_feeds(self._text, 0, position)
        self._position = position
        return self._line

    def start_of(self, position: int) -> int:
        """Offset at which the line that holds `position` starts."""
        if self._table is None and self._is_plain:
            found = self._text.rfind("\n", max(0, position - LONG_LINE), position) + 1
            if found or position <= LONG_LINE:
                return found
        return self.starts[self.index_of(position)]

    def end_of(self, position: int) -> int:
        """Offset at which the line that holds `position` ends, before its line end."""
        after = self.next_start(position)
        if after is None:
            return len(self._text)
        end = after - 1
        if self._text[end] == "\n" and end > 0 and self._text[end - 1] == "\r":
            end -= 1
        return end

    def starts_between(self, start: int, end: int) -> list[int]:
        """Where each line starts of which there is something in text[start:end], which is not
        empty: the first one at `start` or before it."""
        if self._table is not None or not self._is_plain:
            starts = self.starts
            return starts[self.index_of(start) : bisect_left(starts, end)]
        found = [self.start_of(start)]
        at = self._text.find("\n", start, end) + 1
        while 0 < at < end:
            found.append(at)
            at = self._text.find("\n", at, end) + 1
        return found

    def index_of(self, position: int) -> int:
        """0-based number of the line that holds `position`, from the table of all lines."""
        starts = self.starts
        near = self._index if starts[self._index] <= position else 0
        self._index = last_up_to(starts, position, near)
        return self._index

    def next_start(self, position: int) -> int | None:
        """Offset of the first line that starts after `position`, or None."""
        if self._table is None and self._is_plain:
            found = self._text.find("\n", position, position + LONG_LINE) + 1
            if found:
                return found
            if position + LONG_LINE >= len(self._text):
                return None
        starts = self.starts
        at = self.index_of(position) + 1
        return starts[at] if at < len(starts) else None


def line_numbers(
    text: str, starts: Sequence[int], ends: Sequence[int]
) -> tuple[list[int], list[int]]:
    """1-based lines on which stretches begin and on which they end, one look at the text for all.

    Starts and ends strictly increase, and no stretch is empty.
    """
    if "\r" in text:
        lines = Lines(text)
        return [lines.number(start) for start in starts], [lines.number(end - 1) for end in ends]
    first_lines, last_lines = [], []
    line, counted = 1, 0
    for start, end in zip(starts, ends, strict=True):
        if start < counted:
            first_lines.append(line - _line_feeds(text, start, counted))
        else:
            first_lines.append(line + _line_feeds(text, counted, start))
        last = end - 1
        line += _line_feeds(text, counted, last)
        counted = last
        last_lines.append(line)
    return first_lines, last_lines


def _line_feeds(text: str, start: int, end: int) -> int:
    """Number of LF in text[start:end]: from one to the next where they are far apart, for a count
    looks at every character."""
    number = 0
    place = text.find("\n", start, end)
    while place >= 0:
        if place - start < NEAR_LINES:
            return number + text.count("\n", place, end)
        number += 1
        start = place + 1
        place = text.find("\n", start, end)
    return number


@lru_cache(maxsize=1)
def _cluster() -> Pattern[str]:
    import regex  # 20 ms that ASCII text never pays

    return regex.compile(r"\X")


@lru_cache(maxsize=1)
def _safe_place() -> Pattern[str]:
    """Matches, the last first, places that are cluster boundaries whatever stands further left.

    UAX #29: a break follows every control; and it precedes a character that neither extends a
    cluster nor can be joined by ZWJ, a regional indicator, Hangul jamo or an Indic conjunct,
    unless a Prepend character stands before it.
    """
    import regex

    control = r"\p{GCB=Control}\p{GCB=CR}\p{GCB=LF}"
    joined = (
        r"\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}\p{GCB=Regional_Indicator}"
        r"\p{GCB=L}\p{GCB=V}\p{GCB=T}\p{GCB=LV}\p{GCB=LVT}"
        r"\p{Extended_Pictographic}\p{Indic_Syllabic_Category=Consonant}"
    )
    after_control = rf"(?<=[{control}])(?<!\r(?=\n))"
    before_plain = rf"(?<![\p{{GCB=Prepend}}])(?![{joined}\n])"
    return regex.compile(f"(?r){after_control}|{before_plain}")


@lru_cache(maxsize=1)
def _in_doubt() -> Pattern[str]:
    """Two characters between which there is an edge or not by what stands further left: emoji
    after a joiner, a consonant after what may make a conjunct, two regional indicators."""
    import regex

    joining = r"[\p{GCB=Extend}\p{GCB=ZWJ}]"
    joined = r"[\p{Extended_Pictographic}\p{Indic_Syllabic_Category=Consonant}]"
    return regex.compile(rf"{joining}{joined}|[{REGIONAL_INDICATORS}]{{2}}")


@lru_cache(maxsize=PAIRS_REMEMBERED)
def is_edge(left: str, right: str) -> bool | None:
    """Whether a cluster ends between two characters; None where they alone do not tell."""
    pair = left + right
    if pair.isascii():
        return pair != "\r\n"
    if _in_doubt().match(pair):
        return None
    return _cluster().fullmatch(pair) is None


def cluster_floor(text: str, low: int, position: int) -> int:
    """The last grapheme cluster boundary at or before `position`, not before `low`.

    `low` is taken for a boundary. The cost is bounded by `position - low`; where no cluster is
    near, by a constant.
    """
    if position <= low or position >= len(text):
        return max(low, min(position, len(text)))
    for _ in range(FIRST_LOOK):
        edge = is_edge(text[position - 1], text[position])
        if edge:
            return position
        if edge is None:
            break
        position -= 1
        if position == low:
            return low
    return _floor_in_context(text, low, position)


def _floor_in_context(text: str, low: int, position: int) -> int:
    """As `cluster_floor`, by a look at what stands further left."""
    if text[position] in REGIONAL_INDICATORS and text[position - 1] in REGIONAL_INDICATORS:
        run = low + len(text[low:position].rstrip(REGIONAL_INDICATORS))
        pair = position - (position - run) % 2
        return cluster_floor(text, low, run) if pair == run else pair
    look = FIRST_LOOK
    while True:
        start = max(low, position - look)
        safe = start if start == low else _last_safe(text, start, position)
        if safe is not None:
            return _last_boundary(text, safe, position)
        look *= 4


def cluster_ceiling(text: str, low: int, position: int) -> int:
    """The first grapheme cluster boundary at or after `position`; `low` is a known boundary."""
    floor = cluster_floor(text, low, position)
    if floor == position:
        return position
    match = _cluster().match(text, floor)
    return match.end() if match else position


def trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Shrink `start:end` past the white space at its edges, never into a grapheme cluster.

    Gives (end, end) where nothing but white space is there.
    """
    ink = INK.search(text, start, end)
    if ink is None:
        return end, end
    first, last = ink.start(), end
    while text[last - 1] in _WHITE:
        last -= 1
    if last < end and text[last - 1] >= "\x80":
        last = min(end, cluster_ceiling(text, start, last))
    return cluster_floor(text, start, first), last


def trim_to_lines(text: str, start: int, end: int) -> tuple[int, int]:
    """Like `trim`, but keep the indentation of the first line that is not blank."""
    first, last = trim(text, start, end)
    indented = start + len(text[start:first].rstrip(INDENTATION))
    at_line_start = indented == 0 or text[indented - 1] in "\r\n"
    return (indented if at_line_start and first < last else first), last


def _last_safe(text: str, start: int, position: int) -> int | None:
    # One further, for what follows `position` decides whether it is safe itself.
    matches = _safe_place().finditer(text, start, position + 1)
    return next((match.start() for match in matches if match.start() <= position), None)


def _last_boundary(text: str, start: int, position: int) -> int:
    """The last cluster boundary at or before `position`, segmenting from the boundary `start`."""
    boundary = start
    for match in _cluster().finditer(text, start, position + 1):
        if match.end() > position:
            break
        boundary = match.end()
    return boundary
