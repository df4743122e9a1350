"""Result files: one a measurement, a line a result. What a line has is in schema.py."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from benchmarks.facts import Line
from benchmarks.schema import checked

FOLDER = Path(__file__).parent / "results"

WHICH = (
    *("what", "corpus", "language", "chunker", "engine", "contestant", "work", "option", "without"),
    *("unit", "size", "overlap", "model", "ranking", "embedded", "measure"),
)
"""Fields that say which result a line is; others say how it came out, or how it was made."""


def encoded(line: Line) -> bytes:
    """The line as it stands in a file."""
    return json.dumps(line, ensure_ascii=False).encode() + b"\n"


def save(file: Path, made: Sequence[Line]) -> None:
    """Put lines into a file, each in the place of the same result before; others stay."""
    groups = _groups(read(file)) if file.exists() else {}
    groups |= _groups(made)
    file.parent.mkdir(parents=True, exist_ok=True)
    written = file.with_suffix(".tmp")
    written.write_bytes(b"".join(encoded(line) for group in groups.values() for line in group))
    written.replace(file)


def read(file: Path) -> Iterator[Line]:
    """The lines of a file, checked."""
    for line in file.read_bytes().splitlines():
        yield checked(json.loads(line))


def saved() -> list[Line]:
    """The committed results."""
    return [line for file in sorted(FOLDER.glob("*.jsonl")) for line in read(file)]


def _groups(lines: Iterable[Line]) -> dict[tuple[str, ...], list[Line]]:
    """Lines by which result they are: a measurement may give several of one, as of each length."""
    groups: dict[tuple[str, ...], list[Line]] = {}
    for line in lines:
        groups.setdefault(tuple(str(line.get(field, "")) for field in WHICH), []).append(line)
    return groups
