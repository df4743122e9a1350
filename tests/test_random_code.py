"""Every promise on damaged source code, in every language with a grammar: real code that is cut
off, spliced and strewn with odd characters. The damage is damage's, the promises are promises'.
"""

from __future__ import annotations

import sysconfig
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkwright import Block, CodeChunker, Document
from chunkwright.languages import LANGUAGES, find, language_of
from chunkwright.parsing.code import parse
from chunkwright.parsing.grammars import reader_of
from code_forms import FORMS, forms_of
from damage import BRACKETS, damaged
from promises import violations
from trial import Asked

DATA = Path(__file__).parent / "data" / "code"
NAMES = [row.name for row in LANGUAGES if row.grammar]

FIXTURES = {
    path.name.removesuffix(".fixture"): path.read_bytes().decode("utf-8")
    for path in sorted(DATA.glob("*.fixture"))
}
SEEDS = st.integers(0, 2**32)

SIZES = (40, 200, 1500, None)
GRANULARITIES = ("packed", "symbol")
DETAILS = (1, 20, 200, 1000, 2**62)
"""Code points from which on the inside of something is described: all, some, nothing."""

Source = tuple[str, str]
"""Text and path."""


def fixtures_of(language: str) -> list[str]:
    """Names of its fixtures, if its grammar is installed."""
    row = find(language)
    assert row is not None
    if reader_of(row) is None:
        pytest.skip("its grammar comes with the extra `languages`")
    return [name for name in FIXTURES if language_of(name) == language]


def damaged_fixtures(language: str) -> st.SearchStrategy[Source]:
    """Fixtures of a language after damage, spliced with another or with themselves."""
    names = st.sampled_from(fixtures_of(language))

    def make(name: str, other: str, seed: int) -> Source:
        return damaged(FIXTURES[name], FIXTURES[other], seed), name

    return st.builds(make, names, names, SEEDS)


# Promises.


def broken_promises(
    source: Source, sizes: Sequence[int | None], granularities: Sequence[str]
) -> list[str]:
    """Each promise that is not kept, with the options."""
    text, path = source
    document = Document(text, path)
    row = find(language_of(path, text))
    parser = row.grammar.package if row and row.grammar else ""
    found: list[str] = []
    for size, granularity in product(sizes, granularities):
        chunking = CodeChunker(size=size, granularity=granularity).chunk(document)
        asked = Asked(size=size, whole_lines=True, parser=parser)
        found += [
            f"{size} {granularity}: {broken}" for broken in violations(document, chunking, asked)
        ]
    return found


@pytest.mark.parametrize("language", NAMES)
def test_damaged_code_breaks_no_promise(language: str) -> None:
    """At some size and granularity, whatever became of the source."""

    @settings(max_examples=12)
    @given(damaged_fixtures(language), st.sampled_from(SIZES), st.sampled_from(GRANULARITIES))
    def keeps_them(source: Source, size: int | None, granularity: str) -> None:
        assert broken_promises(source, [size], [granularity]) == []

    keeps_them()


@pytest.mark.integration
@pytest.mark.parametrize("language", NAMES)
def test_damaged_code_breaks_no_promise_at_any_size(language: str) -> None:
    """At every size and granularity, on more examples."""

    @settings(max_examples=15)
    @given(damaged_fixtures(language))
    def keeps_them(source: Source) -> None:
        assert broken_promises(source, SIZES, GRANULARITIES) == []

    keeps_them()


# Blocks.


def faults(blocks: Sequence[Block], length: int) -> Iterator[str]:
    """Blocks that are empty, out of order, or partly in another."""
    around: list[Block] = []
    before: Block | None = None
    for block in blocks:
        if not 0 <= block.start < block.end <= length:
            yield f"outside the text, or nothing: {block}"
        if before and (before.start, -before.end) > (block.start, -block.end):
            yield f"{block} comes after {before}"
        while around and around[-1].end <= block.start:
            around.pop()
        if around and block.end > around[-1].end:
            yield f"{block} crosses {around[-1]}"
        around.append(block)
        before = block


def symbols(text: str, path: str, detail: int) -> list[Block]:
    blocks = parse(Document(text, path), detail).blocks
    assert list(faults(blocks, len(text))) == []
    return [block for block in blocks if block.name]


def check_blocks(source: Source) -> None:
    """Sorted and nested at every degree of detail, with the same symbols at each."""
    text, path = source
    first, *others = (symbols(text, path, detail) for detail in DETAILS)
    for other in others:
        assert other == first


@pytest.mark.parametrize("language", NAMES)
def test_blocks_of_damaged_code_are_nested_and_detail_changes_no_symbol(language: str) -> None:
    """How finely a source is described has no influence on what is found in it."""

    @settings(max_examples=12)
    @given(damaged_fixtures(language))
    def are_nested(source: Source) -> None:
        check_blocks(source)

    are_nested()


@pytest.mark.integration
@pytest.mark.parametrize("language", NAMES)
def test_blocks_of_much_damaged_code_are_nested(language: str) -> None:
    """The same on more examples."""

    @settings(max_examples=60)
    @given(damaged_fixtures(language))
    def are_nested(source: Source) -> None:
        check_blocks(source)

    are_nested()


@pytest.mark.parametrize("name", FIXTURES)
def test_a_size_changes_no_symbol(name: str) -> None:
    """Every symbol of a fixture is in the outline, whatever the chunks are."""
    fixtures_of(language_of(name))
    outlines = {
        tuple((item.title, item.kind, item.line) for item in chunking.outline)
        for size, granularity in product(SIZES, GRANULARITIES)
        for chunking in [
            CodeChunker(size=size, granularity=granularity).chunk(Document(FIXTURES[name], name))
        ]
    }
    assert len(outlines) == 1


# Symbols far from the damage.

MANY = 7
"""Definitions in a source of which one is damaged."""

WITHOUT_SYMBOLS = ("json", "yaml", "xml")
"""Languages whose data files have no definitions."""


def sources_with_damage(language: str) -> Iterator[tuple[str, set[str]]]:
    """Sources of which one definition has a bracket too many, and the names of the others."""
    forms = forms_of(language)
    names = forms.names(MANY)
    for at, bracket in product((0, MANY // 2, MANY - 1), BRACKETS):
        one = forms.definitions(MANY)[at]
        for place in (len(one) // 2, len(one) - 2):
            parts = forms.definitions(MANY)
            parts[at] = one[:place] + bracket + one[place:]
            yield "\n".join([forms.head, *parts]), {*names} - {names[at]}


@pytest.mark.parametrize("language", sorted(set(FORMS) - {*WITHOUT_SYMBOLS}))
def test_one_damaged_definition_takes_no_other_with_it(language: str) -> None:
    """A stray bracket in one of several definitions leaves all others as symbols, before and
    behind."""
    for text, names in sources_with_damage(language):
        found = {block.name for block in symbols(text, forms_of(language).path, 1000)}
        assert names - found == set(), text


@pytest.mark.parametrize("language", sorted(set(FORMS) - {*WITHOUT_SYMBOLS}))
def test_what_is_torn_off_takes_nothing_before_it(language: str) -> None:
    """A source that breaks off has the symbols of every definition that is whole."""
    forms = forms_of(language)
    whole = "\n".join([forms.head, *forms.definitions(MANY)])
    for name in forms.names(MANY)[1:]:
        place = whole.index(name.rpartition(".")[2])
        found = {block.name for block in symbols(whole[:place], forms.path, 1000)}
        before = forms.names(MANY)[: forms.names(MANY).index(name)]
        assert set(before) - found == set(), whole[:place]


# Installed packages.


def package_sources() -> list[Path]:
    """Python files of this environment, and what else is in its packages that a grammar reads."""
    root = Path(sysconfig.get_paths()["purelib"])
    wanted = {".py", ".pyi", ".js", ".ts", ".css", ".c", ".h", ".cpp", ".hpp", ".json", ".xml"}
    files = (path for path in root.rglob("*") if path.suffix in wanted)
    return sorted(path for path in files if path.is_file() and path.stat().st_size < 30_000)


@pytest.mark.integration
def test_damaged_packages_break_no_promise() -> None:
    """Real code, spliced with other code of its language."""
    by_suffix: dict[str, list[Path]] = {}
    for path in package_sources():
        by_suffix.setdefault(path.suffix, []).append(path)

    @settings(max_examples=150)
    @given(st.sampled_from(sorted(by_suffix)), SEEDS)
    def keep_them(suffix: str, seed: int) -> None:
        random = Random(seed)  # noqa: S311  # not for secrets
        one, other = (
            random.choice(by_suffix[suffix]).read_text("utf-8", "replace") for _ in range(2)
        )
        source = damaged(one, other, seed), f"a{suffix}"
        assert broken_promises(source, [random.choice(SIZES)], GRANULARITIES) == []
        check_blocks(source)

    keep_them()
