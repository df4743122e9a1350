"""The stretch of a text that says most to a query's words. How it is shown, and in what colours, is
for a face to decide.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from chunkwright.characters import cluster_ceiling, cluster_floor, trim
from chunkwright.errors import ConfigError
from chunkwright.store.terms import MAX_QUERY, PREFIX, query_terms

WIDTH = 200
"""Code points of a snippet: three lines of a terminal."""

ELLIPSIS = "…"

SHORTEST_WORD = 3
"""Letters of a word in an alphabet; shorter ones stand on nearly every line."""

MOST_WORDS = 50
"""A query may be a whole page; more words than this mark everything."""

_WORD = re.compile(r"\w+")
_GAP = re.compile(r"\s+")


class Snippet(msgspec.Struct, frozen=True):
    """A verbatim slice of a text: `text[start:end]`."""

    text: str
    start: int
    end: int
    is_cut_before: bool = False
    """Whether something was left out before it, and so for after."""
    is_cut_after: bool = False
    marks: tuple[tuple[int, int], ...] = ()
    """Where the query's words stand in the slice: offsets from its beginning."""

    def with_ellipses(self) -> str:
        """The slice, with a sign on each side where something was left out."""
        before = ELLIPSIS if self.is_cut_before else ""
        return f"{before}{self.text}{ELLIPSIS if self.is_cut_after else ''}"


def words_of(query: str) -> tuple[str, ...]:
    """What of a query to look for in a text, case folded: words as written, and what searching
    makes of them (parts of identifiers, pairs of CJK)."""
    query = query[:MAX_QUERY]
    terms = [term.removesuffix(PREFIX) for term in query_terms(query)]
    asked = set(terms)
    written = [word for word in _WORD.findall(query.casefold()) if asked & set(query_terms(word))]
    words = list(dict.fromkeys([*written, *terms]))
    long = [word for word in words if not word.isascii() or len(word) >= SHORTEST_WORD]
    return tuple((long or words)[:MOST_WORDS])


def snippet(text: str, words: Sequence[str], width: int = WIDTH) -> Snippet:
    """The best stretch of at most `width` code points: with the most different words, then with
    the most of them, then the first; the beginning where none is found.

    Cut between words, or within one that is too long, never within a grapheme cluster (one that is
    longer than `width` alone is given whole). Raises ConfigError for a width below 1.
    """
    if width < 1:
        raise ConfigError("width", width, "a number of 1 or more")
    found = [match.span() for match in _matches(text, words)]
    low, high = _best(text, found, width)
    start = max(0, min(low - (width - (high - low)) // 2, len(text) - width))
    start, end = _at_edges(text, start, start + width, low, high)
    return Snippet(
        text[start:end],
        start,
        end,
        is_cut_before=not text[:start].isspace() and start > 0,
        is_cut_after=not text[end:].isspace() and end < len(text),
        marks=tuple((a - start, b - start) for a, b in found if start <= a and b <= end),
    )


def best_lines(lines: Sequence[str], words: Sequence[str], count: int) -> int:
    """Number (from 0) of the first of the `count` lines with the most different words, then with
    the most lines that hold one."""
    found = [{match.group().casefold() for match in _matches(line, words)} for line in lines]
    seen: Counter[str] = Counter()
    hits, best, answer = 0, (-1, -1), 0
    for at, line_words in enumerate(found):
        seen.update(line_words)
        hits += bool(line_words)
        if at >= count:
            seen.subtract(found[at - count])
            seen = +seen
            hits -= bool(found[at - count])
        start = max(0, at - count + 1)
        is_whole = at >= count - 1 or at == len(found) - 1
        if is_whole and (len(seen), hits) > best:
            best, answer = (len(seen), hits), start
    return answer


def _matches(text: str, words: Sequence[str]) -> Iterable[re.Match[str]]:
    words = [word for word in words if word]
    if not words:
        return ()
    pattern = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    found = re.finditer(pattern, text, re.IGNORECASE)
    return (match for match in found if _begins_word(text, match.start()))


def _begins_word(text: str, at: int) -> bool:
    """Whether a word, or a part of an identifier, begins here: `long` does not in `belong`."""
    before, first = text[at - 1 : at], text[at]
    if not (before.isalpha() and before.isascii() and first.isascii()):
        return True
    return before.islower() and first.isupper()


def _best(text: str, found: Sequence[tuple[int, int]], width: int) -> tuple[int, int]:
    """From the first to the last of the words that make the best stretch."""
    seen: Counter[str] = Counter()
    names = [text[start:end].casefold() for start, end in found]
    best, answer, last = (0, 0), (0, 0), 0
    for first, (start, _) in enumerate(found):
        while last < len(found) and (found[last][1] <= start + width or last == first):
            seen[names[last]] += 1
            last += 1
        if (len(seen), last - first) > best:
            best, answer = (len(seen), last - first), (start, found[last - 1][1])
        seen.subtract([names[first]])
        seen = +seen
    return answer


def _at_edges(text: str, start: int, end: int, low: int, high: int) -> tuple[int, int]:
    """`start` moved right and `end` left, to edges of words that keep text[low:high] where it
    fits, else to edges of clusters."""
    if start > 0:
        # One further left: the cut may already be at an edge.
        gap = _GAP.search(text, start - 1, max(start, low))
        start = cluster_ceiling(text, 0, gap.end() if gap else start)
    if end < len(text):
        floor = max(start, min(high, end))
        gaps = [gap.start() for gap in _GAP.finditer(text, floor, end + 1)]
        end = cluster_floor(text, start, gaps[-1] if gaps else end)
        if end <= start:
            end = cluster_ceiling(text, start, start + 1)
    else:
        end = len(text)
    kept = trim(text, start, end)
    return kept if kept[0] < kept[1] else (start, end)
