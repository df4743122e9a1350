"""How fast source code is cut, beside a bare parse of it, and by two processes. Peers beside us.

Where the files come from is in code_corpora.py beside this folder.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from benchmarks import code_corpora, facts
from benchmarks.checks import Pieces, Verdict, located, promises
from benchmarks.code_corpora import Tree
from benchmarks.facts import Line, say
from benchmarks.peers import CODE, Contestant, contestants, wanted
from benchmarks.peers.bare import BARE_PARSE
from benchmarks.peers.ours import CODE_REFERENCE
from benchmarks.timing import Call, interleaved, part_in_time
from benchmarks.vocabulary import counter
from chunkwright import CodeChunker

SECONDS_EACH = 30
"""About what a peer may take for one tree, all rounds together; where the whole tree would take
longer, it is given the first files. We and the bare parse get them all."""

CHECKED = 2_000_000
"""Code points of a tree that are checked for what the output keeps."""

WORKERS = 2

MANY = "chunkwright CodeChunker.chunk_many"


def measure(tree: Tree, options: argparse.Namespace) -> Iterator[Line]:
    """A line for each contestant: how fast it is, and what its output keeps."""
    rivals = [
        rival
        for rival in contestants(replace(CODE, language=tree.language))
        if rival.name in (CODE_REFERENCE, BARE_PARSE) or wanted(rival.name, options.only)
    ]
    trials = {rival.name: _trial(rival, tree, options.rounds) for rival in rivals}
    parts = {name: part for name, (part, _) in trials.items() if part}
    calls = {one.name: partial(_call, one, parts[one.name]) for one in rivals if one.name in parts}
    taken = interleaved(calls, options.rounds)
    speeds = {name: facts.megabytes(parts[name].length) / taken[name] for name in parts}
    for rival in rivals:
        speed = speeds.get(rival.name)
        parsing = speed and speed / speeds[BARE_PARSE]
        shown = f"{speed:.2f} MB/s, {parsing:.2f} of the bare parse" if speed else "failed"
        say(f"  {rival.name}: {shown}")
        part = parts.get(rival.name)
        yield {
            "what": "code",
            **code_corpora.facts_of(tree),
            **facts.of_task(CODE),
            **facts.of_contestant(rival),
            "megabytes": facts.megabytes(part.length) if part else None,
            "megabytes_per_second": speed,
            "ratio": speed and speed / speeds[CODE_REFERENCE],
            "speed_of_bare_parse": parsing,
            "rounds": options.rounds,
            **trials[rival.name][1],
            "uses": facts.CODE_READERS,
        }


def _trial(rival: Contestant, tree: Tree, rounds: int) -> tuple[Tree | None, Line]:
    """Which files it is given, and what its output is like; None where it fails."""
    try:
        readable, failed = _readable(rival, tree.first(CHECKED))
        part = tree if rival.is_ours or not rival.cuts else _part(rival, tree, rounds)
        return part, {**output(rival, readable), "failed_files": failed}
    except Exception as error:
        if rival.is_ours:
            raise
        return None, facts.of_failure(error)


def _readable(rival: Contestant, tree: Tree) -> tuple[Tree, int]:
    """The files that it does not refuse, and how many it does."""
    cut = rival.make()
    files = tuple(file for file in tree.files if _takes(cut, file.text, rival.is_ours))
    return Tree(tree.name, tree.language, files), len(tree.files) - len(files)


def _takes(cut: Callable[[str], Any], text: str, is_ours: bool) -> bool:
    try:
        cut(text)
    except Exception:
        if is_ours:
            raise
        return False
    return True


def _part(rival: Contestant, tree: Tree, rounds: int) -> Tree:
    """As many of the first files as it can do in time."""

    def make(length: int) -> Callable[[], Call]:
        return partial(_call, rival, tree.first(length))

    return tree.first(part_in_time(make, tree.length, SECONDS_EACH / (rounds + 1)))


def _call(rival: Contestant, tree: Tree) -> Call:
    """Cut one file after another and keep nothing, as one does who passes chunks on."""
    cut, texts = rival.make(), [file.text for file in tree.files]

    def run() -> None:
        for text in texts:
            _takes(cut, text, rival.is_ours)

    return run


def output(rival: Contestant, tree: Tree) -> Line:
    """How many chunks there are, and which promises are broken in how many files."""
    if not rival.cuts:
        return {"chunks": None, "mean_overlap": None, "promises": {}}
    cut, chunks = rival.make(), 0
    verdicts: dict[str, list[tuple[str, Verdict]]] = {}
    for file in tree.files:
        pieces = rival.read(cut(file.text))
        chunks += len(pieces.texts)
        for name, verdict in _promises(file.text, pieces).items():
            verdicts.setdefault(name, []).append((file.path, verdict))
    said = {name: _together(several) for name, several in verdicts.items()}
    return {"chunks": chunks, "mean_overlap": None, "promises": said}


def _promises(text: str, pieces: Pieces) -> dict[str, Verdict]:
    """An offset behind the text's end gives the right slice by chance; it is no place."""
    spans = located(text, pieces)
    inside = [span if span is None or span[1] <= len(text) else None for span in spans]
    return promises(text, pieces, inside, CODE.size, counter(CODE.unit))


def _together(verdicts: Sequence[tuple[str, Verdict]]) -> Verdict:
    """Of all files: None where there was nothing to check, else True, or an example why not."""
    broken = [(path, verdict) for path, verdict in verdicts if isinstance(verdict, str)]
    if not broken:
        return True if any(verdict for _, verdict in verdicts) else None
    path, reason = broken[0]
    return f"in {len(broken):,} of {len(verdicts):,} files, as {path}: {reason}"


def many(tree: Tree, rounds: int) -> Iterator[Line]:
    """How much faster two processes are than one."""
    chunker = CodeChunker(size=CODE.size, overlap=CODE.overlap)
    calls = {
        f"{MANY}(workers={workers})": partial(_many_call, chunker, tree, workers)
        for workers in (1, WORKERS)
    }
    taken = interleaved(calls, rounds)
    alone = next(iter(taken.values()))
    for name, seconds in taken.items():
        say(f"  {name}: {facts.megabytes(tree.length) / seconds:.2f} MB/s, {alone / seconds:.2f}")
        yield {
            "what": "code in processes",
            **code_corpora.facts_of(tree),
            **facts.of_task(CODE),
            "chunker": name,
            "distribution": "chunkwright",
            "megabytes": facts.megabytes(tree.length),
            "megabytes_per_second": facts.megabytes(tree.length) / seconds,
            "speed_of_one_process": alone / seconds,
            "rounds": rounds,
            "uses": facts.CODE_READERS[:1],
        }


def _many_call(chunker: CodeChunker, tree: Tree, workers: int) -> Call:
    def run() -> None:
        for _chunking in chunker.chunk_many(tree.files, workers):
            pass

    return run


def lines(options: argparse.Namespace) -> Iterator[Line]:
    """Every line, as soon as it is there."""
    for tree in code_corpora.chosen(options):
        size = facts.megabytes(tree.length)
        say(f"code, {tree.language}, {tree.name}: {len(tree.files)} files, {size:.1f} MB")
        yield from measure(tree, options)
        if tree.language == "python":
            yield from many(tree, options.rounds)


def add_options(parser: argparse.ArgumentParser) -> None:
    code_corpora.add_options(parser)
    parser.add_argument("--only", nargs="+", default=[], help="parts of other chunkers' names")
    parser.add_argument("--rounds", type=int, default=5, help="the shortest of so many counts")
