"""What documents that are put cost, beside files of the same text.

Seconds in all, and as a share of indexing as many files. A round makes new indexes; rounds of all
are interleaved; the medians are compared.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import chunkwright as cw
from benchmarks.facts import Line
from chunkwright.embedding.hashing import HashingEmbedder

WORDS = 40
"""Of a memory: two or three sentences."""

VOCABULARY = 5000

ONE_BY_ONE = 1000
"""Entries that are put, and deleted, each by a call of its own."""

Times = dict[str, list[float]]


def texts(count: int) -> list[str]:
    """Short notes of random words, each with one of its own."""
    draw = random.Random(1)  # test data
    return [
        f"# Note {number}\n\n"
        + " ".join(f"w{draw.randrange(VOCABULARY)}" for _ in range(WORDS))
        + f" unique{number}.\n"
        for number in range(count)
    ]


def timed(times: Times, name: str, run: Callable[[], object]) -> None:
    """Note how long a run takes."""
    start = time.perf_counter()
    run()
    times[name].append(time.perf_counter() - start)


def measure(times: Times, notes: list[str]) -> None:
    """One round of everything."""
    with tempfile.TemporaryDirectory() as folder:
        for number, note in enumerate(notes):
            Path(folder, f"note{number}.md").write_text(note, "utf-8")
        with cw.Index(folder, HashingEmbedder()) as index:
            timed(times, "files", index.refresh)
    entries = [cw.Entry(f"note{number}", note) for number, note in enumerate(notes)]
    some = entries[:ONE_BY_ONE]
    with tempfile.TemporaryDirectory() as folder, cw.Index(folder, HashingEmbedder()) as index:
        timed(times, "put_many", lambda: index.put_many(entries))
        timed(times, "put_many, unchanged", lambda: index.put_many(entries))
        timed(times, "first search", lambda: index.search("unique77"))
        timed(times, "search", lambda: index.search("unique77"))
        timed(times, "get, one by one", lambda: [index.get(entry.key) for entry in some])
        timed(times, "delete, one by one", lambda: [index.delete(entry.key) for entry in some])
        timed(times, "put, one by one", lambda: [index.put(one.key, one.text) for one in some])
        timed(times, "heal, nothing to do", index.heal)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)


def lines(options: argparse.Namespace) -> Iterator[Line]:
    """A line a work."""
    times: Times = defaultdict(list)
    for _ in range(options.rounds):
        measure(times, texts(options.entries))
    medians = {name: statistics.median(seconds) for name, seconds in times.items()}
    for name, seconds in medians.items():
        share = round(seconds / medians["files"], 4)
        yield {"what": "entries", "work": name, "seconds": round(seconds, 4), "of_files": share}
