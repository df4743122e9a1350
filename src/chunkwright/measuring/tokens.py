"""Tokenizers as measures: the named ones, and those a caller hands in (Hugging Face, tiktoken,
any object with `count` or `encode`, any callable). OpenAI's vocabularies are `vocabularies`'s, and
how a reach is found is not here.

Text that spells a special token is ordinary text to every measure here.
"""

from __future__ import annotations

import hashlib
import inspect
import pickle
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from chunkwright import assets
from chunkwright.measuring import vocabularies
from chunkwright.measuring.vocabularies import VOCABULARIES
from chunkwright.types import Measure

DEFAULT = "tokens"
"""The tokens of the default embedder."""

NAMED = (DEFAULT, *VOCABULARIES)

DISTRIBUTIONS = ("tokenizers",)
"""Distributions that decide what the DEFAULT measure counts, besides the model."""

PREPARED_AT_ONCE = 8
"""Callers' tokenizers whose prepared copies are kept."""

NAME_DIGITS = 16

PICKLE_PROTOCOL = 4
"""Held still, so that a fingerprint does not change with Python."""


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
    return _default() if name == DEFAULT else vocabularies.named(name)


def versions(name: str) -> str:
    """Installed versions of what decides a named measure's counts; "" for other measures."""
    if name in VOCABULARIES:
        return _installed(vocabularies.distribution(name))
    return " ".join([assets.MODEL_NAME, *map(_installed, DISTRIBUTIONS)]) if name == DEFAULT else ""


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
    if _is_byte_pairs(measure):
        return _byte_pairs(measure)
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


def _is_fast(tokenizer: object) -> bool:
    """Whether it is a tokenizer of the `tokenizers` package, or behaves like one."""
    return all(
        callable(getattr(tokenizer, name, None))
        for name in ("encode", "to_str", "no_truncation", "no_padding")
    )


def _is_byte_pairs(tokenizer: object) -> bool:
    """Whether it is an encoding of tiktoken or quicktok, or behaves like one."""
    methods = ("encode_ordinary", "decode_single_token_bytes")
    return isinstance(getattr(tokenizer, "n_vocab", None), int) and all(
        callable(getattr(tokenizer, method, None)) for method in methods
    )


@lru_cache(maxsize=PREPARED_AT_ONCE)
def _prepared(tokenizer: Any) -> Measure:
    """A copy that neither truncates nor pads nor sees special tokens; the caller's stays as is."""
    try:
        described = tokenizer.to_str()
    except Exception:  # a part written in Python cannot be described
        return FastTokenizer(_name_of(tokenizer), _rebuilt(tokenizer))
    copy = type(tokenizer).from_str(described)
    copy.no_truncation()
    copy.no_padding()
    copy.encode_special_tokens = True
    digest = hashlib.sha256(described.encode()).hexdigest()[:NAME_DIGITS]
    return FastTokenizer(f"tokenizer-{digest}", copy)


def _rebuilt(tokenizer: Any) -> Any:
    """A tokenizer of the same parts, without the special tokens."""
    copy = type(tokenizer)(tokenizer.model)
    copy.normalizer, copy.pre_tokenizer = tokenizer.normalizer, tokenizer.pre_tokenizer
    added = tokenizer.get_added_tokens_decoder().values()
    copy.add_tokens([token for token in added if not token.special])
    return copy


@lru_cache(maxsize=PREPARED_AT_ONCE)
def _byte_pairs(encoding: Any) -> Measure:
    from chunkwright.measuring.byte_pairs import BytePairs

    return BytePairs(_name_of(encoding), encoding)


def _encoder(tokenizer: Any) -> Callable[[str], int]:
    """The call that makes this kind of tokenizer take all text as ordinary text."""
    plain = getattr(tokenizer, "encode_ordinary", None)
    if callable(plain):
        return lambda text: len(plain(text))
    options = _ordinary_text_options(tokenizer)
    return lambda text: _length(tokenizer.encode(text, **options))


ORDINARY_TEXT: dict[str, dict[str, Any]] = {
    "disallowed_special": {"disallowed_special": ()},
    "split_special_tokens": {
        "add_special_tokens": False,
        "split_special_tokens": True,
        "verbose": False,  # of texts longer than the model takes
    },
    "add_special_tokens": {"add_special_tokens": False},
}
"""Parameter of an `encode`, or attribute of a tokenizer -> what to give its `encode`, so that
nothing is refused or added. These are tiktoken's, transformers's and tokenizers's."""


def _ordinary_text_options(tokenizer: Any) -> dict[str, Any]:
    try:
        parameters = inspect.signature(tokenizer.encode).parameters
    except (TypeError, ValueError):  # compiled, without a signature
        return ORDINARY_TEXT["add_special_tokens"]
    takes_any = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    for name, options in ORDINARY_TEXT.items():
        if name in parameters or (takes_any and hasattr(tokenizer, name)):
            return options
    return ORDINARY_TEXT["add_special_tokens"] if takes_any else {}


def make_up(measure: Any) -> str:
    """A digest of what a caller's measure is made of; "" where its name tells that already."""
    if _is_fast(getattr(measure, "backend_tokenizer", measure)):
        return ""
    try:
        made_of = pickle.dumps(measure, protocol=PICKLE_PROTOCOL)
    except Exception:  # whatever a caller's object raises: a function written in place, mostly
        made_of = repr(_facts_of(getattr(measure, "__code__", None), measure)).encode()
    return hashlib.sha256(made_of).hexdigest()[:NAME_DIGITS]


def _facts_of(code: Any, function: Any) -> list[Any]:
    """Byte code, constants and enclosed values, without what an address of memory would show."""
    if code is None:
        return []
    cells = [cell.cell_contents for cell in getattr(function, "__closure__", None) or ()]
    values = [*code.co_consts, *cells, *(getattr(function, "__defaults__", None) or ())]
    plain = [value for value in values if isinstance(value, str | bytes | int | float | None)]
    return [code.co_code, code.co_names, plain]


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
