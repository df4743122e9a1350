"""What `import chunkwright` loads: little more than msgspec. Counted in modules, not in seconds."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {
    "charset_normalizer",
    "hypothesis",
    "ignore",
    "mcp",
    "multiprocessing",
    "numpy",
    "pathspec",
    "pyromark",
    "regex",
    "rich",
    "safetensors",
    "sqlite3",
    "tokenizers",
    "tree_sitter",
    "typer",
    "yaml",
}
"""What only some of the work needs."""

MOST_MODULES = 20
"""How many modules more than msgspec's the door may load."""


def modules_after(statements: str) -> set[str]:
    """Names in sys.modules of a new interpreter, after these statements."""
    program = f"{statements}\nimport sys\nprint(*sys.modules, sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "statement",
    [
        "import chunkwright",
        "from chunkwright import Document, Chunk, Chunking, ConfigError, is_whitespace_only",
        "import chunkwright.types, chunkwright.errors, chunkwright.characters",
        "import chunkwright; chunkwright.__version__",
    ],
)
def test_the_nouns_load_nothing_heavy(statement: str) -> None:
    """Whoever only wants the nouns pays for no parser, no array, no terminal."""
    roots = {name.split(".")[0] for name in modules_after(statement)}
    assert roots & HEAVY == set()


def test_the_door_loads_little_more_than_msgspec() -> None:
    """`import chunkwright` adds a handful of modules to what `import msgspec` loads."""
    added = modules_after("import chunkwright") - modules_after("import msgspec")
    assert len(added) <= MOST_MODULES, sorted(added)


def test_cutting_text_loads_no_code_parser() -> None:
    """A chunker loads what it needs and no more: prose needs no grammar, no array, no database."""
    loaded = modules_after(
        "from chunkwright import TextChunker; TextChunker(min_size=0).chunk('a')"
    )
    roots = {name.split(".")[0] for name in loaded}
    assert roots & {"numpy", "rich", "sqlite3", "tree_sitter", "typer"} == set()
