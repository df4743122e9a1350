"""Tells sources that no person wrote: minified ones, which are not worth parsing, and generated
ones, which say so themselves. What becomes of either is not decided here.
"""

from __future__ import annotations

import re
from typing import Final

from chunkwright.characters import LINE_END, WHITE_SPACE

MINIFIED_LANGUAGES: Final = frozenset({"css", "javascript"})
"""Languages that minifiers write. In others a source of long lines is a table, and what it defines
beside it is as good as ever: of 20,000 Python files, five have such lines, and none is minified."""

LONG_LINE: Final = 500
"""Code points. Minifiers that end lines at all do so from here on."""

LONG_SHARE: Final = 0.9
"""Part of a minified source that its long lines hold: 0.93 to 1 in the bundles looked at. Beside a
long table or picture, what people write has 0.89 at most."""

AT_LEAST: Final = 5_000
"""Code points of ink in a source that is told by its lines: less is quickly parsed."""

ON_AVERAGE: Final = 200
"""Code points of a minified line. What people write has 30 to 50."""

MINIFIED_NAME: Final = re.compile(r"[.-]min\.(?:[cm]?js|css)\Z", re.IGNORECASE)

NAMED_ON_AVERAGE: Final = 80
"""Code points of a line in a file named as minified, where it is one: not every one is."""

HEAD: Final = 4_000
HEAD_LINES: Final = 40
"""Code points, and lines, in which a marker stands: behind a licence at most."""

WORD: Final = "generated"
"""Stands in every marker, in small or in capital letters."""

UNQUOTED: Final = r"""(?:\"{3}|'{3})?(?:[^"'`]|(?<=\w)'(?=\w))*?"""
"""The beginning of a line, or of a documentation string, with no other string in it: a marker in a
string is what a generator writes."""

HANDS_OFF: Final = r"\b(?:do|should|must)[ ]not[ ](?:be[ ])?(?:edit(?:ed)?|modif(?:y|ied))\b"

MARKER: Final = re.compile(
    rf"""\s*+(?:
        {UNQUOTED}(?:
            \bgenerated\b .* {HANDS_OFF}
          | {HANDS_OFF} .* \bgenerated\b
          | (?<=[/#*;%!-])[ \t]*+@generated\b
          | <auto-?generated\b
        )
      | (?:\"{{3}}|'{{3}}|[^\w"'`])*+(?:note:?[ ]|@file(?:overview)?[ ])?(?:
            this[ ](?:\w++[ ]){{0,3}}?(?:class|code|file|header|module|script|source|stub)
            [ ](?:is|was|has[ ]been)[ ](?:\w++[ ])?(?:(?:auto|machine)[- ]?)?generated\b
          | (?:automatically[ ]|machine[- ]|auto[- ]?)generated
            (?:[ ](?:by|from|using|with)\b|(?:[ ](?:code|file))?\W*\Z)
        ))""",
    re.VERBOSE | re.IGNORECASE,
)
"""A line that says so, as generators of Go, of .NET, of Facebook and of protocol buffers write it;
and others, who say it in words at the beginning of a line."""

FIRST_MARKER: Final = re.compile(r"\W*+generated[ ](?:automatically[ ])?(?:by|from|with)\b", re.I)
"""What says so only at the beginning of a file."""


def is_minified(text: str, language: str, path: str = "") -> bool:
    """Whether a source is all long lines, in a language that minifiers write."""
    if language not in MINIFIED_LANGUAGES:
        return False
    average = len(text) / (1 + max(text.count("\n"), text.count("\r")))
    if MINIFIED_NAME.search(path):
        return average >= NAMED_ON_AVERAGE
    if average < ON_AVERAGE:
        return False
    lengths = [len(line.strip(WHITE_SPACE)) for line in LINE_END.split(text)]
    ink = sum(lengths)
    in_long_lines = sum(length for length in lengths if length > LONG_LINE)
    return ink >= AT_LEAST and in_long_lines >= LONG_SHARE * ink


def marked_line(text: str) -> int:
    """The line, from 1, on which a source says that it is generated; 0 where it does not."""
    head = text[:HEAD]
    if WORD not in head.lower():
        return 0
    if FIRST_MARKER.match(head):
        return 1
    for number, line in enumerate(LINE_END.split(head)[:HEAD_LINES], 1):
        if WORD in line.lower() and MARKER.match(line):
            return number
    return 0
