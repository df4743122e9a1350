"""What of a section had better stand beside what: a heading, a lead-in or an opening tag with the
beginning of what follows it; a closing tag with the end of what it closes. What a block is made of
and what stays whole by itself is decided elsewhere.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from re import compile as compile_plain
from re import escape
from typing import Final

from chunkwright.characters import WHITE_SPACE
from chunkwright.measuring import Ruler
from chunkwright.types import Block

HEADING: Final = "heading"

LEADS_IN: Final = frozenset(":：")
"""Last characters of a paragraph or a term that belongs to what follows it."""

LEADING_KINDS: Final = frozenset({"item", "paragraph"})

COMMENT: Final = "<!--"

TAG: Final = compile_plain(r"<(/?)([a-zA-Z][\w.-]*)[^<>]*?(/?)>")
VOID: Final = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"]
)
"""Elements of HTML that have no end tag."""

LONGEST_OPENING: Final = 2_000
"""Code points of an HTML block that is looked at for tags left open."""

WORD: Final = compile_plain(f"[^{escape(WHITE_SPACE)}]+")

LONGEST_WORD: Final = 64
"""Code points beyond a reach up to which a word is followed: one that goes on does not fit."""

Bond = tuple[int, int]
"""A stretch of the text that is not to be cut."""


class Bonds:
    """The bonds among the blocks of one section, under one ruler's cap."""

    def __init__(self, ruler: Ruler, blocks: Sequence[Block]) -> None:
        """`blocks` are sorted and nested; those over the cap have their parts among them."""
        self._ruler = ruler
        self._text = ruler.text
        self._blocks = blocks
        self._starts = [block.start for block in blocks]
        self._found: dict[int, Block] = {}
        """Start of a bond -> the bond."""
        self._begin: dict[int, int] = {}
        """End of a bond -> its start; one that has been given up may still be told."""

    def find(self, headings: Sequence[Bond], end: int) -> tuple[list[Block], list[Bond]]:
        """The bonds as blocks, and those of headings that no block leaves room beside: each with
        the first word behind it.

        A heading is where it starts and where what it heads begins.
        """
        leaders = [(start, body, HEADING) for start, body in headings]
        leaders += [
            (block.start, block.end, block.kind) for block in self._blocks if self._leads(block)
        ]
        alone: list[Bond] = []
        for start, after, kind in sorted(leaders, reverse=True):
            if not self._lead(start, after, kind) and kind == HEADING:
                alone += self._with_a_word(start, after, end)
        for before, block in self._closing():
            self._close(before, block)
        return sorted(self._found.values(), key=lambda bond: (bond.start, -bond.end)), alone[::-1]

    def _leads(self, block: Block) -> bool:
        """Whether a block belongs to what follows it."""
        if block.kind in LEADING_KINDS:
            return self._text[block.end - 1] in LEADS_IN
        is_comment = self._text.startswith(COMMENT, block.start)
        return block.kind == "html" and (is_comment or self._left_open(block) > 0)

    def _left_open(self, block: Block) -> int:
        """Elements that an HTML block opens and does not close; less than 0 for the reverse."""
        if block.end - block.start > LONGEST_OPENING:
            return 0
        balance = 0
        for closes, name, closed in TAG.findall(self._text[block.start : block.end]):
            if not closed and name.lower() not in VOID:
                balance += -1 if closes else 1
        return balance

    def _lead(self, start: int, after: int, kind: str) -> bool:
        """Bind text[start:after] to the block behind it, or to the first part of that which fits
        beside it."""
        reached = start
        for at in range(bisect_left(self._starts, after), len(self._blocks)):
            block = self._blocks[at]
            if reached > start and block.start >= reached:
                break
            bond = self._found.get(block.start)
            if bond and self._ruler.fits(start, bond.end):
                self._bind(start, bond.end, block.depth, kind)
                return True
            if self._ruler.fits(start, block.end):
                self._found.pop(block.start, None)
                self._bind(start, block.end, block.depth, kind)
                return True
            reached = block.end
        return False

    def _with_a_word(self, start: int, after: int, end: int) -> Iterator[Bond]:
        """A heading with the first word behind it, where these two fit."""
        near = max(self._ruler.reach(start), after) + LONGEST_WORD
        word = WORD.search(self._text, after, min(end, near))
        if word and self._ruler.fits(start, word.end()):
            yield start, word.end()

    def _closing(self) -> Iterator[tuple[list[Block], Block]]:
        """Every HTML block that closes more than it opens, with the blocks that end before it, the
        innermost first."""
        around: list[Block] = []
        for block in self._blocks:
            ended = []
            while around and around[-1].end <= block.start:
                ended.append(around.pop())
            if ended and block.kind == "html" and self._left_open(block) < 0:
                yield ended, block
            around.append(block)

    def _close(self, before: Sequence[Block], block: Block) -> None:
        """Bind a closing tag to the largest of the blocks before it that fits beside it."""
        for ended in reversed(before):
            start = self._start_of_bond(ended)
            if self._ruler.fits(start, block.end):
                self._bind(start, block.end, ended.depth, block.kind)
                return

    def _start_of_bond(self, block: Block) -> int:
        """Where the bond begins that ends with a block; the block's own start without one."""
        start = self._begin.get(block.end, block.start)
        bond = self._found.get(start)
        return start if bond and bond.end == block.end else block.start

    def _bind(self, start: int, end: int, depth: int, kind: str) -> None:
        self._found[start] = Block(start, end, depth, kind)
        self._begin[end] = start
