"""From a path to a document: opens one file, once, and no other than an ordinary one inside the
root. What may be opened is decided in deciding; which files there are, in walking.
"""

from __future__ import annotations

import hashlib
import os
import stat

from chunkwright.sources.deciding import Judge
from chunkwright.sources.decoding import Decoded, decode
from chunkwright.sources.paths import PathLike, checked
from chunkwright.sources.rules import DEFAULT_RULES, Rules, Skip, Source
from chunkwright.sources.walking import described
from chunkwright.types import Diagnostic, Document

FLAGS = (
    os.O_RDONLY
    # Not on every system: no line ends are changed, a link put there meanwhile is refused, a
    # named pipe does not make us wait, child processes do not inherit the file.
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
)


def read(
    root: PathLike, path: PathLike, rules: Rules = DEFAULT_RULES, commit: str = ""
) -> Source | Skip:
    """The document of one file, `path` as a walk or `relative` gives it, or why it is skipped.

    Ignore files, `include` and `exclude` are not asked again: who names a file wants it. Secrets
    and what is too large are not opened. Raises PathError for a path that leads out of the root.
    """
    folder, clean = checked(root, path)
    judge = Judge(folder, rules)
    refused = judge.name(clean) or judge.kind(clean) or _linked(folder, clean)
    if refused is not None:
        return refused
    try:
        content = _content(os.path.join(folder, clean), clean, judge, rules)
    except FileNotFoundError as error:
        return Skip(clean, "vanished", described(error))
    except OSError as error:
        return Skip(clean, "unreadable", described(error))
    return content if isinstance(content, Skip) else _source(clean, content, commit)


def _linked(folder: str, path: str) -> Skip | None:
    """A path one of whose parts is a link: it is taken under its real path or not at all."""
    full = os.path.join(folder, path)
    if os.path.normcase(os.path.realpath(full)) == os.path.normcase(os.path.normpath(full)):
        return None
    return Skip(path, "symlink", "a part of its path is a link")


def _content(full: str, path: str, judge: Judge, rules: Rules) -> bytes | Skip:
    """The bytes of an ordinary file that is not too large. Raises OSError."""
    handle = os.open(full, FLAGS)
    try:
        facts = os.fstat(handle)
        if stat.S_ISDIR(facts.st_mode):
            return Skip(path, "directory", "")
        if not stat.S_ISREG(facts.st_mode):
            return Skip(path, "special", "not an ordinary file")
        too_large = judge.size(path, facts.st_size)
        if too_large is not None:
            return too_large
        content = _bytes(handle, rules.max_file_size + 1)
    finally:
        os.close(handle)
    return judge.size(path, len(content)) or content


def _bytes(handle: int, limit: int) -> bytes:
    """Up to `limit` bytes: a file may grow while it is read."""
    parts = []
    while limit > 0 and (part := os.read(handle, min(limit, 1 << 20))):
        parts.append(part)
        limit -= len(part)
    return b"".join(parts)


def _source(path: str, content: bytes, commit: str) -> Source | Skip:
    decoded = decode(content)
    if isinstance(decoded, str):
        return Skip(path, "binary", decoded)
    document = Document(decoded.text, path=path, commit=commit)
    return Source(document, tuple(_said(decoded)), hashlib.sha256(content).hexdigest())


def _said(decoded: Decoded) -> list[Diagnostic]:
    if decoded.encoding == "utf-8":
        return []
    level = "warning" if decoded.guessed else "info"
    how = "guessed" if decoded.guessed else "by its byte order mark"
    return [Diagnostic(level, "decoded", f"read as {decoded.encoding}, {how}")]
