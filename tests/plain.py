"""Small chunkers of the tests' own: honest ones, and ones broken from within. They share no code
with the chunkers they help to judge.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from msgspec.structs import replace

from chunkwright import Block, Chunk, Chunking, Diagnostic, Document
from trial import CLUSTER, LINE_END


@dataclass(frozen=True)
class Plain:
    """A small honest chunker: words up to the cap, cut between clusters, trimmed, overlapping."""

    size: int = 40
    overlap: int = 12

    def chunk(self, document: Document, blocks: Sequence[Block] | None = None) -> Chunking:
        text = document.text
        ends = [0, *(match.end() for match in CLUSTER.finditer(text))]
        spans = list(_spans(text, ends, self.size, self.overlap))
        return make_chunking(document, spans)


def _spans(text: str, ends: list[int], size: int, overlap: int) -> Iterator[tuple[int, int]]:
    done = 0
    while done < len(text):
        done += len(text[done:]) - len(text[done:].lstrip())
        start = done
        for back in range(max(0, done - overlap), done):
            if back and text[back - 1] == " " and text[back].isalpha():
                start = back
                break
        limit = max((end for end in ends if end - start <= size), default=start)
        end = limit
        if limit < len(text) and " " in text[done + 1 : limit]:
            end = text.rindex(" ", done + 1, limit)
        end = start + len(text[start:end].rstrip())
        if end > done:
            yield start, end
        done = max(end, done + 1)


def make_chunking(
    document: Document, spans: list[tuple[int, int]], count: Callable[[str], int] = len
) -> Chunking:
    """A chunking of these stretches, with every field as it should be."""
    lines = [match.end() for match in LINE_END.finditer(document.text)]
    seen: dict[str, int] = {}
    chunks: list[Chunk] = []
    for start, end in spans:
        text = document.text[start:end]
        seen[text] = seen.get(text, -1) + 1
        chunks.append(
            Chunk(
                text=text,
                start=start,
                end=end,
                start_line=1 + bisect_right(lines, start),
                end_line=1 + bisect_right(lines, end - 1),
                path=document.path,
                commit=document.commit,
                index=len(chunks),
                occurrence=seen[text],
                size=count(text),
                overlap=max(0, chunks[-1].end - start) if chunks else 0,
            )
        )
    return Chunking(
        tuple(chunks), document.path, document.text, parser="plain", covered=len(document.text)
    )


@dataclass(frozen=True)
class Every:
    """Cuts every so many code points, come what may."""

    size: int = 40

    def chunk(self, document: Document, blocks: Sequence[Block] | None = None) -> Chunking:
        text = document.text
        spans = []
        for at in range(0, len(text), self.size):
            piece = text[at : at + self.size]
            start = at + len(piece) - len(piece.lstrip())
            spans.append((start, start + len(piece.strip())))
        return make_chunking(document, [span for span in spans if span[0] < span[1]])


@dataclass(frozen=True)
class Forgetful(Plain):
    """Its options do not come through pickling."""

    def __reduce__(self) -> tuple[object, ...]:
        return (Forgetful, (20,))


@dataclass(frozen=True)
class WholeLines:
    """So many lines a chunk, honestly; `cut_short` takes a character from every line's end."""

    lines: int = 2
    cut_short: int = 0

    def chunk(self, document: Document, blocks: Sequence[Block] | None = None) -> Chunking:
        text = document.text
        starts = [0, *(match.end() for match in LINE_END.finditer(text))][:: self.lines]
        spans = []
        for start, following in pairwise([*starts, len(text)]):
            end = start + len(text[start:following].rstrip("\r\n")) - self.cut_short
            if text[start:end].strip():
                spans.append((start, end))
        return make_chunking(document, spans)


@dataclass(frozen=True)
class LooksBack:
    """Quadratic: for every chunk it goes over all that went before."""

    def chunk(self, document: Document, blocks: Sequence[Block] | None = None) -> Chunking:
        chunking = WholeLines().chunk(document)
        for chunk in chunking:
            for position in range(0, chunk.start, 8):
                _ = position
        return chunking


@dataclass(frozen=True)
class MeasuresAllThatIsLeft:
    """Quadratic: for every chunk it measures the whole rest of the text."""

    count: Callable[[str], int]

    def chunk(self, document: Document, blocks: Sequence[Block] | None = None) -> Chunking:
        chunking = WholeLines().chunk(document)
        for chunk in chunking:
            self.count(document.text[chunk.start :])
        return chunking


@dataclass(frozen=True)
class KeepsAllThatWasLeft:
    """Quadratic in memory: it holds the rest of the text for every chunk."""

    def chunk(self, document: Document, blocks: Sequence[Block] | None = None) -> Chunking:
        chunking = WholeLines().chunk(document)
        rests = [document.text[chunk.start :] for chunk in chunking]
        assert len(rests) == len(chunking)
        return chunking


@dataclass(frozen=True)
class Recursive:
    """Recurses on every chunk, so that a long text ends in RecursionError."""

    def chunk(self, document: Document, blocks: Sequence[Block] | None = None) -> Chunking:
        self._rest(document.text)
        return WholeLines().chunk(document)

    def _rest(self, text: str) -> None:
        if text:
            self._rest(text[1:])


@dataclass(frozen=True)
class SingleCodePoints:
    """One code point a chunk, under a cap in bytes; `tells` whether one alone is over it."""

    tells: bool = True

    def chunk(self, document: Document, blocks: Sequence[Block] | None = None) -> Chunking:
        text = document.text
        chunking = make_chunking(document, [(at, at + 1) for at in range(len(text))], count_bytes)
        told = Diagnostic("warning", "over_cap", "a code point is larger than the cap")
        return replace(chunking, diagnostics=(told,) if self.tells else ())


def count_bytes(text: str) -> int:
    return len(text.encode())
