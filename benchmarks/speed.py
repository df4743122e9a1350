"""How fast each contestant cuts a text, and what its output keeps. Who takes part is elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from benchmarks import facts
from benchmarks.checks import located, mean_overlap, promises
from benchmarks.corpora import Corpus
from benchmarks.facts import Line, say
from benchmarks.peers import Contestant, Task
from benchmarks.timing import Call, interleaved, part_in_time
from benchmarks.vocabulary import counter

SECONDS_EACH = 20
"""About what one contestant may take for one text, all rounds and its check together; where the
whole text would take longer, it is given a part."""


def measure(
    what: str, corpus: Corpus, task: Task, rivals: Sequence[Contestant], rounds: int
) -> Iterator[Line]:
    """A line for each contestant; the first is what the ratios are in proportion to."""
    trials = {rival.name: _trial(rival, corpus.text, task, rounds) for rival in rivals}
    parts = {name: length for name, (length, _) in trials.items() if length}
    calls = {
        rival.name: partial(_call, rival, corpus.text[: parts[rival.name]])
        for rival in rivals
        if rival.name in parts
    }
    taken = interleaved(calls, rounds)
    speeds = {name: facts.megabytes(parts[name]) / taken[name] for name in parts}
    for rival in rivals:
        speed = speeds.get(rival.name)
        say(f"  {rival.name}: " + (f"{speed:.2f} MB/s" if speed else "failed"))
        yield {
            "what": what,
            **facts.of_corpus(corpus),
            **facts.of_task(task),
            **facts.of_contestant(rival),
            "megabytes": facts.megabytes(trials[rival.name][0]),
            "megabytes_per_second": speed,
            "ratio": speed and speed / speeds[rivals[0].name],
            "rounds": rounds,
            **trials[rival.name][1],
        }


def _trial(rival: Contestant, text: str, task: Task, rounds: int) -> tuple[int, Line]:
    """How much of the text it is given, and what its output is like; 0 where it fails."""
    try:
        part = _part(rival, text, rounds)
        return len(part), _output(rival, part, task)
    except Exception as error:
        if rival.is_ours:
            raise
        return 0, facts.of_failure(error)


def _part(rival: Contestant, text: str, rounds: int) -> str:
    def make(length: int) -> Any:
        return partial(_call, rival, text[:length])

    return text[: part_in_time(make, len(text), SECONDS_EACH / (rounds + 2))]


def _call(rival: Contestant, text: str) -> Call:
    return partial(rival.make(), text)


def _output(rival: Contestant, text: str, task: Task) -> Line:
    """Number of chunks, how much they repeat, and the promises they keep."""
    answer = rival.make()(text)
    if not rival.cuts:
        return {"chunks": None, "mean_overlap": None, "promises": {}}
    pieces = rival.read(answer)
    spans = located(text, pieces)
    return {
        "chunks": len(pieces.texts),
        "mean_overlap": mean_overlap(spans),
        "promises": promises(text, pieces, spans, task.size, counter(task.unit)),
    }
