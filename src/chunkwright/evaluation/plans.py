"""What an evaluation is to do, all of it checked before anything is done. Nothing is done here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from chunkwright import embedding, measuring
from chunkwright.embedding import EmbedderLike
from chunkwright.errors import ConfigError, did_you_mean
from chunkwright.evaluation.corpus import Corpus
from chunkwright.evaluation.nouns import Progress, Question, row_name
from chunkwright.evaluation.remembering import RememberingEmbedder
from chunkwright.evaluation.strategies import Strategy
from chunkwright.measuring import MeasureLike
from chunkwright.types import Measure

STRATEGIES = ("auto", "recursive", "lines")
"""What an index does, and two that know nothing of a format."""

SIZES = (100, 200, 400)
"""Tokens: from a paragraph to a page."""

VECTORS, WORDS, BOTH = "vectors", "words", "both"
SEARCHES = (VECTORS, WORDS, BOTH)

K = 10
"""What a search gives unless asked for more."""

BUDGET = 1000
"""Tokens of retrieved text: what goes into a prompt beside everything else."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What an evaluation does, all of it checked."""

    corpus: Corpus
    questions: tuple[Question, ...]
    strategies: tuple[Strategy, ...]
    sizes: tuple[int | None, ...]
    measure: Measure
    overlap: int
    embedder: RememberingEmbedder | None
    search: str
    """One of SEARCHES; "" where nothing is looked for."""
    embeds: bool
    """Whether anything may be embedded: the strength of boundaries is told by it."""
    k: int
    budget: int
    seed: int
    progress: Progress

    @property
    def names(self) -> list[str]:
        """Of the rows, in order."""
        return [row_name(one.name, size) for one in self.strategies for size in self.sizes]


def silent(_stage: str, _done: int, _total: int, _row: str) -> None:
    """Progress nobody wants to know of."""


def size_list(sizes: Sequence[int | None]) -> tuple[int | None, ...]:
    """Sizes as they were given. Raises ConfigError for none, equal ones, and ones under 1."""
    found = tuple(sizes) if isinstance(sizes, Sequence) and not isinstance(sizes, str) else ()
    proper = all(size is None or (_is_whole(size) and size >= 1) for size in found)
    if not found or not proper or len(set(found)) < len(found):
        allowed = "different whole numbers of 1 or more, or None for no cap, at least one"
        raise ConfigError("sizes", sizes, allowed)
    return found


def unit_of(unit: MeasureLike) -> Measure:
    """The measure of sizes. Raises ConfigError for none."""
    try:
        return measuring.resolve(unit)
    except ConfigError as error:
        raise ConfigError("unit", unit, error.allowed) from None


def number(option: str, value: object, least: int) -> int:
    """A whole number that is large enough. Raises ConfigError for another."""
    if not _is_whole(value) or value < least:  # type: ignore[operator]  # the first half narrows it
        raise ConfigError(option, value, f"a whole number of {least} or more")
    return value  # type: ignore[return-value]


def searched(
    search: str,
    embedder: EmbedderLike,
    options: Mapping[str, object] | None,
    questions: Sequence[Question],
) -> tuple[str, RememberingEmbedder | None]:
    """How chunks are found ("" where nothing is looked for), and with which vectors.

    Raises ConfigError for what cannot be meant.
    """
    if search not in SEARCHES:
        hint = did_you_mean(str(search), SEARCHES)
        raise ConfigError("search", search, f"{hint}one of {', '.join(SEARCHES)}")
    found = embedding.resolve(embedder, options)
    if found is None and search == BOTH:
        raise ConfigError("search", search, f"{WORDS} where there is no embedder")
    if not questions:
        return "", None
    if search == WORDS:
        return search, None
    if found is None:
        return "", None
    return search, RememberingEmbedder(found)


def asked(questions: Sequence[Question], corpus: Corpus) -> tuple[Question, ...]:
    """The questions. Raises ConfigError for one without a reference in the corpus."""
    for question in questions:
        if not question.references:
            raise ConfigError("questions", question.text, "each with at least one reference")
        for one in question.references:
            text = corpus.texts.get(one.path)
            if text is None:
                allowed = f"references to files of the corpus (see {question.text!r})"
                raise ConfigError("questions", one.path, allowed)
            if not 0 <= one.start < one.end <= len(text):
                allowed = f"places in the {len(text):,} code points of {one.path}"
                raise ConfigError("questions", (one.start, one.end), allowed)
    return tuple(questions)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
