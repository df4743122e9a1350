"""Who is compared, and with what task. Each peer is a function of a few lines in a room of this
folder; whoever adds a room adds a peer (README.md beside this folder shows one).

Every peer is called the quickest way that gives what it names. A call gets a text and returns a
materialised answer; `read` makes that comparable, untimed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from benchmarks.checks import Pieces

OURS = "chunkwright"


@dataclass(frozen=True)
class Task:
    """What every contestant is asked for."""

    size: int
    overlap: int
    unit: str
    """Of both: chars, cl100k or lines."""
    reads: str = "text"
    """Which kind of text: text, markdown or code."""
    language: str = ""
    """Of code."""


CHARACTERS = Task(1200, 200, "chars")
TOKENS = Task(512, 0, "cl100k")
LINES = Task(60, 15, "lines")
SECTIONS = Task(3200, 320, "chars", "markdown")
CODE = Task(1500, 0, "chars", "code")

Cut = Callable[[str], Any]


class UnsupportedError(Exception):
    """The peer cannot do the task, as where it does not read the language."""


@dataclass(frozen=True)
class Contestant:
    """One way of cutting. `make` is called anew for each timed call, so that no cache is kept."""

    name: str
    distribution: str
    returned: str
    make: Callable[[], Cut]
    read: Callable[[Any], Pieces]
    note: str = ""
    cuts: bool = True
    """False: it only counts or encodes, so that there are no chunks to check."""

    @property
    def is_ours(self) -> bool:
        """Whether it is chunkwright: where it fails there is nothing to compare with."""
        return self.distribution == OURS


@dataclass(frozen=True)
class Peer:
    """A splitter, before it has a task."""

    name: str
    distribution: str
    make: Callable[[Task], Cut]
    """Imports what it needs; raises UnsupportedError where it cannot do the task."""
    reads: tuple[str, ...] = ("text",)
    units: tuple[str, ...] = ("chars", "cl100k")
    """What it can count in."""
    returned: str = "texts"
    """What is in its answer, in words."""
    read: Callable[[Any], Pieces] = Pieces
    """Its answer -> texts, and offsets where it gives them."""
    note: str = ""
    tokens_by: str = ""
    """Who counts tokens for it."""
    has_overlap: bool = True
    cuts: bool = True

    def takes(self, task: Task) -> bool:
        """Whether it does such tasks at all."""
        return task.reads in self.reads and task.unit in self.units

    def contestant(self, task: Task) -> Contestant:
        """Made once, so that whatever is missing is missing now."""
        self.make(task)
        return Contestant(
            self.name,
            self.distribution,
            self.returned,
            lambda: self.make(task),
            self.read,
            "; ".join(filter(None, self._notes(task))),
            self.cuts,
        )

    def _notes(self, task: Task) -> Iterator[str]:
        yield self.note
        yield "has no overlap" if task.overlap and not self.has_overlap else ""
        is_counted = task.unit == "cl100k" and self.tokens_by
        yield f"tokens by {self.tokens_by}" if is_counted else ""


def peer(name: str, distribution: str, **facts: Any) -> Callable[[Callable[[Task], Cut]], Peer]:
    """Makes a peer of the function that makes its call; `facts` are the other fields of Peer."""
    return lambda make: Peer(name, distribution, make, **facts)


@cache
def all_peers() -> tuple[Peer, ...]:
    """Those of every room of this folder: ours first, those that do not cut last."""
    rooms = [import_module(f"{__name__}.{room.name}") for room in iter_modules(__path__)]
    found = [one for room in rooms for one in vars(room).values() if isinstance(one, Peer)]
    return tuple(sorted(found, key=lambda one: (one.distribution != OURS, not one.cuts)))


def contestants(task: Task, *, cutting: bool = False) -> Iterator[Contestant]:
    """Those that are installed and do the task, or, with `cutting`, give chunks; absent peers are
    named on stderr. chunkwright has to be there."""
    for one in all_peers():
        if one.takes(task) and (one.cuts or not cutting):
            yield from entered(one, task)


def entered(one: Peer, task: Task) -> Iterator[Contestant]:
    """The contestant, or a word on stderr why there is none."""
    try:
        yield one.contestant(task)
    except (ModuleNotFoundError, UnsupportedError) as reason:
        if (getattr(reason, "name", None) or "").startswith(OURS):
            raise
        print(f"left out: {one.name}: {reason}", file=sys.stderr)


def wanted(name: str, words: list[str]) -> bool:
    """Whether a contestant's name has one of the words, in whatever case; all where there are
    none."""
    return not words or any(word.lower() in name.lower() for word in words)
