"""Random Markdown written block by block, so that its blocks are known: sections against another
parser, every promise, and which blocks are cut, how. Text that is no Markdown is in strategies.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from chunkwright import Chunk, Chunking, Document, MarkdownChunker
from promises import examine
from subjects import MEASURES, usable
from test_parsing_markdown import ORACLE, Heading, headings_by_oracle
from trial import COUNTERS, LINE_END, Asked

Text = st.SearchStrategy[str]

# Lines.

WORDS = st.sampled_from(
    (
        *("harbour", "boat", "end.", "why?", "tea,", "e.g.", "3.50", "a_b", "x*y", "1)", "-"),
        *("Größe", "雪", "e\u0301clair", "👩🏽\u200d🚀", "🇳🇴", "नि", "第一句话。"),
    )
)
MARKUP = st.sampled_from(
    (
        "**bold *and* more**",
        "`co|de`",
        "``a ` b``",
        "[text](http://a.b/c?d=e 'T')",
        "[ref]",
        "[it][Ref]",
        "![an *image*](i.png)",
        "<http://k.l>",
        "<b>",
        "~~gone~~",
        "&amp;",
        "\\# \\*",
        "$x^2$",
    )
)
"""Nothing that markdown-it-py shows otherwise in a title: no footnotes, no markup in formulas."""

LINES = st.lists(st.one_of(WORDS, WORDS, WORDS, MARKUP), min_size=1, max_size=9).map(
    lambda words: "word " + " ".join(words)
)
"""Each begins with a word: what a line begins with can make it a block of another kind."""

NOTED = st.builds(lambda line, note: line + note, LINES, st.sampled_from(["", "", "[^1]"]))

# Blocks that hold no others, without a line end at their end.

PARAGRAPHS = st.lists(NOTED, min_size=1, max_size=4).map("\n".join)
HARD_BREAKS = st.lists(LINES, min_size=2, max_size=3).map("  \n".join)
ATX = st.builds(
    lambda level, title, closing: f"{'#' * level} {title}{closing}",
    st.integers(1, 6),
    LINES,
    st.sampled_from(["", "", " #", " ##  "]),
)
SETEXT = st.builds(
    lambda title, rule: f"{title}\n{rule}", PARAGRAPHS, st.sampled_from(["===", "---", "-", " = "])
).filter(lambda text: "[^1]" not in text)
CODE_LINES = st.lists(
    st.one_of(
        LINES,
        st.sampled_from(
            ["# no heading", "", "\tx = 1", "| a |", "> q", "- i", "<div>", "  y", "--"]
        ),
    ),
    max_size=14,
)
FENCES = st.builds(
    lambda marks, info, lines: "\n".join([marks + info, *lines, marks]),
    st.sampled_from(["```", "~~~", "````", "~~~~~"]),
    st.sampled_from(["", "py", ' sh title="x"', "{r, echo=FALSE}", "c++ {1,3-4}"]),
    CODE_LINES,
)
LONGER_FENCES = st.builds(
    lambda lines: "\n".join(["`````md", "```", *lines, "```", "`````"]), CODE_LINES
)
INDENTED = st.lists(LINES, min_size=1, max_size=3).map(
    lambda lines: "\n\n".join(f"    {line}" for line in lines)
)
CELLS = st.one_of(WORDS, LINES, st.sampled_from(["", "a \\| b", "`c \\| d`", "—"])).map(
    lambda text: text.replace("`co|de`", "`code`")
)
TABLES = st.builds(
    lambda heads, rows: "\n".join(
        f"| {' | '.join(cells)} |" for cells in (heads, [":--", "--:"], *rows)
    ),
    st.lists(WORDS, min_size=2, max_size=2),
    st.lists(st.lists(CELLS, min_size=1, max_size=3), max_size=12),
)
BARE_TABLES = st.lists(WORDS, min_size=1, max_size=9).map(
    lambda words: "\n".join(["name | value", "---|:-:", *(f"row {word} | 1" for word in words)])
)
HTML = st.builds(
    lambda form, lines: form.replace("…", "\n".join(lines)),
    st.sampled_from(
        (
            "<pre>\n…\n\n# raw\n</pre>",
            "<script>\n\n# …\n</script>",
            "<!-- …\n\n# comment\n-->",
            "<?php\n\n# …\n?>",
            "<!DOCTYPE html>",
            "<![CDATA[\n\n# …\n]]>",
            '<div align="center">\n# …\n<img src="a.png">\n</div>',
            "<details>\n<summary>…</summary>\n</details>",
            '<my-tag a="b">\n# …\n</my-tag>',
        )
    ),
    st.lists(LINES, min_size=1, max_size=5),
).map(lambda text: text.replace("<b>", "").replace("<http://k.l>", ""))
MATH = st.lists(
    st.sampled_from(["x^2", "\\frac{a}{b}", "= y", "\\\\", "\\text{Größe}"]), max_size=8
).map(lambda lines: "\n".join(["$$", "x", *lines, "$$"]))
DEFINITIONS = st.builds(
    lambda term, joint, lines: f"{term}{joint}" + joint.join(f": {line}" for line in lines),
    LINES,
    st.sampled_from(["\n", "\n\n"]),
    st.lists(LINES, min_size=1, max_size=3),
)
FOOTNOTES = st.builds(
    lambda label, lines: f"[^{label}]: " + "\n\n    ".join(lines),
    st.sampled_from(["1", "note"]),
    st.lists(LINES, min_size=1, max_size=3),
)
RULES = st.sampled_from(["***", "- - -", "___", " ***"])
REFERENCES = st.sampled_from(["[ref]: https://a.b 'T'", "[ref]: <u v>\n  (title)", "[Ref]: /x"])

LEAVES = {
    "paragraph": st.one_of(PARAGRAPHS, HARD_BREAKS),
    "heading": st.one_of(ATX, SETEXT),
    "fence": st.one_of(FENCES, LONGER_FENCES),
    "indented": INDENTED,
    "table": st.one_of(TABLES, BARE_TABLES),
    "html": HTML,
    "math": MATH,
    "definition": DEFINITIONS,
    "rule": RULES,
    "reference": REFERENCES,
}
"""By kind. Footnotes are only at the top: nested, they are unlike what any parser else takes."""

# Blocks that hold others.

MARKS = ("- ", "* ", "+   ", "1. ", "10) ", "- [ ] ", "- [x] ")


def _items(mark: str, joint: str, items: list[list[str]]) -> str:
    """A list; what follows in an item is as far in as its first block."""
    margin = " " * (2 if "[" in mark else len(mark))
    return joint.join(_under("\n\n".join(blocks), mark, margin) for blocks in items)


def _quote(blocks: list[str]) -> str:
    return _under("\n\n".join(blocks), "> ", "> ")


def _under(text: str, first: str, others: str) -> str:
    lines = text.split("\n")
    marked = [first + lines[0], *((others + line).rstrip(" ") for line in lines[1:])]
    return "\n".join(marked)


def _contained(inner: Text) -> Text:
    several = st.lists(inner, min_size=1, max_size=3)
    joints = st.sampled_from(["\n", "\n\n"])
    items = st.lists(several, min_size=1, max_size=4)
    return st.one_of(
        st.builds(_items, st.sampled_from(MARKS), joints, items), st.builds(_quote, several)
    )


CONTAINERS = _contained(st.recursive(st.one_of(*LEAVES.values()), _contained, max_leaves=6))

# Documents.


class Written(NamedTuple):
    """A document, and where its blocks are."""

    text: str
    blocks: tuple[tuple[str, int, int], ...]
    """Kind, start and end of every block that is in no other."""


FRONT_MATTER = st.sampled_from(
    ("", "", "", "---\ntitle: Kept\ntags: [a, b]\n---\n", "+++\ntitle = 'Kept'\n# no\n+++\n")
)
JOINTS = st.sampled_from(["\n\n", "\n\n", "\n\n", "\n\n\n", "\n \n"])
ENDS = st.sampled_from(["\n", "\n", "\r\n", "\r"])


def _written(front: str, blocks: list[tuple[str, str, str]], end: str) -> Written:
    """Front matter, then (kind, text, what follows it) after (kind, text, what follows it)."""
    text = front.replace("\n", end)
    places = []
    for kind, block, joint in blocks:
        written = block.replace("\n", end)
        places.append((kind, len(text), len(text) + len(written)))
        text += written + joint.replace("\n", end)
    return Written(text, tuple(places))


def documents(**more: int) -> st.SearchStrategy[Written]:
    """Documents of 1 to 12 blocks; `more` is how many times likelier a kind is made."""
    kinds: dict[str, Text] = {**LEAVES, "footnote": FOOTNOTES, "container": CONTAINERS}
    often = [kind for kind in kinds for _ in range(more.get(kind, 1))]
    block = st.sampled_from(often).flatmap(
        lambda kind: st.tuples(st.just(kind), kinds[kind], JOINTS)
    )
    return st.builds(_written, FRONT_MATTER, st.lists(block, min_size=1, max_size=12), ENDS)


# What the other parser says.


class Found(NamedTuple):
    """A block, as markdown-it-py finds it."""

    kind: str
    line: int
    """Where its first line begins."""
    start: int
    """Of the quote marks and the indentation before it."""
    ink: int
    """Of its first own character."""
    end: int
    info: str = ""


KINDS = {"fence": "fence", "html_block": "html", "table_open": "table"}

MARGIN = re.compile(r"(?:[> \t]|[-*+](?= )|\d+[.)](?= )|\[[ x]\](?= ))*")


def body_of(chunking: Chunking) -> int:
    """Where the text begins that CommonMark knows: after the front matter."""
    gaps = [gap for gap in chunking.excluded if gap.reason == "front_matter"]
    return gaps[0].end if gaps else 0


def found_blocks(text: str, first: int) -> Iterator[Found]:
    starts = [first, *(end.end() for end in LINE_END.finditer(text, first)), len(text)]
    for token in ORACLE.parse(LINE_END.sub("\n", text[first:])):
        if token.type in KINDS and token.map:
            start, end = (starts[min(line, len(starts) - 1)] for line in token.map)
            end = start + len(text[start:end].rstrip())
            margin = MARGIN.match(text, start, end)
            marks = margin[0] if margin else ""
            place = start, start + len(marks.rstrip("> \t")), start + len(marks), end
            yield Found(KINDS[token.type], *place, token.info)


def expected_headings(text: str, first: int) -> list[Heading]:
    before = len(LINE_END.findall(text, 0, first))
    return [
        (level, title, line + before) for level, title, line in headings_by_oracle(text[first:])
    ]


@given(documents(heading=4, container=3))
def test_sections_are_those_of_another_parser(written: Written) -> None:
    """Level, title and line of every heading that is in no container, below front matter."""
    chunking = MarkdownChunker().chunk(written.text)
    outline = [(item.level, item.title, item.line) for item in chunking.outline]
    assert outline == expected_headings(written.text, body_of(chunking))
    headings = [block for block in written.blocks if block[0] == "heading"]
    assert len(outline) >= len(headings)


# Every promise.

SWITCHES = st.fixed_dictionaries(
    {
        "code_blocks": st.booleans(),
        "join_table_rows": st.booleans(),
        "merge_small": st.booleans(),
        "reference_links": st.booleans(),
        "budget_includes_context": st.booleans(),
        "split_levels": st.sampled_from([(1, 2, 3, 4, 5, 6), (1,), (2, 3), ()]),
    }
)


@given(
    written=documents(),
    size=st.one_of(st.integers(1, 60), st.integers(60, 400), st.none()),
    overlap=st.integers(0, 80),
    measure=st.sampled_from(sorted(MEASURES)),
    switches=SWITCHES,
)
def test_every_promise_holds(
    written: Written, size: int | None, overlap: int, measure: str, switches: dict[str, Any]
) -> None:
    """Under every size, measure and option, and the same again."""
    option, count = MEASURES[measure]
    chunker = MarkdownChunker(size=size, overlap=overlap, measure=option, **switches)
    asked = Asked(
        size=size,
        overlap=usable(overlap, size),
        count=count,
        budgeted=chunker.budget_includes_context,
        parser="pyromark",
    )
    _, broken = examine(chunker, Document(written.text, path="a.md"), asked)
    assert broken == []


# Which blocks are cut, and how.

CUTS = st.fixed_dictionaries(
    {
        "size": st.integers(40, 300),
        "overlap": st.integers(0, 60),
        "measure": st.sampled_from(["chars", "chars", "bytes", "graphemes"]),
        "merge_small": st.booleans(),
        "split_levels": st.sampled_from([(1, 2, 3, 4, 5, 6), (1, 2), ()]),
    }
)


def cut(written: Written, options: dict[str, Any]) -> tuple[Chunking, Callable[[str], int]]:
    return MarkdownChunker(**options).chunk(written.text), COUNTERS[options["measure"]]


@given(documents(fence=4, table=4, html=3, math=3), CUTS)
def test_blocks_that_fit_stay_whole(written: Written, options: dict[str, Any]) -> None:
    """Fences, tables, HTML and formulas, but where a heading has to stay with a part of one."""
    chunking, count = cut(written, options)
    torn = [
        written.text[block.start : block.end]
        for block in [*found_blocks(written.text, body_of(chunking)), *formulas(written)]
        if count(written.text[led_from(written, block.start) : block.end]) <= options["size"]
        and not any(chunk.start <= block.ink and block.end <= chunk.end for chunk in chunking)
    ]
    assert torn == []


def formulas(written: Written) -> Iterator[Found]:
    """The other parser knows none."""
    for kind, start, end in written.blocks:
        if kind == "math":
            yield Found(kind, start, start, start, end)


def led_from(written: Written, start: int) -> int:
    """Where the headings begin that stand directly above `start`, which is at a block's start."""
    for kind, first, last in reversed(written.blocks):
        if last <= start:
            if kind != "heading":
                break
            start = first
        elif first < start:
            start = first if written.text[first:start].strip("> \t") == "" else start
    return start


def pieces(chunking: Chunking, block: Found, body: int) -> Iterator[Chunk]:
    """Chunks that begin inside a block's own content."""
    return (chunk for chunk in chunking if block.start < body <= chunk.start < block.end)


def body_start(text: str, block: Found, lines: int) -> int:
    """Where the content begins after so many lines."""
    ends = [end.end() for end in LINE_END.finditer(text, block.start, block.end)]
    return ends[lines - 1] if len(ends) >= lines else block.end


def shown(chunk: Chunk) -> str:
    return f"{chunk.carry}{chunk.text}{chunk.carry_after}"


def plain(text: str) -> list[str]:
    """Lines without the marks of containers."""
    return [MARGIN.sub("", line, count=1).rstrip() for line in LINE_END.split(text)]


def test_pieces_of_tables_carry_the_header() -> None:
    """Header and delimiter row, unless these take more than a quarter of the cap."""
    carrying = []

    @given(documents(table=12, container=3), CUTS, st.booleans())
    def carry(written: Written, options: dict[str, Any], rows_joined: bool) -> None:
        options = {**options, "join_table_rows": rows_joined}
        chunking, count = cut(written, options)
        for table in found_blocks(written.text, body_of(chunking)):
            body = body_start(written.text, table, 2)
            header = written.text[table.line : body]
            for piece in pieces(chunking, table, body) if table.kind == "table" else ():
                if piece.carry or count(header) * 4 <= options["size"]:
                    assert plain(piece.carry) == plain(header)
                    assert count(piece.carry) * 4 <= options["size"]
                    carrying.append(piece)

    carry()
    assert len(carrying) > MANY


MANY = 20
"""Pieces that a test has to see, lest it should hold because nothing was cut."""


def test_pieces_of_fences_are_rendered_closed() -> None:
    """With what is carried, a piece is one fence with the info string of the whole."""
    closed = []

    @given(documents(fence=12, container=3), CUTS)
    def are_closed(written: Written, options: dict[str, Any]) -> None:
        chunking, count = cut(written, options)
        for fence in found_blocks(written.text, body_of(chunking)):
            body = body_start(written.text, fence, 1)
            too_big = count(written.text[fence.line : body]) * 4 > options["size"]
            for piece in pieces(chunking, fence, body) if fence.kind == "fence" else ():
                check_piece(written.text, fence, piece, too_big)
                closed.append(piece)
            for chunk in chunking if fence.kind == "fence" else ():
                if chunk.start <= fence.ink and body < chunk.end < fence.end:
                    assert set(plain(shown(chunk))[-1]) <= {*"`~"}

    are_closed()
    assert len(closed) > MANY


def check_piece(text: str, fence: Found, piece: Chunk, too_big: bool) -> None:
    """That it renders as one fence, or, where the opening may be too big to carry, as none."""
    if not piece.carry and too_big:
        assert piece.carry_after == ""
        return
    inside_a_line = text[piece.start - 1] not in "\r\n"
    if inside_a_line and ">" in piece.carry:
        return  # what is carried ends with a line end, so the line has lost its quote mark
    tokens = ORACLE.parse(LINE_END.sub("\n", shown(piece)))
    fences = [token.info for token in tokens if token.type == "fence"]
    language = re.match(r"\s*\{?\.?([^\s{}:,`]*)", fence.info)
    assert language
    assert [info.strip() for info in fences[:1]] in (
        [fence.info.strip()],
        [language[1] if too_big else fence.info.strip()],
    )
    if piece.end <= fence.end:
        assert len(fences) == 1
        assert {token.type.split("_")[0] for token in tokens} <= {
            "fence",
            "blockquote",
            "bullet",
            "list",
        }
