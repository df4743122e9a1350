"""Paths: from the caller's to one inside the root, with `/`, that no link leads out of. Whether a
file is taken is not decided here.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from chunkwright.errors import PathError

ROOT = "."
"""The root, as a path from the root on."""

PathLike = str | os.PathLike[str]


def root_folder(root: PathLike) -> str:
    """The real path of an existing folder. Raises PathError for anything else."""
    try:
        real = os.path.realpath(root)
        if os.path.isdir(real):
            return real
        reason = "is not a folder" if os.path.lexists(real) else "does not exist"
    except (OSError, ValueError) as error:
        reason = str(error)
    raise PathError(os.fspath(root), reason, "give the folder that holds the files")


def relative(root: PathLike, path: PathLike, *, must_exist: bool = True) -> str:
    """The real path of `path` from `root` on, with `/`; "." for the root itself.

    A relative path is taken from the root. Links are resolved. Raises PathError where the path
    leads out of the root, and, unless `must_exist` is False, where there is nothing.
    """
    folder = root_folder(root)
    given = os.fspath(path)
    try:
        real = os.path.realpath(os.path.join(folder, _native(folder, given)))
        exists = _exists(real)
    except ValueError as error:  # a NUL
        raise PathError(given, str(error), "give a path inside the root") from None
    if not is_inside(folder, real):
        raise PathError(given, f"lies outside the root {folder}", "give a path inside the root")
    if must_exist and not exists:
        raise PathError(given, f"does not exist in {folder}", "check the spelling")
    return os.path.relpath(real, folder).replace(os.sep, "/")


def _exists(real: str) -> bool:
    """Whether something is there, as far as we may know; a link is what is left of a loop."""
    try:
        return not stat.S_ISLNK(os.lstat(real).st_mode)
    except PermissionError:
        return True  # reading it will say so
    except OSError:
        return False


def _native(folder: str, path: str) -> str:
    """A path written with backslashes, unless a name here really has them."""
    if "\\" in path and not os.path.lexists(os.path.join(folder, path)):
        return path.replace("\\", "/")
    return path


def is_inside(folder: str, real: str) -> bool:
    """Whether a real path is the folder or lies below it."""
    folder, real = os.path.normcase(folder), os.path.normcase(real)
    return real == folder or real.startswith(folder.rstrip(os.sep) + os.sep)


def is_unicode(path: str) -> bool:
    """Whether a name is valid Unicode, so that it can be stored and printed."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def shown(path: str) -> str:
    """A name that is not valid UTF-8 with its odd bytes written out; any other unchanged."""
    if is_unicode(path):
        return path
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def checked(root: PathLike, path: PathLike) -> tuple[str, str]:
    """(the root's real path, `path` from it with `/`) without resolving links.

    Raises PathError for an absolute path and for one with `..`.
    """
    given = os.fspath(path)
    folder = root_folder(root)
    clean = Path(_native(folder, given)).as_posix()
    if os.path.isabs(given) or ".." in clean.split("/") or "\0" in given:
        raise PathError(given, f"is not a path inside {folder}", "take it from `relative`")
    return folder, clean
