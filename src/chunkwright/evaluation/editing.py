"""How many chunks are still the same after a small edit: what an index would have to embed anew.
Documents and a chunker are given; nothing is embedded here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

import msgspec
import numpy as np

from chunkwright.evaluation.nouns import Cut
from chunkwright.evaluation.sampling import some_of
from chunkwright.types import Chunking, Document

DOCUMENTS = 12
"""Documents that are edited."""

LOOKED_AT = 48
"""Documents, drawn by the seed, among which those with two chunks or more are edited."""

LONGEST = 100_000
"""Code points of a document that are cut again and again; the rest of a longer one is left off."""

EDITS = 3
"""Of each document at each of the two places: one puts text in, one takes text out, one does
both."""

LONGEST_EDIT = 40
"""Code points that are put in or taken out."""

AT_START, IN_MIDDLE = (0.0, 0.05), (0.4, 0.6)
"""Shares of the text between which the edits are."""


def edit_stability(documents: Sequence[Document], cut: Cut, *, seed: int) -> dict[str, float]:
    """`kept_after_edit_at_start` and `kept_after_edit_in_middle`: the share of all chunks, 0 to 1,
    whose ids a document still has after an edit of up to 40 code points in its first twentieth, or
    in the fifth around its middle.

    The mean over up to 12 documents of two chunks or more and three edits each, all drawn by
    `seed`, and the same whatever cuts them; what is put in comes from elsewhere in the document. An
    edited chunk is another one, so that of n chunks at most n - 1 are kept, and with overlap less.
    Empty where no document has two chunks.
    """
    looked_at = some_of(range(len(documents)), LOOKED_AT, seed)
    cut_once = (
        (number, one, _ids(cut(one)))
        for number in looked_at
        for one in (_beginning(documents[number]),)
    )
    chosen = list(islice((one for one in cut_once if one[2].total() > 1), DOCUMENTS))
    if not chosen:
        return {}
    return {
        name: _kept(chosen, cut, place, seed)
        for name, place in (
            ("kept_after_edit_at_start", AT_START),
            ("kept_after_edit_in_middle", IN_MIDDLE),
        )
    }


def _kept(
    chosen: Sequence[tuple[int, Document, Counter[str]]],
    cut: Cut,
    place: tuple[float, float],
    seed: int,
) -> float:
    shares = [
        (before & _ids(cut(edited))).total() / before.total()
        for number, document, before in chosen
        for edited in _edited(document, place, seed + number)
    ]
    return sum(shares) / len(shares)


def _edited(document: Document, place: tuple[float, float], seed: int) -> Iterator[Document]:
    text = document.text
    stream = np.random.PCG64(seed)

    def drawn(low: int, high: int) -> int:
        """In low <= number < high, or low."""
        return low + int(stream.random_raw()) % max(high - low, 1)

    for number in range(EDITS):
        start = drawn(int(place[0] * len(text)), int(place[1] * len(text)))
        end = start if number == 0 else start + drawn(1, LONGEST_EDIT + 1)
        source = drawn(0, len(text) - LONGEST_EDIT)
        new = "" if number == 1 else text[source : source + drawn(1, LONGEST_EDIT + 1)]
        yield msgspec.structs.replace(document, text=text[:start] + new + text[end:])


def _beginning(document: Document) -> Document:
    return msgspec.structs.replace(document, text=document.text[:LONGEST])


def _ids(chunking: Chunking) -> Counter[str]:
    return Counter(chunk.id for chunk in chunking)
