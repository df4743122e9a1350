"""Where sentences and clauses end, and where they do not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import regex

from chunkwright.chunking import sentences as room
from chunkwright.chunking.sentences import (
    CLAUSE_ENDS_ANYWHERE,
    CLAUSE_ENDS_BEFORE_SPACE,
    CLOSERS,
    CLOSERS_BEFORE_SPACE,
    ENDS_ANYWHERE,
    ENDS_BEFORE_SPACE,
    NEVER_FIRST,
    first_sentence_start,
    last_clause_end,
    last_sentence_end,
)

Find = Callable[[str, int, int], int]


def sentences(text: str) -> list[str]:
    """The text cut at every sentence end, found from the back."""
    ends = []
    high = len(text)
    while (end := last_sentence_end(text, 0, high)) > 0:
        ends.append(end)
        high = end - 1
    edges = [0, *reversed(ends)]
    return [text[a:b].strip() for a, b in zip(edges, [*edges[1:], len(text)], strict=True) if a < b]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four… Five", ["One.", "Two!", "Three?", "Four…", "Five"]),
        ('He said "stop." Then he left.', ['He said "stop."', "Then he left."]),
        ("(All of it.) More...  Done", ["(All of it.)", "More...", "Done"]),
        ("好的。」他说。再见", ["好的。」", "他说。", "再见"]),
        ("真的？！好", ["真的？！", "好"]),
        ("नमस्ते। कैसे हैं? ठीक।", ["नमस्ते।", "कैसे हैं?", "ठीक।"]),
        ("ابدأ؟ نعم۔ لا", ["ابدأ؟", "نعم۔", "لا"]),
        ("ابدأ؟نعم۔لا", ["ابدأ؟", "نعم۔", "لا"]),
        ("一。二！三？四｡五．六", ["一。", "二！", "三？", "四｡", "五．", "六"]),
        ("राम॥सीता।", ["राम॥", "सीता।"]),
        ("ሰላም።ነው፧", ["ሰላም።", "ነው፧"]),
        ("ខ្ញុំទៅ។គាត់៕", ["ខ្ញុំទៅ។", "គាត់៕"]),
        ("သွားသည်။လာသည်။", ["သွားသည်။", "လာသည်။"]),
        ("བཀྲ་ཤིས། བདེ་ལེགས།", ["བཀྲ་ཤིས།", "བདེ་ལེགས།"]),
        ("ཡིན། །དེ", ["ཡིན། །", "དེ"]),
        ("Բարեւ։ Ինչպես ես։", ["Բարեւ։", "Ինչպես ես։"]),
        ("Τι κάνεις\u037e Καλά", ["Τι κάνεις\u037e", "Καλά"]),
        ("𑀓𑁇𑀔𑁈", ["𑀓𑁇", "𑀔𑁈"]),
    ],
)
def test_sentences_end_at_the_marks_of_their_script(text: str, expected: list[str]) -> None:
    """Closing quotes and brackets belong to the sentence they close."""
    assert sentences(text) == expected


def test_every_sentence_terminal_of_unicode_is_a_mark() -> None:
    """The tables hold all that UAX #29 calls STerm or ATerm, and each mark once."""
    terminals = regex.findall(r"[\p{SB=STerm}\p{SB=ATerm}]", every_character())
    marks = ENDS_BEFORE_SPACE + ENDS_ANYWHERE
    assert sorted(set(terminals) - set(marks)) == []
    assert len(marks) == len(set(marks))


def every_character() -> str:
    return "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)]))


def test_a_mark_has_one_meaning() -> None:
    """What ends a sentence ends no clause and closes nothing; no mark ends and closes."""
    ends = set(ENDS_BEFORE_SPACE + ENDS_ANYWHERE)
    closers = set(CLOSERS + CLOSERS_BEFORE_SPACE)
    clauses = set(CLAUSE_ENDS_BEFORE_SPACE + CLAUSE_ENDS_ANYWHERE)
    assert not ends & closers
    assert not ends & clauses
    assert not clauses & closers
    assert set(ENDS_ANYWHERE) < set(NEVER_FIRST)


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Smith met Mrs. Jones",
        "fruit, e.g. Apples, i.e. Food",
        "North vs. South",
        "pi is 3.14 in v1.2.3 of it",
        "the U.S. Army and J. R. R. Tolkien",
        "K. He and Y. So wrote",
        "see no. 5 and fig. 3 on p. 9",
        "pumps, valves etc. and so on",
        "at 5 p.m. on Monday",
        "1. First of all",
        "  12. Then this",
        "2.1. A heading",
        "run a.py or b.c now",
        "well... and so on",
        "well… and so on",
        "he said (in full.) and left",
        "etc.\nand so on",
        "z.B. Wasser, u.a. Luft",
        "z. B. Wasser, d. h. Luft",
        "am 3. Oktober",
        "Gemüse usw. und Obst",
        "M. Dupont et Mme. Curie, p. ex. Paris",
        "el Sr. García y la Sra. López",
        "А. С. Пушкин, т.е. Поэт",
        "т. е. Поэт и т. д. и т. п. вместе",
        "２．５と３．１",
        "Ａ．Ｂ",
        "www.example.org/a?b=c!d",
    ],
)
def test_stops_inside_a_sentence_do_not_end_it(text: str) -> None:
    """Abbreviations, initials, decimals, versions, list numbers and file names, and a stop before
    a small letter, are no sentence ends."""
    assert last_sentence_end(text, 0, len(text)) == -1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("He lives in the U.S.", "The law changed"),
        ("Pumps, valves etc.", "The rest follows"),
        ("We met at 5 p.m.", "Then he left"),
        ("Take vitamin C.", "This helps"),
        ("By Smith et al.", "They say"),
        ("The fault is Ann's.", "Boris left"),
        ("It is in main.c.", "Run it"),
        ("It is a.py.", "Run it"),
        ("That was in 1999.", "Boris left"),
        ("Use `f(x)`.", "`g` is slower"),
        ('He said (and meant) "stop.")', "Then he left"),
        ("Er sagte: „Geh.“", "Dann ging er"),
        ("Was it etc.?", "Yes"),
        ("Stop!", "and go"),
        ("Обед и т. д.", "Потом"),
        ("Obst usw.", "Dann kam er"),
        ("One ends.", "\nanother begins"),
    ],
)
def test_stops_after_abbreviations_can_end_a_sentence(first: str, second: str) -> None:
    """Initials end a sentence before a word that is no name, other abbreviations before what is
    no small letter; closing quotes and brackets belong to it in any order."""
    text = f"{first} {second}"
    assert last_sentence_end(text, 0, len(text)) == len(first)
    start = first_sentence_start(text, 1, len(text))
    assert text[start:] == second.strip()


def test_an_abbreviation_can_end_a_sentence() -> None:
    """What often stands last ends a sentence where a capital follows."""
    assert sentences("Pumps, valves etc. Others follow.") == [
        "Pumps, valves etc.",
        "Others follow.",
    ]
    assert sentences("Say no. Then go.") == ["Say no.", "Then go."]


def test_a_sentence_start_is_found_at_or_after_a_place() -> None:
    """The first place that begins a sentence or a paragraph, marks just before it included."""
    text = "One two. Three four.\n\nand then. Five"
    assert first_sentence_start(text, 9, len(text)) == 9
    assert first_sentence_start(text, 10, len(text)) == text.index("and")
    assert first_sentence_start(text, 10, 15) == -1


def test_clauses_end_at_semicolons_and_at_commas_without_spaces() -> None:
    """A comma is a clause end only where words are not set apart by spaces."""
    assert last_clause_end("one; two, three", 0, 15) == 4
    assert last_clause_end("今天，明天", 0, 5) == 3
    assert last_clause_end("10:30 and a::b", 0, 14) == -1


def test_a_sentence_start_is_found_after_blank_lines_of_every_kind() -> None:
    """A paragraph begins after a blank line, whichever line ends and blanks it is made of; one
    line end begins none."""
    for blank in ("\n\n", "\r\n\r\n", "\r\r", "\n \t\n", "\r\n \r\n"):
        text = f"a title{blank}Some text"
        assert first_sentence_start(text, 1, len(text)) == text.index("Some")
        assert first_sentence_start(text, text.index("Some"), len(text)) == text.index("Some")
    for line in ("\n", "\r\n", "\r"):
        assert first_sentence_start(f"a title{line}Some text", 1, 10) == -1


def test_places_stay_inside_what_is_asked_about() -> None:
    """An end is after `low` and not after `high`, even where its quotes go on; a start is not
    before `low` and before `high`."""
    text = 'It ends." So it does. Yes'
    assert last_sentence_end(text, 0, 8) == -1
    assert last_sentence_end(text, 0, 9) == 9
    assert last_sentence_end(text, 9, 20) == -1
    assert last_sentence_end(text, 9, 21) == 21
    assert first_sentence_start(text, 11, 22) == -1
    assert first_sentence_start(text, 11, 23) == 22


def test_clause_ends_stay_inside_what_is_asked_about() -> None:
    """The white space after a clause may lie outside; the mark may not."""
    assert last_clause_end("one; two", 0, 4) == 4
    assert last_clause_end("one; two", 0, 3) == -1
    assert last_clause_end("今，，天", 0, 4) == 3


UNITS = [".", "?", "*", "_", '"', "。", "。」", ".)", '."', " ", "\n", "\n ", "\r\n", ";", "，"]
UNITS += ["J. ", "e.g. ", "3. ", "etc. ", "a. b ", "།", "། ", "𑁇", "\U00012000", "\U00012000 "]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("find", [last_sentence_end, last_clause_end, first_sentence_start])
def test_long_runs_are_gone_through_once(find: Find, unit: str) -> None:
    """A run of 100,000 comes to an end soon: nothing looks at a mark, a quote or a space as often
    as there are of them, which would take minutes."""
    text = unit * (100_000 // len(unit)) + "x"
    assert -1 <= find(text, 0, len(text)) <= len(text)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("find", [last_sentence_end, first_sentence_start])
def test_twice_the_text_takes_twice_the_looks(
    find: Find, unit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each mark is judged once, and a judgement looks at a bounded stretch around it."""
    if not str(room.__file__).endswith(".py"):
        pytest.skip("compiled calls cannot be counted")
    judged: list[int] = []
    judge = room._ends_sentence

    def counting(text: str, end: int) -> bool:
        judged.append(end)
        return judge(text, end)

    monkeypatch.setattr(room, "_ends_sentence", counting)
    text = unit * 500 + "x"
    find(text, 0, len(text))
    assert len(judged) == len(set(judged)) <= len(text)


def test_small_letters_tell_nothing_where_there_are_no_capitals() -> None:
    """Texts all in small letters, chats and search corpora, have sentences too."""
    small = "it was so and so. " * 30
    assert last_sentence_end(small, 300, 400) == 395
    assert last_sentence_end(small + "Now a capital. and so on. ", 500, len(small) + 15) == 539
    russian = "так оно и было. " * 30
    assert last_sentence_end(russian, 300, 400) == 399
    assert last_sentence_end("Т" + russian[1:240] + russian, 200, 250) == -1


def test_what_stands_far_off_has_no_say() -> None:
    """An abbreviation needs its follower within LOOK_AHEAD; further off, the sentence ends."""
    near, far = " " * (room.LOOK_AHEAD - 1), " " * room.LOOK_AHEAD
    assert last_sentence_end(f"etc.{near}and", 0, 10) == -1
    assert last_sentence_end(f"etc.{far}and", 0, 10) == 4


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("1. Open the door. 2. Walk in slowly. 3. Sit.", [17, 36, 44]),
        ("It was 5. Then it was 6.", [9, 24]),
        ("وقال د. أحمد شيئا.", [18]),
        ("मैं डॉ. शर्मा हूँ।", [18]),
    ],
)
def test_numbers_of_items_and_titles_end_no_sentence(text: str, ends: list[int]) -> None:
    """Inside a line too, and in other scripts."""
    found, high = [], len(text)
    while (end := last_sentence_end(text, 0, high)) > 0:
        found.append(end)
        high = end - 1
    assert found[::-1] == ends
