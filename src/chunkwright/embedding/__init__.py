"""Turning texts into vectors: which embedder is meant by a name, and the names there are.
The embedders are in their own modules; nothing here is stored or searched.
"""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module

from chunkwright.errors import ConfigError
from chunkwright.types import Embedder

DEFAULT = "static"
"""Offline, no key, no torch: what an index uses unless told otherwise."""

WORDS_ONLY = "none"
"""The name, in a configuration file, for what `False` means in Python: no vectors at all."""

_EMBEDDERS = {
    "hashing": ("hashing", "HashingEmbedder"),
    "hashing-64": ("hashing", "HashingEmbedder"),
    "static": ("static", "StaticEmbedder"),
    "wordllama-l2-supercat-256": ("static", "StaticEmbedder"),
}
"""Name -> module in this room, class. The second name of each is what `name` says."""

NAMES = tuple(sorted([*_EMBEDDERS, WORDS_ONLY]))

EmbedderLike = Embedder | str | bool | None
"""An object, a name, None for the default, False for words only."""


def resolve(embedder: EmbedderLike) -> Embedder | None:
    """The embedder that is meant; None where only words are wanted.

    Raises ConfigError (option `embedder`) for an unknown name or an object of another kind.
    """
    if embedder is False or embedder == WORDS_ONLY:
        return None
    if embedder is None:
        return _named(DEFAULT)
    if isinstance(embedder, str):
        return _named(embedder)
    if all(hasattr(embedder, needed) for needed in ("embed", "name", "dim")):
        return embedder  # type: ignore[return-value]  # checked by its attributes: max_tokens is not needed here
    raise ConfigError(
        "embedder",
        embedder,
        f"a name ({', '.join(NAMES)}), False, or an object with embed, name, dim",
    )


def _named(name: str) -> Embedder:
    if name not in _EMBEDDERS:
        near = get_close_matches(name, NAMES, 1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise ConfigError("embedder", name, f"{hint}embedders are {', '.join(NAMES)}")
    module, kind = _EMBEDDERS[name]
    made: Embedder = getattr(import_module(f"chunkwright.embedding.{module}"), kind)()
    return made
