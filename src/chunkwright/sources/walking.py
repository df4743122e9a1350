"""From a root to the files below it, in order, each with its answer; and the same answer for one
path. Rules are in deciding and ignoring; nothing is opened here but ignore files.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from typing import NamedTuple

from chunkwright.errors import PathError
from chunkwright.sources.deciding import Judge
from chunkwright.sources.ignoring import TELLING, Chain, chain_at, present_in
from chunkwright.sources.paths import ROOT, PathLike, checked, relative, root_folder, shown
from chunkwright.sources.rules import CHOSEN, DEFAULT_RULES, Keep, Rules, Skip

Entries = list[os.DirEntry[str]]


class _Level(NamedTuple):
    """A folder that is being walked."""

    folder: str
    """From the root, "" or with a slash at the end."""
    chain: Chain
    entries: Iterator[os.DirEntry[str]]


def walk(
    root: PathLike,
    rules: Rules = DEFAULT_RULES,
    *,
    ignored: bool = False,
    under: PathLike = ".",
) -> Iterator[Keep | Skip]:
    """Every file below `root` with its answer, sorted by path, as it is found.

    Links are not followed. What ignore files, `include` and `exclude` leave out is passed over in
    silence, unless `ignored` is True: then there is one Skip for each such file, and one for each
    such folder as a whole. `under` narrows the walk to one folder or file of the root. Memory
    grows with the depth of the tree and its largest folder.
    Raises PathError where the root or `under` does not exist, or `under` lies outside.
    """
    folder = root_folder(root)
    found = _walk(folder, relative(folder, under), Judge(folder, rules), rules)
    return found if ignored else (one for one in found if not _is_chosen(one))


def decide(root: PathLike, path: PathLike, rules: Rules = DEFAULT_RULES) -> Keep | Skip:
    """The answer of a walk about one path, as `relative` gives it, found without a walk.

    Raises PathError for a path with `..` and for an absolute one.
    """
    folder, clean = checked(root, path)
    found = _descended(folder, clean, Judge(folder, rules), rules)
    return Skip(clean, "directory", "") if isinstance(found, Chain) else found


def _descended(root: str, path: str, judge: Judge, rules: Rules) -> Chain | Keep | Skip:
    """The rules inside `path`, when that is a folder to enter; else the answer about it."""
    chain = chain_at(root) if rules.ignore_files else Chain()
    parts = path.split("/") if path != ROOT else []
    for depth in range(1, len(parts) + 1):
        part = "/".join(parts[:depth])
        facts = _facts(root, part)
        if isinstance(facts, Skip):
            return Skip(path, facts.reason, facts.rule)
        if not stat.S_ISDIR(facts.st_mode):
            answer = judge.file(part, facts, chain)
            return answer if part == path else _below(path, answer)
        skip = judge.folder(part, chain)
        if skip is not None:
            return Skip(path, skip.reason, skip.rule)
        chain = _entered(root, part + "/", chain, rules)
    return chain


def _is_chosen(found: Keep | Skip) -> bool:
    return isinstance(found, Skip) and found.reason in CHOSEN


def _below(path: str, answer: Keep | Skip) -> Skip:
    """A path that goes on behind something that is not a folder."""
    if isinstance(answer, Skip):
        return Skip(path, answer.reason, answer.rule)
    return Skip(path, "vanished", f"{answer.path} is not a folder")


def _entered(root: str, folder: str, chain: Chain, rules: Rules) -> Chain:
    if not rules.ignore_files:
        return chain
    return chain.enter(root, folder, present_in(os.path.join(root, folder)))


def _walk(root: str, start: str, judge: Judge, rules: Rules) -> Iterator[Keep | Skip]:
    found = _descended(root, start, judge, rules)
    if not isinstance(found, Chain):
        yield found
        return
    levels = [_first_level(root, start, found)]
    while levels:
        folder, chain, entries = levels[-1]
        entry = next(entries, None)
        if entry is None:
            levels.pop()
        elif _is_folder(entry):
            inner = _opened(root, f"{folder}{entry.name}", judge, chain, rules)
            if isinstance(inner, _Level):
                levels.append(inner)
            elif inner.reason != "internal":
                yield inner
        else:
            yield _answer(root, f"{folder}{entry.name}", judge, chain)


def _first_level(root: str, start: str, chain: Chain) -> _Level:
    """The folder a walk begins with. Raises PathError where it cannot be listed."""
    folder = "" if start == ROOT else start + "/"
    try:
        return _Level(folder, chain, iter(_listed(os.path.join(root, folder))))
    except OSError as error:
        raise PathError(folder or root, described(error), "check who may read it") from None


def _listed(folder: str) -> Entries:
    """The entries of a folder in the order in which the paths below it sort."""
    with os.scandir(folder) as entries:
        return sorted(entries, key=_order)


def _order(entry: os.DirEntry[str]) -> str:
    return shown(entry.name) + "/" * _is_folder(entry)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """A real folder: neither a link nor, on Windows, a junction."""
    junction = getattr(entry, "is_junction", None)
    try:
        return entry.is_dir(follow_symlinks=False) and not (junction is not None and junction())
    except OSError:
        return False


def _opened(root: str, path: str, judge: Judge, chain: Chain, rules: Rules) -> _Level | Skip:
    skip = judge.folder(path, chain)
    if skip is not None:
        return skip
    try:
        entries = _listed(os.path.join(root, path))
    except OSError as error:
        return _unreadable(path + "/", error)
    present = [entry.name for entry in entries if entry.name in TELLING]
    inner = chain.enter(root, path + "/", present) if rules.ignore_files else chain
    return _Level(path + "/", inner, iter(entries))


def _answer(root: str, path: str, judge: Judge, chain: Chain) -> Keep | Skip:
    facts = _facts(root, path)
    return facts if isinstance(facts, Skip) else judge.file(path, facts, chain)


def _facts(root: str, path: str) -> os.stat_result | Skip:
    try:
        return os.lstat(os.path.join(root, path))
    except OSError as error:
        return _unreadable(path, error)


def _unreadable(path: str, error: OSError) -> Skip:
    reason = "vanished" if isinstance(error, FileNotFoundError) else "unreadable"
    return Skip(shown(path), reason, described(error))


def described(error: OSError) -> str:
    """The system's answer without the path: class and text."""
    return f"{type(error).__name__}: {error.strerror or error}"
