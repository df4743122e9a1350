"""The section on defaults: what each is, and which results it follows from. The values are asked of
chunkwright itself; why is said by saved lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import chunkwright
from benchmarks.facts import Line
from benchmarks.page.tables import table
from benchmarks.page.words import SECTIONS


def defaults(lines: Sequence[Line]) -> Iterator[str]:
    """A row for each."""
    rows = [
        [f"`{line['option']}`", f"`{actual(line['option'])!r}`", line["because"], _link(line)]
        for line in lines
    ]
    yield table("option | default | because | measured in", rows)


def actual(option: str) -> object:
    """What `CLASS.FIELD` is unless told otherwise."""
    name, _, field = option.partition(".")
    return getattr(getattr(chunkwright, name)(), field)


def _link(line: Line) -> str:
    heading = SECTIONS[line["measured"]].heading
    anchor = "".join(c for c in heading.lower() if c.isalnum() or c in " -").replace(" ", "-")
    return f"[{heading}](#{anchor})"
