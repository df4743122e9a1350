"""The page that shows how documents are cut: whole, harmless, self-contained."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright.types import Chunk, Chunking, Diagnostic, Excluded
from chunkwright.web.view import Stretch, page, stretches


def cut(text: str, *spans: tuple[int, int], **fields: object) -> Chunking:
    chunks = tuple(
        Chunk(
            text=text[start:end],
            start=start,
            end=end,
            start_line=1,
            end_line=1,
            index=index,
            size=end - start,
            boundary="word",
            kind="segment",
        )
        for index, (start, end) in enumerate(spans)
    )
    facts = {"path": "a.txt", "language": "text", "parser": "prose", **fields}
    return Chunking(chunks=chunks, text=text, **facts)  # type: ignore[arg-type]  # by name


class Reader(HTMLParser):
    """Collects what a browser would: elements, attributes, and the text inside <pre>."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []
        self.shown = ""
        self.marked: list[str] = []
        self._inside: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attributes]
        self._inside.append(tag)
        if tag == "mark":
            self.marked.append("")

    def handle_endtag(self, tag: str) -> None:
        while self._inside and self._inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if "pre" in self._inside:
            self.shown += data
        if "mark" in self._inside:
            self.marked[-1] += data


def read(*chunkings: Chunking, title: str = "t") -> Reader:
    reader = Reader()
    reader.feed("".join(page(chunkings, title)))
    return reader


def test_the_whole_text_is_shown_once_with_each_chunk_marked() -> None:
    """The page holds the text in order; each chunk's new text is one mark, gaps have none."""
    reader = read(cut("one two\nthree", (0, 3), (4, 7), (8, 13)))

    assert reader.shown == "\none two\nthree"
    assert reader.marked == ["one", "two", "three"]


def test_an_overlap_is_marked_as_repeated() -> None:
    """Text that two chunks hold belongs to the first and says that it comes again."""
    chunking = cut("abcdef", (0, 4), (2, 6))

    assert list(stretches(chunking)) == [
        Stretch(0, 2, chunking[0], repeated=False, excluded=""),
        Stretch(2, 4, chunking[0], repeated=True, excluded=""),
        Stretch(4, 6, chunking[1], repeated=False, excluded=""),
    ]
    assert ("class", "again") in read(chunking).attributes


def test_what_is_excluded_is_struck_out_with_its_reason() -> None:
    """Front matter, say, is shown but belongs to no chunk."""
    chunking = cut("--x\nbody", (4, 8), excluded=(Excluded(0, 3, "front_matter"),))
    reader = read(chunking)

    assert [stretch.excluded for stretch in stretches(chunking)] == ["front_matter", "", ""]
    assert ("title", "front_matter") in reader.attributes
    assert reader.shown == "\n--x\nbody"


def test_extra_views_are_listed_but_do_not_colour_the_text() -> None:
    """A file header repeats text of other chunks: it has a row and no mark."""
    header = Chunk("ab", 0, 2, 1, 1, kind="file_header", level=101, index=1)
    chunking = Chunking(chunks=(*cut("abc", (0, 3)), header), text="abc")

    reader = read(chunking)

    assert reader.marked == ["abc"]
    assert "file_header" in "".join(page([chunking]))


HOSTILE = '</pre><script>alert("1")</script><img src=x onerror=alert(1)>&amp;\x1b[31m\x00\u202e'


@pytest.mark.parametrize("place", ["text", "path", "title", "name", "message", "boundary"])
def test_hostile_text_is_only_shown(place: str) -> None:
    """Markup, control characters and what turns the direction of text in any field end up as text,
    never as elements."""
    chunking = cut("x")
    chunk = Chunk("x", 0, 1, 1, 1)
    if place == "text":
        chunking = cut(HOSTILE, (0, len(HOSTILE)))
    elif place == "path":
        chunking = cut("x", (0, 1), path=HOSTILE)
    elif place == "name":
        chunk = Chunk("x", 0, 1, 1, 1, name=HOSTILE, kind=HOSTILE)
        chunking = Chunking(chunks=(chunk,), text="x")
    elif place == "boundary":
        chunking = Chunking(chunks=(Chunk("x", 0, 1, 1, 1, boundary=HOSTILE),), text="x")
    elif place == "message":
        chunking = cut("x", (0, 1), diagnostics=(Diagnostic("warning", "failed", HOSTILE),))
    reader = read(chunking, title=HOSTILE if place == "title" else "t")

    assert reader.tags & {"script", "img"} == set()
    assert not [name for name, _ in reader.attributes if name.startswith("on")]
    whole = "".join(page([chunking], HOSTILE))
    assert "\x1b" not in whole
    assert "\x00" not in whole
    assert "\u202e" not in whole
    assert "alert(" in whole


def test_the_page_loads_nothing() -> None:
    """No script, no source, no link but to itself; the policy in its head forbids the rest."""
    whole = "".join(page([cut("a b", (0, 1), (2, 3))]))

    assert "default-src 'none'; style-src 'unsafe-inline'" in html.unescape(whole)
    assert not re.search(r"https?:|<script|<link|<iframe|src=|url\(|@import", whole)
    assert re.findall(r'href="([^"]*)"', whole) == ["#f0c0", "#f0c1"]


def test_every_link_leads_to_a_place_on_the_page() -> None:
    """Chunks of several documents have anchors of their own, each there once."""
    pages = [cut("abcd", (0, 3), (1, 4)), cut("abcd", (0, 2), (2, 4))]
    attributes = read(*pages).attributes

    anchors = [value for name, value in attributes if name == "id"]
    links = [value.removeprefix("#") for name, value in attributes if name == "href"]
    assert sorted(anchors) == sorted(links) == ["f0c0", "f0c1", "f1c0", "f1c1"]


def test_a_document_without_chunks_has_a_heading_and_its_reasons() -> None:
    """A skipped file is not silently missing."""
    skipped = Chunking(path="k.pem", diagnostics=(Diagnostic("info", "skipped", "secret"),))
    whole = "".join(page([skipped]))

    assert "k.pem" in whole
    assert "skipped: secret" in whole
    assert "<pre>" not in whole


@given(
    st.text(alphabet=st.sampled_from("ab<&>\"'\n\r\t\0é🙂\u0301 "), min_size=1, max_size=40),
    st.lists(st.tuples(st.integers(0, 39), st.integers(1, 12)), max_size=6),
)
def test_stretches_divide_any_text(text: str, raw: list[tuple[int, int]]) -> None:
    """Whatever the chunks, the stretches are the text in order, and each has a chunk exactly
    where one holds it."""
    spans: list[tuple[int, int]] = []
    for start, length in sorted(raw):
        end = min(start + length, len(text))
        if start < end and (not spans or (spans[-1][0] < start and spans[-1][1] < end)):
            spans.append((start, end))
    found = list(stretches(cut(text, *spans)))

    assert "".join(text[part.start : part.end] for part in found) == text
    for part in found:
        holders = [span for span in spans if span[0] <= part.start and part.end <= span[1]]
        owner = part.owner
        assert (owner is not None) == bool(holders)
        assert part.repeated == (len(holders) > 1)
        assert owner is None or (owner.start, owner.end) == holders[0]
