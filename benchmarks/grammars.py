"""Grammars for peers that load them: those that are installed. Where a peer would download them at
first use (tree-sitter-language-pack), they are laid into the folder that it names, from
semble-grammars.
"""

from __future__ import annotations

import os
import tempfile
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.peers import UnsupportedError
from chunkwright.languages import find

PACK_GRAMMARS = (
    "bash c cpp csharp css dart elixir go haskell html java javascript json julia kotlin lua ocaml "
    "php python ruby rust scala sql swift toml tsx typescript yaml zig"
)
"""More than 19, for with fewer at hand chonkie would download all there are."""


def bare_parser(language: str) -> Any:
    """A parser of tree-sitter with the installed grammar."""
    from tree_sitter import Language, Parser

    from chunkwright.parsing.grammars import reader_of

    row = find(language)
    reader = reader_of(row) if row else None
    return Parser(reader.tongue if reader else Language(grammar_address(language)))


def grammar_address(language: str) -> Any:
    """What the installed grammar package of a language gives: a capsule or a number."""
    row = find(language)
    if row is None or row.grammar is None:
        raise UnsupportedError(f"there is no grammar of {language} here")
    return getattr(import_module(row.grammar.module), row.grammar.function)()


@cache
def lay_grammars_for_pack() -> None:
    """Give tree-sitter-language-pack compiled grammars, in a folder that lasts as long as this
    process, so that it does not look for a network."""
    import tree_sitter_language_pack as pack
    from semble_grammars import get_language
    from semble_grammars.cache import cache_dir

    folder = tempfile.mkdtemp()
    pack.configure(pack.PackConfig(cache_dir=folder))
    place = Path(pack.cache_dir())
    place.mkdir(parents=True, exist_ok=True)
    for language in PACK_GRAMMARS.split():
        get_language(language)
    for library in cache_dir().rglob("libtree_sitter_*"):
        os.symlink(library, place / library.name)
