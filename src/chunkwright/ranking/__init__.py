"""From candidates with raw scores to ordered hits: signals and their fusion. Where candidates come
from is not known here.

A score is a sum of shares, one a signal, so that an answer explains itself. Words and meaning
give the base; the signals raise or lower it by a part of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from itertools import groupby
from math import fsum
from operator import itemgetter

from msgspec.structs import replace

from chunkwright.ranking.candidates import Candidate, Query
from chunkwright.ranking.places import Scored, one_per_place
from chunkwright.ranking.signals import SIGNALS, is_code
from chunkwright.types import Chunk, Hit

__all__ = ["SATURATED", "SHARES", "Candidate", "Query", "rank"]

WORDS_WEIGHT = 1.0
"""Share of the best BM25 score; the others in proportion."""

MEANING_WEIGHT = 0.75
"""Share of a cosine of 1. Less than that of words: a static embedding alone finds less than words
do."""

FILE_BOOST = 0.6
"""For the file whose best chunks together answer best."""

FILE_CHUNKS = 4
"""Chunks of a file that count for it: with all of them, length would win."""

SATURATION = 0.15
"""Taken from each further chunk of one file, for each one before it, up to MOST_SATURATION."""

MOST_SATURATION = 0.6

SATURATED = "saturation"
"""Name of the share that a file's further chunks lose."""

SHARES = ("words", "meaning", *SIGNALS, "file", SATURATED)
"""Every name there is in `Hit.reasons`."""

DIGITS = 6
"""Decimals of a share: beyond them, float32 sums differ between machines, and so would ties."""


def rank(
    query: Query, candidates: Iterable[Candidate], k: int, apart: Container[str] = ()
) -> list[Hit]:
    """The best k candidates, best first; equal scores in the order of ids.

    Overlapping candidates of one file become one hit, the better one; those of the kinds in
    `apart` stand beside them.
    """
    pool = list(candidates)
    query = replace(query, among_code=any(_is_source(candidate.chunk) for candidate in pool))
    shares = _with_file_boost(pool, _scored(query, pool))
    ordered = _best_first(zip(pool, shares, strict=True))
    kept = one_per_place(ordered, apart)
    told = [(candidate, _told(share)) for candidate, share in _saturated(kept)]
    return [_hit(candidate, share) for candidate, share in _best_first(told)[:k]]


def _is_source(chunk: Chunk) -> bool:
    return is_code(chunk) and not chunk.is_test


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


def _best_first(scored: Iterable[Scored]) -> list[Scored]:
    """Equal scores in the order of ids, which are made only for those: an id is a hash."""
    ordered: list[Scored] = []
    ranked = sorted([(_score(one), one) for one in scored], key=itemgetter(0), reverse=True)
    for _, group in groupby(ranked, key=itemgetter(0)):
        tied = [one for _, one in group]
        if len(tied) > 1:
            tied.sort(key=lambda one: one[0].chunk.id)
        ordered += tied
    return ordered


def _score(scored: Scored) -> float:
    return round(fsum(scored[1].values()), DIGITS)


def _saturated(ordered: Iterable[Scored]) -> list[Scored]:
    """One file does not crowd out the rest."""
    seen: Counter[str] = Counter()
    found = []
    for candidate, shares in ordered:
        path = candidate.chunk.path
        loss = min(MOST_SATURATION, SATURATION * seen[path])
        seen[path] += 1
        shares[SATURATED] = -loss * fsum(shares.values())
        found.append((candidate, shares))
    return found


def _told(shares: dict[str, float]) -> dict[str, float]:
    """Signals that said nothing are left out; the score is the sum of those that are shown."""
    return {
        name: rounded
        for name, share in shares.items()
        if share and (rounded := round(share, DIGITS))
    }


def _hit(candidate: Candidate, told: dict[str, float]) -> Hit:
    return Hit(candidate.chunk, _score((candidate, told)), told)
