"""Which folder a command works on: the one that is named, or the one that its paths share. What is
in it is not looked at here.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from chunkwright.errors import PathError


def existing(path: Path) -> Path:
    """The path, if it is a folder. Raises PathError otherwise."""
    if path.is_dir():
        return path
    reason = "this is a file" if path.exists() else "there is no such folder"
    raise PathError(str(path), reason, "give a folder that exists")


def base(paths: Sequence[Path], root: Path | None = None) -> Path:
    """The folder that `paths` are relative to.

    It is `root`, where that is given; a folder that is the only path; the working folder, where it
    holds every path; else the nearest folder that does. Raises PathError for a path that does not
    exist, and for paths that share no folder.
    """
    for path in paths:
        if not os.path.lexists(path):
            raise PathError(str(path), "there is no such file or folder", "check the path")
    if root is not None:
        return existing(root)
    if len(paths) == 1 and paths[0].is_dir():
        return paths[0]
    whole = [os.path.abspath(path) for path in paths]
    working = os.getcwd()
    return Path(working if all(_holds(working, path) for path in whole) else _shared(whole))


def _holds(folder: str, path: str) -> bool:
    try:
        return os.path.commonpath((folder, path)) == folder
    except ValueError:  # two drives of Windows share nothing
        return False


def _shared(whole: Sequence[str]) -> str:
    folders = [path if os.path.isdir(path) else os.path.dirname(path) for path in whole]
    try:
        return os.path.commonpath(folders)
    except ValueError:
        raise PathError(whole[0], "it shares no folder with the others", "take one drive") from None
