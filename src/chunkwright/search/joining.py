"""Neighbouring hits that belong together are one answer. Hits that overlap became one in ranking;
whole documents are made in `grouping`.

Parts of one symbol or section belong together, and stretches of running text that follow on one
another. Two functions side by side do not: whoever asks wants to see that there are two, each with
its own name, lines and score.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from chunkwright.types import Chunk, Hit

MOST_JOINED = 5
"""Chunks in one answer. Without a limit, a long text all of which fits a query would be one."""

RUNNING_KINDS = frozenset({"segment", "window"})
"""Kinds of chunks whose borders say nothing: they fall where the size is reached."""

_Run = tuple[str, str, int, str, int]
"""What chunks have in common that follow on one another."""


def joined(ranked: Iterable[Hit], k: int) -> list[Hit]:
    """The first k answers, in their order; a hit joins the answer it follows on or precedes.

    Only what would be shown anyway joins: the hits below the k-th answer are not looked at.
    """
    answers: list[list[Hit]] = []
    at: dict[tuple[_Run, int], list[Hit]] = {}
    for hit in ranked:
        if len(answers) == k:
            break
        run, place = _run(hit.chunk)
        if run is None:
            answers.append([hit])
            continue
        beside = [at[run, near] for near in (place - 1, place + 1) if (run, near) in at]
        answer = _bridged(beside, answers)
        if answer is None:
            answer = []
            answers.append(answer)
        answer.append(hit)
        at.update({(run, _run(member.chunk)[1]): answer for member in answer})
    return [_one(answer) for answer in answers]


def _run(chunk: Chunk) -> tuple[_Run | None, int]:
    """What the chunk is a piece of, None where it stands for itself; and which piece."""
    place = (chunk.path, chunk.attachment_path, chunk.level)
    if chunk.parts > 1:
        # Parts are numbered within what they are parts of: the difference is that thing's own.
        return (*place, chunk.name, chunk.index - chunk.part), chunk.part
    if chunk.kind in RUNNING_KINDS:
        return (*place, chunk.kind, -1), chunk.index
    return None, 0


def _bridged(beside: list[list[Hit]], answers: list[list[Hit]]) -> list[Hit] | None:
    """The answer a hit joins, which may close the gap between two; None where there is none, or
    none with room."""
    ranked = sorted(beside, key=answers.index)
    if len(ranked) == 2 and sum(map(len, ranked)) < MOST_JOINED:
        better, other = ranked
        answers.remove(other)
        better += other
        return better
    return next((answer for answer in ranked if len(answer) < MOST_JOINED), None)


def _one(answer: list[Hit]) -> Hit:
    best, *others = answer
    if not others:
        return best
    pieces = sorted((hit.chunk for hit in others), key=lambda chunk: chunk.start)
    return replace(best, merged=tuple(pieces))
