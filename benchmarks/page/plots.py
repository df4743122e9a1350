"""The plots of the page: a file for each measure of each frontier. How lines are drawn is
chunkwright.web.plots'.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from benchmarks.facts import Line


def drawn(lines: Sequence[Line]) -> dict[str, str]:
    """File name -> SVG."""
    return {}


def embedded(*of: str) -> str:
    """What shows a plot on the page."""
    return f"![{', '.join(of)}](benchmarks/{file_of(*of)})"


def file_of(*of: str) -> str:
    """The name of a plot's file."""
    return re.sub(r"[^a-z0-9]+", "-", " ".join(of).lower()).strip("-") + ".svg"
