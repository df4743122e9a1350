"""An index of documents that were cut before: what evaluation asks, so that chunks of any splitter
are ranked as those of every index are. Nothing is cut here.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from chunkwright import sources
from chunkwright.index import Index
from chunkwright.index.setup import Setup
from chunkwright.store import FOLDER, Store
from chunkwright.types import Chunking, Document, Embedder

EVERYTHING = sources.Rules(max_file_size=2**40, ignore_files=False, allow_secrets=("*",))
"""What is there was chosen before."""


class PreparedIndex(Index):
    """An index of the files below `root` whose chunks `cut` gives; `embedder` None: words only.

    No configuration is read, and no vectors are shared with other indexes.
    """

    def __init__(
        self, root: Path, cut: Callable[[Document], Chunking], embedder: Embedder | None
    ) -> None:
        folder = root.resolve()
        self._setup = Setup(
            root=folder,
            folder=folder / FOLDER,
            rules=EVERYTHING,
            options={},
            embedder=embedder,
            cut=cut,
        )
        self._store = Store(self._setup.folder)
        self._refreshing = threading.Lock()
