"""Whether text is found, and how much else with it: 472 questions about five long texts.

Each has the spans that answer it (the evaluation of Chroma's report on chunking); FOLDER is as
text_questions.py beside this folder says. All five texts are searched at once; a chunk from another
text is a wrong one. Chunks are retrieved by exact cosine, five a question, and recall, precision,
the best precision that the cuts allow, and IoU are means over the questions, of code points. The
last lines ask our index, words and all.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from benchmarks import facts, indexed, scoring, text_questions, vectors
from benchmarks.facts import Line
from benchmarks.peers import Contestant, Task, contestants, langchain, ours, wanted
from chunkwright.evaluation import Question, Reference

RETRIEVED = 5
"""Chunks a question, as in the report's tables."""

INDEXED_SIZES = (800, 1500, 3200)
"""Code points; the last one is what an index uses unless told otherwise."""


CHUNKERS = (
    ours.recursive_chunker.name,
    ours.markdown_chunker.name,
    ours.text_chunker.name,
    langchain.WITH_SENTENCES,
    "chonkie RecursiveChunker",
    "windows of tokens",
)

SIZES = (
    Task(200, 0, "cl100k"),
    Task(400, 0, "cl100k"),
    Task(400, 200, "cl100k"),
    Task(800, 400, "cl100k"),
    Task(800, 0, "chars"),
    Task(1500, 0, "chars"),
)
"""The first four are the report's."""

Answer = Callable[[Question], Sequence[Reference]]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cache", type=Path, help="a folder of vectors that runs share")
    parser.add_argument("--models", nargs="*", default=vectors.MODELS)
    parser.add_argument("--only", nargs="*", default=[], help="parts of chunkers' names")
    parser.add_argument("--no-index", dest="index", action="store_false")


def lines(options: argparse.Namespace) -> Iterator[Line]:
    """Chunkers at each size by each model, then our index."""
    texts = text_questions.read_texts(options.folder)
    questions = text_questions.read_questions(options.folder, texts)
    models = {name: vectors.Embedding(name, options.cache) for name in options.models}
    for task, contestant in _contestants(options.only):
        facts.say(f"{contestant.name} {task.size}/{task.overlap} {task.unit}")
        chunks = text_questions.cut(contestant, texts)
        about = facts.of_contestant(contestant) | facts.of_task(task)
        for name, model in models.items():
            answer = _nearest(chunks, texts, model)
            yield _line(about, name, questions, chunks, answer)
    if options.index:
        yield from _indexed(options.models, texts, questions)


def _contestants(only: list[str]) -> Iterator[tuple[Task, Contestant]]:
    for task in SIZES:
        for one in [*contestants(task), *contestants(replace(task, reads="markdown"))]:
            is_asked = one.name in CHUNKERS and wanted(one.name, only)
            if is_asked and "has no overlap" not in one.note:
                yield task, one


def _nearest(
    chunks: Sequence[Reference], texts: Mapping[str, str], model: vectors.Embedding
) -> Answer:
    """By cosine; equal ones in the order of the texts."""
    matrix = model.embed([texts[one.path][one.start : one.end] for one in chunks])

    def answer(question: Question) -> list[Reference]:
        cosines = matrix @ model.embed([question.text])[0]
        return [chunks[at] for at in (-cosines).argsort(kind="stable")[:RETRIEVED]]

    return answer


def _line(
    about: Line,
    model: str,
    questions: Sequence[Question],
    chunks: Sequence[Reference],
    answer: Answer,
) -> Line:
    by_path = scoring.by_path(chunks)
    scores = [_scores(question, answer(question), by_path) for question in questions]
    return {
        "what": "retrieval of text",
        **about,
        "model": model,
        "questions": len(questions),
        "retrieved": RETRIEVED,
        "chunks": len(chunks),
        "mean_length": fmean(chunk.end - chunk.start for chunk in chunks),
        **{measure: fmean(score[measure] for score in scores) for measure in scores[0]},
        "uses": vectors.PACKAGES.get(model, ()),
    }


def _scores(
    question: Question, found: Sequence[Reference], chunks: scoring.Spans
) -> dict[str, float]:
    wanted = scoring.by_path(question.references)
    return {
        "recall": scoring.recall(found, wanted),
        "precision": scoring.precision(found, wanted),
        "precision_omega": scoring.precision_omega(chunks, wanted),
        "iou": scoring.iou(found, wanted),
    }


def _indexed(
    models: Iterable[str], texts: Mapping[str, str], questions: Sequence[Question]
) -> Iterator[Line]:
    """Our index of the texts as files: what a user gets who indexes a folder."""
    for model in [*models, "none"]:
        for size in INDEXED_SIZES:
            facts.say(f"index {model} {size}")
            yield _of_index(size, model, texts, questions)


def _of_index(
    size: int, model: str, texts: Mapping[str, str], questions: Sequence[Question]
) -> Line:
    files = {f"{name}.md": text for name, text in texts.items()}
    with indexed.index_of(files, model, {"size": size, "overlap": 0}) as index:
        chunks = [_place(chunk.path, chunk.start, chunk.end) for chunk in index.chunks()]

        def answer(question: Question) -> list[Reference]:
            found = [hit.chunk for hit in index.search(question.text, RETRIEVED)]
            return [_place(chunk.path, chunk.start, chunk.end) for chunk in found]

        about = {"chunker": "chunkwright Index", "distribution": "chunkwright", "unit": "chars"}
        about |= {"size": size, "overlap": 0, "note": "words only" if model == "none" else ""}
        return _line(about, model, questions, chunks, answer)


def _place(path: str, start: int, end: int) -> Reference:
    return Reference(Path(path).stem, start, end)
