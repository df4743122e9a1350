"""What a symbol says of itself: its signature, and the first line of its documentation, without
the marks of comments. Where these stand is the walk's.
"""

from __future__ import annotations

import re
from typing import Final

from chunkwright.characters import LINE_END

SIGNATURE_LIMIT: Final = 1000
"""Code points of a signature: it is repeated on every part of a split definition."""

DOC_LIMIT: Final = 200
"""Code points of a documentation's first line."""

COMMENT_MARKS: Final = re.compile(
    r"\s*(?:/\*+!?|\*+/|\(\*+|\*+|//+[!/]?|#+[!|]?|--+(?: [|^])?|\{-+ ?[|^]?|;+|%+|!+[<>]?|\"{3})?"
)
"""The marks that begin comments in C, Fortran, Haskell, Lisp, Lua, OCaml, Python and TeX."""

LAST_COMMENT: Final = re.compile(r"[\r\n][ \t]*(?:#|--|//|/\*|;|%)[^\r\n]*\Z")
"""A comment between a signature and a body."""

TAGS: Final = re.compile(r"</?(?:summary|remarks|para|returns|value|param|inheritdoc)\b[^>]*>")
"""What documentation in C# is marked up with."""

POD: Final = re.compile(r"=(?:begin|end|pod|cut|over|back|encoding)\b.*|=(?:head\d|item)\b")
"""Lines, and beginnings of lines, of Perl's and Ruby's documentation that say nothing."""

WORD: Final = re.compile(r"\w")

DIRECTIVE: Final = re.compile(
    r"//(?:go:|line |export |nolint|\s*@ts-|\s*eslint-)|#!|@\w|#!?\[|\[\[?\w+[(\]]"
)
"""Comments that are meant for tools, and attributes among comments, which document nothing."""

PLAIN_MARKS: Final = ("* ", "# ", "/// ")
"""What begins most lines of documentation: before a letter, no tool is meant, and the letter says
something."""

BARE_MARKS: Final = frozenset({"", "/**", "/*", '"' * 3})
"""What stands alone on the first line of most documentation."""

CLOSERS: Final = ("*/", "*)", "-}", '"""')


def signature(text: str, head: int, body: int, end: int) -> str:
    """A definition up to its body; its first line where it has none."""
    if not body:
        stop = text.find("\n", head, min(end, head + DOC_LIMIT))
        whole = text[head : stop if stop >= 0 else min(end, head + DOC_LIMIT)]
        if "\r" in whole:
            whole = LINE_END.split(whole, maxsplit=1)[0]
        return whole.removesuffix("{").strip()
    whole = text[head : min(body, head + SIGNATURE_LIMIT)].removesuffix("{").rstrip()
    if "\n" in whole or "\r" in whole:
        while (last := LAST_COMMENT.search(whole)) is not None:
            whole = whole[: last.start()].rstrip()
    return whole


def first_line(text: str, begin: int, end: int) -> str:
    """The first line of a comment or a documentation string that says something."""
    if begin >= end:
        return ""
    stop = min(end, begin + SIGNATURE_LIMIT)
    cut = text.find("\n", begin, stop)
    line = text[begin : stop if cut < 0 else cut].strip()
    if line[:1].isalpha() and not line.endswith(CLOSERS) and "\r" not in line:
        return line[:DOC_LIMIT]
    while begin < stop:
        cut = text.find("\n", begin, stop)
        end = stop if cut < 0 else cut
        part = text[begin:end]
        for line in LINE_END.split(part) if "\r" in part else [part]:
            said = _said(line.strip())
            if said:
                return said[:DOC_LIMIT]
        begin = end + 1
    return ""


def _said(line: str) -> str:
    """What a line says, without marks; nothing where it is for tools."""
    if line in BARE_MARKS:
        return ""
    said = _plainly_said(line)
    if not said:
        if DIRECTIVE.match(line):
            return ""
        marks = COMMENT_MARKS.match(line)
        said = line[marks.end() if marks else 0 :].strip()
    for closer in CLOSERS:
        if said.endswith(closer):
            said = said.removesuffix(closer).rstrip("*").rstrip()
    if "<" in said:
        said = TAGS.sub("", said).strip()
    if said.startswith("="):
        said = POD.sub("", said).strip()
    if WORD.search(said) is None:
        return ""
    quoted = len(said) > 1 and said[0] == said[-1] == '"'
    return said[1:-1] if quoted else said


def _plainly_said(line: str) -> str:
    """What stands behind the usual marks, where that begins with a letter."""
    for mark in PLAIN_MARKS:
        if line.startswith(mark):
            said = line[len(mark) :]
            return said if said[:1].isalpha() else ""
    return ""
