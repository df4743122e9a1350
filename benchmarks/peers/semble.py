"""semble's chunker. Its size is no option of its public function: the one below that is called."""

from __future__ import annotations

from benchmarks.checks import Pieces
from benchmarks.peers import Cut, Task, peer


@peer(
    "semble",
    "semble",
    reads=("code",),
    units=("chars",),
    returned="texts, offsets",
    read=lambda found: Pieces([text for *_, text in found], [(a, b) for a, b, _ in found]),
)
def semble(task: Task) -> Cut:
    from semble.chunking.core import chunk

    def cut(text: str) -> list[tuple[int, int, str]]:
        spans = chunk(text, task.language, task.size) or []
        return [(span.start, span.end, text[span.start : span.end]) for span in spans]

    return cut
