"""The section on defaults: what each is, and which results it follows from. What is said there is
made by the measurement `defaults`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from inspect import signature

import chunkwright
from benchmarks.facts import Line
from benchmarks.page.tables import table
from benchmarks.page.words import SECTIONS


def defaults(lines: Sequence[Line]) -> Iterator[str]:
    """A row for each."""
    rows = [
        [f"`{line['option']}`", f"`{line['value']}`", line["because"], _link(line)]
        for line in lines
    ]
    yield table("option | default | because | measured in", rows)


def actual(option: str) -> object:
    """What `CLASS.FIELD`, or `FUNCTION.ARGUMENT`, is unless told otherwise."""
    name, _, field = option.partition(".")
    made = getattr(chunkwright, name)
    if isinstance(made, type):
        return getattr(made(), field)
    return signature(made).parameters[field].default


def _link(line: Line) -> str:
    heading = SECTIONS[line["measured"]].heading
    anchor = "".join(c for c in heading.lower() if c.isalnum() or c in " -").replace(" ", "-")
    return f"[{heading}](#{anchor})"
