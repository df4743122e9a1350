"""astchunk."""

from __future__ import annotations

from benchmarks.checks import Pieces
from benchmarks.peers import Cut, Task, UnsupportedError, peer

LANGUAGES = ("python", "java", "csharp", "typescript")


@peer(
    "astchunk",
    "astchunk",
    reads=("code",),
    units=("chars",),
    returned="texts, line numbers",
    read=lambda windows: Pieces([window["content"] for window in windows]),
    note="size without white space",
)
def astchunk(task: Task) -> Cut:
    from astchunk import ASTChunkBuilder

    if task.language not in LANGUAGES:
        raise UnsupportedError(f"reads {', '.join(LANGUAGES)}, not {task.language}")
    options = {"max_chunk_size": task.size, "language": task.language}
    return ASTChunkBuilder(metadata_template="default", **options).chunkify
