"""Which regular expressions of the languages' data files take more than linear time.

On long runs of whatever each can match, and on matches that break off. A line for each that does.
"""

from __future__ import annotations

import argparse
import re
import tomllib
from collections.abc import Callable, Iterator
from importlib import import_module, resources
from time import process_time
from typing import Any

from benchmarks.facts import Line
from chunkwright.languages import LANGUAGES
from chunkwright.parsing.masking import masked

NAMES = [row.name for row in LANGUAGES if row.grammar]


def written(name: str) -> dict[str, Any]:
    """A data file as it stands, without the one it is based on."""
    file = resources.files("chunkwright.queries") / f"{name}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


FRAMES = {"starts": "(?m)^(?:%s)"}
"""What the parser sets the patterns of a key into, where it does."""

IN_TEXT = ("erase",)
"""Keys whose patterns are for text; the others are for bytes."""


def patterns() -> dict[str, tuple[str, str]]:
    """`language key number` -> the key and the pattern, each once; words are left out."""
    found: dict[str, tuple[str, str]] = {}
    for name in NAMES:
        table = written(name)
        table["mask_hint"] = [table["mask_hint"]] if "mask_hint" in table else []
        for key in ("hint_patterns", "loose_hints", "starts", "mask_hint", "masks", "erase"):
            for number, entry in enumerate(table.get(key, ())):
                one = key, entry[0] if key == "masks" else entry
                if not one[1].isalpha() and one not in found.values():
                    found[f"{name} {key} {number}"] = one
    return found


PATTERNS = patterns()

CHARACTERS = "a A_0 \t\n()[]{}<>,;:=*&.~#'\"/-+@$?!|\\"
"""Of which texts are made that a pattern takes long for."""

A_RUN = 8
"""Repetitions from which on a part of a pattern counts as unbounded."""

VARIANTS = 5
"""Ways in which each pattern is matched: other alternatives, other characters of a class."""

Part = tuple[str, bool]
"""A text that a part of a pattern matches, and whether it may be repeated without end."""


def parts(tree: Any, variant: int) -> list[Part]:
    """A match of a parsed pattern, part by part."""
    found: list[Part] = []
    for operation, argument in tree:
        match str(operation):
            case "LITERAL":
                found.append((chr(argument), False))
            case "NOT_LITERAL":
                found.append((next(c for c in CHARACTERS[variant:] if ord(c) != argument), False))
            case "ANY":
                found.append((CHARACTERS[variant], False))
            case "IN":
                members = characters_in(argument)
                found.append((members[variant % len(members)], False))
            case "BRANCH":
                found += parts(argument[1][variant % len(argument[1])], variant)
            case "SUBPATTERN" | "ASSERT":
                found += parts(argument[-1], variant)
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                found += repeated(argument, variant)
            case "AT" | "ASSERT_NOT":
                pass
            case other:
                raise AssertionError(f"no text is made for {other}: add it here")
    return found


def repeated(argument: Any, variant: int) -> list[Part]:
    least, most, tree = argument
    inside = parts(tree, variant)
    if most > A_RUN:
        return [("".join(text for text, _ in inside), True), *inside[1:]]
    return inside if least or variant % 2 == 0 else []


def characters_in(items: Any) -> str:
    """Those that a class of characters matches; its own first one where none of CHARACTERS is."""
    inverted = str(items[0][0]) == "NEGATE"
    found = "".join(c for c in CHARACTERS if any(is_in(c, *item) for item in items) != inverted)
    first = items[0][1]
    return found or chr(first if isinstance(first, int) else first[0])


def is_in(character: str, operation: Any, argument: Any) -> bool:
    match str(operation):
        case "LITERAL":
            return ord(character) == int(argument)
        case "RANGE":
            return bool(argument[0] <= ord(character) <= argument[1])
        case "CATEGORY":
            name = str(argument).removeprefix("CATEGORY_")
            pattern = {"WORD": r"\w", "SPACE": r"\s", "DIGIT": r"\d"}[name.removeprefix("NOT_")]
            return bool(re.match(pattern, character)) != name.startswith("NOT_")
    return False


def hostile_texts(pattern: str) -> list[tuple[str, str]]:
    """Beginnings, and what is repeated behind each: runs of every part of the pattern behind all
    that stands before it, and matches that break off, over and over."""
    found = {("", unit) for c in CHARACTERS for unit in (c, f"{c} ", f"a{c}")}
    tree = import_module("re._parser").parse(pattern)
    for variant in range(VARIANTS):
        row = parts(tree, variant)
        for at, (text, endless) in enumerate(row):
            before = "".join(part for part, _ in row[:at])
            after = row[at + 1][0] if at + 1 < len(row) else ""
            found |= {("", before + text), ("", before + text + "\n")}
            if endless:
                found |= {(before, text), (before, text + after), (before, text + " ")}
                found |= {("", before + text * 40), ("\n", before + text * 3)}
    return sorted(pair for pair in found if pair[1])


def slow_texts(name: str, small: int) -> Iterator[str]:
    """What four times as much of takes more than four times as long, with some room."""
    key, pattern = PATTERNS[name]
    framed = FRAMES.get(key, "%s") % pattern
    compiled: Any = re.compile(framed if key in IN_TEXT else framed.encode())
    for before, unit in hostile_texts(pattern):

        def run(length: int, before: str = before, unit: str = unit) -> Callable[[], object]:
            text = (before + unit * (length // len(unit) + 1))[:length]
            given: Any = text if key in IN_TEXT else text.encode()
            if key == "masks":  # tried at hints alone
                hint = re.compile(written(name.partition(" ")[0])["mask_hint"].encode())
                return lambda: masked(given, hint, [(compiled, b"")])
            return lambda: sum(1 for _ in compiled.finditer(given))

        if grows_too_fast(run, small):
            yield f"{before!r} + {unit!r} * n"


TIMES = 4
"""How much longer the longer input is."""

WORST = 8.0
"""Growth that is still taken for linear: linear is 4, quadratic 16."""

SUSPECT = 6.0
"""Growth from which on it is measured again."""

ATTEMPTS = 10
"""Further measurements of which the fastest count: what else a machine does makes none faster."""


def grows_too_fast(make: Callable[[int], Callable[[], object]], small: int) -> float:
    """Growth of the work that `make` gives for a length, from `small` to four times as much, where
    that is too much; else 0."""
    little, much = make(small), make(small * TIMES)
    first, second = seconds(little), seconds(much)
    for _ in range(ATTEMPTS):
        if second <= SUSPECT * first:
            return 0
        first, second = min(first, seconds(little)), min(second, seconds(much))
    return second / first if second > WORST * first else 0


def seconds(run: Callable[[], object]) -> float:
    """Of this process, not of the clock."""
    start = process_time()
    run()
    return max(1e-9, process_time() - start)


def add_options(_: argparse.ArgumentParser) -> None:
    """There are none."""


def lines(_: argparse.Namespace) -> Iterator[Line]:
    for name in PATTERNS:
        for text in slow_texts(name, 50_000):
            yield {"what": "patterns", "pattern": name, "text": text}
