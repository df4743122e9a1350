"""From what a file says of an answer to a stretch of a document: offsets, lines, a quote or a whole
file. How files of questions are written is not known here.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

import msgspec

from chunkwright.characters import Lines, is_whitespace_only
from chunkwright.evaluation.mistakes import Mistake, nearest, shown
from chunkwright.evaluation.nouns import Reference
from chunkwright.evaluation.quotes import locate


class Said(msgspec.Struct, frozen=True):
    """What is said about where an answer stands; what is not said is None."""

    path: str | None = None
    """Relative to the corpus, with `/`."""
    start: int | None = None
    end: int | None = None
    """Half-open, in code points of the document's text."""
    start_line: int | None = None
    end_line: int | None = None
    """Physical lines, 1-based, both included."""
    quote: str | None = None
    occurrence: int | None = None
    """Which of several places of the quote, 1-based."""
    corpus_id: str | None = None
    """The name of the file without its suffix, instead of `path`."""
    repo: str | None = None
    """A folder of the corpus that `path` may lie in."""


def place(said: Said, corpus: Mapping[str, str]) -> Reference:
    """The stretch that is meant. Raises Mistake where it cannot be told, is not there, or holds no
    text: chunks need not have white space."""
    found = _stretch(said, corpus)
    if is_whitespace_only(corpus[found.path][found.start : found.end]):
        where = f"{found.path} has nothing but white space from {found.start} to {found.end}"
        raise Mistake(where, "give a place that holds text")
    return found


def _stretch(said: Said, corpus: Mapping[str, str]) -> Reference:
    path = _path(said, corpus)
    by_offsets = said.start is not None or said.end is not None
    by_lines = said.start_line is not None or said.end_line is not None
    if by_offsets and by_lines:
        raise Mistake("both offsets and lines are given", "give one of them")
    if by_lines and said.quote is not None:
        raise Mistake("both lines and a quote are given", "give one of them")
    if said.occurrence is not None and (said.quote is None or by_offsets):
        raise Mistake("`occurrence` is given without a quote to look for", "leave it out")
    if said.quote is not None and not by_offsets:
        return locate(said.quote, corpus, path, said.occurrence)
    if path is None:
        raise Mistake("the reference has neither a path nor a quote", "give `path` or `quote`")
    if by_offsets:
        return _by_offsets(path, corpus[path], said)
    return _by_lines(path, corpus[path], said) if by_lines else _whole(path, corpus[path])


def _path(said: Said, corpus: Mapping[str, str]) -> str | None:
    if said.path is None:
        return None if said.corpus_id is None else _named(said.corpus_id, corpus)
    plain = said.path.replace("\\", "/").removeprefix("./")
    below = f"{said.repo}/{plain}" if said.repo else plain
    for path in (below, said.path, plain):
        if path in corpus:
            return path
    raise _unknown("path", said.path, _alike(plain, corpus))


def _alike(path: str, corpus: Mapping[str, str]) -> str:
    """The document most likely meant: one of the same name, else one with a name like it."""
    name = PurePosixPath(path).name
    same = sorted(one for one in corpus if PurePosixPath(one).name == name)
    return nearest(path, same) or (same[0] if same else nearest(path, corpus))


def _named(name: str, corpus: Mapping[str, str]) -> str:
    """The one document of a name without suffix, or of that very path."""
    if name in corpus:
        return name
    found = sorted(path for path in corpus if PurePosixPath(path).stem == name)
    if len(found) > 1:
        raise Mistake(f"several documents are called {shown(name)}: {', '.join(found[:5])}",
                      "give `path`")  # fmt: skip
    if not found:
        raise _unknown(
            "corpus_id", name, nearest(name, (PurePosixPath(one).stem for one in corpus))
        )
    return found[0]


def _unknown(field: str, name: str, near: str) -> Mistake:
    return Mistake(
        f"no document of the corpus is called {shown(name)}",
        f"did you mean {shown(near)}?" if near else f"give `{field}` relative to the corpus",
    )


def _by_offsets(path: str, text: str, said: Said) -> Reference:
    start, end = said.start, said.end
    if start is None or end is None:
        missing = "start" if start is None else "end"
        raise Mistake(f"the reference has no `{missing}`", "give both `start` and `end`")
    if not 0 <= start < end <= len(text):
        raise Mistake(
            f"start {start} and end {end} are no stretch of {path}",
            f"it has {len(text)} code points; give 0 <= start < end <= {len(text)}",
        )
    if said.quote is not None and text[start:end] != said.quote:
        raise _moved(path, text, said.quote, (start, end))
    return Reference(path, start, end)


def _moved(path: str, text: str, quote: str, span: tuple[int, int]) -> Mistake:
    """Offsets and a quote that do not agree."""
    start, end = span
    at = text.find(quote)
    remedy = f"it stands at {at} to {at + len(quote)}" if at >= 0 else "it is not in the document"
    return Mistake(
        f"{path} has {shown(text[start:end])} at {start} to {end}, not {shown(quote)}",
        f"{remedy}: offsets count code points of the text without a byte order mark",
    )


def _by_lines(path: str, text: str, said: Said) -> Reference:
    first = said.start_line
    if first is None:
        raise Mistake("the reference has no `start_line`", "give both `start_line` and `end_line`")
    last = first if said.end_line is None else said.end_line
    lines = Lines(text)
    count = lines.number(len(text) - 1) if text else 0
    if not 1 <= first <= last <= count:
        raise Mistake(
            f"lines {first} to {last} are not in {path}",
            f"it has {count} lines, counted from 1; give 1 <= start_line <= end_line <= {count}",
        )
    start, end = lines.starts[first - 1], lines.end_of(lines.starts[last - 1])
    if start >= end:
        raise Mistake(f"lines {first} to {last} of {path} are empty", "give lines that hold text")
    return Reference(path, start, end)


def _whole(path: str, text: str) -> Reference:
    if not text:
        raise Mistake(f"{path} is empty", "give a document that holds an answer")
    return Reference(path, 0, len(text))
