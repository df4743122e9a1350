"""A thin server of the Model Context Protocol: two tools, `search` and `index_status`, over the
folders it was started with and no others. Searching itself is done by the index.

It needs the extra `mcp`. The third-party package has this room's name: with absolute imports
`mcp` is theirs and `chunkwright.mcp` is ours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import msgspec

from chunkwright import configuration
from chunkwright.errors import ChunkwrightError, ConfigError, PathError
from chunkwright.types import Hit

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

    from chunkwright.index import Index

INSTRUCTIONS = """Search source code, Markdown and text in: {roots}.
Ask `search` for a meaning or a name; every answer has a path, lines and the exact text."""

Given = ParamSpec("Given")
Result = TypeVar("Result")

ANSWERS = 10
MOST_ANSWERS = 50
"""More than an agent can read at once; keeps one call's answer bounded."""


class Roots:
    """The folders a server may look into, each with its index opened when it is first asked."""

    def __init__(self, roots: Sequence[Path]) -> None:
        for root in roots:
            if not root.is_dir():
                raise PathError(str(root), "there is no such folder", "give folders to serve")
        self._roots = tuple(root.resolve() for root in roots)
        self._opened: dict[Path, Index] = {}
        self._refreshing = Lock()

    @property
    def names(self) -> tuple[str, ...]:
        """The folders, as they are named in answers and requests."""
        return tuple(str(root) for root in self._roots)

    def chosen(self, root: str) -> tuple[Path, ...]:
        """The folder asked for, or all; PathError for one that is not served."""
        if not root:
            return self._roots
        wanted = Path(root).resolve()
        if wanted not in self._roots:
            served = ", ".join(self.names)
            raise PathError(root, "is not served", f"ask for one of {served}")
        return (wanted,)

    def index(self, root: Path) -> Index:
        """The index of a served folder, with the folder's own settings."""
        if root not in self._opened:
            from chunkwright.index import Index

            settings = configuration.load(root)
            self._opened[root] = Index(root, settings.embedder, settings)
        return self._opened[root]

    def close(self) -> None:
        """Close every index that was opened."""
        while self._opened:
            self._opened.popitem()[1].close()

    def search(self, query: str, count: int, root: str) -> list[dict[str, Any]]:
        """The best answers of the folders asked for, from indexes that are fresh.

        Scores of two indexes cannot be compared: the folders' answers alternate, by rank.
        """
        found: list[tuple[int, dict[str, Any]]] = []
        for folder in self.chosen(root):
            hits = self._refreshed(folder).search(query, k=count)
            found += ((rank, _answer(hit, folder)) for rank, hit in enumerate(hits))
        found.sort(key=lambda ranked: ranked[0])
        return [answer for _, answer in found[:count]]

    def _refreshed(self, root: Path) -> Index:
        """One refresh at a time: calls come from several threads, and an index has one writer."""
        with self._refreshing:
            index = self.index(root)
            index.refresh()
        return index

    def status(self, root: str) -> list[dict[str, Any]]:
        """What the index of each folder asked for holds."""
        return [
            {"root": str(folder), **msgspec.to_builtins(self.index(folder).status())}
            for folder in self.chosen(root)
        ]


def _answer(hit: Hit, root: Path) -> dict[str, Any]:
    chunk = hit.chunk
    return {
        "root": str(root),
        "path": chunk.path,
        "start_line": chunk.start_line,
        "end_line": chunk.end_line,
        "kind": chunk.kind,
        "name": chunk.name,
        "score": round(hit.score, 4),
        "text": chunk.text,
    }


def serve(roots: Sequence[Path]) -> None:
    """Serve `roots` over stdio until the client hangs up.

    Raises PathError for a root that is no folder, ConfigError where the extra is missing.
    """
    served = Roots(roots)
    try:
        server(served).run("stdio")
    finally:
        served.close()


def server(roots: Roots) -> MCPServer:
    """A server with its tools, not yet running. Raises ConfigError where the extra is missing."""
    try:
        from mcp.server.mcpserver import MCPServer
        from mcp.types import ToolAnnotations
    except ImportError as error:
        raise ConfigError(
            "mcp", str(error), "the server needs an extra: pip install 'chunkwright[mcp]'"
        ) from None
    made = MCPServer(
        "chunkwright",
        instructions=INSTRUCTIONS.format(roots=", ".join(roots.names)),
        log_level="WARNING",
    )
    _add_tools(made, roots, ToolAnnotations(read_only_hint=True, open_world_hint=False))
    return made


def _add_tools(made: MCPServer, roots: Roots, annotations: Any) -> None:
    @made.tool(annotations=annotations)
    @_told
    def search(query: str, count: int = ANSWERS, root: str = "") -> list[dict[str, Any]]:
        """Find the pieces of code or text that answer `query`, a question or a name.

        `count` is how many to give (1 to 50); `root` limits the search to one served folder.
        """
        return roots.search(query, max(1, min(count, MOST_ANSWERS)), root)

    @made.tool(annotations=annotations)
    @_told
    def index_status(root: str = "") -> list[dict[str, Any]]:
        """Say what the index of each served folder holds."""
        return roots.status(root)


def _told(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """Our errors reach the agent as their one line; anything else stays a crash in the log."""
    from mcp.server.mcpserver.exceptions import ToolError

    @wraps(function)
    def told(*positional: Given.args, **named: Given.kwargs) -> Result:
        try:
            return function(*positional, **named)
        except ChunkwrightError as error:
            raise ToolError(str(error)) from None

    return told
