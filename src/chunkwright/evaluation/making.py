"""Questions without anyone to ask them: made of a corpus's own documentation, headings and history.
Each kind has a room of its own; what they can show is told here.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

import msgspec

from chunkwright.errors import ConfigError, PathError
from chunkwright.evaluation import commits, docstrings, sections
from chunkwright.evaluation.commits import Commits
from chunkwright.evaluation.docstrings import Documentation
from chunkwright.evaluation.nouns import Question
from chunkwright.evaluation.sections import heading_questions
from chunkwright.evaluation.wording import essence

KINDS = (docstrings.ORIGIN, sections.ORIGIN, commits.ORIGIN)

SEVERAL_ANSWERS = "several places have the same question"

NOTES = {
    docstrings.ORIGIN: (
        "Docstring questions show whether a definition is found and kept whole by what it is said "
        "to do. They were written by those who wrote the code, in its words and names, and ask for "
        "one definition each: they cannot show how questions that need several places are answered."
    ),
    sections.ORIGIN: (
        "Heading questions show whether a section is found and kept whole by the headings above "
        "it. The headings stand beside the answer: search by words is flattered, and so is a "
        "chunker that repeats headings in each chunk. They are names of topics, not questions."
    ),
    commits.ORIGIN: (
        "Commit questions show whether the lines of one change are found by its subject, across "
        "files. A subject tells what changed, not what the lines do, and a file that lists changes "
        "may repeat it. Lines that were changed again since count for the later commit: an answer "
        "is at least half of what the commit added, and text beside it may be right as well."
    ),
}
"""What questions of each kind can show and what they cannot."""

BLANKED = (
    "The documentation of symbols is blanked in the documents that are asked, for it is what the "
    "docstring questions are made of; chunks of a real index have it."
)
LEFT = (
    "The documentation stays in the documents: it is what the questions are made of, so that "
    "finding it shows hardly more than that words are matched."
)
OF_ALL = (
    "All made questions favour what is documented, titled or lately changed. They are good for "
    "comparing cuts of the same corpus, and say nothing about how well users will be served."
)
SHALLOW = "The clone is shallow: only its newest commits could be asked for."


class Made(msgspec.Struct, frozen=True, kw_only=True):
    """Questions that were made, and what there is to know about them."""

    questions: tuple[Question, ...]
    documents: dict[str, str]
    """Path -> the text that is to be asked, offsets and lines as in the corpus; documentation of
    symbols blanked where docstring questions are among them."""
    notes: tuple[str, ...]
    """What such questions can show and what they cannot, in sentences."""
    left_out: dict[str, dict[str, int]]
    """Kind -> why something made no question -> how often."""


def make_questions(
    corpus: Mapping[str, str],
    *,
    root: str | os.PathLike[str] | None = None,
    kinds: Iterable[str] = KINDS,
    limit: int | None = None,
    seed: int = 0,
    tests: bool = False,
    keep_docs: bool = False,
) -> Made:
    """Questions about a corpus (path -> text) without a model or a key, at most `limit` of a kind.

    The kinds are `docstring`, `heading` and `commit`; the last needs the corpus's folder as
    `root`, in a git repository. `tests` asks for symbols of test and generated files, and takes
    changed lines of tests for answers, too. `keep_docs` leaves documentation in the documents.
    The same corpus and seed give the same questions, and a higher limit adds to them.
    Raises ConfigError for a wrong option, PathError where commits alone are asked for and there
    is no history.
    """
    wanted = _checked(kinds, limit)
    maker = _Maker(corpus, root, seed, limit)
    if docstrings.ORIGIN in wanted:
        maker.take_docstrings(tests=tests, keep_docs=keep_docs)
    if sections.ORIGIN in wanted:
        maker.take_headings()
    if commits.ORIGIN in wanted:
        maker.take_commits(tests=tests, must=len(wanted) == 1)
    return maker.made()


class _Maker:
    """Makes the questions of one corpus, kind by kind."""

    def __init__(
        self,
        corpus: Mapping[str, str],
        root: str | os.PathLike[str] | None,
        seed: int,
        limit: int | None,
    ) -> None:
        self._corpus = corpus
        self._root = root
        self._seed = seed
        self._limit = limit
        self._documents = dict(corpus)
        self._questions: list[Question] = []
        self._notes: list[str] = []
        self._left_out: dict[str, dict[str, int]] = {}

    def take_docstrings(self, *, tests: bool, keep_docs: bool) -> None:
        """Documentation of symbols; blanks it, too. Comes first: others ask what is left."""
        documentation = Documentation(self._corpus)
        if not keep_docs:
            self._documents = documentation.documents()
        left_out: Counter[str] = Counter()
        keep = _everything if tests else docstrings.kept
        found = documentation.questions(self._documents, keep, left_out)
        self._take(docstrings.ORIGIN, self._drawn(found, left_out), left_out)
        self._notes.append(LEFT if keep_docs else BLANKED)

    def take_headings(self) -> None:
        """Headings of documents that have such."""
        left_out: Counter[str] = Counter()
        found = heading_questions(self._corpus, left_out)
        self._take(sections.ORIGIN, self._drawn(found, left_out), left_out)

    def take_commits(self, *, tests: bool, must: bool) -> None:
        """Subjects of commits; where there is no history, a note says so, unless it must be."""
        left_out: Counter[str] = Counter()
        try:
            found = Commits(
                _given(self._root), self._corpus, self._documents, left_out, tests=tests
            )
            self._take(commits.ORIGIN, found.questions(self._lot), left_out)
        except (ConfigError, PathError) as error:
            if must:
                raise
            self._notes.append(f"No commit questions: {error}.")
            return
        if found.is_shallow:
            self._notes.append(SHALLOW)

    def made(self) -> Made:
        """All that was made."""
        return Made(
            questions=tuple(self._questions),
            documents=self._documents,
            notes=(*self._notes, OF_ALL),
            left_out=self._left_out,
        )

    def _take(self, kind: str, found: Iterator[Question], left_out: Counter[str]) -> None:
        """Keep the first of what is found, in the order of the corpus, and tell of the kind."""
        chosen = sorted(islice(found, self._limit), key=_in_corpus)
        self._questions += chosen
        self._left_out[kind] = dict(left_out.most_common())
        self._notes.append(NOTES[kind] if chosen else f"No {kind} question could be made.")

    def _drawn(self, found: Iterable[Question], left_out: Counter[str]) -> Iterator[Question]:
        """Questions that are asked once, in the order of their lots."""
        questions = list(found)
        common = Counter(essence(question.text) for question in questions)
        for question in sorted(questions, key=lambda one: self._lot(one.id)):
            if common[essence(question.text)] == 1:
                yield question
            else:
                left_out[SEVERAL_ANSWERS] += 1

    def _lot(self, name: str) -> bytes:
        """What decides who is taken: the same under every Python, whoever else is there."""
        return hashlib.sha256(f"{self._seed}\0{name}".encode()).digest()


def _checked(kinds: Iterable[str], limit: int | None) -> frozenset[str]:
    wanted = frozenset([kinds] if isinstance(kinds, str) else kinds)
    if not wanted or not wanted <= set(KINDS):
        raise ConfigError("kinds", sorted(wanted), f"some of {', '.join(KINDS)}")
    if limit is not None and (isinstance(limit, bool) or limit < 1):
        raise ConfigError("limit", limit, "a whole number above 0, or None for all")
    return wanted


def _given(root: str | os.PathLike[str] | None) -> str | os.PathLike[str]:
    if root is None:
        raise ConfigError("root", None, "the folder of the corpus, for commit questions")
    return root


def _everything(_path: str, _text: str) -> str:
    return ""


def _in_corpus(question: Question) -> tuple[str, int, str]:
    first = question.references[0]
    return first.path, first.start, question.id
