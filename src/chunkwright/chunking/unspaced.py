"""Where a word ends and the next begins inside Thai, Lao, Khmer, Burmese, Chinese and Japanese,
which put no space between words. Whether such a place is a good one for a cut is decided
elsewhere; words with spaces between them are in `breaks`, sentences in `sentences`.

The words come from ICU's dictionaries, by way of icu4py (extra `words`). Its wheels carry ICU and
its data for every platform, cut 200 code points in about 20 us, and serve all six scripts alike;
of what serves one script, only nlpO3 is as quick, and that comes without a dictionary. Where
icu4py is not installed there are no word breaks, and a cut falls between grapheme clusters.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

from chunkwright.characters import cluster_floor
from chunkwright.chunking.sentences import NEVER_FIRST

if TYPE_CHECKING:
    from icu4py.breakers import WordBreaker

DISTRIBUTIONS: tuple[str, ...] = ("icu4py",)
"""The distributions whose versions decide where words end: for fingerprints."""

REACH = 64
"""Code points between which and the asked-for end of a range a break is looked for. Words of
these scripts have two to ten, the longest place names about fifty."""

CONTEXT = 24
"""Code points more, on both sides, that are shown to the dictionary. Started in the middle of a
run it found the right words again within 16, in 9,000 trials over the six scripts."""

LETTERS = (
    "\u0e01-\u0e3a\u0e40-\u0e4e"  # Thai
    "\u0e81-\u0ece\u0edc-\u0edf"  # Lao
    "\u1000-\u103f\u1050-\u108f\u109a-\u109d"  # Burmese
    "\ua9e0-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa76\uaa7a-\uaa7f"
    "\u1780-\u17d3\u17d7\u17dc\u17dd"  # Khmer
    "\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"  # Kana
    "\uff66-\uff9f\U0001aff0-\U0001b168"
    "\u3005-\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufad9"  # Han
    "\U00016fe3\U00016ff0-\U00016ff6\U00020000-\U0003ffff"
)
"""Letters and marks of the six scripts, as the inside of a character class: no digits, which are
words of their own, and no punctuation."""

LOCALE = "und"
"""ICU's rules without a language: the script says which dictionary is meant."""

_RUN = re.compile(f"[{LETTERS}]{{2,}}+")
_FIRST_OF_TWO_UNITS = "\U00010000"


def last_word_break(text: str, low: int, high: int) -> int:
    """The last place in low < place <= high, and within REACH of `high`, between two words of a
    script without spaces; or -1. It depends on nothing further off than REACH and CONTEXT."""
    low = max(low, high - REACH)
    for start, end in reversed(_runs(text, low, high)):
        for place in reversed(_breaks(text, start, end)):
            if low < place <= high and _can_be_cut(text, start, place):
                return place
    return -1


def first_word_break(text: str, low: int, high: int) -> int:
    """The first place in low <= place < high, and within REACH of `low`, between two words of a
    script without spaces; or -1. It depends on nothing further off than REACH and CONTEXT."""
    high = min(high, low + REACH)
    for start, end in _runs(text, low, high):
        for place in _breaks(text, start, end):
            if low <= place < high and _can_be_cut(text, start, place):
                return place
    return -1


def _runs(text: str, low: int, high: int) -> list[tuple[int, int]]:
    """Where letters of such scripts stand in a row, around low and high; their context with them,
    as far as it is looked at."""
    if low > high or text.isascii():
        return []
    found = _RUN.finditer(text, max(0, low - CONTEXT), high + CONTEXT)
    return [run.span() for run in found if run.start() < high and run.end() > low]


def _breaks(text: str, start: int, end: int) -> list[int]:
    """The places between two words inside the run text[start:end]."""
    breaker = _word_breaker()
    if breaker is None:
        return []
    run = text[start:end]
    stops = [stop for _, stop in breaker(run, LOCALE).segments()][:-1]
    if max(run) >= _FIRST_OF_TWO_UNITS:
        stops = _in_code_points(run, stops)
    return [start + stop for stop in stops]


def _can_be_cut(text: str, start: int, place: int) -> bool:
    return text[place] not in NEVER_FIRST and cluster_floor(text, start, place) == place


def _in_code_points(run: str, stops: list[int]) -> list[int]:
    """Stops counted in UTF-16 units, as ICU counts, in code points."""
    units = accumulate(2 if character >= _FIRST_OF_TWO_UNITS else 1 for character in run)
    code_points = {unit: index for index, unit in enumerate(units, 1)}
    return [code_points[stop] for stop in stops]


@lru_cache(maxsize=1)
def _word_breaker() -> type[WordBreaker] | None:
    """ICU's word breaks; None where icu4py is not installed. Loaded when first needed: 19 ms."""
    try:
        from icu4py.breakers import WordBreaker
    except ImportError:
        return None
    return WordBreaker
