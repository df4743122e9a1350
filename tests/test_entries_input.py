"""What may not be put is refused by name, with the remedy, before anything is written."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.embedding.hashing import HashingEmbedder

SURROGATE = "a\ud800b"


@pytest.fixture
def index(tmp_path: Path) -> Iterator[cw.Index]:
    with cw.Index(tmp_path, HashingEmbedder()) as made:
        made.put("kept", "As it was.", {"n": 1})
        yield made


def deep(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"in": value}
    return value


def endless() -> dict[str, Any]:
    value: dict[str, Any] = {}
    value["self"] = [value, value]
    return value


@pytest.mark.parametrize(
    ("option", "given"),
    [
        ("key", {"key": ""}),
        ("key", {"key": " \n"}),
        ("key", {"key": "a\0b"}),
        ("key", {"key": SURROGATE}),
        ("key", {"key": "k" * 1001}),
        ("key", {"key": 7}),
        ("namespace", {"namespace": ""}),
        ("namespace", {"namespace": "a/b"}),
        ("namespace", {"namespace": SURROGATE}),
        ("namespace", {"namespace": None}),
        ("text", {"text": b"bytes"}),
        ("text", {"text": None}),
        ("summary", {"summary": 5}),
        ("attachments", {"attachments": ["a.md"]}),
        ("attachments", {"attachments": "a.md"}),
        ("attachments", {"attachments": {"": "text"}}),
        ("attachments", {"attachments": {3: "text"}}),
        ("attachments", {"attachments": {"a.md": b"bytes"}}),
        ("language", {"language": "klingon"}),
        ("language", {"language": 1}),
        ("version", {"version": -1}),
        ("version", {"version": "1"}),
        ("version", {"version": True}),
        ("defer", {"defer": 1}),
        ("metadata", {"metadata": ["a"]}),
        ("metadata['a']", {"metadata": {"a": float("nan")}}),
        ("metadata['a'][1]", {"metadata": {"a": [1, float("inf")]}}),
        ("metadata['a']", {"metadata": {"a": {1, 2}}}),
        ("metadata['a']", {"metadata": {"a": b"b"}}),
        ("metadata['a']", {"metadata": {"a": 2**63}}),
        ("metadata['a']", {"metadata": {"a": SURROGATE}}),
        ("metadata[3]", {"metadata": {3: "a"}}),
        ("metadata['a'][None]", {"metadata": {"a": {None: 1}}}),
    ],
)
def test_what_cannot_be_put_is_named(index: cw.Index, option: str, given: dict[str, Any]) -> None:
    """Option, value and what is allowed; the rest of the call is not stored either."""
    rows = index.chunks()
    with pytest.raises(cw.ConfigError) as refused:
        index.put(**{"key": "new", "text": "Text.", **given})
    assert refused.value.option == option
    assert refused.value.allowed
    assert (index.list(), index.chunks(), index.status().entries) == (["kept"], rows, 1)


@pytest.mark.parametrize("metadata", [deep(51), endless(), {"a": [0] * 100_001}])
def test_metadata_without_end_is_refused(index: cw.Index, metadata: dict[str, Any]) -> None:
    """What holds itself, nests without measure, or is a heap of data."""
    with pytest.raises(cw.ConfigError, match="at most 50 levels and 100000 values"):
        index.put("new", "Text.", metadata)
    assert index.list() == ["kept"]


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ({"text": f"one\r\ntwo\rthree {SURROGATE}"}, "new:3"),
        ({"summary": SURROGATE}, "new:1"),
        ({"attachments": {"b.md": f"\n{SURROGATE}"}}, "b.md:2"),
    ],
)
def test_lone_surrogates_are_a_parse_error(
    index: cw.Index, given: dict[str, Any], place: str
) -> None:
    """It names the line; nothing is stored."""
    with pytest.raises(cw.ParseError, match=rf"^{place}: .* has a lone surrogate, U\+D800"):
        index.put(**{"key": "new", "text": "Text.", **given})
    assert index.list() == ["kept"]


@pytest.mark.parametrize(
    "metadata",
    [
        {},
        deep(49),
        {"a": [1, -2.5, True, None, "é", (), [], {}, {"": ""}], "b.c": 2**63 - 1, "\0": "\0"},
    ],
)
def test_all_that_json_can_say_may_be_put(index: cw.Index, metadata: dict[str, Any]) -> None:
    """And comes back; a tuple as the list it is in JSON."""
    index.put("new", "Text.", metadata)
    entry = index.get("new")
    assert entry is not None
    assert entry.metadata == json.loads(json.dumps(metadata))


def test_one_bad_entry_of_many_stores_none(index: cw.Index) -> None:
    """All are checked before the first is written."""
    with pytest.raises(cw.ConfigError):
        index.put_many([cw.Entry("good", "Text."), cw.Entry("bad", "Text.", namespace="a/b")])
    for wrong in (cw.Entry("a", "b"), "ab", {"a": "b"}, 5, [("a", "b")]):
        with pytest.raises(cw.ConfigError, match="entries"):
            index.put_many(wrong)  # type: ignore[arg-type]  # as a caller might
    assert index.list() == ["kept"]


@pytest.mark.parametrize(
    "ask",
    [
        lambda index: index.get(""),
        lambda index: index.get("a", namespace="a/b"),
        lambda index: index.delete(3),
        lambda index: index.delete("a", version=-1),
        lambda index: index.list(SURROGATE),
        lambda index: index.list(namespace=""),
        lambda index: index.heal(-1),
        lambda index: index.heal(True),
        lambda index: index.heal("all"),
    ],
)
def test_questions_are_checked_too(index: cw.Index, ask: Callable[[Any], object]) -> None:
    """A key that cannot be is not just absent."""
    with pytest.raises(cw.ConfigError):
        ask(index)


def test_keys_may_look_like_anything_else(index: cw.Index) -> None:
    """Absolute paths, dots, patterns, quotes, other scripts: a key is only a name."""
    keys = ["/abs/note.md", "..", "../x", "a//b", "*", "'; DROP TABLE", "日記", "k" * 1000, "//a/b"]
    index.put_many(cw.Entry(key, f"Word{number} here.") for number, key in enumerate(keys))
    for number, key in enumerate(keys):
        assert index.search(f"word{number}")[0].chunk.parent == f"//entries/{key}"
        assert index.delete(key)
    assert index.list() == ["kept"]
