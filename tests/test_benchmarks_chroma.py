"""The results of the benchmark chroma_table that are committed, held to the report's tables; and
how its own way of counting differs from ours."""

from __future__ import annotations

from typing import Any

import pytest

from benchmark_rooms import load
from chunkwright.evaluation import precision_omega

table, saving = load("measurements.chroma_table"), load("saving")

Line = dict[str, Any]


def lines(model: str, chunker: str, counted_in: str = "cl100k") -> list[Line]:
    wanted = (model, f"langchain {chunker}", counted_in)
    found = saving.read(saving.FOLDER / "chroma_table.jsonl")
    return [one for one in found if (one["model"], one["chunker"], one["unit"]) == wanted]


@pytest.mark.parametrize("chunker", [table.RECURSIVE, table.FIXED])
def test_precision_omega_is_that_of_the_report(chunker: str) -> None:
    """The four sizes of its first table: to the digit where it is counted as there, and within the
    interval as it is counted here."""
    found = lines(table.LARGE, chunker)
    assert len(found) == 4
    for line in found:
        assert line["their_way"] == pytest.approx(line["published"], abs=0.06)
        assert line["within"]


def test_mean_sizes_are_those_of_the_report() -> None:
    """Of the recursive splitter, whose chunks are of many sizes: the same chunks."""
    found = lines(table.LARGE, table.RECURSIVE)
    assert [line["mean_tokens"] for line in found] == pytest.approx(
        [line["published_mean_tokens"] for line in found], abs=1
    )


def test_the_table_with_minilm_is_made_anew() -> None:
    """Recall, precision, PrecisionOmega and IoU of the recursive splitter at three sizes: all in
    the intervals, and but for recall to two tenths of a per cent."""
    found = lines(table.MINILM, table.RECURSIVE, "word pieces")
    assert len(found) == 12
    for line in found:
        assert line["within"]
        near = 0.8 if line["measure"] == "recall" else 0.2
        ours = line.get("their_way", line["ours"])
        assert ours == pytest.approx(line["published"], abs=near)


def test_recall_with_minilm_is_within_for_every_row() -> None:
    """Of the windows too, whose other measures tell that the report's were longer."""
    found = lines(table.MINILM, table.FIXED)
    assert [line["within"] for line in found if line["measure"] == "recall"] == [True] * 3


def test_their_way_counts_chunks_that_only_touch() -> None:
    """The reference 10 to 20 fills a chunk; the two beside it end and begin where it does."""
    chunks = [(0, 10), (10, 20), (20, 30)]
    assert table._omega_with_neighbours(chunks, [(10, 20)]) == 10 / 30
    assert precision_omega(chunks, [(10, 20)]) == 1
