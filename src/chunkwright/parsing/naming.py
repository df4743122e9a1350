"""What a definition's node says of itself: its kind, its names, its body. Where definitions are,
and what they stand in, is not known here.
"""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Node

from chunkwright.parsing.node_paths import Path, search
from chunkwright.parsing.rules import Reader, Rule

NAME_BYTES: Final = 200
"""Where a name is cut."""

NO_NAME: Final = re.compile(r"[\s(){};,]")
"""What is in no name, but for those of operators and those in quotes."""

OPERATOR: Final = re.compile(r"(?:^|\.)(?:operator|assignment)\b")
"""Begins names that may hold a blank and brackets: `operator bool`, `operator()`."""

MAKE_VARIABLE: Final = re.compile(r"\$\(\w+\)|\$\{\w+\}")

WORDS_MEET: Final = re.compile(r"\w{2}")

BRACKETED: Final = re.compile(r"\[[\"'`](.*)[\"'`]\]")
"""A name that is computed from a string: `["size"]`."""

QUOTES: Final = "\"'`"


class Naming:
    """Reads nodes of one source by the meanings of its language."""

    def __init__(self, source: bytes, reader: Reader) -> None:
        self._source = source
        self._drop = reader.drop
        self._dots = reader.dots
        self._erase = reader.erase
        self._any_name = reader.any_name
        self._plain = not (reader.drop or reader.dots or reader.erase)

    def kind(self, node: Node, rule: Rule) -> str:
        """The symbol kind of a node; empty where its words or its shape make it none."""
        if rule.word:
            kind = rule.kind_by_word(node, self._text)
            if kind is not None:
                return kind
        return rule.kind_by_shape(node)

    def names(self, node: Node, rule: Rule, *, several: bool) -> list[str]:
        """Its names: `several`, where it may name several things."""
        if rule.name_join:
            joined = self._joined(node, rule)
            return [self._clean(joined)] if joined else [rule.unnamed] if rule.unnamed else []
        nodes: list[Node] = []
        names: list[str] = []
        for path in rule.name:
            nodes = self._name_nodes(node, rule, path, several)
            names = [name for named in nodes if (name := self._name(named))]
            if names:
                break
        if not names:
            return [rule.unnamed] if rule.unnamed and not nodes else []
        if rule.owner:
            owner = self._owner(node, rule, nodes[0].start_byte)
            return [f"{owner}.{name}" for name in names] if owner else names
        for path in rule.also:
            other = path.follow(node)
            if other is None or (rule.name_kinds and other.kind_id not in rule.name_kinds):
                continue
            name = self._name(other)
            if name and name not in names:
                names.append(name)
        return names

    def _name_nodes(self, node: Node, rule: Rule, path: Path, several: bool) -> list[Node]:
        if several:
            nodes = path.follow_all(node)
        else:
            end = path.follow(node)
            nodes = [] if end is None else [end]
        if not rule.name_kinds:
            return nodes
        if rule.name_search:
            return [found for part in nodes if (found := search(part, rule.name_kinds)) is not None]
        if rule.name_lists:
            nodes = _listed(nodes, rule)
        return [part for part in nodes if part.kind_id in rule.name_kinds]

    def _joined(self, node: Node, rule: Rule) -> str:
        """Its parts with the joint between them; a blank, where words would run together."""
        name = ""
        for child in node.children:
            if child.kind_id in rule.name_join:
                part = self._text(child).strip(QUOTES)
                joint = rule.joint if name else ""
                if name and not joint and WORDS_MEET.fullmatch(name[-1] + part[:1]):
                    joint = " "
                name += joint + part
        return name

    def _text(self, node: Node) -> str:
        start: int = node.start_byte
        raw = self._source[start : min(node.end_byte, start + NAME_BYTES)]
        return raw.decode("utf-8", "ignore")

    def _name(self, node: Node) -> str:
        """The name that a node is; empty where it is none."""
        text = self._text(node)
        name = self._clean(text)
        if name.isidentifier() or NO_NAME.search(name) is None:
            return name
        if self._any_name:
            return name.replace("\n", " ")
        if text[:1] in QUOTES or OPERATOR.search(name):
            return "" if "\n" in name else name
        if "$" in name and NO_NAME.search(MAKE_VARIABLE.sub("", name)) is None:
            return name
        return ""

    def _clean(self, name: str) -> str:
        """A name as people write it: without quotes, brackets and `module.exports.`."""
        first = name[:1]
        if first == "[" and (computed := BRACKETED.fullmatch(name)) is not None:
            name = computed[1]
        elif first in QUOTES:
            name = name.strip(first) or name
        if self._plain:
            return name
        if self._erase is not None:
            before = ""
            while before != name:
                before, name = name, self._erase.sub("", name)
        for text in self._dots:
            name = name.replace(text, ".")
        for prefix in self._drop:
            name = name.removeprefix(prefix)
        return name

    def _owner(self, node: Node, rule: Rule, name_start: int) -> str:
        """The type that a receiver names, before the name: `T` in `(t *T[K, V])`."""
        for path in rule.owner:
            receiver = path.follow(node)
            found = None if receiver is None else search(receiver, rule.owner_kinds)
            if found is not None and found.start_byte < name_start:
                return self._clean(self._text(found))
        return ""

    def body(self, node: Node, rule: Rule) -> tuple[Node | None, int]:
        """What to look into for members, and where the signature is over."""
        for path in rule.body:
            body = path.follow(node)
            if body is not None:
                start = body.start_byte
                braced = self._source[start : start + 1] == b"{"
                inside = path.above(node) if path.last_is_brace else body
                return inside, start + 1 if braced else start
        signature = None if rule.signature is None else rule.signature.follow(node)
        return node, 0 if signature is None else signature.end_byte


def _listed(nodes: list[Node], rule: Rule) -> list[Node]:
    """Nodes, and instead of those that are lists what is in them."""
    found: list[Node] = []
    waiting = nodes[::-1]
    while waiting:
        node = waiting.pop()
        if node.kind_id in rule.name_lists:
            waiting += reversed(node.named_children)
        else:
            found.append(node)
    return found
