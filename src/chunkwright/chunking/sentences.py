"""Where sentences and clauses end, in the scripts that mark it. Tables and finders; whether a
sentence end is a good place for a cut is decided elsewhere.

Everything is found by marks, in one pass over what is asked about; Thai and Lao, which mark no
sentences, put white space between them and are served by that.
"""

from __future__ import annotations

import regex

from chunkwright.characters import INK, WHITE_SPACE


def characters_of(marks: str) -> str:
    """The marks as the inside of a character class."""
    return "".join(f"\\U{ord(mark):08x}" for mark in marks)


def _words(words: str) -> frozenset[str]:
    return frozenset(words.split())


ENDS_BEFORE_SPACE = ".?!…‽"
"""Marks that end a sentence where white space follows."""

ENDS_ANYWHERE = "。！？；｡．।॥؟۔።፧։។៕။"
"""Marks that end a sentence whatever follows: CJK, Devanagari, Arabic, Ethiopic, Armenian, Khmer,
Burmese."""

CLAUSE_ENDS_BEFORE_SPACE = ";:"
CLAUSE_ENDS_ANYWHERE = "，、：؛،፣፤"

CLOSERS = "\"'”’»›)]}）］｝」』】》〉＂＇*_`"
"""What may stand between a sentence's last mark and what follows it."""

NEVER_FIRST = "。！？；，、：｡．…）］｝」』】》〉”’»›ー々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ"
"""What begins no line, in scripts that can be broken between any two characters."""

TITLES = _words(
    "al bzw ca capt cf dr e.g fr gen gov hon i.e lt mme mr mrs ms prof rep rev sgt st u.a usw vgl "
    "vs z.b"
)
"""Abbreviations no sentence ends with; lower case, the last stop left out."""

LAST_WORDS = _words("a.m co corp dept etc inc jr ltd p.m sr")
"""Abbreviations that end a sentence unless a small letter or a digit follows."""

NUMBERED = _words(
    "abb abs apr art aug bd ch dec eq feb fig figs jan jul jun no nos nov nr oct p pp sec sep sept "
    "tab vol"
)
"""Words that stand with a stop before a number, and may end a sentence before anything else."""

LONGEST_ABBREVIATION = 12
"""Code points looked at before a full stop: more than the longest of the above, stops included."""

LOOK_BACK = 8
"""Code points before a place in which a sentence may have ended, white space and quotes included,
so that the place begins the next one."""

_WHITE = characters_of(WHITE_SPACE)
_CLOSERS = characters_of(CLOSERS)
_BEFORE_SPACE = characters_of(ENDS_BEFORE_SPACE)
# Anchored at both ends of a run of marks or quotes, so that no run is gone through twice.
_SENTENCE_END = (
    rf"(?:(?<![{_BEFORE_SPACE}])[{_BEFORE_SPACE}]++[{_CLOSERS}]*+(?=[{_WHITE}]|\Z)"
    rf"|[{characters_of(ENDS_ANYWHERE)}][{_CLOSERS}]*+(?![{_CLOSERS}]))"
)
_CLAUSE_END = (
    rf"(?:[{characters_of(CLAUSE_ENDS_BEFORE_SPACE)}](?=[{_WHITE}])"
    rf"|[{characters_of(CLAUSE_ENDS_ANYWHERE)}])"
)
_EOL = r"(?>\r\n|\n|\r)"

_LAST_SENTENCE_END = regex.compile(f"(?r){_SENTENCE_END}")
_NEXT_SENTENCE_END = regex.compile(_SENTENCE_END)
_LAST_CLAUSE_END = regex.compile(f"(?r){_CLAUSE_END}")
_PARAGRAPH_START = regex.compile(rf"(?<={_EOL}[ \t\f\v]*{_EOL})[^{_WHITE}]")
_WORD_BEFORE_STOP = regex.compile(r"(?r)[\p{L}\p{M}\p{N}.]+")
_INITIAL = regex.compile(r"(?:.*\.)?(?:\p{Lu}|[a-z])")
_LIST_NUMBER = regex.compile(r"(?r)(?:\A|(?<=[\r\n]))[ \t]*\p{Nd}{1,3}")
_SMALL_OR_DIGIT = regex.compile(r"[\p{Ll}\p{Nd}]")
_DIGIT = regex.compile(r"\p{Nd}")


def last_sentence_end(text: str, low: int, high: int) -> int:
    """The last sentence end in low < end <= high, its quotes and brackets included; or -1."""
    match = _LAST_SENTENCE_END.search(text, low, high)
    while match:
        if _ends_sentence(text, match.start(), match.end()):
            return int(match.end())
        match = _LAST_SENTENCE_END.search(text, low, match.start())
    return -1


def first_sentence_start(text: str, low: int, high: int) -> int:
    """The first place in low <= place < high at which a sentence or a paragraph begins; or -1."""
    paragraph = _PARAGRAPH_START.search(text, low, high)
    if paragraph:
        high = paragraph.start()
    for match in _NEXT_SENTENCE_END.finditer(text, max(0, low - LOOK_BACK), high):
        after = INK.search(text, match.end(), high)
        if after and after.start() >= low and _ends_sentence(text, match.start(), match.end()):
            return int(after.start())
    return high if paragraph else -1


def last_clause_end(text: str, low: int, high: int) -> int:
    """The last end of a clause in low < end <= high, by a semicolon, a colon or, in scripts
    without spaces, a comma; or -1."""
    match = _LAST_CLAUSE_END.search(text, low, high + 1)
    while match and (match.end() > high or _never_first(text, match.end())):
        match = _LAST_CLAUSE_END.search(text, low, match.start())
    return int(match.end()) if match else -1


def _never_first(text: str, position: int) -> bool:
    return position < len(text) and text[position] in NEVER_FIRST + CLOSERS


def _ends_sentence(text: str, start: int, end: int) -> bool:
    """Whether the marks text[start:end] end a sentence, given what stands around them."""
    if text[start] in ENDS_ANYWHERE:
        return not _never_first(text, end)
    if end < len(text) and text[end] not in WHITE_SPACE:
        return False
    alone = text[start] == "." and text[start + 1 : start + 2] != "."
    return not (alone and _is_abbreviation(text, start, end))


def _is_abbreviation(text: str, stop: int, end: int) -> bool:
    """Whether the full stop at `stop` belongs to the word or number before it."""
    before = _WORD_BEFORE_STOP.match(text, max(0, stop - LONGEST_ABBREVIATION), stop)
    if not before:
        return False
    word = before.group().lower()
    if word in TITLES or _INITIAL.fullmatch(before.group()):
        return True
    if word in LAST_WORDS:
        return _follows(_SMALL_OR_DIGIT, text, end)
    if word in NUMBERED:
        return _follows(_DIGIT, text, end)
    return bool(_LIST_NUMBER.match(text, max(0, before.start() - LOOK_BACK), stop))


def _follows(kind: regex.Pattern[str], text: str, end: int) -> bool:
    """Whether the first character after the white space at `end` is of the kind."""
    after = INK.search(text, end)
    return bool(after and kind.match(text, after.start()))
