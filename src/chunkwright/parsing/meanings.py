"""The data files of `queries`: what each kind of node of a grammar means, as written."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any

import msgspec


class Definition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a data file says about one kind of node; see queries/README.md for each key."""

    kind: str = ""
    name: str | tuple[str, ...] = ()
    name_kinds: tuple[str, ...] = ()
    name_search: bool = False
    name_lists: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    several: bool = False
    name_join: tuple[str, ...] = ()
    joint: str = "."
    unnamed: str = ""
    body: tuple[str, ...] = ()
    signature: str = ""
    shape: str | tuple[str, ...] = ()
    shapes: dict[str, str] = {}
    word: str | tuple[str, ...] = ()
    words: dict[str, str] = {}
    upper: str = ""
    outermost: bool = False
    within: tuple[str, ...] = ()
    owner: str | tuple[str, ...] = ()
    owner_kinds: tuple[str, ...] = ()
    tail: tuple[str, ...] = ()
    merge: bool = False
    rest: bool = False
    free: bool = False


class Meanings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A data file, as written; see queries/README.md for each key."""

    hints: tuple[str, ...] = ()
    hint_patterns: tuple[str, ...] = ()
    starts: tuple[str, ...] = ()
    preamble: str = ""
    most_levels: int = 0
    loose_hints: tuple[str, ...] = ()
    containers: tuple[str, ...] = ()
    opened: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()
    leading: tuple[str, ...] = ()
    bodies: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    wrappers: tuple[str, ...] = ()
    docstring: str = ""
    documented: tuple[str, ...] = ()
    method_holders: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    dots: tuple[str, ...] = ()
    erase: tuple[str, ...] = ()
    any_name: bool = False
    mask_hint: str = ""
    masks: tuple[tuple[str, str], ...] = ()
    definitions: dict[str, Definition | tuple[Definition, ...]] = {}


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
    lists = {key: [*table.get(key, []), *below.get(key, [])] for key in ("hint_patterns", "masks")}
    return {**below, **table, "definitions": definitions, **lists}
