"""What a result says of the circumstances: versions, machine, seed, text. No results."""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from benchmarks.corpora import MEGABYTE, SEED, Corpus
from benchmarks.peers import OURS, Contestant, Task

Line = dict[str, Any]
"""One result, as it is printed."""

UNKNOWN = "unknown"
"""Version of what is involved but tells none, or was not asked when it was measured."""

CODE_READERS = ("tree-sitter", "tree-sitter-language-pack", "semble-grammars")


def circumstances(distributions: Iterable[str] = ()) -> Line:
    """Versions of what took part, and what is the same in every line of a run."""
    return {
        "versions": versions(distributions),
        "machine": {
            "processor": _processor(),
            "cores": os.cpu_count(),
            "system": f"{platform.system()} {platform.machine()}",
        },
        "seed": SEED,
        "commit": _commit(),
    }


def versions(distributions: Iterable[str] = ()) -> dict[str, str]:
    """Of chunkwright, Python and the distributions; `unknown` where one is not installed."""
    found = {"python": f"{platform.python_implementation()} {platform.python_version()}"}
    return found | {name: _version(name) for name in sorted({OURS, *distributions})}


@cache
def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        say(f"no version of {distribution}: it is not installed")
        return UNKNOWN


def of_corpus(corpus: Corpus) -> Line:
    """Which text, told by its digest too."""
    return {"corpus": corpus.name, "digest": corpus.digest}


def digest_of(texts: Mapping[str, str]) -> str:
    """Start of the SHA-256 of names and texts: whether two runs measured the same."""
    whole = hashlib.sha256()
    for name, text in texts.items():
        whole.update(f"{name}\0{text}\0".encode())
    return whole.hexdigest()[:16]


def of_task(task: Task) -> Line:
    """What was asked for."""
    return {"unit": task.unit, "size": task.size, "overlap": task.overlap}


def of_contestant(contestant: Contestant) -> Line:
    """Who was asked, and what it answers with."""
    return {
        "chunker": contestant.name,
        "distribution": contestant.distribution,
        "returned": contestant.returned,
        "note": contestant.note,
    }


def involved(line: Line) -> set[str]:
    """The distributions that a line's own fields name: who cuts, who counts, and `uses`."""
    found = {*filter(None, [line.get("distribution")]), *line.get("uses", ())}
    if line.get("unit") == "cl100k":
        found |= {"quicktok-v1"}  # it counts what comes out, whoever counts while cutting
        found |= {"tiktoken"} if "tokens by tiktoken" in line.get("note", "") else set()
    return found


def of_failure(error: Exception) -> Line:
    """Why there is no answer."""
    return {"failed": f"{type(error).__name__}: {error}", "chunks": None, "promises": {}}


def megabytes(length: int) -> float:
    """Code points in millions."""
    return length / MEGABYTE


def say(message: str) -> None:
    """Progress, on stderr: stdout is for results."""
    print(message, file=sys.stderr, flush=True)


@cache
def _processor() -> str:
    described = Path("/proc/cpuinfo")
    if described.exists():
        for line in described.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor()


@cache
def _commit() -> str:
    """Of this repository, with a + where files are changed; "" where it is none."""
    command = ["git", "describe", "--always", "--dirty=+", "--abbrev=10", "--exclude=*"]
    ran = subprocess.run(
        command, cwd=Path(__file__).parent, capture_output=True, encoding="utf-8", check=False
    )
    return ran.stdout.strip() if ran.returncode == 0 else ""
