"""What a checker needs to know of one chunking: what was asked, and the text's own lines, white
space, grapheme clusters and counts, all found without the code under test. No promise is here.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, Protocol

import regex

from chunkwright import Block, Chunk, Chunking, Document

Counter = Callable[[str], int]

EXTRA_VIEWS = {"file_header", "file", "summary"}
BLANK = regex.compile(r"[\p{White_Space}\x1c-\x1f]")
INK = regex.compile(r"[^\p{White_Space}\x1c-\x1f]")
LINE_END = regex.compile(r"\r\n|\r|\n")
CLUSTER = regex.compile(r"\p{GCB=Regional_Indicator}{2}(?=\p{GCB=Regional_Indicator})|\X")
r"""Extended grapheme clusters. `\X` alone looks back at every flag of a row over all before it."""
SPACED_WORD = regex.compile(
    r"[[\p{L}\p{N}_]--[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]]",
    regex.V1,
)
"""A letter of a script that puts spaces between its words."""


class Violation(NamedTuple):
    """A promise that was broken, and where."""

    promise: str
    chunk: int | None
    """Position in the chunking, or None where the whole document is concerned."""
    message: str


def count_graphemes(text: str) -> int:
    return sum(1 for _ in CLUSTER.finditer(text))


def count_lines(text: str) -> int:
    """Physical lines that hold at least one of the text's characters, its line end included."""
    if not text:
        return 0
    ends = [match.end() for match in LINE_END.finditer(text)]
    return len(ends) + (not ends or ends[-1] < len(text))


COUNTERS: dict[str, Counter] = {
    "chars": len,
    "bytes": lambda text: len(text.encode()),
    "graphemes": count_graphemes,
    "lines": count_lines,
}


@dataclass(frozen=True)
class Asked:
    """What was asked of a chunker, in the words of the promises."""

    size: int | None = None
    overlap: int = 0
    count: Counter = len
    """The measure of `size`."""
    overlap_count: Counter | None = None
    """The measure of `overlap`, where it is another one."""
    whole_lines: bool = False
    """The edge rule of Code and Line chunks, not that of Text, Recursive and Markdown."""
    budgeted: bool = False
    parser: str = ""
    """How the parser's name begins, unless a diagnostic says why not."""
    cells: Mapping[int, int] = field(default_factory=dict)
    """Notebook: offset at which each cell begins; lines count from there."""


class Cutter(Protocol):
    """Anything that chunks."""

    def chunk(self, document: Document, blocks: Sequence[Block] | None = None) -> Chunking: ...


class Trial:
    """One chunking, what was asked, and the facts about its text that checkers share."""

    def __init__(self, document: Document, chunking: Chunking, asked: Asked) -> None:
        self.document = document
        self.chunking = chunking
        self.asked = asked
        self.text = chunking.text
        self._counted: dict[tuple[int, int], int] = {}

    @cached_property
    def numbered(self) -> list[tuple[int, Chunk]]:
        return list(enumerate(self.chunking))

    @cached_property
    def ordinary(self) -> list[tuple[int, Chunk]]:
        return [(at, chunk) for at, chunk in self.numbered if chunk.kind not in EXTRA_VIEWS]

    @cached_property
    def codes(self) -> set[str]:
        return {diagnostic.code for diagnostic in self.chunking.diagnostics}

    @cached_property
    def line_ends(self) -> list[int]:
        return [match.end() for match in LINE_END.finditer(self.text)]

    def line(self, position: int) -> int:
        """1-based physical line of the character at `position`."""
        return bisect_right(self.line_ends, position) + 1

    def line_range(self, position: int) -> tuple[int, int]:
        """The line around `position`, without its line end."""
        before = bisect_right(self.line_ends, position)
        start = self.line_ends[before - 1] if before else 0
        end = self.line_ends[before] if before < len(self.line_ends) else len(self.text)
        return start, start + len(self.text[start:end].rstrip("\r\n"))

    @cached_property
    def boundaries(self) -> list[int]:
        return [0, *(match.end() for match in CLUSTER.finditer(self.text))]

    def cluster(self, position: int) -> tuple[int, int]:
        """The grapheme cluster that a cut at `position` would split; empty on a boundary."""
        if self.text.isascii():
            inside = self.text[position - 1 : position + 1] == "\r\n" and position > 0
            return (position - 1, position + 1) if inside else (position, position)
        at = bisect_left(self.boundaries, position)
        if at == len(self.boundaries) or self.boundaries[at] == position:
            return position, position
        return self.boundaries[at - 1], self.boundaries[at]

    def exceeds(self, start: int, end: int) -> bool:
        """Whether this stretch alone is over the cap; counted once, for long lines come again."""
        if (start, end) not in self._counted:
            self._counted[start, end] = self.asked.count(self.text[start:end])
        return self.asked.size is not None and self._counted[start, end] > self.asked.size
