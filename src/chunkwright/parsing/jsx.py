"""What is not Markdown in MDX: imports and exports, JSX elements, expressions. Finds them, and
hides them from a parser of Markdown. Headings and blocks of Markdown are not known here.

No parser of MDX can be had from Python; the rules are those of mdxjs.com/docs/what-is-mdx.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from chunkwright.characters import INK, LINE_END, WHITE_SPACE, last_ink
from chunkwright.parsing.headings import MAX_DEPTH, with_indentation
from chunkwright.types import Block, Diagnostic

ELEMENT, EXPRESSION, ESM = "html", "comment", "import"
"""Kinds of what is not Markdown; most expressions that stand alone are comments."""

FILLER = "\u2060"
"""WORD JOINER, in the place of every character of a tag inside a line, white space apart: it is no
mark of Markdown, and shows nowhere."""

LONGEST_CODE_SPAN = 1_000
"""Code points within which a code span ends, if it does."""

WORK = 8
"""Times the length of the text that is gone over, at most, for what turns out not to end."""

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source"}
"""Elements that authors who think of HTML do not close."""

LINE_START = r"(?:(?<=[\r\n\ufeff])|\A)"

TOKEN = re.compile(
    rf"""{LINE_START}(?P<esm>(?:import|export)(?=[\s{{*"']))
       | {LINE_START}[ \t>]*+(?:(?:[-*+]|\d{{1,9}}[.)])[ \t]++)*+
         (?P<fence>`{{3,}}+(?![^\r\n]*+`)|~{{3,}}+)
       | (?P<code>`++)
       | (?P<comment><!--)
       | (?P<tag><(?=[A-Za-z_$/>]))
       | (?P<expression>\{{)
       | \\.""",
    re.VERBOSE | re.ASCII,
)
"""What can hide from Markdown, or from being seen as JSX."""

STATEMENT = re.compile(
    r"""import\s*+(?:["'{*]|[\w$]++\s*+(?:,|\bfrom\b)|type\s++[\w${*])"""
    r"""|export\s*+(?:[{*]|(?:async|class|const|default|enum|function|interface|let|type|var)\b)""",
    re.ASCII,
)
FENCE_END = re.compile(r"(?<=[\r\n])[ \t>]*+(`{3,}+|~{3,}+)[ \t]*+(?=[\r\n]|\Z)")
BACKTICKS = re.compile(r"`++")
BLANK_LINE = re.compile(r"(?:\r\n|\n|\r)[ \t]*+(?=[\r\n])")

NAME = re.compile(
    r"<(?P<closes>/?)(?P<name>[A-Za-z_$][\w$-]*+(?:[.:][A-Za-z_$][\w$-]*+)*+(?=[\s/>{])|(?=>))",
    re.ASCII,
)
ATTRIBUTES = re.compile(
    r"""(?:[\w\s$.:@-]|=\s*+(?:"[^"]*+"|'[^']*+'|(?=[\w{]))|/(?!>))*+""", re.ASCII
)
"""Up to an expression, or the end of a tag."""

JAVASCRIPT = re.compile(
    r"""(?P<gap>(?:\r\n|\n|\r)[ \t]*+(?=[\r\n]|\Z))
      | [(\[{}\])]
      | \\. | (?<!:)//[^\r\n]*+ | /\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)
      | "(?:[^"\\\r\n]|\\.)*+" | '(?:[^'\\\r\n]|\\.)*+' | `(?:[^`\\]|\\.)*+(?:`|\Z)""",
    re.VERBOSE | re.DOTALL,
)
"""Blank lines, brackets, and what hides them. An apostrophe in the text of an element is none of
these where no other follows on its line."""

BRACES = {"{": 1, "}": -1}
BRACKETS = {**dict.fromkeys("([{", 1), **dict.fromkeys(")]}", -1)}

BLANKED = re.compile(
    rf"{LINE_START}(?:(?![\r\n])[{re.escape(WHITE_SPACE)}])*+{FILLER}"
    rf"(?:(?![\r\n])[{FILLER}{re.escape(WHITE_SPACE)}])*+(?=[\r\n]|\Z)"
)
"""A line of which everything is hidden."""


class _Tag(NamedTuple):
    """The start tag of an element."""

    name: str
    start: int
    end: int


class Element(NamedTuple):
    """An element that begins a line."""

    start: int
    content: int
    end: int


class Scanner:
    """Finds what is not Markdown, in one pass over a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._hidden: list[tuple[int, int]] = []
        self._open: list[_Tag] = []
        self._names: Counter[str] = Counter()
        """How often each name is open."""
        self._openings: dict[int, int] = {}
        """End -> start of every start tag that begins a line."""
        self._first = self._block_end = 0
        """Where MDX begins, and where the last import or export ends."""
        self._paragraph_end = 0
        self._left = WORK * len(text)
        self._takers = {
            "code": self._take_code,
            "comment": self._take_comment,
            "esm": self._take_esm,
            "expression": self._take_expression,
            "fence": self._take_fence,
            "tag": self._take_tag,
        }
        self.blocks: list[Block] = []
        self.elements: list[Element] = []

    def scan(self, position: int) -> None:
        """Everything from `position` on."""
        self._first = position
        while self._left >= 0 and (token := TOKEN.search(self._text, position)):
            taker = self._takers.get(token.lastgroup or "")
            position = taker(token) if taker else token.end()

    def complaints(self) -> Iterator[Diagnostic]:
        """Whether the text was left before its end."""
        if self._left < 0:
            message = "JSX was looked for no further: too much of it does not end"
            yield Diagnostic("warning", "input_too_large", message)

    def without_hidden(self) -> str:
        """The text with FILLER for what was found, or spaces where a line holds nothing else."""
        parts: list[str] = []
        reached = 0
        for first, last in self._hidden:
            parts += [
                self._text[reached:first],
                INK.sub(FILLER, self._text[first:last]),
            ]
            reached = last
        filled = "".join([*parts, self._text[reached:]])
        return BLANKED.sub(lambda line: " " * len(line[0]), filled)

    def begin(self, heading: int) -> int:
        """Where the section of a heading begins: with the elements it is first in."""
        before = last_ink(self._text, 0, heading)
        while before is not None and before + 1 in self._openings:
            heading = with_indentation(self._text, self._openings[before + 1])
            before = last_ink(self._text, 0, heading)
        return heading

    # One method for each kind of token: it tells where to go on.

    def _take_fence(self, token: re.Match[str]) -> int:
        marks = token["fence"]
        for line in FENCE_END.finditer(self._text, token.end()):
            if line[1].startswith(marks):
                return line.end()
        return len(self._text)

    def _take_code(self, token: re.Match[str]) -> int:
        limit = min(token.end() + LONGEST_CODE_SPAN, self._end_of_paragraph(token.end()))
        for marks in BACKTICKS.finditer(self._text, token.end(), limit):
            if marks[0] == token[0]:
                return marks.end()
        return token.end()

    def _take_comment(self, token: re.Match[str]) -> int:
        end = self._text.find("-->", token.end())
        return self._failed(token.start(), len(self._text)) if end < 0 else end

    def _take_esm(self, token: re.Match[str]) -> int:
        start = token.start()
        if not STATEMENT.match(self._text, start) or not self._begins_block(start):
            return token.end()
        end = self._block_end = self._esm_end(start)
        self._hidden.append((start, end))
        self.blocks.append(Block(start, end, 0, ESM))
        return end

    def _take_expression(self, token: re.Match[str]) -> int:
        start = token.start()
        is_flow = self._begins_line(start)
        limit = len(self._text) if is_flow else self._end_of_paragraph(start)
        end = self._expression_end(start, limit)
        if end < 0:
            return self._failed(start, limit)
        self._hidden.append((start, end))
        if is_flow:
            self.blocks.append(Block(start, end, len(self._open), EXPRESSION))
        return end

    def _take_tag(self, token: re.Match[str]) -> int:
        start = token.start()
        opening = NAME.match(self._text, start)
        end = self._tag_end(start, opening.end()) if opening else -1
        if not opening or end < 0:
            return token.end()
        self._hidden.append((start, end))
        tag = _Tag(opening["name"], start, end)
        if opening["closes"]:
            self._close(tag)
        elif self._text[end - 2] == "/" or tag.name.lower() in VOID:
            self._add(tag, end)
        else:
            self._open.append(tag)
            self._names[tag.name] += 1
            if self._begins_line(start):
                self._openings[end] = start
        return end

    # Elements.

    def _close(self, tag: _Tag) -> None:
        """An end tag: ends its element and what is open inside; without one it is nothing."""
        while self._names[tag.name]:
            opened = self._open.pop()
            self._names[opened.name] -= 1
            if opened.name == tag.name:
                self._add(opened, tag.end)
                return

    def _add(self, tag: _Tag, end: int) -> None:
        """An element, if it begins a line."""
        if not self._begins_line(tag.start):
            return
        if tag.end < end:
            self.elements.append(Element(tag.start, tag.end, end))
        if len(self._open) < MAX_DEPTH:
            self.blocks.append(Block(tag.start, end, len(self._open), ELEMENT))

    # Ends.

    def _failed(self, start: int, reached: int) -> int:
        """Go on after the first character of what does not end, as long as that does not take
        too much work in all."""
        self._left -= reached - start
        return start + 1

    def _tag_end(self, start: int, position: int) -> int:
        """The end of a tag whose name ends at `position`; -1 where it has none."""
        position = _after_attributes(self._text, position)
        while self._text.startswith("{", position):
            end = self._expression_end(position, len(self._text))
            if end < 0:
                self._failed(start, len(self._text))
                return -1
            position = _after_attributes(self._text, end)
        if self._text.startswith((">", "/>"), position):
            return self._text.index(">", position) + 1
        self._failed(start, position)
        return -1

    def _expression_end(self, start: int, limit: int) -> int:
        """The end of an expression that starts with a brace; -1 where it has none."""
        depth = 0
        for token in JAVASCRIPT.finditer(self._text, start, limit):
            depth += BRACES.get(token[0], 0)
            if not depth:
                return token.end()
        return -1

    def _esm_end(self, start: int) -> int:
        """The blank line after which no bracket is open; the first where some stay open."""
        depth = first = 0
        for token in JAVASCRIPT.finditer(self._text, start):
            depth += BRACKETS.get(token[0], 0)
            if token["gap"] is None:
                continue
            if depth <= 0:
                return token.start()
            first = first or token.start()
        if depth <= 0 or not first:
            return len(self._text)
        self._failed(start, len(self._text))
        return first

    # Lines.

    def _begins_line(self, position: int) -> bool:
        return with_indentation(self._text, position) < position or self._at_line_start(position)

    def _at_line_start(self, position: int) -> bool:
        return position == 0 or self._text[position - 1] in "\r\n"

    def _begins_block(self, position: int) -> bool:
        """Whether the line that starts here continues no paragraph."""
        before = last_ink(self._text, 0, position)
        if before is None or before < self._first or before + 1 == self._block_end:
            return True
        return len(LINE_END.findall(self._text, before + 1, position)) > 1

    def _end_of_paragraph(self, position: int) -> int:
        if self._paragraph_end <= position:
            line = BLANK_LINE.search(self._text, position)
            self._paragraph_end = line.start() if line else len(self._text)
        return self._paragraph_end


def _after_attributes(text: str, position: int) -> int:
    attributes = ATTRIBUTES.match(text, position)
    return attributes.end() if attributes else position
