"""The store by itself: words in parts, rows that come back as they went in, damage that is named,
a copy of the vectors that is never believed unchecked.
"""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright.errors import CorruptIndexError, LockedError, StoreError
from chunkwright.store import Store, writing
from chunkwright.store.reading import SPARE_MATCHES
from chunkwright.store.rows import ChunkEntry, FileDetails, FileEntry, FileRecord, Filter
from chunkwright.store.terms import MAX_TERMS, expression, parts_of, query_terms, words_of
from chunkwright.types import Chunk, Diagnostic, OutlineItem, Symbol

MODEL = "by-hand"
DIM = 4
ANY = Filter()
EVEN = (1.0, 1.0, 1.0, 1.0)
"""Weights of the columns of words."""

ODD_TEXTS = [
    "a\r\nb\rc\n\td",
    "no end of line",
    "n\0l",
    "👨\u200d👩\u200d👧 e\u0301 नि",
    "x" * 200_000,
    "今天的会议",
]


def chunk(text: str, path: str = "a.py", **facts: object) -> Chunk:
    return Chunk(text, 0, len(text), 1, 1, path=path, **facts)  # type: ignore[arg-type]  # fields by name


def entry(path: str, texts: Sequence[str]) -> FileEntry:
    record = FileRecord(path=path, size=1, mtime_ns=1, content_hash=path)
    chunks = [ChunkEntry(chunk(text, path), f"hash of {text[:20]}") for text in texts]
    return FileEntry(record, FileDetails(), chunks)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store."""
    made = Store(tmp_path / "index")
    made.create()
    return made


def put(store: Store, *entries: FileEntry) -> None:
    with store.writing() as writer:
        writer.put_files(entries)


def found(store: Store, query: str) -> list[str]:
    with store.reading() as snapshot:
        matches = snapshot.match(query_terms(query), EVEN, 100, ANY)
        chunks = snapshot.chunks_at(match.row for match in matches)
        return [chunks[match.row].text for match in matches]


@pytest.mark.parametrize("files", [30, 2 * SPARE_MATCHES])
def test_of_equal_scores_the_lowest_ids_are_the_best(store: Store, files: int) -> None:
    """Where those of the border fit into what is taken beyond it, and where they do not."""
    paths = [f"f{number}.py" for number in range(files)]
    put(store, entry("best.py", ["fog fog"]), *(entry(path, ["fog here"]) for path in paths))
    with store.reading() as snapshot:
        rows = [match.row for match in snapshot.match(["fog"], EVEN, 10, ANY)]
        chunks = snapshot.chunks_at(rows)
    ids = sorted(chunk("fog here", path).id for path in paths)
    best = chunk("fog fog", "best.py").id
    assert [chunks[row].id for row in rows] == [best, *ids[:9]]


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("getUserById", ["get", "user", "by", "id"]),
        ("get_user_by_id", ["get", "user", "by", "id"]),
        ("HTTPServer", ["http", "server"]),
        ("parse2html", ["parse2", "html"]),
        ("XMLHttpRequest2", ["xml", "http", "request2"]),
        ("plain", ["plain"]),
        ("ÜberMaß", ["über", "maß"]),
        ("__", []),
    ],
)
def test_identifiers_have_parts(word: str, parts: list[str]) -> None:
    """At humps, underscores and the end of an acronym."""
    assert parts_of(word) == parts


def test_stop_words_go_only_while_others_remain() -> None:
    """A query of nothing but them still asks for them."""
    assert query_terms("where is the ferry") == ["ferry"]
    assert query_terms("where is the") == ["where", "is", "the"]


def test_a_query_has_a_bounded_number_of_terms() -> None:
    """However long it is."""
    assert len(query_terms(" ".join(f"w{number}" for number in range(5_000)))) == MAX_TERMS


@given(st.text())
def test_any_text_is_a_valid_expression(text: str) -> None:
    """SQLite takes what becomes of it, whatever it holds."""
    base = sqlite3.connect(":memory:")
    base.execute("CREATE VIRTUAL TABLE words USING fts5 (text)")
    terms = query_terms(text)
    if terms:
        base.execute("SELECT * FROM words WHERE words MATCH ?", (expression(terms),)).fetchall()
    base.close()


def test_the_words_of_a_chunk_name_its_place_and_its_symbols() -> None:
    """Path, own name, headings and symbols, whole and in parts."""
    symbol = Symbol("Box.openLid", "Method", 0, 1, 1, 1)
    words = words_of(chunk("x", "src/toolBox.ts", breadcrumb=("Guide",), symbols=(symbol,)))
    assert words.path.split() == ["src/toolBox.ts", "tool", "box"]
    assert words.names.split() == ["Guide", "Box.openLid", "open", "lid"]


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_a_chunk_comes_back_as_it_went_in(store: Store, text: str) -> None:
    """Every field, whatever the text holds."""
    full = chunk(
        text,
        breadcrumb=("A", "B"),
        symbols=(Symbol("f", "Function", 0, 1, 1, 1, "def f()", "doc"),),
        links=(("label", "[label]: /x"),),
        carry="| a |\n",
        cell=3,
        parent="p",
    )
    record = FileRecord(path="a.py", size=1, mtime_ns=1)
    put(store, FileEntry(record, FileDetails(), [ChunkEntry(full, "h")]))
    with store.reading() as snapshot:
        assert list(snapshot.chunks()) == [full]
        assert list(snapshot.chunks(parent="p")) == [full]
        assert list(snapshot.chunks(parent="q")) == []


def test_what_is_said_of_a_document_comes_back(store: Store) -> None:
    """Outline, front matter and diagnostics; a value without a form of its own as text."""
    details = FileDetails(
        parser="pyromark",
        outline=(OutlineItem(1, "Tides", 3),),
        frontmatter={"title": "Tides", "kind": set},
        diagnostics=(Diagnostic("info", "decoded", "read as utf-16"),),
    )
    put(store, FileEntry(FileRecord(path="a.md", size=1, mtime_ns=1), details))
    with store.reading() as snapshot:
        back = snapshot.details("a.md")
    assert back is not None
    assert back.outline == details.outline
    assert back.diagnostics == details.diagnostics
    assert back.frontmatter == {"title": "Tides", "kind": "<class 'set'>"}


def test_a_file_written_again_replaces_itself(store: Store) -> None:
    """Its former chunks and words are gone, and row numbers are not given twice."""
    put(store, entry("a.py", ["fog", "tide"]))
    with store.reading() as snapshot:
        former = snapshot.rows_of("a.py")
    put(store, entry("a.py", ["ferry"]))
    assert found(store, "fog tide") == []
    assert found(store, "ferry") == ["ferry"]
    with store.reading() as snapshot:
        assert not set(snapshot.rows_of("a.py")) & set(former)


def test_an_exception_undoes_the_whole_transaction(store: Store) -> None:
    """Nothing is half-written."""
    put(store, entry("a.py", ["fog"]))

    def fail() -> None:
        with store.writing() as writer:
            writer.remove_files(["a.py"])
            raise KeyError("on purpose")

    with pytest.raises(KeyError):
        fail()
    assert found(store, "fog") == ["fog"]


def test_a_reader_sees_one_moment(store: Store) -> None:
    """What is written meanwhile is not in it."""
    put(store, entry("a.py", ["fog"]))
    with store.reading() as snapshot:
        assert [one.text for one in snapshot.chunks()] == ["fog"]
        put(store, entry("b.py", ["tide"]))
        assert [one.text for one in snapshot.chunks()] == ["fog"]
    with store.reading() as snapshot:
        assert len(list(snapshot.chunks())) == 2


def vectors(store: Store) -> list[list[float]]:
    with store.reading() as snapshot:
        rows: list[list[float]] = store.vectors(snapshot, MODEL, DIM).matrix.tolist()
        return rows


@pytest.fixture
def filled(store: Store) -> Store:
    """Two chunks with vectors, and the copy of these."""
    put(store, entry("a.py", ["fog", "tide"]))
    with store.writing() as writer:
        rows = np.eye(2, DIM, dtype=np.float32)
        writer.put_vectors(MODEL, ["hash of fog", "hash of tide"], rows, [True, True])
    store.publish(MODEL, DIM)
    store.close()
    return store


def copy_of(store: Store) -> Path:
    (path,) = store.folder.glob("vectors-*.npy")
    return path


def test_the_copy_is_used_when_it_is_right(filled: Store) -> None:
    """It is mapped, not made anew."""
    assert len(vectors(filled)) == 2
    assert not filled.copy_is_stale


def flip_a_bit(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-3] ^= 1
    path.write_bytes(content)


def other_shape(path: Path) -> None:
    np.save(path, np.zeros((2, DIM + 1), dtype=np.float32))


def other_type(path: Path) -> None:
    np.save(path, np.zeros((2, DIM), dtype=np.float64))


def objects(path: Path) -> None:
    np.save(path, np.array([{"a": 1}], dtype=object), allow_pickle=True)


@pytest.mark.parametrize("damage", [flip_a_bit, other_shape, other_type, objects, Path.unlink])
def test_a_wrong_copy_is_not_believed(filled: Store, damage: object) -> None:
    """The database has the last word; the copy is known to be stale and can be made again."""
    assert callable(damage)
    before = vectors(filled)
    filled.close()
    damage(copy_of(filled))
    assert vectors(filled) == before
    assert filled.copy_is_stale
    filled.publish(MODEL, DIM)
    filled.close()
    assert vectors(filled) == before
    assert not filled.copy_is_stale


def test_a_copy_of_an_older_generation_is_not_used(filled: Store) -> None:
    """A change makes it stale; publishing sweeps it away."""
    former = copy_of(filled)
    put(filled, entry("b.py", ["fog"]))
    assert len(vectors(filled)) == 3
    filled.publish(MODEL, DIM)
    assert copy_of(filled) != former
    assert not former.exists()


def execute(store: Store, statement: str) -> None:
    store.close()
    base = sqlite3.connect(store.path)
    base.execute(statement)
    base.commit()
    base.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE chunks SET body = replace(body, 'fog', 'gof')",
        "UPDATE chunks SET body = x'00'",
        "UPDATE chunks SET id = CAST(x'aaff' AS TEXT) WHERE position = 0",
        "DROP TABLE chunks",
    ],
)
def test_a_chunk_that_changed_since_it_was_written_is_refused(
    filled: Store, statement: str
) -> None:
    """Its id is a hash of its text; the error says what to run."""
    execute(filled, statement)
    with pytest.raises(CorruptIndexError, match="--rebuild"), filled.reading() as snapshot:
        list(snapshot.chunks())


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE vectors SET vector = x'0000'",
        "UPDATE vectors SET vector = x'0000c07f0000c07f0000c07f0000c07f'",
        "DELETE FROM meta WHERE key = 'generation'",
    ],
)
def test_a_damaged_vector_is_refused(filled: Store, statement: str) -> None:
    """Too short, not a number, or of no known generation."""
    execute(filled, f"{statement}")
    execute(filled, "DELETE FROM sidecar")
    with pytest.raises(CorruptIndexError, match="--rebuild"):
        vectors(filled)


def test_unused_vectors_are_kept_only_for_a_while(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many as are in use, for the day they are wanted again; of more the oldest go."""
    monkeypatch.setattr(writing, "LEAST_SPARE", 0)
    put(store, entry("a.py", ["fog"]))
    with store.writing() as writer:
        writer.put_vectors(MODEL, ["hash of fog", "old"], np.eye(2, DIM, dtype="f4"), [True] * 2)
        writer.prune(MODEL)
    with store.reading() as snapshot:
        assert snapshot.embedded(["hash of fog", "old"], MODEL) == {"hash of fog", "old"}
    with store.writing() as writer:
        writer.put_vectors(MODEL, ["older"], np.ones((1, DIM), dtype="f4"), [True])
        writer.prune(MODEL)
    with store.reading() as snapshot:
        assert snapshot.embedded(["hash of fog", "old", "older"], MODEL) == {
            "hash of fog",
            "older",
        }


def test_an_open_store_follows_a_file_that_is_replaced(filled: Store) -> None:
    """Connections to the former file are not used for the new one."""
    assert found(filled, "fog") == ["fog"]
    other = Store(filled.folder)
    other.delete()
    other.create()
    put(other, entry("c.py", ["harbour"]))
    assert found(filled, "fog") == []
    assert found(filled, "harbour") == ["harbour"]


def test_the_database_of_another_program_is_not_removed(tmp_path: Path) -> None:
    """Rebuilding is for what is ours, damaged or not."""
    base = sqlite3.connect(tmp_path / "index.db")
    base.execute("CREATE TABLE letters (text)")
    base.executemany("INSERT INTO letters VALUES (?)", [("x" * 1_000,)] * 100)
    base.commit()
    base.close()
    content = (tmp_path / "index.db").read_bytes()
    store = Store(tmp_path)
    with pytest.raises(CorruptIndexError, match="not an index"):
        store.exists()
    with pytest.raises(StoreError, match="by hand"):
        store.delete()
    assert (tmp_path / "index.db").read_bytes() == content


def test_a_folder_with_other_things_in_it_is_not_hidden_from_git(tmp_path: Path) -> None:
    """Only a folder of our own gets the .gitignore."""
    (tmp_path / "notes.txt").write_text("mine", "utf-8")
    Store(tmp_path).create()
    assert not (tmp_path / ".gitignore").exists()
    Store(tmp_path / "own").create()
    assert (tmp_path / "own" / ".gitignore").read_text("utf-8") == "*\n"


def test_the_lock_is_of_one_owner_and_ends_with_it(store: Store) -> None:
    """A second one is told the pid of the first; a lock left behind by a dead process is none."""
    with (
        store.locked(),
        pytest.raises(LockedError, match=str(os.getpid())),
        Store(store.folder).locked(),
    ):
        pytest.fail("two writers")
    dying = f"""
import os, pathlib
from chunkwright.store import Store, writing
Store(pathlib.Path({str(store.folder)!r})).locked().__enter__()
os._exit(0)
"""
    subprocess.run([sys.executable, "-c", dying], check=True)
    with store.locked():
        assert (store.folder / "lock").read_text("utf-8") == str(os.getpid())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork is of POSIX")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_child_process_has_connections_of_its_own(filled: Store) -> None:
    """After a fork both sides read on."""
    assert found(filled, "fog") == ["fog"]
    child = os.fork()
    if child == 0:
        os._exit(0 if found(filled, "tide") == ["tide"] else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert found(filled, "tide") == ["tide"]


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="everything is writable to root"
)
def test_an_index_on_a_disk_that_cannot_be_written_can_be_read(filled: Store) -> None:
    """Reading makes no files; writing names reading, or another place, as the remedy."""
    for path in filled.folder.iterdir():
        path.chmod(0o444)
    filled.folder.chmod(0o555)
    try:
        assert found(filled, "fog") == ["fog"]
        with pytest.raises(StoreError, match=r"--no-refresh.*--index-dir"), filled.locked():
            pytest.fail("locked")
    finally:
        filled.folder.chmod(0o755)


def test_a_place_that_must_not_be_written_names_the_index_it_has(
    filled: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there is an index to search, searching it as it is helps; else it does not."""
    refused = PermissionError(errno.EACCES, os.strerror(errno.EACCES), "lock")
    real = os.open

    def refusing(path: Path | str, *rest: int, **named: int) -> int:
        if str(path).endswith("lock"):
            raise refused
        return real(path, *rest, **named)

    monkeypatch.setattr(os, "open", refusing)
    with pytest.raises(StoreError, match="--no-refresh"), filled.locked():
        pytest.fail("locked")
    with pytest.raises(StoreError) as caught, Store(tmp_path / "none").locked():
        pytest.fail("locked")
    assert "--no-refresh" not in str(caught.value)
    assert "--index-dir" in str(caught.value)


def test_a_lock_is_had_while_others_remove_the_index(tmp_path: Path) -> None:
    """Whoever takes the folder away in between only has it made again, git's ignore file too."""
    folder = tmp_path / "index"
    is_done = threading.Event()

    def clean() -> None:
        while not is_done.is_set():
            with suppress(LockedError, FileNotFoundError, StoreError):
                Store(folder).remove()

    cleaner = threading.Thread(target=clean)
    cleaner.start()
    try:
        for _ in range(50):
            store = Store(folder)
            with store.locked():
                store.create()
                assert (folder / ".gitignore").exists()
            store.close()
    finally:
        is_done.set()
        cleaner.join()


def test_a_folder_that_goes_before_its_lock_is_there_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `clean` in another process takes it away between the two."""
    folder = tmp_path / "index"
    real = os.open
    removed: list[str] = []

    def racing(path: Path | str, *rest: int, **named: int) -> int:
        if str(path).endswith("lock") and len(removed) < 2:
            removed.append(str(path))
            shutil.rmtree(folder)
        return real(path, *rest, **named)

    monkeypatch.setattr(os, "open", racing)
    with Store(folder).locked():
        assert sorted(path.name for path in folder.iterdir()) == [".gitignore", "lock"]
    assert len(removed) == 2
