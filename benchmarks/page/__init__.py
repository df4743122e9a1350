"""From saved results to docs/benchmarks.md and its plots. Measures nothing.

`python -m benchmarks page` writes them. Each kind of section has a room: `speed` and `code` for
cutting, `retrieval` and `frontier` for finding, `index` for what one costs, `defaults` for what
follows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from benchmarks import saving
from benchmarks.facts import UNKNOWN, Line
from benchmarks.page import code, defaults, frontier, index, plots, retrieval, speed, words

PAGE = Path(__file__).parent.parent.parent / "docs" / "benchmarks.md"
PLOTS = PAGE.with_suffix("")
"""The folder of the plots, beside the page."""

Section = Callable[[Sequence[Line]], Iterator[str]]

SECTIONS: dict[str, Section] = {
    **dict.fromkeys(("characters", "document", "tokens", "lines", "markdown"), speed.speed),
    "growth": speed.growth,
    "memory": speed.memory,
    "stability": speed.stability,
    "whole functions": code.whole_functions,
    "code": code.code_speed,
    "code in processes": code.processes,
    "symbols": code.symbols,
    "retrieval of code": retrieval.of_code,
    "retrieval of text": retrieval.of_text,
    "published table": retrieval.published,
    "search": retrieval.queries,
    "late embedding": index.late,
    "refresh": index.refresh,
    "entries": index.entries,
    "frontier of text": frontier.frontier,
    "frontier of code": frontier.frontier,
    "defaults": defaults.defaults,
}
"""Measurement -> what its section is made by."""


def write() -> None:
    """The page and its plots, anew."""
    lines = saving.saved()
    PAGE.write_text(page(lines), encoding="utf-8", newline="\n")
    PLOTS.mkdir(exist_ok=True)
    drawn = plots.drawn(lines)
    for file in PLOTS.glob("*.svg"):
        if file.name not in drawn:
            file.unlink()
    for name, svg in drawn.items():
        (PLOTS / name).write_text(svg, encoding="utf-8", newline="\n")


def page(lines: Sequence[Line]) -> str:
    """The whole page: what the template says first, then the sections that were measured."""
    rounds = max(line.get("rounds", 0) for line in lines)
    first = words.head(circumstances=_circumstances(lines), rounds=rounds)
    return "\n\n".join((first, *_sections(lines))) + "\n"


def _sections(lines: Sequence[Line]) -> Iterator[str]:
    """Headings, tables and words, without blank lines around them."""
    for what, (heading, asked, remark) in words.SECTIONS.items():
        chosen = [line for line in lines if line["what"] == what]
        if chosen:
            yield f"## {heading}"
            yield asked
            yield _commands(chosen)
            yield from filter(None, SECTIONS[what](chosen))
            yield from filter(None, [remark])


def _commands(lines: Sequence[Line]) -> str:
    """What makes these results anew."""
    commands = dict.fromkeys(line["command"] for line in lines)
    return "Made by " + ", ".join(f"`{command}`" for command in commands) + "."


def _circumstances(lines: Sequence[Line]) -> str:
    """The machines, seeds and versions."""
    machines = {
        f"{m['processor']}, {m['cores']} cores, {m['system']}" for m in _all(lines, "machine")
    }
    seeds = {str(seed) for seed in _all(lines, "seed")}
    versions = {
        f"{name} {version}"
        for found in _all(lines, "versions")
        for name, version in found.items()
        if version != UNKNOWN
    }
    return (
        f"Measured on {_listed(machines)}, seed {_listed(seeds)}. Versions (those of each "
        f"line stand in the results): {_listed(versions)}."
    )


def _all(lines: Sequence[Line], field: str) -> list[Line]:
    return [line[field] for line in lines]


def _listed(found: set[str]) -> str:
    return ", ".join(sorted(found, key=str.lower))
