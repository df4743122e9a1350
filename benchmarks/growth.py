"""How time and memory grow with the text, for chunkwright alone. Comparisons are elsewhere.

As a program (`python -m benchmarks.growth SUBJECT FILE`) it cuts one file in a process of its own
and prints by how much the resident set grew.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from benchmarks import facts
from benchmarks.corpora import Corpus
from benchmarks.facts import Line, say
from benchmarks.peers import CHARACTERS, SECTIONS, TOKENS, Contestant, Peer, Task, ours
from benchmarks.timing import Call, interleaved

SHARES = (0.1, 0.2, 0.4, 0.8)
"""Of the text: 1, 2, 4 and 8 MB of the usual 10."""

SUBJECTS: dict[str, tuple[Peer, Task]] = {
    "text_chunker": (ours.text_chunker, CHARACTERS),
    "stable_text_chunker": (ours.stable_text_chunker, CHARACTERS),
    "recursive_chunker": (ours.recursive_chunker, CHARACTERS),
    "text_chunker in tokens": (ours.text_chunker, TOKENS),
    "markdown_chunker": (ours.markdown_chunker, SECTIONS),
}

TEXT_SUBJECTS = tuple(SUBJECTS)[:4]
"""Those that plain text is cut with."""

WARM_UP = 20_000
"""Code points cut before memory is looked at, so that what is loaded once does not count."""

STATUS = Path("/proc/self/status")
RESET_PEAK = Path("/proc/self/clear_refs")
"""Linux: writing 5 makes the peak of the resident set what it is now."""

KIBIBYTE = 1024

ROOT = Path(__file__).parent.parent
"""Where `benchmarks` is found."""


def times(corpus: Corpus, rounds: int, names: Sequence[str] = TEXT_SUBJECTS) -> Iterator[Line]:
    """A line for each subject and each length, relative to the shortest."""
    for name in names:
        say(f"  {name}")
        taken = _times(name, corpus.text, rounds)
        least = min(taken)
        for length, seconds in taken.items():
            each = seconds / facts.megabytes(length)
            yield {
                **_heading("growth", corpus, name),
                "megabytes": facts.megabytes(length),
                "megabytes_per_second": 1 / each,
                "relative": each / (taken[least] / facts.megabytes(least)),
                "rounds": rounds,
            }


def memory(corpus: Corpus) -> Iterator[Line]:
    """A line for each subject: peaks as multiples of the text's own size, the result kept."""
    text = corpus.text[: int(len(corpus.text) * SHARES[-1])]
    own = sys.getsizeof(text)
    for name in TEXT_SUBJECTS:
        say(f"  {name}")
        peak, kept = _traced(name, text)
        resident = _resident(name, text)
        yield {
            **_heading("memory", corpus, name),
            "megabytes": facts.megabytes(len(text)),
            "text_bytes": own,
            "traced_peak": peak / own,
            "traced_kept": kept / own,
            "resident_peak": None if resident is None else resident / own,
        }


def _heading(what: str, corpus: Corpus, name: str) -> Line:
    return {
        "what": what,
        **facts.of_corpus(corpus),
        **facts.of_task(SUBJECTS[name][1]),
        **facts.of_contestant(_subject(name)),
    }


def _subject(name: str) -> Contestant:
    chunker, task = SUBJECTS[name]
    return chunker.contestant(task)


def _times(name: str, text: str, rounds: int) -> dict[int, float]:
    """Length -> shortest time."""
    lengths = {str(share): max(int(len(text) * share), 1) for share in SHARES}
    calls = {share: partial(_call, name, text[:length]) for share, length in lengths.items()}
    taken = interleaved(calls, rounds)
    return {lengths[share]: seconds for share, seconds in taken.items()}


def _call(name: str, text: str) -> Call:
    cut = _subject(name).make()
    cut(text[:WARM_UP])
    return partial(cut, text)


def _traced(name: str, text: str) -> tuple[int, int]:
    """Most that Python had allocated at once, and what it kept, in bytes."""
    call = _call(name, text)
    tracemalloc.start()
    chunks = call()
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del chunks
    return peak, kept


def _resident(name: str, text: str) -> int | None:
    """Growth of the resident set of a new process, in bytes; None where the system has no say."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "text"
        file.write_bytes(text.encode())
        command = [sys.executable, "-m", __spec__.name, name, str(file)]
        ran = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE)
    grown: int | None = json.loads(ran.stdout)
    return grown


def resident_growth(name: str, file: Path) -> int | None:
    """The same in this process. Most at once, the text itself not counted."""
    text = file.read_bytes().decode()
    call = _call(name, text)
    if not STATUS.exists() or not RESET_PEAK.exists():
        return None
    RESET_PEAK.write_text("5")
    before = _status("VmRSS")
    chunks = call()
    grown = _status("VmHWM") - before
    del chunks
    return grown


def _status(field: str) -> int:
    for line in STATUS.read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) * KIBIBYTE
    raise KeyError(field)


def _main(arguments: Sequence[str]) -> None:
    name, file = arguments
    print(json.dumps(resident_growth(name, Path(file))))


if __name__ == "__main__":
    _main(sys.argv[1:])
