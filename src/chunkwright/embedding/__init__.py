"""Turning texts into vectors: which embedder is meant by a name, and the names there are.
The embedders are in their own modules; nothing here is stored or searched.

    static, hashing, minilm          an embedder of ours
    none                             words only
    model2vec:FOLDER                 a static model in model2vec's format; also owner/name
    openai:MODEL                     a model of OpenAI's
    http://HOST:PORT/v1#MODEL        a model behind any endpoint of OpenAI's form
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from inspect import getattr_static

from chunkwright.embedding.asking import query_vector
from chunkwright.embedding.attributes import dim_of
from chunkwright.embedding.naming import endpoint, model2vec, openai, takes
from chunkwright.embedding.prefixes import PrefixedEmbedder
from chunkwright.errors import ConfigError, did_you_mean
from chunkwright.types import Embedder

__all__ = [
    "DEFAULT",
    "NAMES",
    "WORDS_ONLY",
    "EmbedderLike",
    "dim_of",
    "is_cheap",
    "query_vector",
    "resolve",
]

DEFAULT = "static"
"""Offline, no key, no torch: what an index uses unless told otherwise."""

WORDS_ONLY = "none"
"""The name, in a configuration file, for what `False` means in Python: no vectors at all."""

_EMBEDDERS = {
    "hashing": ("hashing", "HashingEmbedder"),
    "hashing-64": ("hashing", "HashingEmbedder"),
    "minilm": ("minilm", "MiniLMEmbedder"),
    "all-minilm-l6-v2-int8": ("minilm", "MiniLMEmbedder"),
    "static": ("static", "StaticEmbedder"),
    "chunkwright-static-256": ("static", "StaticEmbedder"),
}
"""Name -> module in this room, class. The second name of each is what `name` says."""

_KINDS = {
    "http:": endpoint,
    "https:": endpoint,
    "model2vec:": model2vec,
    "openai:": openai,
}
"""What a longer name begins with -> what makes its embedder."""

NAMES = tuple(sorted([*_EMBEDDERS, WORDS_ONLY]))

FORMS = (*NAMES, "model2vec:FOLDER", "openai:MODEL", "http://HOST:PORT/v1#MODEL")

PREFIXES = ("query_prefix", "document_prefix")
"""Options of every embedder that is given by a name."""

EmbedderLike = Embedder | str | bool | None
"""An object, a name, None for the default, False for words only."""


def resolve(embedder: EmbedderLike, options: Mapping[str, object] | None = None) -> Embedder | None:
    """The embedder that is meant; None where only words are wanted. `options` are for one that is
    given by name. Nothing is read or connected to.

    Raises ConfigError (option `embedder`) for an unknown name or an object of another kind,
    (option `embedder_options.…`) for an option it does not have.
    """
    if embedder is False or embedder == WORDS_ONLY:
        return None
    if embedder is None:
        return _named(DEFAULT, options or {})
    if isinstance(embedder, str):
        return _named(embedder, options or {})
    if all(_has(embedder, needed) for needed in ("embed", "name", "dim")):
        return embedder  # type: ignore[return-value]  # checked by its attributes: max_tokens is not needed here
    raise ConfigError(
        "embedder",
        embedder,
        f"a name ({', '.join(FORMS)}), False, or an object with embed, name, dim",
    )


def is_cheap(embedder: Embedder) -> bool:
    """Whether a vector costs so little (half a millisecond) that keeping it for other indexes to
    share is not worth the room."""
    return bool(getattr(embedder, "is_cheap", False))


def embeds_files(embedder: Embedder | None) -> bool:
    """Whether files as a whole are to have vectors too: of a model that knows single words only,
    to which a long text is a blur."""
    return bool(getattr(embedder, "embeds_files", False))


def _has(embedder: object, name: str) -> bool:
    """Without computing it: `dim` may be a question to a service."""
    missing = object()
    return getattr_static(embedder, name, missing) is not missing or hasattr(embedder, name)


def _named(name: str, options: Mapping[str, object]) -> Embedder:
    own = {key: value for key, value in options.items() if key not in PREFIXES}
    made = _made(name, own)
    prefixes = takes(PREFIXES, {key: options[key] for key in PREFIXES if key in options})
    return PrefixedEmbedder(made, **prefixes) if any(prefixes.values()) else made


def _made(name: str, options: Mapping[str, object]) -> Embedder:
    if name in _EMBEDDERS:
        takes((), options, also=PREFIXES)
        module, kind = _EMBEDDERS[name]
        made: Embedder = getattr(import_module(f"chunkwright.embedding.{module}"), kind)()
        return made
    for beginning, make in _KINDS.items():
        if name.startswith(beginning):
            return make(name, options)
    hint = did_you_mean(name, FORMS)
    raise ConfigError("embedder", name, f"{hint}embedders are {', '.join(FORMS)}")
