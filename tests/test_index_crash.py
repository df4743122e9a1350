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
from contextlib import suppress
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


QUERIES = {
    "files": "SELECT path, size, content_hash, language, status, reason, rule, fingerprint,"
    " details FROM files ORDER BY path",
    "chunks": "SELECT chunks.id, path, position, chunks.language, kind, parent, text_hash, body"
    " FROM chunks JOIN files ON files.id = chunks.file ORDER BY chunks.id",
    "words": "SELECT chunks.id, words.text, parts, words.path, names"
    " FROM words LEFT JOIN chunks ON chunks.row = words.rowid ORDER BY chunks.id",
    "terms": "SELECT term, col, chunks.id, terms.offset"
    " FROM temp.terms LEFT JOIN chunks ON chunks.row = terms.doc"
    " ORDER BY term, col, chunks.id, terms.offset",
    "vectors of chunks": "SELECT chunks.id, model, complete, vector"
    " FROM chunks LEFT JOIN vectors ON hash = text_hash ORDER BY chunks.id, model",
    "vectors": "SELECT hash, model, complete, vector FROM vectors ORDER BY hash, model",
    "meta": "SELECT key, value FROM meta WHERE key NOT IN ('birth', 'generation', 'refreshed')"
    " ORDER BY key",
    "counts": "SELECT (SELECT count(*) FROM chunks), (SELECT count(*) FROM words)",
}
"""Every row of every table, without what numbers rows and counts commits: that is history."""


def rows(folder: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Everything an index holds, whatever the history of its row numbers."""
    base = sqlite3.connect(folder / "index.db")
    base.execute("CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, words, instance)")
    found = {name: base.execute(query).fetchall() for name, query in QUERIES.items()}
    sound = base.execute("PRAGMA integrity_check").fetchall()
    base.execute("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")
    base.close()
    assert sound == [("ok",)]
    return found


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
    assert all(expected_rows.values())
    assert expected["counts"][1] == len(expected["chunks"]) > FILES
    draw = random.Random(SEED)  # noqa: S311  # moments to kill at
    alive = 0
    for number in range(kills):
        folder = tmp_path / f"killed{number}"
        for _ in range(2):  # and once more, while it recovers
            alive += kill_at(tree, folder, draw.randrange(1, 150), draw.random() * 0.01)
        finish(tree, folder)
        assert told(tree, folder) == expected
        for name, found in rows(folder).items():
            assert found == expected_rows[name], name
    assert alive >= kills, "most kills came too late to test anything"


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is of POSIX")
def test_a_killed_refresh_is_completed_by_the_next(tree: Path, tmp_path: Path) -> None:
    """A few random moments, twice each; the index equals an undisturbed one, answers included."""
    check_kills(tree, tmp_path, kills=3)


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
    unused = {"vectors"}  # those of the other size may be kept for a while
    one, other = rows(killed), rows(undisturbed)
    assert {name for name in one if one[name] != other[name]} <= unused


PLAIN = """
import sys
import chunkwright as cw

root, folder = sys.argv[1:]
with cw.Index(root, "hashing", index_dir=folder) as index:
    index.refresh()
"""


def run_plainly(tree: Path, folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", PLAIN, str(tree), str(folder)])


def grown(folder: Path) -> int:
    """Bytes of the database and of its log."""
    sizes = 0
    for name in ("index.db", "index.db-wal"):
        with suppress(FileNotFoundError):
            sizes += (folder / name).stat().st_size
    return sizes


def kill_when_grown(tree: Path, folder: Path, size: int) -> bool:
    with run_plainly(tree, folder) as process:
        while process.poll() is None and grown(folder) < size:
            time.sleep(0.0005)
        was_alive = process.poll() is None
        process.kill()
    return was_alive


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is of POSIX")
def test_a_refresh_killed_while_its_file_grows_is_completed(tree: Path, tmp_path: Path) -> None:
    """From the first byte on, with transactions as large as they are in use."""
    undisturbed = tmp_path / "undisturbed"
    with run_plainly(tree, undisturbed) as process:
        process.communicate()
    expected = rows(undisturbed)
    alive = 0
    for size in (1, 200_000):
        folder = tmp_path / f"killed{size}"
        alive += kill_when_grown(tree, folder, size)
        with run_plainly(tree, folder) as process:
            process.communicate()
        for name, found in rows(folder).items():
            assert found == expected[name], name
    assert alive, "all kills came too late to test anything"


def test_two_undisturbed_runs_say_the_same(tree: Path, tmp_path: Path) -> None:
    """The comparison itself is fair: nothing in it depends on the run."""
    for name in ("one", "other"):
        finish(tree, tmp_path / name)
    one, other = told(tree, tmp_path / "one"), told(tree, tmp_path / "other")
    digest = [hashlib.sha256(repr(each).encode()).hexdigest() for each in (one, other)]
    assert digest[0] == digest[1]
