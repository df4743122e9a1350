"""Word breaks inside scripts without spaces: found with icu4py, absent without it."""

from __future__ import annotations

import builtins
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import version
from itertools import pairwise

import pytest
import regex

from chunkwright.characters import cluster_floor
from chunkwright.chunking import unspaced
from chunkwright.chunking.sentences import NEVER_FIRST
from chunkwright.chunking.unspaced import (
    CONTEXT,
    DISTRIBUTIONS,
    LETTERS,
    REACH,
    first_word_break,
    last_word_break,
)

WORDS = {
    "thai": "กรุงเทพมหานคร|เป็น|เมือง|หลวง",
    "lao": "ປະເທດ|ລາວ|ເປັນ|ປະເທດ",
    "khmer": "ព្រះរាជាណាចក្រ|កម្ពុជា|ជា|ប្រទេស",
    "burmese": "မြန်မာနိုင်ငံ|သည်|အရှေ့တောင်",
    "chinese": "北京|大学|的|学生",
    "japanese": "毎日|電車|で|会社|に",
}
WITHOUT_SPACES = "กรุงเทพมหานครเป็นเมืองหลวงและนครที่มีประชากรมากที่สุดของประเทศไทย" * 20


@pytest.fixture
def _icu() -> None:
    pytest.importorskip("icu4py", reason="the extra `words` is not installed")


@pytest.fixture
def _absent(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An interpreter in which icu4py cannot be imported."""
    real = builtins.__import__

    def refuse(name: str, *rest: object) -> object:
        if name.startswith("icu4py"):
            raise ModuleNotFoundError(f"No module named {name!r}")
        return real(name, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", refuse)
    unspaced._word_breaker.cache_clear()
    yield
    unspaced._word_breaker.cache_clear()


def breaks(text: str) -> list[int]:
    """Every word break, from the back; the same from the front, or the test fails."""
    found: list[int] = []
    high = len(text)
    while (place := last_word_break(text, 0, high)) > 0:
        found.insert(0, place)
        high = place - 1
    ahead, low = [], 0
    while (place := first_word_break(text, low, len(text))) >= 0:
        ahead.append(place)
        low = place + 1
    assert ahead == found
    return found


def words(text: str) -> str:
    edges = [0, *breaks(text), len(text)]
    return "|".join(text[a:b] for a, b in pairwise(edges))


@pytest.mark.usefixtures("_icu")
class TestWithTheLibrary:
    """What icu4py finds, in the places and within the bounds that are asked for."""

    @pytest.mark.parametrize("script", WORDS)
    def test_words_of_every_script_are_found(self, script: str) -> None:
        """A place between two words is a break; no place inside a word is."""
        assert words(WORDS[script].replace("|", "")) == WORDS[script]

    def test_only_the_inside_of_a_run_has_breaks(self) -> None:
        """White space, Latin letters, digits and punctuation are no part of a run."""
        assert words("See เมืองหลวง, 3 words") == "See เมือง|หลวง, 3 words"
        assert words("plain words, русские слова, 한국어 단어") == (
            "plain words, русские слова, 한국어 단어"
        )
        assert words("天 地") == "天 地"

    def test_offsets_are_code_points_beyond_the_first_plane(self) -> None:
        """ICU counts UTF-16 units; characters of two units shift nothing."""
        plain = "北京大学的学生"
        for before in ("😀", "𠀀", "😀𠀀", "学𠀀𠀀𠀀"):
            expected = [len(before) + place for place in breaks(plain)]
            assert breaks(before + plain)[-len(expected) :] == expected

    def test_a_break_is_a_cluster_boundary_and_begins_with_no_mark_of_repetition(self) -> None:
        """No break inside a grapheme cluster, none before what begins no line."""
        text = "ต่างๆกินน้ำแข็งที่ร้าน" + "人々はコーヒーを飲む" + "が" * 3 + "ផ្សេងៗគ្នា"
        for place in breaks(text):
            assert cluster_floor(text, 0, place) == place
            assert text[place] not in NEVER_FIRST

    def test_the_bounds_are_kept(self) -> None:
        """The last is after `low` and not after `high`; the first not before `low`, before
        `high`."""
        text = WORDS["thai"].replace("|", "")
        one, two, three = breaks(text)
        assert last_word_break(text, 0, two) == two
        assert last_word_break(text, one, two - 1) == -1
        assert last_word_break(text, one - 1, two - 1) == one
        assert first_word_break(text, two, len(text)) == two
        assert first_word_break(text, two + 1, len(text)) == three
        assert first_word_break(text, two + 1, three) == -1
        assert last_word_break(text, 5, 5) == last_word_break(text, 9, 5) == -1

    @pytest.mark.parametrize("find", [last_word_break, first_word_break])
    def test_nothing_far_away_has_a_say(self, find: Callable[[str, int, int], int]) -> None:
        """What is further off than REACH and CONTEXT can be anything."""
        middle = len(WITHOUT_SPACES) // 2
        low, high = (0, middle) if find is last_word_break else (middle, len(WITHOUT_SPACES))
        before = middle - (REACH if find is last_word_break else 0) - CONTEXT
        after = middle + (0 if find is last_word_break else REACH) + CONTEXT
        other = "x" * before + WITHOUT_SPACES[before:after] + "漢" * (len(WITHOUT_SPACES) - after)
        assert find(other, low, high) == find(WITHOUT_SPACES, low, high) >= 0

    def test_breaks_agree_wherever_one_looks_from(self) -> None:
        """The context is enough: each place is found as if the whole run had been looked at."""
        whole = set(breaks(WITHOUT_SPACES[:400]))
        for high in range(40, 360, 7):
            assert last_word_break(WITHOUT_SPACES, 0, high) == max(x for x in whole if x <= high)

    def test_the_dictionary_sees_a_bounded_stretch(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """However long the run and the range: REACH, and CONTEXT on both sides."""
        seen: list[int] = []
        real = unspaced._word_breaker()
        assert real is not None

        def spy(run: str, locale: str) -> object:
            seen.append(len(run))
            return real(run, locale)

        monkeypatch.setattr(unspaced, "_word_breaker", lambda: spy)
        last_word_break(WITHOUT_SPACES, 0, len(WITHOUT_SPACES) - 100)
        first_word_break(WITHOUT_SPACES, 100, len(WITHOUT_SPACES))
        assert seen == [REACH + 2 * CONTEXT] * 2

    def test_the_distributions_are_installed_ones(self) -> None:
        """What a fingerprint names has a version."""
        assert [bool(version(distribution)) for distribution in DISTRIBUTIONS] == [True]


@pytest.mark.usefixtures("_absent")
@pytest.mark.parametrize("script", WORDS)
def test_without_the_library_there_are_no_word_breaks(script: str) -> None:
    """Its absence is no error: a cut falls between clusters, as if there were no words."""
    assert breaks(WORDS[script].replace("|", "")) == []


def test_the_library_is_loaded_only_for_its_scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Latin, Cyrillic and Korean text, and single letters, never ask for it."""
    monkeypatch.setattr(unspaced, "_word_breaker", lambda: pytest.fail("asked for"))
    for text in ("plain words", "русские слова", "한국어 단어", "日 月", "๑๒๓ ១២៣", ""):
        assert last_word_break(text, 0, len(text)) == -1
        assert first_word_break(text, 0, len(text)) == -1


def test_importing_the_room_loads_no_library() -> None:
    """Loading ICU takes time and memory that other scripts need not pay."""
    code = "import sys, chunkwright.chunking.unspaced; print('icu4py' in sys.modules)"
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert answer.stdout == "False\n"


def test_the_letters_are_those_of_the_six_scripts() -> None:
    """The table holds every letter and mark that Unicode gives them, and no digit or symbol."""
    every = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)]))
    ours = set(re.findall(f"[{LETTERS}]", every))
    scripts = "".join(
        rf"\p{{Script={script}}}"
        for script in ("Thai", "Lao", "Khmer", "Myanmar", "Han", "Hiragana", "Katakana")
    )
    theirs = set(regex.findall(rf"(?V1)[[{scripts}]&&[\p{{L}}\p{{M}}\p{{Nl}}]]", every))
    assert theirs - ours == set()
    assert regex.findall(r"[^\p{L}\p{M}\p{Nl}\p{Cn}]", "".join(sorted(ours))) == []
