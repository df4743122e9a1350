"""parsing.components: scripts and styles of Vue, Svelte and Astro, read by their own language, and
the elements around them. Symbols of whole components stand beside the fixtures in data/code."""

from __future__ import annotations

import pytest

from chunkwright import Chunking, CodeChunker, Document
from chunkwright.parsing.code import DETAIL, parse
from chunkwright.parsing.syntax import MAX_BYTES
from chunkwright.types import Parsed
from found_symbols import named, symbols
from repeatability import count_steps


def parsed(text: str, path: str = "a.vue", detail: int = DETAIL) -> Parsed:
    return parse(Document(text, path), detail)


def sources(result: Parsed, kind: str = "statement") -> list[str]:
    """The text of every block of a kind."""
    return [result.text[b.start : b.end] for b in result.blocks if b.kind == kind]


def cut(text: str, path: str, size: int) -> Chunking:
    return CodeChunker(size=size).chunk(Document(text, path))


FUNCTION = "function f() {}"


@pytest.mark.parametrize("path", ["a.vue", "a.svelte", "a.astro"])
def test_a_script_is_read_in_every_format(path: str) -> None:
    """Ranges, bodies and signatures are those of the whole file."""
    text = "<p>ä🍝</p>\n<script>\nfunction f(a) {\n  return a;\n}\n</script>\n"
    result = parsed(text, path)
    block = named(result, "f")
    assert (result.parser, result.diagnostics) == ("components", ())
    assert text[block.start : block.end] == "function f(a) {\n  return a;\n}"
    assert text[block.body :].startswith("\n  return a;")
    assert block.signature == "function f(a)"


@pytest.mark.parametrize(
    ("attributes", "kinds"),
    [
        (' lang="ts"', ["Interface", "Function"]),
        (" lang='ts'", ["Interface", "Function"]),
        (" lang=ts", ["Interface", "Function"]),
        (' setup LANG="TS"', ["Interface", "Function"]),
        (' generics="T extends Record<string, A>" lang="tsx"', ["Interface", "Function"]),
        (' type="text/typescript"', ["Interface", "Function"]),
        (' lang="coffee"', []),
        (' type="application/ld+json"', []),
    ],
)
def test_the_language_of_a_script_is_what_it_says(attributes: str, kinds: list[str]) -> None:
    """By `lang`, however it is quoted, else by `type`."""
    text = f"<script{attributes}>\ninterface I {{ a: number }}\n{FUNCTION}\n</script>\n"
    assert [block.kind for block in parsed(text).blocks if block.name] == kinds


@pytest.mark.parametrize(
    "attributes", ["", " setup", ' type="module"', ' lang="js"', ' data-lang="ts" title="lang=ts"']
)
def test_a_script_that_says_nothing_is_javascript(attributes: str) -> None:
    """There, a type annotation is a syntax error, with the line of the file."""
    result = parsed(f"\n<script{attributes}>\nlet a: number = 1;\n{FUNCTION}\n</script>\n")
    assert [(d.code, d.line) for d in result.diagnostics] == [("parse_error", 3)]


def test_a_script_without_a_grammar_says_so() -> None:
    """The diagnostic names its language and its line; the element is a statement."""
    result = parsed('<p/>\n<script lang="coffee">\nf = -> 1\n</script>\n')
    assert [(d.code, d.line) for d in result.diagnostics] == [("no_symbols", 2)]
    assert "coffee" in result.diagnostics[0].message
    assert sources(result)[1].startswith("<script")


def test_a_style_in_css_is_read_and_another_is_one_statement() -> None:
    """Without a diagnostic: a style seldom has symbols."""
    style = "{}\n@keyframes k {{ to {{ top: 0; }} }}\n</style>"
    text = style.format("<style scoped>") + "\n" + style.format('<style lang="scss">') + "\n"
    result = parsed(text)
    assert symbols(result) == ["2-2 Type k"]
    assert sources(result) == [text[text.index("<style lang") : -1]]
    assert result.diagnostics == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"<SCRIPT>\n{FUNCTION}\n</Script\n>\n", ["2-2 Function f"]),
        (f"<script>\n{FUNCTION}\n", ["2-2 Function f"]),
        (f"<script>{FUNCTION}</script>", ["1-1 Function f"]),
        (f"<script>\n{FUNCTION}\n</script", ["2-2 Function f"]),
        (f"<script>\n// </scripts>\n{FUNCTION}\n", ["2-3 Function f"]),
        (f"<script>\n{FUNCTION}\na = '</script>';\nfunction g() {{}}", ["2-2 Function f"]),
        ('<script src="a.ts" lang="ts"></script>\n', []),
        ('<script src="a.ts" />\n<p>function f() {}</p>\n', []),
        (f"<script>\n \n</script>\n<script>\n{FUNCTION}\n</script>\n", ["5-5 Function f"]),
        (f"<!-- <script> -->\n<script>\n{FUNCTION}\n</script>\n", ["3-3 Function f"]),
        (f"<!--\n<script>\n{FUNCTION}\n</script>\n", []),
        (f"<div>\n<script>\n{FUNCTION}\n</script>\n</div>\n", []),
        (f"<div>\n<p>\n<script>\n{FUNCTION}\n</script>\n", ["4-4 Function f"]),
        (f"<p a='>'>\n<script>\n{FUNCTION}\n</script>\n", ["3-3 Function f"]),
        (f"\ufeff<script>\n{FUNCTION}\n</script>\n", ["2-2 Function f"]),
        (f"<script defer\n  async>\n{FUNCTION}\n</script>\n", ["3-3 Function f"]),
    ],
)
@pytest.mark.parametrize("path", ["a.vue", "a.svelte", "a.astro"])
def test_where_a_script_begins_and_ends(path: str, text: str, found: list[str]) -> None:
    """As HTML says: at its end tag, wherever that is, or at the end of the file. An element that
    is never closed is around nothing."""
    assert symbols(parsed(text, path)) == found


def test_a_vue_block_of_its_own_kind_holds_no_markup() -> None:
    """What looks like a script in it is text; in a template in another language, too."""
    text = (
        f"<docs>\n<script>{FUNCTION}\n</docs>\n"
        f'<template lang="pug">\n<script>{FUNCTION}\n</template>\n'
        "<i18n>\n<p>\n"
        "<script>\nfunction g() {}\n</script>\n"
    )
    assert symbols(parsed(text)) == ["10-10 Function g"]


@pytest.mark.parametrize(
    "text",
    [
        "<script>let a;</script>\n{#if a<b}\n<p>{'<script>'}</p>\n{/if}\n",
        "<p on:click={() => { if (1 > 0) { a('}'); } }} {...rest}>\n{`<script>`}</p>\n",
        "<p class='{a > 1 ? \"b\" : \"c\"}'></p>\n{@html '<style>'}\n",
        "<p>it's {/* { */ 1}</p>\n",
    ],
)
def test_expressions_of_svelte_hide_what_looks_like_a_tag(text: str) -> None:
    """In text and in attributes, with strings and braces of their own."""
    result = parsed(f"{text}<script>\n{FUNCTION}\n</script>\n", "a.svelte")
    assert symbols(result)[-1].endswith("Function f")


def test_the_script_of_astro_stands_between_fences() -> None:
    """It is TypeScript; without a second fence there is none."""
    text = "---\nconst a: string = `\n--- not yet`;\nfunction f() {}\n---\n<p>{a}</p>\n"
    result = parsed(text, "a.astro")
    assert symbols(result) == ["2-3 Variable a", "4-4 Function f"]
    assert sources(result) == ["<p>{a}</p>"]
    assert symbols(parsed("---\nfunction f() {}\n", "a.astro")) == []


def test_elements_are_statements_and_long_ones_are_described() -> None:
    """Outermost ones always, those inside where it is longer than `detail`; a start tag that goes
    over several lines, too. An element inside a line is none."""
    text = (
        "<template>\n  <!-- About. -->\n  <div\n    id='a'\n  >\n    <p>one <b>two</b></p>\n"
        "    <br>\n    <Link>\n      x\n    </Link>\n  </div>\n</template>\n"
    )
    short, long = parsed(text), parsed(text, detail=40)
    assert [source.split()[0] for source in sources(short)] == ["<template>"]
    assert [source.split()[0] for source in sources(long)] == [
        "<template>",
        "<div",
        "<div",
        "<p>one",
        "<br>",
        "<Link>",
    ]
    assert sources(long)[2] == "<div\n    id='a'\n  >"
    assert sources(long, "comment") == ["<!-- About. -->"]
    assert [block.depth for block in long.blocks] == [0, 1, 1, 2, 2, 2, 2]


def test_blocks_of_svelte_are_statements() -> None:
    """From `{#if}` to `{/if}`, with what is between."""
    text = "{#if a}\n  <p>1</p>\n{:else}\n  {#each b as c}\n    <i/>\n  {/each}\n{/if}\n"
    assert sources(parsed(text, "a.svelte", 20))[0] == text.strip()
    assert any(s.startswith("{#each") for s in sources(parsed(text, "a.svelte", 20)))


@pytest.mark.parametrize("path", ["a.vue", "a.svelte", "a.astro"])
def test_cuts_fall_between_elements(path: str) -> None:
    """No element that fits is cut."""
    items = [f"  <li>\n    Item {n} of the list\n  </li>\n" for n in range(30)]
    text = f"<template>\n<ul>\n{''.join(items)}</ul>\n</template>\n"
    chunking = cut(text, path, 200)
    assert len(chunking) > 3
    for item in items:
        assert any(item.strip() in chunk.text for chunk in chunking)


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def test_lines_are_those_of_the_file(ends: str) -> None:
    """Of symbols and of diagnostics."""
    text = "<p/>\n\n<script>\n\nfunction f() {\n}\n\nlet = = 1;\n</script>\n".replace("\n", ends)
    result = parsed(text)
    assert symbols(result)[0] == "5-6 Function f"
    assert [(d.code, d.line) for d in result.diagnostics] == [("parse_error", 8)]


def test_a_script_over_the_bound_is_not_parsed() -> None:
    """The others are."""
    long = "x = 1;\n" * (MAX_BYTES // 6)
    text = f"<script>\n{long}</script>\n<script>\n{FUNCTION}\n</script>\n"
    result = parsed(text)
    assert [block.name for block in result.blocks if block.name] == ["f"]
    assert [d.code for d in result.diagnostics] == ["input_too_large"]


@pytest.mark.parametrize("path", ["a.vue", "a.svelte", "a.astro"])
@pytest.mark.parametrize(
    "text", ["", "\n", "<", "</", "<!--", "<script", "<script>", "{", "{{", "{#if", "---", "\x00"]
)
def test_odd_texts_give_no_symbols_and_no_exception(text: str, path: str) -> None:
    """Empty ones and fragments."""
    assert symbols(parsed(text, path)) == []
    assert "".join(cut(text, path, 100).texts) == text.strip()


@pytest.mark.parametrize("path", ["a.vue", "a.svelte", "a.astro"])
@pytest.mark.parametrize(
    "unit",
    ["<a ", "<a>", "<a></b>", "<!--", "<b>\n", "<a b={", '<a b="', "{", "{{", "{#if x}", "{'"],
)
def test_work_is_linear_in_what_does_not_end(unit: str, path: str) -> None:
    """Four times the text takes about four times as many steps."""

    def steps(length: int) -> int:
        text = "<template>" + unit * (length // len(unit))
        return count_steps(lambda: parsed(text, path))

    parsed("<template>", path)  # imports and caches are not the text's cost
    assert steps(16_000) < 5 * steps(4_000)
    parsed("<template>" + unit * (160_000 // len(unit)), path)
