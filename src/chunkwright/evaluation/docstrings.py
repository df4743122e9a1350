"""Questions from documentation: what a symbol is said to do -> the symbol. And the documents
without that documentation, for where it stays, a question is found by its own words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from chunkwright.characters import LINE_END, Lines, trim
from chunkwright.evaluation.nouns import Question, Reference
from chunkwright.evaluation.wording import opening, says_enough
from chunkwright.languages import is_test, language_of
from chunkwright.parsing.documentation import Documented, documented
from chunkwright.parsing.generated import marked_line
from chunkwright.types import Document

ORIGIN = "docstring"

FEWEST_LINES = 3
"""Lines of a definition besides its documentation, as in CodeSearchNet: fewer hold no answer."""

LONGEST_ANSWER = 6000
"""Code points of what answers a question: more is no one answer, but a file to read."""

NOT_LINE_END = re.compile(r"[^\r\n]")


class Documentation:
    """All documented symbols of a corpus."""

    def __init__(self, corpus: Mapping[str, str]) -> None:
        self._corpus = corpus
        self._of: dict[str, list[Documented]] = {}
        for path in sorted(corpus):
            if found := list(documented(Document(corpus[path], path=path))):
                self._of[path] = found

    def documents(self) -> dict[str, str]:
        """The corpus with spaces for all documentation of symbols: every offset and every line
        stays where it was."""
        return {
            path: blanked(text, self._of[path]) if path in self._of else text
            for path, text in self._corpus.items()
        }

    def questions(
        self, documents: Mapping[str, str], keep: Callable[[str, str], str], left_out: Counter[str]
    ) -> Iterator[Question]:
        """A question for each symbol that can be asked for, its answer in `documents`. `keep`
        says of a path and its text why it is left out, or ""."""
        for path, symbols in self._of.items():
            text = self._corpus[path]
            if reason := keep(path, text):
                left_out[reason] += len(symbols)
                continue
            lines = Lines(text)
            for symbol in symbols:
                made = _question(path, documents[path], symbol, lines)
                if isinstance(made, Question):
                    yield made
                else:
                    left_out[made] += 1


def without_documentation(corpus: Mapping[str, str]) -> dict[str, str]:
    """The documents that questions of documentation are asked of, every offset as before."""
    return Documentation(corpus).documents()


def kept(path: str, text: str) -> str:
    """Why the symbols of a file are not asked for; "" where they are."""
    if is_test(path, language_of(path, text)):
        return "in a test file"
    return "in a generated file" if marked_line(text) else ""


def blanked(text: str, symbols: list[Documented]) -> str:
    """A text with spaces for the documentation of its symbols, line ends kept."""
    parts: list[str] = []
    done = 0
    for start, end in sorted(stretch for symbol in symbols for stretch in symbol.said):
        if start >= done:
            parts += [text[done:start], NOT_LINE_END.sub(" ", text[start:end])]
            done = end
    return "".join([*parts, text[done:]])


def _question(path: str, text: str, symbol: Documented, lines: Lines) -> Question | str:
    """The question for a symbol, or why there is none."""
    asked = _without_name(opening(symbol.text), symbol.name)
    if not says_enough(asked):
        return "the documentation says too little"
    start, end = trim(text, symbol.start, symbol.end)
    code = [line for line in LINE_END.split(text[start:end]) if line.strip()]
    if len(code) < FEWEST_LINES:
        return f"the definition has fewer than {FEWEST_LINES} lines"
    if end - start > LONGEST_ANSWER:
        return f"the definition has more than {LONGEST_ANSWER} characters"
    called = f"{ORIGIN}:{path}:{lines.number(start)}"
    return Question(asked, (Reference(path, start, end),), called, ORIGIN)


def _without_name(said: str, name: str) -> str:
    """A text that does not begin with the symbol's own name, as Go's documentation does."""
    own = re.escape(name.rpartition(".")[2])
    bare = re.sub(rf"^(?:The\s+)?{own}(?:\(\))?\s*(?:[-–—:]\s+|\s(?:is|are)\s|\s)", "", said)
    return bare[:1].upper() + bare[1:]
