"""MDX as blocks: what is JSX or JavaScript and what is Markdown, headings inside elements, and
every promise over soups of both.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright import Block, Document, MarkdownChunker
from chunkwright.characters import is_whitespace_only
from chunkwright.parsing import parse as parse_any
from chunkwright.parsing.mdx import parse
from headed import OPTIONS, cut_and_examined
from strategies import CLUSTERS, WORDS, texts, with_line_ends

Piece = tuple[str, list[tuple[int, str]]]
"""A text, and the level and title of every heading in it."""


def titles(text: str) -> list[tuple[int, str]]:
    return [
        (block.depth, block.name)
        for block in parse(Document(text)).blocks
        if block.kind == "section"
    ]


def of_kind(kind: str, text: str) -> list[str]:
    return [
        text[block.start : block.end]
        for block in parse(Document(text)).blocks
        if block.kind == kind
    ]


def chunks(text: str, size: int | None = None) -> list[str]:
    return list(MarkdownChunker(size=size, overlap=0).chunk(Document(text, path="a.mdx")).texts)


IMPORTS = """import A from 'a'
import {
  B,

  // # no }
  C
} from "b"

export const meta = {
  title: `
# no {

# no`,

  tags: ['a', "}"], /* {

# no */
}

export default function Page() {

  return <A>{b}</A>

}"""


def test_imports_and_exports_are_blocks() -> None:
    """Up to the blank line after which no bracket is open; a `#` line in them is no heading."""
    text = f"---\ntitle: T\n---\n\n{IMPORTS}\n\n# Yes\n\ntext\n\nexport {{ x }}\n\n## Last\n"
    assert titles(text) == [(1, "Yes"), (2, "Last")]
    imports, meta, page, last = of_kind("import", text)
    assert imports == IMPORTS[: IMPORTS.index("\n\nexport const")]
    assert (meta[:21], meta[-9:]) == ("export const meta = {", "# no */\n}")
    assert (page[:14], page[-1], last) == ("export default", "}", "export { x }")
    assert parse(Document(text)).frontmatter == {"title": "T"}


@pytest.mark.parametrize(
    "text",
    [
        "Many\nimport a from 'a' without a blank line before",
        "import taxes are high",
        "exported goods",
        "  import a from 'a'",
        "```js\nimport a from 'a'\n```",
        "a\n\nimportant: b",
    ],
)
def test_prose_is_no_import(text: str) -> None:
    """Nor is what stands in a paragraph, an indented line or a fence."""
    assert of_kind("import", text) == []


def test_an_import_without_its_last_bracket_ends_with_its_paragraph() -> None:
    """It hides no headings."""
    text = "import {\n  a,\n\n# Yes\n\nexport const b = [\n\n## Too\n"
    assert of_kind("import", text) == ["import {\n  a,", "export const b = ["]
    assert titles(text) == [(1, "Yes"), (2, "Too")]


ELEMENTS = [
    "<Chart />",
    "<Chart\n  title='a > b'\n\n  note=\"\n# no\n\"\n/>",
    "<Tabs items={['a', (x) => x > 2]} {...rest}>\n\ntext\n\n</Tabs>",
    "<A b={{ c: `}\n\n# no`, d: '}' }} // />",
    "<A render={() => {\n\n  return <B>{x}</B>\n}} />",
    "<>\n\ntext\n\n</>",
    "<motion.div x:y='z'>text</motion.div>",
    "<A>\n\n<A>\n\nx\n\n</A>\n\n<A />\n\n</A>",
    "<div className='a'>\n  <p>text</p>\n</div>",
    "{/*\n# no\n\n<A>\n*/}",
    "{[1, 2].map((n) => (\n\n  <Item key={n}>don't {n}</Item>\n))}",
]


@pytest.mark.parametrize("element", ELEMENTS)
def test_an_element_is_one_block(element: str) -> None:
    """Whatever its attributes hold, blank lines and `#` lines too."""
    element = element.replace(" // />", " />")
    text = f"# First\n\nbefore\n\n{element}\n\nafter\n\n## Second\n"
    assert titles(text) == [(1, "First"), (2, "Second")]
    assert element in [*of_kind("html", text), *of_kind("comment", text)]
    assert element in "".join(chunks(text, len(element)))
    assert any(element in chunk for chunk in chunks(text, len(element) + 3))


@pytest.mark.parametrize(
    "text",
    [
        "```jsx\n<A>\n```\n\n# a\n\n</A>",
        "> ~~~\n> <A>\n> ~~~\n\n# a\n\n</A>",
        "- ```\n  <A>\n  ```\n\n# a\n\n</A>",
        "`<A>` and ``` `<A> ```\n\n# a\n\n</A>",
        "a \\<A>\n\n# a\n\n</A>",
        "<!-- <A> -->\n\n# a\n\n</A>",
        "1 < 2 > 1 <3 <a@b.c> <https://a.b> <A, B>\n\n# a\n\n</A>",
        "<A b=>\n\n# a\n\n<A b='\n\n<A {\n\nx } { y",
        "<A>\n\n# a\n\n</B>",
        "<br>\n\n# a\n\n</br>",
    ],
)
def test_what_is_no_element_is_text(text: str) -> None:
    """In code and comments, escaped, or without an end."""
    assert titles(text) == [(1, "a")]
    assert [block for block in of_kind("html", text) if block.startswith("<A")] == []


def test_headings_in_an_element_begin_sections() -> None:
    """At the element that they are the first thing in; the inner elements stay blocks."""
    text = (
        "<Steps>\n\n<Step>\n### One\n\none\n</Step>\n\n<Step>\n\n### Two\n\n<Note>\nx\n</Note>\n\n"
        "</Step>\n\n</Steps>\n"
    )
    assert titles(text) == [(3, "One"), (3, "Two")]
    assert chunks(text) == [
        "<Steps>\n\n<Step>\n### One\n\none\n</Step>",
        "<Step>\n\n### Two\n\n<Note>\nx\n</Note>\n\n</Step>\n\n</Steps>",
    ]
    assert of_kind("html", text) == [
        "<Step>\n### One\n\none\n</Step>",
        "<Step>\n\n### Two\n\n<Note>\nx\n</Note>\n\n</Step>",
        "<Note>\nx\n</Note>",
    ]


@pytest.mark.parametrize("unit", ["  ", "\t", "    "])
def test_indentation_of_elements_makes_no_code(unit: str) -> None:
    """Markdown in them is read as if they were not indented."""
    text = (
        f"<Tabs>\n{unit}<Tab>\n{unit * 2}## One\n\n{unit * 2}- a\n{unit * 2}  - b\n\n"
        f"{unit * 2}```js\n{unit * 2}# no\n{unit * 2}```\n\n{unit * 2}words\n{unit}</Tab>\n"
        "</Tabs>\n"
    )
    assert titles(text) == [(2, "One")]
    assert of_kind("fence", text) == [f"{unit * 2}```js\n{unit * 2}# no\n{unit * 2}```"]
    assert of_kind("paragraph", text) == [f"{unit * 2}words"]
    assert of_kind("list", text)[1] == f"{unit * 2}  - b"
    assert of_kind("fence", "a\n\n    b\n") == []


def test_a_fence_in_an_element_is_reopened_with_its_own_line() -> None:
    """What a piece carries ends with the line's end, though the next line is indented; a list
    indents it as far."""
    lines = "".join(f"    line {number}\n" for number in range(20))
    document = Document(f"<A>\n  <B>\n    ```js\n{lines}    ```\n  </B>\n</A>\n", language="mdx")
    _, *others = MarkdownChunker(size=100, overlap=0).chunk(document)
    assert {chunk.carry for chunk in others} == {"-   ```js\n"}


def test_blocks_of_markdown_are_in_an_element_or_outside() -> None:
    """A list that goes on in an element is no block, its items are."""
    text = "- a\n\n<F>\n- b\n\n- c\n</F>\n- d\n"
    assert of_kind("list", text) == ["- a\n\n<F>\n- b\n\n- c\n</F>\n- d"]
    assert of_kind("html", "- a\n\n<F>\n- b\n</F>\n") == ["<F>\n- b\n</F>"]
    assert of_kind("list", "- a\n\n<F>\n- b\n</F>\n") == []
    assert of_kind("item", "- a\n\n<F>\n- b\n</F>\n") == ["- a", "- b"]


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("# A <Badge text='b' /> c {#id}", "A c"),
        ("# `<A>` and `{b}`", "<A> and {b}"),
        ("# **<b>a</b>** b", "a b"),
        ("# {title}", ""),
        ("<T>a</T>\n===", "a"),
    ],
)
def test_a_title_is_without_tags_and_expressions(heading: str, title: str) -> None:
    """As it is without HTML in Markdown."""
    assert titles(heading) == [(1, title)]


def test_mdx_is_read_by_suffix_and_name() -> None:
    """Front matter, links and the language are those of Markdown."""
    parsed = parse_any(Document("---\na: 1\n---\n# B [c]\n\n[c]: /d\n", path="x/a.mdx"))
    assert (parsed.language, parsed.parser, parsed.frontmatter) == ("mdx", "pyromark", {"a": 1})
    assert parsed.links == (("c", "[c]: /d"),)
    assert parse_any(Document("\ufeffimport a from 'a'", language="mdx")).blocks[0].kind == "import"


def test_work_is_bounded_and_the_bound_is_told() -> None:
    """Where too much does not end, the rest is Markdown."""
    for unit in ("<A b={", "<A {\n\n", "{/* ", "<!-- ", "import {\n\n"):
        parsed = parse(Document("# a\n\n" + unit * 3_000))
        assert [complaint.code for complaint in parsed.diagnostics] == ["input_too_large"]
    deep = "<A>\n" * 20_000 + "# a\n" + "</A>\n" * 20_000
    assert titles(deep) == [(1, "a")]


def _element(inner: list[Piece], name: str, unit: str) -> Piece:
    """Pieces inside an element, indented."""
    body = "\n\n".join(text for text, _ in inner)
    lines = [unit + line if line else line for line in body.split("\n")]
    found = [heading for _, headings in inner for heading in headings]
    return "\n".join([f"<{name}>", *lines, f"</{name.partition(' ')[0]}>"]), found


LEAVES: st.SearchStrategy[Piece] = st.one_of(
    st.builds(
        lambda level, word: (f"{'#' * level} {word}", [(level, word)]), st.integers(1, 6), WORDS
    ),
    WORDS.map(lambda word: (f"{word} <b>bold</b> {{1 + 1}} `<A>`.", [])),
    st.sampled_from(
        [
            "```jsx\n<A>\n# no\n\n{\n```",
            "- one\n- two\n  - three",
            "| a | b |\n|---|---|\n| <A /> | {1} |",
            "<Chart\n  data={[1, 2, `\n# no\n\n# no`]}\n  text='\n# no'\n/>",
            "{/* # no\n\n# no */}",
            "> quoted <A>text</A>",
        ]
    ).map(lambda text: (text, [])),
)
NAMES_OF_ELEMENTS = st.sampled_from(["Tab", "Tab value='a > b'", "div className={x}", "a.b", ""])
BODIES = st.recursive(
    LEAVES,
    lambda inner: st.builds(
        _element,
        st.lists(inner, min_size=1, max_size=4),
        NAMES_OF_ELEMENTS,
        st.sampled_from(["", "  ", "    ", "\t"]),
    ),
    max_leaves=8,
)
TOPS = st.sampled_from([IMPORTS.partition("\n\nexport")[0], "export const a = `\n# no\n\n# no`"])
DOCUMENTS = st.lists(st.one_of(BODIES, BODIES, TOPS.map(lambda text: (text, []))), max_size=6)


@given(pieces=DOCUMENTS, end=st.sampled_from(["\n", "\r\n", "\r"]))
def test_every_heading_is_found_and_no_other(pieces: list[Piece], end: str) -> None:
    """However deep in elements, and whatever stands beside them."""
    text = "\n\n".join(text for text, _ in pieces).replace("\n", end)
    assert titles(text) == [heading for _, headings in pieces for heading in headings]


MARKS = """<A>|</A>|<A b={|}|{|<A b='|'|/>|>|<b>|</b>|<>|</>|`|```|~~~|{/*|*/}|# h|## |- |1. |> |
|import a from 'a'|import {|export const b = [|]|<br>|<!--|-->|\\|=|---|<C />|"""
SOUPS = with_line_ends(
    st.lists(
        st.one_of(
            st.sampled_from(MARKS.replace("\n", "").split("|")),
            st.sampled_from(["\n", "\n\n", "\n\n", "\n  ", "\n    ", "\n\t", "|", "\u2060"]),
            BODIES.map(lambda piece: f"\n\n{piece[0]}\n\n"),
            WORDS,
            st.sampled_from(CLUSTERS),
            texts(1, 4),
        ),
        max_size=40,
    ).map("".join)
)


@given(text=SOUPS)
def test_blocks_are_sorted_and_nested(text: str) -> None:
    """Whatever the text; they begin with their line's indentation at most, and end with a mark."""
    blocks = parse(Document(text)).blocks
    assert list(blocks) == sorted(blocks, key=lambda block: (block.start, -block.end))
    around: list[Block] = []
    for block in blocks:
        assert 0 <= block.start < block.end <= len(text)
        while around and around[-1].end <= block.start:
            around.pop()
        assert not around or block.end <= around[-1].end
        around.append(block)
        assert block.kind == "section" or not is_whitespace_only(text[block.end - 1])


@given(text=SOUPS, options=OPTIONS)
def test_every_promise_holds(text: str, options: dict[str, Any]) -> None:
    """Over any soup of MDX, whole and torn."""
    _, broken = cut_and_examined(Document(text, language="mdx"), options, "pyromark")
    assert broken == []
