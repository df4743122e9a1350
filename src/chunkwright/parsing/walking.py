"""Walks a syntax tree for definitions and the statements around them, by the tables of a `Reader`.
Offsets are bytes here; nothing is known of any language.

The walk opens a node only where a definition can be (a word that hints at one stands in it) or
where it is longer than `detail`, so that most of a tree is never touched.
"""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from chunkwright.parsing.definitions import Definitions
from chunkwright.parsing.extents import Extents
from chunkwright.parsing.frames import Found, Frame, Meaning, Scope
from chunkwright.parsing.rules import Reader
from chunkwright.parsing.source_bytes import Hints, SourceBytes, places_of
from chunkwright.parsing.statements import Statements
from chunkwright.parsing.waiting import Waiting
from chunkwright.types import DEFINITION, TYPE_KINDS

LOOSE: Final = frozenset({"", "Constant", "Module", "Variable"})
"""Scopes outside functions and types: there loose hints count."""

SHARED: Final = frozenset({"Contract", "Module"})
"""Types whose constants and variables are symbols."""

ERROR: Final = 0xFFFF
"""What tree-sitter numbers nodes that could not be parsed."""

CALLED: Final = frozenset({"Event", "Function", "Macro", "Method", "Modifier"})
"""Symbols with code in them, where only hints tell of definitions."""


def walk(root: Node, source: bytes, reader: Reader, detail: int) -> list[Found]:
    """Every definition, and statements, imports and comments inside whatever is longer than
    `detail` bytes; sorted by start, properly nested."""
    return _Walk(source, reader, detail).run(root)


class _Walk:
    """One walk over one tree, with an explicit stack: trees are as deep as their source likes."""

    def __init__(self, source: bytes, reader: Reader, detail: int) -> None:
        self._source = source
        self._bytes = SourceBytes(source)
        self._reader = reader
        self._rules = reader.rules
        self._leading = reader.leading
        self._wrappers = reader.wrappers
        self._types = TYPE_KINDS | reader.method_holders
        self._detail = detail
        places = places_of(source, reader.hints, reader.hint_patterns)
        self._hints = Hints(places)
        self._loose = Hints(places + places_of(source, (), reader.loose_hints))
        self._found: list[Found] = []
        self._definitions = Definitions(self._bytes, reader, self._hints)
        self._extents = Extents(self._bytes, reader)
        self._waiting = Waiting(self._bytes, reader, self._found)
        self._statements = Statements(
            self._bytes, reader, self._found, self._extents, self._waiting
        )

    def run(self, root: Node) -> list[Found]:
        """Go through the tree."""
        scope = Scope("", "", 0, local=False, called=False)
        end: int = root.end_byte
        children = self._children(root)
        outermost = Frame(children, root.kind_id, scope, True, self._detail, end)
        stack = [outermost]
        while stack:
            frame = stack[-1]
            if frame.next == len(frame.children):
                self._leave(frame)
                stack.pop()
                continue
            child = frame.children[frame.next]
            frame.next += 1
            opened = self._visit(frame, child)
            if opened is not None:
                stack.append(opened)
        return self._found

    def _frame(self, around: Frame, node: Node, scope: Scope, end: int) -> Frame:
        node_end: int = node.end_byte
        detailed = node_end - node.start_byte > around.threshold
        end = min(node_end, end)
        frame = Frame(self._children(node), node.kind_id, scope, detailed, self._detail, end)
        if detailed and scope.local and scope.kind not in self._types:
            # In what has to be cut, what takes half of a part may have to be cut as well.
            frame.threshold = self._detail // 2
        return frame

    def _children(self, node: Node) -> list[Node]:
        children: list[Node] = node.children if self._reader.tokens else node.named_children
        return children

    def _visit(self, frame: Frame, child: Node) -> Frame | None:
        """Note what a child is; give the frame to go through next, if it is to be opened."""
        number: int = child.kind_id
        leads = number in self._leading
        if leads and number not in self._rules:
            self._waiting.wait(frame, child)
            return None
        if number in self._reader.token_kinds:
            if frame.scope.called or not child.type[:1].isalpha():
                self._waiting.release(frame)
            return None
        if number == ERROR:
            return self._broken(frame, child)
        if frame.assigned >= 0 and self._documents(frame, child):
            return None
        begin: int = child.start_byte
        if not frame.scope.called or self._hints.within(begin, child.end_byte):
            return self._look_at(frame, child, number, begin, leads)
        frame.assigned = -1
        if leads:
            self._waiting.wait(frame, child)
            return None
        start = self._waiting.taken(frame, begin)
        return self._pass(frame, child, number, start, self._is_kept(number, frame))

    def _look_at(
        self, frame: Frame, child: Node, number: int, begin: int, leads: bool
    ) -> Frame | None:
        """Tell a definition, or a group of them, from a statement."""
        meaning = self._definitions.meaning(child, number, frame.kind, frame.scope)
        if meaning is None and leads:
            self._waiting.wait(frame, child)
            return None
        start = self._waiting.taken(frame, begin)
        outer, inner, group = number, child, False
        if meaning is None and number in self._wrappers:
            inner, parent, group = self._definitions.unwrap(child)
            number = inner.kind_id
            if not group and inner is not child:
                meaning = self._definitions.meaning(inner, number, parent, frame.scope)
        frame.assigned = len(self._found) if number in self._reader.documented else -1
        if meaning is not None:
            return self._define(frame, child, inner, meaning, (start, begin))
        if frame.rest is not None and number in self._rules and self._rules[number][0].rest:
            self._close_rest(frame, start)
        return self._pass(frame, child, outer, start, group or self._is_kept(outer, frame))

    def _broken(self, frame: Frame, child: Node) -> Frame:
        """What could not be parsed is gone through as if it were not there."""
        self._waiting.release(frame)
        end = min(child.end_byte, frame.end)
        return Frame(child.children, ERROR, frame.scope, frame.detailed, frame.threshold, end)

    def _is_kept(self, number: int, frame: Frame) -> bool:
        """Whether a node of a kind is looked into whatever is in it."""
        return number in self._reader.opened or (
            number in self._reader.containers and not frame.scope.called
        )

    def _hints_in(self, scope: Scope) -> Hints:
        """What hints at a definition in a scope."""
        return self._loose if scope.kind in LOOSE and not scope.called else self._hints

    def _leave(self, frame: Frame) -> None:
        self._waiting.release(frame)
        if frame.rest is not None:
            frame.rest.end = self._bytes.inked(frame.end)

    def _documents(self, frame: Frame, child: Node) -> bool:
        """Whether a string says what the assignment right above it is about; it is then its."""
        at = frame.assigned
        if at >= len(self._found) or frame.wait_start >= 0:
            return False
        above = self._found[at]
        if not self._extents.documents(child, above.end):
            return False
        text = self._extents.said(child)
        start, depth = above.start, above.depth
        while at < len(self._found) and self._found[at].start == start:
            one = self._found[at]
            if one.depth != depth:
                break
            if one.name and text is not None:
                one.doc_start, one.doc_end = text.start_byte, text.end_byte
            one.end = child.end_byte
            at += 1
        return True

    # Definitions.

    def _define(
        self,
        frame: Frame,
        child: Node,
        inner: Node,
        meaning: Meaning,
        places: tuple[int, int],
    ) -> Frame | None:
        start, begin = places
        last = self._tail(frame, meaning) or child
        end, trailing = self._extents.end(begin, last)
        holds_rest = meaning.rule.rest and not meaning.body_start
        if holds_rest:
            self._close_rest(frame, start)
        scope = frame.scope
        names = meaning.names
        if scope.name and not meaning.rule.free:
            names = [f"{scope.name}.{name}" for name in names]
        inside = Scope(
            names[0],
            meaning.kind,
            scope.depth + 1,
            local=meaning.kind not in SHARED,
            called=meaning.kind in CALLED,
        )
        self._note(frame, child, meaning, names, (start, begin, end))
        for comment in trailing:
            self._waiting.wait(frame, comment)
        if holds_rest:
            frame.rest = self._found[-1]
            frame.enter(inside)
            return None
        return self._look_into(frame, inner, meaning, inside, end)

    def _look_into(
        self, frame: Frame, inner: Node, meaning: Meaning, inside: Scope, end: int
    ) -> Frame | None:
        """What is in a definition: a frame where there can be others, else its statements."""
        if meaning.body is None:
            return None
        begin = meaning.body_start or inner.start_byte
        if meaning.kind not in self._types and not self._hints_in(inside).within(begin, end):
            if end - begin > frame.threshold:
                body, half = meaning.body, self._detail // 2
                self._statements.describe(body, inside.depth, end, half)
            return None
        opened = self._frame(frame, meaning.body, inside, end)
        if opened.kind in self._reader.bodies:
            for part in inner.children:
                number: int = part.kind_id
                if number in self._leading and part.end_byte <= meaning.body_start:
                    self._waiting.wait(opened, part)
        return opened

    def _tail(self, frame: Frame, meaning: Meaning) -> Node | None:
        """The last of what stands beside its signature, such as a body; it is taken with it."""
        last: Node | None = None
        while meaning.rule.tail and frame.next < len(frame.children):
            part = frame.children[frame.next]
            if part.kind_id not in meaning.rule.tail:
                break
            frame.next += 1
            if part.is_named and not meaning.body_start:
                start: int = part.start_byte
                meaning.body = part
                meaning.body_start = start + (self._source[start : start + 1] == b"{")
            last = part
        return last

    def _close_rest(self, frame: Frame, start: int) -> None:
        """A definition that holds what follows it is over where the next such one begins."""
        if frame.rest is not None:
            frame.rest.end = self._bytes.inked(start)
            frame.rest = None
        frame.enter(frame.around)

    def _note(
        self,
        frame: Frame,
        child: Node,
        meaning: Meaning,
        names: list[str],
        places: tuple[int, int, int],
    ) -> None:
        """Add what was found, or make it part of the neighbour that it is one symbol with.
        `places`: where it starts, with comments and without, and where it ends."""
        start, begin, end = places
        above = frame.neighbour
        merges = meaning.rule.merge and meaning.kind not in TYPE_KINDS
        if merges and above is not None and (above.name, above.kind) == (names[0], meaning.kind):
            above.end = end
            return
        depth = frame.scope.depth
        head = self._extents.head(child, begin)
        doc = self._extents.doc(meaning.body, meaning.body_start)
        if doc is None:
            doc = start, max(start, min(frame.commented, begin))
        body = meaning.body_start
        for name in names:
            self._found.append(Found(start, end, meaning.kind, depth, name, head, body, doc))
        frame.neighbour = self._found[-1] if merges else None
        under = max(frame.commented, start)
        if under > start and end - start > self._detail and meaning.kind not in TYPE_KINDS:
            # What is under the comments: it may fit a cap that it does not fit with them.
            self._found.append(Found(start, under, "comment", depth + 1))
            while self._source[under : under + 1].isspace():
                under += 1
            self._found.append(Found(under, end, DEFINITION, depth + 1))

    # Everything else.

    def _pass(self, frame: Frame, child: Node, number: int, start: int, kept: bool) -> Frame | None:
        """A statement: a block where detail is wanted, opened where something may be in it. `kept`:
        it is looked into, and what is in it stands in the same scope."""
        frame.neighbour = None
        begin: int = child.start_byte
        end: int = min(child.end_byte, frame.end)
        scope = frame.scope
        if frame.detailed and start < end and self._bytes.begins_line(start):
            kind = "import" if number in self._reader.imports else "statement"
            inked = max(start + 1, self._bytes.inked(end))
            self._found.append(Found(start, inked, kind, scope.depth))
        if not (kept or self._hints_in(scope).within(begin, end)):
            if end - begin > frame.threshold:
                half = self._detail // 2
                self._statements.describe(child, scope.depth, frame.end, half)
            return None
        if number in self._reader.functions:
            scope = Scope(scope.name, scope.kind, scope.depth, local=True, called=True)
        elif number in self._reader.opened:
            scope = Scope(scope.name, scope.kind, scope.depth, local=True, called=False)
        elif not kept and not scope.local:
            scope = Scope(scope.name, scope.kind, scope.depth, local=True, called=scope.called)
        opened = self._frame(frame, child, scope, frame.end)
        if start < begin and number in self._reader.bodies:
            opened.wait_start, opened.wait_end = start, frame.wait_end
            opened.commented = frame.commented
        return opened
