"""What a walk through a syntax tree holds in its hands: what it found, the node it goes through,
what that stands in. Offsets are bytes here.
"""

from __future__ import annotations

from tree_sitter import Node

from chunkwright.parsing.rules import Rule


class Found:
    """A block in bytes: `head` is where its signature starts, `body` where that is over (0 without
    one), `doc_start` and `doc_end` hold what documents it."""

    def __init__(
        self,
        start: int,
        end: int,
        kind: str,
        depth: int,
        name: str = "",
        head: int = 0,
        body: int = 0,
        doc: tuple[int, int] = (0, 0),
    ) -> None:
        self.start = start
        self.end = end
        self.kind = kind
        self.depth = depth
        self.name = name
        self.head = head
        self.body = body
        self.doc_start, self.doc_end = doc

    def moved(self, by: int) -> Found:
        """The same, as many bytes further on."""
        self.start += by
        self.end += by
        if self.name:
            self.head += by
            self.body += by if self.body else 0
            self.doc_start += by
            self.doc_end += by
        return self


class Scope:
    """What a definition is inside of. `local`: inside a function or a type, or in a block of its
    own, where there are no constants or variables."""

    def __init__(self, name: str, kind: str, depth: int, local: bool, called: bool) -> None:
        self.name = name
        self.kind = kind
        self.depth = depth
        self.local = local
        self.called = called
        """Inside a function."""


class Waits:
    """What waits for what follows it, in a node that ends at `end`, or whose definition does:
    comments behind that are not in it. `commented` is where the last comment of it ends. Where a
    node is `detailed`, comments that nothing follows are blocks, `depth` deep in definitions."""

    def __init__(self, end: int, depth: int, detailed: bool) -> None:
        self.end = end
        self.depth = depth
        self.detailed = detailed
        self.wait_start = -1
        self.wait_end = -1
        self.commented = -1


class Frame(Waits):
    """A node being gone through, child by child. What is longer than `threshold` bytes is
    described inside."""

    def __init__(
        self,
        children: list[Node],
        kind: int,
        scope: Scope,
        detailed: bool,
        threshold: int,
        end: int,
    ) -> None:
        super().__init__(end, scope.depth, detailed)
        self.children = children
        self.kind = kind
        self.next = 0
        self.scope = scope
        self.around = scope
        """That of the node itself, where `scope` is that of a definition that holds the rest."""
        self.threshold = threshold
        self.assigned = -1
        """Number of the block that an assignment just became; -1 after anything else."""
        self.neighbour: Found | None = None
        """The definition right before, where definitions of one name are one symbol."""
        self.rest: Found | None = None
        """The definition that holds the rest."""

    def enter(self, scope: Scope) -> None:
        """What follows stands in this scope."""
        self.scope, self.depth = scope, scope.depth


class Meaning:
    """What a definition turned out to be: `body` is what to look into for members; `body_start` is
    behind the signature and the brace, 0 where there is no body."""

    def __init__(
        self, rule: Rule, kind: str, names: list[str], body: Node | None, body_start: int
    ) -> None:
        self.rule = rule
        self.kind = kind
        self.names = names
        self.body = body
        self.body_start = body_start
