"""What `chunkwright.toml`, or `[tool.chunkwright]` in `pyproject.toml`, says: read, checked, and
laid under the flags. What the settings do is decided elsewhere, and so is what a size may be
for a chunker: here only names and types are checked.

Flags win over the file, the file over the defaults. Where a root has both files, only
`chunkwright.toml` counts, so that a setting never stands half here and half there.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from chunkwright.errors import ConfigError, did_you_mean

FILE_NAME = "chunkwright.toml"
PROJECT_FILE_NAME = "pyproject.toml"
TABLE = "tool.chunkwright"

MAX_FILE_SIZE = 1024 * 1024
"""Bytes, 1 MiB: sources written by hand stay under it; dumps and bundles do not."""

GRANULARITIES = ("packed", "symbol")

CHUNKER_OPTIONS = ("size", "overlap", "measure", "granularity", "file_header")
"""Settings handed to the chunkers; None leaves each chunker its own default."""

RULE_OPTIONS = ("max_file_size", "include", "exclude", "allow_secrets")
"""Settings handed to the walk."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of one root."""

    embedder: str | None = None
    """Name of an embedder; None: the default one; `none`: words only."""
    embedder_options: dict[str, Any] = {}
    """What else that embedder is told; what there is depends on which it is."""
    late_embedding: bool | None = None
    """Whether a refresh leaves vectors to be made when a question wants them; None: as the index
    was made, which at first is at once."""
    vector_cache: str | None = None
    """Folder of vectors that several indexes share, `""` for none; None: what the environment
    variable CHUNKWRIGHT_VECTOR_CACHE says, else one in the user's cache for slow embedders."""
    max_file_size: int = MAX_FILE_SIZE
    """Bytes; a larger file is skipped."""
    include: tuple[str, ...] = ()
    """Patterns in the form of an ignore file; given, only what matches one is taken."""
    exclude: tuple[str, ...] = ()
    """Patterns in the form of an ignore file; what matches is left out."""
    allow_secrets: tuple[str, ...] = ()
    """Patterns of files that look like secrets and are to be read all the same."""
    size: int | None = None
    """Cap of a chunk, in `measure`."""
    overlap: int | None = None
    """At most so much repeated from the chunk before, in `measure`."""
    measure: str | None = None
    """`chars`, `bytes`, `graphemes`, `lines`, `tokens`, `cl100k` or `o200k`."""
    granularity: str | None = None
    """One of GRANULARITIES, for code."""
    file_header: bool | None = None
    """Whether code gets a chunk of its first lines."""

    def chunker_options(self) -> dict[str, Any]:
        """The options for the chunkers that are set: those left None stay out."""
        values = {name: getattr(self, name) for name in CHUNKER_OPTIONS}
        return {name: value for name, value in values.items() if value is not None}

    def rule_options(self) -> dict[str, Any]:
        """The options for walking the root, all of them."""
        return {name: getattr(self, name) for name in RULE_OPTIONS}


class _Kind(NamedTuple):
    """What a value may be, as a check and in words."""

    accepts: Callable[[object], bool]
    allowed: str


def _is_whole_number(value: object, least: int | None) -> bool:
    if not isinstance(value, int) or isinstance(value, bool):
        return False
    return least is None or value >= least


def _is_strings(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)


def _is_table(value: object) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(item, str | int | float) for item in value.values()
    )


_PATTERNS = _Kind(_is_strings, 'give a list of patterns, such as ["docs/", "*.min.js"]')

KINDS = {
    "embedder": _Kind(lambda value: isinstance(value, str), 'give a name in quotes, or "none"'),
    "embedder_options": _Kind(
        _is_table, 'give a table, such as [embedder_options] with query_prefix = "query: "'
    ),
    "late_embedding": _Kind(lambda value: isinstance(value, bool), "give true or false"),
    "vector_cache": _Kind(
        lambda value: isinstance(value, str), 'give a folder in quotes, or "" for none'
    ),
    "max_file_size": _Kind(
        lambda value: _is_whole_number(value, 1), "give a whole number of bytes, 1 or more"
    ),
    "include": _PATTERNS,
    "exclude": _PATTERNS,
    "allow_secrets": _PATTERNS,
    "size": _Kind(lambda value: _is_whole_number(value, 1), "give a whole number, 1 or more"),
    "overlap": _Kind(
        lambda value: _is_whole_number(value, None), "give a whole number, 0 for no overlap"
    ),
    "measure": _Kind(
        lambda value: isinstance(value, str), 'give the name of a measure, such as "chars"'
    ),
    "granularity": _Kind(
        lambda value: value in GRANULARITIES, f"give one of {', '.join(GRANULARITIES)}"
    ),
    "file_header": _Kind(lambda value: isinstance(value, bool), "give true or false"),
}
"""Every key, and what its value may be."""


class Origin(NamedTuple):
    """Where the settings of a root come from."""

    path: Path
    values: Mapping[str, object]


def load(root: Path | str, **overrides: object) -> Settings:
    """The settings for `root`: defaults, then its file, then `overrides` that are not None.

    Raises ConfigError for an unknown key, a wrong type, or a file that is not TOML; it names
    the key, the value, the file and what is allowed.
    """
    origin = find(Path(root))
    values = _checked(origin.values, f"in {origin.path}: ") if origin else {}
    given = {name: value for name, value in overrides.items() if value is not None}
    if given.get("embedder", values.get("embedder")) != values.get("embedder"):
        values.pop("embedder_options", None)  # they are the other one's
    return Settings(**{**values, **_checked(given)})


def find(root: Path) -> Origin | None:
    """The file that holds the settings of `root` and what it says; None where there is none."""
    own = root / FILE_NAME
    if own.is_file():
        return Origin(own, _read(own))
    project = root / PROJECT_FILE_NAME
    if not project.is_file():
        return None
    table = _table(_read(project), project)
    return None if table is None else Origin(project, table)


def _table(content: Mapping[str, object], path: Path) -> Mapping[str, object] | None:
    """`[tool.chunkwright]` of a project file; None where it is absent."""
    tools = content.get("tool")
    table = tools.get("chunkwright") if isinstance(tools, Mapping) else None
    if table is None or isinstance(table, Mapping):
        return table
    raise ConfigError(TABLE, table, f"in {path}: make it a table, [{TABLE}]")


def _read(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ConfigError(
            path.name, str(path), f"it cannot be read ({reason}); correct its permissions"
        ) from None
    except UnicodeDecodeError:
        raise ConfigError(path.name, str(path), "it is not UTF-8; save it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(path, error) from None


def _syntax_error(path: Path, error: tomllib.TOMLDecodeError) -> ConfigError:
    """The parser's complaint with file and line, and the line itself as the value."""
    lines = path.read_bytes().decode("utf-8-sig").split("\n")
    found = re.search(r"\(at line (\d+)", str(error))
    number = int(found[1]) if found else len(lines)
    reason = re.sub(r" \(at .*\)$", "", str(error))
    line = lines[number - 1].strip() if 0 < number <= len(lines) else ""
    remedy = f"{path}:{number}: {reason}; correct the line, or remove it"
    return ConfigError(path.name, line, remedy)


def _checked(values: Mapping[str, object], place: str = "") -> dict[str, Any]:
    """The values, lists as tuples; `place` says in an error where they stand."""
    for name, value in values.items():
        if name not in KINDS:
            raise ConfigError(name, value, f"{place}unknown key; {_nearest(name)}")
        if not KINDS[name].accepts(value):
            raise ConfigError(name, value, f"{place}{KINDS[name].allowed}")
    return {
        name: tuple(value) if isinstance(value, list) else value for name, value in values.items()
    }


def _nearest(name: str) -> str:
    hint = did_you_mean(name.replace("-", "_").lower(), KINDS)
    return f"{hint}keys are {', '.join(sorted(KINDS))}"
