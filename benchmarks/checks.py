"""What any chunker's output can be held to: nothing lost, nothing changed, cap, offsets, order,
whole characters. Only the text and the output are asked, never the chunker.

A check gives True, or the reason why not, or None where there is nothing to check.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

import regex

Span = tuple[int, int]
"""Start and end in code points, half-open."""

Verdict = bool | str | None

SEARCHED_AHEAD = 100_000
"""Code points behind the last chunk in which the next is looked for. A chunk further on than this
counts as not found, so that one changed chunk does not cost a search of the whole text."""

CLUSTER_WINDOW = 64
"""Code points before an edge from which grapheme clusters are counted: longer than any cluster of
real text."""

FIRST_COMBINING = "\u0300"
"""Below it no character joins the one before, but in CRLF."""

REPLACEMENT = "\ufffd"

CLUSTER = regex.compile(r"\X")


@dataclass(frozen=True)
class Pieces:
    """A chunker's output: texts; where it gives them, offsets; and what tells chunks apart."""

    texts: Sequence[str]
    spans: Sequence[Span] | None = None
    keys: Sequence[str] | None = None

    @property
    def identities(self) -> Sequence[str]:
        """Ids where there are any, else the texts."""
        return self.texts if self.keys is None else self.keys


def promises(
    text: str,
    pieces: Pieces,
    spans: Sequence[Span | None],
    size: int,
    count: Callable[[str], int],
) -> dict[str, Verdict]:
    """Every check by name; `spans` is what `located` says."""
    return {
        "covers": covers(text, pieces.texts),
        "verbatim": verbatim(spans),
        "cap": keeps_cap(pieces.texts, size, count),
        "offsets": offsets_true(text, pieces),
        "order": in_order(spans),
        "graphemes": whole_clusters(text, spans),
        "no blanks": no_blanks(pieces.texts),
    }


def located(text: str, pieces: Pieces) -> list[Span | None]:
    """Where each chunk is: its offsets where they are true, else where its text is found."""
    if pieces.spans is not None and offsets_true(text, pieces) is True:
        return list(pieces.spans)
    return aligned(text, pieces.texts)


def aligned(text: str, texts: Sequence[str]) -> list[Span | None]:
    """A place for each chunk, in order, with as few gaps as can be; None where there is none."""
    spans: list[Span | None] = []
    lowest = reached = 0
    for piece in texts:
        start = _place(text, piece, lowest, reached) if piece else -1
        if start < 0:
            spans.append(None)
            continue
        spans.append((start, start + len(piece)))
        lowest, reached = start + 1, max(reached, start + len(piece))
    return spans


def _place(text: str, piece: str, lowest: int, reached: int) -> int:
    """The last place that leaves no gap, else the first after one; -1 where there is none."""
    latest = _next_visible(text, reached)
    found = text.rfind(piece, lowest, latest + len(piece))
    return found if found >= 0 else text.find(piece, lowest, reached + len(piece) + SEARCHED_AHEAD)


def mean_overlap(spans: Sequence[Span | None]) -> float:
    """Code points repeated from the chunk before, on average over all but the first."""
    found = [span for span in spans if span is not None]
    repeated = [max(before[1] - after[0], 0) for before, after in pairwise(found)]
    return sum(repeated) / max(len(repeated), 1)


def _next_visible(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def covers(text: str, texts: Sequence[str]) -> Verdict:
    """Whether every character that is not white space is in a chunk, in the order of the text.

    Half a character at a chunk's edge, decoded as U+FFFD, is lost; the rest of that chunk is not.
    """
    visible = _without_white_space(text)
    pieces = [_without_white_space(piece).strip(REPLACEMENT) for piece in texts]
    spans = aligned(visible, pieces)
    lost = len(visible) - _covered(spans)
    return not lost or f"{lost:,} of {len(visible):,} non-white characters are in no chunk"


def _covered(spans: Sequence[Span | None]) -> int:
    total = reached = 0
    for start, end in filter(None, spans):
        total += max(end - max(start, reached), 0)
        reached = max(reached, end)
    return total


def _without_white_space(text: str) -> str:
    return "".join(text.split())


def verbatim(spans: Sequence[Span | None]) -> Verdict:
    """Whether every chunk is a slice of the text."""
    changed = sum(span is None for span in spans)
    return not changed or f"{changed:,} of {len(spans):,} chunks are no slice of the text"


def keeps_cap(texts: Sequence[str], size: int, count: Callable[[str], int]) -> Verdict:
    """Whether no chunk is larger than `size`, as `count` has it."""
    sizes = [count(piece) for piece in texts]
    over = sum(found > size for found in sizes)
    return not over or f"{over:,} of {len(sizes):,} chunks over {size}, the largest {max(sizes):,}"


def offsets_true(text: str, pieces: Pieces) -> Verdict:
    """Whether the text at each chunk's offsets is the chunk; None where none are given."""
    if pieces.spans is None:
        return None
    both = zip(pieces.spans, pieces.texts, strict=True)
    wrong = sum(end > len(text) or text[start:end] != piece for (start, end), piece in both)
    return not wrong or f"{wrong:,} of {len(pieces.texts):,} offsets do not give the chunk"


def in_order(spans: Sequence[Span | None]) -> Verdict:
    """Whether starts and ends rise, so that no chunk lies inside its neighbour."""
    found = [span for span in spans if span is not None]
    wrong = sum(b[0] <= a[0] or b[1] <= a[1] for a, b in pairwise(found))
    return not wrong or f"{wrong:,} of {len(found):,} chunks lie inside a neighbour"


def whole_clusters(text: str, spans: Sequence[Span | None]) -> Verdict:
    """Whether no edge is inside a grapheme cluster."""
    edges = {edge for span in spans if span is not None for edge in span}
    wrong = sum(not _is_between_clusters(text, edge) for edge in edges)
    return not wrong or f"{wrong:,} of {len(edges):,} edges inside a grapheme cluster"


def _is_between_clusters(text: str, edge: int) -> bool:
    if edge in (0, len(text)):
        return True
    before, after = text[edge - 1], text[edge]
    if before < FIRST_COMBINING and after < FIRST_COMBINING:
        return (before, after) != ("\r", "\n")
    start = max(edge - CLUSTER_WINDOW, 0)
    ends = (match.end() for match in CLUSTER.finditer(text, start))
    return edge in takewhile(lambda end: end <= edge, ends)


def no_blanks(texts: Sequence[str]) -> Verdict:
    """Whether no chunk is empty or only white space."""
    blank = sum(not piece.strip() for piece in texts)
    return not blank or f"{blank:,} of {len(texts):,} chunks are blank"
