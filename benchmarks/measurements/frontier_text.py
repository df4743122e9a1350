"""What 1,000 tokens of text buy at each size: recall, and the best precision that the cuts allow.

Of Chroma's questions about five long texts, searched at once: by exact cosine; by cosine and BM25,
fused by rank (the same for all); and ours by an index too (index). FOLDER is that of
retrieval_text. Sizes are caps in tokens of cl100k, without overlap; curves are drawn over the mean
size of the chunks, which the cap is not.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks import facts, frontiers, indexed, text_questions, vectors
from benchmarks.facts import Line
from benchmarks.peers import Contestant, Task, contestants, wanted
from chunkwright import embed_text
from chunkwright.evaluation import Question, Reference

SIZES = (50, 75, 100, 150, 200, 300, 400)

INDEXED = "chunkwright MarkdownChunker"
"""What cuts such texts in an index."""

CORPUS = "Chroma's five texts"

LEFT_OUT = (
    "langchain RecursiveCharacterTextSplitter.from_tiktoken_encoder",
    "langchain MarkdownHeaderTextSplitter, then RecursiveCharacterTextSplitter",
    "chonkie RecursiveChunker with Markdown's separators",
    "chonkie TokenChunker",
)
"""They cut as others here do, or are made for headings, of which these texts have few."""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cache", type=Path, help="a folder of vectors that runs share")
    parser.add_argument("--models", nargs="*", default=["minilm"], help="names of embedders")
    parser.add_argument("--sizes", nargs="*", type=int, default=SIZES, help="tokens of cl100k")
    parser.add_argument("--only", nargs="*", default=[], help="parts of chunkers' names")


def lines(options: argparse.Namespace) -> Iterator[Line]:
    """A line a model, contestant and size."""
    texts = text_questions.read_texts(options.folder)
    questions = text_questions.read_questions(options.folder, texts)
    digest = facts.digest_of(texts)
    models = {name: vectors.Embedding(name, options.cache) for name in options.models}
    for size in options.sizes:
        for task, contestant in _contestants(size, options.only):
            facts.say(f"{contestant.name} {size}")
            places = _places(contestant, texts)
            about = facts.of_contestant(contestant) | facts.of_task(task)
            about |= {"corpus": CORPUS, "digest": digest}
            for line in _points(places, texts, questions, models):
                yield {"what": "frontier of text"} | about | line
            if contestant.name == INDEXED:
                for line in _indexed(size, texts, questions, models):
                    yield {"what": "frontier of text"} | about | line


def _contestants(size: int, only: list[str]) -> Iterator[tuple[Task, Contestant]]:
    plain = Task(size, 0, "cl100k")
    for task in (plain, replace(plain, reads="markdown")):
        for one in contestants(task, cutting=True):
            if one.name not in LEFT_OUT and wanted(one.name, only):
                yield task, one


def _places(contestant: Contestant, texts: Mapping[str, str]) -> list[Reference]:
    """Its chunks; none where it fails, which ends nobody else's measurement."""
    try:
        return text_questions.cut(contestant, texts)
    except Exception as error:
        if contestant.is_ours:
            raise
        facts.say(f"left out: {contestant.name}: {type(error).__name__}: {error}")
        return []


def _points(
    places: Sequence[Reference],
    texts: Mapping[str, str],
    questions: Sequence[Question],
    models: Mapping[str, vectors.Embedding],
) -> Iterator[Line]:
    cut = frontiers.cuts(places, [texts[one.path][one.start : one.end] for one in places])
    for name, model in models.items() if places else ():
        asked = [question.text for question in questions]
        cosine = list(frontiers.by_cosine(model.embed(cut.texts), model.embed(asked)))
        fused = map(frontiers.fused, cosine, frontiers.by_words(cut.texts, asked))
        for ranking, orders, more in (("cosine", cosine, ()), (frontiers.BOTH, fused, ("bm25s",))):
            yield {
                "model": name,
                "ranking": ranking,
                "embedded": "text",
                "cut_short": model.cut_short(cut.texts),
                **frontiers.point(cut, questions, orders),
                "uses": (*vectors.PACKAGES.get(name, ()), *more),
            }


def _indexed(
    size: int,
    texts: Mapping[str, str],
    questions: Sequence[Question],
    models: Mapping[str, vectors.Embedding],
) -> Iterator[Line]:
    """By an index of the texts as Markdown files."""
    config = {"size": size, "overlap": 0, "measure": "cl100k"}
    files = {f"{name}.md": text for name, text in texts.items()}
    asked = [question.text for question in questions]
    for name, model in models.items():
        chunks, orders = indexed.answers(files, model, config, asked)
        places = [Reference(Path(one.path).stem, one.start, one.end) for one in chunks]
        cut = frontiers.cuts(places, [chunk.text for chunk in chunks])
        yield {
            "model": name,
            "ranking": "index",
            "embedded": "context",
            "cut_short": model.cut_short([embed_text(chunk) for chunk in chunks]),
            **frontiers.point(cut, questions, orders),
            "uses": vectors.PACKAGES.get(name, ()),
        }
