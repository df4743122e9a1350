"""MDX to blocks: those of Markdown, and imports, exports, JSX elements and expressions kept whole.
A heading begins a section inside an element too, which then gives way to it. What is not Markdown
is found in `jsx`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from chunkwright.characters import INK, Lines
from chunkwright.parsing import frontmatter, markdown
from chunkwright.parsing.headings import SECTION, Heading, with_indentation, with_sections
from chunkwright.parsing.jsx import ELEMENT, ESM, EXPRESSION, FILLER, Element, Scanner
from chunkwright.types import Block, Document, Parsed

OWN_KINDS = frozenset({ELEMENT, EXPRESSION, ESM})

FENCE_MARK = re.compile(r"[ \t>]*+(?:```|~~~)")
INDENTED = re.compile(r"(\r\n|\n|\r)([ \t]++)(?=[^\r\n])")


def parse(document: Document) -> Parsed:
    """The sections and blocks of an MDX document, its front matter included. Raises nothing."""
    text = document.text
    front = frontmatter.find(text)
    scanner = Scanner(text)
    scanner.scan(front.end if front else int(text.startswith(frontmatter.BYTE_ORDER_MARK)))
    hidden = _dedented(scanner.without_hidden(), scanner.elements)
    parsed = markdown.parse(replace(document, text=hidden))
    found = [*_in_source(text, parsed.blocks)]
    headings = [
        Heading(scanner.begin(block.start), block.body, block.depth, block.name, block.info)
        for block in found
        if block.kind == SECTION
    ]
    others = [block for block in found if block.kind != SECTION]
    blocks = _nested([*scanner.blocks, *others])
    return replace(
        parsed,
        text=text,
        blocks=with_sections(headings, blocks, len(text)),
        links=tuple(link for link in parsed.links if FILLER not in "".join(link)),
        diagnostics=(*parsed.diagnostics, *scanner.complaints()),
    )


def _dedented(text: str, elements: Iterable[Element]) -> str:
    """`text` with lines inside elements indented as their outermost element is, offsets kept: the
    line's end moves instead. Four spaces make no code in MDX."""
    indentation = _Indentation(text, elements)

    def dedented(line: re.Match[str]) -> str:
        surplus = indentation.surplus(line.end(), len(line[2]))
        return line[2][:surplus] + line[1] + line[2][surplus:]

    return INDENTED.sub(dedented, text)


class _Indentation:
    """How far lines are indented for the elements they are in; asked for one after another."""

    def __init__(self, text: str, elements: Iterable[Element]) -> None:
        self._text = text
        self._waiting = sorted(elements, reverse=True)
        self._open: list[Element] = []
        self._first: list[int] = []
        """Indentation of the first line in each element that is open."""
        self._outer = 0
        """Indentation of the outermost."""

    def surplus(self, position: int, indentation: int) -> int:
        """How much of the indentation of the line whose text starts at `position` is too much."""
        while self._waiting and self._waiting[-1].content <= position:
            self._leave(self._waiting[-1].start)
            self._enter(self._waiting.pop(), indentation)
        self._leave(position)
        if not self._open:
            return 0
        return max(0, min(indentation, self._first[-1]) - self._outer)

    def _enter(self, element: Element, indentation: int) -> None:
        if not self._open:
            self._outer = element.start - with_indentation(self._text, element.start)
        self._open.append(element)
        self._first.append(indentation)

    def _leave(self, position: int) -> None:
        while self._open and self._open[-1].end <= position:
            self._open.pop()
            self._first.pop()


def _in_source(text: str, blocks: Sequence[Block]) -> Iterator[Block]:
    """Blocks of what the parser of Markdown was given, as they stand in `text`: whole lines where
    they were, and no indented code, which MDX does not know."""
    lines = Lines(text)
    for block in blocks:
        if INK.search(text, block.start, block.end) is None:
            continue
        start = with_indentation(text, block.start)
        body = block.body if block.body in (0, len(text)) else lines.start_of(block.body)
        name = " ".join(block.name.replace(FILLER, "").split())
        kind = block.kind
        if kind == "fence" and not FENCE_MARK.match(text, block.start):
            kind, body = "paragraph", 0
        yield replace(block, start=start, kind=kind, name=name, body=body)


def _nested(blocks: Iterable[Block]) -> list[Block]:
    """Blocks without those of Markdown that are partly in an element or another of MDX."""
    kept: list[Block] = []
    crossing: set[int] = set()
    around: list[int] = []
    for block in sorted(blocks, key=lambda block: (block.start, -block.end)):
        while around and kept[around[-1]].end <= block.start:
            around.pop()
        if block.kind in OWN_KINDS:
            while around and kept[around[-1]].end < block.end:
                crossing.add(around.pop())
        if not around or block.end <= kept[around[-1]].end:
            around.append(len(kept))
            kept.append(block)
    return [block for at, block in enumerate(kept) if at not in crossing]
