"""Whether text is found, and how much else with it: 472 questions about five long texts, each with
the spans that answer it (the evaluation of Chroma's report on chunking). Prints JSON lines.

    pip install '.[bench]'
    python benchmarks/retrieval_text.py FOLDER --cache FOLDER

FOLDER holds `questions_df.csv` (question, references as JSON with start_index and end_index in
code points, corpus_id) and a file for each corpus in `corpora`. All five texts are searched at
once; a chunk from another text is a wrong one. Chunks are retrieved by exact cosine, five a
question, and recall, precision, the best precision that the cuts allow, and IoU are means over the
questions, of code points, as evaluation.py says. The last lines ask our index, words and all.

A model's answers are kept in the cache, by the hash of the text: a second run computes only what
is new.
"""

from __future__ import annotations

import argparse
import csv
import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import facts
import text_models
from checks import Span, located
from facts import Line
from peers import Contestant
from text_chunkers import contestants

from chunkwright import Index
from chunkwright.evaluation import precision_omega, span_iou, span_precision, span_recall

RETRIEVED = 5
"""Chunks a question, as in the report's tables."""

FOUND_AT_LEAST = 0.999
"""Share of a peer's chunks whose place has to be known."""

INDEXED_SIZES = (800, 1500, 3200)
"""Code points; the last one is what an index uses unless told otherwise."""


@dataclass(frozen=True)
class Question:
    """What is asked, of which text, and the spans that answer it."""

    text: str
    corpus: str
    reference: tuple[Span, ...]


@dataclass(frozen=True)
class Place:
    """A chunk: where it is."""

    corpus: str
    span: Span


Answer = Callable[[Question], Sequence[Place]]


def main() -> None:
    given = _arguments()
    questions = _questions(given.folder / "questions_df.csv")
    files = sorted((given.folder / "corpora").glob("*.md"))
    corpora = {file.stem: file.read_bytes().decode() for file in files}
    models = {name: text_models.cached(name, given.cache) for name in given.models}
    for task, contestant in contestants():
        if given.only and not any(word in contestant.name for word in given.only):
            continue
        facts.say(f"{contestant.name} {task.size}/{task.overlap} {task.unit}")
        chunks = _cut(contestant, corpora)
        about = facts.of_contestant(contestant) | facts.of_task(task)
        for name, embed in models.items():
            answer = _nearest(chunks, corpora, embed)
            print(json.dumps(_line(about, name, questions, chunks, answer)), flush=True)
    if given.index:
        for line in _indexed(given.models, corpora, questions):
            print(json.dumps(line), flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--models", nargs="*", default=text_models.MODELS)
    parser.add_argument("--only", nargs="*", help="chunkers with one of these words in their names")
    parser.add_argument("--no-index", dest="index", action="store_false")
    return parser.parse_args()


def _questions(file: Path) -> list[Question]:
    with file.open(encoding="utf-8", newline="") as lines:
        return [
            Question(
                row["question"],
                row["corpus_id"],
                tuple(
                    (int(one["start_index"]), int(one["end_index"]))
                    for one in json.loads(row["references"])
                ),
            )
            for row in csv.DictReader(lines)
        ]


def _cut(contestant: Contestant, corpora: dict[str, str]) -> list[Place]:
    found = []
    for name, text in corpora.items():
        pieces = contestant.read(contestant.make()(text))
        spans = located(text, pieces)
        known = [span for span in spans if span is not None]
        if len(known) < FOUND_AT_LEAST * len(spans):
            raise ValueError(f"{contestant.name}: {len(spans) - len(known)} chunks not in {name}")
        found += [Place(name, span) for span in known]
    return found


def _nearest(chunks: Sequence[Place], corpora: dict[str, str], embed: text_models.Embed) -> Answer:
    """By cosine; equal ones in the order of the texts."""
    matrix = embed([corpora[chunk.corpus][slice(*chunk.span)] for chunk in chunks])

    def answer(question: Question) -> list[Place]:
        cosines = matrix @ embed([question.text])[0]
        return [chunks[at] for at in (-cosines).argsort(kind="stable")[:RETRIEVED]]

    return answer


def _line(
    about: Line,
    model: str,
    questions: Sequence[Question],
    chunks: Sequence[Place],
    answer: Answer,
) -> Line:
    by_corpus: dict[str, list[Span]] = {}
    for chunk in chunks:
        by_corpus.setdefault(chunk.corpus, []).append(chunk.span)
    scores = [_scores(question, answer(question), by_corpus) for question in questions]
    return {
        "what": "retrieval of text",
        **about,
        "model": model,
        "questions": len(questions),
        "retrieved": RETRIEVED,
        "chunks": len(chunks),
        "mean_length": fmean(chunk.span[1] - chunk.span[0] for chunk in chunks),
        **{measure: fmean(score[measure] for score in scores) for measure in scores[0]},
        **facts.circumstances(),
    }


def _scores(
    question: Question, found: Sequence[Place], by_corpus: dict[str, list[Span]]
) -> dict[str, float]:
    right = [place.span for place in found if place.corpus == question.corpus]
    # Moved to where nothing is wanted: what comes from another text costs precision all the same.
    wrong = [_moved(place.span) for place in found if place.corpus != question.corpus]
    return {
        "recall": span_recall(right, question.reference),
        "precision": span_precision(right + wrong, question.reference),
        "precision_omega": precision_omega(by_corpus[question.corpus], question.reference),
        "iou": span_iou(right + wrong, question.reference),
    }


def _moved(span: Span) -> Span:
    start, end = span
    return start - end, 0


def _indexed(
    models: Iterable[str], corpora: dict[str, str], questions: Sequence[Question]
) -> Iterator[Line]:
    """Our index of the texts as files: what a user gets who indexes a folder."""
    for model in [*models, "none"]:
        for size in INDEXED_SIZES:
            facts.say(f"index {model} {size}")
            with tempfile.TemporaryDirectory() as place:
                yield _of_index(Path(place), size, model, corpora, questions)


def _of_index(
    place: Path, size: int, model: str, corpora: dict[str, str], questions: Sequence[Question]
) -> Line:
    for name, text in corpora.items():
        (place / f"{name}.md").write_bytes(text.encode())
    config = {"size": size, "overlap": 0}
    with Index(place, model, config, index_dir=place / "index") as index:
        index.refresh()
        chunks = [_place(chunk.path, chunk.start, chunk.end) for chunk in index.chunks()]

        def answer(question: Question) -> list[Place]:
            found = [hit.chunk for hit in index.search(question.text, RETRIEVED)]
            return [_place(chunk.path, chunk.start, chunk.end) for chunk in found]

        about = {"chunker": "chunkwright Index", "distribution": "chunkwright", "unit": "chars"}
        about |= {"size": size, "overlap": 0, "note": "words only" if model == "none" else ""}
        return _line(about, model, questions, chunks, answer)


def _place(path: str, start: int, end: int) -> Place:
    return Place(Path(path).stem, (start, end))


if __name__ == "__main__":
    main()
