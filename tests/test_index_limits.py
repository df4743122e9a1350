"""Texts that an embedder does not read to the end: embedded once where its limit is the reason,
each time where it failed; and documents that were put take vectors from where files do.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

import chunkwright as cw
from chunkwright.embedding.hashing import HashingEmbedder

LONG = " ".join(f"fog{number}" for number in range(300))


class Reader(HashingEmbedder):
    """Reads so many tokens, refuses what is longer than it says, knows what it was given."""

    def __init__(self, max_tokens: int = 2**31 - 1, longest: int = 10**9) -> None:
        super().__init__(dim=32)
        self.max_tokens = max_tokens
        self.longest = longest
        self.lengths: list[int] = []

    def embed(self, texts: Sequence[str], /) -> npt.NDArray[np.float32]:
        if any(len(text) > self.longest for text in texts):
            raise ValueError("too long")
        self.lengths += map(len, texts)
        return super().embed(texts)


def open_index(root: Path, embedder: Reader, **config: object) -> cw.Index:
    return cw.Index(root, embedder, {"size": 3_000, **config})


def test_a_text_over_the_limit_is_embedded_once(tmp_path: Path) -> None:
    """It is reported when it is embedded, counted afterwards, and never paid for again."""
    (tmp_path / "log.md").write_text(f"# Log\n\n{LONG}\n", "utf-8")
    embedder = Reader(max_tokens=50)
    with open_index(tmp_path, embedder) as index:
        report = index.refresh()
        ((path, reason, _),) = report.failed
        assert (path, "over the 50 tokens" in reason, embedder.lengths) == ("log.md", True, [99])
        status = index.status()
        assert (status.vectors, status.missing_vectors, status.cut_vectors) == (0, 0, 1)
        (tmp_path / "other.md").write_text("# Tide\n\nlow\n", "utf-8")
        assert index.refresh().embedded == 1
        assert (index.refresh().embedded, index.refresh().failed) == (0, ())
        assert len(embedder.lengths) == 2


def test_a_limit_that_was_raised_is_used(tmp_path: Path) -> None:
    """What was cut is embedded anew, as far as the embedder reads now."""
    (tmp_path / "log.md").write_text(f"# Log\n\n{LONG}\n", "utf-8")
    with open_index(tmp_path, Reader(max_tokens=50)) as index:
        index.refresh()
    embedder = Reader()
    with open_index(tmp_path, embedder) as index:
        report = index.refresh()
        assert (report.embedded, report.failed, len(embedder.lengths)) == (1, (), 1)
        assert (index.status().vectors, index.status().cut_vectors) == (1, 0)


def test_a_text_that_was_shortened_by_a_failure_is_tried_again(tmp_path: Path) -> None:
    """Each time, and whole as soon as that works; also where the limit had cut it before."""
    (tmp_path / "log.md").write_text(f"# Log\n\n{LONG}\n", "utf-8")
    embedder = Reader(max_tokens=900, longest=1_000)
    with open_index(tmp_path, embedder) as index:
        assert "too long" in index.refresh().failed[0][1]
        assert (index.status().missing_vectors, index.status().cut_vectors) == (1, 0)
        assert index.refresh().embedded == 1
        embedder.longest = 10**9
        assert index.refresh().embedded == 1
        assert (index.status().missing_vectors, index.status().cut_vectors) == (0, 1)
        assert index.refresh().embedded == 0


def test_a_document_over_the_limit_is_embedded_once(tmp_path: Path) -> None:
    """The put says that not all of it was read; no heal tries again."""
    embedder = Reader(max_tokens=50)
    with open_index(tmp_path, embedder) as index:
        assert "over the 50 tokens" in index.put("log", LONG).waiting
        asked = len(embedder.lengths)
        healed = index.heal()
        assert (healed.embedded, healed.remaining, len(embedder.lengths)) == (0, 0, asked)
        assert index.status().missing_vectors == 0
        assert index.status().cut_vectors == index.status().chunks


def test_a_document_takes_the_vectors_that_another_index_has_made(tmp_path: Path) -> None:
    """Put into two indexes that share a cache, it is embedded once."""
    embedder = Reader()
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        with open_index(tmp_path / name, embedder, vector_cache=str(tmp_path / "cache")) as index:
            assert index.put("tide", "The tide is low.").waiting == ""
            assert index.status().missing_vectors == 0
    assert embedder.lengths == [len("The tide is low.")]
