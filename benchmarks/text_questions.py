"""Questions about long texts with the spans that answer them (those of Chroma's report on chunking,
2024), and texts cut by a contestant. Nothing is embedded or scored here.

The folder holds `questions_df.csv` (question; references as JSON with start_index and end_index in
code points; corpus_id) and a file for each text in `corpora`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from benchmarks.checks import located
from benchmarks.peers import Contestant
from chunkwright import evaluation
from chunkwright.evaluation import Question, Reference

FOUND_AT_LEAST = 0.999
"""Share of a peer's chunks whose place has to be known."""


def read_texts(folder: Path) -> dict[str, str]:
    """The texts by name."""
    files = sorted((folder / "corpora").glob("*.md"))
    return {file.stem: file.read_bytes().decode() for file in files}


def read_questions(folder: Path, texts: Mapping[str, str]) -> list[Question]:
    """What is asked, each of one text."""
    return evaluation.read_questions(folder / "questions_df.csv", texts)


def cut(contestant: Contestant, texts: Mapping[str, str]) -> list[Reference]:
    """Where its chunks are; raises ValueError where too many of them are no slices of a text."""
    found = []
    for name, text in texts.items():
        spans = located(text, contestant.read(contestant.make()(text)))
        known = [span for span in spans if span is not None]
        if len(known) < FOUND_AT_LEAST * len(spans):
            raise ValueError(f"{contestant.name}: {len(spans) - len(known)} chunks not in {name}")
        found += [Reference(name, start, end) for start, end in known]
    return found
