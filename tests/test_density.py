"""What is shown of answers so that all fit a budget: never more, the best whole."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import chunkwright as cw
from chunkwright.search.density import FULL, HEAD, LINE, NONE, SIGNATURE, fitted, full
from chunkwright.types import Chunk, Hit

LADDER = [FULL, HEAD, SIGNATURE, NONE]

CODE = """def load(path):
    \"\"\"Read it.\"\"\"
    one = 1

    two = 2
    three = 3
    four = 4
    five = 5
    return path
"""
MANUAL = "# Harbour\n\nShips lie here.\nAll of them.\n" + "More of it, line by line.\n" * 20


def words(text: str) -> int:
    return len(text.split())


def hits_of(text: str, path: str, **options: object) -> list[Hit]:
    return [Hit(chunk, 1.0) for chunk in cw.chunk(text, path=path, **options)]  # type: ignore[arg-type]


def rung(hit: Hit, budget: int) -> tuple[str, str]:
    (shown,) = fitted([hit], budget, words)
    return shown.density, shown.shown


def test_code_is_shortened_to_signature_and_five_lines_then_to_the_signature() -> None:
    """Blank lines do not count."""
    (hit,) = hits_of(CODE, "a.py")
    assert rung(hit, 1000) == (FULL, hit.chunk.text)
    density, shown = rung(hit, words(CODE) - 1)
    assert density == HEAD
    assert shown.splitlines() == [line for line in CODE.splitlines() if line][:6]
    assert rung(hit, 2) == (SIGNATURE, "def load(path):")
    assert rung(hit, 1) == (NONE, "")


def test_a_document_is_shortened_to_its_heading() -> None:
    """And five lines under it."""
    (hit,) = hits_of(MANUAL, "a.md")
    density, shown = rung(hit, 60)
    assert density == HEAD
    assert shown.splitlines()[:3] == ["# Harbour", "Ships lie here.", "All of them."]
    assert len(shown.splitlines()) == 6
    assert rung(hit, 3) == (SIGNATURE, "# Harbour")


def test_text_is_shortened_to_its_first_lines() -> None:
    """A line that is very long is cut between words, and says so."""
    (hit,) = hits_of("tide and anchor " * 40, "a.txt")
    density, shown = rung(hit, 60)
    assert density == SIGNATURE
    assert shown.endswith("…")
    assert len(shown) <= LINE + 1
    assert shown.removesuffix("…").split()[-1] in {"tide", "and", "anchor"}


def test_several_symbols_in_one_chunk_have_a_signature_each() -> None:
    """The first one with the lines below it, as far as they are its own."""
    source = (
        "def one(a):\n    return a + a + a\n\n\ndef two(\n    b,\n):\n    return b + b + b + b\n"
    )
    (hit,) = hits_of(source, "a.py")
    assert len(hit.chunk.symbols) == 2
    assert rung(hit, 8) == (SIGNATURE, "def one(a):\ndef two( b, ):")
    assert rung(hit, 13) == (HEAD, "def one(a):\n    return a + a + a\ndef two( b, ):")


def test_a_later_part_is_called_what_it_is_a_part_of() -> None:
    """By the signature it carries, or by its headings."""
    code = "def load(path):\n" + "    step_of_it(path)\n" * 60
    later = hits_of(code, "a.py", size=400)[1]
    assert later.chunk.part == 1
    assert rung(later, 2) == (SIGNATURE, "def load(path):")
    manual = "# Harbour\n\n## Ships\n\n" + "A sentence that goes on. " * 60
    later = hits_of(manual, "a.md", size=400)[-1]
    assert later.chunk.part > 0
    assert rung(later, 3) == (SIGNATURE, "Harbour > Ships")


def test_the_whole_answer_is_shown_once_with_its_neighbours() -> None:
    """Overlaps are not repeated, and the white space between parts is lines."""
    text = "".join(f"Sentence number {at} stands here.\n\n" for at in range(40))
    chunks = list(cw.TextChunker(size=300, overlap=60, min_size=0).chunk(text))
    hit = Hit(chunks[2], 1.0, merged=(chunks[3],), before=(chunks[1],), after=(chunks[4],))
    assert full(hit) == text[chunks[1].start : chunks[4].end]
    parts = [hit.chunk for hit in hits_of("# A\n\n" + "Word after word. " * 400, "a.md", size=800)]
    whole = full(Hit(parts[1], 1.0, merged=(parts[2], parts[0])))
    assert whole.split() == ("# A\n\n" + "Word after word. " * 400)[: parts[2].end].split()


def test_the_best_stay_whole_and_the_last_are_shortened_first() -> None:
    """Down to its signature, before the one above is touched."""
    (hit,) = hits_of(CODE, "a.py")
    size = words(CODE)
    (head,) = fitted([hit], size - 1, words)
    signature = words("def load(path):")
    five = [hit] * 5

    def densities(budget: int) -> list[str]:
        return [one.density for one in fitted(five, budget, words)]

    assert densities(5 * size) == [FULL] * 5
    assert densities(5 * size - 1) == [FULL] * 4 + [HEAD]
    saved = size - words(head.shown)
    assert densities(5 * size - saved - 1) == [FULL] * 4 + [SIGNATURE]
    assert densities(size + 4 * signature) == [FULL] + [SIGNATURE] * 4
    assert densities(5 * signature) == [SIGNATURE] * 5
    assert densities(5 * signature - 1) == [SIGNATURE] * 4 + [NONE]
    assert densities(1) == [NONE] * 5


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a.py", "a.md", "a.txt"]),
            st.text(st.sampled_from("ab #:\n(é界\t"), min_size=1, max_size=200),
        ),
        max_size=6,
    ),
    st.integers(1, 400),
    st.sampled_from([len, words, lambda text: len(text.encode()), lambda text: 7]),
)
def test_a_budget_is_never_exceeded(
    texts: list[tuple[str, str]], budget: int, count: object
) -> None:
    """Whatever the answers and however they are counted; densities only fall by need."""
    assert callable(count)
    hits = [hit for path, text in texts for hit in hits_of(text, path)]
    shown = fitted(hits, budget, count)
    assert [hit.chunk for hit in shown] == [hit.chunk for hit in hits]
    sizes = [count(hit.shown) if hit.density != NONE else 0 for hit in shown]
    assert sum(sizes) <= budget
    if sum(count(hit.chunk.text) for hit in hits) <= budget:
        assert all(hit.density == FULL for hit in shown)
    for hit in shown:
        assert hit.density in LADDER
        assert (hit.density == FULL) == (hit.shown == hit.chunk.text)
    gone = [hit.density == NONE for hit in shown]
    assert gone == sorted(gone)


def test_a_chunk_of_nothing_but_its_name_is_left_as_it_is() -> None:
    """A rung that saves nothing is left out."""
    one = Chunk("x = 1", 0, 5, 1, 1, path="a.py", kind="code")
    assert rung(Hit(one, 1.0), 3) == (FULL, "x = 1")
    assert rung(Hit(replace(one, text="x  =  1"), 1.0), 2) == (NONE, "")
