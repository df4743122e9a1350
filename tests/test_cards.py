"""Files as a whole: what is embedded for them, when, and what it is good for."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

import chunkwright as cw
from chunkwright.embedding.hashing import HashingEmbedder
from chunkwright.index import refreshing
from chunkwright.index.cards import MOST_WORDS, card_of

HARBOUR = "def moor(ship):\n    return ship\n\n\ndef cast_off(ship):\n    return None\n"
TURNED = "def cast_off(ship):\n    return None\n\n\ndef moor(ship):\n    return ship\n"


def cards(index: cw.Index) -> list[str]:
    with sqlite3.connect(index.folder / "index.db") as connection:
        found = connection.execute("SELECT text FROM cards ORDER BY text").fetchall()
    connection.close()
    return [text for (text,) in found]


def test_a_card_has_the_words_of_path_and_names(tmp_path: Path) -> None:
    """Parts of identifiers, in the order of the alphabet."""
    (tmp_path / "harbour_log.py").write_text(HARBOUR, encoding="utf-8")
    with cw.Index(tmp_path) as index:
        index.refresh()
        assert cards(index) == ["cast harbour log moor off py"]


def test_what_moves_within_its_file_changes_no_card() -> None:
    """The same names in another order are the same card."""
    one, other = (cw.chunk(text, "harbour.py").chunks for text in (HARBOUR, TURNED))
    assert card_of("harbour.py", one) == card_of("harbour.py", other)


def test_a_card_is_bounded() -> None:
    """A file of ten thousand names has no card of ten thousand words."""
    source = "".join(f"def f{n}():\n    pass\n\n" for n in range(10_000))
    card = card_of("many.py", cw.chunk(source, "many.py").chunks)
    assert len(card.text.split()) == MOST_WORDS


def test_files_have_vectors_for_the_static_embedder_only(tmp_path: Path) -> None:
    """An embedder of the caller's is asked for chunks and for nothing else."""
    (tmp_path / "harbour.py").write_text(HARBOUR, encoding="utf-8")
    with cw.Index(tmp_path, HashingEmbedder()) as index:
        assert index.refresh().embedded == len(index.chunks())
        assert cards(index) == []
        assert "file_meaning" not in index.search("ship")[0].reasons


def test_what_the_whole_file_is_about_counts_for_each_of_its_chunks(tmp_path: Path) -> None:
    """Of two equal functions the one is better whose file is about the question."""
    body = "def start(options):\n    return run(options)\n"
    sails = "\n\n" + "\n\n".join(f"def {name}():\n    pass\n" for name in ("hoist", "furl", "reef"))
    cakes = "\n\n" + "\n\n".join(f"def {name}():\n    pass\n" for name in ("bake", "knead", "rise"))
    (tmp_path / "one.py").write_text(body + cakes, encoding="utf-8")
    (tmp_path / "two.py").write_text(body + sails, encoding="utf-8")
    with cw.Index(tmp_path, config={"granularity": "symbol"}) as index:
        index.refresh()
        hits = [hit for hit in index.search("start sailing") if hit.chunk.name == "start"]
    assert [hit.chunk.path for hit in hits] == ["two.py", "one.py"]
    assert hits[0].reasons["file_meaning"] > hits[1].reasons.get("file_meaning", 0.0)


def test_a_card_follows_its_file(tmp_path: Path) -> None:
    """A new name changes the card, a removed file takes it away, and status does not count it."""
    file = tmp_path / "harbour.py"
    file.write_text(HARBOUR, encoding="utf-8")
    with cw.Index(tmp_path) as index:
        index.refresh()
        file.write_text(HARBOUR + "\n\ndef sail():\n    pass\n", encoding="utf-8")
        index.refresh()
        assert cards(index) == ["cast harbour moor off py sail"]
        status = index.status()
        assert (status.vectors, status.missing_vectors) == (status.chunks, 0)
        file.unlink()
        index.refresh()
        assert cards(index) == []
        assert not index.verify()


def test_a_run_that_ends_before_its_cards_are_embedded_is_completed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next refresh finds nothing changed, and embeds them all the same."""
    (tmp_path / "harbour.py").write_text(HARBOUR, encoding="utf-8")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with cw.Index(tmp_path) as index:
        with monkeypatch.context() as patched:
            patched.setattr(refreshing, "embed_cards", interrupted)
            with pytest.raises(KeyboardInterrupt):
                index.refresh()
        assert index.refresh().changed == ()
        assert index.search("harbour")[0].reasons["file_meaning"] > 0
