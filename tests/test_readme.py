"""The README is true: its Python (and that of the guides) runs, its console shows what the command
line prints, and its first commands work in a clean clone with a new environment.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
GUIDES = [
    (ROOT / "docs" / name).read_text("utf-8")
    for name in ("embedders.md", "evaluation.md", "memory.md")
]
BLOCK = re.compile(r"^```(?P<info>\w+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
PROMPT = "$ "

PYTHON = [
    match["body"]
    for text in (README, *GUIDES)
    for match in BLOCK.finditer(text)
    if match["info"] == "python"
]
CONSOLES = [match["body"] for match in BLOCK.finditer(README) if match["info"] == "console"]
INSTALLS = [body.strip() for body in CONSOLES if "pip install" in body]


def sessions() -> list[tuple[str, str]]:
    """(command, expected output) of every command that is shown with a prompt."""
    found = []
    for body in CONSOLES:
        for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """A folder with the README's example in it, and no index yet."""
    ignored = shutil.ignore_patterns(".chunkwright")
    shutil.copytree(ROOT / "docs" / "example", tmp_path / "docs" / "example", ignore=ignored)
    return tmp_path


def run(command: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a shell command with the `chunkwright` of this environment first on the path."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PATH": path, **environment},
    )


@pytest.mark.parametrize("code", PYTHON, ids=range(len(PYTHON)))
def test_python_that_is_shown_runs(code: str, example: Path) -> None:
    """Every Python block runs by itself, its assertions hold, and it warns of nothing."""
    program = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(program, cwd=example, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(("command", "output"), sessions())
def test_console_in_the_readme_is_what_is_printed(command: str, output: str, example: Path) -> None:
    """Every command shown with a prompt prints what is shown under it."""
    assert run(command, example).stdout == output


def test_the_readme_begins_with_its_two_commands() -> None:
    """The first two consoles are the main job and the tests, each on one line."""
    assert len(INSTALLS) >= 2
    assert INSTALLS[0] == CONSOLES[0].strip()
    assert INSTALLS[1] == CONSOLES[1].strip()
    assert all("\n" not in line for line in INSTALLS[:2])


@pytest.mark.integration
def test_the_main_job_in_a_clean_clone(tmp_path: Path) -> None:
    """The first command, as it stands, installs into a new environment and prints answers; asked
    again, it makes nothing anew and prints the same."""
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
    bare = {"PATH": os.environ["PATH"].removeprefix(f"{Path(sys.executable).parent}{os.pathsep}")}
    first = run(f"unset VIRTUAL_ENV; {INSTALLS[0]}", clone, PIP_QUIET="1", **bare)
    assert first.returncode == 0, first.stderr
    headings = [line for line in first.stdout.splitlines() if re.match(r"\S+:\d+-\d+", line)]
    assert len(headings) == 10
    assert any(line.startswith("src/chunkwright/chunking/") for line in headings)
    assert "texts embedded" in first.stderr
    search = INSTALLS[0].rpartition("&& ")[2]
    second = run(f". .venv/bin/activate && {search}", clone)
    assert second.stdout == first.stdout
    assert "nothing changed" in second.stderr or "embedded" not in second.stderr


@pytest.mark.integration
def test_what_the_readme_shows_in_a_clean_clone(tmp_path: Path) -> None:
    """The wheel alone, without the source tree on the path, prints what the README shows."""
    clone, environment = tmp_path / "clone", tmp_path / "environment"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
    subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
    subprocess.run([str(environment / "bin" / "pip"), "install", "-q", str(clone)], check=True)
    for command, output in sessions():
        shown = run(f"export PATH={environment / 'bin'}:$PATH; {command}", clone)
        assert (command, shown.stdout) == (command, output)
