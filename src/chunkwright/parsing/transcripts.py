"""Transcripts of talk as plain text: what opens a turn, whether a text is one, and a block for each
turn. How turns share chunks is the packer's.

Whether a text is one is told by its beginning alone, and most prose by a look at its first lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, groupby, pairwise
from re import Match
from re import compile as compile_plain
from typing import NamedTuple

from chunkwright.characters import INDENTATION, LINE_END, WHITE_SPACE, is_whitespace_only, trim
from chunkwright.types import Block

PARSER = "transcript"
TURN = "turn"

BEGINNING = 65_536
"""Code points that tell whether a text is a transcript."""

LATEST_START = 2_048
"""Code points within which the first turn begins, after a title or who takes part."""

LEAST_TURNS = 3

LEAST_REACH = 4
"""The last turn begins in the last three of so many parts: what is all before them is an example
in a text about something else."""

NEAR = 64
"""Code points before a turn that are looked at for a blank line."""

ASKING = frozenset({"user", "human", "me", "you"})
ANSWERING = frozenset({"assistant", "ai", "bot", "chatbot", "chatgpt", "claude", "model"})
ROLES = ASKING | ANSWERING | {"system", "developer", "tool", "function"}
"""Who talks with a language model, in small letters: known for a speaker without coming back."""

_REMARKS = (
    "note notes warning warn tip hint important caution danger info debug trace error critical "
    "fatal notice exception todo fixme example examples summary attention disclaimer spoiler edit "
    "update fix feat docs chore refactor test tests build ci perf style revert added changed fixed "
    "removed deprecated security action actions decision decisions result results conclusion"
)
_KEYS = (
    "name age sex date time title subject from to cc bcc url http https ftp mailto description "
    "version author type status id price address city phone email size key value input output "
    "source location ingredients method serves step chapter section part figure table page "
    "allow disallow host accept cookie files copyright license format package maintainer homepage"
)
_LEADING_WORDS = (
    "he she it this that these those here there for in on at as if when and or but with "
    "following follows"
)
LABELS = frozenset(" ".join((_REMARKS, _KEYS, _LEADING_WORDS)).split())
"""Words, in small letters, of which none is in the name of a speaker: what remarks, logs and
histories of changes begin with, fields of records, and what leads to a list or to speech."""

_DATE = r"[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}"
_TIME = (
    r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,6})?)?"
    r"(?:[ \xa0\u202f]?[AaPp]\.?[Mm]\.?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?"
)
_MOMENT = rf"(?:{_DATE}(?:,[ ]?|[ T]))?{_TIME}"
_STAMP = rf"(?:[\[(](?:{_MOMENT}|{_DATE})[\])]|{_MOMENT})[ \t]*+(?:[-\u2013\u2014|][ \t]*+)?"

_LETTERS = (
    r"A-Za-z\xaa\xb5\xba\xc0-\u167f\u1681-\u1fff\u2c00-\u2dff\u3040-\ud7ff\uf900-\ufdff"
    r"\ufe70-\ufefc\uff10-\uff19\uff21-\uffdc\U00010000-\U0003ffff"
)
"""What a name begins with: every block with letters in it. Classes of the interpreter would differ
between its versions."""
_IN_WORD = rf"{_LETTERS}0-9_.'\u2019@&#\-"
_NAME = rf"[{_LETTERS}][{_IN_WORD}]{{0,31}}+(?:[ ][{_IN_WORD}]{{1,32}}+){{0,3}}+"
_AFTER_NAME = rf"(?:[ ]?\([^()\r\n]{{1,40}}+\)|[ ]\[{_MOMENT}\])?[ \xa0\u202f]?"

_OPENING = (
    rf"(?P<start>\u200e?(?P<stamp>{_STAMP})?(?:"
    rf"<[ @+%&~]?(?P<nick>[{_IN_WORD}|\[\]{{}}^`\\]{{1,32}}+)>(?=[ \t]++[^<])"
    rf"|\*{{0,2}}(?P<name>{_NAME})\*{{0,2}}{_AFTER_NAME}"
    r"(?::\*{0,2}(?=[ \t\r\n]|\Z)|\uff1a)))"
)
"""`Alice: `, `Alice (12:30): `, `[12:30] alice: `, `12/31/23, 10:00 PM - Alice: `, `<alice> `."""

_AT_START = compile_plain(rf"\ufeff?{_OPENING}")
_AFTER_LINE_FEED = compile_plain(rf"\n{_OPENING}")
_AFTER_LINE_END = compile_plain(rf"[\r\n]{_OPENING}")
"""Takes twice as long as the other."""

MARKS = (":", ">", "\uff1a")
"""What ends every opening."""

SENTENCE_ENDS = frozenset(".?!\u2026\u3002\uff1f\uff01")
AFTER_SENTENCE = WHITE_SPACE + "\"')*_\u201d"

_INDENTED = compile_plain(r"(?:\r\n|\n|\r)[ \t]")
_WORD_LETTER = compile_plain(rf"[{_LETTERS}]")

NICK, STAMPED, ROLE, NAME = "nick", "stamped", "role", "name"
LABEL = "label"
"""What looks like an opening and is none."""

MOST_LABELS = 3
"""Where there is a label for every so many speakers, or more, these are labels too."""


_NICK, _STAMPED, _NAME_ALONE, _LABEL = map(frozenset, ((NICK,), (STAMPED,), (NAME,), (LABEL,)))
_STAMPED_ROLE, _ROLE = _STAMPED | {ROLE}, _NAME_ALONE | {ROLE}


class _Opening(NamedTuple):
    """The beginning of a turn."""

    start: int
    end: int
    """Where what is said begins."""
    speaker: str
    forms: frozenset[str]
    """Which forms of transcript it can be of."""


class _Form(NamedTuple):
    """What a form of transcript needs to be one."""

    name: str
    paragraphs: float
    """Least share of its paragraphs that begin with a speaker, or else"""
    lines: float
    """least share of its lines that do: the stronger the form, the less."""


FORMS = (
    _Form(ROLE, 1 / 16, 1 / 16),
    _Form(NICK, 1 / 4, 1 / 4),
    _Form(STAMPED, 1 / 4, 1 / 4),
    _Form(NAME, 1 / 2, 1 / 3),
)
"""Answers of a model run over many paragraphs, with lists and code; people say less at a time."""


def turns(text: str) -> tuple[Block, ...]:
    """The turns of a transcript, each from its speaker to the next, without the white space at its
    edges; none where the text is no transcript.
    """
    form = _form(text)
    if not form:
        return ()
    openings = (found for found in _openings(text, len(text)) if form in found.forms)
    return tuple(_blocks(text, openings))


def _blocks(text: str, openings: Iterator[_Opening]) -> Iterator[Block]:
    end = _Opening(len(text), 0, "", _LABEL)
    for opening, following in pairwise(chain(openings, (end,))):
        _, last = trim(text, opening.start, following.start)
        yield Block(opening.start, last, kind=TURN, name=opening.speaker)


def _openings(text: str, end: int) -> Iterator[_Opening]:
    """Whatever can be the beginning of a turn in text[:end], and labels."""
    first = _AT_START.match(text, 0, end)
    if first:
        yield _opening(text, first)
    later = _AFTER_LINE_FEED if text.find("\r", 0, end) < 0 else _AFTER_LINE_END
    for match in later.finditer(text, 0, end):
        yield _opening(text, match)


def _opening(text: str, match: Match[str]) -> _Opening:
    """The opening that was matched; a label, where it is a remark's or a key, not a speaker."""
    start, end = match.start("start"), match.end("start")
    nick, name = match["nick"], match["name"]
    if nick:
        return _Opening(start, end, nick, _NICK)
    label = name.lower()
    if label in ROLES:
        return _Opening(start, end, name, _STAMPED_ROLE if match["stamp"] else _ROLE)
    if not LABELS.isdisjoint(label.split(" ")) or _is_key(text, end, name):
        return _Opening(start, end, name, _LABEL)
    return _Opening(start, end, name, _STAMPED if match["stamp"] else _NAME_ALONE)


def _is_key(text: str, end: int, name: str) -> bool:
    """Whether a name in small letters is of several words or stands alone on its line; or any
    name alone has what it heads indented below it."""
    small = "a" <= name[0] <= "z"
    alone = text[end : end + 1] in ("", "\n", "\r")
    return (small and (alone or " " in name)) or (alone and bool(_INDENTED.match(text, end)))


def _form(text: str) -> str:
    """The form of transcript a text is by its beginning; "" for any other text."""
    if not _may_be_one(text[:LATEST_START]):
        return ""
    beginning = text[:BEGINNING]
    openings = list(_openings(beginning, len(beginning)))
    labels = sum(opening.forms is _LABEL for opening in openings)
    for form in FORMS:
        own = [opening for opening in openings if form.name in opening.forms]
        labelled = form.name != ROLE and MOST_LABELS * labels >= len(own)
        if len(own) >= LEAST_TURNS and not labelled and _is_of(form, beginning, own):
            return form.name
    return ""


def _may_be_one(top: str) -> bool:
    """Whether there is a speaker among the first lines of a text: in most there is none."""
    if not any(mark in top for mark in MARKS):
        return False
    return any(opening.forms is not _LABEL for opening in _openings(top, len(top)))


def _is_of(form: _Form, text: str, openings: Sequence[_Opening]) -> bool:
    """Whether a text with these openings is a transcript of a form."""
    if openings[0].start > LATEST_START or openings[-1].start * LEAST_REACH < len(text):
        return False
    if not _fills(form, text, openings):
        return False
    if form.name == ROLE:
        labels = {opening.speaker.lower() for opening in openings}
        return not (labels.isdisjoint(ASKING) or labels.isdisjoint(ANSWERING))
    if not _come_back(openings):
        return False
    if form.name == NICK:
        return not any(f"</{opening.speaker}>" in text for opening in openings)
    return form.name == STAMPED or not _are_records(text, openings)


def _fills(form: _Form, text: str, openings: Sequence[_Opening]) -> bool:
    """Whether enough of the paragraphs, or of the lines, begin with a speaker."""
    inked = [not is_whitespace_only(line) for line in LINE_END.split(text)]
    paragraphs = sum(now and not before for before, now in pairwise((False, *inked)))
    leading = sum(_is_after_blank(text, opening.start) for opening in openings)
    of_lines = len(openings) >= form.lines * sum(inked)
    return of_lines or leading >= form.paragraphs * paragraphs


def _is_after_blank(text: str, start: int) -> bool:
    """Whether a paragraph begins at the line that starts there."""
    lines = LINE_END.split(text[max(0, start - NEAR) : start])
    return start <= 1 or (len(lines) > 2 and is_whitespace_only(lines[-2]))


def _come_back(openings: Sequence[_Opening]) -> bool:
    """Whether two speakers or more speak again after another did, and most of the talk, what one
    says in a row taken together, is of such."""
    times = Counter(speaker for speaker, _ in groupby(openings, lambda opening: opening.speaker))
    again = [count for count in times.values() if count > 1]
    return len(again) > 1 and 4 * sum(again) >= 3 * times.total()


def _are_records(text: str, openings: Sequence[_Opening]) -> bool:
    """Whether names are rather the keys of records."""
    return _are_grouped(text, openings) or _are_folded(text, openings) or _is_data(text, openings)


def _are_grouped(text: str, openings: Sequence[_Opening]) -> bool:
    """Whether some names stand only at the top of a paragraph and the others never do."""
    at_top: set[str] = set()
    inside: set[str] = set()
    for opening in openings[1:]:
        names = at_top if _is_after_blank(text, opening.start) else inside
        names.add(opening.speaker)
    return bool(at_top and inside) and at_top.isdisjoint(inside)


def _are_folded(text: str, openings: Sequence[_Opening]) -> bool:
    """Whether there are many further lines and most are indented, as in headers of mail."""
    inked = [line for line in LINE_END.split(text) if not is_whitespace_only(line)]
    indented = sum(line[0] in INDENTATION for line in inked)
    return 2 * indented > max(len(inked) - len(openings), len(openings))


def _is_data(text: str, openings: Sequence[_Opening]) -> bool:
    """Whether what follows the names is no talk: mostly numbers; or single words, hardly any with
    the end of a sentence; or few words, most without it, under names in the same order again.
    """
    said = list(_said(text, openings))
    ended = sum(line.rstrip(AFTER_SENTENCE)[-1:] in SENTENCE_ENDS for line in said) / len(said)
    words = sum(len(line.split()) for line in said) / len(said)
    lettered = sum(bool(_WORD_LETTER.search(line)) for line in said) / len(said)
    if lettered < 1 / 2 or (ended < 1 / 4 and words < 3 / 2):
        return True
    return ended < 1 / 2 and words < 5 / 2 and _is_cycle(openings)


def _said(text: str, openings: Sequence[_Opening]) -> Iterator[str]:
    """The first line of what each says, be it that of the name or one below."""
    ends = (*(opening.start for opening in openings[1:]), len(text))
    for opening, end in zip(openings, ends, strict=True):
        last = min(end, opening.end + LATEST_START)
        yield LINE_END.split(text[opening.end : last].lstrip(WHITE_SPACE), maxsplit=1)[0]


def _is_cycle(openings: Sequence[_Opening]) -> bool:
    """Whether, of three names or more, each is nearly always followed by the same one."""
    names = [opening.speaker for opening in openings]
    following: dict[str, Counter[str]] = {}
    for name, after in pairwise(names):
        following.setdefault(name, Counter())[after] += 1
    foretold = sum(max(counts.values()) for counts in following.values())
    return len(set(names)) > 2 and 10 * foretold >= 9 * (len(names) - 1)
