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
    measures = ["NDCG@10", "files in ten chunks", "choosing", "others", *categories]
    heads = " | ".join(["engine", *measures])
    yield table(heads, rows)
    if ablations:
        yield "Without one signal:"
        rows = [
            [*_scores(line, line["without"], categories), *_effects(line, engines[0])]
            for line in sorted(ablations, key=lambda line: line["ndcg"])
        ]
        heads = " | ".join(["signal", *measures, "effect", "effect on files"])
        yield table(heads, rows)


def _scores(line: dict[str, Any], name: str, categories: Sequence[str]) -> list[str]:
    shown = f"**{name}**" if name.startswith("chunkwright") else name
    scores = [line["ndcg"], line.get("recall_in_hits"), line["chosen_by"], line["others"]]
    scores += [line["categories"][category] for category in categories]
    return [shown, *("" if score is None else f"{score:.3f}" for score in scores)]


def _effects(line: dict[str, Any], whole: dict[str, Any]) -> list[str]:
    """What leaving a signal out does to either measure."""
    measures = [name for name in ("ndcg", "recall_in_hits") if name in line and name in whole]
    effects = [f"{line[name] - whole[name]:+.3f}" for name in measures]
    return effects + [""] * (2 - len(effects))
