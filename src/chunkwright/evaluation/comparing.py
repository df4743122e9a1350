"""From the scores of every question to rows with intervals, comparisons with a baseline, and a
sentence that says which row is best. How chunks were made and found is not here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from chunkwright.errors import ConfigError
from chunkwright.evaluation.nouns import Comparison, Estimate, Row, row_name
from chunkwright.evaluation.scoring import BUDGET_RECALL, OMEGA
from chunkwright.evaluation.statistics import SAME, compare, estimate

DECIDING = (BUDGET_RECALL, OMEGA)
"""By which rows are ordered: the first that there is. Of an equal amount of text, for the first k
chunks of a larger size are more text, and so recall more."""

LABELS = {BUDGET_RECALL: "recall within the budget", OMEGA: "PrecisionOmega"}


class Measured(msgspec.Struct, frozen=True):
    """One row before anything is averaged."""

    strategy: str
    size: int | None
    values: dict[str, list[float]]
    """Name of a measure -> its value for each question, in order."""
    facts: dict[str, float]
    sizes: tuple[int, ...]

    @property
    def name(self) -> str:
        """As a baseline is named."""
        return row_name(self.strategy, self.size)


def baseline_of(given: str | None, names: Sequence[str]) -> str:
    """The row that is meant by `strategy:size`, or by a strategy with one size; "" for None.

    Raises ConfigError where there is no such row.
    """
    if given is None:
        return ""
    strategy, _, size = given.strip().rpartition(":")
    wanted = {given.strip(), f"{strategy} {size}"}
    found = [name for name in names if name in wanted]
    found = found or [name for name in names if name.rpartition(" ")[0] == given.strip()]
    if len(found) != 1:
        known = ", ".join(name.replace(" ", ":") for name in names)
        raise ConfigError("baseline", given, f"one of the rows: {known}")
    return found[0]


def best_of(rows: Sequence[Measured]) -> list[Measured]:
    """The rows by the deciding measure, the best first; equal ones as they came."""
    name = deciding(rows)
    return sorted(rows, key=lambda row: -_mean(row.values[name])) if name else []


def compared(rows: Sequence[Measured], baseline: str, seed: int) -> Iterator[Row]:
    """Every row with intervals, and with comparisons to the baseline where there is one."""
    base = next((row for row in rows if row.name == baseline), None)
    for row in rows:
        yield Row(
            strategy=row.strategy,
            size=row.size,
            scores={name: estimate(values, seed=seed) for name, values in row.values.items()},
            facts=row.facts,
            sizes=row.sizes,
            against={} if base is None or base is row else _against(row, base, len(rows), seed),
        )


def _against(row: Measured, base: Measured, rows: int, seed: int) -> dict[str, Comparison]:
    """Every measure; the other rows are read together, one measure at a time."""
    return {
        name: compare(values, base.values[name], seed=seed, comparisons=rows - 1)
        for name, values in row.values.items()
    }


def conclusion(rows: Sequence[Measured], baseline: str, budget: str, seed: int) -> str:
    """Which row is best, and whether the next and the baseline differ by more than chance; "" where
    nothing was asked. `budget`: the budget in words."""
    ranked = best_of(rows)
    if not ranked:
        return ""
    best, name = ranked[0], deciding(rows)
    label = f"recall within {budget} of retrieved text" if name == BUDGET_RECALL else LABELS[name]
    value = _told(estimate(best.values[name], seed=seed), "95% interval ")
    if len(rows) == 1:
        return f"{best.name} has a {label} of {value}."
    equal = [row for row in ranked if _mean(best.values[name]) - _mean(row.values[name]) < SAME]
    said = [_first([row.name for row in equal], label, value)]
    behind = ranked[len(equal) :]
    for rival in behind:
        role = _role(rival is behind[0], rival.name == baseline)
        if role:
            others = len(rows) - 1
            found = compare(best.values[name], rival.values[name], seed=seed, comparisons=others)
            said.append(_beside(role, rival, found, len(best.values[name])))
    return " ".join(said)


def _first(names: Sequence[str], label: str, value: str) -> str:
    """The best row; of several, the first may be of no more use than the others."""
    if len(names) == 1:
        return f"{names[0]} is best by {label}: {value}."
    first, second, *others = names
    rest = f", {second} and {len(others):,} more" if others else f" and {second}"
    return f"{first}{rest} have the same {label}, and none a better one: {value}."


def _role(is_next: bool, is_baseline: bool) -> str:
    """What a row is to the best one; "" where nothing is said of it."""
    if is_next:
        return "The next and the baseline" if is_baseline else "The next"
    return "The baseline" if is_baseline else ""


def _beside(role: str, rival: Measured, found: Comparison, questions: int) -> str:
    behind = f"{role}, {rival.name}, is behind by {_told(found.difference)}"
    if found.verdict == "better":
        return f"{behind}, which is more than chance."
    many = "one question" if questions == 1 else f"{questions:,} questions"
    return f"{behind}, which is inside the noise of {many}."


def deciding(rows: Sequence[Measured]) -> str:
    """The measure by which rows are ordered; "" where nothing was asked."""
    return next((name for name in DECIDING if rows and name in rows[0].values), "")


def _told(one: Estimate, interval: str = "") -> str:
    return f"{one.value:z.3f} ({interval}{one.low:z.3f} to {one.high:z.3f})"


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
