"""The rooms of docs/architecture.md, as a test: what each module may import of ours, and that the
document and this table say the same.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import chunkwright

SOURCE = Path(chunkwright.__file__).parent
DOCUMENT = Path(__file__).parent.parent / "docs" / "architecture.md"

EVERYWHERE = {"types", "errors", "characters"}
"""What any room may import."""

FACES_ASK = {
    "pipeline",
    "index",
    "evaluation",
    "scale",
    "languages",
    "configuration",
    "rendering",
}
"""What every face may import."""

ALLOWED: dict[str, set[str]] = {
    "types": set(),
    "errors": set(),
    "characters": set(),
    "assets": set(),
    "languages": set(),
    "configuration": set(),
    "measuring": {"assets"},
    "sources": {"languages"},
    "parsing": {"languages"},
    "rendering": set(),
    "chunking": {"measuring", "rendering", "parsing"},
    "pipeline": {"languages", "sources", "parsing", "chunking", "measuring"},
    "embedding": {"assets", "measuring"},
    "store": set(),
    "ranking": set(),
    "search": {"embedding", "store", "ranking"},
    "index": {
        "assets",
        "languages",
        "configuration",
        "measuring",
        "sources",
        "parsing",
        "rendering",
        "chunking",
        "pipeline",
        "embedding",
        "store",
        "ranking",
        "search",
    },
    "evaluation": {
        "languages",
        "measuring",
        "sources",
        "parsing",
        "rendering",
        "chunking",
        "pipeline",
        "embedding",
        "index",
    },
    "scale": {"pipeline", "chunking", "rendering"},
    "mcp": {*FACES_ASK},
    "web": {*FACES_ASK},
    "cli": {*FACES_ASK, "sources", "mcp", "web"},
}
"""Room -> the rooms it may import, besides those allowed everywhere and itself."""

DOORS = {"__init__": set(ALLOWED), "__main__": {"cli"}}
"""The package itself, which leads to everything, and `python -m chunkwright`."""


def room_of(file: Path, source: Path = SOURCE) -> str:
    """The first name under the package: a module, or the folder it lies in."""
    return file.relative_to(source).parts[0].removesuffix(".py")


def imported(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """(line, room) of every import of ours, wherever it stands; "." for a relative one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "chunkwright":
                    yield node.lineno, _first_room(alias.name)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, room) for room in _from_rooms(node))
        elif isinstance(node, ast.Call) and _calls_import_module(node):
            name = _leading_text(node.args[0])
            if name.split(".")[0] == "chunkwright":
                yield node.lineno, _first_room(name)


def _from_rooms(node: ast.ImportFrom) -> list[str]:
    if node.level:
        return ["."]
    if node.module == "chunkwright":
        return [_home(alias.name) for alias in node.names]
    module = node.module or ""
    return [_first_room(module)] if module.startswith("chunkwright.") else []


def _home(name: str) -> str:
    """The room of a name imported through the front door."""
    homes = {public: home.split(".")[0] for public, home in chunkwright._HOME_OF.items()}
    return homes.get(name, name)


def _first_room(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] else "__init__"


def _calls_import_module(call: ast.Call) -> bool:
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    return bool(name in {"import_module", "__import__"} and call.args)


def _leading_text(expression: ast.expr) -> str:
    """What is known of a module name before it runs."""
    if isinstance(expression, ast.JoinedStr) and expression.values:
        return _leading_text(expression.values[0])
    value = getattr(expression, "value", "")
    return value if isinstance(value, str) else ""


def wrong_imports(source: Path) -> list[str]:
    """One readable line for each import that the table does not allow."""
    found = []
    for file in sorted(source.rglob("*.py")):
        room = room_of(file, source)
        allowed = (ALLOWED | DOORS).get(room, set()) | EVERYWHERE | {room}
        for line, other in imported(ast.parse(file.read_text("utf-8"), str(file))):
            if other not in allowed:
                what = "relatively" if other == "." else other
                may = ", ".join(sorted(allowed - {room} - EVERYWHERE)) or "nothing"
                place = file.relative_to(source).as_posix()
                found.append(f"{place}:{line} imports {what}; {room} may import {may}")
    return found


def documented_rooms() -> dict[str, set[str]]:
    """The table of the document, in the form of ALLOWED."""
    rooms: dict[str, set[str]] = {}
    for line in DOCUMENT.read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        names = re.findall(r"`(\w+)/?`", cells[0]) if line.startswith("| `") else []
        if len(cells) != 3 or not names:
            continue
        allowed = _documented_allowance(cells[2], set(rooms))
        rooms.update(dict.fromkeys(names, allowed))
    return rooms


def _documented_allowance(cell: str, above: set[str]) -> set[str]:
    if cell == "all the above":
        return above - EVERYWHERE
    return set() if cell == "nothing" else {name.strip(" `/") for name in cell.split(",")}


def test_no_module_imports_what_its_room_may_not() -> None:
    """Rooms are strangers: every import of ours is one the table allows."""
    assert wrong_imports(SOURCE) == []


def test_every_module_lies_in_a_listed_room() -> None:
    """A new module must be given a place in the table."""
    found = {room_of(file) for file in SOURCE.rglob("*.py")}
    assert found - set(ALLOWED) - set(DOORS) == set()


def test_the_document_says_the_same() -> None:
    """docs/architecture.md and this test hold one table."""
    assert documented_rooms() == ALLOWED


def test_no_room_shares_its_name_with_an_export() -> None:
    """`chunkwright.index` is a room; nothing exported may be called so."""
    assert set(ALLOWED) & set(chunkwright.__all__) == set()


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        ("from chunkwright.sources import walk", "imports sources"),
        ("import chunkwright.store as rows", "imports store"),
        ("from chunkwright import Index", "imports index"),
        ("def f():\n    from chunkwright.index import Index", "imports index"),
        ("if TYPE_CHECKING:\n    from chunkwright import pipeline", "imports pipeline"),
        ("from . import base", "imports relatively"),
        ("import_module('chunkwright.cli')", "imports cli"),
        ("import_module(f'chunkwright.cli.{name}')", "imports cli"),
    ],
)
def test_a_wrong_import_is_named(tmp_path: Path, statement: str, complaint: str) -> None:
    """A wrong import is found wherever it stands, and the message says what is allowed."""
    (tmp_path / "chunking").mkdir()
    (tmp_path / "chunking" / "code.py").write_text(f"import chunkwright.types\n{statement}\n")
    (found,) = wrong_imports(tmp_path)
    assert found.startswith("chunking/code.py:")
    assert complaint in found
    assert found.endswith("chunking may import measuring, parsing, rendering")


def test_a_right_import_is_let_pass(tmp_path: Path) -> None:
    """Nouns, the own room and an allowed room are no complaint."""
    (tmp_path / "chunking").mkdir()
    (tmp_path / "chunking" / "code.py").write_text(
        "from chunkwright import Chunk\n"
        "from chunkwright.chunking.base import Chunker\n"
        "from chunkwright.measuring import Ruler\n"
        "import chunkwriting\n"
    )
    assert wrong_imports(tmp_path) == []
