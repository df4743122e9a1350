"""The short way to the usual windows gives what the packer gives without it, and is taken."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from chunkwright.chunking import packing
from chunkwright.chunking.layouts import Span
from chunkwright.chunking.prose_windows import ProseWindows
from chunkwright.measuring import Ruler
from strategies import SENTENCES, texts

MEASURES = ("chars", "bytes", "graphemes", "tokens")

JOINTS = st.sampled_from(
    ["", "", "", "\n", "\n\n", "\n\n\n", "\n  \n", "\n\n# Tides\n\n", "\n    "]
)
PROSE = st.lists(st.tuples(st.sampled_from(SENTENCES), JOINTS), min_size=10, max_size=80).map(
    lambda parts: "".join(sentence + joint for sentence, joint in parts)
)


def spans(text: str, measure: str, size: int, overlap: int) -> list[Span]:
    ruler = Ruler(text, measure, size)
    found = packing.pack(ruler, 0, len(text), overlap=overlap)
    return [replace(span, size=ruler.count(span.start, span.end)) for span in found]


@settings(max_examples=300)
@given(
    st.one_of(PROSE, PROSE, texts()),
    st.sampled_from(MEASURES),
    st.integers(20, 300),
    st.sampled_from([0, 4, 8, 3]),
)
def test_the_short_way_leads_to_the_same_place(
    text: str, measure: str, size: int, part: int
) -> None:
    """Spans are the same whether or not usual windows are taken for such."""
    overlap = size // part if part else 0
    taken = spans(text, measure, size, overlap)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packing._Packer, "_usual_windows", lambda packer: None)  # the long way alone
        assert spans(text, measure, size, overlap) == taken


def steps(text: str, overlap: int) -> tuple[int, int]:
    """Spans in all, and those that the short way gave."""
    given_spans = 0

    def counted(windows: ProseWindows, span: Span) -> Generator[Span, None, Span]:
        nonlocal given_spans
        for found in after(windows, span):
            given_spans += 1
            span = found
            yield found
        return span

    after = ProseWindows.after
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ProseWindows, "after", counted)
        return len(spans(text, "chars", 1200, overlap)), given_spans


@pytest.mark.parametrize("overlap", [0, 200])
def test_most_windows_of_prose_are_usual(overlap: int) -> None:
    """Of ordinary prose nine windows in ten are cut the short way, in every script."""
    english = "The harbour is open from six to nine, and closed at night. " * 9
    chinese = "第一句话说明背景情况。第二句话给出更多细节内容！" * 20
    text = "\n\n".join([english, chinese, english, "यह एक वाक्य है। " * 30] * 20)
    every, short = steps(text, overlap)
    assert every > 30
    assert short >= 0.9 * every
