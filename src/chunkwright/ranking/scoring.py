"""From candidates with raw scores to ordered hits: signals and their fusion. Where candidates come
from is not known here.

A score is a sum of shares, one a signal, so that an answer explains itself. Words and meaning
give the base; the signals raise or lower it by a part of it.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import groupby
from math import fsum
from operator import itemgetter

from msgspec.structs import replace

from chunkwright.ranking.candidates import Candidate, Query, Standing
from chunkwright.ranking.places import one_per_place
from chunkwright.ranking.signals import FILE_SIGNALS, SIGNALS, is_code, silent_for
from chunkwright.types import Chunk, Hit

WORDS_WEIGHT = 1.0
"""Share of the best BM25 score; the others in proportion."""

MEANING_WEIGHT = 1.0
"""Share of a cosine of 1. Of a repository's chunks one in a hundred has a cosine over 0.58 with a
question, so that meaning still weighs less than the best words do."""

FILE_MEANING_WEIGHT = 0.75
"""The same for the file as a whole: of its path and of the names in it."""

FILE_BOOST = 0.6
"""For the file whose best chunks together answer best."""

FILE_CHUNKS = 4
"""Chunks of a file that count for it: with all of them, length would win."""

SATURATION = 0.15
"""Taken from each further chunk of one file, for each full one before it, up to MOST_SATURATION."""

MOST_SATURATION = 0.6

FULL_CHUNK = 1000
"""Code points of a full chunk; a shorter one takes less from those after it, in proportion. It is
text that crowds out other files, and small chunks are many: of 100 tokens each, up to four passages
in a hundred were lost because others of their file had been counted before them."""

SATURATED = "saturation"
"""Name of the share that a file's further chunks lose."""

BASE = ("words", "meaning", "file_meaning")
"""Names of the shares that the signals raise or lower."""

SHARES = (*BASE, *SIGNALS, "file", SATURATED)
"""Every name there is in `Hit.reasons`."""

DIGITS = 6
"""Decimals of a share: beyond them, float32 sums differ between machines, and so would ties."""


def rank(
    query: Query, candidates: Iterable[Candidate], apart: Container[str] = ()
) -> Iterator[Hit]:
    """The candidates as hits, best first; equal scores in the order of ids.

    Overlapping candidates of one file become one hit, the better one; those of the kinds in
    `apart` stand beside them. A hit's shares are worked out when it is taken.
    """
    pool = [Standing(candidate) for candidate in candidates]
    query = replace(query, among_code=any(_is_source(one.candidate.chunk) for one in pool))
    most = max((one.candidate.words for one in pool), default=0.0)
    for one, factor in zip(pool, _factors(query, pool), strict=True):
        one.base = fsum(_base(one.candidate, most))
        one.score = one.base * factor
    _boost_files(pool)
    kept = one_per_place(_best_first(pool), apart)
    _saturate(kept)
    return (_hit(query, one, most) for one in _best_first(kept))


def _is_source(chunk: Chunk) -> bool:
    return is_code(chunk) and not chunk.is_test


def _base(candidate: Candidate, most: float) -> tuple[float, ...]:
    """What words and meaning say, which the signals raise or lower."""
    return (
        WORDS_WEIGHT * candidate.words / most if most > 0 else 0.0,
        MEANING_WEIGHT * max(0.0, candidate.meaning),
        FILE_MEANING_WEIGHT * max(0.0, candidate.file_meaning),
    )


def _factors(query: Query, pool: Sequence[Standing]) -> Iterator[float]:
    """What the signals make of each base. Those of a file say the same of all its chunks."""
    silent = silent_for(query)
    told = {name: signal for name, signal in SIGNALS.items() if name not in silent}
    of_files = [signal for name, signal in told.items() if name in FILE_SIGNALS]
    of_chunks = [signal for name, signal in told.items() if name not in FILE_SIGNALS]
    files: dict[str, float] = {}
    for one in pool:
        candidate = one.candidate
        factor = files.get(candidate.chunk.path)
        if factor is None:
            factor = 1.0
            for signal, weight in of_files:
                factor += weight * signal(query, candidate)
            files[candidate.chunk.path] = factor
        for signal, weight in of_chunks:
            factor += weight * signal(query, candidate)
        yield factor


def _boost_files(pool: Sequence[Standing]) -> None:
    """A chunk of a file whose other chunks answer too is more likely the right one."""
    by_file: dict[str, list[float]] = {}
    for one in pool:
        by_file.setdefault(one.candidate.chunk.path, []).append(one.score)
    totals = {path: sum(sorted(scores)[-FILE_CHUNKS:]) for path, scores in by_file.items()}
    most = max(totals.values(), default=0.0)
    for one in pool:
        share = totals[one.candidate.chunk.path] / most if most > 0 else 0.0
        one.file = FILE_BOOST * share * max(0.0, one.score)
        one.score += one.file


def _best_first(pool: Iterable[Standing]) -> list[Standing]:
    """Equal scores in the order of ids, which are made only for those: an id is a hash."""
    ordered: list[Standing] = []
    scored = sorted(
        [(round(one.score, DIGITS), one) for one in pool], key=itemgetter(0), reverse=True
    )
    for _, group in groupby(scored, key=itemgetter(0)):
        tied = [one for _, one in group]
        if len(tied) > 1:
            tied.sort(key=lambda one: one.candidate.chunk.id)
        ordered += tied
    return ordered


def _saturate(ordered: Iterable[Standing]) -> None:
    """One file does not crowd out the rest."""
    seen: dict[str, float] = {}
    for one in ordered:
        chunk = one.candidate.chunk
        before = seen.get(chunk.path, 0.0)
        one.lost = min(MOST_SATURATION, SATURATION * before) * one.score
        one.score -= one.lost
        seen[chunk.path] = before + min(1.0, len(chunk.text) / FULL_CHUNK)


def _hit(query: Query, one: Standing, most: float) -> Hit:
    """Signals that said nothing are left out; the score is the sum of those that are shown."""
    candidate = one.candidate
    shares = dict(zip(BASE, _base(candidate, most), strict=True))
    for name, (signal, weight) in SIGNALS.items():
        shares[name] = weight * signal(query, candidate) * one.base
    shares |= {"file": one.file, SATURATED: -one.lost}
    score = round(one.score, DIGITS)
    told = {name: round(share, DIGITS) for name, share in shares.items()}
    # What rounding took goes to the largest share, where it weighs least.
    largest = max(told, key=lambda name: told[name])
    told[largest] = round(told[largest] + score - fsum(told.values()), DIGITS)
    return Hit(candidate.chunk, score, {name: share for name, share in told.items() if share})
