"""Reads a broken source anew, from one definition to the next, so that one syntax error does not
swallow the intact definitions around it. Sound stretches are not touched.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

from tree_sitter import Node, TreeCursor

from chunkwright.parsing.frames import Found
from chunkwright.parsing.members import read_apart, read_members
from chunkwright.parsing.rules import Reader
from chunkwright.parsing.source_bytes import pieces
from chunkwright.parsing.walking import walk

Stretch = tuple[int, int]

TEXTS: Final = ("comment", "string", "heredoc_body", "heredoc_content")
"""Words in the kinds of nodes that are no code."""

MODULE: Final = "Module"
"""Kind of the symbols by which what stands in a container is named."""

DIRECTIVE: Final = b"#"
"""What a macro's definition begins with: it has the same name in every module."""


def walk_broken(root: Node, source: bytes, reader: Reader, detail: int) -> list[Found]:
    """Like `walk`, for a tree with errors: stretches that hold an error, outermost or in a
    container, are parsed again, piece by piece, which counts where more is found that way."""
    found = walk(root, source, reader, detail)
    merged: list[Found] = []
    modules: list[Found] = []
    reached = 0
    for (start, end), places in _beginnings(root, source, reader):
        low = bisect_left(found, start, reached, key=_start_of)
        high = bisect_left(found, end, low, key=_start_of)
        sound, before = found[reached:low], found[low:high]
        anew = [
            one.moved(first)
            for first, last in pieces(source, start, end, places)
            for one in _walk_piece(source[first:last], reader, detail)
        ]
        modules += [one for one in sound if one.kind == MODULE]
        while modules and modules[-1].end < end:
            modules.pop()
        merged += sound
        if _worth(anew, source) < _worth(before, source):
            merged += before
        else:
            merged += _inside(modules[-1], anew, source) if modules else anew
        reached = high
    return _nested(merged + found[reached:])


def _inside(module: Found, found: list[Found], source: bytes) -> list[Found]:
    """What was read apart, as part of the module that it stands in."""
    for one in found:
        one.depth += module.depth + 1
        if one.name and source[one.head : one.head + 1] != DIRECTIVE:
            one.name = f"{module.name}.{one.name}"
    return found


def _nested(found: list[Found]) -> list[Found]:
    """What was read apart, with nothing partly in another: of two that cross, a statement is over
    where the later one begins, and the later one of two definitions where the earlier one is."""
    kept: list[Found] = []
    around: list[Found] = []
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        while around and (
            around[-1].end <= one.start or (one.end > around[-1].end and not around[-1].name)
        ):
            last = around.pop()
            last.end = min(last.end, one.start)
        if around and one.end > around[-1].end:
            if not one.name:
                continue
            one.end = around[-1].end
        kept.append(one)
        around.append(one)
    return [one for one in kept if one.end > one.start]


def _start_of(one: Found) -> int:
    return one.start


def _worth(found: list[Found], source: bytes) -> tuple[int, int, int]:
    """More names are better, but for those that swallow what begins in their own column; then
    fewer that nothing is around; then more, whatever swallows them."""
    names = outermost = every = 0
    around: list[tuple[int, int]] = []
    for one in found:
        if not one.name:
            continue
        column = one.start - source.rfind(b"\n", 0, one.start)
        while around and around[-1][0] <= one.start:
            around.pop()
        names += not around or around[-1][1] < column
        outermost += not around
        every += 1
        around.append((one.end, column))
    return names, -outermost, every


def _broken_stretches(root: Node, reader: Reader) -> list[Stretch]:
    """Where a tree is broken, from the first place to the last. A container that is closed is
    looked into: what is sound in it stays as it is."""
    found: list[Stretch] = []
    waiting = [root]
    while waiting:
        around = waiting.pop()
        if around.is_error:  # its children are loose tokens without errors of their own
            found.append((around.start_byte, around.end_byte))
        else:
            found += _stretches_in(around, reader, waiting)
    found.sort(key=lambda stretch: (stretch[0], -stretch[1]))
    reached = -1
    apart = []
    for stretch in found:
        if stretch[1] > reached:
            apart.append(stretch)
            reached = stretch[1]
    return apart


def _stretches_in(around: Node, reader: Reader, containers: list[Node]) -> Iterator[Stretch]:
    """Runs of broken nodes, up to the next sound one that begins a line. Containers are noted."""
    start = comments = -1
    reached = 0
    children = around.children
    margin = _margin(around)
    for number, node in enumerate(children):
        broken = node.has_error
        if broken and node.kind_id in reader.containers and _is_closed(node):
            containers.append(node)
            broken = False
        if start >= 0 and not broken and node.start_point.column <= margin:
            reached = node.start_byte
            yield start, reached
            start = -1
        if start < 0 and broken:
            start = comments if comments >= 0 else max(reached, _opening(children, number, margin))
        if node.kind_id not in reader.leading:
            comments = -1
        elif comments < 0:
            comments = node.start_byte
    if start >= 0:
        yield start, around.end_byte


def _margin(around: Node) -> int:
    """The column in which what stands in a node begins, outermost the first."""
    if around.parent is None:
        return 0
    return min((one.start_point.column for one in around.named_children), default=0)


def _is_closed(node: Node) -> bool:
    """Whether a container ends where it seems to: none of its brackets was made up."""
    return not any(one.is_missing for one in node.children)


def _opening(children: list[Node], number: int, margin: int) -> int:
    """Where a broken node begins, or what it is left over from: behind a bracket too many, members
    of a type stand beside it, indented."""
    at = number
    if at and children[at - 1].start_point.column > margin:
        at -= 1
    while at and children[at].start_point.column > margin:
        at -= 1
    start: int = children[at].start_byte
    return start


def _beginnings(root: Node, source: bytes, reader: Reader) -> Iterator[tuple[Stretch, list[int]]]:
    """Each broken stretch, and where in it a line begins a definition."""
    stretches = _broken_stretches(root, reader)
    starts = reader.starts
    found = [
        [match.start() for match in starts.finditer(source, *stretch)] if starts else []
        for stretch in stretches
    ]
    texts = _in_text(root, [place for places in found for place in places], reader)
    for stretch, places in zip(stretches, found, strict=True):
        yield stretch, [place for place in places if not next(texts)]


def _in_text(root: Node, positions: list[int], reader: Reader) -> Iterator[bool]:
    """For each position, in order, whether it lies in a comment or a string. One way through the
    tree for all of them."""
    cursor = root.walk()
    end = root.end_byte
    spent = -1
    for position in positions:
        node, spent = _go_to(cursor, position, spent)
        # What reaches to the very end is not closed: it is a string that was broken.
        yield (
            node is not None
            and node.start_byte <= position
            and node.end_byte < end
            and _is_text(node, reader)
        )


def _go_to(cursor: TreeCursor, position: int, spent: int) -> tuple[Node | None, int]:
    """Go forward to the innermost node at a position. `spent` is the id of the node whose children
    all lie behind; so is the second answer."""
    while True:
        node = cursor.node
        if node is None:
            return None, spent
        if node.end_byte > position:
            inside = node.start_byte <= position and node.id != spent
            if not (inside and cursor.goto_first_child()):
                return node, spent
        elif not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return node, spent
            above = cursor.node
            spent = -1 if above is None else above.id


def _is_text(node: Node, reader: Reader) -> bool:
    kind: str = node.type
    return node.kind_id in reader.comments or any(word in kind for word in TEXTS)


def _walk_piece(piece: bytes, reader: Reader, detail: int) -> list[Found]:
    """What a piece defines, or its members, where there are more when they are read one by one."""
    shift = len(reader.preamble)
    walked, is_sound = read_apart(reader.preamble + piece, reader, detail)
    found = [one.moved(-shift) for one in walked if one.start >= shift]
    if is_sound:
        return found
    members = read_members(piece, reader, detail)
    return members if _worth(members, piece) >= _worth(found, piece) else found
