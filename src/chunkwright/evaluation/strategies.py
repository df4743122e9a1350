"""The strategies that can be compared: which there are, how their names are read, and what makes a
cutter of one. What a cutter does with a corpus is in `cutting`, splitters of others in `foreign`.

    auto                             what an index does: the chunker for the language
    markdown, text, recursive,       that chunker for every file
    lines, code
    symbol                           `code` with one chunk a symbol
    recursive:overlap=50             any of them with options of its chunker
    package.module:factory           a splitter of others
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from chunkwright.chunking.base import Chunker
from chunkwright.errors import ConfigError, did_you_mean
from chunkwright.evaluation import foreign
from chunkwright.evaluation.nouns import Asked, Cut
from chunkwright.languages import CODE, MARKDOWN, PROSE
from chunkwright.pipeline.choosing import CHOICES, NO_CAP, Choice, Chooser

AUTO = "auto"

Option = str | int | float | bool | None


class Strategy(msgspec.Struct, frozen=True):
    """A way to cut, without a size yet."""

    name: str
    """As it is shown."""
    cutter: Callable[[Asked], Cut]
    """Raises ConfigError for an option it does not have, and a size it cannot keep."""
    takes_files: bool = False
    """Whether it reads a document as it is in its file, a notebook cell by cell."""


_OWN = {
    "code": CHOICES[CODE],
    "lines": Choice("lines", "LineChunker"),
    "markdown": CHOICES[MARKDOWN],
    "recursive": Choice("recursive", "RecursiveChunker"),
    "symbol": CHOICES[CODE]._replace(defaults={"granularity": "symbol", "file_header": False}),
    "text": CHOICES[PROSE],
}
"""Name -> chunker, and the options that let it cut all of a text and none of it twice."""

NAMES = tuple(sorted([AUTO, *_OWN]))

ALWAYS_CAPPED = ("recursive", "text")
"""Those whose chunker has a cap in any case."""

ASKED_FOR_ALL = frozenset({"size", "measure"})
"""Options that no strategy has for itself: rows are told apart by them."""

_WORDS: dict[str, Option] = {"true": True, "false": False, "none": None}


def strategies(given: str | Sequence[str | Strategy]) -> tuple[Strategy, ...]:
    """Those that are named: in one text with commas, or one by one.

    Raises ConfigError for a name that is none, for none at all, and for one that is named twice.
    """
    parts = _split(given) if isinstance(given, str) else given
    found = tuple(one if isinstance(one, Strategy) else strategy(one) for one in parts)
    names = [one.name for one in found]
    if not names or len(set(names)) < len(names):
        raise ConfigError("strategies", names, "different strategies, at least one")
    return found


def strategy(name: str, **options: Any) -> Strategy:
    """The strategy of a name; `options` besides those that stand in the name."""
    kind, written = _read(name)
    given = {**written, **options}
    for option in ASKED_FOR_ALL & given.keys():
        raise ConfigError("strategies", name, f"names without {option}: it is the same for all")
    if kind in NAMES:
        return Strategy(name, lambda asked: _own(kind, asked, given), takes_files=kind == AUTO)
    if ":" in kind:
        return Strategy(name, lambda asked: foreign.cutter(foreign.factory(kind), asked, given))
    known = f"strategies are {', '.join(NAMES)}, or package.module:factory"
    raise ConfigError("strategies", kind, did_you_mean(kind, NAMES) + known)


def of_factory(name: str, factory: foreign.Factory, **options: Any) -> Strategy:
    """The strategy of a splitter that `factory(size=...)` makes, under a name."""
    return Strategy(name, lambda asked: foreign.cutter(factory, asked, options))


def _split(text: str) -> Iterator[str]:
    """Names between commas; a part that begins with an option belongs to the name before."""
    name = ""
    for part in filter(None, (part.strip() for part in text.split(","))):
        if name and "=" in part and ":" not in part.split("=", 1)[0]:
            name = f"{name},{part}"
            continue
        if name:
            yield name
        name = part
    if name:
        yield name


def _read(name: str) -> tuple[str, dict[str, Option]]:
    """`recursive:overlap=50,keep_separator=true` -> the name and its options."""
    kind, colon, rest = name.rpartition(":")
    if not colon or "=" not in rest:
        return name, {}
    options: dict[str, Option] = {}
    for part in rest.split(","):
        option, sign, value = (word.strip() for word in part.partition("="))
        if not option or not sign:
            raise ConfigError("strategies", name, "options as in recursive:overlap=50")
        options[option] = _value(value)
    return kind.strip(), options


def _value(text: str) -> Option:
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _own(kind: str, asked: Asked, options: Mapping[str, Any]) -> Cut:
    given = {"size": asked.size, "measure": asked.measure, "overlap": asked.overlap, **options}
    if kind == AUTO:
        chooser = Chooser(given).check()
        return lambda document: chooser.choose(document).chunk(document)
    own = _OWN[kind]
    if kind == "lines" and "overlap" not in options:
        given["overlap"] = 0  # there it counts lines
    if kind in ALWAYS_CAPPED and given["size"] is None:
        given["size"] = NO_CAP
    made: Chunker = own.kind()(**{**own.defaults, **given})
    return made.chunk
