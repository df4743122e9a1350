"""Means over questions with their bootstrap intervals, and differences between contestants over the
same questions. Scores come as columns, one a question each.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from benchmarks.corpora import SEED
from chunkwright.evaluation import Comparison, Estimate

RESAMPLES = 2000
"""Enough for the first decimal place of a per cent to stay."""

ENDS = (2.5, 97.5)
"""Percentiles between which 95% of the resampled means lie."""

Scores = npt.NDArray[np.float64]


def estimates(columns: Sequence[Scores]) -> list[Estimate]:
    """The mean of each column and where it may be, were other questions asked."""
    if not columns:
        return []
    table = np.stack(columns, axis=1)
    means = _weights(len(table)) @ table
    low, high = np.percentile(means, ENDS, axis=0)
    return [
        Estimate(float(value), float(least), float(most))
        for value, least, most in zip(table.mean(axis=0), low, high, strict=True)
    ]


def comparisons(columns: Sequence[Scores], reference: Scores) -> list[Comparison]:
    """Each column less the reference, question by question; unclear where 0 lies within."""
    return [
        Comparison(one, "better" if one.low > 0 else "worse" if one.high < 0 else "unclear")
        for one in estimates([column - reference for column in columns])
    ]


@cache
def _weights(questions: int) -> Scores:
    """How much each question counts in each resample. The stream of RandomState is frozen: other
    versions of numpy give the same page."""
    drawn = np.random.RandomState(SEED).randint(questions, size=(RESAMPLES, questions))
    counts = np.stack([np.bincount(row, minlength=questions) for row in drawn])
    return counts / questions
