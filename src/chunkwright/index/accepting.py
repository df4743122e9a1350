"""What may be put: keys, texts, attachments and metadata of a document that is no file, checked
before anything is written. Where it is kept, and how it is chunked, is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isfinite

from msgspec.structs import replace

from chunkwright.characters import Lines, lone_surrogate
from chunkwright.errors import ConfigError, ParseError, did_you_mean
from chunkwright.languages import LANGUAGES, find
from chunkwright.types import Entry

LONGEST_KEY = 1000
"""Code points of a key, a namespace or the path of an attachment: what file systems allow of a
path and more than a person reads."""

DEEPEST_METADATA = 50
MOST_METADATA = 100_000
"""Nesting and values of a document's metadata: more is data, to be put as text; and a value that
holds itself has no end."""

LARGEST_NUMBER = 2**63 - 1
"""What every reader of JSON or of the index can hold."""

_JSON = "a dict of what JSON can say: texts, finite numbers, booleans, None, lists, dicts"


def accept(given: Entry) -> Entry:
    """The document, if it may be put.

    Raises ConfigError, which names what is wrong, the value and the remedy; ParseError for a text
    with lone surrogates.
    """
    check_name("key", given.key)
    check_namespace(given.namespace)
    check_version(given.version)
    for option in ("text", "summary"):
        _check_text(option, getattr(given, option), given.key)
    _check_attachments(given)
    _check_metadata(given.metadata)
    _check_language(given.language)
    return replace(given, attachments=dict(given.attachments), change="", waiting="")


def check_name(option: str, name: object) -> None:
    """A key, or what is like one. Raises ConfigError."""
    if not isinstance(name, str):
        raise ConfigError(option, name, "a string")
    if not name.strip() or "\0" in name or lone_surrogate(name) is not None:
        raise ConfigError(option, name, "neither blank nor with NUL or lone surrogates in it")
    if len(name) > LONGEST_KEY:
        raise ConfigError(option, name, f"at most {LONGEST_KEY} code points; use a hash of it")


def check_namespace(namespace: object) -> None:
    """What a key is unique in. Raises ConfigError."""
    check_name("namespace", namespace)
    if "/" in str(namespace):
        raise ConfigError("namespace", namespace, "without `/`; a key may have some")


def check_version(version: object) -> None:
    """A version that was seen. Raises ConfigError."""
    is_number = isinstance(version, int) and not isinstance(version, bool) and version >= 0
    if version is not None and not is_number:
        raise ConfigError(
            "version", version, "the version that was seen, 0 for none, or None for any"
        )


def _check_text(option: str, text: object, key: str, place: str = "") -> None:
    if not isinstance(text, str):
        raise ConfigError(option, text, "a string; decode bytes first")
    at = lone_surrogate(text)
    if at is not None:
        raise ParseError(
            place or key,
            Lines(text).number(at),
            f"the {option} has a lone surrogate, U+{ord(text[at]):04X}",
            "decode it with errors='replace'",
        )


def _check_attachments(given: Entry) -> None:
    if not isinstance(given.attachments, Mapping):
        raise ConfigError(
            "attachments", given.attachments, 'a mapping of paths to texts, {"a.md": "..."}'
        )
    for path, text in given.attachments.items():
        check_name("attachments", path)
        _check_text("attachments", text, given.key, str(path))


def _check_language(language: object) -> None:
    if language is None:
        return
    if not isinstance(language, str):
        raise ConfigError("language", language, "the name of a language, or None")
    if find(language) is None:
        hint = did_you_mean(language.lower(), [row.name for row in LANGUAGES])
        raise ConfigError(
            "language", language, f"{hint}`chunkwright languages` lists what there is"
        )


def _check_metadata(metadata: object) -> None:
    if not isinstance(metadata, dict):
        raise ConfigError("metadata", metadata, _JSON)
    for count, (place, value, depth) in enumerate(_values(metadata)):
        if depth > DEEPEST_METADATA or count > MOST_METADATA:
            raise ConfigError(
                place,
                "...",
                f"at most {DEEPEST_METADATA} levels and {MOST_METADATA} values; put more as text",
            )
        if not _is_json(value):
            raise ConfigError(place, value, f"{_JSON}; write anything else as text")


def _values(metadata: dict[object, object]) -> Iterator[tuple[str, object, int]]:
    """Every key and value with where it stands and how deep, without recursion."""
    waiting: list[tuple[str, object, int]] = [("metadata", metadata, 0)]
    while waiting:
        place, value, depth = waiting.pop()
        yield place, value, depth
        if isinstance(value, dict):
            for key, inner in value.items():
                if not isinstance(key, str):
                    raise ConfigError(f"{place}[{key!r}]", key, "a string for a key")
                yield f"{place}[{key!r}]", key, depth
                waiting.append((f"{place}[{key!r}]", inner, depth + 1))
        elif isinstance(value, list | tuple):
            waiting += [(f"{place}[{at}]", item, depth + 1) for at, item in enumerate(value)]


def _is_json(value: object) -> bool:
    """Exact types: a subclass may be anything, such as a number of numpy's."""
    kind = type(value)
    if kind is str:
        return lone_surrogate(str(value)) is None
    if kind is float:
        return isfinite(value)  # type: ignore[arg-type]  # kind says so
    if kind is int:
        return abs(value) <= LARGEST_NUMBER  # type: ignore[arg-type]  # kind says so
    return value is None or kind is bool or isinstance(value, dict | list | tuple)
