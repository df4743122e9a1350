"""Generated input for the promises: text of every script and line end, Markdown of every block,
source code that is spliced and broken off. No chunker and no promise is named here.
"""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import strategies as st

from chunkwright import Block

CLUSTERS = (
    "👨‍👩‍👧‍👦",
    "👍🏽",
    "🇳🇴",
    "🇳🇴🇸🇪🇩🇰",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "1️⃣",
    "e\u0301",
    "a\u0328\u0301\u0323",
    "\u1112\u1161\u11ab",
    "각",
    "क्षि",
    "नि",
    "ที่",
    "กำ",
    "\u0600١",
    " \u0301",
    "\u0600 ",
    "\u200d",
    "\ufe0f",
    "\u0301",
    "🙂",
    "𝔘",
)
"""Grapheme clusters that are easily cut, some of them with white space inside."""

ODD_CHARACTERS = (
    "\x00",
    "\x07",
    "\x0b",
    "\x0c",
    "\x1b",
    "\x1c",
    "\x1f",
    "\x7f",
    "\x85",
    "\xa0",
    "\xad",
    "\u200b",
    "\u2028",
    "\u2029",
    "\u3000",
    "\ufeff",
    "\ufffd",
    "\U0010ffff",
)

SEPARATORS = (
    " ",
    " ",
    " ",
    "\n",
    "\n\n",
    "\n\n\n",
    "\r\n",
    "\r\n\r\n",
    "\r",
    "\r\r",
    "\n\r",
    "\t",
    "   ",
    "\n    ",
    ". ",
    "! ",
    "; ",
    ", ",
    "。",
    "？",
    "। ",
    "؟ ",
)

SENTENCES = (
    "The harbour is open from six to nine. ",
    "Dr. Meyer paid 3.50 e.g. for tea! ",
    "Is this the end? ",
    "第一句话说明背景情况。第二句话给出更多细节内容！",
    "今日は良い天気ですね。",
    "ภาษาไทยไม่มีช่องว่างระหว่างคำ ",
    "यह एक वाक्य है। ",
    "هذه جملة قصيرة؟ ",
    "가나다라 마바사아 자차카타. ",
    "Größe über Äpfel: süß, öde, übel. ",
)

WORDS = st.text(
    st.characters(codec="ascii", categories=["Ll", "Lu", "Nd"]), min_size=1, max_size=12
)
RUNS = st.builds(
    lambda unit, times: unit * times,
    st.sampled_from(["_", "x", "A1b2", "雪", "🙂", "=", "\n", " ", "\r\n", "\t", "🇳🇴", "e\u0301"]),
    st.integers(1, 60),
)
ANY_CHARACTERS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
"""Every plane, unassigned code points too; no surrogates."""

PIECES = st.one_of(
    WORDS,
    WORDS,
    st.sampled_from(SEPARATORS),
    st.sampled_from(SEPARATORS),
    st.sampled_from(CLUSTERS),
    st.sampled_from(SENTENCES),
    st.sampled_from(ODD_CHARACTERS),
    RUNS,
    ANY_CHARACTERS,
)


def texts(least: int = 4, most: int = 60) -> st.SearchStrategy[str]:
    """Text without a form: words, clusters, runs and separators in any order."""
    return st.lists(PIECES, min_size=least, max_size=most).map("".join)


def blank_texts() -> st.SearchStrategy[str]:
    """Only white space, of every kind."""
    blanks = st.sampled_from([*" \t\n\r\x0b\x0c\x1c\x85\xa0\u2028\u3000", "\r\n"])
    return st.lists(blanks, max_size=40).map("".join)


def with_line_ends(texts_with_lf: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """The same text with LF, CRLF or lone CR."""
    ends = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"])
    return st.builds(lambda text, end: text.replace("\n", end), texts_with_lf, ends)


INLINE = st.one_of(
    WORDS,
    st.sampled_from(SENTENCES),
    st.sampled_from(CLUSTERS),
    st.sampled_from(
        (
            "`code`",
            "**bold**",
            "[text][ref]",
            "[a](b)",
            "<br>",
            "$x$",
            "\\#",
            "|",
            "&amp;",
            "*",
            "``",
        )
    ),
)
LINES_OF_TEXT = st.lists(INLINE, min_size=1, max_size=10).map(" ".join)
PARAGRAPHS = st.lists(LINES_OF_TEXT, min_size=1, max_size=3).map("\n".join)
HEADINGS = st.one_of(
    st.builds(lambda level, title: f"{'#' * level} {title}", st.integers(1, 7), LINES_OF_TEXT),
    st.builds(
        lambda title, rule: f"{title}\n{rule}", LINES_OF_TEXT, st.sampled_from(["===", "---"])
    ),
    st.sampled_from(["#", "## ", "   # indented #", "    # code", "#NoSpace"]),
)
FENCES = st.builds(
    lambda fence, info, lines, closed: "\n".join(
        [fence + info, *lines, *([fence] if closed else [])]
    ),
    st.sampled_from(["```", "~~~", "````"]),
    st.sampled_from(["", "python", " {r, echo=FALSE}", 'sh title="x"']),
    st.lists(
        st.one_of(LINES_OF_TEXT, st.sampled_from(["# no heading", "", "\tx = 1", "```"])),
        max_size=8,
    ),
    st.sampled_from([True, True, True, False]),
)
TABLES = st.builds(
    lambda rows: "\n".join(["| a | b |", "|---|--:|", *(f"| {x} | {y} |" for x, y in rows)]),
    st.lists(st.tuples(WORDS, LINES_OF_TEXT), max_size=8),
)
OTHER_BLOCKS = st.sampled_from(
    (
        "---",
        "***",
        "<div>\n# not a heading\n\n## a heading\n</div>",
        "<!-- a\n\n# comment -->",
        "<pre>\n# raw\n\n# raw\n</pre>",
        "$$\nx^2\n\n+ 1\n$$",
        "[ref]: https://example.org 'Title'",
        "[^1]: A note.\n    Its second line.",
        "    indented code\n\n    more of it",
        "Term\n: not always a definition",
        "| torn | table",
        "",
    )
)
LEAVES = st.one_of(PARAGRAPHS, PARAGRAPHS, HEADINGS, HEADINGS, FENCES, TABLES, OTHER_BLOCKS)


def _contained(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    several = st.lists(inner, min_size=1, max_size=4).map("\n\n".join)
    marks = st.sampled_from(
        [("> ", "> "), ("- ", "  "), ("1) ", "   "), ("* [ ] ", "  "), (">", ">")]
    )
    return st.builds(_under_mark, several, marks)


def _under_mark(text: str, marks: tuple[str, str]) -> str:
    first, *others = text.split("\n")
    return "\n".join([marks[0] + first, *(marks[1] + line for line in others)])


BLOCKS = st.recursive(LEAVES, _contained, max_leaves=6)
FRONT_MATTER = st.sampled_from(
    (
        "",
        "",
        "---\ntitle: Kept\ntags: [a, b]\n---\n",
        "+++\ntitle = 'Kept'\n+++\n",
        "---\nbad: x: y\n---\n",
        "---\n- a list\n---\n",
        "---\nunclosed: yes\n",
        "---\n---\n",
    )
)


def markdown(least: int = 3, most: int = 16) -> st.SearchStrategy[str]:
    """Blocks of every kind, one in another, with or without blank lines between."""
    joint = st.sampled_from(["\n\n", "\n\n", "\n", "\n\n\n"])
    body = st.builds(
        lambda blocks, joint: joint.join(blocks),
        st.lists(BLOCKS, min_size=least, max_size=most),
        joint,
    )
    last = st.sampled_from(["\n", "", "\n\n"])
    return with_line_ends(st.builds(lambda *parts: "".join(parts), FRONT_MATTER, body, last))


SNIPPETS: dict[str, list[list[str]]] = json.loads(
    (Path(__file__).parent / "data" / "snippets.json").read_text("utf-8")
)
"""By language: pieces of source, each a list of lines, and pieces that break the rest."""

SUFFIXES = {"python": "py", "go": "go", "typescript": "ts", "javascript": "js", "solidity": "sol"}


def source(language: str, least: int = 2, most: int = 14) -> st.SearchStrategy[str]:
    """Snippets of one language, spliced, some of them cut off, with any line ends."""
    snippet = st.sampled_from(["\n".join(lines) for lines in SNIPPETS[language]])
    torn = st.builds(lambda text, part: text[: len(text) * part // 4], snippet, st.integers(1, 4))
    other = st.one_of(snippet, snippet, snippet, snippet, torn, st.just("\n"), st.just("\n\n"))
    return with_line_ends(st.lists(other, min_size=least, max_size=most).map("".join))


def blocks(text: str) -> st.SearchStrategy[tuple[Block, ...]]:
    """Nested blocks of a caller's own, for `chunk(document, blocks=...)`, in any order."""
    spans = st.lists(st.tuples(st.integers(0, len(text)), st.integers(0, len(text))), max_size=8)
    return spans.map(lambda pairs: _nested([(min(pair), max(pair)) for pair in pairs]))


def _nested(spans: list[tuple[int, int]]) -> tuple[Block, ...]:
    kept: list[tuple[int, int]] = []
    for start, end in sorted(set(spans), key=lambda span: (span[0], -span[1])):
        crosses = any(low < start < high < end for low, high in kept)
        if start < end and not crosses:
            kept.append((start, end))
    return tuple(
        Block(start, end, kind="Function", name=f"name{number}")
        for number, (start, end) in enumerate(kept)
    )
