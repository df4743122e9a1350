"""Transcripts: what is one and what is not, where turns begin and end, and how they are cut. How
other blocks are cut is tested with the packer.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright import Chunking, Document, TextChunker
from chunkwright.parsing import parse
from chunkwright.parsing.transcripts import turns
from promises import examine
from repeatability import check_linear
from strategies import Prose, texts
from trial import COUNTERS, Asked

ALICE_AND_BOB = ("hi there", "hello, Alice", "how are you?", "fine, thanks")


def cut(text: str, **options: Any) -> Chunking:
    settled = {"size": 60, "overlap": 0, "min_size": 0, "max_chunks": None, **options}
    return TextChunker(**settled).chunk(text)


def spoken(text: str) -> list[tuple[str, str]]:
    """(speaker, text) of every turn."""
    return [(turn.name, text[turn.start : turn.end]) for turn in turns(text)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Alice: {}", "Bob: {}"),
        ("ALICE SMITH: {}", "Dr. O\u2019Neil: {}"),
        ("Alice (12:30): {}", "Bob (12:31 PM): {}"),
        ("Alice (host): {}", "Bob [12:31:05]: {}"),
        ("[12:30] alice: {}", "[12:31] bob: {}"),
        ("12:30:05 Alice: {}", "12:30:59 Bob: {}"),
        ("[2024-01-02 10:00:00] Alice: {}", "[2024-01-02 10:00:07] Bob: {}"),
        ("2024-01-02T10:00:00Z alice: {}", "2024-01-02T10:00:07.25+02:00 bob: {}"),
        ("12/31/23, 10:00 PM - Alice: {}", "12/31/23, 10:01\u202fPM - Bob: {}"),
        ("\u200e[31.12.23, 22:00:01] Alice: {}", "[31.12.23, 22:00:09] Bob: {}"),
        ("<alice> {}", "<@bob> {}"),
        ("12:30 <alice_> {}", "[12:31] <bob|away> {}"),
        ("**Alice:** {}", "**Bob**: {}"),
        ("Q: {}", "A: {}"),
        ("Алиса: {}", "Боб: {}"),
        ("小红：{}", "小明：{}"),
        ("Alice :\n{}", "Bob :\n{}"),
    ],
)
@pytest.mark.parametrize("joint", ["\n", "\n\n", "\r\n", "\r", "\r\r"])
def test_a_turn_is_a_block(first: str, second: str, joint: str) -> None:
    """Two who take turns, in each way of writing it, with every end of line."""
    said = [(first, second)[at % 2].format(words) for at, words in enumerate(ALICE_AND_BOB)]
    text = joint.join(said) + joint
    assert [turn for _, turn in spoken(text)] == said
    assert len({name for name, _ in spoken(text)}) == 2
    assert {block.kind for block in turns(text)} == {"turn"}


@pytest.mark.parametrize(
    ("asking", "answering"), [("User", "Assistant"), ("Human", "AI"), ("USER", "bot")]
)
def test_roles_need_not_come_back(asking: str, answering: str) -> None:
    """Three turns with a model are enough, and no label in an answer opens one."""
    text = f"System: be kind.\n\n{asking}: hi\n{answering}: hello\n\nExample: a\nResult: b\n"
    assert [name for name, _ in spoken(text)] == ["System", asking, answering]
    assert spoken(text)[-1][1] == f"{answering}: hello\n\nExample: a\nResult: b"


def test_a_turn_reaches_to_the_next() -> None:
    """Lines and blank lines inside are its own, what stands before the first is nobody's."""
    text = (
        "\ufeffA talk\r\n\r\nUser: a\r\n  b\r\n\r\nc  \r\n\r\n\r\nAssistant: d\r\nUser:\r\n e\r\n"
    )
    assert spoken(text) == [
        ("User", "User: a\r\n  b\r\n\r\nc"),
        ("Assistant", "Assistant: d"),
        ("User", "User:\r\n e"),
    ]


def test_what_others_say_once_is_a_turn_too() -> None:
    """Not everyone comes back; a remark is not someone."""
    text = "Ann: one\nBob: two, two\nAnn: three.\nNote: x\nBob: four\nCarol: five!\nAnn: six.\n"
    assert [name for name, _ in spoken(text)] == ["Ann", "Bob", "Ann", "Bob", "Carol", "Ann"]
    assert spoken(text)[2][1] == "Ann: three.\nNote: x"


def test_whoever_comes_late_is_heard() -> None:
    """Only whether a text is a transcript is told by its beginning."""
    text = "Ann: so it is.\nBob: as you say.\n" * 3_000 + "Carol: is it?\nAnn: it is.\n"
    assert [name for name, _ in spoken(text)][-3:] == ["Bob", "Carol", "Ann"]


RECORD = "Item: {}\nColour: {}\nWeight: {} kg\n"
FIELDS = [("Pump", "red", 3), ("Fan", "blue", 4), ("Rod", "red", 1)]
NO_TRANSCRIPTS = {
    "nothing": "",
    "prose": Prose(5).text(3_000),
    "remarks": "A text.\n\nNote: be careful.\n\nMore.\n\nWarning: no.\n\nNote: a\n\nWarning: b\n",
    "remarks alone": "Note: one.\nWarning: two.\nNote: three.\nWarning: four.\n" * 3,
    "one who speaks": "Alice: one.\nAlice: two.\nAlice: three.\nAlice: four.\n",
    "two turns": "User: hi\nAssistant: hello\n",
    "nobody comes back": "Apple: a fruit.\nBank: a shore.\nCat: an animal.\nDog: one more.\n",
    "pairs": "Host: example\nPort: 80\nPath: /x\nMode: fast\n",
    "records": "\n".join(RECORD.format(*fields) for fields in FIELDS),
    "records without blanks": "".join(RECORD.format(*fields) for fields in FIELDS),
    "licences": "Parts: a*\nTerms: GPL-2\n as published\n by them\n\nTerms: BSD\n do as\n"
    " you like.\nParts: b*\n" * 3,
    "keys": "<Multi_key> <a> : x\n<dead_acute> <b> : y\n" * 4,
    "metadata": "Home-page: x\n" + "Requires: a and b, c\n" * 9 + "Provides: d and e, f\n" * 9,
    "yaml": "kind: Pod\nowner: x\n---\nkind: Job\nowner: y\n---\nkind: Pod\nowner: z\n",
    "nested yaml": "Jobs:\n  test: x\nSteps:\n  a: b\n" * 4,
    "headers": "GET / HTTP/1.1\nHost: example.com\nUser-Agent: curl/8 (x)\nAccept: */*\n\n" * 4,
    "robots": "User-agent: *\nDisallow: /a\nAllow: /b\nUser-agent: x\nDisallow: /c\n",
    "levels": "2024-01-02 10:00:00 INFO: up\n2024-01-02 10:00:01 ERROR: no, down\n" * 4,
    "log": "Jan  2 10:00:00 host sshd[12]: a b\nJan  2 10:00:01 host cron[3]: c d\n" * 4,
    "history": "fix: a thing here\nfeat: add a thing\nfix: other thing\nfeat: do this\n",
    "recipes": "Serves: 4\nPreparation: 10 minutes\nCooking: 1 hour\n\nBoil the eggs.\n\n" * 3,
    "code": "try:\n    x()\nexcept OSError:\n    y()\nfinally:\n    z()\n" * 3,
    "switch": "  case A: x();\n  default: y();\ncase B: z();\ndefault: y();\n" * 3,
    "numbers": "Low: 3\nHigh: 9\nLow: 4\nHigh: 11\n",
    "tags": "<p> a\n<b> x</b>\n<p> b\n<b> y</b>\n<p> z\n<b> w</b>\n",
    "places": "http://a.example: x\nC:\\x: y\n" * 4,
    "glossary": "User: who asks.\n\nSystem: what is used.\n\nTool: what helps.\n",
    "an example at the top": "User: hi\nAssistant: yo\nUser: x\n\n" + "It is long. " * 99,
    "a talk far below": "A line of prose.\n" * 200 + "User: a\nAssistant: b\nUser: c\n" * 200,
    "labels in prose": "Ann: a.\n\n" + "A paragraph of its own.\n\n" * 8 + "Bob: b.\n\nAnn: c.\n\n",
}


@pytest.mark.parametrize("text", NO_TRANSCRIPTS.values(), ids=NO_TRANSCRIPTS)
def test_what_only_looks_like_one_is_none(text: str) -> None:
    """Prose with labels, records, headers, logs, source code and markup have no turns."""
    assert spoken(text) == []
    assert cut(text).parser == "text"


def test_turns_that_fit_stay_whole() -> None:
    """Chunks end where turns do, and hold as many as fit; a long turn is cut by itself."""
    long = "Bob: " + "A sentence of thirty letters. " * 4
    text = "Alice: is it true?\n\nNo!\n" + long + "\nAlice: oh. Is it so?\nBob: so it is, yes.\n"
    chunking = cut(text)
    assert chunking.parser == "transcript"
    assert chunking[0].text == "Alice: is it true?\n\nNo!"
    assert chunking[1].text.startswith("Bob: A sentence")
    assert "letters." in chunking[-2].text
    assert chunking[-2].text.endswith("\nAlice: oh. Is it so?")
    assert chunking[-1].text == "Bob: so it is, yes."
    assert {chunk.kind for chunk in chunking} == {"segment"}


def test_a_cut_between_turns_is_preferred_to_a_blank_line() -> None:
    """A blank line inside a turn is no reason to cut it."""
    text = "User: aa aa aa\n\nbb bb bb bb bb\nAI: cc cc\n\ndd dd dd\nUser: ee ee ee ee ee ee\n"
    assert cut(text, size=36).texts == (
        "User: aa aa aa\n\nbb bb bb bb bb",
        "AI: cc cc\n\ndd dd dd",
        "User: ee ee ee ee ee ee",
    )


def test_the_caller_can_say_there_are_no_turns() -> None:
    """Blocks that are given, be they none, are all there are."""
    text = "User: hi\nAssistant: hello\nUser: bye\n"
    assert TextChunker(min_size=0).chunk(text, []).parser == "given"
    assert TextChunker(min_size=0).chunk(text).parser == "transcript"
    assert TextChunker().chunk(text).parser == "text"


def test_the_parser_of_prose_knows_transcripts() -> None:
    """`parsing.parse` gives the same turns."""
    text = "User: hi\nAssistant: hello\nUser: bye\n"
    parsed = parse(Document(text, path="a.txt"))
    assert (parsed.parser, parsed.blocks) == ("transcript", turns(text))
    plain = parse(Document("Only prose.", path="a.txt"))
    assert (plain.parser, plain.blocks) == ("prose", ())


def talk(seed: int, length: int) -> list[str]:
    """That many turns of two people."""
    prose = Prose(seed)
    said = (prose.paragraph() for _ in range(length))
    return [f"{('Alice', 'Bob')[at % 2]}: {words}" for at, words in enumerate(said)]


def test_an_edit_changes_few_stable_chunks() -> None:
    """Cuts between turns do not depend on where the window begins either."""
    shares = []
    for seed in range(20):
        before = talk(seed, 120)
        after = [*before[:10], "Bob: A word more.", *before[10:]]
        ids = [
            {chunk.id for chunk in cut("\n".join(said), size=400, stable=True)}
            for said in (before, after)
        ]
        shares.append(len(ids[0] & ids[1]) / len(ids[0]))
    assert min(shares) >= 0.7
    assert sum(shares) / len(shares) >= 0.9


SPEAKERS = st.sampled_from(
    [
        ("User", "Assistant"),
        ("[12:30] Ann", "[12:31] Bob"),
        ("Ann (12:30)", "Bob (12:31)"),
        ("Анна", "Боб"),
    ]
)
SAID = st.one_of(
    st.sampled_from(["Yes.", "So it is, I think.", "第一句话说明背景情况。", "\u0600 ", " \u0301"]),
    texts(1, 6),
    st.integers(0, 99).map(lambda seed: Prose(seed).paragraph()),
)


@st.composite
def transcripts(draw: st.DrawFn) -> str:
    """Turns of two who say anything, with any ends of lines between them."""
    speakers = draw(SPEAKERS)
    said = draw(st.lists(SAID, min_size=4, max_size=12))
    joint = draw(st.sampled_from(["\n", "\n\n", "\r\n", "\r", "\n \n", "\r\n\r\n"]))
    return joint.join(f"{speakers[at % 2]}: {words}" for at, words in enumerate(said))


@given(
    text=transcripts(),
    measure=st.sampled_from(["chars", "bytes", "graphemes"]),
    size=st.integers(8, 300),
    overlap=st.integers(0, 40),
    stable=st.booleans(),
    budgeted=st.booleans(),
)
def test_every_promise_holds(
    text: str, measure: str, size: int, overlap: int, stable: bool, budgeted: bool
) -> None:
    """Whatever is said, in every measure; turns are disjoint and begin with their speakers."""
    usable = overlap if overlap < size else size // 2
    asked = Asked(size=size, overlap=usable, count=COUNTERS[measure], budgeted=budgeted)
    chunker = TextChunker(
        size=size,
        overlap=overlap,
        min_size=0,
        max_chunks=None,
        stable=stable,
        measure=measure,
        budget_includes_context=budgeted,
    )
    _, broken = examine(chunker, Document(text, path="talk.txt"), asked)
    assert broken == []
    reached = 0
    for turn in turns(text):
        assert reached <= turn.start < turn.end
        assert turn.name in text[turn.start : turn.end]
        reached = turn.end


@given(text=transcripts(), size=st.integers(40, 300), stable=st.booleans())
def test_no_turn_that_fits_is_cut(text: str, size: int, stable: bool) -> None:
    """Each is whole in one chunk."""
    chunks = cut(text, size=size, stable=stable).chunks
    for turn in turns(text):
        if turn.end - turn.start <= size:
            assert any(c.start <= turn.start and turn.end <= c.end for c in chunks), turn


@pytest.mark.parametrize("stable", [False, True])
def test_the_work_grows_with_the_text(stable: bool) -> None:
    """Twice the talk costs at most twice as much."""
    text = "\n".join(talk(7, 60)) + "\n"
    options: dict[str, Any] = {"size": 300, "min_size": 0, "max_chunks": None, "stable": stable}
    assert list(check_linear(lambda count: TextChunker(measure=count, **options), text)) == []
