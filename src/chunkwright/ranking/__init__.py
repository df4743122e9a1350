"""Ordering what may answer a question: `scoring` (from raw scores to hits), `signals` (what raises
or lowers one), `words` (which are one word), `places` (which chunks are one answer).
"""

from __future__ import annotations

from chunkwright.ranking.candidates import Candidate, Query
from chunkwright.ranking.scoring import DIGITS, SATURATED, SHARES, rank

__all__ = ["DIGITS", "SATURATED", "SHARES", "Candidate", "Query", "rank"]
