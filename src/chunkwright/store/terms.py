"""What is looked up as words: identifiers in their parts, CJK in pairs, and a query as an
expression SQLite accepts whatever it holds. Ranking is not done here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import regex

from chunkwright.types import Chunk, key_of

MAX_QUERY = 10_000
"""Code points of a query that are read: a page; more is not a question."""

MAX_TERMS = 96
"""Distinct terms of a query: each costs a look-up, and more do not sharpen an answer."""

STOP_WORDS = frozenset(
    """
    a an and are as at be by can did do does for from has have how i in into is it its me my of
    on or should that the their them then there these this those to was we what when where
    which who why will with would you your
    """.split()  # noqa: SIM905  # a paragraph of words reads better than a list of strings
)
"""English words that say nothing about where an answer lies. Left out of a query only while other
words remain."""

_CJK = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_CJK_RUN = regex.compile(rf"[{_CJK}]+")
"""Scripts written without spaces, or (Hangul) with particles joined to the word."""

_WORD = regex.compile(r"[\p{L}\p{N}\p{M}_]+")
_PART = regex.compile(
    r"\p{Lu}+(?!\p{Ll})\p{N}*|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{M}]+\p{N}*|\p{N}+"
)
"""HTTP, Server, user2, 64."""

PREFIX = "*"
"""Ends a term that stands for every word it begins."""


class Words(NamedTuple):
    """The indexed words of a chunk, one field a column."""

    text: str
    parts: str
    path: str
    names: str


def words_of(chunk: Chunk) -> Words:
    """What the chunk can be found by."""
    names = (chunk.name, *chunk.breadcrumb, *(symbol.name for symbol in chunk.symbols))
    return Words(
        text=chunk.text,
        parts=" ".join(_extra(chunk.text)),
        path=_with_parts(key_of(chunk.path)),
        names=" ".join(_with_parts(name) for name in dict.fromkeys(names) if name),
    )


def parts_of(word: str) -> list[str]:
    """Lower-cased parts of an identifier: HTTPServer -> http, server; a plain word is one part."""
    return [part.lower() for part in _PART.findall(word)]


def query_terms(query: str) -> list[str]:
    """Distinct terms to look for, in order; one that ends in PREFIX stands for its beginnings."""
    found: dict[str, None] = {}
    for term in _terms(query[:MAX_QUERY]):
        found.setdefault(term)
        if len(found) >= MAX_TERMS:
            break
    telling = [term for term in found if term not in STOP_WORDS]
    return telling or list(found)


def name_in(query: str) -> str:
    """What a query names, where it is one name: `Server.ListenAll()` -> ListenAll; else ""."""
    words = _WORD.findall(query[:MAX_QUERY]) if len(query.split()) == 1 else []
    return words[-1] if words else ""


def expression(terms: list[str]) -> str:
    """An FTS5 query for any of the terms; every term quoted, so that none is an operator."""
    return " OR ".join(_quoted(term) for term in terms)


def _quoted(term: str) -> str:
    bare = term.removesuffix(PREFIX)
    return f'"{bare}"' + (" *" if term.endswith(PREFIX) else "")


def _terms(query: str) -> Iterator[str]:
    for word in _WORD.findall(query):
        for run in _CJK_RUN.findall(word):
            yield from _query_pairs(run)
        for rest in _CJK_RUN.sub(" ", word).split():
            yield from _identifier_terms(rest)


def _identifier_terms(word: str) -> Iterator[str]:
    joined = word.replace("_", "").lower()
    if joined:
        yield joined
        parts = parts_of(word)
        if len(parts) > 1:
            yield from parts


def _extra(text: str) -> Iterator[str]:
    """What the tokenizer of SQLite does not see by itself."""
    for word in _WORD.findall(text):
        if not (word.isascii() and word.islower() and word.isalpha()):
            yield from _word_extra(word)


def _word_extra(word: str) -> Iterator[str]:
    """Name without underscores, parts of camelCase, CJK pairs and what stands between them."""
    if "_" in word:
        yield word.replace("_", "")
    for segment in word.split("_"):
        runs = [] if segment.isascii() else _CJK_RUN.findall(segment)
        for run in runs:
            yield from _pairs(run)
        pieces = _CJK_RUN.sub(" ", segment).split() if runs else [segment]
        for piece in pieces:
            parts = parts_of(piece)
            if runs or len(parts) > 1:
                yield from parts


def _pairs(run: str) -> Iterator[str]:
    """Every two neighbours, and the last one alone, so that each character begins a term."""
    for start in range(len(run)):
        yield run[start : start + 2]


def _query_pairs(run: str) -> Iterator[str]:
    if len(run) == 1:
        yield run + PREFIX
        return
    for start in range(len(run) - 1):
        yield run[start : start + 2]


def _with_parts(text: str) -> str:
    return " ".join((text, *_extra(text)))
