"""The data files of `queries`: each name in them is one that the installed grammar has, each kind a
symbol kind. What they find is test_parsing_code's.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
import pytest

from chunkwright.languages import LANGUAGES, Language, language_of
from chunkwright.parsing.grammars import reader_of
from chunkwright.parsing.meanings import Meanings, meanings_of
from chunkwright.parsing.rules import ANY, Reader
from chunkwright.types import SYMBOL_KINDS

DATA = Path(__file__).parent / "data" / "code"
ROWS = [row for row in LANGUAGES if row.grammar]
NAMES = [row.name for row in ROWS]

NODES = ("containers", "opened", "comments", "bodies", "imports", "wrappers", "documented")
"""Keys that list kinds of nodes."""

NODES_OF_DEFINITION = ("name_kinds", "name_lists", "within", "owner_kinds")
NODES_OR_TOKENS = ("name_join", "tail", "shapes")
PATHS = ("name", "also", "body", "signature", "shape", "word", "owner")


def written(name: str) -> dict[str, Any]:
    """A data file as it stands, without the one it is based on."""
    file = resources.files("chunkwright.queries") / f"{name}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def definitions(table: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each table of a definition with the kind of node it is about."""
    for node, tables in table.get("definitions", {}).items():
        for definition in tables if isinstance(tables, list) else [tables]:
            yield node, definition


def texts(value: Any) -> list[str]:
    """What a key holds: one text, a list of them, or a table, whose keys count."""
    return [value] if isinstance(value, str) else list(value)


# Files.


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_each_language_with_a_grammar_has_a_file_and_a_fixture(row: Language) -> None:
    """A data file that can be read, and a fixture beside which its symbols stand; none of them only
    where the file has no definitions."""
    assert isinstance(meanings_of(row.name), Meanings)
    fixtures = [path.name.removesuffix(".fixture") for path in DATA.glob("*.fixture")]
    own = [name for name in fixtures if language_of(name) == row.name]
    assert own
    assert [name for name in own if not (DATA / f"{name}.symbols").exists()] == []
    lists = [(DATA / f"{name}.symbols").read_text("utf-8") for name in own]
    assert any(lists) == bool(meanings_of(row.name).definitions)


def test_each_file_is_of_a_language_with_a_grammar() -> None:
    """None is left over, and none under another name."""
    files = resources.files("chunkwright.queries").iterdir()
    assert {file.name for file in files if file.name.endswith(".toml")} == {
        f"{name}.toml" for name in NAMES
    }


def test_a_key_that_is_not_known_is_an_error() -> None:
    """In a file and in a definition."""
    for table in ({"hintz": ["def"]}, {"definitions": {"a": {"kindd": "Class"}}}):
        with pytest.raises(msgspec.ValidationError, match="unknown field"):
            msgspec.convert(table, Meanings)


def test_each_key_is_documented() -> None:
    """In the table of the README beside the files."""
    readme = (resources.files("chunkwright.queries") / "README.md").read_text(encoding="utf-8")
    keys = {key for name in NAMES for key in written(name)} - {"definitions"}
    keys |= {key for name in NAMES for _, one in definitions(written(name)) for key in one}
    assert [key for key in sorted(keys) if f"`{key}`" not in readme] == []


# Names.


class Grammar:
    """What an installed grammar has."""

    def __init__(self, reader: Reader) -> None:
        self._tongue = reader.tongue

    def node(self, name: str) -> bool:
        return self._tongue.id_for_node_kind(name, True) is not None

    def child(self, name: str) -> bool:
        return self.node(name) or self._tongue.id_for_node_kind(name, False) is not None

    def step(self, name: str) -> bool:
        return self.child(name) or self._tongue.field_id_for_name(name) is not None


def names_of(path: str) -> Iterator[str]:
    """The fields and kinds that a path goes over; `^` goes to none."""
    for step in path.split("."):
        name = step.removeprefix("<-") if step.startswith("<-") else step
        name = name.removeprefix("<") if len(name) > 1 else name
        name = name[:-1] if len(name) > 1 and name[-1] in "*+" else name
        yield from name.split("|") if name != "^" else ()


def unknown_names(table: dict[str, Any], grammar: Grammar) -> Iterator[str]:
    """Names of a file that its grammar does not have, each with the key it stands under."""
    for key in NODES:
        yield from (f"{key}: {name}" for name in table.get(key, ()) if not grammar.node(name))
    for name in table.get("leading", ()):
        if not grammar.child(name):
            yield f"leading: {name}"
    for name in names_of(table["docstring"]) if "docstring" in table else ():
        if not grammar.step(name):
            yield f"docstring: {name}"
    for node, definition in definitions(table):
        if not grammar.node(node):
            yield f"definitions.{node}"
        for key, name in unknown_names_of_definition(definition, grammar):
            yield f"definitions.{node}.{key}: {name}"


def unknown_names_of_definition(
    definition: dict[str, Any], grammar: Grammar
) -> Iterator[tuple[str, str]]:
    for keys, known in ((NODES_OF_DEFINITION, grammar.node), (NODES_OR_TOKENS, grammar.child)):
        for key in keys:
            for name in texts(definition.get(key, ())):
                if name != ANY and not known(name):
                    yield key, name
    for key in PATHS:
        for path in texts(definition.get(key, ())):
            yield from ((key, name) for name in names_of(path) if not grammar.step(name))


@cache
def reader(name: str) -> Reader | None:
    return reader_of(next(row for row in ROWS if row.name == name))


@pytest.mark.parametrize("name", NAMES)
def test_each_name_in_a_file_is_one_of_its_grammar(name: str) -> None:
    """Kinds of nodes, tokens, fields and the steps of every path: a slip of the pen fails."""
    found = reader(name)
    if found is None:
        pytest.skip("its grammar comes with the extra `languages`")
    assert list(unknown_names(written(name), Grammar(found))) == []


def test_a_slip_of_the_pen_is_seen() -> None:
    """Wherever it stands: the test above is worth something."""
    found = reader("python")
    assert found is not None
    slips = {
        "comments": ["coment"],
        "leading": ["decorater"],
        "docstring": "expression_statement.strin",
        "definitions": {
            "clas": {"name": "nam", "within": ["modul"], "tail": ["::::"]},
            "class_definition": {"shape": ["body.blok*", "<bloc"], "shapes": {"blo": "Class"}},
        },
    }
    seen = [slip.rpartition(": ")[2] for slip in unknown_names(slips, Grammar(found))]
    assert seen == [
        *("coment", "decorater", "strin"),
        *("definitions.clas", "modul", "::::", "nam", "blo", "blok", "bloc"),
    ]


@pytest.mark.parametrize("name", NAMES)
def test_each_kind_in_a_file_is_documented(name: str) -> None:
    """A symbol kind, or none where a shape or a word says that there is no symbol."""
    table = written(name)
    assert set(table.get("method_holders", ())) <= set(SYMBOL_KINDS)
    for node, one in definitions(table):
        by_text = [*one.get("shapes", {}).values(), *one.get("words", {}).values()]
        kinds = {one.get("kind", ""), one.get("upper", ""), *by_text} - {""}
        assert kinds <= set(SYMBOL_KINDS), node
        assert kinds, f"{node} never has a kind"
        assert {"name", "name_join", "unnamed"} & set(one), f"{node} never has a name"
        assert ("shapes" in one) == ("shape" in one), node
        assert "word" in one or "words" not in one, node
