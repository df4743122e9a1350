"""Documents that are no files: put, got, found by every part of them, and kept apart from files."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import chunkwright as cw
from chunkwright.embedding.hashing import HashingEmbedder
from chunkwright.index.entry_chunks import WHOLE_SIZE

SUMMARY = "How the ferry is moored. Written in autumn."
TEXT = "---\nport: Ostia\n---\n# Mooring\n\nMind the 🌊 swell.\n\n" + "\n\n".join(
    f"## Step {number}\n\n" + f"Rope {number} goes over bollard {number}. " * 40
    for number in range(12)
)
ATTACHMENTS = {
    "charts/depth.md": "# Depths\n\nThe shoal lies at nine fathoms.\n",
    "winch.py": "def haul(rope):\n    return rope - 1\n",
    "radio": "Channel sixteen is kept open.",
}


class Counting(HashingEmbedder):
    """Remembers what it was given."""

    def __init__(self, dim: int = 64) -> None:
        super().__init__(dim)
        self.texts: list[str] = []
        self.calls = 0

    def embed(self, texts: Sequence[str], /) -> npt.NDArray[np.float32]:
        self.texts += texts
        self.calls += 1
        return super().embed(texts)


@pytest.fixture
def embedder() -> Counting:
    return Counting()


@pytest.fixture
def index(tmp_path: Path, embedder: Counting) -> Iterator[cw.Index]:
    """An index of a folder with one file, not refreshed yet."""
    (tmp_path / "quay.md").write_text("# Quay\n\nThe crane is yellow.\n", "utf-8")
    with cw.Index(tmp_path, embedder) as made:
        yield made


def put_ferry(index: cw.Index) -> cw.Entry:
    return index.put(
        "ferry/mooring",
        TEXT,
        {"author": "ana", "tags": ["rope", "port"]},
        summary=SUMMARY,
        attachments=ATTACHMENTS,
    )


def test_what_is_put_is_got_as_it_was(index: cw.Index) -> None:
    """Every part comes back, also after the index was opened anew."""
    entry = put_ferry(index)
    assert (entry.version, entry.change, entry.waiting) == (1, "added", "")
    index.close()
    again = index.get("ferry/mooring")
    assert again is not None
    assert (again.text, again.summary, again.attachments) == (TEXT, SUMMARY, ATTACHMENTS)
    assert again.metadata == {"author": "ana", "tags": ["rope", "port"]}
    assert (again.version, again.namespace, again.language) == (1, "entries", None)
    assert index.get("ferry") is None
    assert index.get("ferry/mooring", namespace="other") is None


def test_all_chunks_of_an_entry_are_under_its_id(index: cw.Index) -> None:
    """The whole, the summary, the text and the attachments: one path, one parent, ids of their own,
    each text verbatim."""
    entry = put_ferry(index)
    assert entry.id == "//entries/ferry/mooring"
    chunks = index.chunks(parent=entry.id)
    assert chunks == index.chunks(entry.id) == index.chunks()
    assert {chunk.path for chunk in chunks} == {entry.id}
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    assert [chunk.index for chunk in chunks] == list(range(len(chunks)))
    assert [chunk.text for chunk in chunks if chunk.is_summary] == [SUMMARY]
    for chunk in chunks:
        if not chunk.is_summary:
            source = ATTACHMENTS[chunk.attachment_path] if chunk.is_attachment else TEXT
            assert source[chunk.start : chunk.end] == chunk.text
    assert {chunk.attachment_path for chunk in chunks if chunk.is_attachment} == set(ATTACHMENTS)
    assert {chunk.name for chunk in chunks} >= {"Step 0", "Step 11", "Depths", "haul"}


def test_the_whole_has_a_view_of_its_own(index: cw.Index) -> None:
    """It begins after the front matter and is as long as an embedder reads."""
    chunks = index.chunks(parent=put_ferry(index).id)
    (whole,) = [chunk for chunk in chunks if chunk.kind == "file"]
    assert (whole.level, whole.index, whole.start) == (102, 0, TEXT.index("# Mooring"))
    assert WHOLE_SIZE - 100 < len(whole.text) <= WHOLE_SIZE < len(TEXT)
    assert cw.embed_text(whole).startswith("Entry: How the ferry is moored.\n\n# Mooring")


def test_the_view_of_the_whole_is_no_longer_than_the_embedder_reads(tmp_path: Path) -> None:
    """What it would not read is not given to it."""
    embedder = Counting()
    embedder.max_tokens = 100
    with cw.Index(tmp_path, embedder, {"size": 300}) as index:
        chunks = index.chunks(parent=index.put("note", TEXT).id)
    (whole,) = [chunk for chunk in chunks if chunk.kind == "file"]
    assert 300 < len(whole.text) <= 400


def test_a_short_entry_is_one_chunk(index: cw.Index, embedder: Counting) -> None:
    """The view of the whole is all there is, embedded once, and has the heading's name."""
    (chunk,) = index.chunks(parent=index.put("tea", "# Tea\n\nGreen, at noon.\n").id)
    assert (chunk.kind, chunk.name, chunk.breadcrumb) == ("file", "Tea", ("Tea",))
    assert embedder.texts == ["Breadcrumb: Tea\n\n# Tea\n\nGreen, at noon."]


def test_the_prefix_never_names_the_id(index: cw.Index, embedder: Counting) -> None:
    """A document that was put has a summary and no path."""
    put_ferry(index)
    index.put("notes.txt", "Fog at noon. " * 10, summary="Weather.")
    assert not any("//" in text or "ferry/mooring" in text for text in embedder.texts)
    (code,) = [text for text in embedder.texts if "def haul" in text]
    assert code.startswith("Entry: How the ferry is moored.\nlanguage: python. symbol: haul")


def test_an_entry_is_found_by_each_of_its_parts(index: cw.Index) -> None:
    """Summary, attachments of three kinds, body, key, and the vector of the whole."""
    index.refresh()
    entry = put_ferry(index)
    for query, part in {
        "autumn": "summary",
        "shoal fathoms": "section",
        "haul": "symbol",
        "channel sixteen": "segment",
        "bollard 7": "section",
        "swell": "section",
    }.items():
        hit = index.search(query)[0]
        assert (hit.chunk.path, query) == (entry.id, query)
        assert hit.chunk.kind in (part, "section_part", "file"), query
    assert index.search("mooring ferry")[0].chunk.path == entry.id
    (whole,) = index.search("rope goes over bollard", kind="file")
    assert whole.reasons["meaning"] > 0.3
    assert index.search("yellow crane")[0].chunk.path == "quay.md"


def test_an_attachment_stands_beside_the_text(index: cw.Index) -> None:
    """Both begin at 0: that is not the same place."""
    index.put("plan", "The tide turns.", attachments={"a.md": "The tide waits."})
    places = {hit.chunk.attachment_path for hit in index.search("tide")}
    assert places == {"", "a.md"}


def test_a_note_is_not_taken_for_code(index: cw.Index) -> None:
    """The view of a whole note is prose: what stands beside it is not penalised for that."""
    index.refresh()
    index.put("crane", "The crane was painted.")
    found = {hit.chunk.path: hit.reasons for hit in index.search("yellow crane")}
    assert set(found) == {"quay.md", "//entries/crane"}
    assert not any("prose" in reasons for reasons in found.values())


def test_filters_know_metadata_front_matter_and_namespace(index: cw.Index) -> None:
    """Metadata wins over front matter where both say something."""
    index.refresh()
    put_ferry(index)
    index.put("other", "---\nport: Ostia\nauthor: zoe\n---\nA rope.\n", {"author": "ben"})
    index.put("third", "A rope.", {"author": "ana"}, namespace="diary")

    def found(**filters: object) -> set[str]:
        return {hit.chunk.path for hit in index.search("rope crane", 50, **filters)}  # type: ignore[arg-type]  # as a caller would

    ferry, other, third = "//entries/ferry/mooring", "//entries/other", "//diary/third"
    assert found(where={"port": "Ostia"}) == {ferry, other}
    assert found(where={"author": "ana"}) == {ferry, third}
    assert found(where={"author": "zoe"}) == set()
    assert found(where={"tags": "port"}) == {ferry}
    assert found(namespace="entries") == {ferry, other}
    assert found(namespace="diary", where={"author": "ana"}) == {third}
    assert found(namespace="") == {"quay.md"}
    assert found(path="*") == {"quay.md"}


@pytest.mark.parametrize(
    "changed",
    [
        {"text": "Another."},
        {"summary": "Another."},
        {"attachments": {"a.md": "One.", "b.md": "Another."}},
        {"attachments": {"a.md": "One.", "c.md": "Two."}},
        {"attachments": {"a.md": "One."}},
        {"metadata": {"n": True}},
        {"metadata": {"n": 1, "m": None}},
        {"language": "text"},
    ],
)
def test_each_part_counts_in_the_state(
    index: cw.Index, embedder: Counting, changed: dict[str, object]
) -> None:
    """The same again does nothing; any difference is a new version."""
    before: dict[str, object] = {
        "text": "First.",
        "summary": "Sum.",
        "attachments": {"b.md": "Two.", "a.md": "One."},
        "metadata": {"n": 1},
    }
    index.put("key", **before)  # type: ignore[arg-type]  # as a caller would
    made, rows = embedder.calls, index.chunks()
    same = {**before, "attachments": {"a.md": "One.", "b.md": "Two."}}
    again = index.put("key", **same)  # type: ignore[arg-type]  # as a caller would
    assert (again.change, again.version) == ("unchanged", 1)
    assert (embedder.calls, index.chunks()) == (made, rows)
    after = index.put("key", **{**before, **changed})  # type: ignore[arg-type]  # as a caller would
    assert (after.change, after.version) == ("changed", 2)


def test_a_change_replaces_every_chunk(index: cw.Index) -> None:
    """Nothing of the former text, summary or attachments answers."""
    entry = put_ferry(index)
    index.put("ferry/mooring", "Nothing but sand.")
    assert [chunk.text for chunk in index.chunks(parent=entry.id)] == ["Nothing but sand."]
    assert index.search("shoal") == index.search("autumn") == []
    assert index.search("sand", where={"author": "ana"}) == []


def test_equal_texts_in_one_entry_are_chunks_of_their_own(index: cw.Index) -> None:
    """Body and two attachments of one text differ by their occurrence."""
    same = "# Same\n\nThe very same words.\n"
    entry = index.put("twins", same * 2, attachments={"a.md": same, "b.md": same, "c": ""})
    chunks = index.chunks(parent=entry.id)
    assert len({chunk.id for chunk in chunks}) == len(chunks) == 5
    copies = [chunk for chunk in chunks if chunk.kind == "section"]
    assert [chunk.occurrence for chunk in copies] == [0, 1, 2, 3]


def test_a_deleted_entry_is_gone(index: cw.Index) -> None:
    """With chunks, words, facts and vectors, but for what another has too; the second time there is
    nothing to delete."""
    index.put("other", "Same words.")
    put_ferry(index)
    index.put("twin", "Same words.")
    assert index.delete("twin")
    assert (len(index.chunks("//entries/other")), index.status().missing_vectors) == (1, 0)
    assert index.delete("other")
    assert index.delete("ferry/mooring")
    assert not index.delete("ferry/mooring")
    assert index.get("ferry/mooring") is None
    assert (index.chunks(), index.list(), index.search("bollard")) == ([], [], [])
    assert index.status().entries == 0
    with sqlite3.connect(index.folder / "index.db") as file:
        for table in ("files", "facts", "chunks", "words", "vectors"):
            assert file.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)  # noqa: S608  # names from the tuple above
    file.close()


def test_a_list_is_sorted_and_by_prefix(index: cw.Index) -> None:
    """Code points decide; every key that begins with the prefix is there."""
    keys = ["b", "a", "aé", "a/b", "a\U0010ffff", "á", "A", "/abs", "a%", "a_"]
    index.put_many(cw.Entry(key, key) for key in keys)
    index.put("a", "elsewhere", namespace="other")
    assert index.list() == sorted(keys)
    assert index.list("a") == sorted(key for key in keys if key.startswith("a"))
    assert index.list("a\U0010ffff") == ["a\U0010ffff"]
    assert index.list(namespace="other") == ["a"]
    assert index.list(namespace="none") == []


def test_a_guarded_write_needs_the_version_that_was_seen(index: cw.Index) -> None:
    """A newer one, one that is gone and one that is there already are told apart."""
    first = index.put("log", "one", version=0)
    index.put("log", "two", version=first.version)
    with pytest.raises(cw.VersionError, match="at version 2, but version 1 was given") as newer:
        index.put("log", "three", version=1)
    facts = newer.value
    assert (facts.namespace, facts.key, facts.stored, facts.given) == ("entries", "log", 2, 1)
    with pytest.raises(cw.VersionError, match="was to be a new one"):
        index.put("log", "three", version=0)
    with pytest.raises(cw.VersionError):
        index.delete("log", version=1)
    assert index.delete("log", version=2)
    with pytest.raises(cw.VersionError, match="not there") as gone:
        index.put("log", "three", version=2)
    assert (gone.value.stored, gone.value.given) == (0, 2)
    with pytest.raises(cw.VersionError):
        index.delete("log", version=2)


def test_a_version_is_never_given_twice(index: cw.Index) -> None:
    """A document in the place of a deleted one is not taken for it, also after a rebuild."""
    index.put("log", "one")
    index.put("log", "two")
    index.delete("log")
    index.rebuild()
    assert index.put("log", "other").version == 3
    assert index.put("new", "other").version == 1
    assert (index.list(), index.status().entries) == (["log", "new"], 2)
    with pytest.raises(cw.VersionError):
        index.put("log", "late", version=2)


def test_many_are_put_together_or_not_at_all(index: cw.Index, embedder: Counting) -> None:
    """One call of the embedder for a batch of them; one wrong version, and none is stored."""
    entries = [cw.Entry(f"n{number}", f"Note {number} of many.") for number in range(100)]
    stored = index.put_many(entries)
    assert [entry.version for entry in stored] == [1] * 100
    assert (len(embedder.texts), embedder.calls) == (100, 4)
    with pytest.raises(cw.VersionError):
        index.put_many([cw.Entry("new", "x"), cw.Entry("n0", "y", version=7)])
    assert "new" not in index.list()
    altered = index.get("n5")
    assert altered is not None
    again = [altered, cw.Entry("n5", "once more"), cw.Entry("n5", "at last")]
    assert [entry.change for entry in index.put_many(again)] == ["unchanged", "changed", "changed"]
    assert index.search("last")[0].chunk.path == "//entries/n5"
    assert (index.search("more"), index.put_many([])) == ([], ())


def test_files_and_entries_leave_each_other_alone(index: cw.Index, tmp_path: Path) -> None:
    """Refreshes and removals, of everything or of a path, do not touch what was put."""
    put_ferry(index)
    entry_chunks = index.chunks()
    assert index.refresh().added == ("quay.md",)
    status = index.status()
    assert (status.files, status.entries) == (1, 1)
    assert status.chunks == len(entry_chunks) + 1
    assert index.refresh().removed == ()
    assert index.refresh(["."]).removed == ()
    assert index.remove(["."]) == ("quay.md",)
    assert index.chunks() == entry_chunks
    (tmp_path / "quay.md").unlink()
    index.refresh()
    assert index.list() == ["ferry/mooring"]
    assert index.search("shoal")[0].chunk.parent == "//entries/ferry/mooring"


def test_other_options_chunk_entries_anew(index: cw.Index, tmp_path: Path) -> None:
    """A refresh with another size does it, and a rebuild keeps every entry."""
    entry = put_ferry(index)
    before = index.chunks()
    index.close()
    with cw.Index(tmp_path, Counting(), {"size": 200}) as other:
        with pytest.raises(cw.StaleIndexError):
            other.heal()
        assert "chunk options" in other.put("late", "A late note.").waiting
        other.refresh()
        assert len(other.chunks(parent=entry.id)) > len(before)
        assert other.search("late")[0].chunk.path == "//entries/late"
        assert other.heal() == cw.HealReport()
        other.rebuild()
        assert other.get("ferry/mooring") == cw.Entry(
            "ferry/mooring",
            TEXT,
            summary=SUMMARY,
            attachments=ATTACHMENTS,
            metadata={"author": "ana", "tags": ["rope", "port"]},
            version=1,
        )
        assert other.search("shoal")[0].chunk.path == entry.id
        assert other.heal() == cw.HealReport()


def test_another_embedder_is_refused_before_anything_is_stored(
    index: cw.Index, tmp_path: Path
) -> None:
    """As in a refresh; a rebuild with it keeps what was put."""
    index.put("tea", "Green tea.")
    with cw.Index(tmp_path, HashingEmbedder(8)) as other:
        with pytest.raises(cw.StaleIndexError):
            other.put("coffee", "Black coffee.")
        assert other.list() == ["tea"]
        other.rebuild()
        assert other.search("green")[0].chunk.path == "//entries/tea"


def test_nothing_is_made_on_disk_by_asking(tmp_path: Path) -> None:
    """An index that was never made holds nothing, and says so."""
    with cw.Index(tmp_path, HashingEmbedder()) as index:
        assert (index.get("a"), index.list(), index.delete("a")) == (None, [], False)
        assert index.heal() == cw.HealReport()
        assert not index.folder.exists()


def test_words_alone_need_no_embedder(tmp_path: Path) -> None:
    """Without an embedder nothing waits for one."""
    with cw.Index(tmp_path, embedder=False) as index:
        assert index.put("tea", "Green tea.", defer=True).waiting == ""
        assert index.search("green")[0].chunk.path == "//entries/tea"
        assert index.heal() == cw.HealReport()


@pytest.mark.parametrize(
    ("key", "language", "found", "kind"),
    [
        ("plain", None, "markdown", "file"),
        ("at 5.30", None, "markdown", "file"),
        ("tool.py", None, "python", "file"),
        ("plain", "go", "go", "file"),
        ("a.txt", None, "text", "file"),
        ("readme", None, "markdown", "file"),
        ("nb.ipynb", "markdown", "markdown", "file"),
    ],
)
def test_the_language_is_given_or_told_by_the_key(
    index: cw.Index, key: str, language: str | None, found: str, kind: str
) -> None:
    """Markdown where neither says anything."""
    (chunk,) = index.chunks(parent=index.put(key, "x = 1\n", language=language).id)
    assert (chunk.language, chunk.kind) == (found, kind)


@pytest.mark.parametrize("text", ["", " \n\t", "---\na: 1\n---\n", "\r\n\r"])
def test_an_entry_without_text_is_kept_and_found_by_the_rest(index: cw.Index, text: str) -> None:
    """There may be no chunk at all, and nothing to heal."""
    index.put("blank", text)
    assert index.chunks() == []
    assert index.heal() == cw.HealReport()
    entry = index.put("blank", text, summary="Only a summary.")
    assert index.search("summary")[0].chunk.parent == entry.id


def test_the_rest_of_the_index_looks_into_entries(index: cw.Index) -> None:
    """Outline and related chunks, by the id."""
    entry = put_ferry(index)
    titles = [item.title for item in index.outline(entry.id)]
    assert titles[:2] == ["Mooring", "Step 0"]
    related = index.find_related(entry.id, 8, k=3)
    assert {hit.chunk.path for hit in related} == {entry.id}
    with pytest.raises(cw.PathError):
        index.outline("//entries/none")


def test_damage_to_a_stored_text_is_told(index: cw.Index) -> None:
    """What the disk changed is not given back as what was put; to put it again mends it."""
    index.put("tea", "Green tea.")
    index.close()
    with sqlite3.connect(index.folder / "index.db") as file:
        (body,) = file.execute("SELECT body FROM entries").fetchone()
        file.execute("UPDATE entries SET body = ?", (body.replace(b"Green", b"Black"),))
    file.close()
    with pytest.raises(cw.CorruptIndexError, match="put it again, or delete it"):
        index.get("tea")
    with index._store.writing() as writer:
        writer.remove_files(["//entries/tea"])
    index.put("coffee", "Black coffee.", defer=True)
    report = index.heal()
    assert (report.healed, report.remaining) == (("//entries/coffee",), 1)
    assert report.failed[0][0] == "//entries/tea"
    assert index.put("tea", "Green tea.").change == "changed"
    entry = index.get("tea")
    assert entry is not None
    assert entry.text == "Green tea."
