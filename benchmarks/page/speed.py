"""Sections on how fast text is cut, how that grows, and what an edit leaves of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.facts import Line
from benchmarks.page.tables import broken, compared, failures, grouped, is_ours, named, table
from benchmarks.page.words import heading


def speed(lines: Sequence[Line]) -> Iterator[str]:
    """A table for each text, and who is faster in words."""
    for chosen in grouped("corpus", lines).values():
        yield heading(chosen[0]["what"], chosen[0]["corpus"])
        columns = "chunker | ratio | MB/s | MB cut | chunks | repeats | returns | does not keep"
        yield from compared(columns, [_speed_row(line) for line in chosen], chosen)


def _speed_row(line: Line) -> list[str]:
    if "failed" in line:
        return [named(line), "failed", "", "", "", "", line["returned"], ""]
    overlap = line["mean_overlap"]
    return [
        named(line),
        f"{line['ratio']:.2f}",
        f"{line['megabytes_per_second']:.1f}",
        f"{line['megabytes']:.2f}",
        "" if line["chunks"] is None else f"{line['chunks']:,}",
        "" if overlap is None else f"{overlap:.0f}",
        line["returned"],
        ", ".join(broken(line)),
    ]


def growth(lines: Sequence[Line]) -> Iterator[str]:
    """A row for each subject, a column for each length."""
    for chosen in grouped("corpus", lines).values():
        lengths = list(dict.fromkeys(f"{line['megabytes']:.2g} MB" for line in chosen))
        rows = []
        for (name, unit), several in grouped("chunker unit", chosen).items():
            times = [f"{line['relative']:.2f}" for line in several]
            rows.append([name, unit, *times, f"{several[-1]['megabytes_per_second']:.1f}"])
        yield heading(chosen[0]["what"], chosen[0]["corpus"])
        yield table(" | ".join(["chunker", "unit", *lengths, "MB/s at the longest"]), rows)


def memory(lines: Sequence[Line]) -> Iterator[str]:
    rows = [
        [
            line["chunker"],
            line["unit"],
            line["corpus"],
            f"{line['text_bytes'] / 1e6:.1f} MB",
            f"{line['traced_peak']:.2f}",
            f"{line['traced_kept']:.2f}",
            "not known" if line["resident_peak"] is None else f"{line['resident_peak']:.2f}",
        ]
        for line in lines
    ]
    columns = "chunker | unit | text | its size | traced peak | traced, kept | resident peak"
    yield table(columns, rows)


def stability(lines: Sequence[Line]) -> Iterator[str]:
    for chosen in grouped("corpus", lines).values():
        yield heading(chosen[0]["what"], chosen[0]["corpus"])
        yield table(
            "chunker | kept | behind | told apart by | edits",
            [_stability_row(line) for line in chosen],
        )
        yield _most_stable(chosen)
        yield "\n".join(failures(chosen))


def _stability_row(line: Line) -> list[str]:
    if "failed" in line:
        return [named(line), "failed", "", "", ""]
    behind = line["kept_behind"]
    return [
        named(line),
        f"{line['kept']:.2%}",
        "" if behind is None else f"{behind:.2%}",
        line["told_apart_by"],
        f"{line['edits']}",
    ]


def _most_stable(lines: Sequence[Line]) -> str:
    """Which peers keep more behind an edit than chunkwright at its best."""
    known = [line for line in lines if line.get("kept_behind") is not None]
    best = max(known, key=lambda line: is_ours(line) and line["kept_behind"])
    shown = f"{best['chunker']} ({best['kept_behind']:.2%})"
    better = [
        f"{line['chunker']} ({line['kept_behind']:.2%})"
        for line in known
        if round(line["kept_behind"], 4) > round(best["kept_behind"], 4)  # as the table shows
    ]
    if better:
        return f"Better behind the edit than {shown}: {', '.join(better)}."
    return f"No peer keeps more behind the edit than {shown}."
