"""What an embedder says of itself, held against what it may say, where it is first needed: a model
may have to be read for it, or a service asked. Its answers are not looked at here.
"""

from __future__ import annotations

from numbers import Integral, Real

from chunkwright.characters import lone_surrogate
from chunkwright.errors import ChunkwrightError, ConfigError, EmbedError, told
from chunkwright.types import Embedder

NO_NAME = "none"
"""The name of having no embedder, which none may bear."""


def _check(embedder: Embedder) -> None:
    """Raise ConfigError for a name or a number that cannot be meant."""
    name = embedder.name
    if not isinstance(name, str) or not name.strip() or lone_surrogate(name) is not None:
        raise ConfigError("embedder.name", name, "a text that is not blank")
    if name == NO_NAME:
        raise ConfigError("embedder.name", name, "any other: it means that there is none")
    for option in ("batch_size", "concurrency"):
        value = getattr(embedder, option, 1)
        if not _is_count(value):
            raise ConfigError(f"embedder.{option}", value, "a whole number of 1 or more")
    most = getattr(embedder, "max_tokens", None)
    if most is not None and not (isinstance(most, Real) and float(most) >= 1):
        raise ConfigError("embedder.max_tokens", most, "a number of 1 or more, or None for any")


def dim_of(embedder: Embedder) -> int:
    """Its dimensions, once all that it says of itself can be meant.

    Raises ConfigError (option `embedder.…`) where it cannot, EmbedError where it does not tell
    them.
    """
    _check(embedder)
    try:
        dim = embedder.dim
    except ChunkwrightError:
        raise
    except Exception as error:  # whatever it is, the embedder cannot be used
        reason = f"does not tell its dim ({told(error)})"
        raise EmbedError(embedder.name, reason, "check that it runs", is_final=True) from error
    if not _is_count(dim):
        raise ConfigError("embedder.dim", dim, "a whole number of 1 or more")
    return int(dim)


def _is_count(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 1
