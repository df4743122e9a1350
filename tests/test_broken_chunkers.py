"""The judge judged: for each promise chunkers that break it on purpose, which the suite must catch,
and honest ones, which it must let pass.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chunkwright import Chunking, Document, MarkdownChunker, RecursiveChunker, TextChunker
from plain import (
    Every,
    Forgetful,
    KeepsAllThatWasLeft,
    LooksBack,
    MeasuresAllThatIsLeft,
    Plain,
    Recursive,
    SingleCodePoints,
    WholeLines,
    count_bytes,
    make_chunking,
)
from promises import CHECKERS, check_unique_ids, examine, violations
from repeatability import CountingMeasure, check_linear
from spoilers import OVERLAP, SIZE, SPOILERS, Spoiled, carries_much, says_no_grammar
from trial import Asked, Cutter

DOCUMENT = Document(
    "The harbour is quiet. Boats lie on the sand, and nobody speaks.\r\n\r\n"
    "A bell rings twice.\rThen it is still;\u2028a gull cries.\n"
    "    indented words 👨‍👩‍👧‍👦 and e\u0301 here\n\n"
    "The same again.\n\nThe same again, said twice over. "
    + "Sverige🇸🇪Norge🇳🇴"
    * 6
    + "\n\nThe harbour is quiet. Boats lie on the sand, and nobody speaks.\r\n\r\n"
    "Unbrokenwordsthatarelongerthanasingleonemaybeandmustbecutsomewhere. The end.\n",
    path="harbour.txt",
)
ASKED = Asked(size=SIZE, overlap=OVERLAP, budgeted=False)


HONEST: dict[str, Cutter] = {
    "plain": Plain(SIZE, OVERLAP),
    "text": TextChunker(size=SIZE, overlap=OVERLAP, min_size=0, max_chunks=None),
    "recursive": RecursiveChunker(size=SIZE, overlap=OVERLAP),
    "markdown": MarkdownChunker(size=SIZE, overlap=OVERLAP),
}


def broken(cutter: Cutter, document: Document = DOCUMENT, asked: Asked = ASKED) -> set[str]:
    return {violation.promise for violation in examine(cutter, document, asked)[1]}


@pytest.mark.parametrize("honest", HONEST.values(), ids=HONEST)
def test_an_honest_chunker_passes(honest: Cutter) -> None:
    """A chunker that keeps every promise is let pass, with overlap, and in several chunks."""
    chunking, found = examine(honest, DOCUMENT, ASKED)
    assert found == []
    assert len(chunking) > 8
    assert any(chunk.overlap for chunk in chunking)


@pytest.mark.parametrize("honest", HONEST.values(), ids=HONEST)
@pytest.mark.parametrize(
    ("promise", "spoil"),
    [(promise, spoil) for promise, spoilers in SPOILERS.items() for spoil in spoilers],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_a_spoiled_chunker_is_caught(
    promise: str, spoil: Callable[[Chunking], Chunking], honest: Cutter
) -> None:
    """Whoever breaks a promise is caught at that promise."""
    assert promise in broken(Spoiled(honest, spoil))


def test_every_promise_has_a_spoiler() -> None:
    """No checker is left untried: each catches somebody in this module."""
    elsewhere = {"GRAPHEME", "CAP+", "LINEAR"}
    assert set(CHECKERS) | {"STABLE", "LINEAR"} == set(SPOILERS) | elsewhere


def test_a_cut_through_clusters_is_caught() -> None:
    """Cutting every forty code points goes through an emoji or a flag."""
    assert "GRAPHEME" in broken(Every(SIZE))


def test_a_cut_through_crlf_is_caught() -> None:
    """CR and LF in a row are one cluster."""
    document = Document("abc\r\ndef\r\n", path="a.txt")
    whole = make_chunking(document, [(0, 3), (4, 8)])
    found = violations(document, whole, Asked(size=4, whole_lines=False))
    assert "GRAPHEME" in {violation.promise for violation in found}


def test_a_cluster_over_the_cap_may_be_cut() -> None:
    """A family of 7 code points under a cap of 5 has to be cut somewhere."""
    document = Document("👨‍👩‍👧‍👦 x", path="a.txt")
    cut = make_chunking(document, [(0, 5), (5, 7), (8, 9)])
    assert violations(document, cut, Asked(size=5)) == []


def test_context_over_the_budget_is_caught() -> None:
    """With a budget that includes the context, a long carry breaks CAP+ and only CAP+."""
    spoiled = Spoiled(Plain(SIZE, OVERLAP), carries_much)
    asked = Asked(size=SIZE, overlap=OVERLAP, budgeted=True)
    assert "CAP+" in broken(spoiled, asked=asked)
    assert "CAP+" not in broken(spoiled)


def test_a_code_point_over_the_cap_must_be_told() -> None:
    """Three bytes in a cap of two are a chunk with `over_cap`, never without."""
    document, asked = Document("雪e国", path="a.txt"), Asked(size=2, count=count_bytes)
    assert broken(SingleCodePoints(tells=True), document, asked) == set()
    assert broken(SingleCodePoints(tells=False), document, asked) == {"CAP"}


def test_a_silent_fallback_is_caught() -> None:
    """A parser that was not the one to be expected needs a diagnostic."""
    asked = Asked(size=SIZE, overlap=OVERLAP, parser="tree-sitter")
    assert "LOUD" in broken(Plain(SIZE, OVERLAP), asked=asked)
    assert "LOUD" not in broken(Spoiled(Plain(SIZE, OVERLAP), says_no_grammar), asked=asked)


def test_lines_cut_short_are_caught() -> None:
    """Code and Line chunks are whole lines."""
    asked = Asked(whole_lines=True)
    document = Document("def a():\r\n    return 1\r\n\r\n\tx = 2\n", path="a.py")
    assert broken(WholeLines(2), document, asked) == set()
    assert "EDGES" in broken(WholeLines(2, cut_short=1), document, asked)


def test_options_lost_in_pickling_are_caught() -> None:
    """A chunker that cuts otherwise after pickling is not stable."""
    assert broken(Forgetful(SIZE, OVERLAP)) == {"STABLE"}


TEXT_OF_LINES = "a line of the text to be cut\n" * 200


def test_linear_work_passes() -> None:
    """Work that grows as the text does is let pass."""
    assert list(check_linear(lambda _: WholeLines(), TEXT_OF_LINES)) == []


@pytest.mark.parametrize(
    ("make", "meter"),
    [
        (lambda _: LooksBack(), "lines executed"),
        (lambda _: KeepsAllThatWasLeft(), "bytes held"),
        (lambda counting: MeasuresAllThatIsLeft(counting.count), "code points measured"),
    ],
    ids=["looks back", "keeps the rest", "measures the rest"],
)
def test_quadratic_work_is_caught(make: Callable[[CountingMeasure], Cutter], meter: str) -> None:
    """Work, memory or measuring that grows fourfold with twice the text is caught."""
    found = list(check_linear(make, TEXT_OF_LINES))
    assert [violation.promise for violation in found] == ["LINEAR"]
    assert meter in found[0].message


def test_recursion_on_depth_is_caught() -> None:
    """A chunker that recurses on its input does not survive a long one."""
    with pytest.raises(RecursionError):
        Recursive().chunk(Document("x" * 5_000))


def test_the_same_id_in_two_documents_is_caught() -> None:
    """Two documents of one index may not share an id; equal text at two paths does not."""
    one, two = (Plain().chunk(Document("The same words.", path=path)) for path in ("a.md", "b.md"))
    assert check_unique_ids([one, two]) == []
    assert [found.promise for found in check_unique_ids([one, one])] == ["UNIQUE"]
