"""Loads a language's grammar and the data file that says what its nodes mean, by node number.
Walking a tree is not here.
"""

from __future__ import annotations

import ctypes
import re
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib import import_module, resources
from typing import Any

import msgspec
from tree_sitter import Language as Tongue
from tree_sitter import Node

from chunkwright.languages import Language

ANY = "*"
"""Key of `shapes` for every kind of node that has no key of its own."""


class Definition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a data file says about one kind of node; see queries/README.md for each key."""

    kind: str = ""
    name: str = ""
    name_kinds: tuple[str, ...] = ()
    unnamed: str = ""
    body: tuple[str, ...] = ()
    shape: str = ""
    shapes: dict[str, str] = {}
    upper: str = ""
    outermost: bool = False
    within: tuple[str, ...] = ()
    owner: str = ""
    owner_kind: str = ""


class Meanings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A data file, as written; see queries/README.md for each key."""

    hints: tuple[str, ...]
    starts: tuple[str, ...] = ()
    loose_hints: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()
    leading: tuple[str, ...] = ()
    bodies: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    wrappers: tuple[str, ...] = ()
    docstring: str = ""
    documented: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    dots: tuple[str, ...] = ()
    definitions: dict[str, Definition] = {}


class Reader:
    """A grammar with its meanings, looked up by node number instead of by name."""

    def __init__(self, tongue: Tongue, meanings: Meanings) -> None:
        self.tongue = tongue
        self.meanings = meanings
        self.comments = self._numbers(meanings.comments)
        self.leading = self._numbers(meanings.leading) | self.comments
        self.bodies = self._numbers(meanings.bodies)
        self.imports = self._numbers(meanings.imports)
        self.wrappers = self._numbers(meanings.wrappers)
        self.documented = self._numbers(meanings.documented)
        self.definitions = {
            number: definition
            for node, definition in meanings.definitions.items()
            for number in self._numbers([node])
        }
        self.hints = tuple(hint.encode() for hint in meanings.hints)
        self.loose_hints = _any_of(meanings.loose_hints, "%s")
        self.starts = _any_of(meanings.starts, r"(?m)^(?:%s)\b")
        self.opening = tongue.id_for_node_kind("(", False)

    def _numbers(self, nodes: Iterable[str]) -> frozenset[int]:
        """Numbers of the kinds that this version of the grammar has."""
        found = (self.tongue.id_for_node_kind(node, True) for node in nodes)
        return frozenset(number for number in found if number is not None)


@cache
def reader_of(language: Language) -> Reader | None:
    """The reader of a language; None where its grammar is not installed or it has none."""
    if language.grammar is None:
        return None
    try:
        module = import_module(language.grammar.module)
    except ImportError:
        return None
    pointer = getattr(module, language.grammar.function)()
    return Reader(Tongue(_capsule(pointer)), meanings_of(language.name))


def meanings_of(name: str) -> Meanings:
    """The data file of a language, joined with the one it is based on."""
    return msgspec.convert(_table(name), Meanings)


def _table(name: str) -> dict[str, Any]:
    file = resources.files("chunkwright.queries") / f"{name}.toml"
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    base = table.pop("base", None)
    if base is None:
        return table
    below = _table(base)
    definitions = {**below.get("definitions", {}), **table.get("definitions", {})}
    return {**below, **table, "definitions": definitions}


def _any_of(patterns: tuple[str, ...], frame: str) -> re.Pattern[bytes] | None:
    """One pattern for several, set into a frame; None for none."""
    return re.compile((frame % "|".join(patterns)).encode()) if patterns else None


def _capsule(pointer: object) -> object:
    """Some wheels give the grammar's address as a number, which tree-sitter no longer takes."""
    if not isinstance(pointer, int):
        return pointer
    make = ctypes.pythonapi.PyCapsule_New
    make.restype = ctypes.py_object
    make.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return make(pointer, b"tree_sitter.Language", None)


def follow(node: Node, path: str) -> Node | None:
    """The node at the end of a path of field names or node kinds; None where a step is missing."""
    found: Node | None = node
    for step in path.split("."):
        if found is None:
            return None
        found = found.child_by_field_name(step) or _first(found, step)
    return found


def _first(node: Node, kind: str) -> Node | None:
    return next((child for child in node.children if child.type == kind), None)
