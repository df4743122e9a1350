"""Tables in Markdown, and what is said below those that compare chunkers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.facts import Line
from benchmarks.peers import OURS


def table(columns: str, rows: Sequence[Sequence[str]]) -> str:
    heads = columns.split(" | ")
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def grouped(fields: str, lines: Sequence[Line]) -> dict[Any, list[Line]]:
    """Lines by the value of a field, or by the values of several, in the order they came."""
    names = fields.split()
    groups: dict[Any, list[Line]] = {}
    for line in lines:
        key = line[names[0]] if len(names) == 1 else tuple(line[name] for name in names)
        groups.setdefault(key, []).append(line)
    return groups


def compared(columns: str, rows: Sequence[Sequence[str]], lines: Sequence[Line]) -> Iterator[str]:
    yield table(columns, rows)
    yield _verdict(lines)
    yield _reasons(lines)


def named(line: Line) -> str:
    """With what is special about it."""
    return f"{shown_name(line)} ({line['note']})" if line["note"] else shown_name(line)


def shown_name(line: Line) -> str:
    return f"**{line['chunker']}**" if is_ours(line) else str(line["chunker"])


def is_ours(line: Line) -> bool:
    return bool(line["distribution"] == OURS)


def broken(line: Line) -> dict[str, str]:
    """Promise -> reason, for those that the output does not keep."""
    return {name: why for name, why in line["promises"].items() if isinstance(why, str)}


def _verdict(lines: Sequence[Line]) -> str:
    """Who is faster and who is slower than the first, plainly."""
    first = lines[0]
    peers = [
        line
        for line in lines
        if not is_ours(line) and line["chunks"] is not None and "failed" not in line
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
    items += failures(lines)
    return "\n".join(items)


def failures(lines: Sequence[Line]) -> list[str]:
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
