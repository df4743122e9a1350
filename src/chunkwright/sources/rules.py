"""The nouns of this room: the rules of a walk, and the two answers about a path, keep or skip.
How an answer is found is not here.
"""

from __future__ import annotations

import msgspec

from chunkwright.errors import ConfigError
from chunkwright.types import Diagnostic, Document

MAX_FILE_SIZE = 1024 * 1024
"""Bytes. Hand-written text over 1 MiB is rare; data, bundles and dumps are not."""

REASONS = {
    "binary": "not text: its suffix, a NUL byte near its start, or no encoding fits",
    "directory": "a folder: it is walked, not read",
    "excluded": "a pattern of `exclude` names it",
    "ignored": "a rule of an ignore file names it",
    "internal": "it belongs to git or to an index of chunkwright's",
    "not_included": "no pattern of `include` names it",
    "secret": "it may hold keys or passwords; it is never opened",
    "special": "a named pipe, a socket or a device",
    "symlink": "a link: the file it leads to is taken under its real path, if it is in the root",
    "too_large": "over `max_file_size`",
    "unreadable": "the system would not let it be read",
    "unreadable_name": "its name is not valid UTF-8",
    "vanished": "it is not there (any more)",
}
"""Every `Skip.reason`, with what it means."""

CHOSEN = frozenset({"excluded", "ignored", "not_included"})
"""Reasons that follow from what the user wrote down; a walk reports them only when asked."""


FAILURES = frozenset({"unreadable"})
"""Reasons that no rule and no kind of file explains: something is wrong with the file."""


class Rules(msgspec.Struct, frozen=True):
    """What a walk takes in. Patterns are written as in a .gitignore at the root.

    Raises ConfigError for a negative `max_file_size` and for patterns given as one string.
    """

    max_file_size: int = MAX_FILE_SIZE
    """Bytes; a larger file is skipped."""
    include: tuple[str, ...] = ()
    """Where not empty, only files that it names, or that lie in a folder it names."""
    exclude: tuple[str, ...] = ()
    """Left out whatever the ignore files say; `!` takes back."""
    ignore_files: bool = True
    """Whether .gitignore, .git/info/exclude and .chunkwrightignore count."""
    allow_secrets: tuple[str, ...] = ()
    """Files that are read although their name is that of a secret; in any case of letters."""

    def __post_init__(self) -> None:
        size = self.max_file_size
        if isinstance(size, bool) or not isinstance(size, int) or size < 0:
            raise ConfigError("max_file_size", size, "a whole number of bytes, 0 or more")
        for option in ("include", "exclude", "allow_secrets"):
            value = getattr(self, option)
            if isinstance(value, str) or not all(isinstance(item, str) for item in value):
                raise ConfigError(option, value, "a tuple of patterns")


DEFAULT_RULES = Rules()


class Keep(msgspec.Struct, frozen=True, gc=False):
    """A file to be read."""

    path: str
    """Relative to the root, with `/`."""
    size: int
    """Bytes."""
    mtime_ns: int


class Skip(msgspec.Struct, frozen=True):
    """A file, or a whole folder (its path ends with `/`), that is not read."""

    path: str
    reason: str
    """One of REASONS."""
    rule: str = ""
    """What decided: a pattern with file and line, a limit, the system's answer."""


class Source(msgspec.Struct, frozen=True):
    """A file that was read."""

    document: Document
    diagnostics: tuple[Diagnostic, ...]
    """`decoded`, where the file is not UTF-8."""
    content_hash: str
    """Hex SHA-256 of the file's bytes."""
