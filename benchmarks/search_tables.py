"""Tables of what a query costs, and of what is retrieved from text. What stands around them is
render's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tables import table

Line = dict[str, Any]


def searches(lines: Sequence[Line]) -> Iterator[str]:
    """A table for each number of chunks."""
    for size in dict.fromkeys(line["size"] for line in lines):
        chosen = [line for line in lines if line["size"] == size]
        first = chosen[0]
        yield f"### {first['chunks']:,} chunks"
        yield (
            f"{first['queries']:,} queries; files that are repetitions with other names: "
            f"{first['repeated_files']:,}."
        )
        heads = "who | dimensions | of the scan, median | of the scan, 95% | ms, median | ms, 95%"
        yield table(heads, [_cost(line) for line in chosen])


def _cost(line: Line) -> list[str]:
    name = line["engine"]
    return [
        f"**{name}**" if name.startswith("chunkwright") else name,
        f"{line['dim'] or ''}",
        f"{line['ratio']:.1f}",
        f"{line['late_ratio']:.1f}",
        f"{line['milliseconds']:.1f}",
        f"{line['late_milliseconds']:.1f}",
    ]


def retrieval_of_text(lines: Sequence[Line]) -> Iterator[str]:
    """A table for each model and size; the index in one of its own."""
    indexed = [line for line in lines if line["chunker"].endswith("Index")]
    cut = [line for line in lines if line not in indexed]
    for key in dict.fromkeys(map(_group, cut)):
        model, size, overlap, unit = key
        yield f"### Retrieval of text: {model}, {size:,} {unit}, overlap {overlap:,}"
        yield table(
            "chunker | recall | precision | best precision | IoU | chunks | mean length",
            [[_named(line), *_found(line)] for line in cut if _group(line) == key],
        )
    if indexed:
        yield "### Retrieval of text: an index"
        yield table(
            "model | size | recall | precision | best precision | IoU | chunks | mean length",
            [[line["model"], f"{line['size']:,}", *_found(line)] for line in indexed],
        )


def _group(line: Line) -> tuple[str, int, int, str]:
    return line["model"], line["size"], line["overlap"], line["unit"]


def _named(line: Line) -> str:
    name = line["chunker"]
    return f"**{name}**" if line["distribution"] == "chunkwright" else name


def _found(line: Line) -> list[str]:
    measures = ("recall", "precision", "precision_omega", "iou")
    shares = [f"{100 * line[measure]:.1f}" for measure in measures]
    return [*shares, f"{line['chunks']:,}", f"{line['mean_length']:.0f}"]
