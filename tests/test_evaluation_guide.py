"""docs/evaluation.md is true: its questions can be read, another's splitter is compared as it says,
and it names every measure, strategy and kind of question. Its Python runs in test_readme.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from chunkwright.embedding.hashing import HashingEmbedder
from chunkwright.evaluation import evaluate, make_questions, read_corpus, read_questions
from chunkwright.evaluation.making import KINDS
from chunkwright.evaluation.strategies import NAMES

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "docs" / "example"
GUIDE = (ROOT / "docs" / "evaluation.md").read_text("utf-8")


def block(info: str) -> str:
    found = re.search(rf"^```{info}\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    assert found
    return found[1]


def first_column(heading: str) -> set[str]:
    """Names in backticks in the first column of the table under a row of headings."""
    table = GUIDE.split(f"| {heading} |", 1)[1].split("\n\n", 1)[0]
    cells = [row.split("|")[1] for row in table.splitlines()[2:]]
    return {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}


def test_the_questions_that_are_shown_can_be_read(tmp_path: Path) -> None:
    """Each stands where it says."""
    file = tmp_path / "questions.jsonl"
    file.write_text(block("jsonl"), "utf-8")
    texts = read_corpus(EXAMPLE).texts
    answers = [
        [texts[one.path][one.start : one.end] for one in question.references]
        for question in read_questions(file, texts)
    ]
    assert answers == [
        ["With less than 500 m of sight the captain decides"],
        ["LIFETIME_SECONDS = 30 * 60"],
        ["A ferry leaves every twenty minutes between 05:20 and 23:40.", texts["server.go"]],
    ]


def test_every_measure_has_its_line() -> None:
    """And no other is named; depths are told once for all."""
    texts = read_corpus(EXAMPLE).texts
    made = make_questions(texts, kinds=["heading"]).questions
    report = evaluate(texts, made, strategies="auto", sizes=(50,), embedder=HashingEmbedder(8))
    names = {name for name in report.rows[0].scores if "@" not in name}
    assert first_column("measure | says") == names | {"recall@5"}


def test_every_strategy_and_kind_of_question_has_its_line() -> None:
    """And no other is named."""
    assert first_column("kind | asks | to find | shows") == set(KINDS)
    told = first_column("name | is")
    assert {name for name in told if ":" not in name} == set(NAMES)


def test_the_splitter_that_is_shown_is_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LangChain's, under the name that the command shows."""
    pytest.importorskip("langchain_text_splitters")
    (tmp_path / "splitters.py").write_text(block("py"), "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "splitters", raising=False)
    texts = read_corpus(EXAMPLE).texts
    report = evaluate(texts, strategies="auto,splitters:langchain", sizes=(40,), unit="chars")
    ours, theirs = report.rows
    assert theirs.strategy == "splitters:langchain"
    assert 0 < theirs.facts["size_max"] <= 40
    assert not any("not found in the text" in note for note in report.notes)
    assert ours.facts["chunks"] > 0
