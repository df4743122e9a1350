"""The command line without an index: what each command prints where, and its exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

import chunkwright
from chunkwright.cli import reference
from chunkwright.types import Chunk
from command_line import Ran, Run

PYTHON = "import os\n\n\ndef first(a):\n    return a\n\n\ndef second(b):\n    return b\n"
MARKDOWN = "# Title\r\n\r\nSome words.\r\n\r\n## Part\r\n\r\nMore 日本 words."


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A folder with code, prose, and what must not be read."""
    root = tmp_path / "tree"
    (root / "docs").mkdir(parents=True)
    (root / "a.py").write_bytes(PYTHON.encode())
    (root / "docs" / "b.md").write_bytes(MARKDOWN.encode())
    (root / "docs" / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    (root / ".env").write_text("TOKEN=abc123\n")
    (root / "empty.txt").write_text("")
    (root / ".gitignore").write_text("*.log\n")
    (root / "noise.log").write_text("noise\n")
    return root


def by_path(ran: Ran) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for line in ran.objects:
        found.setdefault(line["path"], []).append(line)
    return found


# chunk


def test_chunk_prints_every_field_of_every_chunk(run: Run, tree: Path) -> None:
    """One JSON object a chunk: the fields of Chunk, its id and its content hash."""
    ran = run("chunk", tree)

    assert (ran.code, ran.err) == (0, ran.err)
    assert {"a.py", "docs/b.md"} <= set(by_path(ran)) <= {"a.py", "docs/b.md", ".gitignore"}
    for fields in ran.objects:
        assert set(fields) == {*Chunk.__struct_fields__, "id", "content_hash"}
    texts = {"a.py": PYTHON, "docs/b.md": MARKDOWN}
    for path, text in texts.items():
        for fields in by_path(ran)[path]:
            assert text[fields["start"] : fields["end"]] == fields["text"]


def test_chunk_prints_what_the_library_gives(run: Run, tree: Path) -> None:
    """The command line adds nothing and leaves nothing out."""
    expected = [chunk.as_dict() for made in chunkwright.chunk_tree(tree) for chunk in made]

    assert run("chunk", tree).objects == json.loads(json.dumps(expected))


def test_chunk_adds_the_embed_text_when_asked(run: Run, tree: Path) -> None:
    """`--embed-text` adds the descriptive line and the text."""
    (fields, *_) = by_path(run("chunk", "--embed-text", tree))["a.py"]

    assert fields["embed_text"].startswith("language: python. file: a.py.")
    assert fields["embed_text"].endswith(fields["text"])


def test_chunk_takes_any_mixture_of_files_and_folders(
    run: Run, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Paths are relative to the working folder where it holds them all."""
    monkeypatch.chdir(tree)

    assert set(by_path(run("chunk", "docs", "a.py"))) == {"a.py", "docs/b.md"}
    assert set(by_path(run("chunk", "docs/b.md"))) == {"docs/b.md"}
    assert set(by_path(run("chunk", "docs"))) == {"b.md"}


def test_chunk_takes_paths_from_their_common_folder(
    run: Run, tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the working folder does not hold them, the nearest folder that does is the root."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)

    assert set(by_path(run("chunk", tree / "docs", tree / "a.py"))) == {"a.py", "docs/b.md"}
    assert set(by_path(run("chunk", tree / "a.py"))) == {"a.py"}
    ran = run("chunk", "--root", tmp_path, tree / "a.py")
    assert set(by_path(ran)) == {"tree/a.py"}


def test_a_path_given_twice_is_cut_once(run: Run, tree: Path) -> None:
    """Ids stay unique when a file is named and its folder too."""
    ran = run("chunk", "--root", tree, tree / "a.py", tree, tree / "a.py")

    ids = [fields["id"] for fields in ran.objects]
    assert len(ids) == len(set(ids))


def test_chunk_passes_its_options_on(run: Run, tree: Path) -> None:
    """Size, measure, granularity, overlap and the header do what they do in Python."""
    ran = run("chunk", "--size", 20, "--measure", "bytes", "--overlap", 0, tree)
    assert all(len(fields["text"].encode()) <= 20 for fields in ran.objects)

    ran = run("chunk", "--granularity", "symbol", "--no-file-header", tree / "a.py")
    assert [fields["name"] for fields in ran.objects if fields["kind"] == "symbol"] == [
        "first",
        "second",
    ]
    assert not [fields for fields in ran.objects if fields["kind"] == "file_header"]


def test_flags_win_over_the_configuration_file(run: Run, tree: Path) -> None:
    """The file of the root counts, a flag counts more."""
    (tree / "chunkwright.toml").write_text('size = 20\nexclude = ["docs/"]\n')

    ran = run("chunk", tree)
    assert max(len(fields["text"]) for fields in ran.objects) <= 20
    assert "docs/b.md" not in by_path(ran)
    assert max(len(fields["text"]) for fields in run("chunk", tree, "--size", 40).objects) > 20


def test_chunk_as_text_is_readable(run: Run, tree: Path) -> None:
    """`--format text`: where and what each chunk is, then its lines."""
    ran = run("chunk", "--format", "text", "--granularity", "symbol", tree / "a.py")

    assert "a.py:4-5  symbol  first  " in ran.out
    assert "\n    def first(a):\n        return a\n\n" in ran.out


def test_chunk_never_prints_a_secret_or_what_is_ignored(run: Run, tree: Path) -> None:
    """Neither is read; the secret is named as skipped when details are asked for."""
    ran = run("chunk", "-v", tree)

    assert "abc123" not in ran.out + ran.err
    assert "noise" not in ran.out
    assert ".env: skipped: " in ran.err
    assert ran.code == 0


def test_a_named_file_that_is_left_out_is_said(run: Run, tree: Path) -> None:
    """Who names a file is told why there is nothing of it; who names its folder can ask."""
    ran = run("chunk", "--root", tree, tree / "docs" / "picture.png", tree / ".env")

    assert (ran.code, ran.out) == (0, "")
    picture, secret = ran.err.splitlines()[:2]
    assert picture == "warning: docs/picture.png: skipped: binary: *.png"
    assert secret.startswith("warning: .env: skipped: secret: ")


def test_a_named_file_is_wanted_though_ignored(run: Run, tree: Path) -> None:
    """Ignore files speak of folders that are walked, not of what somebody names."""
    assert set(by_path(run("chunk", tree / "noise.log"))) == {"noise.log"}


def test_ignored_files_are_cut_when_asked(run: Run, tree: Path) -> None:
    """`--no-ignore` reads what an ignore file leaves out."""
    assert "noise.log" in by_path(run("chunk", "--no-ignore", tree))


def test_chunk_streams(tree: Path) -> None:
    """Chunks are printed as they are made: a reader that stops early ends the run quietly."""
    for number in range(300):
        (tree / f"{number}.py").write_text(PYTHON * 20)
    command = [sys.executable, "-m", "chunkwright", "chunk", str(tree)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert json.loads(process.stdout.readline())["path"]
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_output_is_utf8_whatever_the_locale(tree: Path) -> None:
    """In the C locale too: data for programs has one encoding."""
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "chunkwright", "chunk", str(tree / "docs")]
    done = subprocess.run(command, capture_output=True, env=environment, check=True)

    lines = [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()]
    assert any("日本" in fields["text"] for fields in lines)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_output_that_cannot_be_written_is_one_line(tree: Path) -> None:
    """A full disk is no bug, and no answer either: one line, an exit code of its own."""
    command = [sys.executable, "-m", "chunkwright", "chunk", str(tree)]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)  # noqa: PLW1510  # it fails on purpose

    assert done.returncode == 74
    assert "error: the output cannot be written: " in done.stderr
    assert "Traceback" not in done.stderr


# wrong usage


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "Usage: chunkwright [OPTIONS] COMMAND"),
        (("serch", "x"), "error: no such command 'serch'; did you mean 'search'? see"),
        (
            ("chunk", "--sizes", "3", "."),
            "error: no such option: --sizes; did you mean --size? see",
        ),
        (("chunk",), "error: missing argument 'PATH'; see `chunkwright chunk --help`"),
        (("search", "-k", "0", "x"), "error: invalid value for '--count' / '-k'"),
        (("chunk", "--size", "0", "."), "error: size=0 is not allowed: give a whole number, 1"),
        (("chunk", "--size", "many", "."), "error: invalid value for '--size'"),
        (("chunk", "--measure", "miles", "."), "error: measure='miles' is not allowed: "),
        (("chunk", "--granularity", "x", "."), "error: granularity='x' is not allowed: give one"),
        (
            ("chunk", "--format", "xml", "."),
            "error: format='xml' is not allowed: give one of jsonl",
        ),
        (("chunk", "nowhere"), "error: nowhere: there is no such file or folder; check the path"),
        (("chunk", "--root", "nowhere", "."), "error: nowhere: there is no such folder; "),
        (("explain", "nowhere"), "error: nowhere: there is no such file or folder; check"),
        (("config", "show", "nowhere"), "error: nowhere: there is no such folder; "),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    """What is wrong and what would be right, on stderr; nothing on stdout; no traceback."""
    (tmp_path / "a.py").write_text(PYTHON)
    monkeypatch.chdir(tmp_path)

    ran = run(*arguments)

    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(said)
    assert ran.err.count("\n") == 1 or not arguments


def test_a_path_outside_the_root_is_wrong_usage(run: Run, tree: Path) -> None:
    """Neither `..` nor a link leads out of the root that was asked for."""
    ran = run("chunk", "--root", tree / "docs", tree / "a.py")

    assert (ran.code, ran.out) == (2, "")
    assert "lies outside the root" in ran.err
    assert ran.err.startswith("error: ")


def test_a_wrong_configuration_file_is_wrong_usage(run: Run, tree: Path) -> None:
    """The key, the file and the nearest key are in the one line."""
    (tree / "chunkwright.toml").write_text("siez = 3\n")
    ran = run("chunk", tree)

    assert (ran.code, ran.out) == (2, "")
    assert "chunkwright.toml: unknown key; did you mean 'size'?" in ran.err
    assert ran.err.count("\n") == 1


def test_an_interruption_while_a_class_is_made_is_one(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python 3.11 wraps it in an error of another kind, as libraries are loaded."""

    class Interrupted:
        def __set_name__(self, owner: type, name: str) -> None:
            raise KeyboardInterrupt

    def load(**_: object) -> int:
        type("Library", (), {"value": Interrupted()})
        return 0

    monkeypatch.setattr("chunkwright.cli.about.languages", load)
    ran = run("languages")
    assert (ran.code, ran.err.splitlines()) == (130, ["error: interrupted"])


def test_a_bug_has_an_exit_code_of_its_own(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A crash is never taken for `nothing found`: Python's own code for it would be 1."""

    def crash(*, as_json: bool) -> int:
        raise RuntimeError(f"boom {as_json}")

    monkeypatch.setattr("chunkwright.cli.about.languages", crash)
    ran = run("languages")

    assert ran.code == 70
    assert "RuntimeError: boom False" in ran.err
    assert ran.err.splitlines()[-1].startswith("error: this is a bug in chunkwright; ")


# the rest


def test_version_is_one_line(run: Run) -> None:
    """Alone, without loading the commands, and beside other options."""
    for arguments in (["--version"], ["-v", "--version"]):
        assert run(*arguments) == (0, f"chunkwright {version('chunkwright')}\n", "")


def test_version_loads_neither_typer_nor_rich() -> None:
    """What answers one line must be quick."""
    code = (
        "import sys; from chunkwright.cli import main; main(['--version']);"
        "print([name for name in ('typer', 'rich', 'numpy', 'tree_sitter') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.splitlines()[-1] == "[]"


def test_help_loads_no_room() -> None:
    """Help needs typer and nothing that cuts or searches."""
    code = (
        "import sys; from chunkwright.cli import main; main(['chunk', '--help']);"
        "print([name for name in ('rich', 'numpy', 'tree_sitter', 'regex') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.splitlines()[-1] == "[]"


def test_the_reference_is_current() -> None:
    """docs/cli.md is what the commands' help says now."""
    page = Path(__file__).parent.parent / "docs" / "cli.md"

    assert page.read_text("utf-8") == reference.markdown(), (
        "run `python -m chunkwright.cli.reference > docs/cli.md`"
    )


def test_explain_says_how_a_file_is_cut(run: Run, tree: Path) -> None:
    """One line a chunk: lines, kind, name, size, and why it ends where it does."""
    (tree / "a.py").write_text(PYTHON)
    ran = run("explain", tree / "a.py")

    heading, *rows = ran.out.splitlines()
    assert ran.code == 0
    assert heading.startswith("a.py: python, cut by tree-sitter-python")
    assert rows[0].split()[0] == "1-9"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        (".env", "secret"),
        ("docs/picture.png", "binary"),
        ("noise.log", "ignored"),
    ],
)
def test_explain_says_why_a_file_is_left_out(run: Run, tree: Path, path: str, reason: str) -> None:
    """The reason, the rule, and where it stands."""
    ran = run("explain", "--root", tree, tree / path)

    assert ran.code == 0
    assert ran.out.startswith(f"{path}: skipped: ")
    assert reason in ran.out
    assert reason != "ignored" or ".gitignore:1" in ran.out
    (facts,) = run("explain", "--json", "--root", tree, tree / path).objects
    assert (facts["path"], facts["kept"], facts["chunks"]) == (path, False, [])


def test_explain_as_json_has_every_chunk(run: Run, tree: Path) -> None:
    """The same facts for programs."""
    (facts,) = run("explain", "--json", tree / "docs" / "b.md").objects

    assert (facts["path"], facts["language"], facts["kept"]) == ("b.md", "markdown", True)
    assert [chunk["name"] for chunk in facts["chunks"]] == ["Title", "Part"]
    assert facts["chunks"][0]["start_line"] == 1


def test_languages_are_listed(run: Run) -> None:
    """Name, what cuts it, its files; as a table and as JSON lines."""
    ran = run("languages")
    rows = {line.split()[0]: line.split()[1] for line in ran.out.splitlines()}
    assert rows["python"] == "tree-sitter-python"
    assert rows["markdown"] == rows["html"] == "headings"
    assert rows["nim"] == "lines"

    facts = {row["name"]: row for row in run("languages", "--json").objects}
    assert facts["go"]["suffixes"] == [".go"]
    assert len(facts) == len(rows)


def test_config_show_prints_every_setting(run: Run, tree: Path) -> None:
    """As TOML with the file they come from, so that it can be pasted back."""
    told = '[embedder_options]\nquery_prefix = "find: "\n'
    (tree / "chunkwright.toml").write_text(f'size = 20\nexclude = ["docs/"]\n{told}')
    ran = run("config", "show", tree)

    assert ran.out.splitlines()[0] == f"# {tree / 'chunkwright.toml'}"
    assert "size = 20\n" in ran.out
    assert 'exclude = ["docs/"]\n' in ran.out
    assert "# overlap is not set\n" in ran.out
    assert tomllib.loads(ran.out)["embedder_options"] == {"query_prefix": "find: "}
    (facts,) = run("config", "show", "--json", tree).objects
    assert facts["settings"]["size"] == 20
    (facts,) = run("config", "show", "--json", tree / "docs").objects
    assert facts["file"] is None


def test_view_writes_one_page(run: Run, tree: Path, tmp_path: Path) -> None:
    """The page is written whole; without a name it goes to stdout."""
    report = tmp_path / "report.html"
    ran = run("view", tree, "-o", report)

    assert (ran.code, ran.out) == (0, "")
    assert f"wrote {report}" in ran.err
    assert report.read_text("utf-8").startswith("<!DOCTYPE html>")
    assert report.read_text("utf-8").endswith("</html>\n")
    assert run("view", tree).out == report.read_bytes().decode()


def test_view_to_a_place_that_cannot_be_written_is_wrong_usage(run: Run, tree: Path) -> None:
    """The place is named; no half page is left."""
    ran = run("view", tree, "-o", tree / "nowhere" / "report.html")

    assert ran.code == 2
    assert ran.err.startswith(f"error: {tree / 'nowhere' / 'report.html'}: ")


@pytest.mark.skipif(os.name == "nt", reason="descriptors are closed by a shell of POSIX")
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_what_goes_to_a_closed_stream_goes_nowhere(tmp_path: Path, closed: str) -> None:
    """As a job scheduler may start us: no crash, and no other file gets it."""
    (tmp_path / "note.md").write_text("# Fog\n\nAt noon.\n")
    line = f'exec "{sys.executable}" -m chunkwright chunk note.md {closed}'
    done = subprocess.run(
        ["/bin/sh", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert done.stderr == ""
    assert ("At noon." in done.stdout) == (">&-" not in closed.replace("2>&-", ""))
