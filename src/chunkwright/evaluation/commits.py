"""Questions from commits: the subject of a commit -> the lines that are from it to this day."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from os import PathLike

from chunkwright.characters import is_whitespace_only, trim
from chunkwright.evaluation.docstrings import LONGEST_ANSWER
from chunkwright.evaluation.history import Commit, History, Line, Touched
from chunkwright.evaluation.nouns import Question, Reference
from chunkwright.evaluation.wording import LONGEST_READ, essence, plain, says_enough, shortened
from chunkwright.languages import is_test, language_of

ORIGIN = "commit"

MOST_COMMITS = 5000
"""The newest commits that are looked at: of older ones hardly a line stands."""

MOST_FILES = 10
"""Files of a commit: one that touched more has no one subject."""

SMALLEST_STRETCH = 40
"""Code points of one stretch: an import or a comma is no part of an answer."""

MOST_STRETCHES = 12
"""Places of a change: one that is scattered further has no answer that could be found."""

SMALLEST_ANSWER = 120
"""Code points that still stand of a commit, without white space at their edges."""

LEAST_STANDING = 0.5
"""Share of a commit's lines that must still stand: else its subject is of something else."""

PREFIX = re.compile(
    r"\s*(?:\[[^\]]{1,40}\]|[A-Z][A-Z0-9]+-\d+:?|:\w+:|[a-z]+(?:\([^)]*\))?!?:|#\d+:?)\s*"
)
"""What stands before a subject: [part], TICKET-1:, :emoji:, fix(part)!:, #12."""

TICKETS = re.compile(
    r"\(\s*+(?:(?:close[sd]?|fix(?:e[sd])?|refs?|resolve[sd]?|see|via|gh-?|pr)?+[\s:]*+"
    r"#?\d++[\s,]*+)+\)"
    r"|\b(?:close[sd]?|fix(?:e[sd])?|refs?|resolve[sd]?)\s+(?:[\w/.-]*#)\d+|\s#\d+\b",
    re.IGNORECASE,
)
"""Numbers of tickets, which no text has."""

HOUSEKEEPING = re.compile(r"\s*(?:build|chore|ci|deps?|release|style|tests?)(?:\([^)]*\))?!?:")
"""Conventional prefixes of changes that users of the code do not ask for."""

NO_CHANGE = re.compile(
    r"(?:revert|reapply|merge|fixup|squash|amend|wip|release|bump|version|v?\d+\.\d+|prepare|"
    r"reformat|format|tidy|style|rename|move|remove|delete|drop|disable|initial|regenerate|sync|"
    r"vendor|deps|minor|(?:clean|set) ?up|typing|docs:|(?:update|upgrade|pin)\b.*\bversion)\b"
    r"|.*\b(?:typos?|spelling|gramma\w+|wording|whitespac\w+|(?:broken|dead) links?|badges?|"
    r"lint\w*|mypy|flake8|ruff|eslint|prettier|pre-commit|ci|workflows?|change-?log|readme|"
    r"licen[cs]e|"
    r"copyright|dependenc\w+|dependabot|renovate|unused|translations?|contributors|"
    r"comments?|to v?\d+\.\d+[\w.]*)\b",
    re.IGNORECASE,
)
"""Subjects that do not tell what the lines do: by how they begin, or by what they are about."""


class Commits:
    """Makes questions of one repository's history, about documents that lie in `root`."""

    def __init__(
        self,
        root: str | PathLike[str],
        corpus: Mapping[str, str],
        documents: Mapping[str, str],
        left_out: Counter[str],
        *,
        tests: bool = False,
    ) -> None:
        """`corpus` has the texts as they are on disk, `documents` those that are asked about.
        `tests`: lines of test files are answers, too."""
        self._history = History(root)
        self._corpus = corpus
        self._documents = documents
        self._left_out = left_out
        self._tests = tests
        self._lines: dict[str, list[tuple[Line, int]]] = {}
        """Path -> the lines of its last commit, each with where it starts in the document."""

    @property
    def is_shallow(self) -> bool:
        """Whether the clone has no more than its newest commits."""
        return self._history.is_shallow

    def questions(self, order: Callable[[str], bytes]) -> Iterator[Question]:
        """A question for each commit that can be asked for, those first that `order` puts first."""
        asked = [(commit, _asked(commit)) for commit in self._history.commits(MOST_COMMITS)]
        common = Counter(essence(subject) for _, subject in asked)
        for commit, subject in sorted(asked, key=lambda one: order(one[0].id)):
            reason = self._refused(commit, subject)
            if not reason and common[essence(subject)] > 1:
                reason = "several commits have this subject"
            if not reason:
                references = tuple(self._references(commit))
                reason = self._too_little(commit, references)
            if reason:
                self._left_out[reason] += 1
            else:
                yield Question(subject, references, f"{ORIGIN}:{commit.id[:12]}", ORIGIN)

    def _refused(self, commit: Commit, subject: str) -> str:
        """Why a commit is not asked for, without a look at any line; "" where it may be."""
        if (
            not says_enough(subject)
            or NO_CHANGE.match(subject)
            or HOUSEKEEPING.match(commit.subject)
        ):
            return "the subject says too little about the change"
        if len(commit.files) > MOST_FILES:
            return f"more than {MOST_FILES} files were changed"
        files = self._counted(commit)
        if not any(one.path in self._corpus for one in files):
            return "no document of the corpus was changed" if files else "only tests were changed"
        if sum(one.removed for one in files) > sum(one.added for one in files):
            return "it removed more than it added"
        return ""

    def _counted(self, commit: Commit) -> list[Touched]:
        """The files whose lines are an answer: tests of a change are not."""
        if self._tests:
            return list(commit.files)
        return [one for one in commit.files if not is_test(one.path, language_of(one.path))]

    def _paths(self, commit: Commit) -> list[str]:
        """The documents that a commit touched."""
        return sorted({one.path for one in self._counted(commit)} & self._corpus.keys())

    def _references(self, commit: Commit) -> Iterator[Reference]:
        for path in self._paths(commit):
            yield from _stretches(commit.id, path, self._blamed(path), self._documents[path])

    def _too_little(self, commit: Commit, references: tuple[Reference, ...]) -> str:
        """Why what still stands of a commit is no answer; "" where it is."""
        standing = sum(
            line.commit == commit.id
            for path in self._paths(commit)
            for line, _ in self._blamed(path)
        )
        if standing < LEAST_STANDING * sum(one.added for one in self._counted(commit)):
            return "less than half of its lines still stand"
        if len(references) > MOST_STRETCHES:
            return f"it is scattered over more than {MOST_STRETCHES} places"
        size = sum(one.end - one.start for one in references)
        if size < SMALLEST_ANSWER:
            return "little text of it still stands"
        return f"more than {LONGEST_ANSWER} characters changed" if size > LONGEST_ANSWER else ""

    def _blamed(self, path: str) -> list[tuple[Line, int]]:
        """The lines of a document with where each starts; none where the document is not what was
        last committed."""
        if path not in self._lines:
            lines = self._history.blame(path)
            self._lines[path] = list(_placed(lines, self._corpus[path]))
        return self._lines[path]


def _asked(commit: Commit) -> str:
    """A subject without prefixes and numbers of tickets."""
    said = TICKETS.sub(" ", commit.subject[:LONGEST_READ])
    while (prefix := PREFIX.match(said)) is not None and prefix.end():
        said = said[prefix.end() :]
    said = plain(said).rstrip(" .")
    return shortened(said[:1].upper() + said[1:])


def _placed(lines: list[Line], text: str) -> Iterator[tuple[Line, int]]:
    """The lines of a commit in a document of the same lines."""
    rows = text.split("\n")
    if rows[-1] == "":
        rows.pop()
    if [line.text.removeprefix("\ufeff") for line in lines] != [row.rstrip("\r") for row in rows]:
        return
    at = 0
    for line, row in zip(lines, rows, strict=True):
        yield line, at
        at += len(row) + 1


def _stretches(
    commit: str, path: str, lines: list[tuple[Line, int]], text: str
) -> Iterator[Reference]:
    """Consecutive lines of a commit, blank ones between them whosever they are; without stretches
    too short to say anything."""
    start = -1
    for line, at in [*lines, (Line("", "end"), len(text))]:
        if line.commit == commit:
            start = at if start < 0 else start
        elif start >= 0 and not is_whitespace_only(line.text):
            first, last = trim(text, start, at)
            if last - first >= SMALLEST_STRETCH:
                yield Reference(path, first, last)
            start = -1
