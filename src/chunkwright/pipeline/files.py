"""One file, or every file of a tree, to its chunks. What may be read is for sources to say; a file
that is not read, or fails, is an empty `Chunking` that says why.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from chunkwright.errors import PathError, told
from chunkwright.pipeline.choosing import Chooser
from chunkwright.sources import (
    CHOSEN,
    DEFAULT_RULES,
    FAILURES,
    Keep,
    Rules,
    Skip,
    Source,
    read,
    relative,
    walk,
)
from chunkwright.types import Chunking, Diagnostic

PathLike = str | os.PathLike[str]


def chunk_file(
    path: PathLike,
    root: PathLike | None = None,
    *,
    rules: Rules | None = None,
    commit: str = "",
    **options: Any,
) -> Chunking:
    """The chunks of one file; its path is relative to `root`, by default the working folder.

    Ignore files do not count here: who names a file wants it. A secret, a binary file and one over
    `rules.max_file_size` are not read all the same: then the `Chunking` is empty, with a
    diagnostic `skipped` that names reason and rule. `options` go to the chunker that fits.
    Raises PathError where the path is missing, a folder, or outside the root; ConfigError.
    """
    base = Path.cwd() if root is None else Path(root)
    place = relative(base, path)
    if (base / place).is_dir():
        raise PathError(os.fspath(path), "is a folder", "use chunk_tree")
    chooser = Chooser(options)
    found = read(base, place, rules or DEFAULT_RULES, commit)
    return _not_read(found) if isinstance(found, Skip) else _cut(found, chooser)


def chunk_tree(
    root: PathLike,
    *,
    rules: Rules | None = None,
    under: PathLike = ".",
    commit: str = "",
    **options: Any,
) -> Iterator[Chunking]:
    """One `Chunking` a file below `root`, sorted by path, each made when it is asked for.

    A file that is left out gives an empty one with diagnostic `skipped`, which names reason and
    rule; of a folder that is left out there is one for the whole, its path ending with `/`. A file
    that cannot be read or cut gives an empty one with diagnostic `failed`. `under` narrows the
    walk to one folder or file. Raises PathError for a wrong folder, ConfigError for a wrong option.
    """
    base = Path(root)
    rules = rules or DEFAULT_RULES
    chooser = Chooser(options).check()
    found = walk(base, rules, ignored=True, under=under)
    return (_answered(base, one, rules, commit, chooser) for one in found)


def _answered(
    root: Path, found: Keep | Skip, rules: Rules, commit: str, chooser: Chooser
) -> Chunking:
    if isinstance(found, Skip):
        return _not_read(found)
    try:
        source = read(root, found.path, rules, commit)
        return _not_read(source) if isinstance(source, Skip) else _cut(source, chooser)
    except Exception as error:  # whatever one file does, the others are cut
        message = told(error)
        return Chunking(path=found.path, diagnostics=(Diagnostic("error", "failed", message),))


def _cut(source: Source, chooser: Chooser) -> Chunking:
    chunking = chooser.choose(source.document).chunk(source.document)
    if not source.diagnostics:
        return chunking
    diagnostics = (*source.diagnostics, *chunking.diagnostics)
    return msgspec.structs.replace(chunking, diagnostics=diagnostics)


def _not_read(skip: Skip) -> Chunking:
    message = f"{skip.reason}: {skip.rule}" if skip.rule else skip.reason
    if skip.reason in FAILURES:
        diagnostic = Diagnostic("error", "failed", message)
    else:
        level = "info" if skip.reason in CHOSEN else "warning"
        diagnostic = Diagnostic(level, "skipped", message)
    return Chunking(path=skip.path, diagnostics=(diagnostic,))
