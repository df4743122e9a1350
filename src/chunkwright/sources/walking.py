"""From a root to the files below it, in order, each with its answer; and the same answer for one
path. Rules are in deciding and ignoring; nothing is opened here but ignore files.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Set
from operator import itemgetter
from typing import NamedTuple

from chunkwright.errors import PathError
from chunkwright.sources.deciding import Judge, encoded
from chunkwright.sources.hints import Hints
from chunkwright.sources.ignoring import TELLING, Chain, chain_at, present_in
from chunkwright.sources.paths import ROOT, PathLike, checked, relative, root_folder, shown
from chunkwright.sources.rules import CHOSEN, DEFAULT_RULES, Keep, Rules, Skip

Entry = tuple[str, bool, os.DirEntry[str]]
"""What it is sorted by, whether it is a folder, the entry."""

IS_WINDOWS = os.name == "nt"
"""There folders may be junctions, and what a listing says of a file may be old."""


class _Level(NamedTuple):
    """A folder that is being walked."""

    folder: str
    """From the root, "" or with a slash at the end."""
    chain: Chain
    hints: Hints
    look: Callable[[str], object]
    """Whether a file of a name has to be asked about; of `hints`."""
    look_at_folder: Callable[[str], object]
    """The same of a folder."""
    ask_all: bool
    """Whether every file here has to be."""
    entries: Iterator[Entry]


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
    hidden = frozenset[str]() if ignored else CHOSEN
    return _walk(folder, relative(folder, under), Judge(folder, rules), rules, hidden)


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


def _below(path: str, answer: Keep | Skip) -> Skip:
    """A path that goes on behind something that is not a folder."""
    if isinstance(answer, Skip):
        return Skip(path, answer.reason, answer.rule)
    return Skip(path, "vanished", f"{answer.path} is not a folder")


def _entered(root: str, folder: str, chain: Chain, rules: Rules) -> Chain:
    if not rules.ignore_files:
        return chain
    return chain.enter(root, folder, present_in(os.path.join(root, folder)))


def _walk(
    root: str, start: str, judge: Judge, rules: Rules, hidden: Set[str]
) -> Iterator[Keep | Skip]:
    """The answers, but for those whose reason is `hidden`."""
    found = _descended(root, start, judge, rules)
    if not isinstance(found, Chain):
        if isinstance(found, Keep) or found.reason not in hidden:
            yield found
        return
    levels = [_first_level(root, start, judge, found)]
    while levels:
        level = levels[-1]
        for name, is_folder, entry in level.entries:
            answer: Keep | Skip | _Level
            if not is_folder:
                answer = _listed_file(level, name, entry, rules.max_file_size) or _answer(
                    root, level.folder + entry.name, judge, level.chain
                )
            else:
                answer = _opened(root, entry.name, judge, level, rules)
                if isinstance(answer, _Level):
                    levels.append(answer)
                    break
            if isinstance(answer, Keep) or _is_told(answer, hidden):
                yield answer
        else:
            levels.pop()


def _is_told(skip: Skip, hidden: Set[str]) -> bool:
    """Not what is hidden, nor folders that belong to git or to us."""
    is_folder = skip.path.endswith("/")
    return skip.reason not in hidden and not (is_folder and skip.reason == "internal")


def _listed_file(level: _Level, name: str, entry: os.DirEntry[str], max_size: int) -> Keep | None:
    """The answer about an ordinary file that no rule leaves out; None: it has to be asked about."""
    # The entry's own name: one that is no UTF-8 is sorted by another, which is ASCII.
    if level.ask_all or not entry.name.isascii() or level.look(name):
        return None
    try:
        facts = entry.stat(follow_symlinks=False)
    except OSError:
        return None
    if facts.st_mode & _KIND != stat.S_IFREG or facts.st_size > max_size:
        return None
    return Keep(level.folder + name, facts.st_size, facts.st_mtime_ns)


_KIND = 0o170000
"""Bits of a mode that say what something is."""


def _level(folder: str, chain: Chain, judge: Judge, entries: list[Entry]) -> _Level:
    glance = judge.glance.and_(chain.glance())
    hints, look = glance.files, glance.files.look()
    ask_all = IS_WINDOWS or hints.names_folder(encoded(folder))
    return _Level(folder, chain, hints, look, glance.folders.look(), ask_all, iter(entries))


def _first_level(root: str, start: str, judge: Judge, chain: Chain) -> _Level:
    """The folder a walk begins with. Raises PathError where it cannot be listed."""
    folder = "" if start == ROOT else start + "/"
    try:
        entries = _listed(os.path.join(root, folder))
    except OSError as error:
        raise PathError(folder or root, described(error), "check who may read it") from None
    return _level(folder, chain, judge, entries)


def _listed(folder: str) -> list[Entry]:
    """The entries of a folder in the order in which the paths below it sort."""
    found = []
    with os.scandir(folder) as entries:
        for entry in entries:
            name = entry.name if entry.name.isascii() else shown(entry.name)
            is_folder = _is_folder(entry)
            found.append((name + "/" if is_folder else name, is_folder, entry))
    found.sort(key=_ORDER)
    return found


_ORDER = itemgetter(0)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """A real folder: neither a link nor, on Windows, a junction."""
    try:
        is_folder = entry.is_dir(follow_symlinks=False)
        if not (is_folder and IS_WINDOWS):
            return is_folder
        junction = getattr(entry, "is_junction", None)
        return junction is None or not junction()
    except OSError:
        return False


def _opened(root: str, name: str, judge: Judge, above: _Level, rules: Rules) -> _Level | Skip:
    """The level of a folder in the one above, or why it is not entered."""
    path, chain, ask_all = f"{above.folder}{name}", above.chain, above.ask_all
    if ask_all or not name.isascii() or above.look_at_folder(name):
        skip = judge.folder(path, chain)
        if skip is not None:
            return skip
        ask_all = IS_WINDOWS or above.hints.names_folder(encoded(path + "/"))
    try:
        entries = _listed(f"{root}/{path}")
    except OSError as error:
        return _unreadable(path + "/", error)
    present = [entry.name for *_, entry in entries if entry.name in TELLING]
    inner = chain.enter(root, path + "/", present) if rules.ignore_files else chain
    if inner is not chain:
        return _level(path + "/", inner, judge, entries)
    return above._replace(folder=path + "/", ask_all=ask_all, entries=iter(entries))


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
