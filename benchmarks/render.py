"""From saved results (results/*.jsonl) to docs/benchmarks.md. Measures nothing.

python benchmarks/render.py
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
RESULTS = [HERE / "results" / f"{name}.jsonl" for name in ("text", "markdown")]
TEMPLATE = HERE / "page.md"
PAGE = HERE.parent / "docs" / "benchmarks.md"

Line = dict[str, Any]

INTRODUCTIONS = {
    "characters": (
        "Characters",
        "At most 1,200 code points, an overlap of at most 200.",
    ),
    "document": (
        "Characters, in a document of ordinary length",
        "The same of the first 100,000 code points. Some splitters take more than twice as long "
        "for twice the text: where a peer is much faster here than above, this table is the one "
        "for documents, and the one above for books, logs and transcripts.",
    ),
    "tokens": (
        "Tokens",
        "At most 512 tokens of cl100k, no overlap. Where a splitter takes a function that counts, "
        "it is given quicktok's. The last rows only encode: no chunks come out of them.",
    ),
    "lines": (
        "Lines",
        "Windows of 60 lines, 15 of them shared, beside the loop one would write by hand.",
    ),
    "markdown": (
        "Markdown",
        "At most 3,200 code points, an overlap of at most 320. The text is the READMEs of the "
        "installed distributions, again and again. The last row only parses.",
    ),
    "growth": (
        "Growth",
        "Time for each megabyte, relative to the shortest text's: 1.00 throughout is linear.",
    ),
    "memory": (
        "Memory",
        "Multiples of the text's own size in memory (`sys.getsizeof`), the result kept; the text "
        "itself is not counted. Traced: what Python allocated (tracemalloc). Resident: growth of "
        "the resident set's peak in a new process.",
    ),
    "stability": (
        "Stability under edits",
        "Single edits of 1 to 40 code points at random places in 200,000. Kept: the share of the "
        "original's chunks that are still there afterwards, told apart by id (chunkwright) or by "
        "text; at least the chunk with the edit in it has to change. Behind: the same of the "
        "chunks that begin behind the edit, which need not change.",
    ),
}
"""Measurement -> heading, and what is asked."""

OURS = "chunkwright"


def page(lines: Sequence[Line]) -> str:
    """The whole page."""
    rounds = max(line.get("rounds", 0) for line in lines)
    filled = TEMPLATE.read_text(encoding="utf-8").format(
        circumstances=_circumstances(lines), rounds=rounds, sections="\n\n".join(_sections(lines))
    )
    return filled.rstrip() + "\n"


def _sections(lines: Sequence[Line]) -> Iterator[str]:
    """Headings, tables and words, without blank lines around them."""
    for what, (heading, introduction) in INTRODUCTIONS.items():
        chosen = [line for line in lines if line["what"] == what]
        if chosen:
            yield f"## {heading}"
            yield introduction
            yield from filter(None, SECTIONS[what](chosen))


def _circumstances(lines: Sequence[Line]) -> str:
    """The machine and the versions."""
    first = lines[0]
    machine = first["machine"]
    versions = sorted({f"{x['distribution']} {x['version']}" for x in lines if x["distribution"]})
    return (
        f"Measured on {machine['processor']}, {machine['cores']} cores, {machine['system']}, "
        f"{first['python']}, seed {first['seed']}. Versions: {', '.join(versions)}."
    )


def _speed(lines: Sequence[Line]) -> Iterator[str]:
    """A table for each text, and who is faster in words."""
    for chosen in _by("corpus", lines).values():
        yield f"### {_heading(chosen)}"
        columns = "chunker | ratio | MB/s | MB cut | chunks | repeats | returns | does not keep"
        yield _table(columns, [_speed_row(line) for line in chosen])
        yield _verdict(chosen)
        yield _reasons(chosen)


def _speed_row(line: Line) -> list[str]:
    if "failed" in line:
        return [_name(line), "failed", "", "", "", "", line["returned"], ""]
    overlap = line["mean_overlap"]
    return [
        _name(line),
        f"{line['ratio']:.2f}",
        f"{line['megabytes_per_second']:.1f}",
        f"{line['megabytes']:.2f}",
        "" if line["chunks"] is None else f"{line['chunks']:,}",
        "" if overlap is None else f"{overlap:.0f}",
        line["returned"],
        ", ".join(broken(line)),
    ]


def _name(line: Line) -> str:
    name, note = line["chunker"], line["note"]
    shown = f"**{name}**" if line["distribution"] == OURS else name
    return f"{shown} ({note})" if note else shown


def broken(line: Line) -> dict[str, str]:
    """Promise -> reason, for those that the output does not keep."""
    return {name: why for name, why in line["promises"].items() if isinstance(why, str)}


def _verdict(lines: Sequence[Line]) -> str:
    """Who is faster and who is slower than the first, plainly."""
    first = lines[0]
    peers = [
        line
        for line in lines
        if line["distribution"] != OURS and line["chunks"] is not None and "failed" not in line
    ]
    faster = [line for line in peers if line["ratio"] > 1]
    sound = [line for line in faster if not broken(line)]
    unsound = [line for line in faster if broken(line)]
    said = [
        _listed(f"Faster than {first['chunker']}, with nothing found broken", sound),
        _listed("Faster, with something broken", unsound),
        _listed("Slower", [line for line in peers if line["ratio"] <= 1]),
    ]
    return " ".join(filter(None, said))


def _listed(what: str, lines: Sequence[Line]) -> str:
    ranked = sorted(lines, key=lambda line: -line["ratio"])
    named = ", ".join(f"{line['chunker']} ({_ratio_and_note(line)})" for line in ranked)
    return f"{what}: {named}." if named else ""


def _ratio_and_note(line: Line) -> str:
    return ", ".join(filter(None, (f"{line['ratio']:.2f}", line["note"])))


def _reasons(lines: Sequence[Line]) -> str:
    """What exactly is broken, and which peer failed with what."""
    items = [
        f"- {line['chunker']}, {promise}: {why}."
        for line in lines
        for promise, why in broken(line).items()
    ]
    items += _failures(lines)
    return "\n".join(items)


def _failures(lines: Sequence[Line]) -> list[str]:
    failed = [line for line in lines if "failed" in line]
    return [f"- {line['chunker']} failed: `{line['failed']}`." for line in failed]


def _growth(lines: Sequence[Line]) -> Iterator[str]:
    """A row for each subject, a column for each length."""
    for chosen in _by("corpus", lines).values():
        lengths = list(dict.fromkeys(f"{line['megabytes']:.2g} MB" for line in chosen))
        rows = []
        for (name, unit), several in _by("chunker unit", chosen).items():
            times = [f"{line['relative']:.2f}" for line in several]
            rows.append([name, unit, *times, f"{several[-1]['megabytes_per_second']:.1f}"])
        yield f"### {_heading(chosen)}"
        yield _table(" | ".join(["chunker", "unit", *lengths, "MB/s at the longest"]), rows)


def _memory(lines: Sequence[Line]) -> Iterator[str]:
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
    yield _table(columns, rows)


def _stability(lines: Sequence[Line]) -> Iterator[str]:
    for chosen in _by("corpus", lines).values():
        yield f"### {_heading(chosen)}"
        yield _table(
            "chunker | kept | behind | told apart by | edits",
            [_stability_row(line) for line in chosen],
        )
        yield _most_stable(chosen)
        yield "\n".join(_failures(chosen))


def _stability_row(line: Line) -> list[str]:
    if "failed" in line:
        return [_name(line), "failed", "", "", ""]
    behind = line["kept_behind"]
    return [
        _name(line),
        f"{line['kept']:.2%}",
        "" if behind is None else f"{behind:.2%}",
        line["told_apart_by"],
        f"{line['edits']}",
    ]


def _most_stable(lines: Sequence[Line]) -> str:
    """Which peers keep more behind an edit than chunkwright at its best."""
    known = [line for line in lines if line.get("kept_behind") is not None]
    best = max(known, key=lambda line: line["distribution"] == OURS and line["kept_behind"])
    shown = f"{best['chunker']} ({best['kept_behind']:.2%})"
    better = [
        f"{line['chunker']} ({line['kept_behind']:.2%})"
        for line in known
        if round(line["kept_behind"], 4) > round(best["kept_behind"], 4)  # as the table shows
    ]
    if better:
        return f"Better behind the edit than {shown}: {', '.join(better)}."
    return f"No peer keeps more behind the edit than {shown}."


SECTIONS: dict[str, Callable[[Sequence[Line]], Iterator[str]]] = {
    "characters": _speed,
    "document": _speed,
    "tokens": _speed,
    "lines": _speed,
    "markdown": _speed,
    "growth": _growth,
    "memory": _memory,
    "stability": _stability,
}


def _heading(lines: Sequence[Line]) -> str:
    """Measurement and text: headings of one page differ."""
    what, _ = INTRODUCTIONS[lines[0]["what"]]
    return f"{what}: {lines[0]['corpus']}"


def _by(fields: str, lines: Sequence[Line]) -> dict[Any, list[Line]]:
    """Lines by the value of a field, or by the values of several, in the order they came."""
    names = fields.split()
    groups: dict[Any, list[Line]] = {}
    for line in lines:
        key = line[names[0]] if len(names) == 1 else tuple(line[name] for name in names)
        groups.setdefault(key, []).append(line)
    return groups


def _table(columns: str, rows: Sequence[Sequence[str]]) -> str:
    heads = columns.split(" | ")
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def saved() -> list[Line]:
    """The committed results."""
    texts = [file.read_text(encoding="utf-8") for file in RESULTS if file.exists()]
    return [json.loads(line) for text in texts for line in text.splitlines()]


if __name__ == "__main__":
    PAGE.write_text(page(saved()), encoding="utf-8", newline="\n")
