"""The peers of the benchmarks: each cuts what it says it reads, and is read right."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from typing import Any

import pytest

from benchmark_rooms import load

peers, checks = load("peers"), load("checks")
PEERS = peers.all_peers()

TEXT = (
    "# One\n\nA sentence. Another one, a little longer.\n\n## Two\n\n"
    + "Some words here. And more.\n\n" * 60
)
CODE = "import os\n\n\ndef first():\n    return os.sep\n\n\n" * 20
TASKS = {
    "text": peers.Task(200, 0, "chars"),
    "markdown": peers.Task(200, 0, "chars", "markdown"),
    "code": peers.Task(200, 0, "chars", "code", "python"),
}
CHANGED = "langchain MarkdownHeaderTextSplitter, then RecursiveCharacterTextSplitter"
"""It lays text out anew, so that most of its chunks are no slices."""


def tasks(peer: Any) -> list[Any]:
    """A small task of each kind and unit that a peer says it does."""
    found = [replace(TASKS[kind], unit=unit) for kind in peer.reads for unit in peer.units]
    return [replace(task, size=50) if task.unit != "chars" else task for task in found]


@pytest.mark.parametrize("peer", PEERS, ids=[peer.name for peer in PEERS])
def test_a_peer_cuts_what_it_says_it_reads(peer: Any) -> None:
    """In every unit it says it counts in: small chunks, most of which are slices of the text."""
    if any(task.unit == "cl100k" for task in tasks(peer)) and not find_spec("quicktok"):
        pytest.skip("needs the bench extra")
    for task in tasks(peer):
        for contestant in peers.entered(peer, task):
            text = CODE if task.reads == "code" else TEXT
            pieces = contestant.read(contestant.make()(text))
            if not contestant.cuts:
                assert pieces.texts == []
                continue
            assert len(pieces.texts) > 1, task
            spans = checks.located(text, pieces)
            share = sum(span is not None for span in spans) / len(spans)
            assert (share < 0.5) if peer.name == CHANGED else (share > 0.99), task


def test_ours_come_first_and_what_does_not_cut_last() -> None:
    """The first is what ratios are in proportion to."""
    for task, name in (
        (peers.CHARACTERS, "TextChunker"),
        (peers.LINES, "LineChunker"),
        (peers.SECTIONS, "MarkdownChunker"),
        (replace(peers.CODE, language="python"), "CodeChunker"),
    ):
        found = list(peers.contestants(task))
        assert found[0].name == f"chunkwright {name}"
        assert [one.cuts for one in found] == sorted((one.cuts for one in found), reverse=True)
        cutting = list(peers.contestants(task, cutting=True))
        assert [one.name for one in cutting] == [one.name for one in found if one.cuts]


def test_the_asked_for_peers_are_there() -> None:
    """By distribution, and what each reads."""
    reads: dict[str, set[str]] = {}
    for peer in PEERS:
        reads.setdefault(peer.distribution, set()).update(peer.reads)
    everything = {"text", "markdown", "code"}
    assert reads["langchain-text-splitters"] == everything
    assert reads["llama-index-core"] == everything
    assert reads["semantic-text-splitter"] == everything
    assert reads["chonkie"] == everything
    assert reads["semchunk"] == {"text"}
    assert reads["semble"] == reads["astchunk"] == {"code"}


def test_a_note_says_what_the_task_makes_of_it() -> None:
    """Who counts matters in tokens, that there is no overlap where one is asked for."""

    facts = {"note": "odd", "tokens_by": "quicktok", "has_overlap": False}
    one = peers.peer("one", "p", **facts)(lambda _: str.split)
    notes = [one.contestant(task).note for task in (peers.CHARACTERS, peers.TOKENS)]
    assert notes == ["odd; has no overlap", "odd; tokens by quicktok"]
    assert one.contestant(peers.TOKENS).read(["a", "b"]) == checks.Pieces(["a", "b"])
