"""`chunkwright eval`: what it prints where, for whom, and with which exit code."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from chunkwright.cli import app
from chunkwright.cli.evaluation_tables import LONGEST_NAME, WIDTH
from chunkwright.evaluation import Report, evaluate
from command_line import Run

MANUAL = "# Manual\n\nKeep it dry.\n" + "".join(
    f"\n## The {topic} watch\n\nWhoever looks after the {topic} reads this first. Then comes "
    "a walk around the deck, a look at the sky, a note in the log, and at last a mug of tea.\n"
    for topic in ("anchor", "berth", "cargo", "draught", "engine", "ferry")
)
QUESTIONS = [
    {
        "question": f"who reads about the {topic}",
        "path": "manual.md",
        "quote": f"looks after the {topic}",
    }
    for topic in ("anchor", "berth", "cargo", "draught", "engine", "ferry")
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A manual, a log, and a file that the configuration leaves out."""
    root = tmp_path / "ship"
    root.mkdir()
    (root / "manual.md").write_text(MANUAL, "utf-8")
    (root / "log.txt").write_text("Fog at noon. The horn was heard.\n" * 20, "utf-8")
    (root / "draft.md").write_text("# Draft\n", "utf-8")
    (root / "chunkwright.toml").write_text('exclude = ["draft.md", "chunkwright.toml"]\n')
    return root


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    file = tmp_path / "questions.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in QUESTIONS), "utf-8")
    return file


ASKED = ("--embedder", "hashing", "--sizes", "20,60", "--strategies", "auto,lines")


def test_a_report_is_a_table_and_sentences(run: Run, folder: Path, questions: Path) -> None:
    """A row for every strategy and size, the best and the baseline marked by signs, what it comes
    to in words; nothing on stderr."""
    ran = run("eval", folder, "--questions", questions, *ASKED, "--budget", 40)

    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    rows = [line[1:].split()[:2] for line in lines if line[:2] in {"  ", "> "}]
    for row in (["auto", "20"], ["auto", "60"], ["lines", "20"], ["lines", "60"]):
        assert rows.count(row) == 2
    assert sum(line.startswith("> ") for line in lines) == 2
    assert "* best of its column, ≈ may differ from the baseline (>) by chance" in ran.out
    assert " is best by recall within 40 tokens of retrieved text: " in ran.out
    assert "inside the noise of 6 questions." in ran.out or "more than chance." in ran.out
    assert lines[-1].startswith("With fewer than 50 questions")


def test_json_is_the_whole_report(run: Run, folder: Path, questions: Path) -> None:
    """One object, which reads back as what the library gives."""
    ran = run("eval", folder, "--questions", questions, *ASKED, "--json", "-k", 3, "--seed", 5)

    report = msgspec.json.decode(ran.out, type=Report)
    assert (report.corpus, report.files, report.questions) == (str(folder), 2, 6)
    assert (report.k, report.seed, report.search) == (3, 5, "vectors")
    assert [row.name for row in report.rows] == ["auto 20", "auto 60", "lines 20", "lines 60"]


def test_without_questions_the_cuts_are_measured(run: Run, folder: Path) -> None:
    """And it says what is not shown by that."""
    ran = run("eval", folder, "--sizes", "20,none", "--strategies", "auto")
    assert ran.code == 0
    assert "recall" not in ran.out
    assert [line.split()[1] for line in ran.out.splitlines()[2:4]] == ["20", "none"]
    assert "nothing here tells how well answers are found" in ran.out


def test_questions_can_be_made_and_kept(run: Run, folder: Path, tmp_path: Path) -> None:
    """Those that are written give the same report as those that were made."""
    kept = tmp_path / "kept.jsonl"
    made = run(
        "eval", folder, "--make-questions", "heading", "--save-questions", kept, *ASKED, "--json"
    )
    assert made.code == 0
    assert made.err == f"6 questions made of {folder}\nwrote them to {kept}\n"
    read = run("eval", folder, "--questions", kept, *ASKED, "--json")
    (first,), (second,) = made.objects, read.objects
    for one in (*first["rows"], *second["rows"]):
        del one["facts"]["embed_seconds"]
    assert first == second
    assert any(note.startswith("Heading questions show") for note in first["notes"])


def test_no_more_questions_are_made_than_are_wanted(run: Run, folder: Path) -> None:
    """Drawn by the seed."""
    ran = run("eval", folder, "--make-questions", "heading", "--limit", 2, *ASKED, "--json")
    assert ran.objects[0]["questions"] == 2


def test_the_embedder_is_that_of_the_folder(run: Run, folder: Path, questions: Path) -> None:
    """As configured, unless another is named; `none` leaves the cuts."""
    with (folder / "chunkwright.toml").open("a") as file:
        file.write('embedder = "hashing"\n')
    names = []
    for more in ((), ("--embedder", "static"), ("--embedder", "none")):
        ran = run("eval", folder, "--questions", questions, "--sizes", 50, "--json", *more)
        names.append((ran.objects[0]["embedder"], len(ran.objects[0]["rows"][0]["scores"])))
    assert names == [("hashing-64", 22), ("chunkwright-static-256", 22), ("", 1)]


def test_defaults_are_those_of_python() -> None:
    """Those of the command line are written once more, for the modules behind it are heavy."""
    command = inspect.signature(app.evaluate).parameters
    given = inspect.signature(evaluate).parameters
    shared = {"overlap", "baseline", "search", "budget", "seed", "unit"}
    assert {name: command[name].default for name in shared} == {
        name: given[name].default for name in shared
    }
    assert command["strategies"].default == ",".join(given["strategies"].default)
    assert command["sizes"].default == ",".join(map(str, given["sizes"].default))
    assert command["count"].default == given["k"].default


def test_a_page_is_written_whole(run: Run, folder: Path, questions: Path, tmp_path: Path) -> None:
    """Beside the table, and named on stderr."""
    page = tmp_path / "report.html"
    ran = run("eval", folder, "--questions", questions, *ASKED, "--html", page)
    assert ran.err == f"wrote {page}\n"
    assert page.read_text("utf-8").startswith("<!DOCTYPE html>")
    assert "lines" in ran.out


def test_verbose_shows_every_measure_with_its_interval(
    run: Run, folder: Path, questions: Path
) -> None:
    """One a line, with the difference to the baseline."""
    ran = run("eval", folder, "--questions", questions, *ASKED, "-v", "--baseline", "lines:20")
    assert "lines 20:" in ran.out
    measures = [line.split() for line in ran.out.splitlines() if line.startswith("    file_ndcg ")]
    assert len(measures) == 4
    assert {line[-1] for line in measures} <= {"better", "worse", "unclear", measures[2][-1]}


def test_tables_fit_whatever_a_strategy_is_called(
    run: Run, folder: Path, questions: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A long name loses its middle; a module of the working folder can be named."""
    (tmp_path / "quite_a_long_name_for_splitters.py").write_text(
        "def in_paragraphs(size):\n    return lambda text: text.split('\\n\\n')\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path])
    ran = run(
        "eval", folder, "--questions", questions, "--embedder", "hashing", "--sizes", "20,100000",
        "--strategies", "auto,quite_a_long_name_for_splitters:in_paragraphs",
    )  # fmt: skip
    assert ran.code == 0
    tables = [line for line in ran.out.splitlines() if line.startswith(("  ", "> ", "strategy"))]
    assert sum("quite_a_lon…paragraphs" in line for line in tables) == 4
    assert max(map(len, tables)) <= WIDTH
    assert len("quite_a_lon…paragraphs") == LONGEST_NAME


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--strategies", "recursiv"), "did you mean 'recursive'"),
        (("--sizes", "many"), "sizes='many' is not allowed: whole numbers"),
        (("--sizes", "0"), "1 or more"),
        (("--baseline", "auto:7"), "one of the rows: auto:100"),
        (("--unit", "tokenz"), "unit='tokenz'"),
        (("--questions", "nowhere.jsonl"), "nowhere.jsonl"),
        (("--questions", "log.txt"), "is read as JSON lines"),
        (("--make-questions", "headings"), "did you mean 'heading'"),
        (("--make-questions", "docstring"), "no question could be made of it"),
        (("--save-questions", "x.jsonl"), "used with --make-questions"),
        (("--make-questions", "heading", "--questions", "x"), "used without --questions"),
        (("--make-questions", "heading", "--search", "word"), "did you mean 'words'"),
        (("--make-questions", "heading", "--embedder", "statik"), "did you mean 'static'"),
        (("--embedder", "statik"), "did you mean 'static'"),
        (("--html", "nowhere/page.html"), "page.html: No such file or directory"),
        (("--html", "."), "Is a directory"),
    ],
)
def test_what_cannot_be_meant_is_one_line(
    run: Run,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    said: str,
) -> None:
    """Wrong usage, told on stderr with what would be right; nothing on stdout."""
    monkeypatch.chdir(folder)
    ran = run("eval", folder, *arguments)
    assert (ran.code, ran.out) == (2, "")
    (line,) = [line for line in ran.err.splitlines() if line.startswith("error: ")]
    assert said in line


def test_a_mistake_in_a_file_of_questions_is_told(run: Run, folder: Path, questions: Path) -> None:
    """By its line and its quote; it is wrong usage."""
    questions.write_text(json.dumps({**QUESTIONS[0], "quote": "no such words"}) + "\n")
    ran = run("eval", folder, "--questions", questions)
    assert (ran.code, ran.out) == (2, "")
    assert "no such words" in ran.err


def test_each_mistake_in_a_file_of_questions_has_a_line(
    run: Run, folder: Path, questions: Path
) -> None:
    """So that several can be read."""
    wrong = [{**QUESTIONS[0], "quote": "no\nsuch"}, {**QUESTIONS[1], "path": "manual.txt"}]
    questions.write_text("".join(json.dumps(one) + "\n" for one in wrong))
    first, second = run("eval", folder, "--questions", questions).err.splitlines()
    assert first.startswith(f"error: {questions}:1: ")
    assert second.startswith(f"error: {questions}:2: ")


def test_a_page_that_could_not_be_written_is_known_before_anything_is_done(
    run: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not after minutes, with the report lost: the splitter is not even made. What was at the
    place before is still there."""
    made = tmp_path / "made"
    (tmp_path / "telling.py").write_text(
        f"import pathlib\n\n\ndef split(size):\n    pathlib.Path({str(made)!r}).touch()\n"
        "    return lambda text: [text]\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    asked = ("eval", folder, "--strategies", "telling:split", "--html")
    assert run(*asked, tmp_path / "none" / "page.html").code == 2
    assert not made.exists()
    page = tmp_path / "page.html"
    page.write_text("old")
    assert run(*asked, page, "--baseline", "nothing").code == 2
    assert page.read_text() == "old"
    assert run(*asked, page).code == 0
    assert made.exists()
    assert [one.name for one in tmp_path.iterdir() if one.name.startswith(".")] == []


def test_what_a_splitter_prints_is_no_part_of_the_report(
    run: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes to stderr, so that JSON stays JSON."""
    (tmp_path / "chatty.py").write_text(
        "print('hello')\n\n\ndef split(size):\n    return lambda text: [text, print('cut')][:1]\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    ran = run("eval", folder, "--strategies", "chatty:split", "--sizes", "9", "--json")
    assert ran.code == 0
    assert len(ran.objects) == 1
    assert ran.err.splitlines()[:2] == ["hello", "cut"]


def test_what_is_not_in_the_table_is_not_explained(run: Run, tmp_path: Path) -> None:
    """A corpus of one chunk has nothing to keep whole, and no edit to survive."""
    (tmp_path / "note.txt").write_text("Fog at noon.\n")
    said = run("eval", tmp_path, "--sizes", "50").out
    assert "fragments: under a tenth of the cap" in said
    assert "whole: " not in said
    assert "edit keeps: " not in said


def test_a_corpus_that_is_not_there_is_told(run: Run, tmp_path: Path) -> None:
    """Or has no files."""
    assert run("eval", tmp_path / "nowhere").code == 2
    ran = run("eval", tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert "no file here that can be read" in ran.err


def test_an_interrupted_evaluation_leaves_nothing(folder: Path, tmp_path: Path) -> None:
    """Ctrl-C ends it with one line and 130; the temporary index is gone."""
    (tmp_path / "endless.py").write_text(
        "import os, signal\n\n"
        "def split(size):\n"
        "    def pieces(text):\n"
        "        if size > 20:\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "        return [text]\n"
        "    return pieces\n"
    )
    rest = tmp_path / "rest"
    rest.mkdir()
    done = subprocess.run(
        [
            sys.executable, "-m", "chunkwright", "eval", str(folder), "--strategies",
            "endless:split", "--sizes", "20,30", "--make-questions", "heading", "--search", "words",
            "-q", "--html", str(tmp_path / "page.html"),
        ],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(rest)},
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "error: interrupted\n")
    assert list(rest.iterdir()) == []
    assert not (tmp_path / "page.html").exists()
