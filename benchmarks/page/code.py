"""Sections on source code: how fast it is cut, what stays whole, which symbols are found."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from benchmarks.facts import Line
from benchmarks.page.tables import broken, compared, failures, grouped, is_ours, named, table
from benchmarks.page.words import heading

OTHER_PARSERS = {
    "python": "Python's `ast`",
    "go": "`go/parser`",
    **dict.fromkeys(("typescript", "tsx", "javascript"), "TypeScript"),
}
"""Language -> who else finds functions and types in it, as in definitions.py."""

CTAGS = "Universal Ctags"
"""Who does in every other language."""


def code_speed(lines: Sequence[Line]) -> Iterator[str]:
    """A table for each language's files."""
    for chosen in grouped("corpus", lines).values():
        first = chosen[0]
        yield heading(chosen[0]["what"], chosen[0]["corpus"])
        yield (
            f"{first['files']:,} files, {first['megabytes']:.2f} MB; "
            f"the shortest time of {first['rounds']} rounds."
        )
        columns = "chunker | of the bare parse | ratio | MB/s | MB cut | returns | does not keep"
        yield from compared(columns, [_code_row(line) for line in chosen], chosen)


def _code_row(line: Line) -> list[str]:
    if "failed" in line:
        return [named(line), "failed", "", "", "", line["returned"], ""]
    return [
        named(line),
        f"{line['speed_of_bare_parse']:.2f}",
        f"{line['ratio']:.2f}",
        f"{line['megabytes_per_second']:.1f}",
        f"{line['megabytes']:.2f}",
        line["returned"],
        ", ".join(broken(line)),
    ]


def processes(lines: Sequence[Line]) -> Iterator[str]:
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


def whole_functions(lines: Sequence[Line]) -> Iterator[str]:
    """A table for each language's files, and who keeps more whole in words."""
    columns = (
        "chunker | functions whole | chunks under 100 characters | characters lost | over the cap"
        " | chunks | median fill"
    )
    for chosen in grouped("corpus", lines).values():
        first = chosen[0]
        yield heading(chosen[0]["what"], chosen[0]["corpus"])
        yield (
            f"{first['functions']:,} functions in {first['files']:,} files, "
            f"found by {_other_parser(first)}."
        )
        yield table(columns, [_whole_row(line) for line in chosen])
        yield _most_whole(chosen)
        yield "\n".join(failures(chosen))


def _whole_row(line: Line) -> list[str]:
    fill = line["median_fill"]
    return [
        named(line),
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
        if not is_ours(line) and line["whole"] > first["whole"]
    ]
    if better:
        return f"More functions whole than {first['chunker']} keeps: {', '.join(better)}."
    return f"No peer keeps more functions whole than {first['chunker']}."


def symbols(lines: Sequence[Line]) -> Iterator[str]:
    columns = "language | other parser | files | function recall | type recall | precision"
    for chosen in grouped("corpus", lines).values():
        yield heading(chosen[0]["what"], chosen[0]["corpus"])
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
