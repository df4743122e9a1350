"""HTML as blocks: headings against another parser, what stays whole, and every promise over soups
of tags.
"""

from __future__ import annotations

from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright import Block, Chunking, Document, MarkdownChunker, embed_text
from chunkwright.characters import is_whitespace_only
from chunkwright.parsing.headings import MAX_DEPTH
from chunkwright.parsing.html import BLOCK_LEVEL, LONGEST_TITLE, RAW_TEXT, parse
from headed import OPTIONS, cut_and_examined
from strategies import CLUSTERS, WORDS, texts, with_line_ends

Heading = tuple[int, str, int]
"""Level, title, offset of the start tag."""


class Oracle(HTMLParser):
    """The headings of a text as the standard library's parser sees them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.headings: list[Heading] = []
        self._lines = [0, *(at + 1 for at, character in enumerate(text) if character == "\n")]
        self._raw = ""
        self._templates = 0
        self._open: tuple[int, int] | None = None
        self._parts: list[str] = []
        self._until: int | None = None
        self.feed(text)
        self.close()
        self._end(closed=False)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._raw:
            return
        self._templates += tag == "template"
        if tag in RAW_TEXT:
            self._raw = tag
        elif tag in {"h1", "h2", "h3", "h4", "h5", "h6"} and not self._templates:
            self._end(closed=False)
            line, column = self.getpos()
            self._open = int(tag[1]), self._lines[line - 1] + column
        else:
            self._part(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._raw:
            self._raw = "" if tag == self._raw else self._raw
        elif len(tag) == 2 and tag[0] == "h" and tag[1] in "123456":
            self._end(closed=True)
        else:
            self._templates = max(0, self._templates - (tag == "template"))
            self._part(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in RAW_TEXT:
            super().handle_startendtag(tag, attrs)

    def handle_data(self, data: str) -> None:
        if not self._raw:
            self._parts.append(data)

    def _part(self, tag: str) -> None:
        """A tag inside a heading parts words, or ends it where nothing else does."""
        if tag in BLOCK_LEVEL and self._until is None and "".join(self._parts).strip():
            self._until = len(self._parts)
        self._parts.append(" " if tag in BLOCK_LEVEL or tag == "br" else "")

    def _end(self, *, closed: bool) -> None:
        if self._open:
            parts = self._parts if closed else self._parts[: self._until]
            level, place = self._open
            self.headings.append((level, " ".join("".join(parts).split()), place))
        self._open, self._until = None, None
        self._parts = []


def sections(text: str) -> list[Block]:
    return [block for block in parse(Document(text)).blocks if block.kind == "section"]


def titles(text: str) -> list[tuple[int, str]]:
    return [(section.depth, section.name) for section in sections(text)]


def kinds(text: str) -> list[tuple[str, str]]:
    """Kind and text of every block that is no section."""
    return [
        (block.kind, text[block.start : block.end])
        for block in parse(Document(text)).blocks
        if block.kind != "section"
    ]


def cut(text: str, size: int | None = None, *, code_blocks: bool = True) -> Chunking:
    chunker = MarkdownChunker(size=size, overlap=0, code_blocks=code_blocks)
    return chunker.chunk(Document(text, language="html"))


TRICKY = {
    "levels": "<h1>a</h1><h2>b</h2><h6>c</h6><h7>d</h7><h0>e</h0><header>f</header>",
    "case": "<H1>a</h1><h2\n>b</H2 ><h3 CLASS=x>c</h3\t>",
    "nested": "<main><div><section id='s'><h1>a</h1></section></div><p>b<div><h2>c</h2></div>",
    "inline": "<h1>a <em>b</em><b>c</b> <code>d &lt; e</code><!-- f --> &amp;&eacute;&#233;</h1>",
    "lines": "<h1>\n  a\n  b<br>c<div>d</div>e\n</h1>",
    "not closed": "<h1>a<p>b</p><h2>c<h3>d</h3>e<h4>f",
    "closed by another": "<h1>a</h2>b<h3>c</h1>d</h4>",
    "in broken markup": "</div></p><b><h1>a</b></i></h1></section><li><h2>b</h2><td><h3>c</h3>",
    "comment": "<!-- <h1>a</h1> --><h1>b</h1><!-- > <h2>c</h2> -- --><!---->d",
    "declarations": "<!DOCTYPE html><?php x ?><![if IE]><h1>a</h1><![endif]>",
    "raw text": "<script>'<h1>a</h1>'</script><STYLE><h1>b</h1></STYLE><h2>c</h2>",
    "raw text in a heading": "<h1>a<script>b</script>c<style>d</style></h1>",
    "texts of forms": "<title><h1>a</h1></title><textarea><h1>b</h1></textarea><h1>c</h1>",
    "template": "<template><h1>a</h1><template></template></template><h1>b</h1></template>",
    "attributes": "<a title='<h1>a</h1>' b=\"<h2>c</h2>\" d=e><h3 f='>'>g</h3>",
    "empty": "<h1></h1><h2> </h2><h3/><h4><br></h4>",
    "no tags": "a < b <3 <= & &amp <> </> <h1>c &nosuch; &lt</h1>",
    "unicode": "<h1>Größe 🙂 é\u2028नि</h1>\r\n<h2>雪</h2>\r<h3>\0a\0</h3>",
    "joined": "<h1>a</h1><h1>b</h1>c<h1>d</h1>",
    "preformatted": "<pre>\n<span><h1>a</h1></span>\n</pre><pre>&lt;h1>b&lt;/h1></pre>",
}


@pytest.mark.parametrize("text", TRICKY.values(), ids=TRICKY)
def test_headings_are_those_of_another_parser(text: str) -> None:
    """Level, title and order; every heading's tag stands at the head of its section."""
    check_headings(text)


def check_headings(text: str) -> None:
    found, expected = sections(text), Oracle(text).headings
    assert [(one.depth, one.name) for one in found] == [heading[:2] for heading in expected]
    for section, (_, _, place) in zip(found, expected, strict=True):
        assert section.start <= place < section.body


NAMES = """h1 h2 h3 h6 div section header p ul ol li dl dt dd table thead tbody tr td th pre
blockquote b em a span br hr img figure details summary svg math template body button"""
TAGS = st.builds(
    lambda form, name: form.format(name),
    st.sampled_from(
        ["<{}>", "<{}>", "<{}>", "</{}>", "</{}>", "<{} a='>' b=\"<h1>\" c=d>", "<{}/>"]
    ),
    st.sampled_from(NAMES.split()),
)
WHOLE = st.sampled_from(
    [
        "<h2>title</h2>",
        "<h3>one<br>two &amp; three</h3>",
        "<!-- <h1>no</h1> -->",
        "<script>'<h1>no</h1>'</script>",
        "<textarea><h1>no</h1></textarea>",
        "<div>\n  <h2>in a wrapper</h2>\n",
        "<table>\n<thead><tr><th>n</th></tr></thead>\n<tr><td>1<tr><td>2</table>",
        "<ul>\n  <li>one\n  <li>two\n</ul>",
        "<p>A sentence. Another one.\n\n",
        "&lt;&#104;&eacute;",
        "<!DOCTYPE html>\n<html><head><title>x</title></head>\n<body>\n",
        " ",
        "\n\n",
        "\n    ",
        "\t",
        "\u2028",
    ]
)
WELL_KNOWN = st.lists(
    st.one_of(TAGS, TAGS, WHOLE, WORDS, st.sampled_from(CLUSTERS)), max_size=30
).map("".join)
TORN = st.sampled_from(
    ["<", "<a b='", '"', "'", ">", "<!--", "-->", "<script>", "<textarea>", "</", "<h1", "&#", "\0"]
)
SOUPS = with_line_ends(
    st.lists(st.one_of(TAGS, TAGS, TAGS, WHOLE, WHOLE, TORN, WORDS, texts(1, 4)), max_size=40).map(
        "".join
    )
)


@given(text=WELL_KNOWN)
def test_headings_in_any_soup_are_those_of_another_parser(text: str) -> None:
    """Tags in any order, opened and not closed, closed and not opened."""
    check_headings(text)


@given(text=SOUPS)
def test_blocks_are_sorted_nested_and_trimmed(text: str) -> None:
    """Whatever the text."""
    blocks = parse(Document(text)).blocks
    assert list(blocks) == sorted(blocks, key=lambda block: (block.start, -block.end))
    around: list[Block] = []
    for block in blocks:
        assert 0 <= block.start < block.end <= len(text)
        while around and around[-1].end <= block.start:
            around.pop()
        assert not around or block.end <= around[-1].end
        around.append(block)
        if block.kind != "section":
            assert not is_whitespace_only(text[block.start]), block
            assert not is_whitespace_only(text[block.end - 1]), block


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("<h1><img src='a' alt='A &amp;\n b'></h1>", "A & b"),
        ("<h1><img alt=one><img alt=two></h1>", "one"),
        ("<h1><img src=a></h1>", ""),
        ("<h1>a <img alt='b'></h1>", "a"),
        ("<h1>a<a class='headerlink' href='#a'>¶</a></h1>", "a"),
        ("<h1><a href='#a'>#</a> C#</h1>", "C#"),
        ("<h1><svg><title>icon</title><path d='M0 0'/></svg> a</h1>", "a"),
        ("<h1>" + "word " * 1_000 + "</h1>", ("word " * (LONGEST_TITLE // 5)).strip()),
    ],
)
def test_a_title_is_what_a_reader_sees(text: str, title: str) -> None:
    """A picture alone says what stands in its place; links to the heading itself say nothing."""
    assert titles(text) == [(1, title)]


def test_what_does_not_end_takes_the_rest_with_it() -> None:
    """As in a browser: comments, tags, raw text."""
    for text in ("<!-- ", "<a b='c' ", "<script>", "<textarea>", "<!x", "</a"):
        assert titles(f"<h1>a</h1>{text}<h2 c='d'") == [(1, "a")]
    assert titles("<!--><h1>a</h1><!---><h2>b</h2><!-- --!><h3>c</h3>") == [
        (1, "a"),
        (2, "b"),
        (3, "c"),
    ]


def test_a_section_begins_with_the_outermost_element_that_its_heading_opens() -> None:
    """Its line's indentation included; what the heading stands in ends with the heading."""
    text = (
        "<body>\n  <main>\n    <header><h1>A</h1></header>\n    a\n"
        "  </main>\n  <section>\n    <h2>B</h2>\n    <p>b</p>\n  </section>\n"
        "  <div>x <div><h2>C</h2></div>c</div>\n</body>"
    )
    first, second, third = sections(text)
    assert text[first.start :].startswith("  <main>")
    assert text[first.body :].startswith("\n    a\n")
    assert text[second.start : second.body] == "  <section>\n    <h2>B</h2>"
    assert text[third.start : third.body] == "<div><h2>C</h2></div>"
    assert list(cut(text).texts) == [
        "<body>",
        "  <main>\n    <header><h1>A</h1></header>\n    a\n  </main>",
        "  <section>\n    <h2>B</h2>\n    <p>b</p>\n  </section>\n  <div>x",
        "<div><h2>C</h2></div>c</div>\n</body>",
    ]


def test_blocks_nest_as_their_elements_do() -> None:
    """End tags that may be left out are known; white space is outside."""
    text = "<ul>\n<li>a\n<ul><li>b</ul>\n<li><p>c\n<p>d\n</ul>\n<pre>x <p>y</p>\n</pre>"
    assert kinds(text) == [
        ("list", text[: text.index("\n<pre>")]),
        ("item", "<li>a\n<ul><li>b</ul>"),
        ("list", "<ul><li>b</ul>"),
        ("item", "<li>b"),
        ("item", "<li><p>c\n<p>d"),
        ("paragraph", "<p>c"),
        ("paragraph", "<p>d"),
        ("fence", "<pre>x <p>y</p>\n</pre>"),
    ]


def test_cells_and_rows_of_a_table_are_blocks() -> None:
    """A table inside a cell ends nothing outside itself."""
    text = "<table><tr><th>a<td>b<table><tr><td>c</p></li></table>d<tr><td>e</table>"
    assert kinds(text) == [
        ("table", text),
        ("row", "<tr><th>a<td>b<table><tr><td>c</p></li></table>d"),
        ("item", "<th>a"),
        ("item", "<td>b<table><tr><td>c</p></li></table>d"),
        ("table", "<table><tr><td>c</p></li></table>"),
        ("row", "<tr><td>c</p></li>"),
        ("item", "<td>c</p></li>"),
        ("row", "<tr><td>e"),
        ("item", "<td>e"),
    ]


def test_a_block_that_holds_a_heading_of_its_own_gives_way() -> None:
    """It is no block; the one that begins with the section is."""
    text = "<blockquote>a<h2>b</h2>c</blockquote><ul><li><h2>d</h2>e</ul>"
    assert kinds(text) == [("list", "<ul><li><h2>d</h2>e</ul>"), ("item", "<li><h2>d</h2>e")]


def test_pieces_of_a_table_carry_its_head() -> None:
    """Where its line ends with it."""
    head = "<table>\n<thead><tr><th>name</th></tr></thead>\n"
    rows = "".join(f"<tr><td>entry {number}</td></tr>\n" for number in range(30))
    first, *others = cut(f"<h1>T</h1>\n{head}{rows}</table>\n", 300)
    assert first.text.startswith(f"<h1>T</h1>\n{head}")
    assert {chunk.carry for chunk in others} == {head}
    assert all(chunk.text.startswith("<tr>") for chunk in others)
    assert embed_text(others[0]).startswith(f"Breadcrumb: T\n\n{head}<tr>")


def test_preformatted_text_can_be_left_out() -> None:
    """It is code, as a fence of Markdown is."""
    chunking = cut("<h1>a</h1><p>b</p>\n<pre><code>c</code></pre>\n<p>d</p>", code_blocks=False)
    assert list(chunking.texts) == ["<h1>a</h1><p>b</p>", "<p>d</p>"]


def test_nesting_is_bounded() -> None:
    """What is nested deeper stays inside; nothing recurses."""
    text = "<ul><li>" * 30_000 + "<h1>a</h1>" + "</li></ul>" * 30_000
    assert titles(text) == [(1, "a")]
    assert max(block.depth for block in parse(Document(text)).blocks) == MAX_DEPTH - 1
    assert titles("<div>" * 50_000 + "<h1>b") == [(1, "b")]


def test_a_text_without_tags_has_no_blocks() -> None:
    """It is cut as prose is."""
    for text in ("", " \n", "a < b\n\nc > d", "\ufeff"):
        assert parse(Document(text)).blocks == ()
    assert [section.start for section in sections("\ufeff<h1>a</h1>")] == [0]


@given(text=SOUPS, options=OPTIONS)
def test_every_promise_holds(text: str, options: dict[str, Any]) -> None:
    """Over any soup of tags, whole and torn."""
    chunking, broken = cut_and_examined(Document(text, language="html"), options, "html")
    assert broken == []
    assert all(one.start <= two.start for one, two in pairwise(chunking))
