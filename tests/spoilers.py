"""What can be done to an honest chunking so that it breaks a promise: one function a fault, by the
promise it breaks. Chunkers that are broken from within are in plain.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from chunkwright import Block, Chunk, Chunking, Diagnostic, Document, Excluded
from plain import make_chunking
from trial import LINE_END, Cutter

SIZE, OVERLAP = 40, 12
"""The options of the chunkers that are spoiled."""


@dataclass(frozen=True)
class Spoiled:
    """Wraps an honest chunker and spoils what it gives."""

    honest: Cutter
    spoil: Callable[[Chunking], Chunking]

    def chunk(self, document: Document, blocks: Sequence[Block] | None = None) -> Chunking:
        return self.spoil(self.honest.chunk(document, blocks))


def changed(chunking: Chunking, at: int, **fields: Any) -> Chunking:
    """One chunk with other fields."""
    chunks = list(chunking.chunks)
    chunks[at] = replace(chunks[at], **fields)
    return replace(chunking, chunks=tuple(chunks))


def numbered(chunking: Chunking, chunks: Sequence[Chunk]) -> Chunking:
    """Other chunks, with the numbering and the overlaps they would honestly have."""
    told: list[Chunk] = []
    for at, chunk in enumerate(chunks):
        before = told[-1].end if told else 0
        told.append(replace(chunk, index=at, overlap=max(0, before - chunk.start)))
    return replace(chunking, chunks=tuple(told))


def span(chunking: Chunking, start: int, end: int) -> Chunk:
    """An honest chunk of another stretch."""
    document = Document(chunking.text, path=chunking.path)
    return make_chunking(document, [(start, end)])[0]


def with_span(chunking: Chunking, at: int, start: int, end: int) -> Chunking:
    chunks = list(chunking.chunks)
    chunks[at] = span(chunking, start, end)
    return numbered(chunking, chunks)


# SLICE


def changes_a_letter(chunking: Chunking) -> Chunking:
    return changed(chunking, 1, text=chunking[1].text.swapcase())


def counts_bytes_for_code_points(chunking: Chunking) -> Chunking:
    last = chunking[-1]
    start, end = (len(chunking.text[:at].encode()) for at in (last.start, last.end))
    return changed(chunking, -1, start=start, end=end)


def joins_lines_anew(chunking: Chunking) -> Chunking:
    text = chunking.text.replace("\r\n", "\n")
    return replace(chunking, text=text)


# COVER


def loses_a_chunk(chunking: Chunking) -> Chunking:
    return numbered(chunking, [*chunking[:3], *chunking[4:]])


def loses_the_last_letter(chunking: Chunking) -> Chunking:
    last = chunking[-1]
    return with_span(chunking, len(chunking) - 1, last.start, last.end - 1)


def excludes_what_it_holds(chunking: Chunking) -> Chunking:
    return replace(chunking, excluded=(Excluded(0, 5, "front_matter"),))


def excludes_for_no_reason(chunking: Chunking) -> Chunking:
    first = chunking[0]
    rest = numbered(chunking, chunking[1:])
    return replace(rest, excluded=(Excluded(0, first.end, "dull"),))


def claims_to_be_truncated(chunking: Chunking) -> Chunking:
    told = (Diagnostic("warning", "truncated", "said for nothing"),)
    return replace(chunking, truncated=True, diagnostics=told)


def covers_less_than_it_says(chunking: Chunking) -> Chunking:
    told = (Diagnostic("warning", "truncated", "stopped early"),)
    half = numbered(chunking, chunking[:3])
    return replace(half, truncated=True, covered=chunking[4].end, diagnostics=told)


# CAP


def joins_two_chunks(chunking: Chunking) -> Chunking:
    joined = span(chunking, chunking[1].start, chunking[2].end)
    return numbered(chunking, [chunking[0], joined, *chunking[3:]])


def lies_about_its_size(chunking: Chunking) -> Chunking:
    return changed(chunking, 2, size=chunking[2].size - 1)


# NOBLANK


def adds_a_blank_chunk(chunking: Chunking) -> Chunking:
    at = chunking.text.index("\r\n\r\n")
    before = [chunk for chunk in chunking if chunk.end <= at]
    after = [chunk for chunk in chunking if chunk.end > at]
    return numbered(chunking, [*before, span(chunking, at, at + 4), *after])


def adds_an_empty_chunk(chunking: Chunking) -> Chunking:
    end = chunking[-1].end
    return numbered(chunking, [*chunking, replace(chunking[-1], text="", start=end, size=0)])


# ORDER


def turns_the_order_round(chunking: Chunking) -> Chunking:
    return numbered(chunking, chunking[::-1])


def puts_a_chunk_into_another(chunking: Chunking) -> Chunking:
    inner = span(chunking, chunking[0].start + 4, chunking[0].end)
    return numbered(chunking, [chunking[0], inner, *chunking[1:]])


def puts_a_header_among_the_others(chunking: Chunking) -> Chunking:
    header = replace(chunking[0], kind="file_header", level=0)
    return numbered(chunking, [header, *chunking])


def numbers_from_one(chunking: Chunking) -> Chunking:
    return replace(chunking, chunks=tuple(replace(c, index=c.index + 1) for c in chunking))


# LINES


def _with_lines(chunking: Chunking, line: Callable[[int], int]) -> Chunking:
    chunks = (replace(c, start_line=line(c.start), end_line=line(c.end - 1)) for c in chunking)
    return replace(chunking, chunks=tuple(chunks))


def counts_lines_from_zero(chunking: Chunking) -> Chunking:
    text = chunking.text
    return _with_lines(chunking, lambda at: len(LINE_END.findall(text, 0, at)))


def takes_no_lone_carriage_return_for_a_line_end(chunking: Chunking) -> Chunking:
    return _with_lines(chunking, lambda at: 1 + chunking.text[:at].count("\n"))


def takes_a_line_separator_for_a_line_end(chunking: Chunking) -> Chunking:
    return _with_lines(chunking, lambda at: len((chunking.text[:at] + "x").splitlines()))


def says_where_the_line_after_begins(chunking: Chunking) -> Chunking:
    return changed(chunking, 0, end_line=chunking[0].end_line + 1)


# OVERLAP


def _overlapping(chunking: Chunking) -> int:
    return next(at for at, chunk in enumerate(chunking) if chunk.overlap)


def denies_its_overlap(chunking: Chunking) -> Chunking:
    return changed(chunking, _overlapping(chunking), overlap=0)


def claims_an_overlap(chunking: Chunking) -> Chunking:
    return changed(chunking, 0, overlap=4)


def repeats_more_than_asked(chunking: Chunking) -> Chunking:
    at = _overlapping(chunking)
    wanted = chunking[at - 1].end - OVERLAP - 5
    return with_span(chunking, at, wanted, wanted + SIZE)


def starts_inside_a_word(chunking: Chunking) -> Chunking:
    at = next(
        at
        for at, chunk in enumerate(chunking)
        if chunk.overlap and " " in chunk.text[1 : chunk.overlap] and chunk.text[:2].isalpha()
    )
    chunk = chunking[at]
    return with_span(chunking, at, chunk.start + 1, chunk.end)


def ends_with_a_piece_of_the_chunk_before(chunking: Chunking) -> Chunking:
    suffix = span(chunking, chunking[-1].end - 4, chunking[-1].end)
    return numbered(chunking, [*chunking, suffix])


# CAP+ and LOUD, where something else is asked


def carries_much(chunking: Chunking) -> Chunking:
    return changed(chunking, 1, carry="a header that is repeated\n" * 4)


def says_no_grammar(chunking: Chunking) -> Chunking:
    return replace(chunking, diagnostics=(Diagnostic("warning", "grammar_missing", "none"),))


# UNIQUE


def forgets_that_it_said_so_before(chunking: Chunking) -> Chunking:
    first = next(at for at, chunk in enumerate(chunking) if chunk.occurrence)
    return changed(chunking, first, occurrence=0)


# STABLE


class KnowsItsLine(Chunk, frozen=True):
    @property
    def id(self) -> str:
        return hashlib.sha256(f"{self.start_line}{self.text}".encode()).hexdigest()[:32]


class KnowsItsCommit(Chunk, frozen=True):
    @property
    def id(self) -> str:
        plain = replace(self, commit="")
        return super(KnowsItsCommit, plain).id if not self.commit else self.commit


def _as(kind: type[Chunk], chunking: Chunking) -> Chunking:
    fields = Chunk.__struct_fields__
    chunks = (kind(**{name: getattr(chunk, name) for name in fields}) for chunk in chunking)
    return replace(chunking, chunks=tuple(chunks))


def puts_the_line_into_the_id(chunking: Chunking) -> Chunking:
    return _as(KnowsItsLine, chunking)


def puts_the_commit_into_the_id(chunking: Chunking) -> Chunking:
    return _as(KnowsItsCommit, chunking)


TIMES = itertools.count()


def cuts_otherwise_each_time(chunking: Chunking) -> Chunking:
    return changed(chunking, 0, name=f"run {next(TIMES)}")


# LOUD


def truncates_silently(chunking: Chunking) -> Chunking:
    half = numbered(chunking, chunking[:3])
    return replace(half, truncated=True, covered=half[-1].end)


def gives_nothing_and_says_nothing(chunking: Chunking) -> Chunking:
    return replace(chunking, chunks=(), covered=0)


def invents_a_code(chunking: Chunking) -> Chunking:
    return replace(chunking, diagnostics=(Diagnostic("info", "hiccup", "no such code"),))


def drops_the_prefix_silently(chunking: Chunking) -> Chunking:
    return changed(chunking, 1, prefix=False)


# EDGES and FIELDS


def keeps_white_space_at_the_end(chunking: Chunking) -> Chunking:
    at = next(
        at
        for at, c in enumerate(chunking)
        if chunking.text[c.end : c.end + 1] == " " and c.size < SIZE
    )
    return with_span(chunking, at, chunking[at].start, chunking[at].end + 1)


def keeps_white_space_at_the_start(chunking: Chunking) -> Chunking:
    at = next(
        at
        for at, c in enumerate(chunking)
        if c.start and chunking.text[c.start - 1] in " \n" and c.size < SIZE
    )
    return with_span(chunking, at, chunking[at].start - 1, chunking[at].end)


def invents_a_kind(chunking: Chunking) -> Chunking:
    return changed(chunking, 0, kind="snippet")


def counts_parts_that_are_not_there(chunking: Chunking) -> Chunking:
    return changed(chunking, 0, parts=2)


def forgets_the_path(chunking: Chunking) -> Chunking:
    return changed(chunking, 0, path="")


SPOILERS: dict[str, tuple[Callable[[Chunking], Chunking], ...]] = {
    "SLICE": (changes_a_letter, counts_bytes_for_code_points, joins_lines_anew),
    "COVER": (
        loses_a_chunk,
        loses_the_last_letter,
        excludes_what_it_holds,
        excludes_for_no_reason,
        claims_to_be_truncated,
        covers_less_than_it_says,
    ),
    "CAP": (joins_two_chunks, lies_about_its_size),
    "NOBLANK": (adds_a_blank_chunk, adds_an_empty_chunk),
    "ORDER": (
        turns_the_order_round,
        puts_a_chunk_into_another,
        puts_a_header_among_the_others,
        numbers_from_one,
    ),
    "LINES": (
        counts_lines_from_zero,
        takes_no_lone_carriage_return_for_a_line_end,
        takes_a_line_separator_for_a_line_end,
        says_where_the_line_after_begins,
    ),
    "OVERLAP": (
        denies_its_overlap,
        claims_an_overlap,
        repeats_more_than_asked,
        starts_inside_a_word,
        ends_with_a_piece_of_the_chunk_before,
    ),
    "UNIQUE": (forgets_that_it_said_so_before,),
    "STABLE": (puts_the_line_into_the_id, puts_the_commit_into_the_id, cuts_otherwise_each_time),
    "LOUD": (
        truncates_silently,
        gives_nothing_and_says_nothing,
        invents_a_code,
        drops_the_prefix_silently,
    ),
    "EDGES": (keeps_white_space_at_the_end, keeps_white_space_at_the_start),
    "FIELDS": (invents_a_kind, counts_parts_that_are_not_there, forgets_the_path),
}
