"""What a node defines, by its language's rules, and which node in a wrapper that is."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final

from tree_sitter import Node

from chunkwright.parsing.frames import Meaning, Scope
from chunkwright.parsing.naming import Naming
from chunkwright.parsing.rules import Reader, Rule
from chunkwright.parsing.source_bytes import Hints, SourceBytes
from chunkwright.types import TYPE_KINDS

DATA: Final = frozenset({"Constant", "Variable"})
"""Symbols only where they are not local to a function or type."""

METHOD_HOLDERS: Final = TYPE_KINDS - {"Module"}
"""Types in which a function is a method."""

MAX_SCOPES: Final = 32
"""Definitions nested deeper are not symbols: names grow with depth, and would quadratically."""

CAPITALS: Final = re.compile(r"[^a-z]*[A-Z][^a-z]*")


class Definitions:
    """Tells definitions in one source from other nodes."""

    def __init__(self, source: SourceBytes, reader: Reader, hints: Hints) -> None:
        self._bytes = source
        self._source = source.source
        self._rules = reader.rules
        self._wrappers = reader.wrappers
        self._opening = reader.opening
        self._naming = Naming(source.source, reader)
        self._method_holders = METHOD_HOLDERS | reader.method_holders
        self._hints = hints

    def unwrap(self, node: Node) -> tuple[Node, int, bool]:
        """The definition a wrapper is about, what it stands directly in, and whether the wrapper
        is a group of several instead."""
        parent: int = node.kind_id
        while node.kind_id in self._wrappers:
            inside: list[Node] = []
            opened = False
            for child in node.children:
                number: int = child.kind_id
                if number in self._rules or number in self._wrappers:
                    inside.append(child)
                elif number == self._opening:
                    opened = True
            if len(inside) > 1 or (inside and opened):
                return node, parent, True
            if not inside:
                break
            parent = node.kind_id
            node = inside[0]
        return node, parent, False

    def meaning(self, node: Node, number: int, parent: int, scope: Scope) -> Meaning | None:
        """What kind of symbol a node is, under which names; None where it is none."""
        rules = self._rules.get(number)
        if rules is not None and scope.depth < MAX_SCOPES:
            for rule in rules:
                meaning = self._meaning_by(node, rule, parent, scope)
                if meaning is not None:
                    return meaning
        return None

    def _meaning_by(self, node: Node, rule: Rule, parent: int, scope: Scope) -> Meaning | None:
        if (rule.within and parent not in rule.within) or (rule.outermost and scope.depth):
            return None
        kind = self._naming.kind(node, rule)
        if not kind or (kind in DATA and scope.local and (scope.called or not rule.free)):
            return None
        body, body_start = self._naming.body(node, rule)
        names = self._naming.names(node, rule, several=rule.several or not body_start)
        if kind in DATA:
            names = [name for name in names if name != "_"]
        if not names:
            return None
        if kind == "Function" and not rule.free and scope.kind in self._method_holders:
            kind = "Method"
        if rule.upper and kind in DATA and CAPITALS.fullmatch(names[0]):
            kind = rule.upper
        if node.has_error and self._swallows(node, body_start):
            return None
        return Meaning(rule, kind, names, body, body_start)

    def _swallows(self, node: Node, body_start: int) -> bool:
        """Whether a broken signature runs on over the beginning of another definition."""
        start = node.start_byte
        head_end = body_start or node.end_byte
        first_line = self._source.find(b"\n", start, head_end)
        if first_line < 0:
            return False
        places = self._hints.places
        hints = places[bisect_left(places, first_line) : bisect_left(places, head_end)]
        return any(self._bytes.begins_line(hint) for hint in hints)
