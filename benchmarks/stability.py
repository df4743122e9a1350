"""How many chunks of a text are still there after one small edit. Speed is elsewhere."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter

from benchmarks import facts
from benchmarks.checks import Pieces, Span, located
from benchmarks.corpora import SEED, Corpus
from benchmarks.facts import Line, say
from benchmarks.peers import Contestant, Task

LENGTH = 200_000
"""Code points of the text that is edited."""

EDITS = 100

LONGEST_EDIT = 40
"""Code points that one edit puts in or takes out."""

SECONDS_EACH = 20
"""About what one contestant may take; a slow one gets the first so many of the edits."""


@dataclass(frozen=True)
class Edit:
    """What replaces `start` to `end`."""

    start: int
    end: int
    text: str

    def apply(self, text: str) -> str:
        """The edited text."""
        return text[: self.start] + self.text + text[self.end :]


def edits(text: str, source: str, count: int) -> list[Edit]:
    """Insertions, deletions and replacements in turn, at random places; new text from `source`."""
    chance = random.Random(SEED)
    return [_edit(chance, text, source, number % 3) for number in range(count)]


def _edit(chance: random.Random, text: str, source: str, kind: int) -> Edit:
    start = chance.randrange(len(text))
    end = start if kind == 0 else min(start + chance.randint(1, LONGEST_EDIT), len(text))
    if kind == 1:
        return Edit(start, end, "")
    taken = chance.randrange(max(len(source) - LONGEST_EDIT, 1))
    return Edit(start, end, source[taken : taken + chance.randint(1, LONGEST_EDIT)])


def measure(
    corpus: Corpus, task: Task, rivals: Sequence[Contestant], count: int = EDITS
) -> Iterator[Line]:
    """A line for each contestant."""
    text = corpus.text[:LENGTH]
    changes = edits(text, corpus.text[LENGTH:] or corpus.text, count)
    for rival in rivals:
        say(f"  {rival.name}")
        yield {
            "what": "stability",
            **facts.of_corpus(corpus),
            **facts.of_task(task),
            **facts.of_contestant(rival),
            "megabytes": facts.megabytes(len(text)),
            "told_apart_by": "ids" if rival.is_ours else "texts",
            **_outcome(rival, text, changes),
        }


def _outcome(rival: Contestant, text: str, changes: Sequence[Edit]) -> Line:
    try:
        shares, behind = _kept(rival, text, changes)
    except Exception as error:
        if rival.is_ours:
            raise
        return facts.of_failure(error)
    return {"edits": len(shares), "kept": _mean(shares), "kept_behind": _mean(behind)}


def _kept(rival: Contestant, text: str, changes: Sequence[Edit]) -> tuple[list[float], list[float]]:
    """For each edit, the share of all chunks, and of the chunks behind it, that are still there."""
    begun = perf_counter()
    before = rival.read(rival.make()(text))
    spans = located(text, before)
    shares: list[float] = []
    behind: list[float] = []
    for change in changes:
        after = rival.read(rival.make()(change.apply(text)))
        shares.append(share_kept(before.identities, after.identities))
        later = _behind(before, spans, change)
        if later:
            behind.append(share_kept(later, after.identities))
        if perf_counter() - begun > SECONDS_EACH:
            break
    return shares, behind


def _behind(pieces: Pieces, spans: Sequence[Span | None], change: Edit) -> list[str]:
    placed = zip(pieces.identities, spans, strict=True)
    return [key for key, span in placed if span is not None and span[0] >= change.end]


def share_kept(before: Sequence[str], after: Sequence[str]) -> float:
    """Share of `before` that is in `after`, equal ones counted as often as they are there."""
    still = Counter(before) & Counter(after)
    return sum(still.values()) / len(before) if before else 1.0


def _mean(shares: Sequence[float]) -> float | None:
    return sum(shares) / len(shares) if shares else None
