"""The frontiers of the benchmarks: what a budget buys, how contestants are compared at an equal
mean size, and how the page says who is better.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmark_rooms import CIRCUMSTANCES, load
from chunkwright.evaluation import Question, Reference

frontiers, scoring, vectors = map(load, ("frontiers", "scoring", "vectors"))
curves, page, plots = map(load, ("page.curves", "page", "page.plots"))
code_questions = load("code_questions")
runner = load("__main__")

CHUNKS = [Reference("a", 0, 10), Reference("a", 10, 20), Reference("b", 0, 10)]
ASKED = [Question("what?", (Reference("a", 5, 15),)), Question("who?", (Reference("b", 8, 12),))]


def cuts(*tokens: int) -> Any:
    """Three chunks of so many tokens."""
    return frontiers.Cuts(CHUNKS, ["x"] * 3, np.array(tokens))


def test_chunks_are_taken_whole_until_one_does_not_fit() -> None:
    """What comes after it is not taken, though it would fit."""
    order = [0, 1, 2]
    fitting = frontiers.point(cuts(500, 500, 1), ASKED[:1], [order])
    assert fitting["recall_at_budget"] == [1.0]
    assert frontiers.point(cuts(500, 501, 1), ASKED[1:], [order])["recall_at_budget"] == [0.0]
    assert frontiers.point(cuts(500, 500, 0), ASKED[1:], [order])["recall_at_budget"] == [0.5]
    assert frontiers.point(cuts(1001, 1, 1), ASKED[:1], [order])["recall_at_budget"] == [0.0]
    assert fitting["recall_at_5"] == [1.0]
    assert fitting["mean_tokens"] == pytest.approx(1001 / 3)


def test_the_best_precision_asks_nobody_who_ranks() -> None:
    """Both chunks around the first answer; of the second, what is in no chunk is paid for too."""
    scores = frontiers.point(cuts(1, 1, 1), ASKED, [[], []])
    assert scores["precision_omega"] == [0.5, round(2 / 12, 4)]
    assert scores["recall_at_budget"] == [0.0, 0.0]


def test_measures_sum_over_documents() -> None:
    """An answer in two documents; what is found in a third costs precision."""
    wanted = scoring.by_path([Reference("a", 0, 4), Reference("b", 0, 4)])
    found = [Reference("a", 0, 8), Reference("c", 0, 2)]
    assert scoring.recall(found, wanted) == 0.5
    assert scoring.precision(found, wanted) == 0.4
    assert scoring.iou(found, wanted) == pytest.approx(4 / 14)


def test_rankings_are_fused_by_rank() -> None:
    """A chunk that both have is ahead of one that a single ranking puts first."""
    assert frontiers.fused([0, 1, 2], [3, 1]) == [1, 0, 3, 2]


def test_words_are_found_in_parts_of_names() -> None:
    """In camel case and with underscores; a chunk without any of them is no answer."""
    pytest.importorskip("bm25s")
    texts = ["def readFile(): pass", "def write_file(): pass", "def other(): pass"]
    (order, nothing) = frontiers.by_words(texts, ["how to read", "zebra"])
    assert list(order) == [0]
    assert list(nothing) == []


def test_vectors_are_kept_in_a_file_of_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second run finds them there and asks the model for new texts only."""
    first = vectors.Embedding("static", tmp_path)
    found = first.embed(["one text", "another", "one text"])
    assert (found[0] == found[2]).all()
    asked: list[str] = []

    class Noted(type(vectors.resolve("static"))):  # type: ignore[misc]  # whatever it is
        def embed(self, texts: Sequence[str], /) -> Any:
            asked.extend(texts)
            return super().embed(texts)

    monkeypatch.setattr(vectors, "resolve", lambda _: Noted())
    second = vectors.Embedding("static", tmp_path)
    assert (second.embed(["another", "new"])[0] == found[1]).all()
    assert asked == ["new"]
    assert [file.name for file in tmp_path.glob("*.db")] == [f"{first.name}.db"]


def line(chunker: str, size: float, scores: list[float], **more: Any) -> dict[str, Any]:
    """A point of a frontier, the same for both measures."""
    own: dict[str, Any] = {
        "chunker": chunker,
        "distribution": "p",
        "ranking": "cosine",
        "embedded": "text",
    }
    own |= {"what": "frontier of text", "mean_tokens": size, "corpus": "C", "model": "m"}
    own |= {"recall_at_budget": scores, "precision_omega": scores, "recall_at_5": scores}
    return CIRCUMSTANCES | own | more


def test_a_curve_is_read_between_two_sizes() -> None:
    """Question by question, by the logarithm of the size; nothing is said outside."""
    (curve,) = curves.curves([line("one", 200, [0.0, 1.0]), line("one", 50, [1.0, 1.0])])
    assert curve.at(100, "recall_at_5").tolist() == [0.5, 1.0]
    assert curve.at(50, "recall_at_5").tolist() == [1.0, 1.0]
    assert curve.at(49, "recall_at_5") is None
    assert curve.at(201, "recall_at_5") is None
    assert curve.means("recall_at_5") == [(50, 1.0), (200, 0.5)]


def test_the_page_says_where_a_peer_wins() -> None:
    """With the difference and its interval; a curve of one point has nothing between."""
    name, ours = "chunkwright MarkdownChunker", {"distribution": "chunkwright"}
    lines = [line(name, size, [0.5] * 30 + [0.4], **ours) for size in (40, 120)]
    lines += [line("peer", size, [0.6] * 31) for size in (40, 90)]
    lines += [line("worse", size, [0.1] * 31) for size in (80, 200)]
    shown = page.page(lines)
    assert "| chunker | 50 | 75 | 100 |" in shown
    assert "| **chunkwright MarkdownChunker** | 49.7 (48.1–50.0) |" in shown
    assert "| peer | 60.0 (53.3–64.5) ▲ | 60.0 (53.3–64.5) ▲ |  |" in shown
    assert "| worse |  |  | 10.0 (8.9–20.1) ▼ |" in shown
    assert (
        "Peers better than chunkwright MarkdownChunker by more than chance: "
        "peer at 50 (+10.3, +10.0 to +11.9); peer at 75 (+10.3, +10.0 to +11.9)."
    ) in shown
    without = page.page([one for one in lines if one["chunker"] != "peer"])
    assert "No peer is better than chunkwright MarkdownChunker" in without


def test_each_measure_has_a_plot_beside_the_page() -> None:
    """The best precision once, whoever ranks; own search beside the others that ask words too."""
    of_code = {"what": "frontier of code"}
    lines = [line("one", size, [0.5]) for size in (50, 100)]
    lines += [line("one", size, [0.5], ranking=kind, **of_code) for kind, size in RANKED]
    drawn = plots.drawn(lines)
    assert list(drawn) == [
        "text-recall-of-1-000-tokens-c-m-cosine.svg",
        "text-best-precision-that-the-cuts-allow-c.svg",
        "code-recall-of-1-000-tokens-c-m-cosine-and-words.svg",
        "code-best-precision-that-the-cuts-allow-c.svg",
    ]
    assert all(svg.startswith("<svg") and svg.endswith("</svg>\n") for svg in drawn.values())
    assert "one, own search" in drawn["code-recall-of-1-000-tokens-c-m-cosine-and-words.svg"]
    shown = page.page(lines)
    assert all(f"](benchmarks/{name})" in shown for name in drawn)


RANKED = [("cosine and words", 50), ("cosine and words", 99), ("index", 50), ("index", 99)]


def made(*arguments: str) -> list[dict[str, Any]]:
    """The runner's lines, checked by it."""
    return list(runner.lines(runner.parsed(arguments), arguments))


TEXTS = {
    "one": "# Ships\n\nA ship sails over the sea.\n\nIt has two masts.\n" * 3,
    "two": "# Bread\n\nBread is baked of flour.\n\nIt rises with yeast.\n" * 3,
}


def test_a_frontier_of_text_is_measured(tmp_path: Path) -> None:
    """Every chunker at a size, over all texts at once, with a score for each question."""
    pytest.importorskip("quicktok")
    pytest.importorskip("bm25s")
    (tmp_path / "corpora").mkdir()
    for name, text in TEXTS.items():
        (tmp_path / "corpora" / f"{name}.md").write_text(text, encoding="utf-8", newline="")
    references = '[{""start_index"": 9, ""end_index"": 36}]'
    rows = f'question,references,corpus_id\nwhat sails?,"{references}",one\n'
    (tmp_path / "questions_df.csv").write_text(rows, encoding="utf-8")
    lines = made("frontier_text", str(tmp_path), "--models", "static", "--sizes", "12")
    ours = [one for one in lines if one["distribution"] == "chunkwright"]
    assert {one["chunker"].split()[1] for one in ours} == {
        "TextChunker",
        "RecursiveChunker",
        "MarkdownChunker",
    }
    for one in lines:
        assert one["recall_at_budget"][0] > 0.9  # white space lies in no chunk
        assert 0 < one["precision_omega"][0] <= 1
        assert one["mean_tokens"] <= 12


CODE = {
    "shop/a.py": "def take_apples():\n    '''Take all the apples.\n\n  Or none.'''\n    return 1\n",
    "shop/b.py": "# Nothing here.\n\n\ndef second():\n    return 'Take all the apples.'\n",
}


def written(folder: Path) -> Path:
    """A repository with CODE."""
    for path, text in CODE.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8", newline="")
    (folder / "shop" / "c.go").write_text("package c\n", encoding="utf-8")
    return folder / "shop"


def test_what_is_asked_about_is_blanked_out(tmp_path: Path) -> None:
    """Paths have the repository's name; a file of another language is not searched."""
    root = written(tmp_path)
    texts, asked = code_questions.of_repositories([root], "python", 5)
    assert sorted(texts) == sorted(CODE)
    assert [one.text for one in asked] == ["Take all the apples."]
    assert [place.path for place in asked[0].references] == ["shop/a.py"]
    assert "Or none" not in texts["shop/a.py"]
    assert len(texts["shop/a.py"]) == len(CODE["shop/a.py"])


def test_a_frontier_of_code_is_measured(tmp_path: Path) -> None:
    """Ours in five ways, with the answer found by the index too; all have their shape."""
    pytest.importorskip("quicktok")
    pytest.importorskip("bm25s")
    root = written(tmp_path)
    only = ("--sizes", "200", "--only", "CodeChunker(")
    lines = made("frontier_code", str(root), *only)
    ours = [one for one in lines if one["distribution"] == "chunkwright"]
    assert [(one["ranking"], one["embedded"]) for one in ours] == [
        ("cosine", "text"),
        ("cosine and words", "text"),
        ("cosine", "context"),
        ("cosine and words", "context"),
        ("index", "context"),
    ]
    assert all(one["recall_at_budget"][0] > 0.9 for one in lines)
    assert all("bm25s" in one["versions"] for one in ours if one["ranking"] == "cosine and words")
