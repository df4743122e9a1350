"""The texts that are measured: made from a seed without a network, or read from files.
What is done with them is elsewhere.
"""

from __future__ import annotations

import ast
import hashlib
import random
import re
import sysconfig
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import Distribution, distributions
from pathlib import Path
from pydoc_data.topics import topics

SEED = 20_240_229
"""Any number would do; the same one makes the same texts."""

MEGABYTE = 1_000_000
"""Code points, not bytes, so that all languages are counted alike."""

SENTENCES_IN_PARAGRAPH = (3, 12)
"""Least and most."""

WRAP_COLUMN = 80

SENTENCE_LENGTHS = range(30, 301)
"""Code points; shorter ones are fragments, longer ones tables and listings."""

LEAST_SHARE_OF_LETTERS = 0.85
"""Letters and spaces among a sentence's characters; below that it is a table or program text."""

LANGUAGES = Path(__file__).parent / "sentences"
"""One file a language, one sentence a line."""

SENTENCES_TOUCH = frozenset({"chinese", "japanese"})
"""Languages that put no space between sentences."""


@dataclass(frozen=True)
class Corpus:
    """A named text."""

    name: str
    text: str

    @property
    def digest(self) -> str:
        """Start of the SHA-256 of the text: whether two runs measured the same."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]


def prose(size: int) -> str:
    """English sentences in paragraphs, each one line, with a blank line between."""
    sentences = english_sentences()
    chance = random.Random(SEED)
    return _joined((_paragraph(chance, sentences, " ") for _ in _forever()), size)


def wrapped(size: int) -> str:
    """The same paragraphs, broken into lines of at most WRAP_COLUMN."""
    paragraphs = prose(size).split("\n\n")
    wrapper = textwrap.TextWrapper(WRAP_COLUMN, break_on_hyphens=False, break_long_words=False)
    return "\n\n".join(map(wrapper.fill, paragraphs))


def unbroken(size: int) -> str:
    """The same sentences in one line, as in a transcript."""
    return prose(size).replace("\n\n", " ")


def mixed(size: int) -> str:
    """Paragraphs that are each in one of the languages of LANGUAGES, or English."""
    sentences = {"english": english_sentences()} | {
        file.stem: tuple(file.read_text(encoding="utf-8").splitlines())
        for file in sorted(LANGUAGES.glob("*.txt"))
    }
    chance = random.Random(SEED)
    names = list(sentences)
    chosen = (chance.choice(names) for _ in _forever())
    paragraphs = (
        _paragraph(chance, sentences[name], "" if name in SENTENCES_TOUCH else " ")
        for name in chosen
    )
    return _joined(paragraphs, size)


def readmes(size: int) -> str:
    """READMEs of the installed distributions in Markdown, shuffled, again and again."""
    found = {d.metadata["Name"]: _description(d) for d in distributions() if _is_markdown(d)}
    texts = [found[name] for name in sorted(found) if found[name]]
    if not texts:
        raise SystemExit("no installed distribution has a README in Markdown")
    chance = random.Random(SEED)
    shuffled = (text for _ in _forever() for text in chance.sample(texts, len(texts)))
    return _joined(shuffled, size)


def _is_markdown(distribution: Distribution) -> bool:
    return "markdown" in (distribution.metadata["Description-Content-Type"] or "").lower()


def _description(distribution: Distribution) -> str:
    described = distribution.metadata.get_payload() or distribution.metadata["Description"]
    return str(described or "").strip()


def many() -> dict[str, str]:
    """Texts of very many small parts."""
    return {
        "10,000 headings": "".join(
            f"## Heading {number}\n\nWords.\n\n" for number in range(10_000)
        ),
        "100,000 paragraphs": "A few words here.\n\n" * 100_000,
    }


MADE: dict[str, Callable[[int], str]] = {
    "prose": prose,
    "wrapped": wrapped,
    "unbroken": unbroken,
    "mixed": mixed,
}


def made(size: int) -> list[Corpus]:
    """Every made text, of about `size` code points (at least, but for a paragraph's end)."""
    return [Corpus(name, make(size)) for name, make in MADE.items()]


def from_files(paths: Sequence[Path]) -> list[Corpus]:
    """The caller's own texts, with their line ends as they are."""
    return [Corpus(path.name, path.read_bytes().decode()) for path in paths]


@cache
def english_sentences() -> tuple[str, ...]:
    """ASCII sentences of the standard library's help topics and module docstrings, sorted."""
    found = {
        sentence
        for text in (*topics.values(), *_module_docstrings())
        for paragraph in re.split(r"\n\s*\n", text)
        for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z])", " ".join(paragraph.split()))
        if _is_prose(sentence)
    }
    return tuple(sorted(found))


def _module_docstrings() -> Iterator[str]:
    for file in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")):
        docstring = ast.get_docstring(ast.parse(file.read_bytes()))
        if docstring:
            yield docstring


def _is_prose(sentence: str) -> bool:
    if len(sentence) not in SENTENCE_LENGTHS or not sentence.isascii():
        return False
    letters = sum(character.isalpha() or character == " " for character in sentence)
    whole = sentence[0].isupper() and sentence[-1] in ".!?"
    return whole and letters / len(sentence) > LEAST_SHARE_OF_LETTERS


def _paragraph(chance: random.Random, sentences: Sequence[str], between: str) -> str:
    count = chance.randint(*SENTENCES_IN_PARAGRAPH)
    return between.join(chance.choice(sentences) for _ in range(count))


def _joined(paragraphs: Iterable[str], size: int) -> str:
    """Paragraphs with a blank line between, until there are `size` code points."""
    taken: list[str] = []
    length = 0
    for paragraph in paragraphs:
        taken.append(paragraph)
        length += len(paragraph) + 2
        if length >= size + 2:
            break
    return "\n\n".join(taken)


def _forever() -> Iterator[None]:
    while True:
        yield None
