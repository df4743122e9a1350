"""What a definition's node says of itself: its kind, its names, its body. Where definitions are,
and what they stand in, is not known here.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from chunkwright.parsing.grammars import ANY, Definition, Meanings, follow

NAME_BYTES = 200
"""Where a name is cut."""

NO_NAME = re.compile(r"[\s(){};,]")


class Naming:
    """Reads nodes of one source by the meanings of its language."""

    def __init__(self, source: bytes, meanings: Meanings) -> None:
        self._source = source
        self._meanings = meanings

    def names(self, node: Node, definition: Definition) -> list[str]:
        """Its names: several where a specification names several things."""
        nodes = _name_nodes(node, definition.name) if definition.name else []
        allowed = definition.name_kinds
        names = [self._clean(n) for n in nodes if not allowed or n.type in allowed]
        names = [name for name in names if name and not NO_NAME.search(name)]
        owner = self._owner(node, definition)
        if not names and definition.unnamed and not nodes:
            return [definition.unnamed]
        return [f"{owner}.{name}" for name in names] if owner else names

    def _clean(self, node: Node) -> str:
        """A name as people write it: without quotes, brackets and `module.exports.`."""
        raw = self._source[node.start_byte : min(node.end_byte, node.start_byte + NAME_BYTES)]
        name = raw.decode("utf-8", "ignore").strip("\"'`[]")
        for prefix in self._meanings.drop:
            name = name.removeprefix(prefix)
        for text in self._meanings.dots:
            name = name.replace(text, ".")
        return name

    def _owner(self, node: Node, definition: Definition) -> str:
        """The type that a receiver names: `T` in `(t *T[K, V])`."""
        if not definition.owner:
            return ""
        stack = [found] if (found := follow(node, definition.owner)) else []
        while stack:
            at = stack.pop()
            if at.type == definition.owner_kind:
                return self._clean(at)
            stack.extend(reversed(at.named_children))
        return ""

    def body(self, node: Node, definition: Definition) -> tuple[Node | None, int]:
        """What to look into for members, and where the signature is over."""
        for path in definition.body:
            above, _, last = path.rpartition(".")
            body = follow(node, path)
            if body is not None:
                braced = self._source[body.start_byte : body.start_byte + 1] == b"{"
                inside = follow(node, above) if last == "{" else body
                return inside, body.start_byte + braced
        return node, 0


def kind_of(node: Node, definition: Definition) -> str:
    """The symbol kind of a node, by the table; empty where its shape makes it none."""
    if not definition.shape:
        return definition.kind
    shape = follow(node, definition.shape)
    by_shape = definition.shapes.get(shape.type) if shape else None
    return by_shape or definition.shapes.get(ANY) or definition.kind


def _name_nodes(node: Node, path: str) -> list[Node]:
    """The nodes of a name: several where a specification names several things."""
    named = [name for name in node.children_by_field_name(path) if name.is_named]
    found = None if named else follow(node, path)
    return [found] if found else named
