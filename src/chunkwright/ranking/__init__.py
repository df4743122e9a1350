"""From candidates with raw scores to ordered hits: signals, each a small pure function with its
constant, and their fusion. Where candidates come from is not known here.

A score is a sum of shares, one a signal, so that an answer explains itself. Words and meaning
give the base; the other signals raise or lower it by a part of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import fsum

import msgspec

from chunkwright.types import Chunk, Hit

WORDS_WEIGHT = 1.0
"""Share of the best BM25 score; the others in proportion."""

MEANING_WEIGHT = 0.5
"""Share of a cosine of 1. Half that of words: a static embedding alone finds less than words do,
and fused with more weight than this it pulls them down."""

DEFINITION_BOOST = 0.5
"""For the chunk that defines what the query names."""

PATH_BOOST = 0.4
"""For a file whose name holds every word of the query."""

FOLDER_SHARE = 0.5
"""A word found in a folder's name counts half of one in the file's own."""

FILE_BOOST = 0.3
"""For the file whose best chunks together answer best."""

FILE_CHUNKS = 4
"""Chunks of a file that count for it: with all of them, length would win."""

TEST_PENALTY = 0.5
"""Taken from tests, unless the query asks for them: they use what others define."""

SATURATION = 0.15
"""Taken from each further chunk of one file, for each one before it, up to MOST_SATURATION."""

MOST_SATURATION = 0.6

SAME_BEGINNING = 4
"""Letters from which on a word and its longer form (`argument`, `arguments`) count as one."""

SAME_PLACE = 0.5
"""Share of the shorter chunk from which on two overlapping hits are one answer."""

STRETCH = 1024
"""Code points: a chunk is compared with those that reach into the same stretches of its file, so
that a file of many chunks costs no more than its length."""

DIGITS = 6
"""Decimals of a share: beyond them, float32 sums differ between machines, and so would ties."""

TEST_WORDS = frozenset({"test", "tests", "testing", "spec"})


class Query(msgspec.Struct, frozen=True):
    """A question, as far as ranking looks at it."""

    terms: tuple[str, ...]
    """Lower-cased; identifiers whole and in parts."""
    is_symbol: bool = False
    """Whether it is one word, likely the name of something."""


class Candidate(msgspec.Struct, frozen=True):
    """A chunk that may answer, with raw scores and the words its names consist of."""

    chunk: Chunk
    words: float = 0.0
    """BM25, 0 where none of the words was found."""
    meaning: float = 0.0
    """Cosine with the query, -1 to 1."""
    defines: tuple[tuple[str, ...], ...] = ()
    """Lower-cased parts of each name the chunk defines, without its qualification."""
    file_words: tuple[str, ...] = ()
    folder_words: tuple[str, ...] = ()


Signal = Callable[[Query, Candidate], float]
"""From 0 to 1 for a boost, from -1 to 0 for a penalty; times its weight, a part of the base."""


def rank(query: Query, candidates: Iterable[Candidate], k: int) -> list[Hit]:
    """The best k candidates, best first; equal scores in the order of ids.

    Overlapping candidates of one file become one hit, the better one.
    """
    pool = list(candidates)
    shares = _with_file_boost(pool, _scored(query, pool))
    ordered = sorted(zip(pool, shares, strict=True), key=_order)
    kept = _one_per_place(ordered)
    hits = [_hit(candidate, share) for candidate, share in _saturated(kept)]
    return sorted(hits, key=lambda hit: (-hit.score, hit.chunk.id))[:k]


def defines(query: Query, candidate: Candidate) -> float:
    """How much of the query a name defined here answers; 0 where a part of the name is not asked
    for."""
    return max((_answered(query, name) for name in candidate.defines), default=0.0)


def in_path(query: Query, candidate: Candidate) -> float:
    """Share of the query's words in the path."""
    if not query.terms:
        return 0.0
    found = sum(_in_path(term, candidate) for term in query.terms)
    return found / len(query.terms)


def is_unasked_test(query: Query, candidate: Candidate) -> float:
    """-1 for a test where no test was asked for."""
    return -1.0 if candidate.chunk.is_test and not TEST_WORDS & set(query.terms) else 0.0


SIGNALS: dict[str, tuple[Signal, float]] = {
    "definition": (defines, DEFINITION_BOOST),
    "path": (in_path, PATH_BOOST),
    "test": (is_unasked_test, TEST_PENALTY),
}
"""Name in `Hit.reasons` -> signal and weight."""


def _answered(query: Query, name: tuple[str, ...]) -> float:
    if not name or not query.terms:
        return 0.0
    is_named = "".join(name) in query.terms
    if is_named and (query.is_symbol or len(name) > 1):
        return 1.0
    if is_named or all(_is_asked(part, query.terms) for part in name):
        # Squared: with each word that the name leaves open, it is less likely what was meant.
        return (len(name) / max(len(name), len(query.terms))) ** 2
    return 0.0


def _is_asked(word: str, terms: Sequence[str]) -> bool:
    return any(_same_word(word, term) for term in terms)


def _in_path(term: str, candidate: Candidate) -> float:
    if any(_same_word(term, word) for word in candidate.file_words):
        return 1.0
    in_folder = any(_same_word(term, word) for word in candidate.folder_words)
    return FOLDER_SHARE if in_folder else 0.0


def _same_word(one: str, other: str) -> bool:
    """Equal, or one the beginning of the other."""
    if one == other:
        return True
    shorter, longer = sorted((one, other), key=len)
    return len(shorter) >= SAME_BEGINNING and longer.startswith(shorter)


def _scored(query: Query, pool: Sequence[Candidate]) -> list[dict[str, float]]:
    """Shares of each candidate: the base, and what the signals add to it or take."""
    best = max((candidate.words for candidate in pool), default=0.0)
    found = []
    for candidate in pool:
        shares = _base(candidate, best)
        base = fsum(shares.values())
        for name, (signal, weight) in SIGNALS.items():
            shares[name] = signal(query, candidate) * weight * base
        found.append(shares)
    return found


def _base(candidate: Candidate, best: float) -> dict[str, float]:
    return {
        "words": WORDS_WEIGHT * candidate.words / best if best > 0 else 0.0,
        "meaning": MEANING_WEIGHT * max(0.0, candidate.meaning),
    }


def _with_file_boost(
    pool: Sequence[Candidate], scored: list[dict[str, float]]
) -> list[dict[str, float]]:
    """A chunk of a file whose other chunks answer too is more likely the right one."""
    totals = _file_totals(pool, scored)
    most = max(totals.values(), default=0.0)
    for candidate, shares in zip(pool, scored, strict=True):
        share = totals[candidate.chunk.path] / most if most > 0 else 0.0
        shares["file"] = FILE_BOOST * share * max(0.0, fsum(shares.values()))
    return scored


def _file_totals(pool: Sequence[Candidate], scored: Sequence[dict[str, float]]) -> dict[str, float]:
    """Path -> sum of the scores of its best chunks."""
    by_file: dict[str, list[float]] = {}
    for candidate, shares in zip(pool, scored, strict=True):
        by_file.setdefault(candidate.chunk.path, []).append(fsum(shares.values()))
    return {
        path: fsum(sorted(scores, reverse=True)[:FILE_CHUNKS]) for path, scores in by_file.items()
    }


Scored = tuple[Candidate, dict[str, float]]


def _order(scored: Scored) -> tuple[float, str]:
    candidate, shares = scored
    return (-round(fsum(shares.values()), DIGITS), candidate.chunk.id)


def _one_per_place(ordered: Iterable[Scored]) -> list[Scored]:
    """Without those that overlap a better one of the same file."""
    kept: list[Scored] = []
    better: dict[tuple[str, int], list[Chunk]] = {}
    for candidate, shares in ordered:
        chunk = candidate.chunk
        near = [better.setdefault((chunk.path, stretch), []) for stretch in _stretches(chunk)]
        if not any(_is_same_place(chunk, other) for chunks in near for other in chunks):
            kept.append((candidate, shares))
            for chunks in near:
                chunks.append(chunk)
    return kept


def _stretches(chunk: Chunk) -> range:
    return range(chunk.start // STRETCH, -(-chunk.end // STRETCH))


def _is_same_place(one: Chunk, other: Chunk) -> bool:
    common = min(one.end, other.end) - max(one.start, other.start)
    shorter = min(one.end - one.start, other.end - other.start)
    return shorter > 0 and common >= SAME_PLACE * shorter


def _saturated(ordered: Iterable[Scored]) -> list[Scored]:
    """One file does not crowd out the rest."""
    seen: Counter[str] = Counter()
    found = []
    for candidate, shares in ordered:
        path = candidate.chunk.path
        loss = min(MOST_SATURATION, SATURATION * seen[path])
        seen[path] += 1
        shares["saturation"] = -loss * fsum(shares.values())
        found.append((candidate, shares))
    return found


def _hit(candidate: Candidate, shares: dict[str, float]) -> Hit:
    """Signals that said nothing are left out; the score is the sum of those that are shown."""
    rounded = {name: round(share, DIGITS) for name, share in shares.items()}
    told = {name: share for name, share in rounded.items() if share != 0.0}
    return Hit(candidate.chunk, round(fsum(told.values()), DIGITS), told)
