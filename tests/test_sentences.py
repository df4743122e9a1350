"""Where sentences and clauses end, and where they do not."""

from __future__ import annotations

import pytest

from chunkwright.chunking.sentences import (
    first_sentence_start,
    last_clause_end,
    last_sentence_end,
)


def sentences(text: str) -> list[str]:
    """The text cut at every sentence end, found from the back."""
    ends = []
    high = len(text)
    while (end := last_sentence_end(text, 0, high)) > 0:
        ends.append(end)
        high = end - 1
    edges = [0, *reversed(ends)]
    return [text[a:b].strip() for a, b in zip(edges, [*edges[1:], len(text)], strict=True) if a < b]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four… Five", ["One.", "Two!", "Three?", "Four…", "Five"]),
        ('He said "stop." Then he left.', ['He said "stop."', "Then he left."]),
        ("(All of it.) More...  Done", ["(All of it.)", "More...", "Done"]),
        ("好的。」他说。再见", ["好的。」", "他说。", "再见"]),
        ("真的？！好", ["真的？！", "好"]),
        ("नमस्ते। कैसे हैं? ठीक।", ["नमस्ते।", "कैसे हैं?", "ठीक।"]),
        ("ابدأ؟ نعم۔ لا", ["ابدأ؟", "نعم۔", "لا"]),
    ],
)
def test_sentences_end_at_the_marks_of_their_script(text: str, expected: list[str]) -> None:
    """Closing quotes and brackets belong to the sentence they close."""
    assert sentences(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Smith met Mrs. Jones",
        "fruit, e.g. apples, i.e. food",
        "pi is 3.14 in v1.2.3 of it",
        "the U.S. Army and J. R. Doe",
        "see no. 5 and fig. 3 on p. 9",
        "pumps, valves etc. and so on",
        "1. first of all",
        "z.B. Wasser, u.a. Luft",
    ],
)
def test_stops_inside_a_sentence_do_not_end_it(text: str) -> None:
    """Abbreviations, initials, decimals, versions and list numbers are no sentence ends."""
    assert last_sentence_end(text, 0, len(text)) == -1


def test_an_abbreviation_can_end_a_sentence() -> None:
    """What often stands last ends a sentence where a capital follows."""
    assert sentences("Pumps, valves etc. Others follow.") == [
        "Pumps, valves etc.",
        "Others follow.",
    ]
    assert sentences("Say no. Then go.") == ["Say no.", "Then go."]


def test_a_sentence_start_is_found_at_or_after_a_place() -> None:
    """The first place that begins a sentence or a paragraph, marks just before it included."""
    text = "One two. Three four.\n\nand then. Five"
    assert first_sentence_start(text, 9, len(text)) == 9
    assert first_sentence_start(text, 10, len(text)) == text.index("and")
    assert first_sentence_start(text, 10, 15) == -1


def test_clauses_end_at_semicolons_and_at_commas_without_spaces() -> None:
    """A comma is a clause end only where words are not set apart by spaces."""
    assert last_clause_end("one; two, three", 0, 15) == 4
    assert last_clause_end("今天，明天", 0, 5) == 3
    assert last_clause_end("10:30 and a::b", 0, 14) == -1


@pytest.mark.parametrize(
    "unit", [".", "*", "_", '"', "。", "。」", ".)", ";", "，", "J. ", "e.g. "]
)
def test_runs_of_marks_are_gone_through_once(unit: str) -> None:
    """Long runs come to an end soon: nothing looks at a mark as often as there are marks."""
    text = unit * (60_000 // len(unit))
    for find in (last_sentence_end, last_clause_end, first_sentence_start):
        assert -1 <= find(text, 0, len(text)) <= len(text)
