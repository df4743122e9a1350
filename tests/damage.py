"""Damage to source code: cut off, spliced with another file, lines lost, doubled and swapped, odd
characters put in. What has to survive it is not known here.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

CHARACTERS = "()[]{}<>\"'`#/*\\;:,=@$\n\r\t \0\ufeff\u0301🙂é"
WORDS = (
    *('"""', "'''", "/*", "*/", "//", "<!--", "--[[", "{-", "<<A\n", "=begin\n", "#if 1\n", '"${'),
    *("\r\n", "\r", "\x0c", "\u2028", "\x85", "end", "def", "class", "👨‍👩‍👧‍👦", "e\u0301" * 5),
)
BRACKETS = "()[]{}"

Change = Callable[[Random, str, str], str]


def damaged(text: str, other: str, seed: int) -> str:
    """`text` after one to four changes; `other` is what it may be spliced with."""
    random = Random(seed)  # noqa: S311  # not for secrets
    for _ in range(random.randint(1, 4)):
        text = random.choice(CHANGES)(random, text, other)
    return text


def _cut_end(random: Random, text: str, other: str) -> str:
    return text[: random.randint(0, len(text))]


def _cut_start(random: Random, text: str, other: str) -> str:
    return text[random.randint(0, len(text)) :]


def _splice(random: Random, text: str, other: str) -> str:
    return text[: random.randint(0, len(text))] + other[random.randint(0, len(other)) :]


def _cut_out(random: Random, text: str, other: str) -> str:
    start = random.randint(0, len(text))
    return text[:start] + text[start + random.randint(1, 40) :]


def _put_in_character(random: Random, text: str, other: str) -> str:
    return _put_in(random, text, random.choice(CHARACTERS) * random.choice([1, 1, 1, 2, 3, 9]))


def _put_in_word(random: Random, text: str, other: str) -> str:
    return _put_in(random, text, random.choice(WORDS))


def _put_in(random: Random, text: str, what: str) -> str:
    at = random.randint(0, len(text))
    return text[:at] + what + text[at:]


def _change_lines(random: Random, text: str, other: str) -> str:
    """One line is lost, doubled elsewhere, or changes places with the next."""
    lines = text.splitlines(keepends=True)
    if len(lines) < 2:
        return text
    at, way = random.randrange(len(lines) - 1), random.randrange(3)
    if way == 0:
        del lines[at]
    elif way == 1:
        lines.insert(at, random.choice(lines))
    else:
        lines[at : at + 2] = lines[at + 1], lines[at]
    return "".join(lines)


def _change_line_ends(random: Random, text: str, other: str) -> str:
    return text.replace("\n", random.choice(["\r\n", "\r"]))


CHANGES: tuple[Change, ...] = (
    _cut_end,
    _cut_start,
    _splice,
    _cut_out,
    _put_in_character,
    _put_in_character,
    _put_in_word,
    _change_lines,
    _change_lines,
    _change_line_ends,
)
