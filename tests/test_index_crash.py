"""A process that is killed while it indexes: what it leaves opens, and the next refresh completes
it to the very rows of an undisturbed run.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import cycle, islice
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import chunkwright as cw
from chunkwright.embedding.hashing import HashingEmbedder
from crashing import NOT_WRITING

CRASHING = str(Path(__file__).with_name("crashing.py"))

FILES = 60
SEED = 7
SIZE = 1500
OLD = 1_600_000_000
"""Time of change of every file, in seconds: one that is young is looked at twice."""

OTHER_SIZE = 200
"""Code points of a chunk, before and after a change of options."""


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
    for path in root.rglob("*"):
        os.utime(path, (OLD, OLD))
    return root


def index_of(tree: Path, folder: Path, size: int = SIZE) -> cw.Index:
    return cw.Index(tree, HashingEmbedder(dim=64), {"size": size}, index_dir=folder)


def finish(tree: Path, folder: Path, size: int = SIZE) -> None:
    with index_of(tree, folder, size) as index:
        index.refresh()


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
    "meta": "SELECT key, value FROM meta WHERE key NOT IN ('birth', 'generation', 'sealed')"
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
    with index_of(tree, folder, size) as index:
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


class Moment(NamedTuple):
    """When to kill a process, at what work."""

    act: str
    """`refresh` (of nothing), `change` (of options), `rebuild` or `clean`."""
    stage: str
    number: int
    delay: int
    """Microseconds into the step, where it is one that lasts."""

    @property
    def is_writing(self) -> bool:
        return self.stage not in NOT_WRITING


LASTING = {"commit", "checkpoint", "copy"}
"""Stages that are killed in their midst."""

ACTS = ("refresh", "change", "rebuild", "clean")


def run_to(tree: Path, folder: Path, act: str, moment: Moment | None = None) -> Any:
    """Run a process to its end, or to the moment at which it dies; the steps it went through."""
    work = "refresh" if act == "change" else act
    size = OTHER_SIZE if act == "change" else SIZE
    when = [] if moment is None else [moment.stage, str(moment.number), str(moment.delay)]
    command = [sys.executable, CRASHING, str(tree), str(folder), str(size), work, *when]
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)
    assert done.returncode == (0 if moment is None else -signal.SIGKILL), (moment, done)
    return json.loads(done.stdout) if moment is None else None


def prepared(base: Path, folder: Path, act: str) -> Path:
    """The folder as it is before the act: with the index of `base`, or with none."""
    if act != "refresh":
        shutil.copytree(base, folder)
    return folder


def moments(tree: Path, base: Path, tmp_path: Path, count: int) -> list[Moment]:
    """Every act in turn, every stage of it in turn, a random step of that."""
    draw = random.Random(SEED)  # noqa: S311  # moments to kill at
    ways: dict[str, Iterator[tuple[str, int]]] = {}
    for act in ACTS:
        steps = run_to(tree, prepared(base, tmp_path / f"counted {act}", act), act)
        ways[act] = cycle(draw.sample(sorted(steps.items()), len(steps)))
    found = []
    for act in islice(cycle(ACTS), count):
        stage, steps = next(ways[act])
        delay = draw.randrange(2_000) if stage in LASTING else 0
        # The last step of a stage may be the last of all: then there is no time to wait for.
        number = draw.randint(1, max(1, steps - 1 if delay else steps))
        found.append(Moment(act, stage, number, delay))
    return found


def check_kills(tree: Path, tmp_path: Path, kills: int) -> None:
    """Kill at so many moments; each time what is left opens, and a refresh completes it."""
    expected = {}
    for size in (SIZE, OTHER_SIZE):
        finish(tree, tmp_path / f"undisturbed {size}", size)
        expected[size] = rows(tmp_path / f"undisturbed {size}")
        assert all(expected[size].values())
    base = tmp_path / f"undisturbed {SIZE}"
    done = moments(tree, base, tmp_path, kills)
    for number, moment in enumerate(done):
        folder = prepared(base, tmp_path / f"killed {number}", moment.act)
        run_to(tree, folder, moment.act, moment)
        size = OTHER_SIZE if moment.act == "change" else SIZE
        with index_of(tree, folder, size) as index:
            index.status()  # it opens, whatever was going on
            index.refresh()
            assert index.verify() == (), moment
        unused = {"vectors"} if moment.act == "change" else set()  # of the former options
        found = rows(folder)
        wrong = {name for name in found if found[name] != expected[size][name]} - unused
        assert not wrong, (moment, wrong, table(done[: number + 1]))
        shutil.rmtree(folder)
    writing = sum(moment.is_writing for moment in done)
    assert writing >= kills / 2, table(done)


def table(done: Sequence[Moment]) -> str:
    """How often each stage of each act was killed."""
    counts = Counter((moment.act, moment.stage) for moment in done)
    return "\n".join(f"{count:3} {act:8} {stage}" for (act, stage), count in counts.items())


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is of POSIX")
def test_a_killed_process_leaves_what_the_next_refresh_completes(
    tree: Path, tmp_path: Path
) -> None:
    """A few moments of refreshing, of a change of options, of rebuilding and of cleaning: the
    tables equal those of an undisturbed run, words and vectors included."""
    check_kills(tree, tmp_path, kills=8)


@pytest.mark.integration
@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is of POSIX")
def test_fifty_killed_processes_leave_what_the_next_refresh_completes(
    tree: Path, tmp_path: Path
) -> None:
    """The same at fifty moments, at least half of them while the index is being written."""
    check_kills(tree, tmp_path, kills=50)


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
    run_to(tree, killed, "change", Moment("change", "commit", 20, 0))
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
