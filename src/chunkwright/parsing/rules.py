"""A language's data file, looked up in its grammar: what each kind of node means, by number.
Files are read in `grammars`; trees are walked in `walking`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from tree_sitter import Language as Tongue
from tree_sitter import Node

from chunkwright.parsing.meanings import Definition, Meanings
from chunkwright.parsing.node_paths import Path, numbers, numbers_of_any

ANY: Final = "*"
"""Key of `shapes` for every kind of node that has no key of its own."""


class Rule:
    """One definition of a data file, with its names looked up."""

    def __init__(self, definition: Definition, tongue: Tongue) -> None:
        self.name = _paths(definition.name, tongue)
        self.several = definition.several
        self.name_kinds = numbers(tongue, definition.name_kinds)
        self.name_search = definition.name_search
        self.name_lists = numbers(tongue, definition.name_lists)
        self.name_join = numbers_of_any(tongue, definition.name_join)
        self.joint = definition.joint
        self.also = _paths(definition.also, tongue)
        self.unnamed = definition.unnamed
        self.body = _paths(definition.body, tongue)
        self.signature = Path(definition.signature, tongue) if definition.signature else None
        self.shape = _paths(definition.shape, tongue)
        self.shapes = {
            number: kind
            for name, kind in definition.shapes.items()
            if name != ANY
            for number in numbers_of_any(tongue, [name])
        }
        self.any_shape = definition.shapes.get(ANY) or definition.kind
        self.word = _paths(definition.word, tongue)
        self.words: dict[str, str] = dict(definition.words)
        self.upper = definition.upper
        self.outermost = definition.outermost
        self.within = numbers(tongue, definition.within)
        self.owner = _paths(definition.owner, tongue)
        self.owner_kinds = numbers(tongue, definition.owner_kinds)
        self.tail = numbers_of_any(tongue, definition.tail)
        self.merge = definition.merge
        self.rest = definition.rest
        self.free = definition.free

    def kind_by_word(self, node: Node, text_of: Callable[[Node], str]) -> str | None:
        """The symbol kind by what a word in the node is; None where no word decides."""
        for path in self.word:
            found = path.follow(node)
            if found is not None:
                word = text_of(found)
                if word in self.words:
                    return self.words[word]
                if ANY in self.words:
                    return self.words[ANY] or None
                return ""
        return None

    def kind_by_shape(self, node: Node) -> str:
        """The symbol kind of a node; empty where its shape makes it none."""
        for path in self.shape:
            found = path.follow(node)
            if found is not None:
                kind = self.shapes.get(found.kind_id)
                if kind is not None:
                    return kind
        return self.any_shape


class Reader:
    """A grammar with its meanings, looked up by node number instead of by name."""

    def __init__(self, tongue: Tongue, meanings: Meanings) -> None:
        self.tongue = tongue
        self.comments = numbers(tongue, meanings.comments)
        self.leading = numbers_of_any(tongue, meanings.leading) | self.comments
        self.has_attributes = bool(meanings.leading)
        self.tokens = _has_tokens(meanings.leading, tongue)
        """Whether tokens between nodes matter: those that lead, or that trail, a definition."""
        self.token_kinds = frozenset(
            number
            for number in range(tongue.node_kind_count)
            if not tongue.node_kind_is_named(number)
        )
        self.containers = numbers(tongue, meanings.containers)
        self.functions = numbers(tongue, meanings.functions)
        self.opened = numbers(tongue, meanings.opened)
        self.bodies = numbers(tongue, meanings.bodies)
        self.imports = numbers(tongue, meanings.imports)
        self.wrappers = numbers(tongue, meanings.wrappers)
        self.documented = numbers(tongue, meanings.documented)
        self.method_holders = frozenset(meanings.method_holders)
        self.drop = meanings.drop
        self.any_name = meanings.any_name
        self.dots = meanings.dots
        self.erase = re.compile("|".join(meanings.erase)) if meanings.erase else None
        self.rules: dict[int, list[Rule]] = {}
        for node, written in meanings.definitions.items():
            several = (written,) if isinstance(written, Definition) else written
            for number in numbers(tongue, [node]):
                self.rules[number] = [Rule(definition, tongue) for definition in several]
            for definition in several:
                self.tokens = self.tokens or _has_tokens(definition.tail, tongue)
        first, _, rest = meanings.docstring.partition(".")
        self.docstring = numbers(tongue, [first] if first else [])
        """Kinds of the statement that a documentation string is."""
        self.docstring_in = Path(rest, tongue) if rest else None
        """From that statement to the text of the string."""
        self.documentation = Path(rest.partition(".")[0], tongue) if rest else None
        """From that statement to the string itself."""
        self.hints = tuple(hint.encode() for hint in meanings.hints)
        self.hint_patterns = _compiled(meanings.hint_patterns)
        self.loose_hints = _compiled(meanings.loose_hints)
        self.masks = [(re.compile(mask.encode()), word.encode()) for mask, word in meanings.masks]
        self.most_levels = meanings.most_levels
        self.preamble = meanings.preamble.encode()
        self.mask_hint = re.compile(meanings.mask_hint.encode()) if meanings.mask_hint else None
        self.starts = _begun_by(meanings.starts)
        self.opening = tongue.id_for_node_kind("(", False)


def _compiled(patterns: tuple[str, ...]) -> tuple[Any, ...]:
    """Each by itself: what begins with a text is searched for as fast as that text."""
    return tuple(re.compile(pattern.encode()) for pattern in patterns)


def _begun_by(starts: tuple[str, ...]) -> Any:
    """Lines that begin with any of several patterns; None without any."""
    written = "|".join(_as_word(start) for start in starts)
    return re.compile(f"(?m)^(?:{written})".encode()) if starts else None


def _has_tokens(names: tuple[str, ...], tongue: Tongue) -> bool:
    return bool(numbers_of_any(tongue, names) - numbers(tongue, names))


def _as_word(pattern: str) -> str:
    return rf"{pattern}\b" if pattern.isalpha() else pattern


def _paths(written: str | tuple[str, ...], tongue: Tongue) -> list[Path]:
    paths = (written,) if isinstance(written, str) else written
    return [Path(path, tongue) for path in paths if path]
