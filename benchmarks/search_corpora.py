"""Folders of a given number of chunks, and queries that stand in them. Nothing is searched here.

Queries are taken from what is searched, not from questions somebody asked: what a query costs
depends on how often its words occur, not on whether the answer is right.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, cycle, islice
from pathlib import Path
from zlib import crc32

from benchmarks.corpora import SEED
from chunkwright import Chunk, ChunkwrightError, chunk
from chunkwright.languages import CODE, find, language_of

LARGEST_FILE = 200_000
"""Bytes; longer files are data, or made by a program."""

MOST_WORDS = 12

IDENTIFIER = re.compile(r"\b[A-Za-z_]\w{4,}\b")
"""What a copy of a file may call differently: no short word, for most of them are keywords."""

WORD = re.compile(r"[^\W\d_]{2,}")


def fill(place: Path, sources: Sequence[Path], chunks: int) -> int:
    """Copy source code into `place` until it makes so many chunks; returns how many of the files
    are repetitions.

    Files come shuffled with the seed. Where all of them make too few chunks, they come again, with
    about half of the identifiers called differently in each copy.
    """
    files = _files(sources)
    made = repeated = 0
    for turn in count():
        for root, file in files:
            made += _put(root, file, place, turn)
            repeated += turn > 0
            if made >= chunks:
                return repeated
    return repeated


def _files(sources: Sequence[Path]) -> list[tuple[Path, Path]]:
    """Root and file."""
    found = [
        (root, file)
        for root in sources
        for file in sorted(root.rglob("*"))
        if file.is_file() and not file.is_symlink() and _is_source(file)
    ]
    random.Random(SEED).shuffle(found)
    return found


def _is_source(file: Path) -> bool:
    language = find(language_of(file.name))
    is_code = language is not None and language.family == CODE and language.grammar is not None
    return is_code and 0 < file.stat().st_size <= LARGEST_FILE


def _put(root: Path, file: Path, place: Path, turn: int) -> int:
    """Write one file, or a copy with other names in it; returns how many chunks it makes."""
    inside = Path(root.name) / file.relative_to(root)
    try:
        text = file.read_bytes().decode()
        if turn:
            inside = Path(f"{root.name}-{turn}") / file.relative_to(root)
            text = IDENTIFIER.sub(lambda found: _renamed(found[0], turn), text)
        made = len(chunk(text, path=inside.as_posix()))
    except (UnicodeDecodeError, ChunkwrightError):
        return 0
    target = place / inside
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(text.encode())
    return made


def _renamed(name: str, turn: int) -> str:
    return f"{name}{turn}" if crc32(f"{name} {turn}".encode()) % 2 else name


def queries(chunks: Iterable[Chunk], number: int) -> list[str]:
    """Names, first lines of documentation, and stretches of text in turn, of 1 to 12 words."""
    chance = random.Random(SEED)
    shuffled = sorted(chunks, key=lambda chunk: chunk.id)
    chance.shuffle(shuffled)
    kinds = [_names(shuffled), _documented(shuffled), _stretches(shuffled, chance)]
    return list(islice(_in_turn(kinds), number))


def _in_turn(kinds: Sequence[Iterator[str]]) -> Iterator[str]:
    """The next of each kind that was not there yet, until one kind has no more."""
    seen = {""}
    for kind in cycle(kinds):
        query = next((query for query in kind if query not in seen), None)
        if query is None:
            return
        seen.add(query)
        yield query


def _names(chunks: Sequence[Chunk]) -> Iterator[str]:
    for one in chunks:
        yield from (symbol.name for symbol in one.symbols[:1])


def _documented(chunks: Sequence[Chunk]) -> Iterator[str]:
    """First lines of documentation."""
    for one in chunks:
        for symbol in one.symbols[:1]:
            yield " ".join(WORD.findall(symbol.doc)[:MOST_WORDS])


def _stretches(chunks: Sequence[Chunk], chance: random.Random) -> Iterator[str]:
    """Some words in a row, comments and code alike."""
    for one in chunks:
        words = WORD.findall(one.text)
        start = chance.randrange(len(words)) if words else 0
        yield " ".join(words[start : start + chance.randint(1, MOST_WORDS)])
