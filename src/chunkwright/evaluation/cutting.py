"""A corpus cut by a strategy at a size: its chunks, what each counts, and what went wrong. What the
chunks are worth is not judged here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

from chunkwright.chunking.many import one_by_one
from chunkwright.errors import ConfigError
from chunkwright.evaluation.corpus import Corpus
from chunkwright.evaluation.foreign import NOT_FOUND
from chunkwright.evaluation.nouns import Asked, Cut, row_name
from chunkwright.evaluation.strategies import Strategy
from chunkwright.types import Chunk, Chunking

FAILED = "failed"
"""Code of the diagnostic of a document that could not be cut."""


class Cutting(msgspec.Struct, frozen=True):
    """What a strategy made of a corpus."""

    strategy: str
    size: int | None
    chunkings: tuple[Chunking, ...]
    """One a document, in the order of the corpus."""
    chunks: tuple[Chunk, ...]
    """Of all documents, in order."""
    cut: Cut
    """What made it."""

    @property
    def sizes(self) -> tuple[int, ...]:
        """Of each chunk, in the measure."""
        return tuple(chunk.size for chunk in self.chunks)

    @property
    def name(self) -> str:
        """Strategy and size, as a baseline is named."""
        return row_name(self.strategy, self.size)

    def notes(self) -> Iterator[str]:
        """What went otherwise than asked, in sentences."""
        failures = _failures(self.chunkings)
        if failures:
            more = f", nor of {len(failures) - 1:,} more" if len(failures) > 1 else ""
            yield f"{self.name} made no chunks of {failures[0]}{more}."
        lost = _lost(self.chunkings)
        if lost:
            count = f"{lost:,} of the {lost + len(self.chunks):,} pieces"
            yield f"{count} of {self.name} are not found in the text, in order, and are left out."


def cut(corpus: Corpus, strategy: Strategy, asked: Asked) -> Cutting:
    """Cut every document. Raises ConfigError where the strategy does not fit what is asked, and
    where no chunk comes out of it."""
    return cut_by(strategy.cutter(asked), corpus, strategy, asked.size)


def cut_by(cutter: Cut, corpus: Corpus, strategy: Strategy, size: int | None) -> Cutting:
    """The same by what a strategy has made for that size."""
    documents = corpus.documents if strategy.takes_files else corpus.as_texts()
    chunkings = tuple(
        one if one.text else replace(one, text=corpus.texts[one.path])  # where cutting failed
        for one in one_by_one(cutter, documents)
    )
    chunks = tuple(chunk for chunking in chunkings for chunk in chunking)
    if not chunks:
        reason = _nothing(chunkings)
        raise ConfigError("strategies", strategy.name, f"one that makes chunks here: {reason}")
    return Cutting(strategy.name, size, chunkings, chunks, cutter)


def _nothing(chunkings: Sequence[Chunking]) -> str:
    """Why there is no chunk at all."""
    failures = _failures(chunkings)
    if failures:
        return f"of {failures[0]}"
    lost = _lost(chunkings)
    return f"none of its {lost:,} pieces stands in the text" if lost else "it gave none"


def _failures(chunkings: Sequence[Chunking]) -> list[str]:
    """The documents that could not be cut, each with the reason."""
    return [
        f"{chunking.path} ({diagnostic.message})"
        for chunking in chunkings
        for diagnostic in chunking.diagnostics
        if diagnostic.code == FAILED
    ]


def _lost(chunkings: Sequence[Chunking]) -> int:
    """How many pieces could not be located."""
    return sum(
        diagnostic.code == NOT_FOUND
        for chunking in chunkings
        for diagnostic in chunking.diagnostics
    )
