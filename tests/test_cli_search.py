"""The options of `search`: what an answer is and how much of it is shown, as text and as JSON."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import Run


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with a module, its test, and a manual of several sections about one thing."""
    folder = tmp_path / "root"
    folder.mkdir()
    (folder / "chunkwright.toml").write_text('embedder = "hashing"\nexclude = ["*.toml"]\n')
    (folder / "ship.py").write_text("def anchor(rope):\n    return rope.lower()\n")
    (folder / "test_ship.py").write_text("def test_anchor():\n    assert anchor('a')\n")
    sections = "".join(f"## Anchor {at}\n\nThe anchor, kind {at}.\n\n" for at in range(1, 6))
    (folder / "manual.md").write_text(f"# Anchors\n\nThe anchor holds.\n\n{sections}")
    return folder


def test_tests_have_a_list_of_their_own(run: Run, root: Path) -> None:
    """Below a heading in text, named in JSON, ranks from 1 in both."""
    ran = run("search", "--tests", "apart", "anchor", root)
    before, after = ran.out.split("tests:\n")
    assert before.startswith("ship.py:1-2  anchor\n")
    assert "test_ship.py" not in before
    assert after == (
        "test_ship.py:1-2  test_anchor\n    def test_anchor():\n        assert anchor('a')\n"
    )
    found = run("search", "--tests", "apart", "--json", "anchor", root).objects
    assert [(one["list"], one["rank"]) for one in found if one["chunk"]["is_test"]] == [
        ("tests", 1)
    ]
    assert [one["rank"] for one in found if one["list"] == "hits"] == list(range(1, len(found)))


def test_tests_can_be_all_or_none(run: Run, root: Path) -> None:
    """An unknown way is wrong usage."""

    def paths(how: str) -> set[str]:
        found = run("search", "--tests", how, "--json", "anchor", root).objects
        return {answer["chunk"]["path"] for answer in found}

    assert paths("only") == {"test_ship.py"}
    assert "test_ship.py" in paths("mixed")
    assert paths("without") == {"ship.py", "manual.md"}
    ran = run("search", "--tests", "often", "anchor", root)
    assert (ran.code, ran.out) == (2, "")
    assert "one of mixed, apart, only, without" in ran.err


def test_one_answer_a_document(run: Run, root: Path) -> None:
    """With the other places in it that answer."""
    ran = run("search", "--group", "anchor kind", root)
    assert ran.out.count("manual.md:") == 1
    (cited,) = (line for line in ran.out.splitlines() if line.startswith("    also "))
    assert "Anchors > Anchor " in cited
    found = run("search", "--group", "--json", "anchor kind", root).objects
    assert sorted(answer["chunk"]["path"] for answer in found) == [
        "manual.md",
        "ship.py",
        "test_ship.py",
    ]
    (manual,) = (answer for answer in found if answer["chunk"]["path"] == "manual.md")
    assert {len(chunk["id"]) for chunk in manual["citations"]} == {32}


def test_answers_can_be_shown_whole_within_a_budget(run: Run, root: Path) -> None:
    """What is shortened says so; nothing is shown of what has no room."""
    whole = run("search", "--context-tokens", "1000", "anchor", root).out
    assert "The anchor holds.\n" in whole
    assert "(shortened)" not in whole
    short = run("search", "--context-tokens", "22", "anchor", root)
    assert short.out.startswith("ship.py:1-2  anchor  (signature only)\n    def anchor(rope):\n")
    assert "(no room to show it)" in short.out
    found = run("search", "--context-tokens", "22", "--json", "anchor", root).objects
    assert {answer["density"] for answer in found} >= {"none"}
    assert run("search", "--context-tokens", "0", "anchor", root).code == 2


def test_neighbours_are_shown_around_an_answer(run: Run, root: Path) -> None:
    """In the order of the file."""
    ran = run("search", "-k", "1", "--neighbours", "1", "--path", "*.md", "kind 3", root)
    assert ran.out.startswith("manual.md:13-15  Anchors > Anchor 3\n    ## Anchor 2\n")
    assert ran.out.endswith("    The anchor, kind 4.\n")
    assert run("search", "--neighbours", "-1", "anchor", root).code == 2


def test_a_threshold_leaves_out_what_answers_less(run: Run, root: Path) -> None:
    """Nothing at all may be left."""
    found = run("search", "--json", "anchor", root).objects
    second = str(found[1]["score"])
    assert len(run("search", "--json", "--threshold", second, "anchor", root).objects) == 2
    assert run("search", "--threshold", "1e9", "anchor", root).code == 1
    assert run("search", "--threshold", "nan", "anchor", root).code == 2


def test_explained_answers_end_with_a_table(run: Run, root: Path) -> None:
    """A row a signal, a column an answer; in JSON every signal is there."""
    ran = run("search", "-k", "2", "--explain", "anchor", root)
    rows = [line.split() for line in ran.out.splitlines()]
    table = {row[0]: row[1:] for row in rows[rows.index(["rank", "1", "2"]) :]}
    assert set(table) >= {"score", "words", "meaning", "bm25", "cosine", "without"}
    score = float(table["score"][0])
    names = set(table) - {"rank", "score", "bm25", "cosine", "without"}
    assert sum(float(table[name][0]) for name in names) == pytest.approx(score, abs=0.01)
    (best, _) = run("search", "-k", "2", "--explain", "--json", "anchor", root).objects
    assert best["reasons"]["saturation"] == 0.0
    assert best["raw"]["bm25"] > 0


def test_stale_answers_are_marked_or_asked_for_again(run: Run, root: Path) -> None:
    """Without a refresh first; with one there are none."""
    run("index", root)
    (root / "ship.py").write_text("def anchor(chain):\n    return chain.upper()\n")
    marked = run("search", "--no-refresh", "-k", "1", "anchor", root)
    assert marked.out.startswith("ship.py:1-2  anchor  (changed since it was indexed)\n")
    assert "warning: 1 file changed since the index was made" in marked.err
    ignored = run("search", "--no-refresh", "--stale", "ignore", "-k", "1", "anchor", root)
    assert ignored.out.startswith("ship.py:1-2  anchor\n    def anchor(rope)")
    fresh = run("search", "--no-refresh", "--stale", "refresh", "-k", "1", "anchor", root)
    assert fresh.out.startswith("ship.py:1-2  anchor\n    def anchor(chain)")
    (root / "ship.py").unlink()
    gone = run("search", "--no-refresh", "--json", "-k", "1", "anchor", root)
    assert [answer["stale"] for answer in gone.objects] == ["vanished"]
    assert run("search", "--stale", "never", "anchor", root).code == 2


def test_a_filter_that_nothing_fits_is_named(run: Run, root: Path) -> None:
    """With the kinds and languages there are, the nearest first; other words would not help."""
    ran = run("search", "--kind", "symbl", "anchor", root)
    assert ran.code == 1
    assert "nothing in the index fits --kind (there is symbol, section)" in ran.err
    assert "other words" not in ran.err
    ran = run("search", "--language", "nope", "--path", "*.nope", "anchor", root)
    assert "nothing in the index fits --language (there is markdown, python)" in ran.err
    assert "nothing in the index fits --path" in ran.err
    ran = run("search", "--language", "python", "--path", "*.md", "anchor", root)
    assert ran.err.endswith("; try other words\n")
