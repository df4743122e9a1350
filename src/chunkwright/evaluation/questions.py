"""Questions from a file, and to one. How files are written is for `question_files`, where an answer
stands for `places`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from chunkwright.characters import is_whitespace_only
from chunkwright.errors import ConfigError, ParseError, PathError
from chunkwright.evaluation.mistakes import Mistake, Mistakes, shown
from chunkwright.evaluation.nouns import Question, Reference
from chunkwright.evaluation.places import Said, place
from chunkwright.evaluation.question_files import (
    CSV,
    LISTS,
    NUMBERS,
    PLACE,
    Record,
    records,
    renamed,
)

SHARED = ("path", "corpus_id")
"""What a question may say once for all of its references."""


class _Asked(msgspec.Struct):
    """A question being read."""

    line: int
    text: str
    id: str
    origin: str
    references: list[Reference] = []


def read_questions(path: str | os.PathLike[str], corpus: Mapping[str, str]) -> list[Question]:
    """The questions of a JSONL or CSV file; `corpus` maps the path of each document to its text.

    In a table, rows of one id are one question, or rows of one text where there is no id.
    Raises ConfigError for another kind of file, PathError for one that cannot be read, and
    ParseError that tells up to ten mistakes, each with its line, its question and a remedy.
    """
    file = Path(path)
    mistakes = Mistakes(str(file))
    reader = _Reader(corpus, mistakes, is_table=file.suffix.lower() == CSV)
    for record in records(file):
        reader.take(record)
    mistakes.tell()
    if not reader.asked:
        remedy = 'write {"question": "…", "path": "…", "quote": "…"}, one on each line'
        raise ParseError(str(file), 1, "the file holds no question", remedy)
    return [
        Question(one.text, tuple(one.references), one.id, one.origin)
        for one in reader.asked.values()
    ]


def write_questions(questions: Iterable[Question], path: str | os.PathLike[str]) -> None:
    """Write questions as JSON lines that `read_questions` reads back as they are.

    Raises ConfigError for a question that could not be read back: one without text or
    references, or of an id that another has; PathError where the file cannot be written.
    """
    seen: set[str] = set()
    written: list[bytes] = []
    for question in questions:
        if is_whitespace_only(question.text) or not question.references:
            raise ConfigError("questions", question, "each has a text and a reference")
        if question.id and question.id in seen:
            raise ConfigError("questions", question.id, "each id is there once")
        seen.add(question.id)
        written.append(msgspec.json.encode(_record(question)) + b"\n")
    try:
        Path(path).write_bytes(b"".join(written))
    except OSError as error:
        raise PathError(str(path), error.strerror or str(error), "give another file") from error


def _record(question: Question) -> dict[str, object]:
    facts: dict[str, object] = {"question": question.text, "references": question.references}
    if question.id:
        facts["id"] = question.id
    if question.origin:
        facts["origin"] = question.origin
    return facts


class _Reader:
    """Makes questions of records, and notes what is wrong with them."""

    def __init__(self, corpus: Mapping[str, str], mistakes: Mistakes, *, is_table: bool) -> None:
        self._corpus = corpus
        self._mistakes = mistakes
        self._is_table = is_table
        self.asked: dict[object, _Asked] = {}
        """By id, or what else makes records one question."""

    def take(self, record: Record) -> None:
        """Add what a record asks, or what it adds to a question."""
        line, fields = record
        about = None if isinstance(fields, Mistake) else fields.get("question")
        with self._mistakes.noted(line, about):
            if isinstance(fields, Mistake):
                raise fields
            asked = self._question(line, fields)
            for said in _references(fields):
                with self._mistakes.noted(line, asked.text):
                    asked.references.append(place(_said(said), self._corpus))

    def _question(self, line: int, fields: Mapping[str, object]) -> _Asked:
        text, called = fields.get("question"), _id(fields)
        origin = fields.get("origin", "")
        if not isinstance(origin, str):
            raise Mistake(f"`origin` is {shown(origin)}", "give text")
        key: object = called or (text if self._is_table else line)
        known = self.asked.get(key)
        if known is not None:
            self._require_same(known, text)
            return known
        if not isinstance(text, str) or is_whitespace_only(text):
            reason = "no question is asked" if text is None else f"`question` is {shown(text)}"
            raise Mistake(reason, "give `question` a text")
        self.asked[key] = _Asked(line, text, called, origin)
        return self.asked[key]

    def _require_same(self, known: _Asked, text: object) -> None:
        if not self._is_table:
            raise Mistake(
                f"the id {shown(known.id)} is used on line {known.line} already",
                "give each question an id of its own, its references as a list",
            )
        if text is not None and text != known.text:
            raise Mistake(
                f"the id {shown(known.id)} is that of another question on line {known.line}",
                "give rows of one question the same text, or leave it out below the first",
            )


def _id(fields: Mapping[str, object]) -> str:
    called = fields.get("id", "")
    if isinstance(called, bool) or not isinstance(called, str | int):
        raise Mistake(f"`id` is {shown(called)}", "give text or a whole number")
    return str(called)


def _references(fields: Mapping[str, object]) -> Iterator[object]:
    """What is said about each reference. Raises Mistake where nothing is."""
    own = {name: fields[name] for name in PLACE if name in fields}
    listed = [one for name in LISTS for one in _list(name, fields.get(name, []))]
    around = {name: fields[name] for name in ("repo",) if name in fields}
    if not listed:
        if not own:
            remedy = "give `path`, or `quote`, or a list of `references`"
            raise Mistake("nothing says where the answer stands", remedy)
        yield {**around, **own}
        return
    if extra := [name for name in own if name not in SHARED]:
        raise Mistake(f"`{extra[0]}` is given beside a list", "put it into the list's objects")
    for one in listed:
        given = {"path": one} if isinstance(one, str) else one
        yield {**around, **own, **given} if isinstance(given, dict) else given


def _list(name: str, value: object) -> Sequence[object]:
    if not isinstance(value, list):
        raise Mistake(f"`{name}` is {shown(value)}", "give a list of paths or objects")
    return value


def _said(said: object) -> Said:
    """One reference, each field of the right type."""
    if not isinstance(said, dict):
        raise Mistake(f"a reference is {shown(said)}", "give a path or an object")
    fields: dict[str, Any] = renamed(said, (*PLACE, "repo"))
    for name, value in fields.items():
        wanted, remedy = (int, "a whole number") if name in NUMBERS else (str, "text")
        if type(value) is not wanted:
            raise Mistake(f"`{name}` is {shown(value)}", f"give {remedy}")
    return Said(**fields)
