"""Which neighbouring hits are one answer."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from chunkwright.search.joining import MOST_JOINED, joined
from chunkwright.types import Chunk, Hit


def part(number: int, of: int = 9, *, path: str = "a.py", name: str = "f", first: int = 0) -> Chunk:
    """One part of a symbol whose first chunk is number `first` of the file."""
    start = (first + number) * 10
    return Chunk(
        f"{name}{number}".ljust(10),
        start,
        start + 10,
        first + number + 1,
        first + number + 1,
        path=path,
        kind="symbol_part",
        name=name,
        symbol_kind="Function",
        index=first + number,
        part=number,
        parts=of,
    )


def ranked(*chunks: Chunk) -> list[Hit]:
    return [Hit(chunk, 1.0 - at / 100) for at, chunk in enumerate(chunks)]


def numbers(hits: list[Hit]) -> list[list[int]]:
    """Parts of each answer, the best first."""
    return [[hit.chunk.part, *(chunk.part for chunk in hit.merged)] for hit in hits]


def test_consecutive_parts_of_one_symbol_are_one_answer() -> None:
    """The best part stays in front with its score; others stand by position; lines cover all."""
    (hit,) = joined(ranked(part(3), part(4), part(2)), 10)
    assert (hit.chunk.part, hit.score) == (3, 1.0)
    assert [chunk.part for chunk in hit.merged] == [2, 4]
    assert (hit.start_line, hit.end_line) == (3, 5)


def test_parts_that_do_not_touch_stay_apart() -> None:
    """What lies between was not found."""
    assert numbers(joined(ranked(part(1), part(3)), 10)) == [[1], [3]]


def test_a_part_between_two_answers_makes_them_one() -> None:
    """The better one's place and score."""
    hits = joined(ranked(part(1), part(0, path="b.py"), part(3), part(2)), 10)
    assert numbers(hits) == [[1, 2, 3], [0]]


def test_symbols_side_by_side_are_two_answers() -> None:
    """Each has its name, its lines and its score."""
    whole = [replace(part(at, of=1), part=0, kind="symbol", name=f"f{at}") for at in range(3)]
    assert len(joined(ranked(*whole), 10)) == 3


def test_parts_of_different_things_stay_apart() -> None:
    """Of two symbols of one name, of two files, of an attachment, of another level."""
    one = part(1)
    for other in (
        part(2, first=7),
        part(2, path="b.py"),
        part(2, name="g"),
        replace(part(2), attachment_path="x.txt"),
        replace(part(2), level=1),
    ):
        assert len(joined(ranked(one, other), 10)) == 2


def test_consecutive_stretches_of_text_are_one_answer() -> None:
    """Segments and windows have no borders of their own; sections have."""
    for kind, answers in (("segment", 1), ("window", 1), ("section", 2)):
        chunks = [replace(part(at, of=1), part=0, kind=kind, index=at) for at in (4, 5)]
        assert len(joined(ranked(*chunks), 10)) == answers


def test_a_long_text_is_not_one_answer() -> None:
    """So many chunks join, and no more."""
    hits = joined(ranked(*(part(at, of=99) for at in range(40))), 10)
    assert [1 + len(hit.merged) for hit in hits] == [MOST_JOINED] * 8


def test_answers_that_would_grow_too_long_are_not_bridged() -> None:
    """The part between them joins the better one where there is room."""
    low = [part(at) for at in (0, 1, 2)]
    high = [part(at) for at in (4, 5)]
    hits = joined(ranked(*low, *high, part(3)), 10)
    assert numbers(hits) == [[0, 1, 2, 3], [4, 5]]


def test_k_answers_come_back_and_what_is_below_is_not_looked_at() -> None:
    """Joining fills up from below; what would not be shown does not join."""
    chunks = [part(1), part(2), *(part(0, path=f"{at}.py") for at in range(5)), part(3)]
    hits = joined(ranked(*chunks), 3)
    assert numbers(hits) == [[1, 2], [0], [0]]
    assert numbers(joined(ranked(*chunks), 100))[0] == [1, 2, 3]


@given(
    st.lists(st.tuples(st.sampled_from(["f", "g"]), st.integers(0, 8)), unique=True, max_size=16),
    st.integers(1, 20),
)
def test_every_hit_is_in_one_answer(places: list[tuple[str, int]], k: int) -> None:
    """None is lost above the last answer, each stands in one; answers are whole rows of parts."""
    ranks = ranked(*(part(at, name=name, first=20 * (name == "g")) for name, at in places))
    answers = joined(ranks, k)
    pieces = [[hit.chunk, *hit.merged] for hit in answers]
    found = [chunk.id for row in pieces for chunk in row]
    assert set(found) == {hit.chunk.id for hit in ranks[: len(found)]}
    assert len(found) == len(set(found))
    for row in pieces:
        numbers = sorted(chunk.part for chunk in row)
        assert numbers == list(range(numbers[0], numbers[0] + len(row)))
        assert len(row) <= MOST_JOINED
        assert len({chunk.name for chunk in row}) == 1
    assert len(answers) == k or len(found) == len(ranks)
    assert [hit.score for hit in answers] == sorted((hit.score for hit in answers), reverse=True)
