"""Finds the elements of a single-file component (Vue, Svelte, Astro), in one pass over its text.
What is in a script or a style, and what becomes of elements, is not known here.

There is no grammar behind it: tree-sitter's of HTML and Svelte take quadratic time on nested
elements, and one of Vue cannot be had.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final, NamedTuple

from chunkwright.parsing.html import VOID
from chunkwright.parsing.jsx import BRACES, JAVASCRIPT, WORK

SECTIONS: Final = frozenset({"script", "style"})
"""Elements that hold no markup: they end with the first end tag of their name, wherever it is."""

COMMENT: Final = "!--"

TEMPLATE: Final = "template"


class Format(NamedTuple):
    """How components of one kind are written."""

    script: str
    """Language of a script that says nothing of it."""
    expression: str = ""
    """What opens an expression in text, that may hold what looks like a tag."""
    braces: bool = True
    """Whether the value of an attribute may be an expression in braces."""
    raw: bool = False
    """Whether outermost elements hold no markup, templates of HTML apart."""
    fence: bool = False
    """Whether a script between lines of three dashes stands first."""


FORMATS: Final = {
    "astro": Format("typescript", fence=True),
    "svelte": Format("javascript", expression="{"),
    "vue": Format("javascript", expression="{{", braces=False, raw=True),
}

TAG: Final = r"<(?:!--|(?P<closes>/?)(?P<name>[A-Za-z][\w.:-]*+)(?=[\s/>{]))"
MARK: Final = {
    "": re.compile(TAG),
    "{": re.compile(TAG + r"|\{"),
    "{{": re.compile(TAG + r"|\{\{"),
}
END_TAG: Final = re.compile(r"</([A-Za-z][\w.:-]*+)(?=[\s/>])")
SVELTE_BLOCK: Final = re.compile(r"\{\s*+([#/])(\w++)")

QUOTED: Final = r"""=\s*+(?:"[^"]*+"|'[^']*+')?+"""
TO_BRACE: Final = re.compile(rf"""(?:[^>={{]|{QUOTED})*+""")
TO_END: Final = re.compile(rf"""(?:[^>=]|{QUOTED})*+""")
"""Attributes of a tag, up to its end or, in the first, to an expression."""

ATTRIBUTE: Final = re.compile(r"""([^\s/>=]++)(?:\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s>]++))?+""")


class Element:
    """An element, a comment, or a Svelte block: `body` is where its start tag ends, `body_end`
    where its end tag begins. `end` is -1 while it is open."""

    def __init__(self, name: str, start: int, body: int) -> None:
        self.name = name
        self.start = start
        self.body = body
        self.body_end = body
        self.end = -1
        self.attributes: dict[str, str] = {}
        """Those of sections, with names in lower case."""


class Markup:
    """One component being scanned."""

    def __init__(self, text: str, form: Format) -> None:
        self._text = text
        self._form = form
        self._mark = MARK[form.expression]
        self._open: list[Element] = []
        self._names: Counter[str] = Counter()
        """How often each name is open."""
        self._left = WORK * len(text)
        """Code points that may still be gone over for what turns out not to end."""
        self._found: list[Element] = []

    def elements(self, position: int) -> list[Element]:
        """Every element from `position` on that ends, in order. As in a browser, a section or a
        comment without an end is all the rest."""
        while mark := self._mark.search(self._text, position):
            if mark["name"]:
                position = self._tag(mark)
            elif mark[0] == "<!--":
                position = self._comment(mark.start())
            else:
                position = self._expression(mark.start())
        return sorted(self._found, key=_place)

    def _comment(self, start: int) -> int:
        end = self._text.find("-->", start)
        return self._add(Element(COMMENT, start, start), len(self._text) if end < 0 else end + 3)

    def _expression(self, start: int) -> int:
        """Go over an expression in text; what opens or closes a block is like a tag."""
        if self._form.expression == "{{":
            end = self._text.find("}}", start) + 2
        else:
            end = self._after_braces(start)
        if end < 2:
            self._left -= len(self._text) - start
            return start + 1 if self._left > 0 else len(self._text)
        block = SVELTE_BLOCK.match(self._text, start)
        if block is not None and block[1] == "/":
            self._close("#" + block[2], start, end)
        elif block is not None:
            self._enter(Element("#" + block[2], start, end))
        return end

    def _tag(self, mark: re.Match[str]) -> int:
        start, name = mark.start(), mark["name"]
        end = self._tag_end(mark.end())
        if end < 0:
            return mark.end() if self._left > 0 else len(self._text)
        lower = name.lower()
        if mark["closes"]:
            self._close(lower, start, end)
            return end
        element = Element(lower, start, end)
        if name in VOID or self._text.startswith("/>", end - 2):
            return self._add(element, end)
        if lower in SECTIONS or (self._form.raw and not self._open):
            element.attributes = _attributes(self._text[mark.end() : end - 1])
            if lower in SECTIONS or _is_raw(element):
                return self._section(element)
        return self._enter(element)

    def _section(self, element: Element) -> int:
        """An element without markup, up to its end tag."""
        for tag in END_TAG.finditer(self._text, element.body):
            if tag[1].lower() == element.name:
                element.body_end = tag.start()
                end = self._text.find(">", tag.end()) + 1
                return self._add(element, end or len(self._text))
        if element.name in SECTIONS:
            element.body_end = len(self._text)
            return self._add(element, len(self._text))
        self._left -= len(self._text) - element.body
        return self._enter(element) if self._left > 0 else len(self._text)

    def _enter(self, element: Element) -> int:
        self._open.append(element)
        self._names[element.name] += 1
        return element.body

    def _close(self, name: str, body_end: int, end: int) -> None:
        """An end tag: what is open inside its element has none, and is no element."""
        while self._names[name]:
            element = self._open.pop()
            self._names[element.name] -= 1
            if element.name == name:
                element.body_end = body_end
                self._add(element, end)
                return

    def _add(self, element: Element, end: int) -> int:
        element.end = end
        self._found.append(element)
        return end

    def _tag_end(self, position: int) -> int:
        """Where the tag ends whose name ends at `position`; -1 where it does not."""
        to_stop = TO_BRACE if self._form.braces else TO_END
        start = position
        while attributes := to_stop.match(self._text, position):
            position = attributes.end()
            if self._text.startswith(">", position):
                return position + 1
            if position == len(self._text):
                break
            after = self._after_braces(position)
            position = position + 1 if after < 0 else after
        self._left -= position - start
        return -1

    def _after_braces(self, start: int) -> int:
        """Where an expression ends that starts with a brace; -1 where it does not."""
        depth = 0
        if self._left > 0:
            for token in JAVASCRIPT.finditer(self._text, start):
                depth += BRACES.get(token[0], 0)
                if not depth:
                    return token.end()
            self._left -= len(self._text) - start
        return -1


def _place(element: Element) -> tuple[int, int]:
    return element.start, -element.end


def _attributes(tag: str) -> dict[str, str]:
    return {
        name.lower(): value[1:-1] if value[:1] in ("'", '"') else value
        for name, value in ATTRIBUTE.findall(tag)
    }


def _is_raw(element: Element) -> bool:
    return element.name != TEMPLATE or element.attributes.get("lang", "html") != "html"
