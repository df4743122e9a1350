"""Walks a syntax tree for definitions and the statements around them, by the tables of a `Reader`.
Offsets are bytes here; nothing is known of any language.

The walk opens a node only where a definition can be (a word that hints at one stands in it) or
where it is longer than `detail`, so that most of a tree is never touched.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final

from tree_sitter import Node

from chunkwright.parsing.frames import Found, Frame, Meaning, Scope
from chunkwright.parsing.naming import Naming
from chunkwright.parsing.rules import Reader, Rule
from chunkwright.parsing.source_bytes import INDENTATION_BYTES, Hints, SourceBytes, places_of
from chunkwright.parsing.statements import Statements

TYPES: Final = frozenset(
    {"Class", "Contract", "Enum", "Impl", "Interface", "Module", "Struct", "Trait"}
)
"""Symbols whose members are looked at one by one."""

DATA: Final = frozenset({"Constant", "Variable"})
"""Symbols only where they are not local to a function or type."""

METHOD_HOLDERS: Final = TYPES - {"Module"}
"""Types in which a function is a method."""

LOOSE: Final = frozenset({"", "Constant", "Module", "Variable"})
"""Scopes outside functions and types: there loose hints count."""

SHARED: Final = frozenset({"Contract", "Module"})
"""Types whose constants and variables are symbols."""

DEFINITION: Final = "definition"
"""Kind of the block that a definition is without the comments above it."""

CALLED: Final = frozenset({"Event", "Function", "Macro", "Method", "Modifier"})
"""Symbols with code in them, where only hints tell of definitions."""

MAX_SCOPES: Final = 32
"""Definitions nested deeper are not symbols: names grow with depth, and would quadratically."""

CAPITALS: Final = re.compile(r"[^a-z]*[A-Z][^a-z]*")


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
        self._naming = Naming(source, reader)
        self._method_holders = METHOD_HOLDERS | reader.method_holders
        self._types = TYPES | reader.method_holders
        self._detail = detail
        places = places_of(source, reader.hints, reader.hint_patterns)
        self._hints = Hints(places)
        self._loose = Hints(places + places_of(source, (), reader.loose_hints))
        self._found: list[Found] = []
        self._statements = Statements(self._bytes, reader, self._found)

    def run(self, root: Node) -> list[Found]:
        """Go through the tree."""
        scope = Scope("", "", 0, local=False, called=False)
        outermost = Frame(root, scope, True, self._detail, self._reader.tokens)
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
        detailed = node.end_byte - node.start_byte > around.threshold
        frame = Frame(node, scope, detailed, self._detail, self._reader.tokens)
        if detailed and scope.local and scope.kind not in self._types:
            # In what has to be cut, what takes half of a part may have to be cut as well.
            frame.threshold = self._detail // 2
        frame.end = min(frame.end, end)
        return frame

    def _visit(self, frame: Frame, child: Node) -> Frame | None:
        """Note what a child is; give the frame to go through next, if it is to be opened."""
        number: int = child.kind_id
        leads = number in self._leading
        if leads and number not in self._rules:
            self._wait(frame, child, number)
            return None
        if not child.is_named:
            if frame.scope.called or not child.type[:1].isalpha():
                self._release(frame)
            return None
        if child.is_error:
            return self._broken(frame, child)
        if frame.assigned >= 0 and self._documents(frame, child):
            return None
        if frame.scope.called and not self._hints.within(child.start_byte, child.end_byte):
            frame.assigned = -1
            if leads:
                self._wait(frame, child, number)
                return None
            return self._pass(
                frame, child, self._taken(frame, child.start_byte), self._is_kept(number, frame)
            )
        return self._look_at(frame, child, number, leads)

    def _look_at(self, frame: Frame, child: Node, number: int, leads: bool) -> Frame | None:
        """Tell a definition, or a group of them, from a statement."""
        meaning = self._meaning(child, number, frame.kind, frame.scope)
        if meaning is None and leads:
            self._wait(frame, child, number)
            return None
        start = self._taken(frame, child.start_byte)
        inner, group = child, False
        if meaning is None and number in self._wrappers:
            inner, parent, group = self._unwrap(child)
            number = inner.kind_id
            if not group and inner is not child:
                meaning = self._meaning(inner, number, parent, frame.scope)
        frame.assigned = len(self._found) if number in self._reader.documented else -1
        if meaning is not None:
            return self._define(frame, child, inner, meaning, start)
        if frame.rest is not None and number in self._rules and self._rules[number][0].rest:
            self._close_rest(frame, start)
        return self._pass(frame, child, start, group or self._is_kept(child.kind_id, frame))

    def _broken(self, frame: Frame, child: Node) -> Frame:
        """What could not be parsed is gone through as if it were not there."""
        self._release(frame)
        broken = Frame(child, frame.scope, frame.detailed, frame.threshold, True)
        broken.end = min(broken.end, frame.end)
        return broken

    def _is_kept(self, number: int, frame: Frame) -> bool:
        """Whether a node of a kind is looked into whatever is in it."""
        return number in self._reader.opened or (
            number in self._reader.containers and not frame.scope.called
        )

    def _hints_in(self, scope: Scope) -> Hints:
        """What hints at a definition in a scope."""
        return self._loose if scope.kind in LOOSE and not scope.called else self._hints

    def _leave(self, frame: Frame) -> None:
        self._release(frame)
        if frame.rest is not None:
            frame.rest.end = self._bytes.inked(frame.end)

    # Comments wait for what follows them.

    def _wait(self, frame: Frame, child: Node, number: int) -> None:
        start: int = child.start_byte
        end: int = child.end_byte
        if start >= frame.end:
            return
        if self._source[end - 1 : end] == b"\n":
            end -= 1
        comment_end = end if number in self._reader.comments else -1
        if frame.wait_start >= 0 and self._bytes.adjacent(frame.wait_end, start):
            frame.wait_end = end
            frame.commented = max(frame.commented, comment_end)
            return
        self._release(frame)
        if self._bytes.begins_line(start):
            frame.wait_start, frame.wait_end, frame.commented = start, end, comment_end

    def _release(self, frame: Frame) -> None:
        """Comments that nothing follows are a block of their own."""
        if frame.wait_start >= 0 and frame.detailed:
            self._found.append(
                Found(frame.wait_start, frame.wait_end, "comment", frame.scope.depth)
            )
        frame.wait_start = -1

    def _taken(self, frame: Frame, start: int) -> int:
        """Where something begins, with the comments directly above it."""
        if frame.wait_start < 0:
            return start
        if self._bytes.adjacent(frame.wait_end, start):
            start = frame.wait_start
            frame.wait_start = -1
        else:
            self._release(frame)
        return start

    def _documents(self, frame: Frame, child: Node) -> bool:
        """Whether a string says what the assignment right above it is about; it is then its."""
        at = frame.assigned
        if at >= len(self._found) or child.kind_id not in self._reader.docstring:
            return False
        above = self._found[at]
        string = self._reader.documentation
        if string is None or string.follow(child) is None:
            return False
        if frame.wait_start >= 0 or not self._bytes.adjacent(above.end, child.start_byte):
            return False
        text = self._said(child)
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

    def _said(self, statement: Node) -> Node | None:
        path = self._reader.docstring_in
        return None if path is None else path.follow(statement)

    # Definitions.

    def _unwrap(self, node: Node) -> tuple[Node, int, bool]:
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
                elif number == self._reader.opening:
                    opened = True
            if len(inside) > 1 or (inside and opened):
                return node, parent, True
            if not inside:
                break
            parent = node.kind_id
            node = inside[0]
        return node, parent, False

    def _meaning(self, node: Node, number: int, parent: int, scope: Scope) -> Meaning | None:
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

    def _define(
        self, frame: Frame, child: Node, inner: Node, meaning: Meaning, start: int
    ) -> Frame | None:
        last = self._tail(frame, meaning) or child
        end, trailing = self._end(child.start_byte, last)
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
        self._note(frame, child, meaning, names, (start, end))
        for comment in trailing:
            self._wait(frame, comment, comment.kind_id)
        if holds_rest:
            frame.rest, frame.scope = self._found[-1], inside
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
                    self._wait(opened, part, number)
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
        frame.scope = frame.around

    def _note(
        self, frame: Frame, child: Node, meaning: Meaning, names: list[str], span: tuple[int, int]
    ) -> None:
        """Add what was found, or make it part of the neighbour that it is one symbol with."""
        start, end = span
        above = frame.neighbour
        merges = meaning.rule.merge and meaning.kind not in TYPES
        if merges and above is not None and (above.name, above.kind) == (names[0], meaning.kind):
            above.end = end
            return
        depth = frame.scope.depth
        head = self._head(child)
        doc = self._doc(meaning.body, meaning.body_start)
        if doc is None:
            doc = start, max(start, min(frame.commented, child.start_byte))
        body = meaning.body_start
        for name in names:
            self._found.append(Found(start, end, meaning.kind, depth, name, head, body, doc))
        frame.neighbour = self._found[-1] if merges else None
        under = max(frame.commented, start)
        if under > start and end - start > self._detail and meaning.kind not in TYPES:
            # What is under the comments: it may fit a cap that it does not fit with them.
            self._found.append(Found(start, under, "comment", depth + 1))
            while self._source[under : under + 1].isspace():
                under += 1
            self._found.append(Found(under, end, DEFINITION, depth + 1))

    def _end(self, start: int, node: Node) -> tuple[int, list[Node]]:
        """Where a definition ends, without white space and comments below its last statement:
        where blocks are told by indentation a grammar counts them in. And those of the comments
        that begin in its own column, first to last."""
        end = self._bytes.inked(node.end_byte)
        trailing: list[Node] = []
        while end > start and self._may_be_comment(start, end):
            last = node.descendant_for_byte_range(end - 1, end)
            if last is None or last.kind_id not in self._reader.comments:
                break
            comment: int = last.start_byte
            if comment <= start or not self._bytes.begins_line(comment):
                break
            end = self._bytes.inked(comment)
            if last.start_point.column == node.start_point.column:
                trailing.insert(0, last)
        return end, trailing

    def _may_be_comment(self, start: int, end: int) -> bool:
        """Whether the last line of a definition can be a comment below it: not one with a closing
        brace, nor, where blocks are told by indentation, one that begins with a word."""
        if not self._reader.bodies:
            return self._source[end - 1 : end] != b"}"
        line = self._source.rfind(b"\n", start, end) + 1
        return not self._source[line : min(end, line + INDENTATION_BYTES)].lstrip()[:1].isalnum()

    def _head(self, child: Node) -> int:
        """Where a definition's own first line starts, after decorators and attributes that stand
        on lines of their own. (Attributes begin with a mark.)"""
        begin: int = child.start_byte
        if not self._reader.has_attributes or self._source[begin : begin + 1].isalnum():
            return begin
        node = child
        while node.child_count:
            part: Node | None = node.child(0)
            while part is not None and part.kind_id in self._leading:
                after = part.next_sibling or node.next_sibling
                if after is None or not self._bytes.parted(part.end_byte, after.start_byte):
                    break
                part = after
            if part is None:
                break
            node = part
        start: int = node.start_byte
        return start

    def _doc(self, body: Node | None, body_start: int) -> tuple[int, int] | None:
        """The range of the string that documents a definition, where the language has such."""
        if body is None or not body_start or not self._reader.docstring:
            return None
        for at in range(min(3, body.named_child_count)):
            statement = body.named_child(at)
            if statement is None:
                break
            if statement.kind_id in self._reader.comments:
                continue
            if statement.kind_id not in self._reader.docstring:
                return None
            text = self._said(statement)
            return None if text is None else (text.start_byte, text.end_byte)
        return None

    # Everything else.

    def _pass(self, frame: Frame, child: Node, start: int, kept: bool) -> Frame | None:
        """A statement: a block where detail is wanted, opened where something may be in it. `kept`:
        it is looked into, and what is in it stands in the same scope."""
        frame.neighbour = None
        number: int = child.kind_id
        begin: int = child.start_byte
        end: int = min(child.end_byte, frame.end)
        scope = frame.scope
        if frame.detailed and start < end and self._bytes.begins_line(start):
            kind = "import" if number in self._reader.imports else "statement"
            self._found.append(Found(start, end, kind, scope.depth))
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
