"""Where chunks begin and end: inside a word, inside a sentence or a line, or where something ends.
What there is to begin and end at is in `structure`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from chunkwright.characters import INK, LINE_END, last_ink
from chunkwright.chunking.breaks import can_be_cut_anywhere
from chunkwright.chunking.sentences import last_sentence_end
from chunkwright.evaluation.structure import Structure
from chunkwright.types import Chunk

LOOK_BACK = 16
"""Code points before an edge in which a sentence's last mark and what closes behind it are."""


def edges(cut: Sequence[tuple[Structure, Sequence[Chunk]]]) -> dict[str, float]:
    """The shares of chunks, 0 to 1, that begin and that end inside a word or inside a sentence.

    An edge is inside a word where letters, digits or underscores stand on both sides of it and the
    script has spaces. It is inside a sentence unless a sentence ends there, a blank line or the
    text's end follows, or a heading, paragraph, item or any other block begins or ends there; of
    source code, and in fences and tables, a line is what counts for a sentence. White space at an
    edge belongs to neither side. What is inside a word is inside a sentence too.
    """
    found = [
        (
            is_inside_word(structure.text, chunk.start),
            borders.is_inside_sentence(chunk.start),
            is_inside_word(structure.text, chunk.end),
            borders.is_inside_sentence(chunk.end),
        )
        for structure, chunks in cut
        for borders in (Borders(structure),)
        for chunk in chunks
    ]
    names = (
        "begins_inside_word",
        "begins_inside_sentence",
        "ends_inside_word",
        "ends_inside_sentence",
    )
    columns = zip(*found, strict=True) if found else [()] * len(names)
    return {
        name: sum(column) / max(len(column), 1) for name, column in zip(names, columns, strict=True)
    }


def is_inside_word(text: str, position: int) -> bool:
    """Whether a word goes through the place."""
    if not 0 < position < len(text) or can_be_cut_anywhere(text, position):
        return False
    return _is_of_word(text[position - 1]) and _is_of_word(text[position])


class Borders:
    """Where one document can be cut without tearing a sentence."""

    def __init__(self, structure: Structure) -> None:
        self._text = structure.text
        self._starts = {thing.start for thing in structure.things}
        self._ends = {thing.end for thing in structure.things}
        self._lined = structure.lined
        self._lined_starts = [start for start, _ in structure.lined]

    def is_inside_sentence(self, position: int) -> bool:
        """Whether a sentence, or a line where these count, goes through the place."""
        following = INK.search(self._text, position)
        before = last_ink(self._text, 0, position)
        if following is None or before is None:
            return False
        left, right = before + 1, following.start()
        if left in self._ends or right in self._starts:
            return False
        lines = len(LINE_END.findall(self._text, left, right))
        if self._is_lined(position):
            return lines == 0
        return lines < 2 and not self._ends_sentence(left)

    def _is_lined(self, position: int) -> bool:
        at = bisect_right(self._lined_starts, position) - 1
        return at >= 0 and position <= self._lined[at][1]

    def _ends_sentence(self, left: int) -> bool:
        return last_sentence_end(self._text, max(0, left - LOOK_BACK), left) == left


def _is_of_word(character: str) -> bool:
    return character.isalnum() or character == "_"
