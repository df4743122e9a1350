"""A progress bar on stderr, for what lasts; nothing at all where nobody looks at stderr.

What is counted is said by the one who does the work, through `Report`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from chunkwright.cli import printing

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

Report = Callable[[str, int, int, str], None]
"""(stage, done, total, path): a total of 0 is one that is not known."""


def silent(_stage: str, _done: int, _total: int, _path: str) -> None:
    """A report nobody reads."""


@contextmanager
def shown(*, quiet: bool = False, stream: TextIO | None = None) -> Iterator[Report]:
    """A report drawn on `stream` (default: stderr) while the block runs, then wiped away.

    Where the stream is no terminal, or `quiet`, nothing is drawn.
    """
    stream = stream or sys.stderr
    if quiet or not printing.is_terminal(stream):
        yield silent
        return
    with _progress(stream) as progress:
        yield _Bars(progress)


def _progress(stream: TextIO) -> Progress:
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description:<10}"),
        BarColumn(bar_width=30),
        TextColumn("{task.fields[count]:>13}"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[path]}", style="dim", markup=False),
        console=printing.console(stream),
        transient=True,
    )


class _Bars:
    """One bar a stage, made when the stage first reports."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._tasks: dict[str, TaskID] = {}

    def __call__(self, stage: str, done: int, total: int, path: str) -> None:
        if stage not in self._tasks:
            self._tasks[stage] = self._progress.add_task(stage, total=None, count="", path="")
        self._progress.update(
            self._tasks[stage],
            completed=done,
            total=total or None,
            count=f"{done:,}/{total:,}" if total else f"{done:,}",
            path=printing.one_line(path),
        )
