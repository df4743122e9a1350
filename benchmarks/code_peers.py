"""Who is compared on source code, each a few lines: how it is made for a language, called and read.
Who is compared on plain text is in peers.py.

Peers that load grammars get the ones that are installed. Where a peer would download them at first
use (tree-sitter-language-pack), they are laid into the folder that it names, from semble-grammars.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from checks import Pieces
from peers import Contestant, Task, chonkie, chunkwright

from chunkwright.languages import find
from chunkwright.types import Document

CODE = Task(1500, 0, "chars")

Builder = Callable[[Task, str], Contestant]
"""Task, language -> contestant. Raises UnsupportedError where it does not read the language."""

REFERENCE = "chunkwright CodeChunker"

PACK_GRAMMARS = (
    "bash c cpp csharp css dart elixir go haskell html java javascript json julia kotlin lua ocaml "
    "php python ruby rust scala sql swift toml tsx typescript yaml zig"
)
"""More than 19, for with fewer at hand chonkie would download all there are."""


class UnsupportedError(Exception):
    """The peer does not read the language."""


def contestants(
    task: Task, language: str, builders: Sequence[Builder] | None = None
) -> Iterator[Contestant]:
    """Those that are installed and read the language; the others are named on stderr."""
    for build in builders or BUILDERS:
        try:
            yield build(task, language)
        except (ModuleNotFoundError, UnsupportedError) as reason:
            if (getattr(reason, "name", None) or "").startswith("chunkwright"):
                raise
            print(f"left out: {build.__name__}, {language}: {reason}", file=sys.stderr)


def code_chunker(task: Task, language: str, granularity: str = "packed") -> Contestant:
    from chunkwright import CodeChunker

    chunker = CodeChunker(
        size=task.size, overlap=task.overlap, granularity=granularity, file_header=False
    )
    name = REFERENCE if granularity == "packed" else f"{REFERENCE}(granularity={granularity!r})"
    return chunkwright(name, _OfLanguage(chunker, language))


def by_symbol(task: Task, language: str) -> Contestant:
    return code_chunker(task, language, "symbol")


class _OfLanguage:
    """Our chunker for texts that are all of one language."""

    def __init__(self, chunker: Any, language: str) -> None:
        self._chunker = chunker
        self._language = language

    def chunk(self, text: str) -> Any:
        return self._chunker.chunk(Document(text, language=self._language))


def semantic_code(task: Task, language: str) -> Contestant:
    from semantic_text_splitter import CodeSplitter

    address = grammar_address(language)
    return Contestant(
        "semantic-text-splitter CodeSplitter",
        "semantic-text-splitter",
        "texts, offsets",
        lambda: CodeSplitter(address, task.size, overlap=task.overlap).chunk_indices,
        lambda pairs: Pieces(
            [text for _, text in pairs], [(at, at + len(text)) for at, text in pairs]
        ),
    )


def llama_index_code(task: Task, language: str) -> Contestant:
    from llama_index.core.node_parser import CodeSplitter

    parser = bare_parser(language)
    return Contestant(
        "llama-index CodeSplitter",
        "llama-index-core",
        "texts",
        lambda: (
            CodeSplitter(language, max_chars=task.size, parser=parser, tokenizer=list).split_text
        ),
        Pieces,
    )


def chonkie_code(task: Task, language: str) -> Contestant:
    from chonkie import CodeChunker

    lay_grammars_for_pack()
    return chonkie(
        "CodeChunker",
        lambda: CodeChunker("character", chunk_size=task.size, language=language),
    )


def astchunk(task: Task, language: str) -> Contestant:
    from astchunk import ASTChunkBuilder

    if language not in ASTCHUNK_LANGUAGES:
        raise UnsupportedError(f"reads {', '.join(ASTCHUNK_LANGUAGES)}")
    options = {"max_chunk_size": task.size, "language": language, "metadata_template": "default"}
    return Contestant(
        "astchunk",
        "astchunk",
        "texts, line numbers",
        lambda: ASTChunkBuilder(**options).chunkify,
        lambda windows: Pieces([window["content"] for window in windows]),
        "size without white space",
    )


ASTCHUNK_LANGUAGES = ("python", "java", "csharp", "typescript")


def semble(task: Task, language: str) -> Contestant:
    """Its size is not an option of its public function: the one below that is called."""
    from semble.chunking.core import chunk

    def make() -> Callable[[str], Any]:
        def cut(text: str) -> list[tuple[int, int, str]]:
            spans = chunk(text, language, task.size) or []
            return [(span.start, span.end, text[span.start : span.end]) for span in spans]

        return cut

    return Contestant(
        "semble",
        "semble",
        "texts, offsets",
        make,
        lambda found: Pieces([text for *_, text in found], [(a, b) for a, b, _ in found]),
    )


def bare_parse(_: Task, language: str) -> Contestant:
    parser = bare_parser(language)
    return Contestant(
        BARE_PARSE,
        "tree-sitter",
        "a tree",
        lambda: lambda text: parser.parse(text.encode()),
        lambda _: Pieces([]),
        "no chunks: the cost of the parser alone",
        cuts=False,
    )


BARE_PARSE = "tree-sitter, one parse"


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
        raise UnsupportedError("has no grammar here")
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


BUILDERS: tuple[Builder, ...] = (
    code_chunker,
    by_symbol,
    semantic_code,
    llama_index_code,
    chonkie_code,
    astchunk,
    semble,
    bare_parse,
)

CUTTERS: tuple[Builder, ...] = BUILDERS[:-1]
"""Those that give chunks."""
