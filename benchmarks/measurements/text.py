"""How fast long prose is cut, how that grows, and what is left after an edit. Peers beside us.

What is measured is in speed.py, growth.py and stability.py beside this folder.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks import corpora, facts, growth, peers, speed, stability
from benchmarks.corpora import Corpus
from benchmarks.facts import Line, say
from benchmarks.peers import CHARACTERS, LINES, TOKENS, Contestant, Task

DOCUMENT = 100_000
"""Code points of a text of ordinary length: a long chapter, a long web page."""

Measurement = Callable[[argparse.Namespace, Corpus], Iterator[Line]]


def _characters(options: argparse.Namespace, corpus: Corpus) -> Iterator[Line]:
    rivals = _rivals(options, CHARACTERS)
    return speed.measure("characters", corpus, CHARACTERS, rivals, options.rounds)


def _document(options: argparse.Namespace, corpus: Corpus) -> Iterator[Line]:
    """The same of the text's beginning: some splitters slow down as texts grow."""
    rivals = _rivals(options, CHARACTERS)
    short = Corpus(corpus.name, corpus.text[:DOCUMENT])
    return speed.measure("document", short, CHARACTERS, rivals, options.rounds)


def _tokens(options: argparse.Namespace, corpus: Corpus) -> Iterator[Line]:
    rivals = _rivals(options, TOKENS)
    return speed.measure("tokens", corpus, TOKENS, rivals, options.rounds)


def _lines(options: argparse.Namespace, corpus: Corpus) -> Iterator[Line]:
    rivals = _rivals(options, LINES)
    return speed.measure("lines", corpus, LINES, rivals, options.rounds)


def _growth(options: argparse.Namespace, corpus: Corpus) -> Iterator[Line]:
    return growth.times(corpus, options.rounds)


def _memory(_: argparse.Namespace, corpus: Corpus) -> Iterator[Line]:
    return growth.memory(corpus)


def _stability(options: argparse.Namespace, corpus: Corpus) -> Iterator[Line]:
    rivals = _rivals(options, CHARACTERS)
    return stability.measure(corpus, CHARACTERS, rivals)


MEASUREMENTS: dict[str, Measurement] = {
    "characters": _characters,
    "document": _document,
    "tokens": _tokens,
    "lines": _lines,
    "growth": _growth,
    "memory": _memory,
    "stability": _stability,
}

TEXTS: dict[str, tuple[str, ...]] = {
    "characters": ("prose", "wrapped", "mixed"),
    "document": ("prose", "wrapped", "mixed"),
    "tokens": ("prose", "wrapped", "mixed"),
    "lines": ("wrapped",),
    "growth": ("prose", "mixed"),
    "memory": ("prose", "mixed"),
    "stability": ("prose", "wrapped", "unbroken", "mixed"),
}
"""Which of the made texts a measurement is taken of, so that nothing is told twice."""


def _rivals(options: argparse.Namespace, task: Task) -> list[Contestant]:
    """The first, which ratios are in proportion to, and those asked for."""
    found = list(peers.contestants(task))
    words = [name for name in options.only if name not in MEASUREMENTS]
    return [found[0], *(one for one in found[1:] if peers.wanted(one.name, words))]


def lines(options: argparse.Namespace) -> Iterator[Line]:
    """Every line, as soon as it is there."""
    texts = options.text and corpora.from_files(options.text)
    wanted = [name for name in MEASUREMENTS if name in options.only] or list(MEASUREMENTS)
    for corpus in texts or corpora.made(int(options.size_mb * corpora.MEGABYTE)):
        for name in wanted:
            if corpus.name in corpora.MADE and corpus.name not in TEXTS[name]:
                continue
            say(f"{name}, {corpus.name}, {facts.megabytes(len(corpus.text)):.1f} MB")
            yield from MEASUREMENTS[name](options, corpus)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--size-mb", type=float, default=10, help="millions of code points a text")
    parser.add_argument("--text", type=Path, nargs="+", help="files to cut instead")
    parser.add_argument(
        "--only",
        nargs="+",
        default=[],
        metavar="NAME",
        help=f"measurements ({', '.join(MEASUREMENTS)}) or parts of chunkers' names",
    )
    parser.add_argument("--rounds", type=int, default=5, help="the shortest of so many counts")
