"""semchunk."""

from __future__ import annotations

from benchmarks.checks import Pieces
from benchmarks.peers import Cut, Task, peer
from benchmarks.vocabulary import counter


@peer(
    "semchunk",
    "semchunk",
    returned="texts, offsets",
    read=lambda answer: Pieces(*answer),
    tokens_by="quicktok",
)
def semchunk(task: Task) -> Cut:
    from semchunk import chunkerify

    chunker = chunkerify(counter(task.unit), task.size)
    return lambda text: chunker(text, overlap=task.overlap or None, offsets=True)
