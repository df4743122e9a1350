"""The words of the page: page.md, which has a section for each measurement. What is put there comes
from the other rooms.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

WORDS = (Path(__file__).parent / "page.md").read_text(encoding="utf-8")

PLACE = re.compile(r"(?m)^## (.+)\n\n(.+)\n\n\{([a-z ]+)\}$")
"""The heading of a section, what is asked, and the measurement that is put there."""

PARTS = PLACE.split(WORDS)


class Words(NamedTuple):
    """What a section says besides its results."""

    heading: str
    asked: str
    remark: str
    """Below the results; "" where there is nothing to say."""


SECTIONS = {
    what: Words(heading, asked, remark.strip())
    for heading, asked, what, remark in zip(*(PARTS[at::4] for at in (1, 2, 3, 4)), strict=True)
}
"""Measurement -> its words, in the order of the page."""


def head(**facts: object) -> str:
    """What the page says before its first section."""
    return PARTS[0].rstrip().format(**facts)


def heading(what: str, of: str) -> str:
    """Of a part of a section: headings of one page differ."""
    return f"### {SECTIONS[what].heading.rpartition(': ')[2].capitalize()}: {of}"
