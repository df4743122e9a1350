"""The server for agents: its two tools, confined to the folders it was started with."""

from __future__ import annotations

import asyncio
import builtins
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from chunkwright.errors import ConfigError, PathError
from chunkwright.mcp import Roots, serve, server


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder to serve, searched by words so that no model is loaded."""
    folder = tmp_path / "served"
    folder.mkdir()
    (folder / "chunkwright.toml").write_text('embedder = "none"\n')
    (folder / "ship.py").write_text("def anchor(rope):\n    return rope.lower()\n")
    (folder / "notes.md").write_text("# Harbour\n\nWhere ships lie.\n")
    return folder


def test_search_answers_with_place_and_text(root: Path) -> None:
    """An answer is the exact text and where it is; the index is made on the way."""
    roots = Roots([root])
    (answer, *_) = roots.search("anchor", 5, "")
    roots.close()

    assert {**answer, "score": 0} == {
        "root": str(root.resolve()),
        "path": "ship.py",
        "start_line": 1,
        "end_line": 2,
        "kind": "symbol",
        "name": "anchor",
        "score": 0,
        "text": "def anchor(rope):\n    return rope.lower()",
    }


def test_search_sees_what_changed(root: Path) -> None:
    """Every search refreshes first: an agent edits between two questions."""
    roots = Roots([root])
    assert [answer["path"] for answer in roots.search("capstan", 5, "")] == []
    (root / "deck.py").write_text("def capstan():\n    return 1\n")

    assert [answer["path"] for answer in roots.search("capstan", 5, "")] == ["deck.py"]
    roots.close()


def test_answers_of_several_folders_alternate(root: Path, tmp_path: Path) -> None:
    """Scores of two indexes cannot be compared, so no folder crowds out the other."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "chunkwright.toml").write_text('embedder = "none"\n')
    for number in range(3):
        (other / f"{number}.py").write_text(f"def anchor{number}():\n    return 'anchor'\n")
    roots = Roots([root, other])
    found = roots.search("anchor", 3, "")
    roots.close()

    assert {answer["root"] for answer in found[:2]} == {str(root.resolve()), str(other.resolve())}
    assert len(found) == 3


@pytest.mark.parametrize("asked", ["..", "/", "elsewhere"])
def test_other_folders_are_refused(root: Path, asked: str) -> None:
    """Only what was served can be asked for: neither a folder above nor one below."""
    roots = Roots([root])
    with pytest.raises(PathError) as caught:
        roots.search("anchor", 5, str(root / asked))

    assert caught.value.remedy == f"ask for one of {root.resolve()}"
    assert not (root / ".chunkwright").exists()


def test_a_root_that_is_no_folder_is_refused(root: Path) -> None:
    """A file, or nothing at all, cannot be served."""
    for wrong in (root / "ship.py", root / "nothing"):
        with pytest.raises(PathError) as caught:
            Roots([wrong])
        assert caught.value.path == str(wrong)


def test_status_says_what_each_index_holds(root: Path) -> None:
    """One object a folder, with the folder's name."""
    roots = Roots([root])
    roots.search("anchor", 1, "")
    (facts,) = roots.status("")
    roots.close()

    assert facts["root"] == str(root.resolve())
    assert facts["files"] == 3


def test_without_the_extra_the_error_names_it(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The third-party package is optional; its absence is a clear error, not an ImportError."""
    importing = builtins.__import__

    def absent(name: str, *rest: Any) -> Any:
        if name.split(".", maxsplit=1)[0] == "mcp":
            raise ImportError(f"No module named {name!r}")
        return importing(name, *rest)

    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(ConfigError) as caught:
        serve([root])

    assert str(caught.value).endswith("pip install 'chunkwright[mcp]'")


@pytest.mark.integration
def test_an_agent_searches_over_stdio(root: Path) -> None:
    """The protocol's own client starts the server, lists its tools, and gets answers and errors."""
    from mcp import Client, StdioServerParameters

    async def talk() -> tuple[list[str], Any, Any, Any]:
        arguments = ["-m", "chunkwright", "mcp", str(root)]
        async with Client(StdioServerParameters(command=sys.executable, args=arguments)) as client:
            tools = await client.list_tools()
            found = await client.call_tool("search", {"query": "anchor", "count": 1})
            facts = await client.call_tool("index_status", {})
            refused = await client.call_tool("search", {"query": "x", "root": str(root.parent)})
            return [tool.name for tool in tools.tools], found, facts, refused

    names, found, facts, refused = asyncio.run(talk())

    assert names == ["search", "index_status"]
    assert [answer["path"] for answer in found.structured_content["result"]] == ["ship.py"]
    assert json.loads(facts.content[0].text)["files"] == 3
    assert refused.is_error
    assert f"{root.parent}: is not served; ask for one of {root}" in refused.content[0].text


@pytest.mark.integration
def test_the_server_says_what_its_tools_need(root: Path) -> None:
    """Each tool has a description and a schema that names its arguments."""
    tools = asyncio.run(server(Roots([root])).list_tools())

    assert {tool.name: sorted(tool.input_schema["properties"]) for tool in tools} == {
        "search": ["count", "query", "root"],
        "index_status": ["root"],
    }
    assert all(tool.description for tool in tools)
