"""An index of documents that were cut before: it holds those chunks, and ranks them like any."""

from __future__ import annotations

from pathlib import Path

import chunkwright as cw
from chunkwright.embedding.hashing import HashingEmbedder
from chunkwright.index.prepared import PreparedIndex

LOG = "# Log\n\nFog at noon.\n\n# Crew\n\nThe cook is ill.\n"


def cut_in_lines(document: cw.Document) -> cw.Chunking:
    return cw.LineChunker(lines=1, overlap=0, min_lines=0).chunk(document)


def prepared(root: Path, *, words_only: bool = False) -> PreparedIndex:
    (root / "log.md").write_text(LOG, "utf-8")
    return PreparedIndex(root, cut_in_lines, None if words_only else HashingEmbedder(64))


def test_it_holds_the_chunks_it_was_given(tmp_path: Path) -> None:
    """Whatever the chunker of the language would have done."""
    with prepared(tmp_path) as index:
        report = index.refresh()

        assert (report.added, report.failed) == (("log.md",), ())
        assert index.chunks() == list(cut_in_lines(cw.Document(LOG, path="log.md")))
        assert index.verify() == ()


def test_it_is_asked_as_any_other(tmp_path: Path) -> None:
    """By words alone, and by words and meaning."""
    for words_only in (True, False):
        with prepared(tmp_path, words_only=words_only) as index:
            index.rebuild()
            assert index.search("who is ill", k=1)[0].chunk.text == "The cook is ill."


def test_it_reads_no_configuration_and_leaves_nothing_out(tmp_path: Path) -> None:
    """Which files there are was decided before; settings of the folder are text like any other."""
    (tmp_path / "chunkwright.toml").write_text('embedder = "nobody"\n', "utf-8")
    (tmp_path / ".gitignore").write_text("*.md\n", "utf-8")
    (tmp_path / ".env").write_text("FERRY=1\n", "utf-8")
    with prepared(tmp_path) as index:
        added = index.refresh().added

    assert added == (".env", ".gitignore", "chunkwright.toml", "log.md")
