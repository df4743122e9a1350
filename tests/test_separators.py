"""Looking only at the separators near a cut gives what looking at every one gives."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkwright.chunking import separators
from chunkwright.chunking.layouts import Span
from chunkwright.chunking.separators import Piece, Splitting
from chunkwright.measuring import Ruler

MARKED = ("\u0301b", "\u0600", "क्षि")
"""What makes a cluster with the white space before it, or after it, or neither."""

WORDS = st.lists(
    st.tuples(
        st.sampled_from(
            ["a", "tide", "harbour", "雪国", "🙂🙂", "é.", "x" * 30, "\u0301b", "\u0600", "क्षि"]
        ),
        st.sampled_from([" ", " ", " ", "  ", "\n", " \n", "\n\n", "\n\n\n", "\t"]),
    ),
    min_size=3,
    max_size=60,
).map(lambda parts: "".join(word + white for word, white in parts))


def parts(text: str, by: str, measure: str, size: int, overlap: int) -> list[Span | Piece]:
    splitting = Splitting(Ruler(text, measure, size), overlap, plain=True)
    stretch = Piece(0, len(text.rstrip()))
    return list(splitting.level(stretch, separators.separator(by, keep=False)))


@settings(max_examples=300)
@given(
    WORDS,
    st.sampled_from([" ", "\n", "\n\n"]),
    st.sampled_from(["chars", "bytes", "graphemes"]),
    st.integers(2, 80),
    st.integers(0, 4),
)
def test_windows_are_what_joined_pieces_are(
    text: str, by: str, measure: str, size: int, part: int
) -> None:
    """Spans, overlaps and the pieces that are too long are the same."""
    overlap = size // 2 * part // 4
    seen = parts(text, by, measure, size, overlap)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Splitting, "level", separators._piece_by_piece)
        assert parts(text, by, measure, size, overlap) == seen
