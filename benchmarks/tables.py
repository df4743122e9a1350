"""Tables in Markdown, and those of what was searched. What stands around them is render's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any


def table(columns: str, rows: Sequence[Sequence[str]]) -> str:
    heads = columns.split(" | ")
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def retrieval(lines: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Who finds how much, and what ours finds without each of its signals."""
    engines = [line for line in lines if "without" not in line]
    ablations = [line for line in lines if "without" in line]
    categories = list(engines[0]["categories"])
    rows = [_scores(line, line["engine"], categories) for line in engines]
    heads = " | ".join(["engine", "NDCG@10", "choosing", "others", *categories])
    yield table(heads, rows)
    if ablations:
        whole = engines[0]["ndcg"]
        yield "Without one signal:"
        rows = [
            [*_scores(line, line["without"], categories), f"{line['ndcg'] - whole:+.3f}"]
            for line in sorted(ablations, key=lambda line: line["ndcg"])
        ]
        heads = " | ".join(["signal", "NDCG@10", "choosing", "others", *categories, "effect"])
        yield table(heads, rows)


def _scores(line: dict[str, Any], name: str, categories: Sequence[str]) -> list[str]:
    shown = f"**{name}**" if name.startswith("chunkwright") else name
    scores = [line["ndcg"], line["chosen_by"], line["others"]]
    scores += [line["categories"][category] for category in categories]
    return [shown, *(f"{score:.3f}" for score in scores)]
