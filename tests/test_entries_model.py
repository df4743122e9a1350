"""Documents that were put against a dict: whatever the order of calls, an index holds what the dict
holds; and processes that put at once lose nothing.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

import chunkwright as cw
from chunkwright.embedding.hashing import HashingEmbedder

KEYS = st.sampled_from(["a", "ab", "b.py", "c/d", "é"])
NAMESPACES = st.sampled_from(["entries", "diary"])
WORDS = st.sampled_from(["fog", "tide", "shoal", "quay", "buoy"])
TEXTS = st.tuples(
    st.sampled_from(["", "# Head\n\n", "---\na: 1\n---\n"]), st.lists(WORDS, max_size=3)
)
PROCESSES = 3
PUTS = 40


class Memory(RuleBasedStateMachine):
    """An index beside a dict of (namespace, key) -> (version, text, summary, metadata)."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.size = 1500
        self.index = self.opened()
        self.model: dict[tuple[str, str], tuple[int, str, str, dict[str, Any]]] = {}
        self.last: dict[tuple[str, str], int] = {}
        """The highest version that each ever had."""

    def opened(self) -> cw.Index:
        return cw.Index(self.folder.name, HashingEmbedder(8), {"size": self.size})

    @rule(
        namespace=NAMESPACES,
        key=KEYS,
        parts=TEXTS,
        summary=st.sampled_from(["", "Of weather. More."]),
        metadata=st.dictionaries(WORDS, st.integers(0, 2), max_size=1),
        guard=st.sampled_from([None, None, 0, 1, 2]),
        defer=st.booleans(),
    )
    def put(
        self,
        namespace: str,
        key: str,
        parts: tuple[str, list[str]],
        summary: str,
        metadata: dict[str, int],
        guard: int | None,
        defer: bool,
    ) -> None:
        place, text = (namespace, key), parts[0] + " ".join(parts[1])
        before = self.model.get(place)
        given: dict[str, Any] = {"summary": summary, "namespace": namespace, "version": guard}
        stored = before[0] if before else 0
        if guard not in (None, stored):
            with pytest.raises(cw.VersionError) as refused:
                self.index.put(key, text, metadata, **given)
            assert (refused.value.stored, refused.value.given) == (stored, guard)
            return
        entry = self.index.put(key, text, metadata, defer=defer, **given)
        assert entry.version is not None
        if before and before[1:] == (text, summary, metadata):
            assert (entry.change, entry.version) == ("unchanged", stored)
        elif before:
            assert (entry.change, entry.version) == ("changed", stored + 1)
        else:
            last = self.last.get(place, 0)
            assert (entry.change, entry.version) == ("added", last + 1)
        self.last[place] = entry.version
        self.model[place] = (entry.version, text, summary, metadata)

    @rule(namespace=NAMESPACES, key=KEYS)
    def delete(self, namespace: str, key: str) -> None:
        was_there = self.model.pop((namespace, key), None) is not None
        assert self.index.delete(key, namespace=namespace) == was_there

    @rule(limit=st.sampled_from([0, 1, None]))
    def heal(self, limit: int | None) -> None:
        report = self.index.heal(limit)
        assert (report.failed, report.removed) == ((), ())
        assert limit is not None or report.remaining == 0

    @rule()
    def refresh(self) -> None:
        report = self.index.refresh()
        assert (report.added, report.removed, report.failed) == ((), (), ())
        assert self.index.heal(0).remaining == 0

    @rule()
    def rebuild(self) -> None:
        self.index.rebuild()
        assert self.index.heal(0).remaining == 0

    @rule()
    def reopen(self) -> None:
        self.index.close()
        self.index = self.opened()

    @precondition(lambda self: self.model)
    @rule(size=st.sampled_from([10, 1500]))
    def refresh_with_other_options(self, size: int) -> None:
        self.size = size
        self.reopen()
        self.refresh()

    @invariant()
    def holds_what_the_dict_holds(self) -> None:
        for namespace in ("entries", "diary"):
            keys = sorted(key for place, key in self.model if place == namespace)
            assert self.index.list(namespace=namespace) == keys
            for key in keys:
                entry = self.index.get(key, namespace=namespace)
                assert entry is not None
                found = (entry.version, entry.text, entry.summary, entry.metadata)
                assert found == self.model[namespace, key]
        for key in ("a", "é"):
            assert self.index.list(key) == [
                name
                for place, name in sorted(self.model)
                if place == "entries" and name.startswith(key)
            ]

    @precondition(lambda self: self.model)
    @invariant()
    def is_found_by_each_of_its_words(self) -> None:
        for word in ("fog", "quay", "weather"):
            expected = {
                f"//{namespace}/{key}"
                for (namespace, key), (_, text, summary, _) in self.model.items()
                if word in f"{text} {summary}"
            }
            hits = self.index.search(word, k=100)
            assert {hit.chunk.parent for hit in hits if hit.reasons.get("words")} == expected

    def teardown(self) -> None:
        self.index.close()
        self.folder.cleanup()


TestMemory = Memory.TestCase
TestMemory.settings = settings(max_examples=25, stateful_step_count=15, deadline=None)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63) + 1, 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=80, deadline=None)
@given(
    text=st.text(max_size=200),
    summary=st.text(max_size=20),
    attachments=st.dictionaries(
        st.sampled_from(["a.md", "b.py", "c.json", "d"]), st.text(max_size=100)
    ),
    metadata=st.dictionaries(
        st.sampled_from(["header", "doc_kind", "x.y"]) | st.text(), JSON, max_size=3
    ),
    language=st.sampled_from([None, "text", "python", "json", "notebook"]),
)
def test_any_content_is_kept_and_cut(
    text: str,
    summary: str,
    attachments: dict[str, str],
    metadata: dict[str, Any],
    language: str | None,
) -> None:
    """It comes back as it was; every chunk is a slice with an id of its own; the same again is no
    change, and nothing is left to heal."""
    given_: dict[str, Any] = {
        "summary": summary,
        "attachments": attachments,
        "metadata": metadata,
        "language": language,
    }
    with tempfile.TemporaryDirectory() as folder, cw.Index(folder, HashingEmbedder(8)) as index:
        entry = index.put("key", text, **given_)
        assert entry.waiting == ""
        assert index.get("key") == cw.Entry("key", text, version=1, **given_)
        chunks = index.chunks(parent=entry.id)
        assert len({chunk.id for chunk in chunks}) == len(chunks)
        for chunk in chunks:
            source = attachments.get(chunk.attachment_path, text)
            assert (
                chunk.is_summary
                or chunk.language == "notebook"
                or source[chunk.start : chunk.end] == chunk.text
            )
        assert index.put("key", text, **given_).change == "unchanged"
        assert index.heal() == cw.HealReport()


def test_threads_that_put_at_once_lose_nothing(tmp_path: Path) -> None:
    """One index, many threads, each with documents of its own and one that all change."""
    with cw.Index(tmp_path, HashingEmbedder(8)) as index:

        def work(name: int) -> None:
            for number in range(10):
                index.put(f"{name}-{number}", f"Note {number} of thread {name}.")
                index.put("common", f"{name} {number}")

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(work, range(8)))
        common = index.get("common")
        assert common is not None
        assert common.version == 80
        assert len(index.list()) == 81
        index.heal()
        status = index.status()
        assert (status.chunks, status.missing_vectors) == (81, 0)


PROGRAM = """
import sys
import chunkwright as cw
from chunkwright.embedding.hashing import HashingEmbedder

root, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
with cw.Index(root, HashingEmbedder(8)) as index:
    for number in range(count):
        index.put(f"{name}-{number}", f"Note {number} of process {name}.")
        while True:
            seen = index.get("counter")
            value = int(seen.text) + 1 if seen else 1
            try:
                index.put("counter", str(value), version=seen.version if seen else 0)
                break
            except cw.VersionError:
                pass
"""


def test_processes_that_put_at_once_lose_nothing(tmp_path: Path) -> None:
    """Each document is there and found; a guarded counter counts every one; all are complete."""
    running = [
        subprocess.Popen([sys.executable, "-c", PROGRAM, str(tmp_path), name, str(PUTS)])
        for name in "xyz"[:PROCESSES]
    ]
    with cw.Index(tmp_path, HashingEmbedder(8)) as index:
        while any(process.poll() is None for process in running):
            index.refresh()  # another writer, holding the lock again and again
        assert [process.returncode for process in running] == [0] * PROCESSES
        expected = {f"{name}-{number}" for name in "xyz"[:PROCESSES] for number in range(PUTS)}
        assert set(index.list()) == {*expected, "counter"}
        counter = index.get("counter")
        assert counter is not None
        assert (counter.text, counter.version) == (str(PROCESSES * PUTS), PROCESSES * PUTS)
        index.heal()
        status = index.status()
        assert (status.chunks, status.missing_vectors) == (PROCESSES * PUTS + 1, 0)
