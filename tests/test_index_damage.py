"""An index that was cut short, overwritten or made by somebody else: noticed, named, rebuilt on
request, never used in silence.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import chunkwright as cw
from chunkwright.embedding.hashing import HashingEmbedder


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A refreshed and closed index of forty files."""
    for number in range(40):
        text = f"# Note {number}\n\n" + f"harbour {number} tide.\n" * 40
        (tmp_path / f"note{number}.md").write_text(text, "utf-8")
    with make(tmp_path) as index:
        index.refresh()
    return tmp_path


def make(tree: Path) -> cw.Index:
    return cw.Index(tree, embedder=HashingEmbedder(dim=32))


def database(tree: Path) -> Path:
    return tree / ".chunkwright" / "index.db"


def sidecar(tree: Path) -> Path:
    (file,) = (tree / ".chunkwright").glob("vectors-*.npy")
    return file


def answers(tree: Path) -> list[tuple[str, float]]:
    with make(tree) as index:
        return [(hit.chunk.id, hit.score) for hit in index.search("harbour 7 tide", k=5)]


def truncate(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def fill(file: Path) -> None:
    file.write_bytes(b"nothing that was ever an index\n" * 400)


def zero_the_middle(file: Path) -> None:
    content = bytearray(file.read_bytes())
    middle = len(content) // 2
    content[middle - 8_192 : middle + 8_192] = bytes(16_384)
    file.write_bytes(content)


@pytest.mark.parametrize("damage", [truncate, fill, zero_the_middle])
def test_a_damaged_database_is_noticed_and_can_be_rebuilt(tree: Path, damage: object) -> None:
    """What it says is not used: the error names the command, and rebuilding gives the same
    answers."""
    assert callable(damage)
    before = answers(tree)
    damage(database(tree))
    for side in ("-wal", "-shm"):
        Path(f"{database(tree)}{side}").unlink(missing_ok=True)
    with pytest.raises(cw.CorruptIndexError, match="chunkwright index --rebuild"):
        answers(tree)
    with make(tree) as index:
        index.rebuild()
    assert answers(tree) == before


@pytest.mark.parametrize("damage", [truncate, fill])
def test_a_damaged_database_is_not_refreshed(tree: Path, damage: object) -> None:
    """A refresh leaves it as it is, for whoever wants to look at it."""
    assert callable(damage)
    damage(database(tree))
    content = database(tree).read_bytes()
    with make(tree) as index, pytest.raises(cw.CorruptIndexError, match="--rebuild"):
        index.refresh()
    assert database(tree).read_bytes() == content


def an_archive(file: Path) -> None:
    np.savez(file.with_suffix(""), a=np.ones(3))
    file.with_suffix(".npz").replace(file)


def half_an_archive(file: Path) -> None:
    file.write_bytes(b"PK\x03\x04" + bytes(100))


def swap(file: Path, old: bytes, new: bytes) -> None:
    content = file.read_bytes()
    assert old in content
    file.write_bytes(content.replace(old, new, 1))


def an_open_bracket(file: Path) -> None:
    swap(file, b"), }", b" , }")


def a_negative_shape(file: Path) -> None:
    swap(file, b"(40,", b"(-4,")


COPY_DAMAGES = [
    truncate,
    fill,
    Path.unlink,
    an_archive,
    half_an_archive,
    an_open_bracket,
    a_negative_shape,
]


@pytest.mark.parametrize("damage", COPY_DAMAGES)
def test_a_damaged_copy_of_the_vectors_is_made_again(tree: Path, damage: object) -> None:
    """The copy is never trusted: the answers are the same, and it is there again."""
    assert callable(damage)
    before = answers(tree)
    damage(sidecar(tree))
    assert answers(tree) == before
    with make(tree) as index:
        index.refresh()
    assert sidecar(tree).stat().st_size > 0
    assert answers(tree) == before


def test_an_index_from_a_newer_version_is_refused(tree: Path) -> None:
    """The error says so; the file is not touched."""
    base = sqlite3.connect(database(tree))
    base.execute("PRAGMA user_version = 999")
    base.execute("UPDATE meta SET value = '999' WHERE key = 'format'")
    base.commit()
    base.close()
    content = database(tree).read_bytes()
    with pytest.raises(cw.StoreError, match="newer"):
        answers(tree)
    assert database(tree).read_bytes() == content


def test_a_database_of_something_else_is_refused(tree: Path) -> None:
    """A valid SQLite file without our tables is no index; not a byte of it is changed."""
    database(tree).unlink()
    base = sqlite3.connect(database(tree))
    base.execute("CREATE TABLE somebody (else_ TEXT)")
    base.commit()
    base.close()
    content = database(tree).read_bytes()
    with pytest.raises(cw.StoreError, match="not an index"):
        answers(tree)
    with make(tree) as index, pytest.raises(cw.StoreError, match="not an index"):
        index.refresh()
    assert database(tree).read_bytes() == content


def spoil(content: bytes, draw: random.Random) -> bytes:
    """A few bytes, a whole page or the end of a database, changed."""
    spoiled, page = bytearray(content), 4_096
    way = draw.choice(("bytes", "page", "end"))
    if way == "end":
        return content[: draw.randrange(len(content))]
    if way == "page":
        start = draw.randrange(len(content) // page) * page
        spoiled[start : start + page] = draw.choice((bytes(page), draw.randbytes(page)))
        return bytes(spoiled)
    for _ in range(draw.choice((1, 3, 10))):
        spoiled[draw.randrange(len(spoiled))] = draw.randrange(256)
    return bytes(spoiled)


ACTS: dict[str, Callable[[cw.Index], object]] = {
    "search": lambda index: index.search("harbour 7 tide"),
    "related": lambda index: index.find_related("note7.md", 3),
    "chunks": lambda index: index.chunks(),
    "outline": lambda index: index.outline("note7.md"),
    "status": lambda index: index.status(),
    "refresh": lambda index: index.refresh(),
    "remove": lambda index: index.remove(["note7.md"]),
}


def check_spoiling(tree: Path, rounds: int) -> None:
    whole, before = database(tree).read_bytes(), answers(tree)
    draw = random.Random(7)  # noqa: S311  # test data
    for _ in range(rounds):
        for act in ACTS.values():
            for side in ("-wal", "-shm"):
                Path(f"{database(tree)}{side}").unlink(missing_ok=True)
            database(tree).write_bytes(spoil(whole, draw))
            # Whatever is not noticed answers; what is noticed is an error of ours.
            with make(tree) as index, suppress(cw.StoreError):
                act(index)
        with make(tree) as index:
            index.rebuild()
        assert answers(tree) == before


def test_a_spoiled_database_never_raises_what_is_not_ours(tree: Path) -> None:
    """A few damages at random places; after each few, a rebuild gives the former answers."""
    check_spoiling(tree, rounds=4)


@pytest.mark.integration
def test_many_spoiled_databases_never_raise_what_is_not_ours(tree: Path) -> None:
    """The same, many times."""
    check_spoiling(tree, rounds=150)
