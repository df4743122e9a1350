"""Where sentences and clauses end, in the scripts that mark it. Tables and finders; whether a
sentence end is a good place for a cut is decided elsewhere, and words without spaces between
them are found in `unspaced`.

Everything is found by marks, in one pass over what is asked about; Thai and Lao, which mark no
sentences, put white space between them and are served by that.

The marks are those of UAX #29, and so is the rule that a stop before a small letter ends nothing;
but quotes and brackets are not looked through for that letter, as "It works. `name` is a function"
has two sentences. No library decides: sentencex, ICU, Bling Fire, sakurs and pysbd cut whole texts,
at six times the cost and more, and each misses some of the cases in `tests/test_sentences.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from string import ascii_letters, ascii_lowercase, digits, punctuation
from typing import TYPE_CHECKING, Final

from chunkwright.characters import INK, LINE_END, WHITE_SPACE

if TYPE_CHECKING:
    from regex import Pattern


def characters_of(marks: Iterable[str]) -> str:
    """The marks as the inside of a character class."""
    return "".join(f"\\U{ord(mark):08x}" for mark in marks)


def _words(words: str) -> frozenset[str]:
    return frozenset(words.split())


ENDS_BEFORE_SPACE: Final = ".?!…‽\u2024\u037e"
"""Marks that end a sentence where white space follows; most stand inside words, numbers and
addresses too. The last two are the one dot leader and the Greek question mark."""

ENDS_ANYWHERE: Final = (
    "。！？；｡．﹒﹖﹗︒︕︖"  # Chinese and Japanese, in all widths and directions
    "‼⁇⁈⁉⸮⸼⹓⹔\u2e60\u2e61"  # doubled, reversed, shorthand, medieval
    "։؝؞؟۔܀܁܂߹࠷࠹࠽࠾።፧፨"  # Armenian, Arabic, Syriac, N'Ko, Samaritan, Ethiopic
    "।॥꣎꣏꫰꫱꯫᱾᱿᰻᰼᥄᥅"  # danda of India; Saurashtra, Meitei, Ol Chiki, Lepcha, Limbu
    "།༎༏༐༑༔"  # Tibetan, where a shad ends clauses too
    "၊။។៕៚᪨᪩᪪᪫꩝꩞꩟꤯"  # Burmese, Khmer, Tai Tham, Cham, Kayah Li
    "\u1b4e\u1b4f᭚᭛᭞᭟᭽᭾\u1b7f꧈꧉᜵᜶"  # Balinese, Javanese, Philippine
    "᠃᠉꡶꡷᙮꓿꘎꘏꛳꛷⳹⳺⳻"  # Mongolian, Phags-pa, Canadian, Lisu, Vai, Bamum, Nubian
    # Beyond the first plane: scripts of the past, and small ones of today.
    "\U00010a56\U00010a57\U00010f55\U00010f56\U00010f57\U00010f58\U00010f59\U00010f86\U00010f87"
    "\U00010f88\U00010f89\U00011047\U00011048\U000110be\U000110bf\U000110c0\U000110c1\U00011141"
    "\U00011142\U00011143\U000111c5\U000111c6\U000111cd\U000111de\U000111df\U00011238\U00011239"
    "\U0001123b\U0001123c\U000112a9\U000113d4\U000113d5\U0001144b\U0001144c\U000115c2\U000115c3"
    "\U000115c9\U000115ca\U000115cb\U000115cc\U000115cd\U000115ce\U000115cf\U000115d0\U000115d1"
    "\U000115d2\U000115d3\U000115d4\U000115d5\U000115d6\U000115d7\U00011641\U00011642\U0001173c"
    "\U0001173d\U0001173e\U00011944\U00011946\U00011a42\U00011a43\U00011a9b\U00011a9c\U00011c41"
    "\U00011c42\U00011ef7\U00011ef8\U00011f43\U00011f44\U00016a6e\U00016a6f\U00016af5\U00016b37"
    "\U00016b38\U00016b44\U00016d6e\U00016d6f\U00016e98\U0001bc9f\U0001da88"
)
"""Marks that end a sentence whatever follows: all that Unicode calls sentence terminals but those
above; and the wide semicolon, the shads of Tibetan and the end of a Khmer text."""

CLAUSE_ENDS_BEFORE_SPACE: Final = ";:"
CLAUSE_ENDS_ANYWHERE: Final = "，、：､﹐﹑؛،፣፤፥፦៖᠂᠈"

CLOSERS: Final = "\"'”’»›)]}）］｝」』】》〉〕〗〙〛｠｣＂＇*_`"
"""What may stand between a sentence's last mark and what follows it."""

CLOSERS_BEFORE_SPACE: Final = "“‘«‹"
"""Quotes that open in one language and close in another: where white space follows, they close."""

NEVER_FIRST: Final = (
    ENDS_ANYWHERE + CLAUSE_ENDS_ANYWHERE + "…）］｝」』】》〉〕〗〙〛｠｣”’»›"
    "ーｰ々〻ゝゞヽヾぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶ"
    "ฯๆຯໆៗ"  # repeat or shorten the word before: Thai, Lao, Khmer
)
"""What begins no line, in scripts that can be broken between any two characters."""

TITLES: Final = _words(
    # English, with what is used everywhere
    "capt cf dr e.g gen gov hon i.e lt mr mrs ms prof rep rev sgt vs viz"
    # German, French, Spanish, Portuguese, Italian, Dutch, Polish
    " bspw bzw ca d.h evtl fr ggf i.d.r inkl sog u.a vgl z.b z.t"
    " mgr mlle mme p.ex ee exmo p.ej sra srta dra sig dott bijv dhr mevr np tzn tzw"
    # Russian and Ukrainian
    " т.е т.к т.н т.ч акад напр проф ред см тов ул"
    # Arabic and Hindi: doctor
    " د डॉ"
)
"""Abbreviations no sentence ends with; lower case, the last stop and spaces left out."""

LAST_WORDS: Final = _words("a.m co corp dept ecc etc inc itd itp jr ltd o.ä p.m usw т.д т.п")
"""Abbreviations that end a sentence unless a small letter or a digit follows."""

NUMBERED: Final = _words(
    "abb abs apr art aug bd ch dec eq feb fig figs jan jul jun no nos nov nr núm oct p pag pp sec "
    "sep sept tab vol гл рис стр табл"
)
"""Words that stand with a stop before a number, and may end a sentence before anything else."""

BEFORE_NAMES: Final = _words("al sr st")
"""Abbreviations that end a sentence only where a word of STARTERS follows."""

STARTERS: Final = _words(
    "After All Although And Another As At Because Before Both But Each Every For From He Her Here "
    "His How However If In Instead It Its Later Many Most My No Not Now On Our She Since So Some "
    "Such That The Their Then There Therefore These They This Those Thus Today We What When Where "
    "While Who Why With Yet You Your"
)
"""English words that begin a sentence far more often than a name: after initials ("the U.S. The
law") they tell the end of a sentence from the middle of one ("the U.S. Army")."""

SHORTEST_STARTER_AFTER_INITIAL: Final = 3
"""Letters a starter needs after a single initial, since "K. He" and "Y. So" are people."""

AFTER_ORDINAL: Final = _words(
    "Januar Jänner Februar März April Mai Juni Juli August September Oktober November Dezember "
    "Jahrhundert Jahrhunderts Jh"
)
"""German words before which a number with a stop is an ordinal."""

LONGEST_ABBREVIATION: Final = 12
"""Code points looked at before a full stop: more than the longest of the above, stops included."""

LOOK_BACK: Final = 8
"""Code points before a place in which a sentence may have ended, white space and quotes included,
so that the place begins the next one."""

LOOK_FOR_CAPITALS: Final = 256
"""Code points before a full stop; without a capital in them, small letters begin sentences."""

LOOK_AHEAD: Final = 64
"""Code points after a sentence's last mark in which the next one must begin to have a say."""

BEFORE_ITEM: Final = "\r\n.!?:;"
"""Characters after which a number with a stop counts an item."""

_WHITE_OR_NONE: Final = frozenset([*WHITE_SPACE, ""])
_ALL_CLOSERS: Final = CLOSERS + CLOSERS_BEFORE_SPACE
_NOT_AFTER_END: Final = frozenset(NEVER_FIRST + CLOSERS)
_ENDS_BEFORE_SPACE: Final = frozenset(ENDS_BEFORE_SPACE)
_ENDS_ANYWHERE: Final = frozenset(ENDS_ANYWHERE)
_SECOND_PLANE: Final = "\U00010000"
_FAR_MARKS: Final = [mark for mark in ENDS_ANYWHERE if mark >= _SECOND_PLANE]
_STOPS: Final = ".…\u2024"
_WIDE_STOPS: Final = "．﹒"
_ASCII_WORD: Final = ascii_letters + digits + "."

_WHITE: Final = characters_of(WHITE_SPACE)
_ANYWHERE: Final = characters_of(ENDS_ANYWHERE)
# `re` finds a character of the first plane in a table, but goes through others one by one, which
# costs ten times as much; so one range holds these marks, and what else is in it is refused later.
_MARK: Final = (
    f"[{characters_of(m for m in ENDS_BEFORE_SPACE + ENDS_ANYWHERE if m < _SECOND_PLANE)}"
    f"{min(_FAR_MARKS)}-{max(_FAR_MARKS)}"
)
_CLOSED: Final = f"[{characters_of(CLOSERS)}]*+"
_CLOSED_BEFORE_SPACE: Final = f"[{characters_of(_ALL_CLOSERS)}]*+"

# A greedy `.*` jumps to the end and looks backwards from there, in a third of the time that a
# reverse search of `regex` takes. Of a run of marks only the last can match, so that no run of
# quotes after it is gone through more than twice.
_END: Final = rf"{_MARK}](?:{_CLOSED_BEFORE_SPACE}(?=[{_WHITE}]|\Z)|(?<=[{_ANYWHERE}]){_CLOSED})"
_LAST_END: Final = re.compile(f"(?s).*{_END}").match
_NEXT_START: Final = re.compile(
    rf"{_MARK}\r\n](?:"
    rf"(?<=[\r\n])(?:(?<=\r)\n)?+[ \t\f\v]*+(?:\r\n?+|\n)(?=[^{_WHITE}])"
    rf"|(?<![\r\n])(?:{_CLOSED_BEFORE_SPACE}(?=[{_WHITE}])|(?<=[{_ANYWHERE}]){_CLOSED})()"
    rf"[{_WHITE}]*+)"
).search
_LAST_CLAUSE_END: Final = re.compile(
    rf"(?s).*[{characters_of(CLAUSE_ENDS_BEFORE_SPACE + CLAUSE_ENDS_ANYWHERE)}]"
    rf"(?:(?=[{_WHITE}])|(?<=[{characters_of(CLAUSE_ENDS_ANYWHERE)}]))"
).match
_ASCII_INITIALS: Final = re.compile(r"(?:[A-Za-z]{1,2}\.)*+[A-Za-z]")
_LATIN_NAME: Final = re.compile(r"[A-Za-zÄä]+")
_NUMBER: Final = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3})*+")

_KINDS: Final = {
    word: kind for kind in (TITLES, LAST_WORDS, NUMBERED, BEFORE_NAMES) for word in kind
}
_PRINTABLE: Final = ascii_letters + digits + punctuation


def _plain_stops() -> tuple[frozenset[str], frozenset[str]]:
    """What stands before an end that needs no look at abbreviations: two characters and the mark;
    and three where two are not enough, as `on.` ends `hon.` too."""
    pairs = {a + b for a in ascii_lowercase for b in ascii_lowercase}
    doubtful = pairs & {word[-2:] for word in _KINDS}
    closed = {a + b for a in _PRINTABLE for b in ')]}"*` '}
    longer = {letter + pair for letter in ascii_lowercase for pair in doubtful}
    return (
        frozenset(pair + "." for pair in pairs - doubtful | closed),
        frozenset(three + "." for three in longer - {word[-3:] for word in _KINDS}),
    )


_STOPS_FOUND = _plain_stops()
_PLAIN: Final = _STOPS_FOUND[0]
_LONGER_PLAIN: Final = _STOPS_FOUND[1]
_PLAINLY_NEXT: Final = frozenset(
    [" " + character for character in _PRINTABLE if character not in ascii_lowercase]
    + ["\n" + character for character in _PRINTABLE + " \n"]
)
"""White space and the character after it, when that is no small letter in the same line. With a
plain stop before it, this decides nine cases in ten."""


def last_sentence_end(text: str, low: int, high: int) -> int:
    """The last sentence end in low < end <= high, its quotes and brackets included; or -1."""
    # In most texts the last full stop is the place, and finding it so takes half the time.
    end = text.rfind(".", low, high) + 1
    if _ends_plainly(text, end) and not _may_end_or_begin(text[end:high]):
        return end
    match = _LAST_END(text, low, high)
    while match:
        end = match.end()
        if _ends_plainly(text, end) or _ends_sentence(text, end):
            return end
        match = _LAST_END(text, low, _mark_before(text, end))
    return -1


def first_sentence_start(text: str, low: int, high: int) -> int:
    """The first place in low <= place < high at which a sentence or a paragraph begins; or -1."""
    # Inside a word, nothing before it has a say.
    start = low - 1 if low and text[low - 1].isalnum() else max(0, low - LOOK_BACK)
    stop = text.find(".", start, high)
    if stop < 0 and not _may_end_or_begin(text[start:high]):
        return -1
    # In most texts the first full stop is the place that is not inside a word or a number.
    while 0 <= stop < high - 2 and text[stop + 1].isalnum():
        stop = text.find(".", stop + 1, high)
    is_plain = (
        low - 2 <= stop < high - 2 and text[stop + 1] == " " and _ends_plainly(text, stop + 1)
    )
    if is_plain and not _may_end_or_begin(text[start:stop]):
        return stop + 2
    match = _NEXT_START(text, start, high)
    while match:
        place = match.end()
        end = match.start(1)
        if low <= place < high and (
            _ends_plainly(text, end) or end < 0 or _ends_sentence(text, end)
        ):
            return place
        match = _NEXT_START(text, match.start() + 1, high)
    return -1


def _may_end_or_begin(text: str) -> bool:
    """Whether a short text without a full stop may have a mark or a line's end in it: sooner told
    than by a pattern."""
    return not text.isascii() or "\n" in text or "?" in text or "!" in text or "\r" in text


def last_clause_end(text: str, low: int, high: int) -> int:
    """The last end of a clause in low < end <= high, by a semicolon, a colon or, in scripts
    without spaces, a comma; or -1."""
    match = _LAST_CLAUSE_END(text, low, high + 1)
    while match:
        end = match.end()
        if end <= high and text[end : end + 1] not in _NOT_AFTER_END:
            return end
        match = _LAST_CLAUSE_END(text, low, end - 1)
    return -1


def _ends_sentence(text: str, end: int) -> bool:
    """Whether the mark before `end`, quotes and brackets between them, ends a sentence."""
    mark = _mark_before(text, end)
    if text[mark] in _ENDS_ANYWHERE:
        return _ends_anywhere(text, mark, end)
    if text[mark] not in _ENDS_BEFORE_SPACE or INK.match(text, end):
        return False
    return text[mark] not in _STOPS or _stop_ends_sentence(text, mark, end)


def _ends_plainly(text: str, end: int) -> bool:
    """Whether the full stop before `end` ends a sentence at first sight."""
    return text[end : end + 2] in _PLAINLY_NEXT and _is_plain_stop(text, end)


def _is_plain_stop(text: str, end: int) -> bool:
    """Whether no abbreviation ends at `end`, at first sight."""
    return text[end - 3 : end] in _PLAIN or text[end - 4 : end] in _LONGER_PLAIN


def _mark_before(text: str, end: int) -> int:
    """Where the mark stands whose quotes and brackets reach to `end`."""
    mark = end - 1
    while text[mark] in _ALL_CLOSERS:
        mark -= 1
    return mark


def _stop_ends_sentence(text: str, stop: int, end: int) -> bool:
    """Whether a full stop or an ellipsis before white space ends a sentence."""
    follower = _follower(text, end)
    small = follower >= 0 and _is_small(text[follower])
    if small and not _line_ends(text, end, follower) and _has_capitals(text, stop):
        return False
    if _is_plain_stop(text, stop + 1):
        return True
    alone = text[stop] == "." and (stop == 0 or text[stop - 1] not in _ENDS_BEFORE_SPACE)
    return not (alone and _is_abbreviation(text, stop, follower))


def _line_ends(text: str, end: int, follower: int) -> bool:
    one_space = follower == end + 1 and text[end] == " "
    return not one_space and bool(LINE_END.search(text, end, follower))


def _ends_anywhere(text: str, mark: int, end: int) -> bool:
    """Whether a mark of ENDS_ANYWHERE is the last of its sentence and, where it is a wide full
    stop, not inside a number or an abbreviation."""
    if text[end : end + 1] in _NOT_AFTER_END:
        return False
    if text[mark] in _WIDE_STOPS and _class(r"[\p{SB=Lower}\p{SB=Upper}\p{Nd}]").match(text, end):
        return False
    if end < len(text) and text[end] not in WHITE_SPACE:
        return True
    follower = _follower(text, end)
    return (
        follower < 0
        or text[follower] not in _ENDS_ANYWHERE
        or bool(LINE_END.search(text, end, follower))
    )


def _follower(text: str, end: int) -> int:
    """Where the first character after the white space at `end` stands; -1 if not near."""
    if text[end : end + 1] == " " and text[end + 1 : end + 2] not in _WHITE_OR_NONE:
        return end + 1
    after = INK.search(text, end, end + LOOK_AHEAD)
    return after.start() if after else -1


def _is_abbreviation(text: str, stop: int, follower: int) -> bool:
    """Whether the full stop at `stop` belongs to the word or number before it."""
    word = _word_before(text, stop)
    if not word:
        return False
    start, low = stop - len(word), word.lower()
    kind = _KINDS.get(low) or _KINDS.get(_with_initial_before(text, start) + low)
    if kind is not None:
        return _belongs_to_follower(kind, text, follower)
    if _NUMBER.fullmatch(word):
        return _begins_item(text, start) or _next_word(text, follower) in AFTER_ORDINAL
    return _are_initials(text, start, word) and not _ends_after_initials(text, word, follower)


def _belongs_to_follower(kind: frozenset[str], text: str, follower: int) -> bool:
    """Whether an abbreviation of that kind stands before `follower` in one sentence."""
    if kind is TITLES or follower < 0:
        return kind is TITLES
    if kind is BEFORE_NAMES:
        return not _starter_at(text, follower)
    return _is_digit(text[follower]) or (kind is LAST_WORDS and _is_small(text[follower]))


def _word_before(text: str, stop: int) -> str:
    """The letters, digits and stops before `stop`, as far as an abbreviation can reach."""
    before = text[max(0, stop - LONGEST_ABBREVIATION) : stop]
    if before.isascii():
        return before[len(before.rstrip(_ASCII_WORD)) :]
    match = _class(r"(?r)[\p{L}\p{M}\p{N}.]+\Z").search(before)
    return str(match.group()) if match else ""


def _with_initial_before(text: str, start: int) -> str:
    """`z.` of `z. B.`, given where the B stands: abbreviations are written with spaces too."""
    before = text[max(0, start - 3) : start]
    spaced = len(before) == 3 and before[1] == "." and before[2] in " \xa0\u202f"
    return before[:2].lower() if spaced else ""


def _are_initials(text: str, start: int, word: str) -> bool:
    """Whether the word at `start` is one letter, or letters with stops between them; and not the
    end of a word, as the s of "Ann's" is."""
    if start > 1 and text[start - 1] in "'’\"”`*" and text[start - 2] not in WHITE_SPACE:
        return False
    if word.isascii():
        return bool(_ASCII_INITIALS.fullmatch(word))
    return bool(_class(r"(?:\p{L}{1,2}\.)*+(?:\p{Lu}|[a-z])").fullmatch(word))


def _ends_after_initials(text: str, word: str, follower: int) -> bool:
    """Whether a sentence ends after initials, because a word follows that is no name."""
    starter = _starter_at(text, follower)
    return bool(starter) and ("." in word or len(starter) >= SHORTEST_STARTER_AFTER_INITIAL)


def _starter_at(text: str, position: int) -> str:
    word = _next_word(text, position)
    return word if word in STARTERS else ""


def _next_word(text: str, position: int) -> str:
    """The Latin word at `position`; "" where there is none, or no position."""
    match = _LATIN_NAME.match(text, position, position + LOOK_AHEAD) if position >= 0 else None
    return match.group() if match else ""


def _begins_item(text: str, start: int) -> bool:
    """Whether a number at `start` is an item's: nothing but indentation, up to LOOK_BACK of it,
    stands before it in its line, or what ends a sentence or announces a list."""
    before = text[max(0, start - LOOK_BACK) : start].rstrip(" \t")
    return before[-1] in BEFORE_ITEM if before else start <= LOOK_BACK


def _is_small(character: str) -> bool:
    if character.isascii():
        return character in ascii_lowercase
    return bool(_class(r"\p{SB=Lower}").match(character))


def _has_capitals(text: str, stop: int) -> bool:
    """Whether a small letter after `stop` tells anything, as it does where capitals are used or
    too little stands before it to know."""
    before = text[max(0, stop - LOOK_FOR_CAPITALS) : stop]
    if len(before) < LOOK_FOR_CAPITALS:
        return True
    if before.isascii():
        return before.lower() != before
    return bool(_class(r"\p{SB=Upper}").search(before))


def _is_digit(character: str) -> bool:
    if character.isascii():
        return character in digits
    return bool(_class(r"\p{Nd}").match(character))


@lru_cache(maxsize=8)
def _class(pattern: str) -> Pattern[str]:
    """A pattern with letters and digits of other scripts, from the pinned table; compiled when
    such a text first needs it."""
    import regex

    return regex.compile(pattern)
