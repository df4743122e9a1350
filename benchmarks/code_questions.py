"""Questions about source code, asked by its docstrings, and the code without them. How they are
made is chunkwright.evaluation's; nothing is cut or searched here.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.corpora import SEED
from benchmarks.facts import say
from chunkwright.evaluation import Question, read_corpus
from chunkwright.evaluation.making import make_questions
from chunkwright.languages import language_of

KINDS = ("docstring",)


def of_repositories(
    roots: Sequence[Path], language: str, most: int
) -> tuple[dict[str, str], list[Question]]:
    """The files of a language, with documentation blanked out, and the questions about them: so
    many of each repository. Paths begin with the repository's name."""
    texts: dict[str, str] = {}
    questions: list[Question] = []
    for root in roots:
        made = make_questions(_read(root, language), kinds=KINDS, limit=most, seed=SEED)
        say(f"{root.name}: {len(made.questions)} questions about {len(made.documents)} files")
        texts |= made.documents
        questions += made.questions
    return texts, questions


def _read(root: Path, language: str) -> dict[str, str]:
    """Path -> text, as an index of the folder would have it."""
    return {
        f"{root.name}/{one.path}": one.text
        for one in read_corpus(root).documents
        if language_of(one.path) == language
    }
