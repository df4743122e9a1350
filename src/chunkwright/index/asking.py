"""From the keyword arguments of a search to what the search understands: which chunks may answer,
and how answers are shown. Asking itself is not here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypedDict

from chunkwright import measuring
from chunkwright.measuring import MeasureLike
from chunkwright.search import Options, Scope
from chunkwright.types import Hit, Reranker


class Asking(TypedDict, total=False):
    """Keyword arguments that `Index.search` and its like share; `Index.search` says what each
    means."""

    language: str | None
    kind: str | None
    namespace: str | None
    where: Mapping[str, object] | None
    threshold: float | None
    group: bool
    neighbours: int
    context_tokens: int | None
    context_measure: MeasureLike
    reranker: Reranker | None
    rerank_optional: bool
    explain: bool


class Apart(NamedTuple):
    """Two lists of answers to one query."""

    hits: list[Hit]
    """Of anything but tests."""
    tests: list[Hit]


def asked_for(**given: Any) -> tuple[Scope, Options]:
    """Filters and options; None is as good as not given. Raises TypeError for an unknown name,
    ConfigError for a measure that is none."""
    said = {name: value for name, value in given.items() if value is not None}
    measure = said.pop("context_measure", "tokens")
    if "context_tokens" in said:
        said["count"] = measuring.resolve(measure).count
    filters = {name: said.pop(name) for name in Scope.__struct_fields__ if name in said}
    return Scope(**filters), Options(**said)
