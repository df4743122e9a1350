"""The named inputs every chunker must survive: the files under data/fixtures, and texts too large
or too dull to keep as files, some of any length. Generated input is in strategies.
"""

from __future__ import annotations

from pathlib import Path

from chunkwright import Document

FIXTURES = Path(__file__).parent / "data" / "fixtures"
SUFFIX = ".fixture"
"""Keeps linters, type checkers and test collectors away from sources that are broken on purpose."""


def _read(file: Path) -> Document:
    text = file.read_bytes().decode("utf-8-sig")
    return Document(text, path=file.name.removesuffix(SUFFIX))


FILES = {document.path: document for document in map(_read, sorted(FIXTURES.glob(f"*{SUFFIX}")))}

MILLION = 1_000_000

GIANTS = {
    document.path: document
    for document in (
        Document("word " * (MILLION // 5), "one_line_of_a_million.txt"),
        Document("q" * MILLION, "one_word_of_a_million.txt"),
        Document("\n" * 10_000, "ten_thousand_blank_lines.txt"),
        Document("ab\ncd\n\n" * 20_000, "many_blank_lines.md"),
        Document("_" * 200_000, "underscores.py"),
        Document("雪国列車" * 20_000, "no_spaces.txt"),
        Document("x=" + "[" * 5_000 + "]" * 5_000, "brackets.py"),
        Document("x=" + "(" * 100_000, "open_brackets.js"),
        Document("{" * 100_000, "braces.go"),
        Document("> " * 5_000 + "deep quote\n\nend\n", "deep_quote.md"),
        Document("".join("  " * level + "- item\n" for level in range(500)), "deep_list.md"),
        Document("a" + "\u0301" * 20_000 + " b", "one_cluster.txt"),
        Document("🇳🇴" * 2_000, "flags.txt"),
        Document("# h\n" * 10_000, "only_headings.md"),
        Document("*a_`[" * 20_000, "open_emphasis.md"),
        Document("|a|b|\n|-|-|\n" + "|1|2|\n" * 10_000, "long_table.md"),
        Document("def f():\n" + "    x = 1\n" * 20_000, "long_function.py"),
        Document("class A:\n" + "    def m(self): pass\n" * 10_000, "many_methods.py"),
    )
}

DULL = {
    "words": "word ",
    "words that are not ASCII": "größe ",
    "one word": "q",
    "no spaces": "雪国列車",
    "blank lines": "\n",
    "blank lines between": "x\n\n",
    "line ends": "x\n",
    "CRLF": "a\r\n",
    "CR": "x\r",
    "line separators": "\u2028",
    "full stops": ". ",
    "quoted stops": '."',
    "semicolons": "; ",
    "commas": ", ",
    "ideographic stops": "。",
    "dashes": "-",
    "NUL": "\x00",
    "zero-width spaces": "\u200b",
    "marks": "\u0301",
    "marks on spaces": " \u0301",
    "flags": "🇳🇴",
    "families": "👨‍👩‍👧‍👦",
    "jamo": "\u1112\u1161\u11ab",
    "conjuncts": "क्",
    "prepended": "\u0600 ",
    "headings": "# h\n\n",
}
"""Units of which a text can be made of nothing else."""


LONG_LINES = ("words", "words that are not ASCII", "one word", "no spaces", "marks")
"""Those of DULL that are one line, or even one cluster."""


def dull(name: str, times: int) -> Document:
    """One unit so many times, between two letters."""
    return Document(f"a{DULL[name] * times}b", path=f"{name}.txt")
