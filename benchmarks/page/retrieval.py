"""Sections on search: who finds how much, and what a query costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.facts import Line
from benchmarks.page.tables import grouped, is_ours, shown_name, table
from benchmarks.peers import OURS


def of_code(lines: Sequence[Line]) -> Iterator[str]:
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


def _scores(line: Line, name: str, categories: Sequence[str]) -> list[str]:
    shown = f"**{name}**" if name.startswith(OURS) else name
    scores = [line["ndcg"], line.get("recall_in_hits"), line["chosen_by"], line["others"]]
    scores += [line["categories"][category] for category in categories]
    return [shown, *("" if score is None else f"{score:.3f}" for score in scores)]


def _effects(line: Line, whole: Line) -> list[str]:
    """What leaving a signal out does to either measure."""
    measures = [name for name in ("ndcg", "recall_in_hits") if name in line and name in whole]
    effects = [f"{line[name] - whole[name]:+.3f}" for name in measures]
    return effects + [""] * (2 - len(effects))


def queries(lines: Sequence[Line]) -> Iterator[str]:
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
        f"**{name}**" if name.startswith(OURS) else name,
        f"{line['dim'] or ''}",
        f"{line['ratio']:.1f}",
        f"{line['late_ratio']:.1f}",
        f"{line['milliseconds']:.1f}",
        f"{line['late_milliseconds']:.1f}",
    ]


def of_text(lines: Sequence[Line]) -> Iterator[str]:
    """A table for each model and size; the index in one of its own."""
    indexed = [line for line in lines if line["chunker"].endswith("Index")]
    cut = [line for line in lines if line not in indexed]
    for (model, size, overlap, unit), several in grouped("model size overlap unit", cut).items():
        yield f"### Retrieval of text: {model}, {size:,} {unit}, overlap {overlap:,}"
        yield table(
            "chunker | recall | precision | best precision | IoU | chunks | mean length",
            [[shown_name(line), *_found(line)] for line in several],
        )
        yield _better(several)
    if indexed:
        yield "### Retrieval of text: an index"
        yield table(
            "model | size | recall | precision | best precision | IoU | chunks | mean length",
            [[line["model"], f"{line['size']:,}", *_found(line)] for line in indexed],
        )


def _found(line: Line) -> list[str]:
    measures = ("recall", "precision", "precision_omega", "iou")
    shares = [f"{100 * line[measure]:.1f}" for measure in measures]
    return [*shares, f"{line['chunks']:,}", f"{line['mean_length']:.0f}"]


def _better(lines: Sequence[Line]) -> str:
    """Who is ahead of the best of ours, plainly; by how much of it is chance is not said here."""
    said = []
    for measure, called in (("recall", "recall"), ("precision_omega", "best precision")):
        best = max((line[measure] for line in lines if is_ours(line)), default=0.0)
        ahead = [line["chunker"] for line in lines if line[measure] > best and not is_ours(line)]
        if ahead:
            said.append(f"Higher {called} than any of ours: {', '.join(ahead)}.")
    return " ".join(said)


def published(lines: Sequence[Line]) -> Iterator[str]:
    """A table for each model, and what of it does not lie within our intervals."""
    columns = "splitter | size | measure | published | ours | interval | their way"
    for model, several in grouped("model", lines).items():
        yield f"### Published numbers made anew: {model}"
        yield table(columns, [_published(line) for line in several])
        outside = sum(not line["within"] for line in several)
        yield f"Outside of our interval: {outside} of {len(several)}."


def _published(line: Line) -> list[str]:
    theirs = line.get("their_way")
    return [
        line["chunker"],
        f"{line['size']:,} {line['unit']}, overlap {line['overlap']:,}",
        line["measure"].replace("_", " "),
        f"{line['published']:.1f}",
        f"{line['ours']:.1f}",
        f"{line['low']:.1f}–{line['high']:.1f}" + ("" if line["within"] else " (outside)"),
        "" if theirs is None else f"{theirs:.1f}",
    ]
