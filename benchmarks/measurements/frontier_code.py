"""What 1,000 tokens of code buy at each size: recall, and the best precision that the cuts allow.

Questions are docstrings of repositories, the answer is the symbol, and what is searched is the
code without them. FOLDER... are the repositories, whose files of the language are searched at once.
Sizes are caps in code points, without overlap.

Chunks are ranked by cosine; by cosine and BM25, fused by rank (the same for all); and ours by an
index too (index). Ours are embedded as they are (text) and as chunkwright does (context).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import code_questions, facts, frontiers, indexed, vectors
from benchmarks.checks import Pieces, Span, aligned
from benchmarks.facts import Line
from benchmarks.frontiers import Cuts
from benchmarks.peers import Contestant, Task, contestants, wanted
from chunkwright import Chunk, Document, embed_text
from chunkwright.evaluation import Question, Reference

SIZES = (250, 400, 600, 900, 1300, 1800, 2500)
"""Code points; the fourth to the sixth are about 225, 325 and 450 tokens at most."""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--language", default="python", help="whose files are searched")
    parser.add_argument("--questions", type=int, default=100, help="most of one repository")
    parser.add_argument("--cache", type=Path, help="a folder of vectors that runs share")
    parser.add_argument("--model", default="static", help="name of an embedder")
    parser.add_argument("--sizes", nargs="*", type=int, default=SIZES, help="code points")
    parser.add_argument("--only", nargs="*", default=[], help="parts of chunkers' names")


@dataclass(frozen=True)
class Asked:
    """What is searched and asked, and by whose vectors."""

    texts: Mapping[str, str]
    language: str
    questions: Sequence[Question]
    model: vectors.Embedding
    packages: Sequence[str]
    """What takes part besides whoever cuts."""

    @property
    def words(self) -> list[str]:
        return [question.text for question in self.questions]


def lines(options: argparse.Namespace) -> Iterator[Line]:
    """A line a size, contestant, way of embedding and ranking."""
    asked = _asked(options)
    names = ", ".join(folder.resolve().name for folder in options.folders)
    corpus = {"corpus": f"{options.language}, {names}", "digest": facts.digest_of(asked.texts)}
    for size in options.sizes:
        task = Task(size, 0, "chars", "code", options.language)
        for contestant in contestants(task, cutting=True):
            if wanted(contestant.name, options.only):
                facts.say(f"{contestant.name} {size}")
                about = facts.of_contestant(contestant) | facts.of_task(task) | corpus
                for line in _points(contestant, task, asked):
                    yield {"what": "frontier of code", **about, "model": options.model, **line}


def _asked(options: argparse.Namespace) -> Asked:
    roots = [folder.resolve() for folder in options.folders]
    texts, questions = code_questions.of_repositories(roots, options.language, options.questions)
    model = vectors.Embedding(options.model, options.cache)
    packages = (*facts.CODE_READERS, *vectors.PACKAGES.get(options.model, ()))
    return Asked(texts, options.language, questions, model, packages)


def _points(contestant: Contestant, task: Task, asked: Asked) -> Iterator[Line]:
    if contestant.is_ours:
        chunks = _ours(contestant, asked)
        cut = _cuts(chunks)
        embedded = {"text": cut.texts, "context": [embed_text(chunk) for chunk in chunks]}
    else:
        cut = _theirs(contestant, asked)
        embedded = {"text": cut.texts}
    for called, texts in embedded.items():
        about = {"embedded": called, "cut_short": asked.model.cut_short(texts)}
        cosine = list(frontiers.by_cosine(asked.model.embed(texts), asked.model.embed(asked.words)))
        fused = map(frontiers.fused, cosine, frontiers.by_words(texts, asked.words))
        for ranking, orders, more in (("cosine", cosine, ()), (frontiers.BOTH, fused, ("bm25s",))):
            uses = {"uses": (*asked.packages, *more)}
            yield (
                about | frontiers.point(cut, asked.questions, orders) | {"ranking": ranking} | uses
            )
    if contestant.is_ours:
        uses = {"ranking": "index", "uses": asked.packages}
        yield about | _indexed(contestant, task, asked) | uses


def _cuts(chunks: Sequence[Chunk]) -> Cuts:
    places = [Reference(chunk.path, chunk.start, chunk.end) for chunk in chunks]
    return frontiers.cuts(places, [chunk.text for chunk in chunks])


def _ours(contestant: Contestant, asked: Asked) -> list[Chunk]:
    """With their paths, which are part of the context."""
    cut = contestant.make()
    documents = [Document(text, path, asked.language) for path, text in asked.texts.items()]
    return [chunk for document in documents for chunk in cut(document)]


def _theirs(contestant: Contestant, asked: Asked) -> Cuts:
    """A peer's, in the place where their characters are: some lay code out anew. A file that it
    refuses is in no chunk."""
    cut = contestant.make()
    places, texts = [], []
    for path, text in asked.texts.items():
        try:
            pieces = contestant.read(cut(text))
        except Exception as error:
            facts.say(f"{contestant.name} fails on {path}: {type(error).__name__}: {error}")
            continue
        for piece, span in zip(pieces.texts, _places(text, pieces), strict=True):
            if span is not None and piece.strip():
                places.append(Reference(path, *span))
                texts.append(piece)
    return frontiers.cuts(places, texts)


def _places(text: str, pieces: Pieces) -> list[Span | None]:
    """Where the characters of each piece are that are not white space."""
    visible = [at for at, one in enumerate(text) if not one.isspace()]
    short = ["".join(piece.split()) for piece in pieces.texts]
    spans = aligned("".join(text.split()), short)
    return [span and (visible[span[0]], visible[span[1] - 1] + 1) for span in spans]


def _indexed(contestant: Contestant, task: Task, asked: Asked) -> Line:
    """By an index of the same files: words, vectors and all signals of ranking."""
    granularity = "symbol" if "symbol" in contestant.name else "packed"
    config = {"size": task.size, "overlap": 0, "granularity": granularity, "file_header": False}
    chunks, orders = indexed.answers(asked.texts, asked.model, config, asked.words)
    return frontiers.point(_cuts(chunks), asked.questions, orders)
