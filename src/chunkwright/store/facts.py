"""Front matter, and metadata of documents that were put, as rows to filter by: one text for each
value at the end of a path of keys. What a filter asks for is said elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime, time

MOST_FACTS = 1000
"""Values of one document that can be filtered by: more is data, not description."""

LONGEST_FACT = 1000
"""Code points; a longer value is prose, and found by its words."""


def facts_of(metadata: Mapping[str, object] | None) -> list[tuple[str, str]]:
    """Distinct (key, value) pairs, sorted; nested keys are joined by dots, a list gives one pair
    for each of its items."""
    found: set[tuple[str, str]] = set()
    for key, value in _leaves(metadata or {}):
        text = fact_text(value)
        if len(text) <= LONGEST_FACT:
            found.add((key, text))
        if len(found) >= MOST_FACTS:
            break
    return sorted(found)


def fact_text(value: object) -> str:
    """A value as it is compared: as JSON writes numbers, booleans and null, texts as they are."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, date | datetime | time):
        return value.isoformat()
    return str(value)


def _leaves(metadata: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Key and value of each end, without recursion: a document may nest as deep as it likes."""
    waiting: list[tuple[str, object]] = [("", metadata)]
    while waiting:
        key, value = waiting.pop()
        if isinstance(value, Mapping):
            prefix = f"{key}." if key else ""
            waiting += [(f"{prefix}{inner}", leaf) for inner, leaf in value.items()]
        elif isinstance(value, list | tuple | set | frozenset):
            waiting += [(key, item) for item in value]
        else:
            yield key, value
