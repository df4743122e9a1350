"""Where the documentation of symbols stands: all of it, and nothing else."""

from __future__ import annotations

import pytest

from chunkwright.parsing.documentation import Documented, documented
from chunkwright.types import Document


def found(path: str, text: str) -> list[Documented]:
    return list(documented(Document(text, path=path)))


def stretches(text: str, one: Documented) -> list[str]:
    return [text[start:end] for start, end in one.said]


@pytest.mark.parametrize(
    ("path", "code", "said", "text"),
    [
        (
            "a.rs",
            "/// Adds é.\r\n///\r\n#[cfg(any(\r\n    a,\r\n))]\r\n// Fast.\r\nfn add() {}\r\n",
            ["/// Adds é.", "///", "// Fast."],
            "Adds é.\n\nFast.",
        ),
        (
            "a.js",
            "/**\n * Adds.\n   @param a what\n */\nexport function add(a) {}\n",
            ["/**", " * Adds.", "   @param a what", " */"],
            "\nAdds.\n@param a what\n",
        ),
        (
            "A.cs",
            "/// <summary>\n/// Adds.\n/// </summary>\n[Old(\n  1)]\nclass Add { }\n",
            ["/// <summary>", "/// Adds.", "/// </summary>"],
            "<summary>\nAdds.\n</summary>",
        ),
        ("a.c", "/* Adds. */ /* Twice. */\nint add(void) { return 1; }\n", None, None),
        (
            "a.rb",
            "=begin\nAdds.\n=end\n# Twice.\ndef add\n  1\nend\n",
            ["=begin", "Adds.", "=end", "# Twice."],
            None,
        ),
        (
            "a.go",
            "package a\n\n// Adds /* one.\n//go:noinline\nfunc add() {}\n",
            None,
            "Adds /* one.",
        ),
        ("a.py", "def add():\n    'Adds\\n * one.'\n    x()\n", ["Adds\\n * one."], None),
        ("a.py", 'def add():\n    r"""\n    # Adds.\n    """\n', ["\n    # Adds.\n    "], None),
        ("a.py", "# Adds.\ndef add():\n    x()\n", ["# Adds."], "Adds."),
    ],
)
def test_documentation_is_told_without_what_is_for_tools(
    path: str, code: str, said: list[str] | None, text: str | None
) -> None:
    """Lines of comments without attributes between them; strings without quotation marks."""
    one = found(path, code)[0]
    if said is not None:
        assert stretches(code, one) == said
    else:
        assert [line for line in stretches(code, one) if "Adds" in line]
    if text is not None:
        assert one.text == text


def test_symbols_that_share_documentation_are_told_once() -> None:
    """One comment above several names is one documentation."""
    code = "package a\n\n// Sizes of ovens.\nvar small, large = 1, 2\n"
    (one,) = found("a.go", code)
    assert one.name == "small"


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("a.py", "def add():\n    pass\n"),
        ("a.vue", "<script>\n// Adds.\nfunction add() {}\n</script>\n"),
        ("a.txt", "# Adds.\n"),
        ("a.min.js", "/* Adds. */function add(){return 1}" + ";add()" * 2000),
    ],
)
def test_where_nothing_is_known_nothing_is_told(path: str, code: str) -> None:
    """No documentation, components, no source code, minified code."""
    assert found(path, code) == []
