"""Single-file components (Vue, Svelte, Astro) to blocks: those of each script and style, as its own
language has them, and the elements of the markup around. How elements are found is
`component_markup`'s.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec.structs import replace

from chunkwright.characters import LINE_END, Lines, is_whitespace_only, last_ink
from chunkwright.languages import Language, find
from chunkwright.parsing.base import language_name, start
from chunkwright.parsing.component_markup import (
    COMMENT,
    FORMATS,
    SECTIONS,
    Element,
    Format,
    Markup,
)
from chunkwright.parsing.headings import MAX_DEPTH
from chunkwright.parsing.reading import LINES, no_parser, read
from chunkwright.types import Block, Diagnostic, Document, Parsed

PARSER: Final = "components"

FENCED: Final = re.compile(
    r"[\ufeff\s]*+---[ \t]*+(?:\r\n|\n|\r)(?P<script>.*?)(?<=[\r\n])[ \t]*+---[ \t]*+(?=[\r\n]|\Z)",
    re.DOTALL,
)
"""The script that comes first."""


def parse(document: Document, detail: int) -> Parsed:
    """The symbols and statements of every outermost script and style, and the outermost elements
    of the markup; those inside an element only where that is longer than `detail` code points.

    Raises nothing: what does not end is text, or all the rest. A script in a language without a
    grammar gives no blocks and a diagnostic.
    """
    component = _Component(document.text, FORMATS[language_name(document)], detail)
    component.read()
    return start(
        document,
        PARSER,
        blocks=tuple(component.blocks),
        diagnostics=tuple(component.diagnostics),
    )


class _Component:
    """One component being read, from the first element to the last."""

    def __init__(self, text: str, form: Format, detail: int) -> None:
        self._text = text
        self._form = form
        self._detail = detail
        self._lines = Lines(text)
        self._around: list[tuple[int, bool]] = []
        """Where each element ends that is around the next, and whether its inside is described."""
        self.blocks: list[Block] = []
        self.diagnostics: list[Diagnostic] = []

    def read(self) -> None:
        """Fill in blocks and diagnostics."""
        fenced = FENCED.match(self._text) if self._form.fence else None
        if fenced is not None:
            self._read_section(
                fenced.start("script"), fenced.end("script"), find(self._form.script)
            )
        position = fenced.end() if fenced is not None else 0
        for element in Markup(self._text, self._form).elements(position):
            while self._around and self._around[-1][0] <= element.start:
                self._around.pop()
            if self._around or element.name not in SECTIONS or not self._is_read(element):
                self._describe(element)

    def _is_read(self, element: Element) -> bool:
        """Whether a section has blocks of its own, which are then noted."""
        first, last = element.body, element.body_end
        if is_whitespace_only(self._text[first:last]):
            return False
        language = _language(element, self._form)
        if self._read_section(first, last, find(language)):
            return True
        if element.name == "script" and "lang" in element.attributes:
            self._tell(no_parser(language), element.start)
        return False

    def _read_section(self, first: int, last: int, row: Language | None) -> bool:
        if row is None or row.grammar is None:
            return False
        found = read(self._text[first:last], row, self._detail)
        self.blocks += [_moved(block, first) for block in found.blocks]
        for complaint in found.diagnostics:
            self._tell(complaint, first)
        return found.parser != LINES

    def _tell(self, complaint: Diagnostic, position: int) -> None:
        """Add what is said about a section that begins at `position`."""
        line = self._lines.number(position) + max(0, complaint.line - 1)
        self.diagnostics.append(replace(complaint, line=line))

    def _describe(self, element: Element) -> None:
        """An element of the markup, where its line begins with it."""
        depth = len(self._around)
        begin, end = element.start, element.end
        is_shown = depth == 0 or (self._around[-1][1] and depth < MAX_DEPTH)
        is_long = is_shown and end - begin > self._detail
        self._around.append((end, is_long))
        if not is_shown or not self._begins_line(begin):
            return
        kind = "comment" if element.name == COMMENT else "statement"
        self.blocks.append(Block(begin, end, depth, kind))
        if is_long and element.body < end and LINE_END.search(self._text, begin, element.body):
            self.blocks.append(Block(begin, element.body, depth + 1, "statement"))

    def _begins_line(self, position: int) -> bool:
        before = last_ink(self._text, 0, position)
        return before is None or LINE_END.search(self._text, before, position) is not None


def _language(element: Element, form: Format) -> str:
    """What the language of a section is called."""
    said = element.attributes.get("lang") or element.attributes.get("type", "")
    name = said.rpartition("/")[2].lower()
    if name in ("", "module"):
        return form.script if element.name == "script" else "css"
    return name


def _moved(block: Block, by: int) -> Block:
    """A block of a section as one of the whole text."""
    body = block.body + by if block.body else 0
    return replace(block, start=block.start + by, end=block.end + by, body=body)
