"""Pairs of a short text and the chunk it is about, for training without a teacher: a symbol's
documentation and its code without it, a sentence and the chunk it was taken from, a heading and
its section, a word and what it means.

    python pairs.py FOLDER pairs.jsonl

FOLDER is that of collect.py. A line is {"text", "answer", "source"}, shuffled.
"""

from __future__ import annotations

import argparse
import json
import random
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from collect import (
    CHUNK_SIZES,
    CHUNK_TEXT,
    DATA,
    LICENCE_WORDS,
    SEED,
    SENTENCE,
    SHORT_TEXT,
    files_of,
    glossary,
    name_of,
    plain,
)

from chunkwright import ChunkwrightError, Document, chunk, embed_text
from chunkwright.languages import BY_NAME, CODE, TEXT, language_of
from chunkwright.store.terms import parts_of
from chunkwright.types import Chunk

MOST = {"code": 3000, "prose": 5000, "dictionary": 25_000}
"""Pairs of a source, by its kind."""

FROM_FILE = 40
NAMES = 0.15
"""Share of symbols of which the name, in words, is a question too."""

Pair = tuple[str, str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("result", type=Path)
    given = parser.parse_args()
    about = tomllib.loads(Path(__file__).with_name("sources.toml").read_text("utf-8"))
    lines = []
    for source in about["source"]:
        for text, answer in _pairs_of(source, given.folder):
            lines.append({"text": text, "answer": answer, "source": name_of(source)})
        print(f"{name_of(source)}: {len(lines)}", flush=True)
    random.Random(SEED).shuffle(lines)
    with given.result.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)


def _pairs_of(source: dict[str, Any], folder: Path) -> list[Pair]:
    chance = random.Random(f"{SEED} pairs {name_of(source)}")
    most = MOST[source["kind"]]
    if source["kind"] == "dictionary":
        glosses = list(glossary(folder / source["archive"]))
        found = [text.partition(": ")[::2] for text in glosses if ": " in text]
        return chance.sample(found, most)
    files = list(files_of(source, folder))
    chance.shuffle(files)
    pairs: list[Pair] = []
    for path, text in files:
        made = list(_of_file(path, text, source["kind"], chance))
        pairs += chance.sample(made, min(FROM_FILE, len(made)))
        if len(pairs) > 2 * most:
            break
    pairs = list(dict.fromkeys(pairs))
    return chance.sample(pairs, min(most, len(pairs)))


def _of_file(path: str, text: str, kind: str, chance: random.Random) -> Iterator[Pair]:
    language = BY_NAME.get(language_of(path, text))
    if language is None or language.family == TEXT or language.name in DATA:
        return
    is_code = language.family == CODE
    try:
        made = chunk(
            Document(text, path=path), size=chance.choice(CHUNK_SIZES["code" if is_code else kind])
        ).chunks
    except ChunkwrightError:
        return
    for one in made[:200]:
        if LICENCE_WORDS.search(one.text):
            continue
        for text_of_it, answer in _of_code(one, chance) if is_code else _of_prose(one, chance):
            question = plain(text_of_it)
            if len(question) in SHORT_TEXT and len(answer) > 60:
                yield question, answer[:CHUNK_TEXT]


def _of_code(one: Chunk, chance: random.Random) -> Iterator[Pair]:
    whole = embed_text(one)
    for symbol in one.symbols[:3]:
        if symbol.doc:
            yield symbol.doc, whole.replace(symbol.doc, "")
        if chance.random() < NAMES:
            yield " ".join(parts_of(symbol.name.rpartition(".")[2])), whole


def _of_prose(one: Chunk, chance: random.Random) -> Iterator[Pair]:
    if one.breadcrumb and chance.random() < 0.5:
        yield one.breadcrumb[-1], one.text.replace(one.breadcrumb[-1], "")
    sentences = [part for part in SENTENCE.split(one.text) if len(part) in SHORT_TEXT]
    if len(sentences) > 1:
        taken = chance.choice(sentences)
        shown = one.text if chance.random() < 0.5 else embed_text(one)
        yield taken, shown.replace(taken, "")


if __name__ == "__main__":
    main()
