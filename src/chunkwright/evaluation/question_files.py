"""Records of a file of questions: lines of JSON, or rows of CSV, under one set of names. What they
mean is not decided here.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from chunkwright.errors import ConfigError, ParseError, PathError
from chunkwright.evaluation.mistakes import Mistake, nearest, shown

JSON_LINES = (".jsonl", ".ndjson")
CSV = ".csv"

ALIASES = {
    "query": "question",
    "text": "question",
    "relevant": "references",
    "content": "quote",
    "start_index": "start",
    "end_index": "end",
}
"""Names that other tools write -> ours."""

PLACE = ("path", "start", "end", "start_line", "end_line", "quote", "occurrence", "corpus_id")
"""What says where one answer stands."""

LISTS = ("references", "secondary")
"""What holds several answers. Both are right."""

ASKED = ("question", "id", "origin")

PASSED_OVER = ("category", "seed", "related", "repo")
"""What other tools' files also have; `repo` may be the folder that a path lies in."""

KNOWN = (*ASKED, *LISTS, *PLACE, *PASSED_OVER)

NUMBER = re.compile(r"(-?\d{1,15})(?:\.0)?")
"""A whole number in a cell; tables that were written from floats say 12.0."""

NUMBERS = ("start", "end", "start_line", "end_line", "occurrence")


class Record(NamedTuple):
    """One line or row, its names already ours; or what is wrong with it."""

    line: int
    """Physical line it begins at."""
    fields: dict[str, object] | Mistake


def records(path: Path) -> Iterator[Record]:
    """Every record of a file, in order; blank lines are passed over.

    Raises ConfigError for a suffix that is not read, PathError for a file that cannot be, and
    ParseError for one that is not UTF-8.
    """
    suffix = path.suffix.lower()
    if suffix not in (*JSON_LINES, CSV):
        allowed = "a file of questions is read as JSON lines (.jsonl) or as a table (.csv)"
        raise ConfigError("questions", str(path), allowed)
    text = _text(path)
    yield from _rows(text) if suffix == CSV else _lines(text)


def renamed(fields: Mapping[str, object], known: tuple[str, ...]) -> dict[str, object]:
    """The same fields under our names, without those that say nothing. Raises Mistake for an
    unknown name, and for one thing said under two names."""
    named: dict[str, object] = {}
    for name, value in fields.items():
        ours = ALIASES.get(name, name)
        if ours not in known:
            raise _unknown(name, known)
        if value is None:
            continue
        if ours in named:
            raise Mistake(f"`{ours}` is given twice, once as `{name}`", "leave one of them out")
        named[ours] = value
    return named


def _unknown(name: str, known: tuple[str, ...]) -> Mistake:
    aliases = tuple(alias for alias, ours in ALIASES.items() if ours in known)
    near = nearest(name, (*known, *aliases))
    remedy = f"did you mean `{near}`?" if near else f"known are {', '.join(known)}"
    return Mistake(f"{shown(name)} is not known", remedy)


def _text(path: Path) -> str:
    try:
        content = path.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise PathError(str(path), reason, "give a file of questions that can be read") from error
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ParseError(str(path), line, "it is not UTF-8", "save it as UTF-8") from error


def _lines(text: str) -> Iterator[Record]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield Record(number, _caught(line))


def _caught(line: str) -> dict[str, object] | Mistake:
    try:
        return renamed(_object(line), KNOWN)
    except Mistake as mistake:
        return mistake


def _object(line: str) -> dict[str, object]:
    value = _json(line)
    if not isinstance(value, dict):
        raise Mistake(f"the line is {shown(value)}, no JSON object", 'write {"question": …}')
    return value


def _json(source: str, remedy: str = "write one JSON object a line") -> object:
    try:
        return msgspec.json.decode(source)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Mistake(f"no valid JSON: {error}", remedy) from error


def _rows(text: str) -> Iterator[Record]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    header: list[str] = []
    while True:
        line = reader.line_num + 1
        try:
            row = next(reader, None)
            if row is None:
                return
            if not header:
                header = _header(row)
            elif any(cell.strip() for cell in row):
                yield Record(line, _row(header, row))
        except csv.Error as error:
            yield Record(line, Mistake(f"no valid CSV: {error}", "close each quotation mark"))
            return
        except Mistake as mistake:
            yield Record(line, mistake)
            return


def _header(row: list[str]) -> list[str]:
    """The names of the columns. Raises Mistake where one is unknown, or there twice."""
    header = [name.strip() for name in row]
    if not any(header):
        return []
    if len(header) == 1 and re.search(r"[;\t]", header[0]):
        raise Mistake(f"one column {shown(header[0])}", "part columns with commas")
    seen: set[str] = set()
    for name in header:
        (ours,) = renamed({name: ""}, KNOWN)
        if ours in seen:
            raise Mistake(f"the column `{ours}` is there twice", "leave one of them out")
        seen.add(ours)
    return header


def _row(header: list[str], row: list[str]) -> dict[str, object] | Mistake:
    if len(row) != len(header):
        reason = f"the row has {len(row)} cells, the header {len(header)}"
        return Mistake(reason, "put cells that hold a comma into quotation marks")
    try:
        fields = renamed(dict(zip(header, (cell or None for cell in row), strict=True)), KNOWN)
        return {name: _cell(name, str(value)) for name, value in fields.items()}
    except Mistake as mistake:
        return mistake


def _cell(name: str, cell: str) -> object:
    """What a cell says: lists are written as JSON, all else as it is."""
    if name in LISTS:
        return _json(cell, f"write the cell `{name}` as a JSON list")
    number = NUMBER.fullmatch(cell.strip()) if name in NUMBERS else None
    return int(number[1]) if number else cell
