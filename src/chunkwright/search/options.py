"""How answers are put together and shown: what a caller asks for, checked. Which chunks may answer
at all is in `scope`.
"""

from __future__ import annotations

from math import isnan

import msgspec

from chunkwright.errors import ConfigError
from chunkwright.search.density import Count
from chunkwright.types import Reranker

UNLIMITED = float("-inf")


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """What is done with ranked hits."""

    threshold: float = UNLIMITED
    """The least score of an answer; of a document's, with `group`; as the search gives it, before
    a reranker is asked."""
    group: bool = False
    """One answer a document, with citations; else one a place."""
    neighbours: int = 0
    """Chunks shown before and after each answer."""
    context_tokens: int | None = None
    """What all that is shown may count; None: no `shown` text is made."""
    count: Count = len
    """Counts a text for `context_tokens`."""
    reranker: Reranker | None = None
    rerank_optional: bool = False
    """Whether a reranker that fails is a warning, not an error."""
    explain: bool = False
    """Whether every signal is told, those that said nothing too, and raw values."""


PLAIN = Options()


def check(k: int, options: Options) -> None:
    """Raise ConfigError for a number of answers, or an option, that is not allowed."""
    check_count("k", k)
    for option in ("group", "rerank_optional", "explain"):
        if not isinstance(getattr(options, option), bool):
            raise ConfigError(option, getattr(options, option), "True or False")
    threshold = options.threshold
    is_number = isinstance(threshold, int | float) and not isinstance(threshold, bool)
    # A whole number may be too large for isnan.
    if not is_number or (isinstance(threshold, float) and isnan(threshold)):
        raise ConfigError("threshold", threshold, "a number: the least score of an answer")
    check_count("neighbours", options.neighbours, least=0)
    if options.context_tokens is not None:
        check_count("context_tokens", options.context_tokens)
    if options.reranker is not None and not isinstance(options.reranker, Reranker):
        raise ConfigError("reranker", options.reranker, "an object with `name` and `rerank`")


def check_count(option: str, value: int, least: int = 1) -> None:
    """Raise ConfigError for what is no whole number, or less than `least`."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise ConfigError(option, value, f"a whole number of {least} or more")
