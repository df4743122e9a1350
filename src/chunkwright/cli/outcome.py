"""Exit codes, and which error stands for which. A crash is none of these."""

from __future__ import annotations

from chunkwright.errors import (
    ChunkwrightError,
    ConfigError,
    EmbedError,
    ParseError,
    PathError,
    RerankError,
    StoreError,
)

OK = 0
NOTHING_FOUND = 1
"""Of a search only."""
WRONG_USAGE = 2
PARTIAL = 3
"""Some files failed; they are listed on stderr. A skipped file has not failed."""
STORE_OR_EMBEDDER = 4
BUG = 70
"""EX_SOFTWARE of sysexits.h: no answer of ours, so that a crash is never taken for one."""
NO_OUTPUT = 74
"""EX_IOERR of sysexits.h: stdout could not be written, on a full disk say."""
INTERRUPTED = 130
"""128 + SIGINT, as shells count."""

_CODES: tuple[tuple[type[ChunkwrightError], int], ...] = (
    (ConfigError, WRONG_USAGE),
    (PathError, WRONG_USAGE),
    (ParseError, PARTIAL),
    (EmbedError, STORE_OR_EMBEDDER),
    (RerankError, STORE_OR_EMBEDDER),
    (StoreError, STORE_OR_EMBEDDER),
)


def of(error: ChunkwrightError) -> int:
    """The exit code an error of ours stands for."""
    return next((code for kind, code in _CODES if isinstance(error, kind)), BUG)
