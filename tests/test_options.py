"""Wrong options and arguments of the chunkers: each is refused by name, with its value and what is
allowed; and what tells chunkers apart.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from chunkwright import (
    Block,
    CodeChunker,
    ConfigError,
    Document,
    LineChunker,
    MarkdownChunker,
    RecursiveChunker,
    TextChunker,
    chunk_levels,
)

CHUNKERS = [TextChunker, RecursiveChunker, LineChunker, MarkdownChunker, CodeChunker]


def refused(call: Callable[[], object], option: str) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        call()
    assert caught.value.option == option
    return caught.value


@pytest.mark.parametrize("value", ["no", 1, [], None])
@pytest.mark.parametrize("chunker", CHUNKERS)
def test_a_switch_is_true_or_false(chunker: Any, value: object) -> None:
    """Not a text that says no, and not a number."""
    refused(lambda: chunker(budget_includes_context=value), "budget_includes_context")


@pytest.mark.parametrize("value", [None, 0, True, len, "ab", {"a"}, {"a": 1}, ["\ud800"], [1]])
def test_separators_are_texts_in_order(value: Any) -> None:
    """A set has no order, a text is not several, and a lone surrogate is in no text."""
    refused(lambda: RecursiveChunker(separators=value), "separators")


def test_an_iterator_of_separators_is_refused_rather_than_used_up() -> None:
    """It would be empty when it is needed."""
    refused(lambda: RecursiveChunker(separators=iter(["a"])), "separators")  # type: ignore[arg-type]  # the point


def test_any_number_may_limit_the_chunks() -> None:
    """Also one that no counter of the machine holds."""
    chunker = TextChunker(size=10, overlap=0, min_size=0, max_chunks=2**70)
    assert len(chunker.chunk("word " * 20)) == 10


def test_blocks_from_an_iterator_count_as_blocks() -> None:
    """They are read once and used."""
    chunker = TextChunker(size=100, overlap=0, min_size=0)
    text, block = "word " * 60, Block(40, 130)
    assert chunker.chunk(text, iter([block])) == chunker.chunk(text, [block])  # type: ignore[arg-type]  # an iterator will do


@pytest.mark.parametrize("blocks", [5, ["x"], [None], Block(0, 3), [Block(0.0, 3.5)]])  # type: ignore[arg-type]  # the point
def test_what_is_no_block_is_refused(blocks: Any) -> None:
    """By name."""
    refused(lambda: TextChunker(min_size=0).chunk("some text", blocks), "blocks")


@pytest.mark.parametrize("document", [None, b"bytes", 5, Document(b"bytes")])  # type: ignore[arg-type]  # the point
def test_what_is_no_text_is_refused(document: Any) -> None:
    """With how to make one of it."""
    assert "decode" in str(refused(lambda: TextChunker().chunk(document), "document"))


@pytest.mark.parametrize("documents", ["abc", Document("abc"), None, 5])
def test_one_document_is_not_several(documents: Any) -> None:
    """The letters of a text are no documents."""
    refused(lambda: TextChunker().chunk_many(documents), "documents")


@pytest.mark.parametrize("sizes", [None, 5, (size for size in (10, 5)), []])
def test_sizes_of_levels_are_a_sequence(sizes: Any) -> None:
    """Of whole numbers, at least one."""
    refused(lambda: chunk_levels("some text", sizes), "sizes")


@pytest.mark.parametrize("counted", [1.5, float("nan"), None, "3", -2])
@pytest.mark.parametrize("chunker", [TextChunker, RecursiveChunker, LineChunker])
def test_a_measure_that_counts_nonsense_is_named(chunker: Any, counted: Any) -> None:
    """The message says what it gave."""

    def wrong(text: str) -> Any:
        return counted

    options = {} if chunker is LineChunker else {"overlap": 0}
    made = chunker(size=9, measure=wrong, **options)
    caught = refused(lambda: made.chunk("some words " * 9), "measure")
    assert repr(counted) in str(caught)


# What tells chunkers apart.


class Weighing:
    """A measure with a state."""

    name = "weighing"

    def __init__(self, weight: int) -> None:
        self.weight = weight

    def count(self, text: str, /) -> int:
        return len(text) * self.weight


class Impostor:
    """A measure that goes by the name of another."""

    name = "chars"

    def count(self, text: str, /) -> int:
        return len(text.encode())


def counter(weight: int) -> Callable[[str], int]:
    return lambda text: len(text) * weight


def weighed(text: str, weight: int) -> int:
    return len(text) * weight


PAIRS: dict[str, tuple[Any, Any]] = {
    "code": (lambda text: len(text) * 1, lambda text: len(text) * 2),
    "what is enclosed": (counter(1), counter(2)),
    "what is bound": (partial(weighed, weight=1), partial(weighed, weight=2)),
    "state": (Weighing(1), Weighing(2)),
    "kind, under one name": ("chars", Impostor()),
}


@pytest.mark.parametrize("kind", PAIRS)
def test_measures_that_count_otherwise_have_other_fingerprints(kind: str) -> None:
    """Whatever it is that makes them count otherwise."""
    one, other = PAIRS[kind]
    assert TextChunker(measure=one).fingerprint != TextChunker(measure=other).fingerprint
    assert TextChunker(measure=one).fingerprint == TextChunker(measure=one).fingerprint
