"""Embedders whose name says more than which: a folder, a model, an address; and their options."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from typing import Any
from urllib.parse import urlsplit

from chunkwright.embedding.endpoint import EndpointEmbedder, EndpointOptions, key_variable_of
from chunkwright.embedding.model2vec import Model2VecEmbedder
from chunkwright.errors import ConfigError, did_you_mean
from chunkwright.types import Embedder

OPENAI_URL = "https://api.openai.com/v1"
OPENAI_KEY = "OPENAI_API_KEY"
OPENAI_URL_VARIABLE = "OPENAI_BASE_URL"

OPENAI_TOKENS = 8191
"""What OpenAI's models of text embeddings read, as their documentation says."""

OPENAI_DIMS = {
    "text-embedding-3-large": 3072,
    "text-embedding-3-small": 1536,
    "text-embedding-ada-002": 1536,
}
"""Known, so that none has to be asked for."""

TABLE = "embedder_options"

KINDS: dict[str, tuple[type | tuple[type, ...], str]] = {
    "batch_size": (int, "a whole number of texts a request, 1 or more"),
    "concurrency": (int, "a whole number of requests at a time, 1 or more"),
    "dimensions": (int, "a whole number, 1 or more, that the model can give"),
    "document_prefix": (str, "a text in quotes"),
    "max_tokens": (int, "a whole number, 1 or more: the longest text that the model reads"),
    "query_prefix": (str, "a text in quotes"),
    "timeout": ((int, float), "seconds, more than 0"),
    "tokenizer": (str, "the path of a tokenizer.json, or the name of a measure of tokens"),
}
"""Option -> types, and what is allowed in words."""

ENDPOINT_OPTIONS = EndpointOptions.__struct_fields__


def takes(
    names: Collection[str], options: Mapping[str, object], also: Collection[str] = ()
) -> dict[str, Any]:
    """The options, if they are among `names` and of the right type. `also` names those that are
    taken elsewhere, for the message of the ConfigError that is raised if not."""
    for name, value in options.items():
        option = f"{TABLE}.{name}"
        if name not in names:
            allowed = sorted({*names, *also, "document_prefix", "query_prefix"})
            hint = did_you_mean(name, allowed)
            known = ", ".join(allowed)
            raise ConfigError(option, value, f"{hint}this embedder's options are {known}")
        kind, words = KINDS[name]
        is_wrong = not isinstance(value, kind) or isinstance(value, bool)
        if is_wrong or (isinstance(value, int | float) and value <= 0):
            raise ConfigError(option, value, f"give {words}")
    return dict(options)


def model2vec(name: str, options: Mapping[str, object]) -> Embedder:
    """`model2vec:FOLDER` or `model2vec:owner/name`."""
    takes((), options)
    source = name.partition(":")[2].strip()
    if not source:
        raise ConfigError("embedder", name, "model2vec:FOLDER, or model2vec:owner/name of a hub")
    return Model2VecEmbedder(source)


def openai(name: str, options: Mapping[str, object]) -> Embedder:
    """`openai:MODEL`, at OpenAI's or wherever OPENAI_BASE_URL says."""
    given = takes(ENDPOINT_OPTIONS, options)
    model = name.partition(":")[2].strip()
    if not model:
        raise ConfigError("embedder", name, "openai:MODEL, such as openai:text-embedding-3-small")
    base_url = _checked(os.environ.get(OPENAI_URL_VARIABLE, "").strip() or OPENAI_URL)
    made = EndpointEmbedder(
        base_url,
        model,
        EndpointOptions(**({"max_tokens": OPENAI_TOKENS} if model in OPENAI_DIMS else {}) | given),
        name=name,
        key_variable=OPENAI_KEY,
    )
    made.learn_dim(OPENAI_DIMS.get(model, 0))
    return made


def endpoint(name: str, options: Mapping[str, object]) -> Embedder:
    """`http://HOST:PORT/v1#MODEL`."""
    given = takes(ENDPOINT_OPTIONS, options)
    url, _, model = name.partition("#")
    base_url = _checked(url)
    if not model.strip():
        raise ConfigError("embedder", name, "the model after the URL: http://HOST:PORT/v1#MODEL")
    return EndpointEmbedder(
        base_url,
        model.strip(),
        EndpointOptions(**given),
        key_variable=key_variable_of(base_url),
    )


def _checked(url: str) -> str:
    """The URL, if it can be stored: the name of an embedder stands in every index made with it."""
    parts = urlsplit(url)
    if parts.username is not None or parts.query:
        shown = f"{parts.scheme}://…@{parts.hostname}…"
        allowed = f"a URL without password or query; put the key into {key_variable_of(url)}"
        raise ConfigError("embedder", shown, allowed)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigError("embedder", url, "http://HOST:PORT/v1#MODEL, or https")
    return url
