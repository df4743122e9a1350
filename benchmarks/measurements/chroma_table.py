"""Whether our measures give the numbers that Chroma published for the same splitters and questions.

"Evaluating Chunking Strategies for Retrieval" (2024), with the same model; FOLDER is as
text_questions.py beside this folder says. A line is one measure of one row of the report's tables:
the published mean and deviation, ours with its 95% interval over the 472 questions, and whether the
published one lies in it. Since the questions are the same, the difference should be far smaller
than the interval, which tells how it would be with others.

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
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

from benchmarks import facts, frontiers, scoring, text_questions, vectors
from benchmarks.checks import Pieces, Span
from benchmarks.corpora import SEED
from benchmarks.facts import Line
from benchmarks.peers import Contestant
from benchmarks.peers.langchain import PACKAGE, SENTENCES
from benchmarks.vocabulary import counter, tiktoken_encoding
from chunkwright.embedding.wordpieces import WordPieces
from chunkwright.evaluation import Question, Reference, intersection, length
from chunkwright.evaluation.statistics import estimate

MINILM, LARGE = "all-MiniLM-L6-v2", "text-embedding-3-large"

RETRIEVED = 5
"""Chunks a question, in both tables."""

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


Texts = Mapping[str, str]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cache", type=Path, help="a folder of vectors that runs share")


def lines(options: argparse.Namespace) -> Iterator[Line]:
    """A line a measure of each published row."""
    texts = text_questions.read_texts(options.folder)
    questions = text_questions.read_questions(options.folder, texts)
    model = vectors.Embedding("minilm", options.cache)
    for published in (*TABLES, *recounted()):
        facts.say(f"{published.model} {published.chunker} {published.size}/{published.overlap}")
        yield from _lines(published, questions, texts, model)


def _lines(
    published: Published, questions: Sequence[Question], texts: Texts, model: vectors.Embedding
) -> Iterator[Line]:
    chunks = text_questions.cut(_contestant(published), texts)
    pieces = [texts[one.path][one.start : one.end] for one in chunks]
    about = {
        "what": "published table",
        "model": published.model,
        "chunker": f"langchain {published.chunker}",
        "distribution": PACKAGE,
        "unit": published.counted_in,
        "size": published.size,
        "overlap": published.overlap,
        "questions": len(questions),
        "retrieved": RETRIEVED,
        "chunks": len(chunks),
        "mean_tokens": fmean(map(counting("cl100k"), pieces)),
        "published_mean_tokens": published.mean_size,
        "uses": ("quicktok-v1", *vectors.PACKAGES["minilm"]),
    }
    scores = _scores(published, questions, chunks, model, pieces)
    for measure, (mean, deviation) in published.scores.items():
        found = _compared(scores[measure], mean, deviation)
        if measure == "precision_omega":
            found["their_way"] = 100 * _their_omega(published, questions, texts)
        yield about | {"measure": measure} | found


def _compared(scores: Sequence[float], mean: float, deviation: float) -> Line:
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


def _contestant(published: Published) -> Contestant:
    splitter = _splitter(published)
    return Contestant(published.chunker, PACKAGE, "texts", lambda: splitter.split_text, Pieces)


def _their_omega(published: Published, questions: Sequence[Question], texts: Texts) -> float:
    """PrecisionOmega of chunks that are placed, and taken for holders of a reference, as theirs."""
    spans: dict[str, list[Span]] = {}
    for name, text in texts.items():
        pieces = [piece.removesuffix(".") for piece in _splitter(published).split_text(text)]
        places = ((text.find(piece), piece) for piece in pieces)
        spans[name] = [(start, start + len(piece)) for start, piece in places if start >= 0]
    wanted = [(path, found) for one in questions for path, found in _wanted(one).items()]
    return fmean(_omega_with_neighbours(spans[path], found) for path, found in wanted)


def _wanted(question: Question) -> scoring.Spans:
    return scoring.by_path(question.references)


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
        length_function=counting(published.counted_in), separators=SENTENCES, **sizes
    )


def _scores(
    published: Published,
    questions: Sequence[Question],
    chunks: Sequence[Reference],
    model: vectors.Embedding,
    pieces: Sequence[str],
) -> dict[str, list[float]]:
    by_path, wanted = scoring.by_path(chunks), [_wanted(one) for one in questions]
    scores = {"precision_omega": [scoring.precision_omega(by_path, one) for one in wanted]}
    if published.model == LARGE:
        return scores
    asked = model.embed([question.text for question in questions])
    orders = frontiers.by_cosine(model.embed(pieces), asked)
    answers = [[chunks[at] for at in order[:RETRIEVED]] for order in orders]
    pairs = list(zip(answers, wanted, strict=True))
    return scores | {
        "recall": [scoring.recall(*pair) for pair in pairs],
        "precision": [scoring.precision(*pair) for pair in pairs],
        "iou": [scoring.iou(*pair) for pair in pairs],
    }
