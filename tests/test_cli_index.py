"""The commands that work with an index: what they print, what they leave on disk, how they end."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from chunkwright.cli import indexing
from chunkwright.types import RefreshReport
from command_line import Run


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder whose index uses the small deterministic embedder."""
    folder = tmp_path / "root"
    folder.mkdir()
    (folder / "chunkwright.toml").write_text('embedder = "hashing"\nexclude = ["*.toml"]\n')
    (folder / "ship.py").write_text("def anchor(rope):\n    return rope.lower()\n")
    (folder / "notes.md").write_text("# Harbour\n\nWhere ships lie.\n")
    return folder


def test_index_makes_an_index_and_says_so(run: Run, root: Path) -> None:
    """What was done is one line on stderr; stdout is for data; the second run has less to do."""
    assert run("index", root) == (0, "", "2 added, 2 texts embedded\n")
    assert (root / ".chunkwright" / "index.db").is_file()
    assert (root / ".chunkwright" / ".gitignore").read_text() == "*\n"
    assert run("index", root) == (0, "", "nothing changed\n")
    assert run("index", "-q", root) == (0, "", "")


def test_index_reports_as_json(run: Run, root: Path) -> None:
    """`--json` prints the whole report on stdout."""
    run("index", root)
    (root / "ship.py").unlink()
    (root / "deck.py").write_text("def capstan():\n    return 1\n")
    (report,) = run("index", "--json", root).objects

    assert (report["added"], report["removed"]) == (["deck.py"], ["ship.py"])


def test_a_late_index_is_embedded_when_asked(run: Run, root: Path) -> None:
    """`--late` embeds nothing and is remembered; a search embeds what it finds, `--embed` all."""
    assert run("index", root, "--late") == (0, "", "2 added\n")
    assert run("index", root) == (0, "", "nothing changed\n")
    (facts,) = run("status", root, "--json").objects
    assert (facts["late"], facts["vectors"], facts["missing_vectors"]) == (True, 0, 2)
    assert run("search", "anchor", root).out.startswith("ship.py:1-2  anchor")
    assert run("index", root, "--embed") == (0, "", "nothing changed, 1 text embedded\n")
    (facts,) = run("status", root, "--json").objects
    assert (facts["late"], facts["vectors"], facts["missing_vectors"]) == (True, 2, 0)
    (root / "deck.py").write_text("def capstan():\n    return 1\n")
    assert run("index", root, "--no-late") == (0, "", "1 added, 1 text embedded\n")
    (facts,) = run("status", root, "--json").objects
    assert facts["late"] is False


def test_index_can_lie_elsewhere(run: Run, root: Path, tmp_path: Path) -> None:
    """`--index-dir` leaves the folder itself untouched, for every command."""
    place = tmp_path / "elsewhere"
    before = sorted(root.iterdir())
    assert run("index", root, "--index-dir", place).code == 0
    assert sorted(root.iterdir()) == before
    assert run("search", "anchor", root, "--index-dir", place).out.startswith("ship.py:1-2  anchor")
    (facts,) = run("status", root, "--json", "--index-dir", place).objects
    assert facts["files"] == 2
    assert run("clean", root, "--index-dir", place).code == 0
    assert not place.exists()


def test_search_makes_the_index_and_answers(run: Run, root: Path) -> None:
    """One command from nothing to an answer: place, symbol and snippet on stdout, plain."""
    ran = run("search", "anchor", root)

    assert ran.code == 0
    assert ran.out.startswith(
        "ship.py:1-2  anchor\n    def anchor(rope):\n        return rope.lower()\n"
    )
    index_line, asked = ran.err.splitlines()
    assert index_line == "index: 2 added, 2 texts embedded"
    assert f" for 'anchor' in {root} (" in asked


def test_search_sees_what_changed_unless_asked_not_to(run: Run, root: Path) -> None:
    """The index is refreshed first; `--no-refresh` takes it as it is."""
    run("index", root)
    (root / "deck.py").write_text("def capstan():\n    return 1\n")

    stale = run("search", "--no-refresh", "--embedder", "hashing", "capstan", root)
    assert "deck.py" not in stale.out
    assert run("search", "capstan", root).out.startswith("deck.py:1-2  capstan\n")


def test_search_as_json_is_one_answer_a_line(run: Run, root: Path) -> None:
    """Rank, score, reasons that sum to it, and the chunk with its id."""
    answers = run("search", "--json", "-k", "1", "anchor", root).objects

    assert [answer["rank"] for answer in answers] == [1]
    (answer,) = answers
    assert answer["chunk"]["path"] == "ship.py"
    assert len(answer["chunk"]["id"]) == 32
    assert sum(answer["reasons"].values()) == pytest.approx(answer["score"])


def test_search_can_be_limited(run: Run, root: Path) -> None:
    """By path pattern, by language, by kind of chunk."""
    (root / "anchor.md").write_text("# Anchor\n\nThe anchor holds.\n")

    def paths(*filters: str) -> set[str]:
        ran = run("search", "--json", *filters, "anchor", root)
        return {answer["chunk"]["path"] for answer in ran.objects}

    assert {"ship.py", "anchor.md"} <= paths()
    assert paths("--path", "*.py") == {"ship.py"}
    assert paths("--language", "markdown") <= {"anchor.md", "notes.md"}
    assert "ship.py" not in paths("--kind", "section")


def test_nothing_found_is_exit_code_1(run: Run, root: Path) -> None:
    """An honest empty answer: no output, a word on stderr."""
    ran = run("search", "--embedder", "none", "zzzyyy", root)

    assert (ran.code, ran.out) == (1, "")
    assert ran.err.splitlines()[-1] == f"nothing found for 'zzzyyy' in {root}; try other words"


@pytest.mark.parametrize("query", ["", "   ", "\t\n", "\u3000\u200a"])
def test_a_blank_query_is_exit_code_1(run: Run, root: Path, query: str) -> None:
    """Nothing can be found, so nothing is indexed for it either."""
    ran = run("search", query, root)

    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("error: the query is blank")
    assert not (root / ".chunkwright").exists()


@pytest.mark.parametrize(
    "query", ['"', "a AND", "NEAR(", "col:x", "*", "-", "'; DROP", "日本", "\x00", "a\udcff"]
)
def test_any_query_is_safe_to_ask(run: Run, root: Path, query: str) -> None:
    """Operators of the search engine, NUL and broken Unicode are text to look for."""
    ran = run("search", "--", query, root)

    assert ran.code in {0, 1}
    assert "error" not in ran.err


def test_status_says_what_there_is(run: Run, root: Path) -> None:
    """One fact a line, or JSON; also where there is no index yet, which is no error."""
    assert "exists           False" in run("status", root).out
    run("index", root)
    facts = dict(line.split(None, 1) for line in run("status", root).out.splitlines())
    assert (facts["files"], facts["chunks"], facts["exists"]) == ("2", "2", "True")
    (asked,) = run("status", "--json", root).objects
    assert (asked["files"], asked["embedder"]) == (2, "hashing-64")


def test_searching_without_an_index_is_exit_code_4(run: Run, root: Path) -> None:
    """The message says what to run."""
    ran = run("search", "--no-refresh", "anchor", root)

    assert (ran.code, ran.out) == (4, "")
    assert ran.err.startswith("error: ")
    assert "chunkwright index" in ran.err


def test_another_embedder_is_exit_code_4(run: Run, root: Path) -> None:
    """An index of one embedder cannot answer for another; rebuilding helps."""
    run("index", root)
    ran = run("search", "--embedder", "none", "anchor", root)
    assert (ran.code, ran.out) == (4, "")
    assert "chunkwright index --rebuild" in ran.err

    assert run("index", "--rebuild", "--embedder", "none", root).code == 0
    assert run("search", "--embedder", "none", "anchor", root).code == 0


def test_an_unknown_embedder_is_wrong_usage(run: Run, root: Path) -> None:
    """The nearest name is in the message."""
    ran = run("index", "--embedder", "hashin", root)

    assert (ran.code, ran.out) == (2, "")
    assert "did you mean 'hashing" in ran.err
    assert not (root / ".chunkwright").exists()


def test_a_damaged_index_is_exit_code_4_and_can_be_rebuilt(run: Run, root: Path) -> None:
    """No traceback; the message says what to run, and that helps."""
    run("index", root)
    for file in (root / ".chunkwright").glob("index.db*"):
        file.write_bytes(b"not a database, but long enough to be read as one" * 100)

    ran = run("search", "anchor", root)
    assert (ran.code, ran.out) == (4, "")
    assert "--rebuild" in ran.err
    assert run("index", "--rebuild", root).code == 0
    assert run("search", "anchor", root).code == 0


@pytest.mark.parametrize("command", ["index", "status", "clean", "search"])
def test_a_root_that_is_no_folder_is_wrong_usage(run: Run, root: Path, command: str) -> None:
    """A missing folder and a file are both named, whatever the command."""
    words = ["anchor"] if command == "search" else []
    for wrong, reason in (("nowhere", "there is no such folder"), ("ship.py", "this is a file")):
        ran = run(command, *words, root / wrong)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err == f"error: {root / wrong}: {reason}; give a folder that exists\n"


def test_clean_removes_the_index_and_nothing_else(run: Run, root: Path) -> None:
    """Files that are not of the index stay, and so does their folder."""
    run("index", root)
    (root / ".chunkwright" / "mine.txt").write_text("mine")
    assert run("clean", root).err == (
        f"removed the index in {root / '.chunkwright'} (other files are left there)\n"
    )
    assert [path.name for path in (root / ".chunkwright").iterdir()] == ["mine.txt"]
    assert run("clean", root) == (0, "", f"no index in {root / '.chunkwright'}\n")


def test_clean_does_not_touch_what_is_no_index(run: Run, root: Path, tmp_path: Path) -> None:
    """A folder with a database of somebody else's is left as it is."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "index.db").write_text("theirs")
    assert run("clean", root, "--index-dir", other).code == 0
    assert (other / "index.db").read_text() == "theirs"


def test_clean_does_not_take_an_index_from_its_writer(run: Run, root: Path) -> None:
    """While another process writes, its pid is named and everything stays."""
    run("index", root)
    folder = root / ".chunkwright"
    before = sorted(path.name for path in folder.iterdir())
    hold = (
        "import sys, pathlib; from chunkwright.store import Store\n"
        "with Store(pathlib.Path(sys.argv[1])).locked():\n"
        "    print('held', flush=True); sys.stdin.readline()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", hold, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        ran = run("clean", root)
        assert (ran.code, ran.out) == (4, "")
        assert f"pid {process.pid}" in ran.err
        assert sorted(path.name for path in folder.iterdir()) == before
        process.kill()
    assert run("clean", root).code == 0
    assert not folder.exists()


def test_clean_leaves_a_gitignore_of_somebody_else(run: Run, root: Path, tmp_path: Path) -> None:
    """In a folder with other things in it."""
    place = tmp_path / "shared"
    place.mkdir()
    (place / ".gitignore").write_text("*.log\n")
    run("index", root, "--index-dir", place)
    assert run("clean", root, "--index-dir", place).code == 0
    assert [path.name for path in place.iterdir()] == [".gitignore"]


def test_clean_refuses_a_database_of_another_program(run: Run, root: Path) -> None:
    """It says so, and removes nothing."""
    run("index", root)
    database = root / ".chunkwright" / "index.db"
    database.unlink()
    base = sqlite3.connect(database)
    base.executescript("CREATE TABLE one (a); CREATE TABLE other (b);")
    base.close()
    ran = run("clean", root)
    assert ran.code == 4
    assert "is not an index" in ran.err
    assert database.exists()


def test_verify_says_whether_the_index_is_whole(run: Run, root: Path) -> None:
    """Exit code 0 and a line on stderr, or 4 and one problem a line on stdout, as text or JSON."""
    assert run("verify", root).code == 4
    run("index", root)
    assert run("verify", root) == (0, "", "the index is whole\n")
    assert run("verify", "-q", root) == (0, "", "")
    database = root / ".chunkwright" / "index.db"
    content = bytearray(database.read_bytes())
    content[-100] ^= 4
    database.write_bytes(content)
    ran = run("verify", root)
    assert ran.code == 4
    assert ran.out.startswith("index.db: 1 of ")
    assert "chunkwright index --rebuild" in ran.err
    (problem, *_) = run("verify", "--json", root).objects
    assert problem["place"] == "index.db"


def test_index_verify_reads_every_file(run: Run, root: Path) -> None:
    """A change that kept size and time is found then."""
    for path in root.iterdir():
        os.utime(path, (10**9, 10**9))
    run("index", root)
    (root / "notes.md").write_text("# Harbour\n\nWhere boats lie.\n")
    os.utime(root / "notes.md", (10**9, 10**9))
    assert run("index", root).err == "nothing changed\n"
    assert run("index", "--verify", root).err == "1 changed, 1 text embedded\n"


def test_failed_files_are_listed_and_exit_code_3(
    run: Run, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest is indexed and answers; each file that failed is a line on stderr."""
    from chunkwright import pipeline

    cut = pipeline.chunk

    def failing(document: Any, *rest: Any, **options: Any) -> Any:
        if document.path == "bad.py":
            raise RuntimeError("cannot be cut")
        return cut(document, *rest, **options)

    monkeypatch.setattr(pipeline, "chunk", failing)
    (root / "bad.py").write_text("x = 1\n")
    ran = run("index", root)
    assert ran.code == 3
    assert ran.err.splitlines() == [
        "error: bad.py: RuntimeError: cannot be cut",
        "2 added, 1 failed, 2 texts embedded",
    ]
    found = run("search", "anchor", root)
    assert found.code == 3
    assert found.out.startswith("ship.py:1-2")


def test_a_skipped_file_is_no_failure(run: Run, root: Path) -> None:
    """Secrets and binaries are left out on purpose: exit code 0, named with `-v`."""
    (root / ".env").write_text("TOKEN=abc123\n")
    ran = run("index", "-v", root)

    assert ran.code == 0
    assert ".env: skipped: secret" in ran.err
    assert "abc123" not in ran.err
    assert run("search", "abc123", root).out.count("abc123") == 0


def test_a_summary_names_what_happened() -> None:
    """Only what is not zero is said; a refresh that changed nothing says so."""
    skipped = (("a", "secret", ""),)
    assert indexing.summary(RefreshReport(skipped=skipped)) == "nothing changed, 1 skipped"
    report = RefreshReport(
        added=("a",) * 1200, changed=("b",), renamed=("c",), removed=("d",), embedded=4321
    )
    assert indexing.summary(report) == (
        "1,200 added, 1 changed, 1 renamed, 1 removed, 4,321 texts embedded"
    )


def test_the_index_never_indexes_itself(run: Run, root: Path) -> None:
    """Nor anything of git's."""
    run("index", root)
    run("index", root)
    database = sqlite3.connect(root / ".chunkwright" / "index.db")
    paths = [path for (path,) in database.execute("SELECT path FROM files ORDER BY path")]
    database.close()

    assert paths == ["notes.md", "ship.py"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
def test_an_interrupt_leaves_a_usable_index(root: Path) -> None:
    """Ctrl-C: exit code 130, a line that says so, no traceback; the next run completes it."""
    for number in range(1500):
        (root / f"{number}.py").write_text(f"def f{number}(a):\n    return a + {number}\n" * 20)
    command = [sys.executable, "-m", "chunkwright", "index", str(root)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        _wait_for(root / ".chunkwright" / "index.db-wal")
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)

    assert process.returncode == 130
    assert "Traceback" not in said
    assert said.startswith("error: interrupted: what was done is kept; `chunkwright index ")
    subprocess.run([*command, "-q"], check=True)
    done = subprocess.run(
        [sys.executable, "-m", "chunkwright", "status", "--json", str(root)],
        capture_output=True,
        check=True,
    )
    assert json.loads(done.stdout)["files"] == 1502


def _wait_for(path: Path) -> None:
    deadline = time.monotonic() + 30
    while not (path.exists() and path.stat().st_size > 100_000):
        assert time.monotonic() < deadline, f"{path} did not grow"
        time.sleep(0.02)


def test_front_matter_and_namespace_are_filters(run: Run, tmp_path: Path) -> None:
    """`--where` and `--namespace` choose what may answer; a condition without a value is wrong."""
    for name, status in (("a", "draft"), ("b", "done"), ("c", "lost")):
        text = f"---\nstatus: {status}\n---\nThe tide of note {name}.\n"
        (tmp_path / f"{name}.md").write_text(text, encoding="utf-8")

    def found(*flags: str) -> list[str]:
        ran = run("search", "tide", tmp_path, "--json", *flags)
        return sorted(answer["chunk"]["path"] for answer in ran.objects)

    assert found("--where", "status=draft") == ["a.md"]
    assert found("--where", "status=draft", "--where", "status=done") == ["a.md", "b.md"]
    assert found("--namespace", "") == ["a.md", "b.md", "c.md"]
    assert found("--namespace", "entries") == []
    assert run("search", "tide", tmp_path, "--where", "status").code == 2


@pytest.mark.parametrize("command", ["index", "status", "clean"])
def test_an_empty_index_dir_is_refused(
    run: Run, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """As a shell gives it for a variable that is not set: it would mean the working folder."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    ran = run(command, root, "--index-dir", "")
    assert (ran.code, ran.out) == (2, "")
    assert "--index-dir='' is not allowed" in ran.err
    assert list(Path().iterdir()) == []
    assert not (root / ".chunkwright").exists()
