"""Paths through a syntax tree, as data files write them: `declarator*.name|value.{`, `^.<-const`.
Names are looked up in the grammar once, when a path is made.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tree_sitter import Language as Tongue
from tree_sitter import Node

STEP, OTHER, REPEATED, EACH, UP, FIRST, BEFORE = ".", "|", "*", "+", "^", "<", "<-"

FEW_BEFORE: Final = 4
"""Siblings looked back over: each costs a look at all of them."""

DEEPEST_SEARCH: Final = 500
"""Nodes looked at for one that a path's end holds: names stand near the beginning."""


class Step:
    """One step: the fields and kinds of children it may take, in order of preference."""

    def __init__(self, text: str, tongue: Tongue) -> None:
        self.up = text == UP
        self.before = text.startswith(BEFORE) and text != BEFORE
        self.first = text.startswith(FIRST) and text != FIRST and not self.before
        self.repeated = text.endswith(REPEATED) and text != REPEATED
        self.each = text.endswith(EACH) and text != EACH
        begin = len(BEFORE) if self.before else len(FIRST) if self.first else 0
        names = text[begin:-1] if self.repeated or self.each else text[begin:]
        self._ways: list[tuple[int, frozenset[int]]] = [
            (tongue.field_id_for_name(name) or 0, numbers_of_any(tongue, [name]))
            for name in names.split(OTHER)
        ]
        one = len(self._ways) == 1 and not self._ways[0][1] and not begin
        self._field = self._ways[0][0] if one else 0
        """The field, where the step is that alone."""

    def take(self, node: Node) -> Node | None:
        """The child that the step leads to."""
        return node.child_by_field_id(self._field) if self._field else self._take_any(node)

    def _take_any(self, node: Node) -> Node | None:
        if self.up:
            return node.parent
        if self.first:
            return self._first(node)
        if self.before:
            return self._before(node)
        for field, kinds in self._ways:
            if field:
                child = node.child_by_field_id(field)
                if child is not None:
                    return child
            if kinds:
                for child in node.children:
                    if child.kind_id in kinds:
                        return child
        return None

    def _first(self, node: Node) -> Node | None:
        """The first named child, if it is of the kinds."""
        child = node.named_child(0) if node.named_child_count else None
        if child is not None and any(child.kind_id in kinds for _, kinds in self._ways):
            return child
        return None

    def _before(self, node: Node) -> Node | None:
        """The nearest sibling before that is of the kinds."""
        sibling = node.prev_sibling
        for _ in range(FEW_BEFORE):
            if sibling is None or any(sibling.kind_id in kinds for _, kinds in self._ways):
                return sibling
            sibling = sibling.prev_sibling
        return None

    def take_all(self, node: Node) -> list[Node]:
        """Every child that it could lead to: the named ones of the first field or kind that is
        there, or else its tokens."""
        if self.up:
            return [] if node.parent is None else [node.parent]
        if self.first or self.before:
            child = self.take(node)
            return [] if child is None else [child]
        for field, kinds in self._ways:
            found = node.children_by_field_id(field) if field else []
            if not found and kinds:
                found = [child for child in node.children if child.kind_id in kinds]
            if found:
                return [child for child in found if child.is_named] or found[:1]
        return []

    def take_fields(self, node: Node) -> list[Node]:
        """Every named child of the first field that is there; else the child that `take` gives, or,
        where each is asked for, every child of the kinds."""
        if self.each:
            kinds = frozenset(kind for _, way in self._ways for kind in way)
            return [child for child in node.children if child.kind_id in kinds]
        for field, _ in self._ways:
            found = node.children_by_field_id(field) if field else []
            named = [child for child in found if child.is_named]
            if named:
                return named
        child = self.take(node)
        return [] if child is None else [child]


class Path:
    """A path from a node to one below it."""

    def __init__(self, text: str, tongue: Tongue) -> None:
        self._steps = [Step(step, tongue) for step in text.split(STEP)]
        first = self._steps[0]
        self._single = first if len(self._steps) == 1 and not first.repeated else None
        self.last_is_brace = text.endswith("{")

    def follow(self, node: Node) -> Node | None:
        """The first node at an end of the path; None where a step is missing."""
        return self._follow(node, 0) if self._single is None else self._single.take(node)

    def _follow(self, node: Node, at: int) -> Node | None:
        if at == len(self._steps):
            return node
        step = self._steps[at]
        if step.repeated:
            return self._follow(_furthest(step, node), at + 1)
        if at + 1 == len(self._steps):
            return step.take(node)
        for child in step.take_all(node):
            found = self._follow(child, at + 1)
            if found is not None:
                return found
        return None

    def follow_all(self, node: Node) -> list[Node]:
        """The nodes at the ends of the path: all that share its fields, the first of a kind."""
        found = [node]
        for step in self._steps:
            if step.repeated:
                found = [_furthest(step, parent) for parent in found]
            else:
                found = [child for parent in found for child in step.take_fields(parent)]
        return found

    def above(self, node: Node) -> Node | None:
        """The node that the last step starts from."""
        found: Node | None = node
        for step in self._steps[:-1]:
            found = None if found is None else step.take(found)
        return found


def _furthest(step: Step, node: Node) -> Node:
    """Where a step leads that is taken as often as it can be."""
    child = step.take(node)
    while child is not None:
        node = child
        child = step.take(node)
    return node


def search(node: Node, kinds: frozenset[int]) -> Node | None:
    """The first node of one of the kinds in a tree, outer before inner and left before right."""
    waiting = [node]
    looked_at = 0
    while waiting and looked_at < DEEPEST_SEARCH:
        found = waiting.pop()
        if found.kind_id in kinds:
            return found
        looked_at += 1
        waiting += reversed(found.named_children)
    return None


def numbers(tongue: Tongue, names: Iterable[str]) -> frozenset[int]:
    """Numbers of the kinds of nodes that this version of the grammar has."""
    found = (tongue.id_for_node_kind(name, True) for name in names)
    return frozenset(number for number in found if number is not None)


def numbers_of_any(tongue: Tongue, names: Iterable[str]) -> frozenset[int]:
    """Like `numbers`, and those of tokens: `{`, `interface`."""
    wanted = list(names)
    found = (tongue.id_for_node_kind(name, False) for name in wanted)
    return numbers(tongue, wanted) | {number for number in found if number is not None}
