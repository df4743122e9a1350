"""How many functions stay whole: of those another parser finds, who has all of one in one chunk.

    apt-get install universal-ctags golang-go nodejs npm

Beside it what chunks are like. Who finds the functions is in definitions.py beside this folder.
"""

from __future__ import annotations

import argparse
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from statistics import median

from benchmarks import code_corpora, facts
from benchmarks.checks import REPLACEMENT, Pieces, Span, aligned
from benchmarks.code_corpora import Tree
from benchmarks.definitions import FUNCTION, Definition, Found, found_by_others, versions
from benchmarks.facts import Line, say
from benchmarks.peers import CODE, Contestant, contestants
from chunkwright.types import Document

SHORT = 100
"""Code points under which a chunk says little by itself. Files that short are left out."""


@dataclass
class Count:
    """What one contestant made of one language's files."""

    files: int = 0
    failed: list[str] = field(default_factory=list)
    functions: int = 0
    whole: int = 0
    split: list[str] = field(default_factory=list)
    """Functions that were not whole, for a look at them."""
    lost: int = 0
    visible: int = 0
    sizes: list[int] = field(default_factory=list)
    short: int = 0
    over: int = 0


class Visible:
    """A text without its white space, so that a chunker that lays code out anew is not marked down
    for that."""

    def __init__(self, text: str) -> None:
        seen = list(accumulate((not one.isspace() for one in text), initial=0))
        self.text = without_white_space(text)
        self._before = seen
        starts = [0, *(at + 1 for at, one in enumerate(text) if one == "\n"), len(text)]
        self._lines = [seen[at] for at in starts]

    def lines(self, first: int, last: int) -> Span:
        """What of it stands in some lines, 1-based and inclusive."""
        return self._lines[first - 1], self._lines[min(last, len(self._lines) - 1)]


def without_white_space(text: str) -> str:
    return "".join(text.split())


def functions_that_fit(file: Document, others: Sequence[Definition]) -> list[Definition]:
    """Those whose end is known and whose lines, with the annotations above them and the indentation
    of the first, are in the cap."""
    lines = file.text.split("\n")
    return [
        replace(one, line=first)
        for one in others
        if one.what == FUNCTION
        and one.end is not None
        and len("\n".join(lines[(first := _first_line(lines, one.line)) - 1 : one.end]))
        <= CODE.size
    ]


def _first_line(lines: Sequence[str], line: int) -> int:
    """Where the annotations begin that stand right above a definition, on lines of their own."""
    indentation = _indentation(lines[line - 1])
    above = line - 1
    while above >= 1 and lines[above - 1].strip():
        one = lines[above - 1]
        if _indentation(one) == indentation and one.lstrip().startswith(ANNOTATION):
            line = above
        elif _indentation(one) <= indentation and not one.lstrip().startswith((")", "]", "}")):
            break
        above -= 1
    return line


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


ANNOTATION = ("@", "#[")
"""What begins a decorator, annotation or attribute."""


def measure(rival: Contestant, tree: Tree, others: Found, verbose: bool) -> Line:
    """The line of one contestant."""
    count = Count()
    cut = rival.make()
    for file in tree.files:
        if len(file.text) < SHORT:
            continue
        try:
            pieces = rival.read(cut(file.text))
        except Exception as error:
            if rival.is_ours:
                raise
            count.failed.append(f"{type(error).__name__}: {error}")
            continue
        add(count, file, pieces, functions_that_fit(file, others.get(file.path, ())))
    if verbose:
        for message in count.split:
            say(f"    {rival.name}: {message}")
    return _line(count)


def add(count: Count, file: Document, pieces: Pieces, functions: Sequence[Definition]) -> None:
    """Count one file."""
    visible = Visible(file.text)
    spans = _visible_spans(visible.text, pieces)
    count.files += 1
    count.visible += len(visible.text)
    count.lost += len(visible.text) - covered(spans)
    count.sizes += map(len, pieces.texts)
    count.short += sum(len(one) < SHORT for one in pieces.texts)
    count.over += sum(len(one) > CODE.size for one in pieces.texts)
    ordered = sorted(spans)
    ends = list(accumulate((end for _, end in ordered), max))
    for one in functions:
        start, end = visible.lines(one.line, one.end or one.line)
        at = bisect_right(ordered, (start, len(visible.text))) - 1
        whole = at >= 0 and ends[at] >= end
        count.functions += 1
        count.whole += whole
        if not whole:
            count.split.append(f"{file.path}:{one.line}-{one.end} {one.name}")


def _visible_spans(text: str, pieces: Pieces) -> list[Span]:
    texts = [without_white_space(one).strip(REPLACEMENT) for one in pieces.texts]
    return [span for span in aligned(text, texts) if span is not None]


def covered(spans: Sequence[Span]) -> int:
    """Characters that are in some span."""
    total = reached = 0
    for start, end in sorted(spans):
        total += max(end - max(start, reached), 0)
        reached = max(reached, end)
    return total


def _line(count: Count) -> Line:
    chunks = len(count.sizes)
    return {
        "files": count.files,
        "failed_files": len(count.failed),
        "first_failure": count.failed[0] if count.failed else None,
        "functions": count.functions,
        "whole": _share(count.whole, count.functions),
        "under_100": _share(count.short, chunks),
        "lost": count.lost,
        "visible": count.visible,
        "over_cap": count.over,
        "chunks": chunks,
        "median_fill": median(count.sizes) / CODE.size if chunks else None,
    }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def lines(options: argparse.Namespace) -> Iterator[Line]:
    """A line for each language and contestant."""
    for tree in code_corpora.chosen(options):
        say(f"whole functions, {tree.language}, {tree.name}: {len(tree.files)} files")
        others = found_by_others(tree.language, tree.files, options.cache)
        programs = versions(tree.language)
        for rival in contestants(replace(CODE, language=tree.language), cutting=True):
            line = measure(rival, tree, others, options.verbose)
            say(f"  {rival.name}: {line}")
            yield {
                "what": "whole functions",
                **code_corpora.facts_of(tree),
                **facts.of_task(CODE),
                **facts.of_contestant(rival),
                **line,
                "uses": facts.CODE_READERS,
                "versions": programs,
            }


def add_options(parser: argparse.ArgumentParser) -> None:
    code_corpora.add_options(parser)
    parser.add_argument("--verbose", action="store_true", help="say which functions are split")
