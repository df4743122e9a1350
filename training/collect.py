"""Gathers the training texts: chunks as they are embedded, and short texts such as people ask with.
Which sources there are is in sources.toml; vectors are made elsewhere.

    python collect.py FOLDER texts.jsonl

FOLDER holds a clone of each repository at its revision, named `owner+name`, and the archives.
A line of the result is {"text", "kind", "source"}; the order is shuffled, the same each time.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import random
import re
import subprocess
import tarfile
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from chunkwright import ChunkwrightError, Document, chunk, embed_text
from chunkwright.languages import BY_NAME, CODE, TEXT, language_of
from chunkwright.store.terms import parts_of
from chunkwright.types import Chunk

SEED = 7
FILE_BYTES = range(200, 300_000)
"""Longer files are data or made by a program."""

CHUNKS = {"code": 1000, "prose": 2500}
"""Most chunks taken of a source, by its kind."""

SHORT = {"code": 1500, "prose": 2500}
"""Most short texts taken of a source."""

COMMITS = 500
"""Most subjects of commits taken of a repository."""

GLOSSES = 25_000
"""Definitions and examples taken of a dictionary."""

CHUNK_SIZES = {"code": (1500,), "prose": (400, 800)}
"""Code points of a chunk; the teacher reads the beginning of a long one."""

CHUNK_TEXT = 700
"""Code points kept of a chunk: about what the teacher reads."""

DATA = frozenset({"css", "json", "toml", "xml", "yaml"})
"""Languages of settings and tables, which say little in words."""

SHORT_TEXT = range(12, 240)
COMMENT = re.compile(r"(?m)^\s*(?://+!?|#+|--+|;;+|\*)\s+([A-Z][^\n]{20,200}[a-z.)])\s*$")
SENTENCE = re.compile(r"(?s)(?<=[.!?])\s+(?=[A-Z])")
MARKUP = re.compile(r"<[^<>]{1,200}>|[*_`#|\[\]]+|\]\([^)]*\)")
LICENCE_WORDS = re.compile(r"(?i)copyright|licen[sc]e|warrant|all rights reserved")
SKIPPED = re.compile(
    r"(?i)(?:^|/)(?:vendor|node_modules|third_party|thirdparty|deps|dist|fixtures)/"
)
GLOSSARY = re.compile(r"dict/data\.")
EXAMPLE = re.compile(r'"([^"]{20,200})"')


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("result", type=Path)
    given = parser.parse_args()
    about = tomllib.loads(Path(__file__).with_name("sources.toml").read_text("utf-8"))
    found: dict[str, dict[str, str]] = {}
    for source in about["source"]:
        before = len(found)
        for kind, text in texts_of(source, given.folder):
            line = {"text": text, "kind": kind, "source": name_of(source)}
            found.setdefault(text, line)
        print(f"{name_of(source)}: {len(found) - before}", flush=True)
    lines = list(found.values())
    random.Random(SEED).shuffle(lines)
    with given.result.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)


def name_of(source: dict[str, Any]) -> str:
    name: str = source.get("repository") or source["archive"]
    return name


def texts_of(source: dict[str, Any], folder: Path) -> Iterator[tuple[str, str]]:
    """(kind, text) of one source; at most so many of each kind, drawn at random."""
    chance = random.Random(f"{SEED} {name_of(source)}")
    if source["kind"] == "dictionary":
        glosses = list(glossary(folder / source["archive"]))
        yield from (("gloss", text) for text in chance.sample(glosses, GLOSSES))
        return
    chunks: list[str] = []
    short: list[str] = []
    files = list(files_of(source, folder))
    chance.shuffle(files)
    wanted_chunks, wanted_short = CHUNKS[source["kind"]], SHORT[source["kind"]]
    for path, text in files:
        _read(path, text, source["kind"], chunks, short, chance)
        if len(chunks) > 3 * wanted_chunks and len(short) > 3 * wanted_short:
            break
    yield from (("chunk", text) for text in _drawn(chance, chunks, wanted_chunks))
    yield from (("short", text) for text in _drawn(chance, short, wanted_short))
    if "repository" in source:
        subjects = _subjects(_git_folder(folder, source["repository"]), source["revision"])
        yield from (("short", text) for text in _drawn(chance, subjects, COMMITS))


def _drawn(chance: random.Random, texts: Iterable[str], most: int) -> list[str]:
    each = list(dict.fromkeys(texts))
    return chance.sample(each, min(most, len(each)))


def _read(
    path: str,
    text: str,
    kind: str,
    chunks: list[str],
    short: list[str],
    chance: random.Random,
) -> None:
    """Add what one file gives. No file gives more than 40 of each."""
    language = BY_NAME.get(language_of(path, text))
    if language is None or language.family == TEXT or language.name in DATA:
        return
    is_code = language.family == CODE
    size = chance.choice(CHUNK_SIZES["code" if is_code else kind])
    try:
        made = list(chunk(Document(text, path=path), size=size).chunks)
    except ChunkwrightError:
        return
    chance.shuffle(made)
    kept = [one for one in made[:40] if not LICENCE_WORDS.search(one.text)]
    chunks += [embed_text(one)[:CHUNK_TEXT] for one in kept]
    found = [one_line for one in kept for raw in _short(one, is_code) for one_line in [plain(raw)]]
    good = [one for one in found if len(one) in SHORT_TEXT and not LICENCE_WORDS.search(one)]
    short += chance.sample(good, min(40, len(good)))


def _short(one: Chunk, is_code: bool) -> Iterator[str]:
    if not is_code:
        yield from one.breadcrumb[-1:]
        yield from SENTENCE.split(one.text)[:6]
        return
    yield from COMMENT.findall(one.text)[:4]
    for symbol in one.symbols[:4]:
        name = symbol.name.rpartition(".")[2]
        yield symbol.doc
        yield symbol.name
        yield " ".join(parts_of(name))
        words = [word for part in symbol.name.split(".") for word in parts_of(part)]
        yield " ".join([symbol.kind.lower(), *words])


def plain(text: str) -> str:
    return " ".join(MARKUP.sub(" ", text).split())


def glossary(archive: Path) -> Iterator[str]:
    """`word, other word: what it means`, and the examples."""
    for path, text in _archived(archive):
        if not GLOSSARY.search(path):
            continue
        for line in text.splitlines():
            fields, _, gloss = line.partition("|")
            if line.startswith(" ") or not gloss:
                continue
            numbers = fields.split()
            words = numbers[4 : 4 + 2 * int(numbers[3], 16) : 2]
            names = ", ".join(word.replace("_", " ") for word in words[:3])
            yield f"{names}: {gloss.partition(chr(34))[0].strip(' ;')}"
            yield from EXAMPLE.findall(gloss)


# Files.


def files_of(source: dict[str, Any], folder: Path) -> Iterator[tuple[str, str]]:
    if "archive" in source:
        path = folder / source["archive"]
        if hashlib.sha256(path.read_bytes()).hexdigest() != source["sha256"]:
            raise SystemExit(f"{path} is not the archive named in sources.toml")
        yield from _archived(path)
        return
    place = _git_folder(folder, source["repository"])
    listed = _git(place, "ls-tree", "-r", "-l", source["revision"]).decode().splitlines()
    paths: dict[str, str] = {}
    for line in listed:
        about, _, path = line.partition("\t")
        _, kind, name, size = about.split()
        if (
            kind == "blob"
            and size.isdigit()
            and int(size) in FILE_BYTES
            and not SKIPPED.search(path)
        ):
            paths[path] = name
    whole = io.BytesIO(_git(place, "cat-file", "--batch", given="\n".join(paths.values())))
    for path in paths:
        head = whole.readline().split()
        if len(head) < 3:  # a clone without its large files
            continue
        data = whole.read(int(head[2]) + 1)
        try:
            yield path, data[:-1].decode()
        except UnicodeDecodeError:
            continue


def _git(place: Path, *arguments: str, given: str = "") -> bytes:
    command = ["git", "-C", str(place), *arguments]
    return subprocess.run(command, check=True, capture_output=True, input=given.encode()).stdout


def _archived(path: Path) -> Iterator[tuple[str, str]]:
    with tarfile.open(path) as archive:
        yield from _members(archive)


def _members(archive: tarfile.TarFile) -> Iterator[tuple[str, str]]:
    for member in archive:
        usable = member.isfile() and member.size in FILE_BYTES
        wanted = usable or GLOSSARY.search(member.name)
        if wanted and not SKIPPED.search(member.name) and (file := archive.extractfile(member)):
            try:
                yield member.name, file.read().decode()
            except UnicodeDecodeError:
                continue


def _git_folder(folder: Path, repository: str) -> Path:
    place = folder / repository.replace("/", "+")
    return place / "repo" if (place / "repo").is_dir() else place


def _subjects(place: Path, revision: str) -> list[str]:
    log = _git(place, "log", "--no-merges", "--format=%s", "-n", "4000", revision)
    lines = log.decode(errors="replace").splitlines()
    return [line for line in lines if len(line) in SHORT_TEXT and not line.startswith("Merge")]


if __name__ == "__main__":
    main()
