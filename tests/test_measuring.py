"""Measures count what they say, and a ruler reaches exactly as far as they allow."""

from __future__ import annotations

from itertools import pairwise

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import BPE, WordLevel
from tokenizers.pre_tokenizers import ByteLevel, Whitespace

from chunkwright import ConfigError, EmbedError, assets
from chunkwright.measuring import Ruler, check, identity, resolve
from chunkwright.types import Measure

EXACT = ("chars", "bytes", "graphemes", "lines")

PIECES = (
    *("a", "Z9", " ", "\n", "\r\n", "\r", "\x00", "\u2028", "word ", "é", "e\u0301", "\u0301"),
    *("🇳🇴", "🇳", "👍🏽", "👨\u200d👩", "नि", "क्", "\u0600", "各"),
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


class Paragraphs:
    """A measure of a caller's own, without a name."""

    def count(self, text: str) -> int:
        return len(text.split("\n\n"))


class Calls:
    """Counts code points, and how many of them it was given to count."""

    name = "calls"

    def __init__(self) -> None:
        self.seen = 0

    def count(self, text: str) -> int:
        self.seen += len(text)
        return len(text)


class Pairs:
    """Two code points a unit, and the end of every unit."""

    name = "pairs"

    def __init__(self) -> None:
        self.longest = 0

    def count(self, text: str) -> int:
        return (len(text) + 1) // 2

    def ends(self, text: str) -> list[int]:
        self.longest = max(self.longest, len(text))
        return [min(end, len(text)) for end in range(2, len(text) + 2, 2)]


class Encoding:
    """Shaped like a tiktoken encoding: it refuses special tokens unless told not to."""

    name = "refusing"

    def encode(self, text: str, *, disallowed_special: object = "all") -> list[int]:
        if disallowed_special == "all" and "<|endoftext|>" in text:
            raise ValueError("special token")
        return [0] * len(text.split())


class SlowTokenizer:
    """Shaped like a Hugging Face tokenizer: it adds special tokens unless told not to."""

    def encode(self, text: str, add_special_tokens: bool = True) -> list[int]:
        return [0] * (len(text.split()) + 2 * add_special_tokens)


@pytest.mark.parametrize(
    ("measure", "text", "count"),
    [
        ("chars", "e\u0301🇳🇴", 4),
        ("bytes", "aé各🙂", 10),
        ("graphemes", "e\u0301🇳🇴🇸🇪👍🏽\r\nx", 6),
        ("graphemes", "a\r\nb", 3),
        ("lines", "", 0),
        ("lines", "a", 1),
        ("lines", "a\n", 1),
        ("lines", "a\nb\r\nc\rd", 4),
        ("lines", "\r\n\r\n", 2),
        ("lines", "a\x0cb\u2028c\x85d", 1),
        (len, "four", 4),
        (Paragraphs(), "a\n\nb", 2),
        (Encoding(), "to <|endoftext|> here", 3),
        (SlowTokenizer(), "two words", 2),
    ],
)
def test_a_measure_counts_in_its_unit(measure: object, text: str, count: int) -> None:
    """Every kind of measure counts a known text as documented."""
    assert resolve(measure).count(text) == count


@given(TEXTS)
@example("🇳" * 41)
@example("\u0600🇳🇴🇸")
@example("क्" * 20)
def test_graphemes_are_extended_grapheme_clusters(text: str) -> None:
    r"""The linear cluster pattern counts as `\X` does."""
    assert resolve("graphemes").count(text) == len(regex.findall(r"\X", text))


@given(TEXTS, st.sampled_from(EXACT), st.integers(1, 12), st.data())
def test_a_reach_is_the_furthest_that_fits(
    text: str, measure: str, size: int, data: st.DataObject
) -> None:
    """One code point further counts more than the size; the reach itself does not."""
    start = data.draw(st.integers(0, len(text)))
    count = resolve(measure).count
    reach = Ruler(text, measure, size).reach(start)
    assert count(text[start:reach]) <= size
    assert reach == len(text) or count(text[start : reach + 1]) > size


@given(TEXTS, st.sampled_from(EXACT), st.integers(1, 12))
def test_a_reach_back_is_the_earliest_that_fits(text: str, measure: str, size: int) -> None:
    """What is reached back to counts at most the size, and the whole text where that fits."""
    count = resolve(measure).count
    start = Ruler(text, measure, None).reach_back(len(text), size)
    assert count(text[start:]) <= size
    assert start == 0 or count(text) > size


@given(TEXTS, st.integers(1, 9))
def test_a_reach_in_tokens_is_an_estimate_that_a_count_confirms(text: str, size: int) -> None:
    """Token counts are not additive: forward and backward, `fits` has the last word."""
    ruler = Ruler(text, "tokens", size)
    count = resolve("tokens").count
    for start in range(0, len(text), 3):
        reach = ruler.reach(start)
        assert start < reach <= len(text)
        assert ruler.fits(start, reach) == (count(text[start:reach]) <= size)
        back = ruler.reach_back(start + 1, size)
        assert 0 <= back <= start + 1
        assert ruler.fits(back, start + 1) == (count(text[back : start + 1]) <= size)


@given(TEXTS, st.integers(1, 9))
def test_a_callable_reaches_as_far_as_the_measure_of_that_name(text: str, size: int) -> None:
    """`len` finds by searching what `chars` knows."""
    by_name, by_search = Ruler(text, "chars", size), Ruler(text, len, size)
    assert [by_name.reach(at) for at in range(len(text))] == [
        by_search.reach(at) for at in range(len(text))
    ]


def test_a_plateau_is_reached_to_its_end() -> None:
    """A count that does not grow for a while (words) is followed as far as it fits."""
    text = "one two threeeeeeeeeeeeeeeeeeeeeeeeeee     four"
    ruler = Ruler(text, lambda part: len(part.split()), 3)
    assert text[: ruler.reach(0)] == "one two threeeeeeeeeeeeeeeeeeeeeeeeeee     "


def test_nothing_fits_a_size_that_is_too_small() -> None:
    """Where not even one code point fits, the reach is the start, and back the end."""
    assert Ruler("🙂🙂", "bytes", 3).reach(1) == 1
    assert Ruler("🙂🙂", "bytes", None).reach_back(2, 3) == 2
    assert not Ruler("🙂🙂", "bytes", 1).fits(0, 1)
    assert not Ruler("🙂🙂", "tokens", None).fits(0, 2, 1)


def test_without_a_size_everything_fits() -> None:
    """No cap: a reach goes to the end of the text."""
    ruler = Ruler("x" * 99, "lines", None)
    assert ruler.reach(5) == 99
    assert ruler.fits(0, 99)


def test_a_lower_cap_keeps_the_full_one() -> None:
    """What is reserved for context can be given up, so the ruler remembers the whole cap."""
    ruler = Ruler("x" * 99, "chars", 50).capped(20)
    assert (ruler.size, ruler.full, ruler.reach(0)) == (20, 50, 20)


def test_searching_costs_a_bounded_number_of_counts_a_window() -> None:
    """Twice the text costs about twice the counting, without `ends` too."""

    def work(length: int) -> int:
        calls = Calls()
        ruler = Ruler("q" * length, calls, 100)
        at = 0
        while at < length:
            at = ruler.reach(at)
        return calls.seen

    assert work(20_000) <= 2.2 * work(10_000)
    assert work(10_000) < 60_000


def test_unit_ends_are_asked_for_in_bounded_pieces_as_far_as_needed() -> None:
    """One unbroken run never reaches a tokenizer whole, and only the text looked at is measured."""
    pairs = Pairs()
    ruler = Ruler("_" * 200_000, pairs, 10)
    assert ruler.reach(6) == 26
    assert pairs.longest <= 65_536


def test_an_underscore_run_is_counted_in_tokens() -> None:
    """200,000 underscores go through the tokenizer without a word to hold on to."""
    ruler = Ruler("_" * 200_000, "tokens", 256)
    at, chunks = 0, 0
    while at < 200_000:
        at, chunks = ruler.reach(at), chunks + 1
    assert 10 <= chunks <= 1_000


@pytest.mark.parametrize("script", ["今天的会议记录很长，需要切分。", "ภาษาไทยไม่มีช่องว่างระหว่างคำ"])
def test_scripts_without_spaces_have_a_token_for_every_four_characters(script: str) -> None:
    """A paragraph without a space is never one token."""
    assert resolve("tokens").count(script * 20) * 4 >= len(script * 20)


def test_special_tokens_are_ordinary_text() -> None:
    """What spells a special token is several ordinary tokens to the default tokenizer."""
    tokens = resolve("tokens")
    assert tokens.count("</s>") > 1
    assert tokens.count("<|endoftext|>") > 3


def test_names_are_counted_in_their_parts() -> None:
    """The words of an identifier are tokens, as they are to the default embedder."""
    tokens = resolve("tokens")
    assert tokens.count("getUserName") == tokens.count("get user name") == 3
    ends = tokens.ends("getUserName")  # type: ignore[attr-defined]  # this measure has them
    assert ends == [3, 7, 11]


def test_what_no_piece_stands_for_is_counted_one_by_one() -> None:
    """Neither a long word nor one in an unknown script is a single token."""
    tokens = resolve("tokens")
    assert tokens.count("🙂" * 100) == 100
    assert tokens.count("ꙮ" * 100) == 100
    assert tokens.count("x" * 8_000) >= 250


def test_the_model_files_are_where_assets_says() -> None:
    """Both files are part of the package, and together no more than 10 MB."""
    paths = (assets.tokenizer_path(), assets.weights_path())
    assert [path.suffix for path in paths] == [".json", ".safetensors"]
    assert 8_000_000 < sum(path.stat().st_size for path in paths) < 10_000_000


def test_a_missing_model_file_names_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what to install again."""
    monkeypatch.setattr(assets, "WEIGHTS_FILE", "gone")
    with pytest.raises(EmbedError, match="gone is missing; install the package again"):
        assets.weights_path()


def test_a_tokenizer_that_truncates_and_pads_still_counts_everything() -> None:
    """The caller's tokenizer is copied, the copy counts all tokens, the original is untouched."""
    tokenizer = Tokenizer(WordLevel({"a": 0, "[UNK]": 1}, unk_token="[UNK]"))  # noqa: S106  # no password
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.enable_truncation(4)
    tokenizer.enable_padding(length=6)
    assert resolve(tokenizer).count("a b c d e f g h") == 8
    assert resolve(tokenizer).count("a") == 1
    assert (tokenizer.truncation or {})["max_length"] == 4


def test_a_byte_level_tokenizer_never_cuts_a_character() -> None:
    """Units that are bytes of one character end where the character ends."""
    vocabulary = {token: number for number, token in enumerate(ByteLevel.alphabet())}
    tokenizer = Tokenizer(BPE(vocabulary, []))
    tokenizer.pre_tokenizer = ByteLevel(add_prefix_space=False)
    ruler = Ruler("öü🙂", tokenizer, 4)
    assert ruler.reach(0) == 2
    assert ruler.reach(2) == 3
    assert ruler.count(0, 3) == 8


def test_a_wrapper_of_a_fast_tokenizer_is_opened() -> None:
    """A tokenizer that has a `backend_tokenizer` is measured by that, with unit ends."""
    tokenizer = Tokenizer(WordLevel({"a": 0, "[UNK]": 1}, unk_token="[UNK]"))  # noqa: S106  # no password
    tokenizer.pre_tokenizer = Whitespace()

    class Wrapper:
        backend_tokenizer = tokenizer

        def encode(self, text: str) -> list[int]:
            raise AssertionError(text)

    assert Ruler("a a a a", Wrapper(), 2).reach(0) == 3


@pytest.mark.parametrize("measure", ["words", "", None, 3, ["a"], b"chars", object()])
def test_what_cannot_count_is_no_measure(measure: object) -> None:
    """The error names the option and what is allowed."""
    with pytest.raises(ConfigError, match="measure") as caught:
        check(measure)
    assert caught.value.option == "measure"
    with pytest.raises(ConfigError):
        resolve(measure)


def test_identities_tell_measures_apart() -> None:
    """Two tokenizers, or a tokenizer and a name, never share a fingerprint."""
    one = Tokenizer(WordLevel({"a": 0}, unk_token="a"))  # noqa: S106  # no password
    two = Tokenizer(WordLevel({"b": 0}, unk_token="b"))  # noqa: S106  # no password
    names = [identity(measure) for measure in ("chars", "tokens", one, two, len)]
    assert len(set(names)) == len(names)
    assert "tokenizers-" in identity("tokens")


def test_measures_are_measures() -> None:
    """What resolve gives satisfies the protocol, name included, and resolves to itself."""
    for given_measure in (*EXACT, "tokens", len, Paragraphs(), Encoding(), SlowTokenizer()):
        measure = resolve(given_measure)
        assert isinstance(measure, Measure)
        assert measure.name
        assert resolve(measure) is measure


@given(TEXTS)
def test_the_ends_of_tokens_never_go_back(text: str) -> None:
    """Unit ends are sorted and lie within the text."""
    ends = resolve("tokens").ends(text)  # type: ignore[attr-defined]  # this measure has them
    assert all(before <= after for before, after in pairwise(ends))
    assert all(0 < end <= len(text) for end in ends)
