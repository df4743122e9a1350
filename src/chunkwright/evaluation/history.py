"""The history of a git repository, as far as it is asked for: commits with what they touched, and
which commit each line of a file is from. Nothing of the repository is run, and nothing is fetched:
its hooks, filters, drivers and programs stay unused. What is asked of history is not known here.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from typing import NamedTuple

from chunkwright.errors import PathError

SECONDS = 120
"""For one answer of git's: what takes longer has hung, and is an error."""

SETTINGS = (
    "color.ui=false",
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "core.quotePath=false",
    "i18n.logOutputEncoding=UTF-8",
    "log.follow=false",
    "log.showSignature=false",
    "diff.external=",
    "diff.renameLimit=1000",
)
"""What a repository's own configuration must not decide: programs that would run, and how git
answers."""

ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "",  # a clone without all objects would fetch them
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}

OF_LINE = re.compile(rb"([0-9a-f]{40,64}) \d+ \d+")
"""The line of `git blame --porcelain` that names a commit."""


class Touched(NamedTuple):
    """A file as a commit left it."""

    path: str
    """Where it is today, by the renames since; relative to the root, with `/`."""
    added: int
    removed: int
    """Lines; both are 0 for a binary file."""


class Commit(NamedTuple):
    """A commit that is no merge and has one before it."""

    id: str
    subject: str
    files: tuple[Touched, ...]


class Line(NamedTuple):
    """A line of a file as of the last commit."""

    commit: str
    text: str
    """Without its line end."""


class History:
    """Asks git about the repository that `root` lies in.

    Raises PathError where there is no git, no repository, or no commit.
    """

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self._root = os.fspath(root)
        program = shutil.which("git")
        if program is None:
            raise self._error("git is not installed", "install it, or leave commits out")
        self._program = program
        self.is_shallow = self._asked("rev-parse", "--is-shallow-repository").strip() == b"true"
        self._files = frozenset(self._listed())

    def commits(self, most: int) -> Iterator[Commit]:
        """The newest commits that touched the root, `most` of them at most, newest first."""
        told = self._asked(
            "log",
            f"--max-count={most}",
            "--no-merges",
            "--no-color",
            f"-O{os.devnull}",
            "--no-ext-diff",
            "--no-textconv",
            "--raw",
            "--numstat",
            "--find-renames",
            "--relative",
            "--format=%x01%H%x09%P%x09%s",
            "HEAD",
            "--",
            ".",
        ).decode("utf-8", "replace")
        today: dict[str, str] = {}
        for entry in told.split("\x01")[1:]:
            head, *lines = entry.split("\n")
            number, parents, subject = head.split("\t", 2)
            files = tuple(_touched(lines, today))
            if parents:
                yield Commit(number, subject, files)

    def blame(self, path: str) -> list[Line]:
        """Which commit each line of a file is from, as it stands in the last commit; empty for a
        file that is not in it."""
        if path not in self._files:
            return []
        told = self._asked("blame", "--porcelain", "--no-textconv", "HEAD", "--", path)
        lines: list[Line] = []
        commit = ""
        for row in told.split(b"\n"):
            if row.startswith(b"\t"):
                lines.append(Line(commit, row[1:].decode("utf-8", "replace").rstrip("\r")))
            elif match := OF_LINE.match(row):
                commit = match[1].decode()
        return lines

    def _listed(self) -> Iterator[str]:
        """Paths of the ordinary files in the last commit."""
        for entry in self._asked("ls-tree", "-r", "-z", "HEAD").split(b"\0"):
            facts, _, path = entry.partition(b"\t")
            if facts.startswith(b"100"):
                yield path.decode("utf-8", "replace")

    def _asked(self, *arguments: str) -> bytes:
        settings = [part for setting in SETTINGS for part in ("-c", setting)]
        try:
            done = subprocess.run(  # noqa: S603  a fixed program, no shell
                [self._program, "--no-pager", *settings, "-C", self._root, *arguments],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
                timeout=SECONDS,
                env=_environment(),
            )
        except subprocess.TimeoutExpired as error:
            reason = f"git {arguments[0]} took longer than {SECONDS} seconds"
            raise self._error(reason, "leave commits out") from error
        except (OSError, ValueError) as error:
            raise self._error(f"git does not run: {error}", "leave commits out") from error
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
            raise self._error(said or f"git {arguments[0]} failed", "leave commits out")
        return done.stdout

    def _error(self, reason: str, remedy: str) -> PathError:
        return PathError(self._root, reason, remedy)


def _environment() -> dict[str, str]:
    """The environment without what would lead git elsewhere, a hook's GIT_DIR for one."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**kept, **ENVIRONMENT}


def _touched(lines: list[str], today: dict[str, str]) -> Iterator[Touched]:
    """The files of one commit: a raw line of each, then in the same order how many lines of each
    changed. Notes renames in `today`: an old path -> where that file is now."""
    raw = [line.split("\t") for line in lines if line.startswith(":")]
    counts = [line.split("\t") for line in lines if line[:1].isdigit() or line[:1] == "-"]
    for (status, *paths), (added, removed, *_) in zip(raw, counts, strict=False):
        path = today.get(paths[-1], paths[-1])
        if status.rpartition(" ")[2].startswith("R"):
            today[paths[0]] = path
        is_text = added.isdigit() and removed.isdigit()
        yield Touched(path, int(added), int(removed)) if is_text else Touched(path, 0, 0)
