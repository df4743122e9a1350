"""An index that was cut short, overwritten or made by somebody else: noticed, named, rebuilt on
request, never used in silence.
"""

from __future__ import annotations

import os
import random
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
import numpy as np
import pytest

import chunkwright as cw
from chunkwright.embedding.hashing import HashingEmbedder
from chunkwright.store.rows import decode_chunk, encode, with_checksum


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


def flip(content: bytes, bit: int) -> bytes:
    flipped = bytearray(content)
    flipped[bit // 8] ^= 1 << bit % 8
    return bytes(flipped)


def outcome(tree: Path, act: Callable[[cw.Index], object]) -> object:
    """What an act gives: its answer, or the error of ours that refuses it."""
    with make(tree) as index:
        try:
            return act(index)
        except cw.StoreError as error:
            return type(error)


ASKING: dict[str, Callable[[cw.Index], object]] = {
    "search": lambda index: [(hit.chunk, hit.score) for hit in index.search("harbour 7 tide")],
    "filtered": lambda index: [hit.chunk for hit in index.search("tide", where={"tags": "a3"})],
    "chunks": lambda index: index.chunks(),
    "status": lambda index: msgspec.structs.replace(index.status(), refreshed=""),
    "refresh": lambda index: index.refresh(),
}


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """An index of a few old files, some with front matter."""
    for number in range(8):
        text = f"---\ntags: a{number}\n---\n# Note {number}\n\n" + f"harbour {number} tide.\n" * 9
        (tmp_path / f"note{number}.md").write_text(text, "utf-8")
        os.utime(tmp_path / f"note{number}.md", (10**9, 10**9))
    with make(tmp_path) as index:
        index.refresh()
    return tmp_path


def check_flips(tree: Path, flips: int) -> None:
    """Flip one bit at a time: each question is refused or answered as before, and what would be
    answered otherwise is found by `verify`."""
    before = {name: outcome(tree, act) for name, act in ASKING.items()}
    whole = database(tree).read_bytes()
    draw = random.Random(7)  # noqa: S311  # test data
    noticed = 0
    for _ in range(flips):
        bit = draw.randrange(8 * len(whole))
        spoiled = flip(whole, bit)
        for name, act in ASKING.items():
            database(tree).write_bytes(spoiled)
            found = outcome(tree, act)
            refused = isinstance(found, type)
            noticed += refused
            assert refused or found == before[name], (bit, name)
        database(tree).write_bytes(spoiled)
        assert outcome(tree, cw.Index.verify), bit
    database(tree).write_bytes(whole)
    assert noticed > flips
    assert {name: outcome(tree, act) for name, act in ASKING.items()} == before


def test_a_flipped_bit_never_changes_an_answer(small: Path) -> None:
    """Anywhere in the file: header, words, vectors, indexes, free pages."""
    check_flips(small, flips=300)


@pytest.mark.integration
def test_many_flipped_bits_never_change_an_answer(small: Path) -> None:
    """The same, many times."""
    check_flips(small, flips=3_000)


@pytest.mark.parametrize("damage", [Path.unlink, truncate, fill])
def test_without_its_seal_an_index_answers_and_is_sealed_again(small: Path, damage: object) -> None:
    """The sums are the copy that can be made anew; the next refresh makes them."""
    assert callable(damage)
    before = outcome(small, ASKING["search"])
    seal = small / ".chunkwright" / "index.sums"
    damage(seal)
    assert outcome(small, ASKING["search"]) == before
    with make(small) as index:
        assert index.verify() == ()
        (small / "new.md").write_text("# New\n", "utf-8")
        index.refresh()
    spoiled = flip(database(small).read_bytes(), 80_001)
    database(small).write_bytes(spoiled)
    assert outcome(small, ASKING["search"]) is cw.CorruptIndexError


def execute(tree: Path, *statements: str) -> None:
    base = sqlite3.connect(database(tree))
    base.execute("UPDATE meta SET value = '' WHERE key = 'sealed'")  # as while it is written
    for statement in statements:
        base.execute(statement)
    base.commit()
    base.close()


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("UPDATE chunks SET body = x'00' WHERE row = 1", "cannot be read"),
        ("UPDATE chunks SET language = 'go' WHERE row = 1", "does not fit its row"),
        ("UPDATE chunks SET position = 9 WHERE row = 1", "does not fit its row"),
        ("UPDATE words SET text = 'other' WHERE rowid = 1", "are not those of its text"),
        ("DELETE FROM words WHERE rowid = 1", "not those of its text"),
        ("UPDATE words_data SET block = zeroblob(9) WHERE id > 9", "words is damaged"),
        ("UPDATE files SET details = x'00' WHERE id = 1", "cannot be read"),
        ("DELETE FROM facts WHERE file = 1", "does not fit its filters"),
        ("UPDATE files SET status = 'failed' WHERE id = 1", "has chunks"),
        ("UPDATE vectors SET vector = x'00'", "cannot be used"),
        ("UPDATE chunks SET file = 99 WHERE row = 1", "belongs to nothing"),
    ],
)
def test_rows_that_do_not_fit_are_found(small: Path, statement: str, reason: str) -> None:
    """Each by its checksum or by what it belongs to, also where nothing is sealed."""
    execute(small, statement)
    with make(small) as index:
        found = [problem.reason for problem in index.verify()]
    assert any(reason in each for each in found), found


def test_chunks_that_are_not_what_is_in_the_file_are_found(small: Path) -> None:
    """Of a file whose content is what was indexed; of a changed one there is nothing to say."""
    base = sqlite3.connect(database(small))
    (moved,) = base.execute("SELECT body FROM chunks WHERE row = 1").fetchone()
    base.close()
    chunk = decode_chunk(moved)
    body = with_checksum(encode(msgspec.structs.replace(chunk, start=chunk.start + 1)))
    execute(small, f"UPDATE chunks SET body = x'{body.hex()}' WHERE row = 1")  # noqa: S608  # hex
    with make(small) as index:
        assert [problem.place for problem in index.verify()] == ["note0.md"]
        (small / "note0.md").write_text("# Other\n", "utf-8")
        assert index.verify() == ()


def test_a_damaged_copy_of_the_vectors_is_found(small: Path) -> None:
    """It is told, though a search does without it."""
    content = sidecar(small).read_bytes()
    sidecar(small).write_bytes(flip(content, 8 * len(content) - 5))
    with make(small) as index:
        assert [problem.place for problem in index.verify()] == ["vectors-*.npy"]


def put(tree: Path, keys: Sequence[str]) -> None:
    """Documents that were put; the index is sealed with them."""
    with make(tree) as index:
        index.put_many([cw.Entry(key, f"# Put\n\n{key * 300}\n") for key in keys])
        index.refresh()


def documents(file: Path) -> list[str]:
    base = sqlite3.connect(file)
    found = base.execute("SELECT key FROM entries WHERE namespace <> '' ORDER BY key")
    keys = [key for (key,) in found]
    base.close()
    return keys


KEYS = [f"key{number:03}" for number in range(40)]


def test_a_rebuild_keeps_what_was_put(small: Path) -> None:
    """Of a whole index in its place, of a damaged one all that is as it was put."""
    put(small, KEYS)
    with make(small) as index:
        assert index.rebuild().failed == ()
    assert documents(database(small)) == KEYS
    free = flip(database(small).read_bytes(), 8 * 43)  # a counter in the header
    database(small).write_bytes(free)
    assert outcome(small, ASKING["status"]) is cw.CorruptIndexError
    with make(small) as index:
        assert index.rebuild().failed == ()
        assert index.list() == KEYS
        assert index.get("key007") is not None
    assert not database(small).with_name("index.db.damaged").exists()


def test_what_can_be_read_of_damaged_documents_is_saved(small: Path) -> None:
    """Pages in the midst of them are lost, what stands before and after is not; the damaged file
    is kept and named."""
    put(small, KEYS)
    content = bytearray(database(small).read_bytes())
    for page in range(0, len(content), 4096):
        if b"key020key020" in content[page : page + 4096]:
            content[page : page + 4096] = bytes(4096)
    database(small).write_bytes(content)
    with make(small) as index:
        assert [path for path, *_ in index.rebuild().failed] == ["index.db.damaged"]
        saved = index.list()
    assert {"key000", "key039"} <= set(saved) < set(KEYS)
    assert database(small).with_name("index.db.damaged").read_bytes() == content
