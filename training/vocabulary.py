"""The student's tokenizer: the teacher's word pieces, identifiers split into their parts first, and
words added that code and its documentation use often and the teacher knows only in pieces.

    python vocabulary.py texts.jsonl TEACHER tokenizer.json --pieces pieces.jsonl

`pieces.jsonl` has a line for each token, for the teacher to read alone.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

from tokenizers import Regex, Tokenizer, normalizers, pre_tokenizers

ADDED = 4000
SOURCES = 3
"""A word is added only where so many sources use it: no project's own names."""

UNUSED = "[unused"
LONGEST_WORD = 32
"""Characters of a word: a longer run is cut, for the search for its pieces is cubic."""

CAMEL = r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"
"""Borders inside getUserName and HTTPServer."""

COUNTED = 500_000
"""Texts that are looked at."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("texts", type=Path)
    parser.add_argument("teacher", type=Path)
    parser.add_argument("result", type=Path)
    parser.add_argument("--added", type=int, default=ADDED)
    parser.add_argument("--pieces", type=Path, required=True)
    given = parser.parse_args()
    described = json.loads((given.teacher / "tokenizer.json").read_text("utf-8"))
    pieces = [piece for piece in described["model"]["vocab"] if not piece.startswith(UNUSED)]
    tokenizer = _tokenizer(described, pieces)
    words = _frequent_words(given.texts, tokenizer, set(pieces))
    for word, _ in words[: given.added]:
        pieces.append(word)
    tokenizer = _tokenizer(described, pieces)
    given.result.write_text(tokenizer.to_str(pretty=False), "utf-8")
    with given.pieces.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps({"text": _alone(piece)}) + "\n" for piece in pieces)
    print(f"{len(pieces)} tokens, from {words[0]} to {words[min(len(words), given.added) - 1]}")


def _alone(piece: str) -> str:
    return piece[2:] if piece.startswith("##") and len(piece) > 2 else piece


def _tokenizer(described: dict[str, Any], pieces: list[str]) -> Tokenizer:
    """One without special tokens, which only the teacher needs, but for the unknown."""
    model = {**described["model"], "vocab": {piece: at for at, piece in enumerate(pieces)}}
    plain = {
        **described,
        "model": model,
        "added_tokens": [],
        "post_processor": None,
        "truncation": None,
        "padding": None,
    }
    tokenizer = Tokenizer.from_str(json.dumps(plain))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Replace(Regex(CAMEL), " "), tokenizer.normalizer]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            tokenizer.pre_tokenizer,
            pre_tokenizers.Split(Regex(_set_apart(pieces)), "isolated"),
        ]
    )
    return tokenizer


def _set_apart(pieces: list[str]) -> str:
    """A character that has no piece inside words, which would make its whole word unknown; and so
    much of a word that is too long."""
    known = set(pieces)
    inside = sorted(ord(piece) for piece in pieces if len(piece) == 1 and f"##{piece}" in known)
    listed = "".join(rf"\x{{{number:x}}}" for number in inside)
    return rf"[^{listed}]|[{listed}]{{{LONGEST_WORD}}}"


def _frequent_words(texts: Path, tokenizer: Tokenizer, known: set[str]) -> list[tuple[str, int]]:
    """Words of letters that are not one piece yet, the most frequent first."""
    counts: Counter[str] = Counter()
    sources: dict[str, set[str]] = {}
    for line in texts.read_text("utf-8").splitlines()[:COUNTED]:
        about = json.loads(line)
        normal = tokenizer.normalizer.normalize_str(about["text"])
        for word, _ in tokenizer.pre_tokenizer.pre_tokenize_str(normal):
            if len(word) >= 3 and word.isascii() and word.isalpha() and word not in known:
                counts[word] += 1
                sources.setdefault(word, set()).add(about["source"])
    return [pair for pair in counts.most_common() if len(sources[pair[0]]) >= SOURCES]


if __name__ == "__main__":
    main()
