"""What can be said of a chunking without any question: sizes, fragments, edges, what was kept
whole, what is repeated. All of it is counted, nothing embedded; a chunker is asked again only in
`editing`, an embedder only in `boundaries`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from statistics import fmean, median

from chunkwright.errors import ConfigError
from chunkwright.evaluation.edges import edges
from chunkwright.evaluation.measures import Span, length
from chunkwright.evaluation.structure import KINDS, Structure
from chunkwright.evaluation.wholes import balance, kept_whole
from chunkwright.types import EXTRA_VIEWS, Chunk, Chunking, Measure

FRAGMENT_SHARE = 0.1
"""Of the cap: a chunk under it is a fragment."""

SHORTEST = 80
"""Code points under which a chunk is a fragment where there is no cap: about 20 tokens."""

_OF_A_KIND = {
    "{}": "{} that fit a chunk (number)",
    "{}_whole": "{} that fit a chunk and lie in one from end to end (share)",
    "{}_too_large": "{} that do not fit any chunk (number)",
}

DEFINITIONS = {
    "documents": "documents that were cut (number)",
    "chunks": "chunks, without views of whole files (number)",
    "size_mean": "size of a chunk (mean)",
    "size_median": "size of a chunk (median)",
    "size_p95": "size that 95% of chunks do not exceed",
    "size_max": "size of the largest chunk",
    "over_cap": "chunks larger than the cap (number)",
    "fragments": "chunks under a tenth of the cap that are not all of a document (number)",
    "fragment_share": "fragments of all chunks (share)",
    "begins_inside_word": "chunks that begin inside a word (share)",
    "begins_inside_sentence": "chunks that begin inside a sentence, or a line of code (share)",
    "ends_inside_word": "chunks that end inside a word (share)",
    "ends_inside_sentence": "chunks that end inside a sentence, or a line of code (share)",
    **{name.format(kind): said.format(kind) for kind in KINDS for name, said in _OF_A_KIND.items()},
    "fences_open": "of chunks with some of a fence, those with one not opened or closed (share)",
    "tables_headless": "of chunks with some of a table, those with rows without header (share)",
    "repeated": "text in chunks that an earlier chunk of its document holds too (share)",
    "equal_chunks": "chunks with the text of an earlier one of the corpus (share)",
    "boundary_strength": "cuts at a greater change of topic than the borders around them (share)",
    "kept_after_edit_at_start": "chunks with the same id after a small edit at the start (share)",
    "kept_after_edit_in_middle": "chunks with the same id after one in the middle (share)",
}
"""Name -> what is counted, and how it is told; a share is 0 to 1. What there is nothing of to count
has no share: the name is left out."""


def intrinsic_facts(
    chunkings: Sequence[Chunking],
    structures: Sequence[Structure],
    *,
    cap: int | None,
    measure: Measure,
) -> dict[str, float]:
    """All that DEFINITIONS names but the last three, of documents and what each is made of.

    `cap` is in `measure`, as the chunks' own `size` has to be; None: no cap. Views of a whole file
    (EXTRA_VIEWS) repeat text on purpose and are left out. Raises ConfigError where the two are not
    of the same documents.
    """
    _check(chunkings, structures)
    cut = [(of, _plain(made)) for made, of in zip(chunkings, structures, strict=True)]
    parts = [chunks for _, chunks in cut]
    return {
        **sizes(parts, cap),
        **edges(cut),
        **kept_whole(cut, cap, measure),
        **balance(cut),
        **repeats(parts),
    }


def sizes(documents: Sequence[Sequence[Chunk]], cap: int | None) -> dict[str, float]:
    """How many chunks of which size, in the unit of their `size`; 0 where there are none.

    A fragment is smaller than a tenth of the cap, or without a cap shorter than 80 code points, and
    not the only chunk of its document: a short document is short whoever cuts it.
    """
    found = sorted(chunk.size for chunks in documents for chunk in chunks)
    fragments = sum(
        _is_fragment(chunk, cap) for chunks in documents if len(chunks) > 1 for chunk in chunks
    )
    return {
        "documents": len(documents),
        "chunks": len(found),
        "size_mean": fmean(found) if found else 0.0,
        "size_median": median(found) if found else 0.0,
        # The smallest size that is not exceeded by 95 in a hundred.
        "size_p95": found[-(-95 * len(found) // 100) - 1] if found else 0,
        "size_max": found[-1] if found else 0,
        "over_cap": sum(cap is not None and size > cap for size in found),
        "fragments": fragments,
        "fragment_share": fragments / max(len(found), 1),
    }


def repeats(documents: Sequence[Sequence[Chunk]]) -> dict[str, float]:
    """What is in the chunks more than once.

    `repeated`: of the code points of all chunks, the share that overlap repeats; `equal_chunks`:
    of all chunks, the share whose text is that of an earlier one, wherever that is.
    """
    spans = [_spans(chunks) for chunks in documents]
    total = sum(end - start for of_one in spans for start, end in of_one)
    texts = [chunk.text for chunks in documents for chunk in chunks]
    return {
        "repeated": 1 - sum(map(length, spans)) / total if total else 0.0,
        "equal_chunks": 1 - len(set(texts)) / len(texts) if texts else 0.0,
    }


def _check(chunkings: Sequence[Chunking], structures: Sequence[Structure]) -> None:
    for chunking, of in zip_longest(chunkings, structures):
        if chunking is None or of is None or chunking.text != of.text:
            path = (chunking or of).path
            raise ConfigError("structures", path, "one for each chunking, of the same text")


def _plain(chunking: Chunking) -> list[Chunk]:
    return [chunk for chunk in chunking if chunk.kind not in EXTRA_VIEWS]


def _is_fragment(chunk: Chunk, cap: int | None) -> bool:
    return len(chunk.text) < SHORTEST if cap is None else chunk.size < FRAGMENT_SHARE * cap


def _spans(chunks: Iterable[Chunk]) -> list[Span]:
    return [(chunk.start, chunk.end) for chunk in chunks]
