"""From saved results (results/*.jsonl) to docs/benchmarks.md. Measures nothing.

python benchmarks/render.py
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from search_tables import retrieval_of_text, searches
from tables import retrieval, table

HERE = Path(__file__).parent
RESULTS = HERE / "results"
TEMPLATE = HERE / "page.md"
PAGE = HERE.parent / "docs" / "benchmarks.md"

Line = dict[str, Any]

SECTION = re.compile(r"(?m)^## (.+)\n\n(.+)\n\n\{([a-z ]+)\}$")
"""A section of the template: its heading, what is asked, and the measurement that is put there."""

WORDS = TEMPLATE.read_text(encoding="utf-8")

INTRODUCTIONS = {what: (heading, asked) for heading, asked, what in SECTION.findall(WORDS)}
"""Measurement -> heading, and what is asked, in the order of the page."""

OURS = "chunkwright"

OTHER_PARSERS = {
    "python": "Python's `ast`",
    "go": "`go/parser`",
    **dict.fromkeys(("typescript", "tsx", "javascript"), "TypeScript"),
}
"""Language -> who else finds functions and types in it, as in definitions.py."""

CTAGS = "Universal Ctags"
"""Who does in every other language."""


def page(lines: Sequence[Line]) -> str:
    """The whole page: what the template says first, then the sections that were measured."""
    rounds = max(line.get("rounds", 0) for line in lines)
    first = SECTION.split(WORDS, maxsplit=1)[0].rstrip()
    head = first.format(circumstances=_circumstances(lines), rounds=rounds)
    return "\n\n".join((head, *_sections(lines))) + "\n"


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
    versioned = [x for x in lines if x.get("distribution") and x.get("version")]
    versions = sorted({f"{x['distribution']} {x['version']}" for x in versioned})
    return (
        f"Measured on {machine['processor']}, {machine['cores']} cores, {machine['system']}, "
        f"{first['python']}, seed {first['seed']}. Versions: {', '.join(versions)}."
    )


def _speed(lines: Sequence[Line]) -> Iterator[str]:
    """A table for each text, and who is faster in words."""
    for chosen in _by("corpus", lines).values():
        yield f"### {_heading(chosen)}"
        columns = "chunker | ratio | MB/s | MB cut | chunks | repeats | returns | does not keep"
        yield from _compared(columns, [_speed_row(line) for line in chosen], chosen)


def _compared(columns: str, rows: Sequence[Sequence[str]], lines: Sequence[Line]) -> Iterator[str]:
    yield table(columns, rows)
    yield _verdict(lines)
    yield _reasons(lines)


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
    refusing = [line for line in lines if line.get("failed_files")]
    return [
        *(f"- {line['chunker']} failed: `{line['failed']}`." for line in failed),
        *(
            f"- {line['chunker']}, files refused and left out of its counts: "
            f"{line['failed_files']:,}."
            for line in refusing
        ),
    ]


def _growth(lines: Sequence[Line]) -> Iterator[str]:
    """A row for each subject, a column for each length."""
    for chosen in _by("corpus", lines).values():
        lengths = list(dict.fromkeys(f"{line['megabytes']:.2g} MB" for line in chosen))
        rows = []
        for (name, unit), several in _by("chunker unit", chosen).items():
            times = [f"{line['relative']:.2f}" for line in several]
            rows.append([name, unit, *times, f"{several[-1]['megabytes_per_second']:.1f}"])
        yield f"### {_heading(chosen)}"
        yield table(" | ".join(["chunker", "unit", *lengths, "MB/s at the longest"]), rows)


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
    yield table(columns, rows)


def _stability(lines: Sequence[Line]) -> Iterator[str]:
    for chosen in _by("corpus", lines).values():
        yield f"### {_heading(chosen)}"
        yield table(
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


def _code(lines: Sequence[Line]) -> Iterator[str]:
    """A table for each language's files."""
    for chosen in _by("corpus", lines).values():
        first = chosen[0]
        yield f"### {_heading(chosen)}"
        yield (
            f"{first['files']:,} files, {first['megabytes']:.2f} MB; "
            f"the shortest time of {first['rounds']} rounds."
        )
        columns = "chunker | of the bare parse | ratio | MB/s | MB cut | returns | does not keep"
        yield from _compared(columns, [_code_row(line) for line in chosen], chosen)


def _code_row(line: Line) -> list[str]:
    if "failed" in line:
        return [_name(line), "failed", "", "", "", line["returned"], ""]
    return [
        _name(line),
        f"{line['speed_of_bare_parse']:.2f}",
        f"{line['ratio']:.2f}",
        f"{line['megabytes_per_second']:.1f}",
        f"{line['megabytes']:.2f}",
        line["returned"],
        ", ".join(broken(line)),
    ]


def _processes(lines: Sequence[Line]) -> Iterator[str]:
    rows = [
        [
            line["corpus"],
            line["chunker"],
            f"{line['megabytes_per_second']:.1f}",
            f"{line['speed_of_one_process']:.2f}",
        ]
        for line in lines
    ]
    yield table("files | call | MB/s | speed of one process", rows)


def _whole(lines: Sequence[Line]) -> Iterator[str]:
    """A table for each language's files, and who keeps more whole in words."""
    columns = (
        "chunker | functions whole | chunks under 100 characters | characters lost | over the cap"
        " | chunks | median fill"
    )
    for chosen in _by("corpus", lines).values():
        first = chosen[0]
        yield f"### {_heading(chosen)}"
        yield (
            f"{first['functions']:,} functions in {first['files']:,} files, "
            f"found by {_other_parser(first)}."
        )
        yield table(columns, [_whole_row(line) for line in chosen])
        yield _most_whole(chosen)
        yield "\n".join(_failures(chosen))


def _whole_row(line: Line) -> list[str]:
    fill = line["median_fill"]
    return [
        _name(line),
        percent(line["whole"]),
        percent(line["under_100"], math.ceil),
        f"{line['lost']:,}",
        f"{line['over_cap']:,}",
        f"{line['chunks']:,}",
        "" if fill is None else f"{fill:.2f}",
    ]


def _most_whole(lines: Sequence[Line]) -> str:
    """Which peers keep more functions whole than the first, plainly."""
    first, known = lines[0], [line for line in lines if line["whole"] is not None]
    better = [
        f"{line['chunker']} ({percent(line['whole'])})"
        for line in known
        if line["distribution"] != OURS and line["whole"] > first["whole"]
    ]
    if better:
        return f"More functions whole than {first['chunker']} keeps: {', '.join(better)}."
    return f"No peer keeps more functions whole than {first['chunker']}."


def _symbols(lines: Sequence[Line]) -> Iterator[str]:
    columns = "language | other parser | files | function recall | type recall | precision"
    for chosen in _by("corpus", lines).values():
        yield f"### {_heading(chosen)}"
        yield table(columns, [_symbols_row(line) for line in chosen])


def _symbols_row(line: Line) -> list[str]:
    return [
        line["language"],
        _other_parser(line),
        f"{line['files']:,}",
        _percent_of(line["function_recall"], line["functions"]),
        _percent_of(line["type_recall"], line["types"]),
        _percent_of(line["precision"], line["symbols"]),
    ]


def _other_parser(line: Line) -> str:
    return OTHER_PARSERS.get(line["language"], CTAGS)


def _percent_of(share: float | None, whole: int) -> str:
    return "" if share is None else f"{percent(share)} of {whole:,}"


def percent(share: float | None, rounded: Callable[[float], int] = math.floor) -> str:
    """With two places, rounded down (or up), so that 100.00% (or 0.00%) is said of no less."""
    if share is None:
        return ""
    hundredths = rounded(round(share * 10_000, 6))  # 0.57 * 10,000 is a little less than 5,700
    return f"{hundredths / 100:.2f}%"


SECTIONS: dict[str, Callable[[Sequence[Line]], Iterator[str]]] = {
    "characters": _speed,
    "document": _speed,
    "tokens": _speed,
    "lines": _speed,
    "markdown": _speed,
    "growth": _growth,
    "memory": _memory,
    "stability": _stability,
    "whole functions": _whole,
    "code": _code,
    "code in processes": _processes,
    "symbols": _symbols,
    "retrieval of code": retrieval,
    "retrieval of text": retrieval_of_text,
    "search": searches,
}


def _heading(lines: Sequence[Line]) -> str:
    """Measurement and text: headings of one page differ."""
    what, _ = INTRODUCTIONS[lines[0]["what"]]
    return f"{what.rpartition(': ')[2].capitalize()}: {lines[0]['corpus']}"


def _by(fields: str, lines: Sequence[Line]) -> dict[Any, list[Line]]:
    """Lines by the value of a field, or by the values of several, in the order they came."""
    names = fields.split()
    groups: dict[Any, list[Line]] = {}
    for line in lines:
        key = line[names[0]] if len(names) == 1 else tuple(line[name] for name in names)
        groups.setdefault(key, []).append(line)
    return groups


def saved() -> list[Line]:
    """The committed results."""
    texts = [file.read_text(encoding="utf-8") for file in sorted(RESULTS.glob("*.jsonl"))]
    return [json.loads(line) for text in texts for line in text.splitlines()]


if __name__ == "__main__":
    PAGE.write_text(page(saved()), encoding="utf-8", newline="\n")
