"""Whether our measures give the numbers that Chroma published for the same splitters, questions
and model ("Evaluating Chunking Strategies for Retrieval", 2024). Prints JSON lines.

    pip install '.[bench]'
    python benchmarks/chroma_table.py FOLDER --cache FOLDER > benchmarks/results/chroma.jsonl

FOLDER holds `questions_df.csv` and `corpora`, as for retrieval_text.py. A line is one measure of
one row of the report's tables: the published mean and deviation, ours with its 95% interval over
the 472 questions, and whether the published one lies in it. Since the questions are the same, the
difference should be far smaller than the interval, which tells how it would be with others.

The table with all-MiniLM-L6-v2 is made anew, five chunks a question. Of that with
text-embedding-3-large, which needs a key, PrecisionOmega and the mean size are: they ask no
embedder.

What the report's code does otherwise: a chunk that ends where a reference begins counts as one that
holds some of it, and a chunk is placed where its text first occurs, less a final full stop. With
both, PrecisionOmega is theirs to the digit (`their_way`); ours without.

Sizes are in cl100k's tokens, as the report says. In the table with MiniLM they cannot be: the mean
sizes and PrecisionOmega of the same splitter differ between the two tables, and no embedder is
asked for either. Those of the recursive splitter are what comes of counting MiniLM's own tokens
with the two special ones of every piece that is counted; these rows are made that way too
(`counted_in`). How the windows of that table were made could not be found out.

Our model is the one of that name in 8-bit integers, and chunks are found by exact cosine, not in an
approximate index.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

import facts
import text_models
from checks import Pieces, Span, located
from corpora import SEED
from vocabulary import counter, tiktoken_encoding

from chunkwright.embedding import resolve
from chunkwright.embedding.limits import Limit
from chunkwright.embedding.wordpieces import WordPieces
from chunkwright.evaluation import (
    intersection,
    length,
    precision_omega,
    span_iou,
    span_precision,
    span_recall,
)
from chunkwright.evaluation.statistics import estimate

MINILM, LARGE = "all-MiniLM-L6-v2", "text-embedding-3-large"

RETRIEVED = 5
"""Chunks a question, in both tables."""

SEPARATORS = ["\n\n", "\n", ".", "?", "!", " ", ""]
"""The report's for the recursive splitter."""

ROUNDING = 0.05
"""Published numbers are per cent with one digit behind the point."""

SPECIAL_TOKENS = 2
"""MiniLM's, at the start and the end of whatever is tokenised."""

MEASURES = ("recall", "precision", "precision_omega", "iou")


@dataclass(frozen=True)
class Published:
    """A row of a table: per cent, each (mean, standard deviation over the questions)."""

    model: str
    chunker: str
    size: int
    overlap: int
    scores: dict[str, tuple[float, float]]
    mean_size: float | None = None
    """Tokens of cl100k, where the table gives it."""
    counted_in: str = "cl100k"
    """What `size` is in: cl100k, or word pieces with the special ones."""


def row(name: str, size: int, overlap: int, mean_size: int | None, *scores: float) -> Published:
    """Of the table with MiniLM, its columns in order: each mean and its deviation."""
    pairs = zip(scores[::2], scores[1::2], strict=True)
    return Published(
        MINILM, name, size, overlap, dict(zip(MEASURES, pairs, strict=True)), mean_size
    )


def omega(
    name: str, size: int, overlap: int, mean_size: int | None, mean: float, deviation: float
) -> Published:
    """What asks no embedder, of the other table."""
    return Published(LARGE, name, size, overlap, {"precision_omega": (mean, deviation)}, mean_size)


RECURSIVE, FIXED = "RecursiveCharacterTextSplitter", "TokenTextSplitter"

TABLES = (
    row(RECURSIVE, 250, 125, 180, 78.7, 39.2, 4.9, 4.5, 21.9, 14.9, 4.9, 4.4),
    row(FIXED, 250, 125, None, 82.4, 36.2, 3.6, 3.1, 11.4, 6.6, 3.5, 3.1),
    row(RECURSIVE, 250, 0, 162, 78.5, 39.5, 5.4, 4.9, 26.7, 18.3, 5.4, 4.9),
    row(FIXED, 250, 0, None, 77.1, 39.3, 3.3, 3.0, 16.4, 10.3, 3.3, 3.0),
    row(RECURSIVE, 200, 0, 128, 75.7, 40.7, 6.5, 6.2, 31.2, 18.4, 6.5, 6.1),
    row(FIXED, 200, 0, None, 76.6, 38.8, 4.1, 3.7, 19.1, 11.0, 4.1, 3.6),
    omega(RECURSIVE, 800, 400, 661, 6.7, 5.2),
    omega(FIXED, 800, 400, None, 4.7, 3.1),
    omega(RECURSIVE, 400, 200, 312, 13.9, 10.4),
    omega(FIXED, 400, 200, None, 8.4, 5.1),
    omega(RECURSIVE, 400, 0, 276, 17.7, 14.0),
    omega(FIXED, 400, 0, None, 12.5, 8.1),
    omega(RECURSIVE, 200, 0, 137, 29.9, 18.4),
    omega(FIXED, 200, 0, None, 21.0, 11.9),
)
"""Rows of the report's two tables with LangChain's splitters; sizes in tokens of cl100k."""


def recounted() -> list[Published]:
    """The recursive splitter's rows with MiniLM, their sizes in its own tokens."""
    rows = [row for row in TABLES if (row.model, row.chunker) == (MINILM, RECURSIVE)]
    return [replace(row, counted_in="word pieces") for row in rows]


def counting(unit: str) -> Callable[[str], int]:
    """What counts in a row's unit."""
    if unit == "word pieces":
        return lambda text: WordPieces().count(text) + SPECIAL_TOKENS
    return counter(unit)


@dataclass(frozen=True)
class Question:
    text: str
    corpus: str
    reference: tuple[Span, ...]


@dataclass(frozen=True)
class Place:
    corpus: str
    span: Span


Embed = Callable[[Sequence[str]], Any]


def main() -> None:
    given = _arguments()
    questions = _questions(given.folder / "questions_df.csv")
    files = sorted((given.folder / "corpora").glob("*.md"))
    corpora = {file.stem: file.read_bytes().decode() for file in files}
    embed = _model(given.cache)
    for published in (*TABLES, *recounted()):
        facts.say(f"{published.model} {published.chunker} {published.size}/{published.overlap}")
        for line in _lines(published, questions, corpora, embed):
            print(json.dumps(line), flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cache", type=Path)
    return parser.parse_args()


def _questions(file: Path) -> list[Question]:
    with file.open(encoding="utf-8", newline="") as lines:
        return [
            Question(row["question"], row["corpus_id"], _spans(row["references"]))
            for row in csv.DictReader(lines)
        ]


def _spans(references: str) -> tuple[Span, ...]:
    found = json.loads(references)
    return tuple((int(one["start_index"]), int(one["end_index"])) for one in found)


def _model(cache: Path | None) -> Embed:
    """MiniLM, which reads 256 tokens: as in the report, the rest of a longer chunk is not seen."""
    model = resolve("minilm")
    assert model is not None
    limit, embed = Limit(model), text_models.cached("minilm", cache)
    return lambda texts: embed([limit.beginning(text) for text in texts])


def _lines(
    published: Published, questions: Sequence[Question], corpora: dict[str, str], embed: Embed
) -> Iterator[facts.Line]:
    chunks = _cut(published, corpora)
    count = counting("cl100k")
    sizes = [count(corpora[chunk.corpus][slice(*chunk.span)]) for chunk in chunks]
    about = {
        "what": "published table",
        "model": published.model,
        "chunker": published.chunker,
        "distribution": "langchain-text-splitters",
        "version": version("langchain-text-splitters"),
        "size": published.size,
        "overlap": published.overlap,
        "counted_in": published.counted_in,
        "questions": len(questions),
        "retrieved": RETRIEVED,
        "chunks": len(chunks),
        "mean_size": fmean(sizes),
        "published_mean_size": published.mean_size,
    }
    scores = _scores(published, questions, chunks, corpora, embed)
    for measure, (mean, deviation) in published.scores.items():
        found = _compared(scores[measure], mean, deviation)
        if measure == "precision_omega":
            found["their_way"] = 100 * _their_omega(published, questions, corpora)
        yield about | {"measure": measure} | found | facts.circumstances()


def _compared(scores: Sequence[float], mean: float, deviation: float) -> facts.Line:
    """In per cent, as published."""
    ours = estimate(scores, seed=SEED)
    low, high = 100 * ours.low, 100 * ours.high
    return {
        "published": mean,
        "published_deviation": deviation,
        "ours": 100 * ours.value,
        "low": low,
        "high": high,
        "deviation": 100 * pstdev(scores),
        "within": low - ROUNDING <= mean <= high + ROUNDING,
    }


def _cut(published: Published, corpora: dict[str, str]) -> list[Place]:
    found = []
    for name, text in corpora.items():
        spans = located(text, Pieces(_splitter(published).split_text(text)))
        found += [Place(name, span) for span in spans if span is not None]
    return found


def _their_omega(
    published: Published, questions: Sequence[Question], corpora: dict[str, str]
) -> float:
    """PrecisionOmega of chunks that are placed, and taken for holders of a reference, as theirs."""
    spans: dict[str, list[Span]] = {}
    for name, text in corpora.items():
        pieces = [piece.removesuffix(".") for piece in _splitter(published).split_text(text)]
        places = ((text.find(piece), piece) for piece in pieces)
        spans[name] = [(start, start + len(piece)) for start, piece in places if start >= 0]
    return fmean(_omega_with_neighbours(spans[one.corpus], one.reference) for one in questions)


def _omega_with_neighbours(chunks: Sequence[Span], reference: Sequence[Span]) -> float:
    held = [
        chunk
        for chunk in chunks
        if any(chunk[0] <= end and start <= chunk[1] for start, end in reference)
    ]
    return length(intersection(held, reference)) / length([*held, *reference])


def _splitter(published: Published) -> Any:
    from langchain_text_splitters import RecursiveCharacterTextSplitter, TokenTextSplitter

    sizes = {"chunk_size": published.size, "chunk_overlap": published.overlap}
    if published.chunker == FIXED:
        return TokenTextSplitter(tiktoken_encoding("cl100k").name, disallowed_special=(), **sizes)
    return RecursiveCharacterTextSplitter(
        length_function=counting(published.counted_in), separators=SEPARATORS, **sizes
    )


def _scores(
    published: Published,
    questions: Sequence[Question],
    chunks: Sequence[Place],
    corpora: dict[str, str],
    embed: Embed,
) -> dict[str, list[float]]:
    spans: dict[str, list[Span]] = {name: [] for name in corpora}
    for chunk in chunks:
        spans[chunk.corpus].append(chunk.span)
    scores = {"precision_omega": [precision_omega(spans[q.corpus], q.reference) for q in questions]}
    if published.model == LARGE:
        return scores
    answers = _nearest(questions, chunks, corpora, embed)
    pairs = list(zip(questions, answers, strict=True))
    return scores | {
        "recall": [span_recall(_right(q, found), q.reference) for q, found in pairs],
        "precision": [span_precision(_moved(q, found), q.reference) for q, found in pairs],
        "iou": [span_iou(_moved(q, found), q.reference) for q, found in pairs],
    }


def _nearest(
    questions: Sequence[Question],
    chunks: Sequence[Place],
    corpora: dict[str, str],
    embed: Embed,
) -> list[list[Place]]:
    """By cosine, in all texts at once; equal ones in the order of the texts."""
    matrix = embed([corpora[chunk.corpus][slice(*chunk.span)] for chunk in chunks])
    cosines = embed([question.text for question in questions]) @ matrix.T
    order = (-cosines).argsort(axis=1, kind="stable")[:, :RETRIEVED]
    return [[chunks[at] for at in found] for found in order]


def _right(question: Question, found: Sequence[Place]) -> list[Span]:
    return [place.span for place in found if place.corpus == question.corpus]


def _moved(question: Question, found: Sequence[Place]) -> list[Span]:
    """All spans; those of another text where nothing is wanted, for they cost precision too."""
    return _right(question, found) + [
        (place.span[0] - place.span[1], 0) for place in found if place.corpus != question.corpus
    ]


if __name__ == "__main__":
    main()
