"""Token counts are those of the real tokenizers, text that spells a special token is ordinary text
to all of them, and cutting by tokens reads a text once.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator
from importlib.metadata import version
from importlib.util import find_spec
from itertools import accumulate, cycle, islice, pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer
from tokenizers.models import BPE, WordLevel
from tokenizers.pre_tokenizers import ByteLevel, PreTokenizer, Whitespace

from chunkwright import ConfigError, TextChunker
from chunkwright.measuring import Ruler, identity, resolve, unit_ends, vocabularies
from chunkwright.measuring.byte_pairs import OPENAI_SEAMS
from chunkwright.types import Measure

PUBLISHED = {
    "cl100k": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    "o200k": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
}
"""SHA-256 of the files that OpenAI publishes, as tiktoken checks them."""

SPECIAL = "<|endoftext|>"

TEXTS = (
    "",
    "a",
    "The harbour is quiet; it's 3.50 p.m., they'LL say, and 1234567 boats lie on the sand.",
    f"before {SPECIAL} after{SPECIAL}{SPECIAL}<|fim_prefix|><|endofprompt|><|im_start|>user",
    "one  two   three    four\t\tfive \t six\u00a0\u00a0seven\u3000eight\u2003nine",
    "\n\n\n  \n\t\n   x\r\n\r\n \r\r  \n",
    "trailing white space  \n  ",
    " " * 300 + "x" + "\n" * 300,
    "def f(x):\n    if x:\n        return {'a': [x**2, ...]}  # (comment)//\n/// \n",
    "Ærlig talt, på Ås i går: «smørbrød» – naïve café, Straße, ǆ ǅ Ǆ ΣΊΣΥΦΟΣ",
    "e\u0301e\u0301 Z\u0351\u036b\u0343a\u030algo \u0301 alone",
    "今天的会议记录很长，需要切分。 日本語のテキスト、カタカナ。 한국어 문장입니다.",
    "ภาษาไทยไม่มีช่องว่าง हिन्दी में पाठ العربية نص עברית Русский текст",
    "👍🏽 👨‍👩‍👧‍👦 🇳🇴🇸🇪 🙂🙂🙂 ☃️ 𝒳𝒴 𐍈 \U000e0041",
    "\x00\x01\x1f\x7f\x80\x85\u200b\u2028\u2029\ufeff\ufffd\uffff\U0010ffff",
    "１２３ ٣٤٥ ⅷ ² 12345678901234567890",
    "aGVsbG8gd29ybGQ" * 60 + "=" * 70,
    "_" * 1_000 + "A" * 500 + "各" * 200,
    "ALLCAPS McDonald iPhone XMLHttpRequest HELLO'S don'T 'Twas ''s",
)

PIECES = (
    *("a", "Zed", "'s", "'LL", "12", " ", "  ", "\n", "\r\n", "\t", "\u00a0", "/", "...", "{"),
    *("\x00", "é", "\u0301", "各", "नि", "🙂", "👍🏽", "🇳🇴", "\u2028", SPECIAL, "<|", "|>"),
)
ANY_TEXT = st.one_of(
    st.text(max_size=60), st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
)
SPACED = st.lists(
    st.sampled_from((*PIECES, " ", " ", "ab", "字", "カ", "。", "，", "'", "9")), max_size=40
).map("".join)
"""Text with many places where words, marks and numbers meet."""


class Counting:
    """A measure that adds up how many code points it is given."""

    name = "counting"
    seams: Any = None

    def __init__(self, measure: Any) -> None:
        self._measure = measure
        self.counted = 0
        self.read = 0

    def count(self, text: str) -> int:
        self.counted += len(text)
        return int(self._measure.count(text))

    def ends(self, text: str) -> Any:
        self.read += len(text)
        return self._measure.ends(text)


class Misleading:
    """Counts words, while its ends say something else about where they are."""

    name = "misleading"

    def __init__(self, ends: Callable[[str], list[int]]) -> None:
        self.ends = ends

    def count(self, text: str) -> int:
        return len(text.split())


def prose(sentences: int) -> str:
    """Paragraphs of sentences of various lengths."""
    words = cycle(["the", "harbour", "of", "Bergen", "is", "quiet,", "said", "nobody's", "1987"])
    lengths = islice(cycle((7, 19, 4, 31, 12, 3, 25)), sentences)
    ends = cycle((" ", " ", " ", "\n\n", " "))
    return "".join(
        " ".join(islice(words, length)).capitalize() + "." + next(ends) for length in lengths
    )


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the vocabularies as tiktoken keeps them when it has downloaded them: those in
    quicktok's wheel, which are to the byte what OpenAI publishes."""
    quicktok = pytest.importorskip("quicktok")
    folder = tmp_path_factory.mktemp("vocabularies")
    for name, vocabulary in vocabularies.VOCABULARIES.items():
        encoding = quicktok.get_encoding(vocabulary)
        tokens = map(encoding.decode_single_token_bytes, range(len(encoding.token_byte_values())))
        lines = (b"%s %d\n" % (base64.b64encode(token), rank) for rank, token in enumerate(tokens))
        content = b"".join(lines)
        assert hashlib.sha256(content).hexdigest() == PUBLISHED[name]
        address = f"{vocabularies.PUBLISHED_AT}/{vocabulary}.tiktoken"
        key = hashlib.sha1(address.encode(), usedforsecurity=False).hexdigest()
        (folder / key).write_bytes(content)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_CACHE_DIR", str(folder))
        yield folder


@pytest.fixture(scope="module", params=vocabularies.VOCABULARIES)
def name(request: pytest.FixtureRequest) -> str:
    """A name of a vocabulary."""
    return str(request.param)


@pytest.fixture(scope="module")
def original(published: Path, name: str) -> Any:
    """tiktoken's own encoding of that vocabulary, without a network."""
    tiktoken = pytest.importorskip("tiktoken")
    return tiktoken.get_encoding(vocabularies.VOCABULARIES[name])


@pytest.fixture(scope="module", params=vocabularies.PROVIDERS)
def provided(request: pytest.FixtureRequest, published: Path, name: str) -> Any:
    """The vocabulary as each installed package counts it."""
    return provided_by(request.param, name)


def provided_by(module: str, name: str) -> Measure:
    return vocabularies.PROVIDERS[module].measure(pytest.importorskip(module), name)


def install_only(patch: pytest.MonkeyPatch, *modules: str) -> None:
    """As if of the packages with vocabularies only these were installed."""
    patch.setattr(vocabularies, "find_spec", lambda module: module in modules or None)


# Counts and ends of OpenAI's vocabularies.


def test_counts_are_tiktokens(original: Any, provided: Any) -> None:
    """Every provider counts each of many texts, and their halves, exactly as tiktoken does."""
    for text in TEXTS:
        for part in (text, text[: len(text) // 2], text[len(text) // 2 :]):
            assert provided.count(part) == len(original.encode_ordinary(part)), part


def test_counts_are_tiktokens_on_any_text(original: Any, provided: Any) -> None:
    """The same on generated text."""

    @given(ANY_TEXT)
    @example("a \n b")
    @example("x's'S\u0301")
    def counts_the_same(text: str) -> None:
        assert provided.count(text) == len(original.encode_ordinary(text))

    counts_the_same()


def plain_ends(encoding: Any, text: str) -> list[int]:
    """Token by token: how many characters have begun where each ends."""
    tokens = map(encoding.decode_single_token_bytes, encoding.encode_ordinary(text))
    read = text.encode()
    return [sum(byte & 0xC0 != 0x80 for byte in read[:end]) for end in accumulate(map(len, tokens))]


@pytest.mark.parametrize("module", ["quicktok", "tiktoken"])
def test_ends_are_those_of_every_token(module: str, original: Any, name: str) -> None:
    """The ends, in code points, are what a plain sum over tokens gives; they never go back."""
    measure: Any = provided_by(module, name)

    @given(ANY_TEXT)
    @example("🙂 各\u0301é")
    def agrees(text: str) -> None:
        ends = measure.ends(text).tolist()
        assert ends == plain_ends(original, text)
        assert all(before <= after for before, after in pairwise(ends))
        assert len(ends) == measure.count(text)
        assert (ends or [0])[-1] == len(text)

    agrees()


def test_both_sides_of_a_seam_count_by_themselves(original: Any) -> None:
    """Their counts add up to the whole's, by tiktoken itself and on any text."""

    def count(text: str) -> int:
        return len(original.encode_ordinary(text))

    @given(st.one_of(ANY_TEXT, SPACED))
    @example("it's 9 字。 'll  \u0301 x")
    def add_up(text: str) -> None:
        for seam in OPENAI_SEAMS.finditer(text):
            assert count(text[: seam.end()]) + count(text[seam.end() :]) == count(text)

    add_up()


@pytest.mark.parametrize("piece", [7, 16, 65_536])
def test_a_count_by_seams_is_the_count(piece: int, original: Any, name: str) -> None:
    """Of every stretch, however small the pieces are in which a text is encoded."""
    measure = provided_by("quicktok", name)

    @given(SPACED, st.integers(0, 60), st.integers(0, 60))
    @example("no seams here:\n\n\nas lines end", 0, 60)
    @example("字字字。字字，" * 9, 1, 60)
    def is_the_count(text: str, start: int, length: int) -> None:
        ruler = Ruler(text, measure, 10)
        stretch = text[start : start + length]
        counted = ruler.count_once(start, start + len(stretch))
        assert counted == len(original.encode_ordinary(stretch))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(unit_ends, "PIECE", piece)
        patch.setattr(unit_ends, "PIECE_TAIL", piece // 2)
        is_the_count()


def test_of_a_stretch_with_seams_only_the_edges_are_counted(name: str) -> None:
    """A text is encoded once, and of each chunk hardly anything again."""
    text = prose(6_000)
    counting = Counting(provided_by("quicktok", name))
    counting.seams = OPENAI_SEAMS
    chunks = TextChunker(size=512, overlap=0, min_size=0, max_chunks=None, measure=counting).chunk(
        text
    )
    assert [chunk.size for chunk in chunks] == [resolve(name).count(c.text) for c in chunks]
    assert counting.read <= 1.05 * len(text)
    assert counting.counted <= 0.1 * len(text)


def test_an_encoding_with_other_methods_only_has_ends_too() -> None:
    """What encodes into a list, and tells a token's bytes, is measured like the known ones."""

    class ByteEncoding:
        name = "byte by byte"
        n_vocab = 256

        def encode_ordinary(self, text: str) -> list[int]:
            return list(text.encode())

        def decode_single_token_bytes(self, number: int) -> bytes:
            return bytes([number])

        def encode(self, text: str) -> list[int]:
            raise AssertionError(text)

    measure: Any = resolve(ByteEncoding())
    assert measure.name == "byte by byte"
    assert measure.count("aé🙂") == 7
    assert measure.ends("aé🙂").tolist() == [1, 2, 2, 3, 3, 3, 3]
    assert measure.ends("").tolist() == []


def test_a_callers_encoding_is_measured_with_ends(original: Any) -> None:
    """A tiktoken encoding given as the measure is read once, under its own name."""
    measure: Any = resolve(original)
    assert measure.name == original.name
    assert measure.ends("hello world").tolist() == [5, 11]
    assert measure is resolve(original)


def test_an_encoding_that_normalizes_has_ends_within_the_text() -> None:
    """Qwen's composes characters first: its tokens are of another text than the one given."""
    quicktok = pytest.importorskip("quicktok")
    measure: Any = resolve(quicktok.get_encoding("qwen3"))
    for text in ("e\u0301" * 50, "\u0958" * 50, "plain"):
        ends = measure.ends(text).tolist()
        assert all(0 < end <= len(text) for end in ends)
        assert ends == sorted(ends)


# Which package counts.


def test_the_first_installed_package_counts(
    published: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """quicktok before toktok before tiktoken; the identity says which, and its version."""
    for module, provider in vocabularies.PROVIDERS.items():
        pytest.importorskip(module)
        later = list(vocabularies.PROVIDERS)[list(vocabularies.PROVIDERS).index(module) :]
        install_only(monkeypatch, *later)
        assert identity(name) == f"{name} {provider.distribution}-{version(provider.distribution)}"
        assert vocabularies.named(name).count("hello world") == 2


def test_without_a_package_the_error_says_what_to_install(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The remedy is the extra."""
    install_only(monkeypatch)
    with pytest.raises(ConfigError, match=r"pip install 'chunkwright\[tokens\]'"):
        vocabularies.named(name)
    assert vocabularies.distribution(name) == ""


@pytest.mark.parametrize("variable", ["TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"])
def test_tiktoken_is_not_asked_to_download(
    variable: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a vocabulary on disk, tiktoken alone is not enough, and is not even imported."""
    install_only(monkeypatch, "tiktoken")
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
    for folder in (str(tmp_path), ""):
        monkeypatch.setenv(variable, folder)
        with pytest.raises(ConfigError, match=r"pip install 'chunkwright\[tokens\]'"):
            vocabularies.named(name)


@pytest.mark.parametrize("error", [ConnectionError("no route"), ValueError("hash mismatch")])
def test_what_tiktoken_cannot_load_is_a_config_error(
    error: Exception, published: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A damaged file makes tiktoken download after all: its failure comes with the remedy."""
    tiktoken = pytest.importorskip("tiktoken")

    def fail(vocabulary: str) -> None:
        raise error

    install_only(monkeypatch, "tiktoken")
    monkeypatch.setattr(tiktoken, "get_encoding", fail)
    with pytest.raises(ConfigError, match=r"pip install 'chunkwright\[tokens\]'") as caught:
        vocabularies.named(name)
    assert caught.value.__cause__ is error


# Special tokens are ordinary text, whatever the tokenizer.


def with_special_token() -> Tokenizer:
    """A small word tokenizer that knows one special token."""
    words = {"a": 0, "b": 1, "[UNK]": 2}
    tokenizer = Tokenizer(WordLevel(words, unk_token="[UNK]"))  # noqa: S106  # no password
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.add_special_tokens([SPECIAL])
    return tokenizer


def test_special_tokens_are_ordinary_text_to_every_vocabulary(provided: Any) -> None:
    """What spells one is seven tokens or so, not one and not an error."""
    assert provided.count(SPECIAL) == 7
    assert provided.count(f"a{SPECIAL}b") > 7


def test_special_tokens_are_ordinary_text_to_a_given_encoding(original: Any) -> None:
    """tiktoken's `encode` refuses such text; as a measure it counts it."""
    with pytest.raises(ValueError, match="special token"):
        original.encode(SPECIAL)
    assert resolve(original).count(SPECIAL) == 7


def test_special_tokens_are_ordinary_text_to_tokenizers() -> None:
    """One special token is three words to the pre-tokenizer."""
    tokenizer = with_special_token()
    measure: Any = resolve(tokenizer)
    assert tokenizer.encode(SPECIAL).tokens == [SPECIAL]
    assert measure.count(f"a {SPECIAL} b") == 5
    assert measure.ends(f"a {SPECIAL} b") == [1, 4, 13, 15, 17]


def test_a_part_written_in_python_keeps_a_tokenizer_exact() -> None:
    """Such a tokenizer cannot be copied as a whole: it is put together again from its parts."""

    class AtSpaces:
        def pre_tokenize(self, text: Any) -> None:
            text.split(lambda _, part: part.split(" ", "removed"))

    tokenizer = with_special_token()
    tokenizer.pre_tokenizer = PreTokenizer.custom(AtSpaces())
    tokenizer.add_tokens([AddedToken("c d")])
    tokenizer.enable_truncation(2)
    measure: Any = resolve(tokenizer)
    assert measure.count("a c d b a") == 4
    assert measure.count(f"a {SPECIAL} <|end of text|>") == 5
    assert measure.ends("a c d b a") == [1, 5, 7, 9]
    assert (tokenizer.truncation or {})["max_length"] == 2


def test_a_fast_tokenizer_of_transformers_is_opened() -> None:
    """It counts by the tokenizer inside, whatever the longest text of its model is."""
    transformers = pytest.importorskip("transformers")
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=with_special_token(), eos_token=SPECIAL, model_max_length=4
    )
    measure: Any = resolve(fast)
    assert fast.encode(f"a {SPECIAL} b") == [0, 3, 1]
    assert measure.count(f"a {SPECIAL} b") == 5
    assert measure.ends("a b a b a b") == [1, 3, 5, 7, 9, 11]


def test_a_slow_tokenizer_of_transformers_counts_special_tokens_as_text(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """It adds none, splits those in the text, and does not complain of long texts."""
    transformers = pytest.importorskip("transformers")

    base: Any = transformers.PreTrainedTokenizer

    class Slow(base):  # type: ignore[misc]  # any
        vocab_size = 3

        def get_vocab(self) -> dict[str, int]:
            return {"a": 0, "b": 1, "[UNK]": 2}

        def _tokenize(self, text: str, **_: Any) -> list[str]:
            return text.split()

        def _convert_token_to_id(self, token: str) -> int:
            return self.get_vocab().get(token, 2)

    slow = Slow(unk_token="[UNK]", eos_token="<|end of text|>", model_max_length=4)  # noqa: S106  # no password
    assert slow.encode("a <|end of text|> b") == [0, 3, 1]
    capfd.readouterr()
    assert resolve(slow).count("a <|end of text|> b") == 5
    assert resolve(slow).count("a b " * 10) == 20
    assert capfd.readouterr() == ("", "")


def test_a_real_byte_level_tokenizer_cuts_text() -> None:
    """A tokenizer trained here measures chunks: none counts more than the size."""
    text = prose(60)
    tokenizer = Tokenizer(BPE())
    tokenizer.pre_tokenizer = ByteLevel(add_prefix_space=False)
    tokenizer.train_from_iterator([text])
    chunks = TextChunker(size=40, overlap=5, min_size=0, measure=tokenizer).chunk(text)
    assert max(chunk.size for chunk in chunks) <= 40
    assert [chunk.size for chunk in chunks] == [len(tokenizer.encode(c.text)) for c in chunks]


# A text is read once.

MEASURES = ["tokens", *(vocabularies.VOCABULARIES if find_spec("quicktok") else ())]


@pytest.mark.parametrize("measure", MEASURES)
def test_cutting_by_tokens_reads_a_text_once(measure: str) -> None:
    """`ends` sees the text once, and `count` every chunk once."""
    text = prose(6_000)
    counting = Counting(resolve(measure))
    chunker = TextChunker(size=512, overlap=0, min_size=0, max_chunks=None, measure=counting)
    chunks = chunker.chunk(text)
    assert len(chunks) > 100
    assert max(chunk.size for chunk in chunks) <= 512
    assert counting.read <= 1.05 * len(text)
    assert counting.counted <= 1.15 * len(text)


@pytest.mark.parametrize("measure", MEASURES)
def test_an_overlap_is_counted_beside_its_chunk(measure: str) -> None:
    """With an overlap, `count` sees every chunk about once, and what it repeats twice or so."""
    text = prose(6_000)
    counting = Counting(resolve(measure))
    chunker = TextChunker(size=512, overlap=64, min_size=0, max_chunks=None, measure=counting)
    chunks = chunker.chunk(text)
    of_chunks = sum(len(chunk.text) for chunk in chunks)
    assert sum(chunk.overlap > 0 for chunk in chunks) > 50
    assert counting.read <= 1.05 * len(text)
    assert counting.counted <= 1.35 * of_chunks


def test_a_stretch_far_over_the_cap_is_not_counted() -> None:
    """Where the unit ends already tell that a stretch does not fit, nothing is counted."""
    counting = Counting(resolve("tokens"))
    ruler = Ruler(prose(500), counting, 50)
    assert not ruler.fits(0, len(ruler.text))
    assert counting.counted == 0
    assert ruler.fits(0, ruler.reach(0) // 2)
    assert counting.counted == ruler.reach(0) // 2


@pytest.mark.parametrize(
    "ends",
    [
        lambda text: [len(text)],
        lambda text: list(range(1, len(text) + 1)),
        lambda text: [],
        lambda text: [1] * len(text),
    ],
    ids=["one unit", "a unit a character", "no units", "all at once"],
)
def test_ends_that_mislead_cost_work_and_never_the_cap(ends: Callable[[str], list[int]]) -> None:
    """Every chunk is counted itself, so that it fits whatever the ends said."""
    text = prose(40)
    chunker = TextChunker(size=15, overlap=4, min_size=0, max_chunks=None, measure=Misleading(ends))
    chunking = chunker.chunk(text)
    covered = {place for c in chunking for place in range(c.start, c.end)}
    assert max(len(chunk.text.split()) for chunk in chunking) <= 15
    assert all(place in covered for place, char in enumerate(text) if not char.isspace())


def test_every_measure_with_ends_is_a_measure(provided: Any) -> None:
    """What a vocabulary's package gives satisfies the protocol."""
    assert isinstance(provided, Measure)
