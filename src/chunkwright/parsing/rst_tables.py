"""The tables of reStructuredText, simple and grid: which lines they take, and which of these are a
row. Everything else of the format is `rst`'s.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

SIMPLE_TOP = re.compile(r"=+(?: +=+)+$")
SIMPLE_BORDER = re.compile(r"=+[ =]*$")
GRID_TOP = re.compile(r"\+-[-+]+-\+$")
GRID_HEAD = re.compile(r"\+=[=+]+=\+$")


class Table(NamedTuple):
    """A table as numbers of lines."""

    first: int
    end: int
    """The line after its last border."""
    head: int
    """The line under the header; where there is none, under the first border."""
    column: int
    """Of a simple table: where its first column ends. 0 for a grid table."""


def table_at(lines: Sequence[str], at: int, end: int, margin: int) -> Table | None:
    """The table that begins at a line; None where none does, or where it is not closed.

    `lines` have no white space at their ends and are looked at from `margin` on, up to `end`.
    """
    if GRID_TOP.match(lines[at], margin):
        return _grid(lines, at, end, margin)
    if SIMPLE_TOP.match(lines[at], margin):
        return _simple(lines, at, end, margin)
    return None


def rows(lines: Sequence[str], table: Table, margin: int) -> Iterator[tuple[int, int]]:
    """(first line, line after the last) of every row under the header, with the border below."""
    begins = [line for line in range(table.head, table.end) if _begins(lines, table, line, margin)]
    for first, end in pairwise([*begins, table.end]):
        last = end - 1
        while not lines[last]:
            last -= 1
        yield first, last + 1


def _begins(lines: Sequence[str], table: Table, at: int, margin: int) -> bool:
    """Whether a line is the first of a row."""
    if at == table.head or not table.column:
        return at == table.head or bool(GRID_TOP.match(lines[at - 1], margin))
    return at < table.end - 1 and bool(lines[at][margin : table.column].strip())


def _simple(lines: Sequence[str], at: int, end: int, margin: int) -> Table | None:
    """As docutils has it, the last border is the third, or the one a blank line follows; all are
    of one length."""
    column = lines[at].index(" ", margin)
    head = at + 1
    for line in range(at + 1, end):
        if not SIMPLE_BORDER.match(lines[line], margin):
            continue
        if len(lines[line]) != len(lines[at]):
            return None
        if head > at + 1 or line + 1 == end or not lines[line + 1]:
            return Table(at, line + 1, head, column)
        head = line + 1
    return None


def _grid(lines: Sequence[str], at: int, end: int, margin: int) -> Table | None:
    """Lines that begin with a border, up to the last that is all border."""
    last = head = at
    for line in range(at + 1, end):
        if not lines[line].startswith(("+", "|"), margin):
            break
        if GRID_TOP.match(lines[line], margin):
            last = line
        elif GRID_HEAD.match(lines[line], margin):
            head = line
    return Table(at, last + 1, head + 1 if head < last else at + 1, 0) if last > at + 1 else None
