"""The cases of data/cases.jsonl: faults that users of other tools reported in public, each with an
input, options and what must hold. Loading them and chunking them; the checks are in test_cases.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

from chunkwright import (
    Chunk,
    Chunking,
    CodeChunker,
    Document,
    MarkdownChunker,
    RecursiveChunker,
    TextChunker,
)
from chunkwright.measuring import resolve
from trial import Asked, Cutter

FILE = Path(__file__).parent / "data" / "cases.jsonl"

SUFFIXES = {
    "c": "c",
    "go": "go",
    "javascript": "js",
    "python": "py",
    "rust": "rs",
    "svelte": "svelte",
    "tsx": "tsx",
}


@dataclass(frozen=True)
class Case:
    """One reported fault, as the file has it."""

    id: str
    source: str
    """owner/repository#number of the report."""
    theme: str
    kind: str
    """text, markdown, code:LANGUAGE, repo or index."""
    peer_behaviour: str
    input: Any
    options: Mapping[str, Any]
    expect: tuple[str, ...]
    checks: Mapping[str, Any]
    policy: str = ""
    """A rule that was chosen where sources disagree."""

    def __str__(self) -> str:
        return f"{self.id} ({self.source}): {self.peer_behaviour}"

    @property
    def text(self) -> str:
        return generated(self.input)


def generated(value: Any) -> str:
    """A text as it stands, or made by the Python expression under `gen`."""
    if isinstance(value, str):
        return value
    names = {"range": range, "str": str, "__builtins__": {}}
    return str(eval(value["gen"], names))  # noqa: S307  # our own data file


def load() -> dict[str, Case]:
    """Every case by its id, in the order of the file."""
    rows = map(json.loads, FILE.read_text("utf-8").splitlines())
    return {row["id"]: Case(**{**row, "expect": tuple(row["expect"])}) for row in rows}


CASES = load()


def byte_level_tokenizer() -> Tokenizer:
    """A tokenizer whose tokens are single bytes, so that one character is up to four of them; it
    knows special tokens, as those of language models do."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {token: number for number, token in enumerate(alphabet)}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    specials = ["<|endoftext|>", "<|im_start|>", "<|fim_prefix|>"]
    tokenizer.add_special_tokens([AddedToken(text, special=True) for text in specials])
    return tokenizer


class Refusing:
    """Encodes as tiktoken does: text that spells a special token is refused unless allowed."""

    name = "refusing"

    def encode(self, text: str, *, disallowed_special: Any = "all") -> list[int]:
        if disallowed_special == "all" and "<|endoftext|>" in text:
            raise ValueError("Encountered text corresponding to disallowed special token")
        return list(text.encode())[::3]


def _measure(unit: str) -> Any:
    measures: dict[str, Any] = {
        "chars": "chars",
        "tokens": "tokens",
        "tokens(default counter)": "tokens",
        "tokens(byte-level BPE)": byte_level_tokenizer(),
        "tokens(tiktoken)": Refusing(),
    }
    return measures[unit]


@dataclass(frozen=True)
class Outcome:
    """A case, cut by one chunker."""

    case: Case
    chunker: Cutter
    document: Document
    chunking: Chunking
    asked: Asked


def outcomes(case: Case) -> list[Outcome]:
    """The case cut by every chunker it concerns."""
    kind, _, language = case.kind.partition(":")
    path = {"text": "case.txt", "markdown": "case.md"}.get(kind, f"case.{SUFFIXES.get(language)}")
    document = Document(case.text, path=path)
    measure = _measure(case.options["unit"])
    budgeted = bool(case.options.get("prefix"))
    asked = Asked(
        size=case.options["size"],
        overlap=case.options["overlap"],
        count=resolve(measure).count,
        whole_lines=kind == "code",
        budgeted=budgeted,
    )
    common = {
        "size": case.options["size"],
        "overlap": case.options["overlap"],
        "measure": measure,
        "budget_includes_context": budgeted,
    }
    chunkers = _chunkers(kind, common, case.options.get("min_size", 0))
    return [
        Outcome(case, chunker, document, chunker.chunk(document), asked) for chunker in chunkers
    ]


def _chunkers(kind: str, common: dict[str, Any], least: int) -> list[Cutter]:
    if kind == "markdown":
        return [MarkdownChunker(**common)]
    if kind == "code":
        return [CodeChunker(**common), CodeChunker(granularity="symbol", **common)]
    text = TextChunker(min_size=least, max_chunks=None, **common)
    return [text, RecursiveChunker(**common)]


def holders(outcome: Outcome, marker: str) -> list[Chunk]:
    """The chunks in which this text stands; at least one must."""
    found = [chunk for chunk in outcome.chunking if marker in chunk.text]
    assert found, f"{marker!r} is in no chunk of {outcome.chunking.texts}"
    return found


def is_recursive(outcome: Outcome) -> bool:
    return isinstance(outcome.chunker, RecursiveChunker)


def is_packed(outcome: Outcome) -> bool:
    return isinstance(outcome.chunker, CodeChunker) and outcome.chunker.granularity == "packed"
