"""The Markdown benchmark: chunkwright and its peers on real READMEs. Prints JSON lines.

    pip install '.[bench]'
    python benchmarks/markdown.py > benchmarks/results/markdown.jsonl
    python benchmarks/render.py

What is measured is in speed.py and growth.py; who is compared, in markdown_peers.py.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import corpora
import facts
import growth
import speed
from corpora import Corpus
from facts import Line, say
from markdown_peers import BUILDERS, SECTIONS
from peers import contestants

SUBJECT = "markdown_chunker"


def results(options: argparse.Namespace) -> Iterator[Line]:
    """Every line, as soon as it is there."""
    circumstances = facts.circumstances()
    for line in _lines(options):
        yield line | circumstances


def _lines(options: argparse.Namespace) -> Iterator[Line]:
    size = int(options.size_mb * corpora.MEGABYTE)
    texts = options.text and corpora.from_files(options.text)
    for corpus in texts or [Corpus("readmes", corpora.readmes(size))]:
        say(f"markdown, {corpus.name}, {facts.megabytes(len(corpus.text)):.1f} MB")
        rivals = list(contestants(BUILDERS, SECTIONS))
        yield from speed.measure("markdown", corpus, SECTIONS, rivals, options.rounds)
        yield from growth.times(corpus, options.rounds, [SUBJECT])
    for name, text in corpora.many().items():
        say(f"growth, {name}")
        yield from growth.times(Corpus(name, text), options.rounds, [SUBJECT])


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--size-mb", type=float, default=10, help="millions of code points")
    parser.add_argument("--text", type=Path, nargs="+", help="files to cut instead")
    parser.add_argument("--rounds", type=int, default=5, help="the shortest of so many counts")
    return parser.parse_args()


if __name__ == "__main__":
    for result in results(_arguments()):
        print(json.dumps(result, ensure_ascii=False), flush=True)
