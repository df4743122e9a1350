"""What a failing embedder, a killed process, `defer` or damage leaves of documents that were put,
and that a heal completes it, a step at a time.
"""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import chunkwright as cw
from chunkwright.embedding.hashing import HashingEmbedder

PAGE = 4096
"""Bytes of a page of SQLite's."""


class Moody(HashingEmbedder):
    """Fails wholly while it is down, and for texts with a word it does not like."""

    def __init__(self) -> None:
        super().__init__()
        self.is_down = False
        self.refused = "\0"
        self.calls = 0

    def embed(self, texts: Sequence[str], /) -> npt.NDArray[np.float32]:
        self.calls += 1
        if self.is_down or any(self.refused in text for text in texts):
            raise ValueError("not now")
        return super().embed(texts)


@pytest.fixture
def embedder() -> Moody:
    return Moody()


@pytest.fixture
def index(tmp_path: Path, embedder: Moody) -> Iterator[cw.Index]:
    with cw.Index(tmp_path, embedder) as made:
        yield made


def notes(count: int, word: str = "note") -> list[cw.Entry]:
    return [cw.Entry(f"{word}{number:03}", f"The {word} {number}.") for number in range(count)]


def ids(entries: Sequence[cw.Entry]) -> tuple[str, ...]:
    return tuple(sorted(entry.id for entry in entries))


def without_vectors(index: cw.Index) -> int:
    return index.status().missing_vectors


def test_a_dead_embedder_does_not_lose_a_text(index: cw.Index, embedder: Moody) -> None:
    """It is stored and found by its words; the answer says what is missing; a heal adds it."""
    embedder.is_down = True
    stored = index.put_many(notes(40))
    assert all("not now" in entry.waiting for entry in stored)
    assert (len(index.list()), without_vectors(index)) == (40, 40)
    embedder.is_down = False
    assert index.heal().healed == ids(stored)
    assert without_vectors(index) == 0
    assert index.heal() == cw.HealReport()


class Distant(Moody):
    """Has to be asked even for its dimensions."""

    @property
    def dim(self) -> int:
        if self.is_down:
            raise cw.EmbedError(self.name, "not now", "try again")
        return 64

    @dim.setter
    def dim(self, value: int) -> None:
        pass


def test_a_text_is_stored_though_nothing_is_known_of_the_embedder(tmp_path: Path) -> None:
    """A new index, and a service that is down: what is put is kept until it is up again."""
    embedder = Distant()
    with cw.Index(tmp_path, embedder) as index:
        embedder.is_down = True
        entry = index.put("tea", "Green tea.")
        assert entry.waiting
        assert index.list() == ["tea"]
        with pytest.raises(cw.EmbedError):
            index.heal()
        embedder.is_down = False
        assert index.heal().healed == (entry.id,)
        assert index.search("green")[0].chunk.path == entry.id


def test_a_deferred_put_does_not_ask_the_embedder(index: cw.Index, embedder: Moody) -> None:
    """Words are there at once, vectors after the heal."""
    entry = index.put("tea", "Green tea.", defer=True)
    assert (embedder.calls, entry.waiting) == (0, "deferred; heal() embeds it")
    assert (without_vectors(index), index.status().chunks) == (1, 1)
    report = index.heal()
    assert (report.healed, report.embedded, report.remaining) == ((entry.id,), 1, 0)
    assert index.search("green tea")[0].reasons["meaning"] > 0


def test_a_refresh_embeds_what_was_deferred(index: cw.Index, embedder: Moody) -> None:
    """It completes whatever lacks a vector, and tries once what cannot be."""
    index.put_many(notes(3), defer=True)
    assert index.refresh().embedded == 3
    assert index.heal() == cw.HealReport()
    index.put("bad", "A bad one.", defer=True)
    embedder.refused, embedder.calls = "bad", 0
    (failed,) = index.refresh().failed
    assert (failed[0], embedder.calls) == ("//entries/bad", 2)  # the text, and whether any works


def test_a_heal_goes_in_steps(index: cw.Index) -> None:
    """At most so many a time; 0 only counts."""
    stored = index.put_many(notes(25), defer=True)
    assert index.heal(0) == cw.HealReport(remaining=25)
    left: list[int] = []
    healed: list[str] = []
    while not left or left[-1]:
        report = index.heal(limit=10)
        left.append(report.remaining)
        healed += report.healed
    assert (left, tuple(healed)) == ([15, 5, 0], ids(stored))


def test_what_fails_does_not_hold_up_the_others(index: cw.Index, embedder: Moody) -> None:
    """With more failing than a step holds, each gets its turn, and every other one is healed."""
    stored = index.put_many(notes(30), defer=True)
    embedder.refused = "note 1"  # 1 and 10 to 19
    failing = {entry.id for entry in stored if "note 1" in entry.text}
    tried: set[str] = set()
    for _ in range(10):
        tried |= {name for name, _ in index.heal(limit=5).failed}
    assert tried == failing
    assert len(failing) == 11
    report = index.heal()
    assert {name for name, _ in report.failed} == failing
    assert all(reason == "ValueError: not now" for _, reason in report.failed)
    assert (report.healed, report.remaining) == ((), 11)
    embedder.refused = "\0"
    assert set(index.heal().healed) == failing


def test_a_dead_embedder_ends_a_heal_and_is_reported(index: cw.Index, embedder: Moody) -> None:
    """It is not asked for every one of a thousand texts."""
    index.put_many(notes(600), defer=True)
    embedder.is_down = True
    report = index.heal()
    assert report.remaining == 600
    assert {reason for _, reason in report.failed} == {report.failed[0][1]}
    assert "not now" in report.failed[0][1]
    assert embedder.calls < 20


def test_a_document_that_cannot_be_cut_is_kept(
    index: cw.Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A chunker that raises costs its own document only; a heal tries again."""
    from chunkwright.chunking.markdown import MarkdownChunker

    cut = MarkdownChunker.chunk

    def picky(self: MarkdownChunker, document: cw.Document, blocks: None = None) -> cw.Chunking:
        if "bad" in document.text:
            raise RecursionError("too deep")
        return cut(self, document, blocks)

    monkeypatch.setattr(MarkdownChunker, "chunk", picky)
    good, bad = index.put_many([cw.Entry("a", "A good one."), cw.Entry("b", "A bad one.")])
    assert (good.waiting, bad.waiting) == ("", "RecursionError: too deep")
    assert index.heal().failed == ((bad.id, "RecursionError: too deep"),)
    assert index.refresh().failed == ((bad.id, "RecursionError: too deep", ""),)
    status = index.status()
    assert (status.entries, status.failed, status.chunks) == (2, 0, 1)
    monkeypatch.undo()
    assert index.heal().healed == (bad.id,)
    assert index.search("bad")[0].chunk.path == bad.id


def test_remains_without_an_entry_are_removed(index: cw.Index) -> None:
    """Chunks whose document is gone, as after a repair by hand; and the other way round."""
    index.put_many(notes(4))
    index.close()
    with sqlite3.connect(index.folder / "index.db") as file:
        file.execute("PRAGMA foreign_keys = ON")
        file.execute("DELETE FROM entries WHERE key IN ('note000', 'note001')")
        file.execute("DELETE FROM files WHERE path = '//entries/note002'")
    file.close()
    assert index.heal(1).removed == ("//entries/note000",)
    report = index.heal()
    assert (report.removed, report.healed) == (("//entries/note001",), ("//entries/note002",))
    assert sorted(chunk.path for chunk in index.chunks()) == [
        "//entries/note002",
        "//entries/note003",
    ]


def spoil(file: Path, holds: bytes, *, without: bytes) -> None:
    """Overwrite, of the pages that hold the one and not the other, the one in the middle."""
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    content = bytearray(file.read_bytes())
    pages = [content[at : at + PAGE] for at in range(0, len(content), PAGE)]
    fitting = [n for n, page in enumerate(pages) if holds in page and without not in page]
    number = fitting[len(fitting) // 2]
    content[number * PAGE : (number + 1) * PAGE] = b"\xff" * PAGE
    file.write_bytes(content)


@pytest.mark.parametrize(
    ("holds", "without", "least", "most"),
    [
        (b"is_attachment", b"metadata", 300, 300),  # of the chunks, which are made anew
        (b"metadata", b"is_attachment", 200, 299),  # of the texts themselves
    ],
)
def test_a_rebuild_of_a_damaged_index_keeps_what_can_be_read(
    index: cw.Index, holds: bytes, without: bytes, least: int, most: int
) -> None:
    """Texts that are as they were written, with their versions, before and behind the damage."""
    index.put_many(notes(300))
    index.put("note299", "The last note, again.")
    index.close()
    spoil(index.folder / "index.db", holds, without=without)
    index.rebuild()
    keys = index.list()
    assert least <= len(keys) <= most
    entry = index.get("note299")
    assert entry is not None
    assert (entry.text, entry.version) == ("The last note, again.", 2)
    index.delete("note299")
    assert index.put("note299", "Text.").version == 3
    assert index.heal() == cw.HealReport()
    assert {chunk.path for chunk in index.chunks()} == {f"//entries/{key}" for key in keys}


PROGRAM = """
import os, sys
import chunkwright as cw
from chunkwright.embedding.hashing import HashingEmbedder
from chunkwright.index import mending

class Killer(HashingEmbedder):
    left = int(sys.argv[2])
    def embed(self, texts):
        Killer.left -= 1
        if Killer.left < 0:
            os._exit(9)
        return super().embed(texts)

mending.GROUP_ENTRIES = 5  # many small transactions: many places to be killed in
with cw.Index(sys.argv[1], Killer()) as index:
    if sys.argv[3] == "put":
        index.put_many(cw.Entry(f"note{n:03}", f"The note {n}.") for n in range(40))
    else:
        index.heal()
"""


@pytest.mark.parametrize("calls", [0, 1, 3])
def test_a_killed_put_and_a_killed_heal_are_completed_by_the_next(
    tmp_path: Path, calls: int
) -> None:
    """All texts were stored first; nothing is made twice, and every chunk has its vector."""
    for what in ("put", "heal"):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, str(tmp_path), str(calls), what], check=False
        )
        assert done.returncode == 9
    with cw.Index(tmp_path, HashingEmbedder()) as index:
        assert index.list() == [entry.key for entry in notes(40)]
        assert len(index.heal().healed) == 40 - 2 * calls * 5
        status = index.status()
        assert (status.entries, status.chunks, status.missing_vectors) == (40, 40, 0)
        assert index.search("note 39")[0].chunk.path == "//entries/note039"
        assert index.heal() == cw.HealReport()
