"""Whether a text is cut where its topic changes, told without questions: by how unlike the text on
the two sides of a cut is, held against the borders around it. Who cuts and who embeds is given.

Related measures are TextTiling's depth score (Hearst 1997), which compares a gap with the peaks
beside it, and the boundary clarity of MoC (2025), which asks a language model how surprising one
side is without the other. This one asks a cheap embedder, and rates a gap among its neighbours.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from chunkwright.characters import INK
from chunkwright.chunking.sentences import first_sentence_start
from chunkwright.evaluation.sampling import some_of
from chunkwright.evaluation.structure import Structure
from chunkwright.types import EXTRA_VIEWS, Chunking, Embedder

WINDOW = 300
"""Code points on each side of a gap: a paragraph. Of 150, 200, 300 and 400, cuts of Markdown stood
out most against those at random with 300, or within 0.03 of it, in six of seven texts."""

NEARBY = 400
"""Code points on each side of a cut in which other borders are looked at: the topic that they lie
in is that of the cut. With 1,500, good cuts stand out less."""

SHORTEST_SIDE = 100
"""Code points that both sides need; less says nothing."""

CUTS = 300
"""Cuts that are looked at: the mean of so many is right to within 0.04, 19 times in 20."""

BORDERS = 8
"""Borders that a cut is held against; drawn by the seed where more are near it."""

BATCH = 512
"""Texts that are embedded at once."""

Place = tuple[int, int]
"""Number of a document and a code point in it."""


def boundary_strength(
    chunkings: Sequence[Chunking],
    structures: Sequence[Structure],
    embedder: Embedder,
    *,
    seed: int,
    cuts: int = CUTS,
) -> dict[str, float]:
    """`boundary_strength`, 0 to 1: how often the texts beside a cut are less alike than those
    beside another border near it, a tie for half; over `cuts` of all cuts, drawn by `seed`.

    `borders` within NEARBY code points are compared, BORDERS of them; a cut weighs as much as there
    are, so that cuts at random borders come to 0.5. Cuts inside sentences come to less. Of this
    project's pages 500 code points wide, cuts at random borders have 0.50, at headings and
    paragraphs 0.61, blind ones 0.42. How alike two texts are is the cosine of their vectors. Empty
    where no cut has a border beside it.
    """
    texts = [of.text for of in structures]
    found = [
        (document, place, _nearby(structures[document], place))
        for document, place in some_of(list(_cuts(chunkings, texts)), cuts, seed)
    ]
    compared = [some_of(near, BORDERS, seed + place) for _, place, near in found]
    gaps = _Gaps(texts, embedder)
    both = list(zip(found, compared, strict=True))
    gaps.measure([(of, at) for (of, place, _), some in both for at in (place, *some)])
    ranks = [
        (len(near), rank)
        for (of, place, near), some in both
        for rank in _rank(gaps.at(of, place), [gaps.at(of, at) for at in some])
    ]
    weight = sum(weight for weight, _ in ranks)
    return {"boundary_strength": sum(w * rank for w, rank in ranks) / weight} if ranks else {}


def _cuts(chunkings: Sequence[Chunking], texts: Sequence[str]) -> Iterator[Place]:
    """Where a chunk ends and text goes on, at the first character that is not white space."""
    for document, (chunking, text) in enumerate(zip(chunkings, texts, strict=True)):
        for end in sorted({chunk.end for chunk in chunking if chunk.kind not in EXTRA_VIEWS}):
            ink = INK.search(text, end)
            if ink and _has_sides(text, ink.start()):
                yield document, ink.start()


def _has_sides(text: str, place: int) -> bool:
    return SHORTEST_SIDE <= place <= len(text) - SHORTEST_SIDE


def borders(of: Structure, low: int, high: int) -> list[int]:
    """Where sentences and paragraphs begin, in low <= place < high; of source code, and in fences
    and tables, where lines do, at their first character that is not white space."""
    starts = (at for at in _starts(of.text, low, high) if not _is_lined(of, at))
    lines = (at for at in _lines(of.text, low, high) if _is_lined(of, at))
    return sorted({*starts, *lines} if of.lined else starts)


def _nearby(of: Structure, place: int) -> list[int]:
    found = borders(of, max(0, place - NEARBY), min(len(of.text), place + NEARBY))
    return [at for at in found if at != place and _has_sides(of.text, at)]


def _starts(text: str, low: int, high: int) -> Iterator[int]:
    at = first_sentence_start(text, low, high)
    while at >= 0:
        yield at
        at = first_sentence_start(text, at + 1, high)


def _lines(text: str, low: int, high: int) -> Iterator[int]:
    """The first character of each line that begins there and is not blank."""
    at = low  # inside a line, or where one begins
    for line in text[low:high].splitlines(keepends=True):
        if line.strip() and (at > low or low == 0 or text[low - 1] in "\r\n"):
            yield at + len(line) - len(line.lstrip())
        at += len(line)


def _is_lined(of: Structure, place: int) -> bool:
    at = bisect_right(of.lined, (place, len(of.text))) - 1
    return at >= 0 and place < of.lined[at][1]


def _rank(gap: float | None, others: Sequence[float | None]) -> Iterator[float]:
    """The share of the others that are smaller, ties for half; nothing where there are none."""
    known = sorted(other for other in others if other is not None)
    if gap is not None and known:
        yield (bisect_left(known, gap) + bisect_right(known, gap)) / (2 * len(known))


class _Gaps:
    """How unlike the two sides of each place are, measured once."""

    def __init__(self, texts: Sequence[str], embedder: Embedder) -> None:
        self._texts = texts
        self._embedder = embedder
        self._known: dict[Place, float | None] = {}

    def measure(self, places: Sequence[Place]) -> None:
        """1 less the cosine; None where a side has no vector."""
        new = sorted(set(places) - self._known.keys())
        for start in range(0, len(new), BATCH):
            some = new[start : start + BATCH]
            left = self._vectors([self._texts[of][max(0, at - WINDOW) : at] for of, at in some])
            right = self._vectors([self._texts[of][at : at + WINDOW] for of, at in some])
            # In whole steps of a millionth, so that a processor's last bit decides no tie.
            cosines = np.round(np.einsum("ij,ij->i", left, right), 6).tolist()
            told = np.any(left, axis=1) & np.any(right, axis=1)
            for place, cosine, is_known in zip(some, cosines, told.tolist(), strict=True):
                self._known[place] = 1 - cosine if is_known else None

    def at(self, document: int, place: int) -> float | None:
        """What was measured there."""
        return self._known[document, place]

    def _vectors(self, texts: Sequence[str]) -> npt.NDArray[np.float64]:
        vectors = np.asarray(self._embedder.embed(texts), dtype=np.float64)
        lengths: npt.NDArray[np.float64] = np.linalg.norm(vectors, axis=1, keepdims=True)
        lengths[lengths == 0] = 1
        return vectors / lengths
