"""Front matter: the metadata block at the very top of a Markdown document. Finds it, reads it into
plain JSON-ready values, and says when it cannot. The Markdown under it is parsing.markdown's.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, time
from functools import lru_cache
from math import isfinite
from re import compile as compile_plain
from typing import Any, NamedTuple

from chunkwright.characters import is_whitespace_only

BLANK_LINE = compile_plain(r"[ \t]*[\r\n]")
"""After `---`, this makes a rule of it unless a mapping follows."""

BYTE_ORDER_MARK = "\ufeff"

OPENING = compile_plain(r"(---|\+\+\+)[ \t]*(?:\r\n|\n|\r)")

CLOSING = {
    "---": compile_plain(r"(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|\Z)"),
    "+++": compile_plain(r"(?<=[\r\n])\+\+\+[ \t]*(?:\r\n|\n|\r|\Z)"),
}
"""Opening fence -> the line that closes the block, with its line end."""

MAX_LENGTH = 65_536
"""Code points read: PyYAML takes about a second for that many; the longest front matter seen in
documentation repositories is a tenth of it."""

MAX_DEPTH = 64
"""Nesting of lists and mappings; PyYAML recurses on it."""

LONG_DOTTED_KEY = compile_plain(
    rf"""(?:\.[ \t]*(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*){{{MAX_DEPTH},}}"""
)
"""`a.b.c` nested too deep: tomllib's time is quadratic in its length."""

MAX_ALIASES = 10
"""YAML aliases allowed: two for each of n merges multiply a mapping by 2**n."""

MAX_VALUES = 100_000
"""Values after aliases are written out."""

INTEGER_BITS = 63
"""Larger whole numbers become text, for JSON readers take 64 bits."""


class FrontMatter(NamedTuple):
    """A closed block at the top of a text."""

    end: int
    """Offset just after the closing line and its line end; the block starts at 0."""
    values: dict[str, Any] | None
    """JSON-ready; None where the block is not a mapping."""
    problem: str
    """Why it is not, or ""."""


def find(text: str) -> FrontMatter | None:
    """The front matter of `text`, or None where there is none: not at the top, not closed, or a
    rule, which a blank line follows, with no mapping before the next.

    A byte order mark before it is part of it. `---` fences YAML (closed by `---` or `...`),
    `+++` fences TOML.
    """
    start = len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0
    opening = OPENING.match(text, start)
    closing = CLOSING[opening[1]].search(text, opening.end()) if opening else None
    if not opening or not closing:
        return None
    inside = text[opening.end() : closing.start()]
    found = FrontMatter(closing.end(), *_read(inside, opening[1]))
    is_rule = found.values is None and BLANK_LINE.match(inside) is not None
    return None if is_rule else found


def _read(inside: str, fence: str) -> tuple[dict[str, Any] | None, str]:
    """The values and "", or None and what is wrong."""
    if len(inside) > MAX_LENGTH:
        return None, f"it is longer than {MAX_LENGTH} code points"
    if is_whitespace_only(inside):
        return {}, ""
    language, load = _LOADERS[fence]
    try:
        loaded = load(inside.replace("\r\n", "\n").replace("\r", "\n"))
        if isinstance(loaded, dict):
            return _Plain().mapping(loaded, 0), ""
    except _UnreadableError as error:
        return None, str(error)
    except (ValueError, ArithmeticError, RecursionError):
        return None, f"it is not valid {language}"
    return None, "it is not a mapping"


class _UnreadableError(Exception):
    """Not valid, or beyond one of the bounds above; the message says which."""


def _yaml(source: str) -> object:
    import yaml

    try:
        return yaml.load(source, Loader=_bounded_loader())  # noqa: S506  # a SafeLoader
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 2 if error.problem_mark else 1
        raise _UnreadableError(f"it is not valid YAML: line {line}: {error.problem}") from error
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error


def _toml(source: str) -> object:
    import tomllib

    if LONG_DOTTED_KEY.search(source):
        raise _UnreadableError(f"a key has more than {MAX_DEPTH} parts")
    return tomllib.loads(source)


_LOADERS: dict[str, tuple[str, Callable[[str], object]]] = {
    "---": ("YAML", _yaml),
    "+++": ("TOML", _toml),
}


@lru_cache(maxsize=1)
def _bounded_loader() -> Any:
    """SafeLoader in pure Python (libyaml differs in details), with nesting and aliases bounded."""
    import yaml

    class BoundedLoader(yaml.SafeLoader):
        depth = 0
        aliases = 0

        def compose_node(self, parent: Any, index: Any) -> Any:
            self.aliases += self.check_event(yaml.AliasEvent)
            self.depth += 1
            if self.depth > MAX_DEPTH or self.aliases > MAX_ALIASES:
                raise _UnreadableError("it is nested too deep or has too many aliases")
            node = super().compose_node(parent, index)
            self.depth -= 1
            return node

    return BoundedLoader


class _Plain:
    """Makes loaded values JSON-ready: keys as text, dates as ISO text, no more than MAX_VALUES."""

    def __init__(self) -> None:
        self._values = 0

    def mapping(self, values: dict[Any, Any], depth: int) -> dict[str, Any]:
        return {self._key(key): self.value(item, depth + 1) for key, item in values.items()}

    def value(self, value: object, depth: int) -> Any:
        self._values += 1
        if depth > MAX_DEPTH or self._values > MAX_VALUES:
            raise _UnreadableError("it is nested too deep or has too many values")
        if isinstance(value, dict):
            return self.mapping(value, depth)
        if isinstance(value, list | tuple | set):
            return [self.value(item, depth + 1) for item in value]
        return self._scalar(value)

    def _key(self, key: object) -> str:
        plain = self._scalar(key)
        return plain if isinstance(plain, str) else str(plain)

    @staticmethod
    def _scalar(value: object) -> Any:
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int):
            return value if value.bit_length() <= INTEGER_BITS else hex(value)
        if isinstance(value, float):
            return value if isfinite(value) else str(value)
        if isinstance(value, date | time):
            return value.isoformat()
        if isinstance(value, bytes):
            return value.hex()
        return str(value).encode("utf-8", "replace").decode()
