"""How fast READMEs are cut into sections, and how that grows. Peers beside us.

What is measured is in speed.py and growth.py beside this folder.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from benchmarks import corpora, facts, growth, speed
from benchmarks.corpora import Corpus
from benchmarks.facts import Line, say
from benchmarks.peers import SECTIONS, contestants

SUBJECT = "markdown_chunker"


def lines(options: argparse.Namespace) -> Iterator[Line]:
    size = int(options.size_mb * corpora.MEGABYTE)
    texts = options.text and corpora.from_files(options.text)
    for corpus in texts or [Corpus("readmes", corpora.readmes(size))]:
        say(f"markdown, {corpus.name}, {facts.megabytes(len(corpus.text)):.1f} MB")
        rivals = list(contestants(SECTIONS))
        yield from speed.measure("markdown", corpus, SECTIONS, rivals, options.rounds)
        yield from growth.times(corpus, options.rounds, [SUBJECT])
    for name, text in corpora.many().items():
        say(f"growth, {name}")
        yield from growth.times(Corpus(name, text), options.rounds, [SUBJECT])


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--size-mb", type=float, default=10, help="millions of code points")
    parser.add_argument("--text", type=Path, nargs="+", help="files to cut instead")
    parser.add_argument("--rounds", type=int, default=5, help="the shortest of so many counts")
