"""Sections on what an index costs: to refresh it, to put documents into it, to embed late."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.facts import Line
from benchmarks.page.tables import table


def refresh(lines: Sequence[Line]) -> Iterator[str]:
    """A row a tree."""
    columns = (
        "files | walk and stat, ms | refresh, ms | ratio | to our own walk | opened anew, ratio"
    )
    yield table(columns, [_refresh(line) for line in lines])


def _refresh(line: Line) -> list[str]:
    times = line["milliseconds"]
    return [
        f"{line['files']:,}",
        f"{times['walk_and_stat']:.1f}",
        f"{times['refresh']:.1f}",
        f"{line['refresh_to_walk_and_stat']:.2f}",
        f"{line['refresh_to_own_walk']:.2f}",
        f"{line['open_and_refresh_to_walk_and_stat']:.2f}",
    ]


def entries(lines: Sequence[Line]) -> Iterator[str]:
    """A row a work."""
    rows = [[line["work"], f"{line['seconds']:.3f}", f"{line['of_files']:.4f}"] for line in lines]
    yield table("work | seconds | of indexing as many files", rows)


def late(lines: Sequence[Line]) -> Iterator[str]:
    """A row a contestant."""
    columns = "who | NDCG@10 | embedded | seconds to the first answer | a question | all of them"
    yield table(columns, [_late(line) for line in lines])


def _late(line: Line) -> list[str]:
    return [
        line["contestant"],
        f"{line['ndcg']:.3f}",
        f"{line['embedded']:,.0f} of {line['chunks']:,.0f} chunks",
        f"{line['first_answer_seconds']:.1f}",
        f"{line['question_seconds']:.2f}",
        f"{line['all_seconds']:.1f}",
    ]
