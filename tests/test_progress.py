"""The progress bar: drawn on a terminal only, harmless, and gone when the work is done."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from chunkwright.cli import progress


class Terminal(io.StringIO):
    """A stream that says it is a terminal, as stderr does when somebody looks at it."""

    def isatty(self) -> bool:
        return True


def plain(drawn: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", drawn)


def drawn_by(*reports: tuple[str, int, int, str], quiet: bool = False) -> str:
    terminal = Terminal()
    with progress.shown(quiet=quiet, stream=terminal) as report:
        for one in reports:
            report(*one)
    return terminal.getvalue()


@pytest.fixture(autouse=True)
def wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A known width, and no variable that changes how a terminal is drawn on."""
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "120")


def test_files_and_chunks_are_counted_on_a_terminal() -> None:
    """Each stage has a bar with how many of how many, and the path at hand."""
    text = plain(drawn_by(("files", 3, 12, "src/a.py"), ("chunks", 4500, 0, "")))

    assert re.search(r"files .*3/12.*src/a\.py", text)
    assert re.search(r"chunks .*4,500", text)


def test_the_bar_is_wiped_away_at_the_end() -> None:
    """The last thing sent to the terminal erases the lines of the bar and shows the cursor."""
    drawn = drawn_by(("files", 1, 2, "a.py"))

    assert drawn.rstrip("\r\n").endswith("\x1b[2K")
    assert drawn.rindex("\x1b[?25h") > drawn.rindex("\x1b[?25l")


def test_the_bar_is_wiped_away_when_the_work_fails() -> None:
    """An interrupt leaves a usable terminal, with its cursor."""
    terminal = Terminal()

    def interrupted() -> None:
        with progress.shown(stream=terminal) as report:
            report("files", 1, 2, "a.py")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()

    drawn = terminal.getvalue()
    assert drawn.rindex("\x1b[?25h") > drawn.rindex("\x1b[?25l")


@pytest.mark.parametrize("stream", [io.StringIO(), None])
def test_nothing_is_drawn_where_nobody_looks(
    stream: io.StringIO | None, capsys: pytest.CaptureFixture[str]
) -> None:
    """A pipe, a file, or the captured stderr of a test gets not one character."""
    with progress.shown(stream=stream) as report:
        report("files", 1, 2, "a.py")

    assert (stream.getvalue() if stream else "") == ""
    assert capsys.readouterr() == ("", "")


def test_nothing_is_drawn_when_quiet() -> None:
    """`-q` silences the bar on a terminal too."""
    assert drawn_by(("files", 1, 2, "a.py"), quiet=True) == ""


def test_a_file_name_cannot_command_the_terminal() -> None:
    """Escape sequences and line ends in a path are shown, not obeyed; brackets are no markup."""
    drawn = drawn_by(("files", 1, 2, "a\x1b]0;title\x07\r\n[bold]b.py"))

    assert "\x1b]0" not in drawn
    assert "\x07" not in drawn
    assert "a␛]0;title␇ [bold]b.py" in plain(drawn)


def test_a_stage_that_starts_again_goes_on_in_its_bar() -> None:
    """Reports of one stage move one bar, also when its total becomes known later."""
    text = plain(drawn_by(("files", 1, 0, ""), ("files", 5, 0, ""), ("files", 6, 9, "")))

    assert "6/9" in text


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals")
def test_indexing_draws_on_a_terminal_and_leaves_stdout_alone(tmp_path: Path) -> None:
    """The real command with a terminal as stderr: a bar of files, and clean data on stdout."""
    (tmp_path / "chunkwright.toml").write_text('embedder = "hashing"\n')
    for number in range(50):
        (tmp_path / f"{number}.py").write_text("x = 1\n")
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "chunkwright", "index", "--json", str(tmp_path)]
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=theirs, env=environment
    ) as process:
        os.close(theirs)
        drawn = plain(_all_of(ours))
        assert process.stdout is not None
        report = json.loads(process.stdout.read())
    assert process.returncode == 0
    assert len(report["added"]) == 51
    assert re.search(r"files .*51/51", drawn)
    assert "51 added" in drawn


def _all_of(handle: int) -> str:
    """What is written to a pseudo-terminal until its other end is closed (an error on Linux)."""
    parts = []
    with suppress(OSError):
        while part := os.read(handle, 65_536):
            parts.append(part)
    os.close(handle)
    return b"".join(parts).decode()
