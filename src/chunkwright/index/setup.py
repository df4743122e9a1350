"""What an index is made with, settled once: root, folder, rules, chunk options, embedder; and
whether a stored index was made with the same. Nothing is read or written here.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from chunkwright import configuration, embedding, pipeline, sources
from chunkwright.embedding import EmbedderLike
from chunkwright.embedding.limits import UNLIMITED, chunk_options, room
from chunkwright.errors import ConfigError, StaleIndexError, StoreError
from chunkwright.store import FOLDER
from chunkwright.store.shared import SharedVectors
from chunkwright.types import Chunking, Document, Embedder

UNFINISHED = "unfinished"
"""Stored as the options' fingerprint while files are being chunked anew: old and new chunks lie
side by side, and nothing is to be answered from such a mixture."""

DIGEST_DIGITS = 16

LATE = "late"
"""Key of a fact, and its value where a refresh leaves the making of vectors for later."""

READS = "reads"
"""Key of a fact: how many tokens the embedder reads of a text; "" where there is no end."""

WORDS_ONLY = "none"
"""Stored as the embedder's name where there is none."""

VECTOR_CACHE = "CHUNKWRIGHT_VECTOR_CACHE"
"""Environment variable: the folder of the vectors that indexes share; empty: none."""

Config = configuration.Settings | Mapping[str, object] | None


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of one index."""

    root: Path
    folder: Path
    """Where the index lies."""
    rules: sources.Rules
    options: dict[str, Any]
    """For the chunkers."""
    embedder: Embedder | None
    late: bool | None = None
    """Whether a refresh leaves the making of vectors for later; None: as the index was made."""
    vector_cache: Path | None = None
    """Folder of the vectors that indexes share; None: none."""
    cut: Callable[[Document], Chunking] | None = None
    """What cuts a document; None: the chunker for its language, with the options."""

    @property
    def model(self) -> str:
        """Name of the embedder."""
        return self.embedder.name if self.embedder else WORDS_ONLY

    @property
    def dim(self) -> int:
        """Dimensions of its vectors; 0 without one."""
        return embedding.dim_of(self.embedder) if self.embedder else 0

    @property
    def rules_mark(self) -> str:
        """Equal for equal rules."""
        return _rules_mark(self.rules)

    def chunk(self, document: Document) -> Chunking:
        """A document, cut."""
        if self.cut is not None:
            return self.cut(document)
        return pipeline.chunk(document, **self.options)

    def shared_vectors(self) -> SharedVectors | None:
        """The cache of vectors that indexes share, if there is to be one."""
        if self.embedder is None or self.vector_cache is None:
            return None
        return SharedVectors(self.vector_cache, self.model, self.dim)

    def facts(self) -> dict[str, str]:
        """What an index that is made with this says of itself."""
        return {
            "root": str(self.root),
            "embedder": self.model,
            "dim": str(self.dim),
            READS: self.reads(),
            **self.late_fact(),
        }

    def is_late(self, stored: Mapping[str, str]) -> bool:
        """Whether a refresh leaves the making of vectors for later: as set, else as stored."""
        if self.embedder is None:
            return False
        return stored.get(LATE) == LATE if self.late is None else self.late

    def late_fact(self) -> dict[str, str]:
        """Whether vectors are made later, where that is set."""
        return {} if self.late is None else {LATE: LATE if self.late else ""}

    def reads(self) -> str:
        """How many tokens the embedder reads of a text; "" where there is no end."""
        most = UNLIMITED if self.embedder is None else room(self.embedder)
        return "" if most >= UNLIMITED else str(most)

    def check_root(self) -> None:
        """Raise PathError where the root is not there any more: making the index must not make a
        folder that was removed, nor clear away what is known of a disk that is not mounted."""
        sources.relative(self.root, ".")

    def check(self, stored: Mapping[str, str]) -> None:
        """Raise StaleIndexError where the stored index has another embedder or root, StoreError
        where nothing is stored yet but the tables."""
        learn = getattr(self.embedder, "learn_dim", None)
        if learn is not None and stored.get("embedder") == self.model:
            learn(int(stored.get("dim", "0")))  # so that a service need not be asked
        if "embedder" not in stored:
            raise StoreError(
                str(self.folder),
                "the index is not made yet",
                f"wait until it is, or make it with `chunkwright index {self.root}`",
            )
        rebuild = f"run `chunkwright index --rebuild {self.root}`"
        own = (stored.get("embedder"), stored.get("dim"))
        if own != (self.model, str(self.dim)):
            raise StaleIndexError(
                str(self.folder),
                "embedder",
                _described(*own),
                _described(self.model, str(self.dim)),
                f"{rebuild}, or give the embedder it was made with",
            )
        # An index that lies in its root may move with it.
        is_elsewhere = not self.folder.is_relative_to(self.root)
        if is_elsewhere and stored.get("root") != str(self.root):
            raise StaleIndexError(
                str(self.folder),
                "root",
                str(stored.get("root")),
                str(self.root),
                f"{rebuild}, or give another --index-dir",
            )

    def check_options(self, stored: Mapping[str, str], fingerprint: str) -> None:
        """Raise StaleIndexError where the stored chunks were made with other options."""
        if stored.get("chunker") != fingerprint:
            raise StaleIndexError(
                str(self.folder),
                "chunk options",
                str(stored.get("chunker")),
                fingerprint,
                f"run `chunkwright index {self.root}`, which chunks anew what the change touches",
            )

    def fingerprint(self) -> str:
        """Of the options and of the parsers that decide where cuts fall."""
        return digest(*self.fingerprints().values())

    def fingerprints(self) -> dict[str, str]:
        """Family of languages -> the same for its files alone."""
        return _fingerprints(tuple(sorted(self.options.items())))


@lru_cache
def _fingerprints(options: tuple[tuple[str, Any], ...]) -> dict[str, str]:
    """Looking up the versions of parsers takes 20 ms: once for each set of options."""
    return pipeline.fingerprints(**dict(options))


@lru_cache
def _rules_mark(rules: sources.Rules) -> str:
    return digest(msgspec.json.encode(rules).decode())


def digest(*facts: str) -> str:
    """A short name for some facts."""
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()[:DIGEST_DIGITS]


def settle(
    root: Path | str, embedder: EmbedderLike, config: Config, index_dir: Path | str | None
) -> Setup:
    """The setup for what the caller gave.

    Raises PathError for a root that is no folder, ConfigError for a wrong setting.
    """
    sources.relative(root, ".")
    folder = Path(root).resolve()
    if isinstance(index_dir, str) and not index_dir.strip():
        raise ConfigError("index_dir", index_dir, "the path of a folder, or None for the usual one")
    place = folder / FOLDER if index_dir is None else Path(index_dir).resolve()
    if place == folder:
        raise ConfigError("index_dir", str(index_dir), "a folder of its own, not the root")
    settings = _settings(folder, config, embedder)
    chosen = settings.embedder if embedder is None else embedder
    resolved = embedding.resolve(chosen, settings.embedder_options)
    return Setup(
        root=folder,
        folder=place,
        rules=sources.Rules(**settings.rule_options()),
        options=_options(settings, resolved),
        embedder=resolved,
        late=settings.late_embedding,
        vector_cache=_vector_cache(folder, settings.vector_cache, chosen, resolved),
    )


def _options(settings: configuration.Settings, embedder: Embedder | None) -> dict[str, Any]:
    """Those that are set; where they say nothing of sizes, those that the embedder asks for."""
    options = settings.chunker_options()
    is_sized = "size" in options or "measure" in options
    return options if is_sized else {**options, **chunk_options(embedder)}


def _vector_cache(
    root: Path, setting: str | None, chosen: EmbedderLike, embedder: Embedder | None
) -> Path | None:
    """Where vectors are shared: as configured, as the environment says, else in the user's cache
    for embedders that are slow. An object's name does not tell what made its vectors."""
    given = os.environ.get(VECTOR_CACHE) if setting is None else setting
    if given is not None:
        return root / Path(given).expanduser() if given else None
    is_slow = embedder is not None and not embedding.is_cheap(embedder)
    return _user_cache() / "chunkwright" if is_slow and isinstance(chosen, str) else None


def _user_cache() -> Path:
    """The user's folder for what can be made anew, by the habits of each system."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _settings(root: Path, config: Config, embedder: EmbedderLike) -> configuration.Settings:
    if isinstance(config, configuration.Settings):
        return config
    named = {"embedder": embedder} if isinstance(embedder, str) else {}
    return configuration.load(root, **{**(config or {}), **named})


def _described(name: str | None, dim: str | None) -> str:
    return "no embedder" if name == WORDS_ONLY else f"{name} ({dim} dimensions)"
