"""Ignore files in their folders: which there are, and which rule speaks of a path. The strongest
is .chunkwrightignore, then .gitignore (the nearest first), then .git/info/exclude.

The user's global excludes (`core.excludesFile`, ~/.config/git/ignore) are not read: the same tree
must give the same files on every machine. What git's index tracks is not asked either: a file is
ignored or not by the rules alone.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterable
from typing import NamedTuple

from chunkwright.sources.hints import Glance, glance_of
from chunkwright.sources.patterns import Pattern, Patterns, parse

OWN_FILE = ".chunkwrightignore"
GIT_FILE = ".gitignore"
GIT_FOLDER = ".git"
TELLING = (OWN_FILE, GIT_FILE, GIT_FOLDER)
"""Names in a folder that change the rules below it."""

MAX_RULES_SIZE = 16 * 1024 * 1024
"""Bytes of an ignore file that are read; a bound against accidents, far over any real one."""


class Match(NamedTuple):
    """A rule that speaks of a path, and the file it stands in."""

    pattern: Pattern
    source: str
    """Path of the ignore file, relative to the root."""

    @property
    def rule(self) -> str:
        """As git's check-ignore prints it: file, line, pattern."""
        return f"{self.source}:{self.pattern.line}: {self.pattern.text}"


class RuleFile(NamedTuple):
    """The rules of one file and the folder they speak of."""

    source: str
    patterns: Patterns
    folder: bytes
    """From the root to the file's folder, with a slash at the end; empty at or above the root."""
    above: bytes
    """From the file's folder to the root, with a slash at the end, where it lies above it."""

    def alone(self, pattern: Pattern) -> RuleFile:
        """The same with one of its rules."""
        return self._replace(patterns=Patterns([pattern]))

    def match(self, path: bytes, *, is_folder: bool) -> Match | None:
        """The last rule here that speaks of `path` (from the root on), or None."""
        inner = self.above + path[len(self.folder) :]
        found = self.patterns.match(inner, is_folder=is_folder)
        return None if found is None else Match(found, self.source)


class Chain(NamedTuple):
    """The ignore files that count in one folder, each group from the outermost in."""

    own: tuple[RuleFile, ...] = ()
    git: tuple[RuleFile, ...] = ()
    exclude: tuple[RuleFile, ...] = ()

    def match(self, path: bytes, *, is_folder: bool) -> Match | None:
        """The rule that decides about `path` (from the root on), or None where none speaks."""
        for group in (self.own, self.git, self.exclude):
            for file in reversed(group):
                found = file.match(path, is_folder=is_folder)
                if found is not None:
                    return found
        return None

    def glance(self) -> Glance:
        """What any of these rules may speak of."""
        files = (file for group in self for file in group)
        return Glance().and_(*(glance_of(file.patterns.rules(), file.alone) for file in files))

    def enter(self, root: str, folder: str, present: Collection[str]) -> Chain:
        """The chain inside `folder` (from the root, "" or with a slash at the end).

        `present` holds those of TELLING that lie in it.
        """
        if not present:
            return self
        own, git, exclude = self
        if GIT_FOLDER in present:
            if folder and _is_repository(os.path.join(root, folder)):
                git, exclude = (), ()
            exclude = (*exclude, *_excluded_by_git(root, folder))
        if GIT_FILE in present:
            git = (*git, *_rule_file(root, folder, GIT_FILE))
        if OWN_FILE in present:
            own = (*own, *_rule_file(root, folder, OWN_FILE))
        return Chain(own, git, exclude)


def present_in(folder: str) -> set[str]:
    """Those of TELLING that lie in a folder."""
    return {name for name in TELLING if os.path.lexists(os.path.join(folder, name))}


def chain_at(root: str) -> Chain:
    """The chain inside the root: where it lies in a git repository, from the repository's top."""
    inherited = Chain()
    if not _is_repository(root):
        top = next((folder for folder in _parents(root) if _is_repository(folder)), None)
        if top is not None:
            inherited = _inherited(root, top)
    return inherited.enter(root, "", present_in(root))


def _parents(folder: str) -> Iterable[str]:
    while (parent := os.path.dirname(folder)) != folder:
        yield parent
        folder = parent


def _inherited(root: str, top: str) -> Chain:
    """The .gitignore files from the repository's top down to the root's parent."""
    folders = [root]
    while folders[-1] != top:
        folders.append(os.path.dirname(folders[-1]))
    git: list[RuleFile] = []
    for folder in reversed(folders[1:]):
        git.extend(_rule_file_above(root, folder, os.path.join(folder, GIT_FILE)))
    exclude_file = os.path.join(_common_folder(top), "info", "exclude")
    return Chain(git=tuple(git), exclude=tuple(_rule_file_above(root, top, exclude_file)))


def _rule_file_above(root: str, folder: str, file: str) -> Iterable[RuleFile]:
    content = _content(file)
    if content:
        above = os.path.relpath(root, folder).replace(os.sep, "/") + "/"
        yield RuleFile(_shown(root, file), Patterns(parse(content)), b"", _encoded(above))


def _rule_file(root: str, folder: str, name: str) -> Iterable[RuleFile]:
    content = _content(os.path.join(root, folder, name))
    if content:
        yield RuleFile(folder + name, Patterns(parse(content)), _encoded(folder), b"")


def _excluded_by_git(root: str, folder: str) -> Iterable[RuleFile]:
    file = os.path.join(_common_folder(os.path.join(root, folder)), "info", "exclude")
    content = _content(file, may_be_link=True)
    if content:
        yield RuleFile(_shown(root, file), Patterns(parse(content)), _encoded(folder), b"")


def _is_repository(folder: str) -> bool:
    """A .git folder that holds a HEAD, or a .git file (a worktree, a submodule)."""
    git = os.path.join(folder, GIT_FOLDER)
    return os.path.isfile(git) or os.path.isfile(os.path.join(git, "HEAD"))


def _common_folder(folder: str) -> str:
    """Where the repository of `folder` keeps info/exclude: .git, or what a .git file names."""
    git = os.path.join(folder, GIT_FOLDER)
    pointer = _content(git).decode("utf-8", "surrogateescape")
    if pointer.startswith("gitdir:"):
        git = os.path.join(folder, pointer.removeprefix("gitdir:").strip())
    common = _content(os.path.join(git, "commondir")).decode("utf-8", "surrogateescape").strip()
    return os.path.normpath(os.path.join(git, common))


def _content(file: str, *, may_be_link: bool = False) -> bytes:
    """The bytes of an ordinary file, or nothing; git does not follow a linked .gitignore."""
    try:
        facts = os.stat(file) if may_be_link else os.lstat(file)
        if not stat.S_ISREG(facts.st_mode):
            return b""
        with open(file, "rb") as stream:
            return stream.read(MAX_RULES_SIZE)
    except (OSError, ValueError):
        return b""  # the walk meets the file itself, and says that it is unreadable


def _shown(root: str, file: str) -> str:
    try:
        path = os.path.relpath(file, root)
    except ValueError:  # another drive
        path = file
    return path.replace(os.sep, "/")


def _encoded(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")
