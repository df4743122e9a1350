"""Walks a syntax tree for definitions and the statements around them, by the tables of a `Reader`.
Offsets are bytes here; nothing is known of any language.

The walk opens a node only where a definition can be (a word that hints at one stands in it) or
where it is longer than `detail`, so that most of a tree is never touched.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

import msgspec
from tree_sitter import Node

from chunkwright.parsing.grammars import Definition, Reader, follow
from chunkwright.parsing.naming import Naming, kind_of

TYPES = frozenset({"Class", "Contract", "Enum", "Impl", "Interface", "Module", "Struct", "Trait"})
"""Symbols whose members are looked at one by one."""

DATA = frozenset({"Constant", "Variable"})
"""Symbols only where they are not local to a function or type."""

METHOD_HOLDERS = TYPES - {"Module"}
"""Types in which a function is a method."""

LOOSE = frozenset({"", "Constant", "Module", "Variable"})
"""Scopes outside functions and types: there loose hints count."""

SHARED = frozenset({"Contract", "Module"})
"""Types whose constants and variables are symbols."""

MAX_SCOPES = 32
"""Definitions nested deeper are not symbols: names grow with depth, and would quadratically."""

INDENTATION_BYTES = 400
"""How far back the start of a line is looked for."""

CAPITALS = re.compile(r"[^a-z]*[A-Z][^a-z]*")
WORD_BYTE = re.compile(rb"[0-9A-Za-z_]")


class Found(msgspec.Struct):
    """A block in bytes. `head` is where its signature starts; `doc` is a range of text."""

    start: int
    end: int
    kind: str
    depth: int = 0
    name: str = ""
    head: int = 0
    body: int = 0
    doc: tuple[int, int] = (0, 0)


class _Scope(msgspec.Struct):
    """What a definition is inside of."""

    name: str = ""
    kind: str = ""
    depth: int = 0
    local: bool = False
    """Inside a function or a type, or in a block of its own: no constants or variables."""


class _Frame:
    """A node being gone through, child by child, and the comments waiting for what follows."""

    __slots__ = (
        "assigned",
        "children",
        "commented",
        "detailed",
        "kind",
        "next",
        "scope",
        "wait_end",
        "wait_start",
    )

    def __init__(self, node: Node, scope: _Scope, detailed: bool) -> None:
        self.children = node.children
        self.kind = node.type
        self.next = 0
        self.scope = scope
        self.detailed = detailed
        self.wait_start = self.wait_end = self.commented = -1
        """What waits; `commented` is where its last comment ends."""
        self.assigned = -1
        """Number of the block that an assignment just became; -1 after anything else."""


class _Meaning(msgspec.Struct):
    """What a definition turned out to be."""

    kind: str
    names: list[str]
    body: Node | None
    """What to look into for members."""
    body_start: int
    """After the signature, and after the brace; 0 where there is no body."""


def walk(root: Node, source: bytes, reader: Reader, detail: int) -> list[Found]:
    """Every definition, and statements, imports and comments inside whatever is longer than
    `detail` bytes; sorted by start, properly nested."""
    return _Walk(source, reader, detail).run(root)


class _Walk:
    """One walk over one tree, with an explicit stack: trees are as deep as their source likes."""

    def __init__(self, source: bytes, reader: Reader, detail: int) -> None:
        self._source = source
        self._reader = reader
        self._naming = Naming(source, reader.meanings)
        self._detail = detail
        self._hints = sorted(at for hint in reader.hints for at in _places(source, hint))
        self._loose = self._hints
        if reader.loose_hints:
            more = [match.start() for match in reader.loose_hints.finditer(source)]
            self._loose = sorted(self._hints + more)
        self._found: list[Found] = []

    def run(self, root: Node) -> list[Found]:
        outermost = self._frame(root, _Scope())
        outermost.detailed = True
        stack = [outermost]
        while stack:
            frame = stack[-1]
            if frame.next == len(frame.children):
                self._release(frame)
                stack.pop()
                continue
            child = frame.children[frame.next]
            frame.next += 1
            opened = self._visit(frame, child)
            if opened is not None:
                stack.append(opened)
        return self._found

    def _frame(self, node: Node, scope: _Scope) -> _Frame:
        return _Frame(node, scope, node.end_byte - node.start_byte > self._detail)

    def _visit(self, frame: _Frame, child: Node) -> _Frame | None:
        """Note what a child is; give the frame to go through next, if it is to be opened."""
        if child.kind_id in self._reader.leading:
            self._wait(frame, child)
            return None
        if not child.is_named:
            self._release(frame)
            return None
        if child.is_error:
            self._release(frame)
            return _Frame(child, frame.scope, frame.detailed)
        if self._documents(frame, child):
            return None
        start = self._taken(frame, child.start_byte)
        inner, parent, group = self._unwrap(child, frame.kind)
        frame.assigned = len(self._found) if inner.kind_id in self._reader.documented else -1
        if not group:
            definition = self._reader.definitions.get(inner.kind_id)
            meaning = definition and self._meaning(inner, definition, parent, frame.scope)
            if meaning:
                return self._define(frame, child, inner, meaning, start)
        return self._pass(frame, child, start, group)

    # Comments wait for what follows them.

    def _wait(self, frame: _Frame, child: Node) -> None:
        start, end = child.byte_range
        if self._source[end - 1 : end] == b"\n":
            end -= 1
        comment_end = end if child.kind_id in self._reader.comments else -1
        if frame.wait_start >= 0 and self._adjacent(frame.wait_end, start):
            frame.wait_end = end
            frame.commented = max(frame.commented, comment_end)
            return
        self._release(frame)
        if self._begins_line(start):
            frame.wait_start, frame.wait_end, frame.commented = start, end, comment_end

    def _release(self, frame: _Frame) -> None:
        """Comments that nothing follows are a block of their own."""
        if frame.wait_start >= 0 and frame.detailed:
            self._found.append(
                Found(frame.wait_start, frame.wait_end, "comment", frame.scope.depth)
            )
        frame.wait_start = -1

    def _taken(self, frame: _Frame, start: int) -> int:
        """Where something begins, with the comments directly above it."""
        if frame.wait_start < 0:
            return start
        if self._adjacent(frame.wait_end, start):
            start = frame.wait_start
            frame.wait_start = -1
        else:
            self._release(frame)
        return start

    def _adjacent(self, end: int, start: int) -> bool:
        return self._source.count(b"\n", end, start) < 2

    def _begins_line(self, position: int) -> bool:
        window = self._source[max(0, position - INDENTATION_BYTES) : position]
        _, newline, before = window.rpartition(b"\n")
        return (bool(newline) or position <= INDENTATION_BYTES) and not before.strip()

    def _documents(self, frame: _Frame, child: Node) -> bool:
        """Whether a string says what the assignment right above it is about; it is then its."""
        if frame.assigned != len(self._found) - 1 or frame.assigned < 0:
            return False
        above = self._found[-1]
        first, _, rest = self._reader.meanings.docstring.partition(".")
        is_string = child.type == first and follow(child, rest.partition(".")[0]) is not None
        if not is_string or not self._adjacent(above.end, child.start_byte):
            return False
        if frame.wait_start >= 0:
            return False
        if above.name and (text := follow(child, rest)) is not None:
            above.doc = text.byte_range
        above.end = child.end_byte
        return True

    # Definitions.

    def _unwrap(self, node: Node, parent: str) -> tuple[Node, str, bool]:
        """The definition a wrapper is about, what it stands directly in, and whether the wrapper
        is a group of several instead."""
        reader = self._reader
        while node.kind_id in reader.wrappers:
            kinds = [child.kind_id for child in node.children]
            inside = [
                child
                for child, kind in zip(node.children, kinds, strict=True)
                if kind in reader.definitions or kind in reader.wrappers
            ]
            if len(inside) > 1 or (inside and reader.opening in kinds):
                return node, parent, True
            if not inside:
                break
            node, parent = inside[0], node.type
        return node, parent, False

    def _meaning(
        self, node: Node, definition: Definition, parent: str, scope: _Scope
    ) -> _Meaning | None:
        """What kind of symbol a node is, under which names; None where it is none."""
        if definition.within and parent not in definition.within:
            return None
        if scope.depth >= MAX_SCOPES or (definition.outermost and scope.depth):
            return None
        kind = kind_of(node, definition)
        names = self._naming.names(node, definition) if kind else []
        if not names or (kind in DATA and (scope.local or names == ["_"])):
            return None
        if kind == "Function" and scope.kind in METHOD_HOLDERS:
            kind = "Method"
        if definition.upper and kind in DATA and CAPITALS.fullmatch(names[0]):
            kind = definition.upper
        body, body_start = self._naming.body(node, definition)
        if node.has_error and self._swallows(node, body_start):
            return None
        return _Meaning(kind, names, body, body_start)

    def _swallows(self, node: Node, body_start: int) -> bool:
        """Whether a broken signature runs on over the beginning of another definition."""
        start = node.start_byte
        head_end = body_start or node.end_byte
        first_line = self._source.find(b"\n", start, head_end)
        if first_line < 0:
            return False
        at = bisect_left(self._hints, first_line)
        hints = self._hints[at : bisect_left(self._hints, head_end)]
        return any(self._begins_line(hint) for hint in hints)

    def _define(
        self, frame: _Frame, child: Node, inner: Node, meaning: _Meaning, start: int
    ) -> _Frame | None:
        scope = frame.scope
        names = [f"{scope.name}.{name}" if scope.name else name for name in meaning.names]
        head = self._head(child)
        comments = (start, max(start, min(frame.commented, child.start_byte)))
        doc = self._doc(meaning.body, meaning.body_start) or comments
        end = self._end(child)
        for name in names:
            self._found.append(
                Found(start, end, meaning.kind, scope.depth, name, head, meaning.body_start, doc)
            )
        if start < child.start_byte and end - start > self._detail and meaning.kind not in TYPES:
            # What is under the comments: it may fit a cap that it does not fit with them.
            self._found.append(Found(start, frame.wait_end, "comment", scope.depth + 1))
            self._found.append(Found(child.start_byte, end, "statement", scope.depth + 1))
        if meaning.body is None or not self._is_opened(meaning, inner):
            return None
        local = meaning.kind not in SHARED
        inside = _Scope(names[0], meaning.kind, scope.depth + 1, local)
        opened = self._frame(meaning.body, inside)
        if meaning.body.kind_id in self._reader.bodies:
            for part in inner.children:
                if part.kind_id in self._reader.comments and part.end_byte <= meaning.body_start:
                    self._wait(opened, part)
        return opened

    def _end(self, child: Node) -> int:
        """Where a definition ends, without white space and comments below its last statement:
        where blocks are told by indentation a grammar counts them in."""
        end = self._inked(child.end_byte)
        while end > child.start_byte:
            last = child.descendant_for_byte_range(end - 1, end)
            if last is None or last.kind_id not in self._reader.comments:
                break
            if not self._begins_line(last.start_byte) or last.start_byte <= child.start_byte:
                break
            end = self._inked(last.start_byte)
        return end

    def _inked(self, end: int) -> int:
        """`end`, moved back over white space."""
        while self._source[end - 1 : end].isspace():
            end -= 1
        return end

    def _is_opened(self, meaning: _Meaning, inner: Node) -> bool:
        start, end = meaning.body_start or inner.start_byte, inner.end_byte
        if meaning.kind in TYPES or end - start > self._detail:
            return True
        return self._hinted(start, end, meaning.kind)

    def _head(self, child: Node) -> int:
        """Where a definition's own first line starts, after decorators and attributes."""
        node = child
        while True:
            first = next(
                (part for part in node.children if part.kind_id not in self._reader.leading),
                node,
            )
            if first.kind_id not in self._reader.wrappers or first.id == node.id:
                return first.start_byte
            node = first

    def _doc(self, body: Node | None, body_start: int) -> tuple[int, int] | None:
        """The range of the string that documents a definition, where the language has such."""
        path = self._reader.meanings.docstring
        if not path or body is None or not body_start or not body.named_child_count:
            return None
        first, _, rest = path.partition(".")
        statement = next(
            (n for n in body.named_children[:3] if n.kind_id not in self._reader.comments), None
        )
        if statement is None or statement.type != first:
            return None
        text = follow(statement, rest)
        return text.byte_range if text is not None else None

    # Everything else.

    def _pass(self, frame: _Frame, child: Node, start: int, group: bool) -> _Frame | None:
        """A statement: a block where detail is wanted, opened where something may be in it."""
        kind = "import" if child.kind_id in self._reader.imports else "statement"
        end = child.end_byte
        if frame.detailed and start < end and self._begins_line(start):
            self._found.append(Found(start, end, kind, frame.scope.depth))
        scope = frame.scope
        long = end - child.start_byte > self._detail
        if not (group or long or self._hinted(child.start_byte, end, scope.kind)):
            return None
        if not group and not scope.local:
            scope = _Scope(scope.name, scope.kind, scope.depth, local=True)
        opened = self._frame(child, scope)
        if start < child.start_byte and child.kind_id in self._reader.bodies:
            opened.wait_start, opened.wait_end = start, frame.wait_end
            opened.commented = frame.commented
        return opened

    def _hinted(self, start: int, end: int, scope: str) -> bool:
        """Whether a definition can stand in source[start:end], inside a scope of that kind."""
        hints = self._loose if scope in LOOSE else self._hints
        at = bisect_left(hints, start)
        return at < len(hints) and hints[at] < end


def _places(source: bytes, hint: bytes) -> Iterator[int]:
    """Where a hint stands as a whole word, or anywhere if it is none (`=>`)."""
    is_word, length = hint.isalpha(), len(hint)
    at = source.find(hint)
    while at >= 0:
        around = source[max(0, at - 1) : at] + source[at + length : at + length + 1]
        if not is_word or not WORD_BYTE.search(around):
            yield at
        at = source.find(hint, at + length)
