"""How long a refresh of an unchanged tree takes, beside walking and stating the tree.

`walk_and_stat`: os.walk and os.lstat of every entry that no rule leaves out. `own_walk`:
`sources.walk`, the same entries with each one's answer. `refresh`: another `Index.refresh` of an
index that is open. `open_and_refresh`: opening it anew in the same process, which sums up its file,
and refreshing it. Rounds of all are interleaved; the medians are compared.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import chunkwright as cw
from benchmarks.facts import Line
from chunkwright import sources
from chunkwright.embedding.hashing import HashingEmbedder

A_FOLDER = 20
"""Files in a folder, the median of large repositories is near it."""

OLD = 1_600_000_000
"""Time of change of every file, in seconds: none is young."""

IGNORED = ["*.log", "build/", "/dist", "node_modules/", "*.tmp", "!keep.tmp", "docs/_build/"]
"""A usual .gitignore."""


def make_tree(root: Path, files: int) -> None:
    """Small sources in folders three deep, and some that are ignored."""
    (root / ".gitignore").write_text("\n".join(IGNORED) + "\n", "utf-8")
    for number in range(files):
        part = number // A_FOLDER
        folder = root / f"area{part % 13}" / f"group{part % 7}" / f"part{part}"
        folder.mkdir(parents=True, exist_ok=True)
        suffix = (".py", ".md", ".go", ".txt")[number % 4]
        path = folder / f"module_{number}{suffix}"
        path.write_text(f"# number {number}\n\nvalue_{number} = {number}\n", "utf-8")
        os.utime(path, (OLD, OLD))
    (root / "debug.log").write_text("ignored\n", "utf-8")
    os.utime(root / ".gitignore", (OLD, OLD))


def walk_and_stat(root: Path) -> int:
    """What no tool can do without: list every folder, ask the system for every file."""
    count = 0
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in {".chunkwright", "build"}]
        for name in names:
            if not name.endswith(".log"):
                os.lstat(os.path.join(folder, name))
                count += 1
    return count


def own_walk(root: Path) -> int:
    """The walk with the answer about each file."""
    return sum(isinstance(one, sources.Keep) for one in sources.walk(root))


def timed(works: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Name -> median milliseconds, one of each in turn."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            start = time.perf_counter()
            work()
            times[name].append(1000 * (time.perf_counter() - start))
    return {name: round(statistics.median(found), 2) for name, found in times.items()}


def measure(root: Path, files: int, rounds: int) -> Line:
    """One tree."""
    make_tree(root, files)
    with cw.Index(root, HashingEmbedder()) as index:
        index.refresh()
        assert index.refresh() == cw.RefreshReport()
        assert walk_and_stat(root) == own_walk(root) == index.status().files

        def anew() -> None:
            with cw.Index(root, HashingEmbedder()) as opened:
                opened.refresh()

        works: dict[str, Callable[[], object]] = {
            "walk_and_stat": lambda: walk_and_stat(root),
            "own_walk": lambda: own_walk(root),
            "refresh": index.refresh,
            "open_and_refresh": anew,
        }
        times = timed(works, rounds)
    ratios = {
        "refresh_to_walk_and_stat": round(times["refresh"] / times["walk_and_stat"], 2),
        "refresh_to_own_walk": round(times["refresh"] / times["own_walk"], 2),
        "open_and_refresh_to_walk_and_stat": round(
            times["open_and_refresh"] / times["walk_and_stat"], 2
        ),
    }
    return {
        "what": "refresh",
        "files": files,
        "rounds": rounds,
        "milliseconds": times,
        **ratios,
    }


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--files", type=int, nargs="+", default=[1_000, 20_000])
    parser.add_argument("--rounds", type=int, default=15)


def lines(options: argparse.Namespace) -> Iterator[Line]:
    """A line a tree."""
    for files in options.files:
        with tempfile.TemporaryDirectory() as place:
            yield measure(Path(place), files, options.rounds)
