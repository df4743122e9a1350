"""Questions about source code, asked by its docstrings, and the code without them. Nothing is cut
or searched here.

Of what is searched, the comments and docstrings that a question was made of are blanked out, so
that nobody finds an answer by the words of the question itself; offsets stay what they were.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.corpora import SEED
from benchmarks.facts import say
from benchmarks.grammars import bare_parser
from chunkwright import sources
from chunkwright.evaluation import Question, Reference
from chunkwright.languages import language_of

KIND = "docstring"
"""Of the questions that are made."""

WORD = re.compile(r"\w+")

Span = tuple[int, int]


def read(root: Path, language: str) -> dict[str, str]:
    """The files of a language in a repository: path under its name -> text."""
    found = {}
    for answer in sources.walk(root):
        if isinstance(answer, sources.Keep) and language_of(answer.path) == language:
            source = sources.read(root, answer.path)
            if isinstance(source, sources.Source):
                found[f"{root.name}/{answer.path}"] = source.document.text
    return found


def questions(root: Path, texts: Mapping[str, str], most: int) -> list[Question]:
    """Docstrings of what is defined in these files; so many of them, drawn with the seed."""
    from chunkwright.evaluation.making import make_questions

    moved = [_under(root.name, one) for one in make_questions(root, (KIND,))]
    asked = [one for one in moved if all(place.path in texts for place in one.references)]
    say(f"{root.name}: {len(asked)} questions about {len(texts)} files")
    return random.Random(SEED).sample(asked, min(most, len(asked)))


def _under(name: str, question: Question) -> Question:
    places = [
        Reference(f"{name}/{place.path}", place.start, place.end) for place in question.references
    ]
    return Question(question.text, tuple(places), question.id, question.origin)


def blanked(texts: Mapping[str, str], asked: Sequence[Question], language: str) -> dict[str, str]:
    """The texts without the comments and docstrings that have the words of a question in them."""
    wanted: dict[str, list[str]] = {}
    for question in asked:
        for place in question.references:
            wanted.setdefault(place.path, []).append(_words(question.text))
    parser = bare_parser(language)
    return {
        path: _without(text, wanted[path], parser) if path in wanted else text
        for path, text in texts.items()
    }


def _without(text: str, wanted: Sequence[str], parser: Any) -> str:
    content = text.encode()
    pieces, reached = [], 0
    for start, end in _said(content, parser):
        said = content[start:end].decode()
        if any(words in _words(said) for words in wanted):
            pieces += [content[reached:start].decode(), re.sub(r"[^\r\n]", " ", said)]
            reached = end
    return "".join([*pieces, content[reached:].decode()])


def _words(text: str) -> str:
    """Its words with a space on each side: what they stand in, as `//` or quotes, is left out."""
    return f" {' '.join(WORD.findall(text)).lower()} "


def _said(content: bytes, parser: Any) -> Iterator[Span]:
    """Comments, those on consecutive lines as one, and docstrings; in bytes."""
    reached: Span | None = None
    for start, end in _nodes(parser.parse(content).root_node):
        if reached and _is_next_line(content[reached[1] : start]):
            reached = reached[0], end
        else:
            yield from filter(None, [reached])
            reached = start, end
    if reached:
        yield reached


def _is_next_line(between: bytes) -> bool:
    return not between.strip() and between.count(b"\n") <= 1


def _nodes(root: Any) -> Iterator[Span]:
    """In the order of the text."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if "comment" in node.type or _is_docstring(node):
            yield node.start_byte, node.end_byte
        else:
            waiting += reversed(node.children)


def _is_docstring(node: Any) -> bool:
    """A string by itself, as Python's are."""
    is_alone = node.type == "string" and node.parent and node.parent.named_child_count == 1
    return bool(is_alone and node.parent.type == "expression_statement")
