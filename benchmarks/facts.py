"""What a result says of the circumstances: the machine, Python, the seed, the text. No results."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path
from typing import Any

from corpora import MEGABYTE, SEED, Corpus
from peers import Contestant, Task

Line = dict[str, Any]
"""One result, as it is printed."""


def circumstances() -> Line:
    """The same in every line of a run."""
    return {
        "machine": {
            "processor": _processor(),
            "cores": os.cpu_count(),
            "system": f"{platform.system()} {platform.machine()}",
        },
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "seed": SEED,
    }


def of_corpus(corpus: Corpus) -> Line:
    """Which text, told by its digest too."""
    return {"corpus": corpus.name, "digest": corpus.digest}


def of_task(task: Task) -> Line:
    """What was asked for."""
    return {"unit": task.unit, "size": task.size, "overlap": task.overlap}


def of_contestant(contestant: Contestant) -> Line:
    """Who was asked, and what it answers with."""
    return {
        "chunker": contestant.name,
        "distribution": contestant.distribution,
        "version": contestant.version,
        "returned": contestant.returned,
        "note": contestant.note,
    }


def of_failure(error: Exception) -> Line:
    """Why there is no answer."""
    return {"failed": f"{type(error).__name__}: {error}", "chunks": None, "promises": {}}


def megabytes(length: int) -> float:
    """Code points in millions."""
    return length / MEGABYTE


def say(message: str) -> None:
    """Progress, on stderr: stdout is for results."""
    print(message, file=sys.stderr, flush=True)


def _processor() -> str:
    described = Path("/proc/cpuinfo")
    if described.exists():
        for line in described.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor()
