"""Which chunks may answer: what a caller asks for, as a filter the store understands. It is applied
before anything is scored, so that k answers come back where k exist.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches

import msgspec

from chunkwright.errors import ConfigError
from chunkwright.store.facts import fact_text
from chunkwright.store.reading import Snapshot
from chunkwright.store.rows import Filter

NEAREST = 3
"""Values that are looked for among those like a wrong one."""

LONGEST_NAME = 64
"""Characters of a wrong value that are compared: comparing takes the square of them."""


class Scope(msgspec.Struct, frozen=True, kw_only=True):
    """Which chunks may answer; None: any."""

    path: str | Sequence[str] | None = None
    """A pattern as in a .gitignore (`*.py`, `src/`, `docs/**/*.md`), or some in a row, of which
    the last that fits decides: `["src/", "!src/generated/"]`."""
    language: str | None = None
    kind: str | None = None
    namespace: str | None = None
    """Of documents that were put; "" for the files of the tree."""
    is_test: bool | None = None
    where: Mapping[str, object] = {}
    """Values of front matter, or of a put document's metadata: `{"status": "draft"}`. A list there
    fits with any of its items, a nested key is written with dots. A list here: any of these."""


def filter_of(snapshot: Snapshot, scope: Scope) -> Filter:
    """The filter a scope means in one moment of an index.

    Raises ConfigError for a wrong pattern or a wrong kind of value.
    """
    _check(scope)
    return Filter(
        files=None if scope.path is None else _files_named(snapshot, scope.path),
        language=_encodable(scope.language),
        kind=_encodable(scope.kind),
        namespace=_encodable(scope.namespace),
        is_test=scope.is_test,
        facts=tuple((_key(name), _wanted(value)) for name, value in scope.where.items()),
    )


def unmatched(snapshot: Snapshot, scope: Scope) -> dict[str, tuple[str, ...]]:
    """The filters of a scope that not one chunk fits, each taken alone; with the values there are,
    the nearest of them first, of `language` and `kind`."""
    given = {name: getattr(scope, name) for name in Scope.__struct_fields__}
    alone = {
        name: Scope(**{name: value}) for name, value in given.items() if value not in (None, {})
    }
    return {
        name: _nearest(snapshot, name, given[name])
        for name, one in alone.items()
        if not len(snapshot.allowed_rows(filter_of(snapshot, one)))
    }


def _nearest(snapshot: Snapshot, name: str, value: object) -> tuple[str, ...]:
    if name not in ("language", "kind"):
        return ()
    known = snapshot.languages() if name == "language" else snapshot.kinds()
    near = get_close_matches(str(value)[:LONGEST_NAME], known, NEAREST)
    return tuple(dict.fromkeys((*near, *known)))


def encodable(text: str) -> str:
    """The text with a question mark for each lone surrogate: neither SQLite nor an embedder takes
    one, and no text of an index holds any."""
    return text.encode(errors="replace").decode()


def _encodable(text: str | None) -> str | None:
    return None if text is None else encodable(text)


def _check(scope: Scope) -> None:
    for option in ("language", "kind", "namespace"):
        value = getattr(scope, option)
        if not isinstance(value, str | None):
            raise ConfigError(option, value, "a string, or None for any")
    if not isinstance(scope.is_test, bool | None):
        raise ConfigError("is_test", scope.is_test, "True, False, or None for any")
    if not isinstance(scope.where, Mapping):
        raise ConfigError("where", scope.where, 'a mapping such as {"status": "draft"}')


def _key(name: object) -> str:
    if not isinstance(name, str):
        raise ConfigError("where", name, "strings for keys, those of a nested one joined by dots")
    return encodable(name)


def _wanted(value: object) -> tuple[str, ...]:
    """The texts of which one must stand there."""
    given = value if isinstance(value, list | tuple | set | frozenset) else [value]
    return tuple(encodable(fact_text(one)) for one in given)


def _files_named(snapshot: Snapshot, patterns: str | Sequence[str]) -> list[int]:
    """Numbers of the files that patterns name; they mean what they mean in a .gitignore."""
    import pathspec  # only where a pattern is given

    try:
        lines = [_literal(patterns)] if isinstance(patterns, str) else list(patterns)
        spec = pathspec.GitIgnoreSpec.from_lines(lines)
    except (ValueError, TypeError, AttributeError, re.error) as error:
        raise ConfigError("path", patterns, f"a pattern as in a .gitignore ({error})") from None
    return [number for path, number in snapshot.numbers().items() if spec.match_file(path)]


def _literal(pattern: str) -> str:
    """One pattern alone: `!` and `#` would be a negation of nothing and a comment."""
    return f"\\{pattern}" if pattern.startswith(("!", "#")) else pattern
