"""`chunk_many`: many documents in order, as they are asked for, each failure its own, in one
process or in two. How one document is cut is tested elsewhere.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from itertools import islice
from multiprocessing import active_children
from typing import Any

import pytest

from chunkwright import (
    Chunking,
    CodeChunker,
    ConfigError,
    Document,
    LineChunker,
    MarkdownChunker,
    RecursiveChunker,
    TextChunker,
)

POISON = "poison"

WAYS = [None, 1, 2]
"""Numbers of workers."""

MOST_READ_AHEAD = 80
"""Documents that two workers may have in hand beyond the one that was asked for."""


class UnknownTroubleError(Exception):
    """An exception that the package knows nothing of, and that takes two arguments to make."""

    def __init__(self, place: str, number: int) -> None:
        super().__init__(f"{place} {number}")


def count_or_raise(text: str) -> int:
    """A measure that refuses some texts with an ordinary exception."""
    if POISON in text:
        raise ValueError("a measure's own trouble")
    return len(text)


def count_or_raise_unknown(text: str) -> int:
    """A measure that refuses some texts with an exception of its own."""
    if POISON in text:
        raise UnknownTroubleError("measure", 7)
    return len(text)


def count_or_recurse(text: str) -> int:
    """A measure that runs out of stack on some texts."""
    return count_or_recurse(text) if POISON in text else len(text)


def count_or_sleep(text: str) -> int:
    if "sleep" in text:
        time.sleep(3600)
    return len(text)


def count_or_die(text: str) -> int:
    """A measure that takes its process along on some texts."""
    if POISON in text:
        os._exit(3)
    return len(text)


class Untrue:
    """A measure whose count is no number at all for some texts."""

    name = "untrue"

    def count(self, text: str, /) -> Any:
        return None if POISON in text else len(text)


def chunkers(**options: Any) -> dict[str, Any]:
    """Every chunker with a cap of 12, so that each measures."""
    options = {"size": 12, **options}
    return {
        "text": TextChunker(min_size=0, overlap=0, **options),
        "recursive": RecursiveChunker(overlap=0, **options),
        "lines": LineChunker(min_lines=0, overlap=0, **options),
        "markdown": MarkdownChunker(overlap=0, **options),
        "code": CodeChunker(**options),
    }


NAMES = sorted(chunkers())
GOOD = ["one two", Document("three four", "b.py"), Document("five", "c.md")]


def with_a_bad_one(bad: Any) -> list[Any]:
    return [GOOD[0], bad, *GOOD[1:]]


def check_only_second_failed(found: list[Chunking], told: str) -> None:
    """The second is empty and says why; the others are as if it were not there."""
    assert [chunking.texts for chunking in found] == [("one two",), (), ("three four",), ("five",)]
    (diagnostic,) = found[1].diagnostics
    assert (diagnostic.level, diagnostic.code) == ("error", "failed")
    assert told in diagnostic.message


@pytest.mark.parametrize("workers", WAYS)
@pytest.mark.parametrize("name", NAMES)
def test_chunkings_come_in_the_order_of_the_documents(name: str, workers: int | None) -> None:
    """Whoever finishes first, texts and documents alike; each is what `chunk` gives."""
    chunker = chunkers()[name]
    long = Document("a word and another\n" * 300, "long.txt")
    documents = [long, "short", *GOOD, "", Document("  \n", "blank.txt"), long]
    found = list(chunker.chunk_many(iter(documents), workers=workers))
    assert found == [chunker.chunk(document) for document in documents]


@pytest.mark.parametrize("workers", WAYS)
@pytest.mark.parametrize("name", NAMES)
def test_a_lone_surrogate_is_its_own_document_s_failure(name: str, workers: int | None) -> None:
    """The message names the error; the path is kept."""
    bad = Document("five\n\ud800", "bad.txt")
    found = list(chunkers()[name].chunk_many(with_a_bad_one(bad), workers=workers))
    check_only_second_failed(found, "ParseError")
    assert found[1].path == "bad.txt"


@pytest.mark.parametrize("workers", WAYS)
@pytest.mark.parametrize(
    ("measure", "told"),
    [
        (count_or_raise, "a measure's own trouble"),
        (count_or_raise_unknown, "measure 7"),
        (count_or_recurse, "RecursionError"),
        (Untrue(), "ConfigError"),
    ],
    ids=["ValueError", "unknown", "recursion", "no number"],
)
@pytest.mark.parametrize("name", NAMES)
def test_a_measure_that_raises_fails_one_document(
    name: str, measure: Any, told: str, workers: int | None
) -> None:
    """Any exception, of whatever class, is told as data; in another process too."""
    chunker = chunkers(measure=measure)[name]
    bad = Document(f"some {POISON} in a text that is too long for one chunk", "bad.txt")
    found = list(chunker.chunk_many(with_a_bad_one(bad), workers=workers))
    check_only_second_failed(found, told)


@pytest.mark.parametrize("workers", WAYS)
@pytest.mark.parametrize(
    "bad",
    [None, 7, b"bytes", Document(b"bytes", "x.txt"), Document(None, "x.txt")],  # type: ignore[arg-type]  # the point
    ids=["None", "int", "bytes", "text of bytes", "text of None"],
)
@pytest.mark.parametrize("name", NAMES)
def test_what_is_no_document_fails_alone(name: str, bad: Any, workers: int | None) -> None:
    """Neither a text nor a document, or a document without a text."""
    found = list(chunkers()[name].chunk_many(with_a_bad_one(bad), workers=workers))
    check_only_second_failed(found, "ConfigError")


@pytest.mark.parametrize("workers", WAYS)
@pytest.mark.parametrize(
    "fields",
    [
        {"path": 7},
        {"path": None},
        {"language": 7},
        {"commit": 7},
        {"summary": 7},
        {"metadata": None},
    ],
    ids=lambda fields: next(iter(fields)),
)
@pytest.mark.parametrize("name", NAMES)
def test_other_fields_of_wrong_types_stop_nothing(
    name: str, fields: dict[str, Any], workers: int | None
) -> None:
    """Cut or failed, but the others are not affected, and nothing is raised."""
    bad = Document("five words", **fields)
    found = list(chunkers()[name].chunk_many(with_a_bad_one(bad), workers=workers))
    assert [chunking.texts for chunking in found[:1] + found[2:]] == [
        ("one two",),
        ("three four",),
        ("five",),
    ]
    assert found[1].texts == ("five words",) or [d.code for d in found[1].diagnostics] == ["failed"]


def test_a_process_that_dies_takes_one_document_along() -> None:
    """Whatever kills a worker, the others' chunkings come, in order."""
    chunker = chunkers(measure=count_or_die)["text"]
    bad = Document(f"some {POISON} in a text that is too long for one chunk", "bad.txt")
    found = list(chunker.chunk_many(with_a_bad_one(bad), workers=2))
    check_only_second_failed(found, "BrokenProcessPool")


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_what_stops_a_program_is_no_failure_of_a_document(error: type[BaseException]) -> None:
    """An interrupt goes through to the caller."""

    def interrupted(text: str) -> int:
        raise error

    chunker = TextChunker(min_size=0, size=3, measure=interrupted)
    with pytest.raises(error):
        list(chunker.chunk_many(["some words here"]))


def counted(documents: list[str], read: list[str]) -> Iterator[str]:
    for document in documents:
        read.append(document)
        yield document


@pytest.mark.parametrize(("workers", "most"), [(None, 0), (1, 0), (2, MOST_READ_AHEAD)])
def test_documents_are_read_as_they_are_asked_for(workers: int | None, most: int) -> None:
    """Nothing before the first chunking is asked for; then the one document, or a few for each
    worker, never the whole input."""
    read: list[str] = []
    documents = [f"text {number}" for number in range(200)]
    chunkings = TextChunker(min_size=0).chunk_many(counted(documents, read), workers=workers)
    assert read == []
    for number, chunking in enumerate(islice(chunkings, 3), 1):
        assert chunking.texts == (documents[number - 1],)
        assert len(read) <= number + most


def test_nobody_waits_for_what_is_not_wanted_any_more() -> None:
    """Closing ends the processes, whatever they are at and whatever is queued."""
    chunkings = TextChunker(min_size=0, measure=count_or_sleep).chunk_many(
        ["quick", *["sleep"] * 6], workers=2
    )
    assert next(chunkings).texts == ("quick",)
    chunkings.close()  # type: ignore[attr-defined]  # a generator
    assert not active_children()


def test_an_input_without_end_is_no_trouble() -> None:
    """A generator that never stops gives as many chunkings as are asked for."""

    def endless() -> Iterator[str]:
        while True:
            yield "again"

    found = list(islice(TextChunker(min_size=0).chunk_many(endless()), 50))
    assert {chunking.texts for chunking in found} == {("again",)}


@pytest.mark.parametrize("workers", WAYS)
def test_an_input_that_raises_is_the_caller_s_matter(workers: int | None) -> None:
    """What was read before it is given; then the error goes through."""

    def torn() -> Iterator[str]:
        yield "one"
        raise OSError("the disk is gone")

    chunkings = TextChunker(min_size=0).chunk_many(torn(), workers=workers)
    assert next(chunkings).texts == ("one",)
    with pytest.raises(OSError, match="the disk is gone"):
        next(chunkings)


@pytest.mark.parametrize("workers", [0, -1, True, 1.5, "2"])
def test_a_wrong_number_of_workers_is_refused_at_once(workers: Any) -> None:
    """The error names the option, before anything is read."""
    with pytest.raises(ConfigError) as refused:
        TextChunker().chunk_many(["one"], workers=workers)
    assert (refused.value.option, refused.value.value) == ("workers", workers)


def test_a_chunker_that_cannot_travel_is_refused() -> None:
    """A measure written in place cannot be sent to another process: an error that says so."""
    here = len("ab")
    chunker = TextChunker(measure=lambda text: len(text) * here)
    with pytest.raises(ConfigError):
        list(chunker.chunk_many(["one"], workers=2))


@pytest.mark.parametrize("workers", WAYS)
def test_no_documents_give_no_chunkings(workers: int | None) -> None:
    """An empty input is no error."""
    assert list(TextChunker().chunk_many([], workers=workers)) == []
