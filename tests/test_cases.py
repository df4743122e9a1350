"""Faults that users of other chunkers reported in public: each must not happen here. A test's id is
the case's, its source stands in every failure message.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from cases import CASES, Case, Outcome, holders, is_recursive, outcomes
from chunkwright import embed_text
from expectations import EXPECTATIONS
from promises import violations
from trial import EXTRA_VIEWS

LATER: dict[str, str] = {}

CHUNKING_CASES = [case for case in CASES.values() if case.kind not in {"repo", "index"}]

EXTRA_WORDS = {"GRAPHEME", "CAP_EMBED", "TERMINATE", "LINEAR"}
"""Invariants of the file that every case is held to anyway, or that expectations look after."""


def with_reasons(cases: list[Case]) -> list[Any]:
    """Each case as a parameter; what a later release owns is expected to fail until then."""
    marks = {id_: [pytest.mark.xfail(strict=True, reason=reason)] for id_, reason in LATER.items()}
    return [pytest.param(case, id=case.id, marks=marks.get(case.id, [])) for case in cases]


@pytest.mark.parametrize("case", with_reasons(CHUNKING_CASES))
def test_case(case: Case) -> None:
    """What went wrong elsewhere does not go wrong here, and every promise is kept."""
    for outcome in outcomes(case):
        found = violations(outcome.document, outcome.chunking, outcome.asked)
        assert found == [], f"{case} {type(outcome.chunker).__name__}"
        for name, value in case.checks.items():
            CHECKS[name](outcome, value)
        if case.id in EXPECTATIONS:
            EXPECTATIONS[case.id](outcome)


def test_no_case_is_missing() -> None:
    """There are 63 cases, and each is of a kind that some test runs."""
    assert len(CASES) == 63
    kinds = Counter(case.kind.partition(":")[0] for case in CASES.values())
    assert kinds == {"text": 20, "markdown": 19, "code": 16, "index": 5, "repo": 3}


def test_every_check_of_the_file_is_known() -> None:
    """No check is passed over because nobody wrote it."""
    named = {name for case in CHUNKING_CASES for name in case.checks}
    assert named == set(CHECKS)
    invariants = {name for case in CHUNKING_CASES for name in case.checks["invariants"]}
    promised = {"SLICE", "COVER", "CAP", "NOBLANK", "ORDER", "LINES"}
    assert invariants == promised | EXTRA_WORDS


# The checks of the file, by name.


def has_invariants(outcome: Outcome, names: list[str]) -> None:
    assert set(names) <= {"SLICE", "COVER", "CAP", "NOBLANK", "ORDER", "LINES"} | EXTRA_WORDS


def has_sections(outcome: Outcome, expected: list[list[Any]]) -> None:
    headings = [item for item in outcome.chunking.outline if item.kind == "heading"]
    assert [[item.level, item.title, item.line] for item in headings] == expected


def has_symbols(outcome: Outcome, expected: list[list[Any]]) -> None:
    found = [
        [re.sub(r"::|#", ".", symbol.name), symbol.start_line, symbol.end_line]
        for symbol in outcome.chunking.symbols
    ]
    assert [symbol for symbol in expected if symbol not in found] == [], found


def has_breadcrumbs(outcome: Outcome, expected: dict[str, list[str]]) -> None:
    for marker, breadcrumb in expected.items():
        for chunk in holders(outcome, marker):
            assert list(chunk.breadcrumb) == breadcrumb


def has_breadcrumb_everywhere(outcome: Outcome, expected: list[str]) -> None:
    for chunk in holders(outcome, "word"):
        assert list(chunk.breadcrumb) == expected


def keeps_together(outcome: Outcome, pairs: list[list[str]]) -> None:
    for one, other in pairs:
        assert any(other in chunk.text for chunk in holders(outcome, one)), (one, other)


def contains(outcome: Outcome, markers: list[str]) -> None:
    for marker in markers:
        assert holders(outcome, marker)


def lacks(outcome: Outcome, markers: list[str]) -> None:
    for marker in markers:
        assert not any(marker in chunk.text for chunk in outcome.chunking)


def counts(outcome: Outcome, expected: dict[str, dict[str, int]]) -> None:
    for marker, limits in expected.items():
        assert sum(text.count(marker) for text in outcome.chunking.texts) >= limits["min"]


def has_chunks(outcome: Outcome, expected: int | dict[str, int]) -> None:
    limits = expected if isinstance(expected, dict) else {"min": expected, "max": expected}
    ordinary = [chunk for chunk in outcome.chunking if chunk.kind not in EXTRA_VIEWS]
    assert limits["min"] <= len(ordinary) <= limits.get("max", len(ordinary))


def has_spans(outcome: Outcome, expected: list[list[int]]) -> None:
    assert [[chunk.start, chunk.end] for chunk in outcome.chunking] == expected


def has_lines(outcome: Outcome, expected: list[list[int]]) -> None:
    ordinary = [chunk for chunk in outcome.chunking if chunk.kind not in EXTRA_VIEWS]
    assert [[chunk.start_line, chunk.end_line] for chunk in ordinary] == expected


def has_front_matter(outcome: Outcome, expected: Any) -> None:
    if expected == "error-or-empty":
        assert not outcome.chunking.frontmatter
        told = {diagnostic.code for diagnostic in outcome.chunking.diagnostics}
        assert "frontmatter_invalid" in told
    else:
        assert outcome.chunking.frontmatter == expected


def has_unique_ids(outcome: Outcome, _: bool) -> None:
    ids = [chunk.id for chunk in outcome.chunking]
    assert len(set(ids)) == len(ids)


def has_no_parse_error(outcome: Outcome, _: bool) -> None:
    assert outcome.chunking.parser.startswith("tree-sitter")
    assert outcome.chunking.diagnostics == ()


def covers_all(outcome: Outcome, _: bool) -> None:
    for word in outcome.document.text.split():
        assert holders(outcome, word)


def keeps_rows_whole(outcome: Outcome, _: bool) -> None:
    rows = re.finditer(r"^\|.*\|$", outcome.document.text, re.MULTILINE)
    inside = {at for row in rows for at in range(row.start() + 1, row.end())}
    assert not any({chunk.start, chunk.end} & inside for chunk in outcome.chunking)


def embeds_header_with_rows(outcome: Outcome, header: str) -> None:
    for chunk in outcome.chunking:
        if re.search(r"^\| p\d\d", chunk.text, re.MULTILINE):
            table = rf"{re.escape(header)}\n\|[-:|]+\|\n\| p\d\d"
            assert re.search(table, embed_text(chunk)), embed_text(chunk)


def ends_with_any(outcome: Outcome, ends: str) -> None:
    if not is_recursive(outcome):  # which knows separators, not sentences
        assert all(text.endswith(tuple(ends)) for text in outcome.chunking.texts[:-1])


def starts_with_none(outcome: Outcome, starts: str) -> None:
    if not is_recursive(outcome):
        assert not any(text.startswith(tuple(starts)) for text in outcome.chunking.texts)


CHECKS: dict[str, Callable[[Outcome, Any], None]] = {
    "absent": lacks,
    "breadcrumb_all": has_breadcrumb_everywhere,
    "breadcrumbs": has_breadcrumbs,
    "contains": contains,
    "count": counts,
    "cover_all": covers_all,
    "embed_contains_all_rows": embeds_header_with_rows,
    "ends_with_any": ends_with_any,
    "frontmatter": has_front_matter,
    "invariants": has_invariants,
    "lines": has_lines,
    "n_chunks": has_chunks,
    "no_parse_error": has_no_parse_error,
    "not_starts_with_any": starts_with_none,
    "rows_whole": keeps_rows_whole,
    "same_chunk": keeps_together,
    "sections": has_sections,
    "spans": has_spans,
    "symbols": has_symbols,
    "unique_ids": has_unique_ids,
}
