"""From what a caller calls a measure to the measure. How measures count is not here."""

from __future__ import annotations

from collections.abc import Callable

from chunkwright.errors import ConfigError
from chunkwright.measuring import tokens
from chunkwright.measuring.exact import EXACT
from chunkwright.types import Measure

MeasureLike = str | Measure | Callable[[str], int] | object


def resolve(measure: MeasureLike) -> Measure:
    """The measure named or given: a name, an object with `count`, a tokenizer or a callable.

    Names are chars, bytes, graphemes, lines, tokens, cl100k and o200k. Raises ConfigError (option
    `measure`) for anything else, and where a named tokenizer is not installed.
    """
    check(measure)
    if isinstance(measure, str):
        return EXACT[measure] if measure in EXACT else tokens.named(measure)
    return tokens.adapt(measure)


def check(measure: MeasureLike) -> None:
    """Raise ConfigError (option `measure`) for what is no measure; load nothing."""
    if isinstance(measure, str):
        known = (*EXACT, *tokens.NAMED)
        if measure not in known:
            raise ConfigError("measure", measure, f"the names are {', '.join(known)}")
    elif not tokens.counts(measure):
        allowed = "a name, an object with `count(text)`, a tokenizer with `encode`, or a callable"
        raise ConfigError("measure", measure, allowed)


def identity(measure: MeasureLike) -> str:
    """What tells this measure from others, its tokenizer's version included.

    A caller's own is told by its name and by what it is made of, as far as that can be seen: its
    state or, of a function written in place, its code and the plain values it refers to.
    """
    resolved = resolve(measure)
    own = "" if isinstance(measure, str) else tokens.make_up(measure)
    return " ".join(filter(None, (resolved.name, tokens.versions(resolved.name), own)))
