"""A process that is killed while it indexes: what it leaves opens, and the next refresh completes
it to the very rows of an undisturbed run.
"""

from __future__ import annotations

import hashlib
import os
import random
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.embedding.hashing import HashingEmbedder

FILES = 60
SEED = 7
SIZE = 1500
OTHER_SIZE = 200
"""Code points of a chunk, before and after a change of options."""

PROGRAM = """
import sys
import chunkwright as cw
from chunkwright.embedding.hashing import HashingEmbedder
from chunkwright.index import refreshing

refreshing.GROUP_FILES = 2  # many small transactions: many places to be killed in
root, folder, size = sys.argv[1:]
with cw.Index(root, HashingEmbedder(dim=64), {"size": int(size)}, index_dir=folder) as index:
    index.refresh(progress=lambda stage, done, total, path: print(stage, done, flush=True))
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Files of a few kinds, some with equal content."""
    root = tmp_path / "tree"
    draw = random.Random(SEED)  # noqa: S311  # test data
    for number in range(FILES):
        folder = root / f"part{number % 5}"
        folder.mkdir(parents=True, exist_ok=True)
        words = " ".join(draw.choice(("tide", "harbour", "ferry", "fog")) for _ in range(300))
        (folder / f"notes{number}.md").write_text(f"# Note {number % 7}\n\n{words}.\n", "utf-8")
        (folder / f"code{number}.py").write_text(
            f"def f{number}(a):\n    return a + {number}\n\n\nclass K:\n    pass\n", "utf-8"
        )
    return root


def start(tree: Path, folder: Path, size: int = SIZE) -> subprocess.Popen[str]:
    program = [sys.executable, "-c", PROGRAM, str(tree), str(folder), str(size)]
    return subprocess.Popen(program, stdout=subprocess.PIPE, text=True)


def finish(tree: Path, folder: Path, size: int = SIZE) -> None:
    with start(tree, folder, size) as process:
        process.communicate()
    assert process.returncode == 0


def rows(folder: Path) -> dict[str, Any]:
    """Everything an index says, whatever the history of its row numbers."""
    base = sqlite3.connect(f"file:{folder / 'index.db'}?mode=ro", uri=True)
    names = [
        name
        for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        if not name.startswith("sqlite_")
    ]
    counts = {name: base.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names}  # noqa: S608  # our own table names
    base.close()
    return {name: count for name, count in counts.items() if not name.startswith("words_")}


def told(tree: Path, folder: Path, size: int = SIZE) -> dict[str, Any]:
    """Chunks, answers and counts, through the front door."""
    with cw.Index(tree, HashingEmbedder(dim=64), {"size": size}, index_dir=folder) as index:
        status = index.status()
        queries = ("tide", "ferry fog", "f12", "class K", "note harbour")
        return {
            "chunks": [chunk.as_dict() for chunk in index.chunks()],
            "answers": [
                [(hit.chunk.id, hit.score, hit.reasons) for hit in index.search(query, k=20)]
                for query in queries
            ],
            "counts": (status.files, status.chunks, status.vectors, status.missing_vectors),
        }


def kill_at(tree: Path, folder: Path, lines: int, pause: float, size: int = SIZE) -> bool:
    """Kill a refresh `pause` seconds after it said so many lines; whether it was still alive."""
    with start(tree, folder, size) as process:
        assert process.stdout is not None
        for _ in range(lines):
            if not process.stdout.readline():
                break
        time.sleep(pause)
        was_alive = process.poll() is None
        process.kill()
        process.stdout.read()
    return was_alive


def check_kills(tree: Path, tmp_path: Path, kills: int) -> None:
    undisturbed = tmp_path / "undisturbed"
    finish(tree, undisturbed)
    expected, expected_rows = told(tree, undisturbed), rows(undisturbed)
    assert expected["counts"][1] == len(expected["chunks"]) > FILES
    draw = random.Random(SEED)  # noqa: S311  # moments to kill at
    alive = 0
    for number in range(kills):
        folder = tmp_path / f"killed{number}"
        for _ in range(2):  # and once more, while it recovers
            alive += kill_at(tree, folder, draw.randrange(1, 150), draw.random() * 0.01)
        finish(tree, folder)
        assert told(tree, folder) == expected
        assert rows(folder) == expected_rows
    assert alive >= kills, "most kills came too late to test anything"


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is of POSIX")
def test_a_killed_refresh_is_completed_by_the_next(tree: Path, tmp_path: Path) -> None:
    """A few random moments, twice each; the index equals an undisturbed one, answers included."""
    check_kills(tree, tmp_path, kills=2)


@pytest.mark.integration
@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is of POSIX")
def test_many_killed_refreshes_are_completed(tree: Path, tmp_path: Path) -> None:
    """The same at many moments."""
    check_kills(tree, tmp_path, kills=15)


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is of POSIX")
@pytest.mark.parametrize("last", [OTHER_SIZE, SIZE])
def test_a_killed_change_of_options_never_answers_from_a_mixture(
    tree: Path, tmp_path: Path, last: int
) -> None:
    """Half old, half new chunks: a search is refused, with both options, and the next refresh
    completes the change, or takes it back, to the rows of an undisturbed run."""
    undisturbed, killed = tmp_path / "undisturbed", tmp_path / "killed"
    finish(tree, undisturbed, last)
    finish(tree, killed, SIZE)
    assert kill_at(tree, killed, lines=70, pause=0.0, size=OTHER_SIZE)
    for size in (SIZE, OTHER_SIZE):
        with pytest.raises(cw.StaleIndexError, match="chunkwright index"):
            told(tree, killed, size)
    finish(tree, killed, last)
    assert told(tree, killed, last) == told(tree, undisturbed, last)


def test_two_undisturbed_runs_say_the_same(tree: Path, tmp_path: Path) -> None:
    """The comparison itself is fair: nothing in it depends on the run."""
    for name in ("one", "other"):
        finish(tree, tmp_path / name)
    one, other = told(tree, tmp_path / "one"), told(tree, tmp_path / "other")
    digest = [hashlib.sha256(repr(each).encode()).hexdigest() for each in (one, other)]
    assert digest[0] == digest[1]
