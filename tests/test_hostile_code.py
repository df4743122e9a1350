"""Source made to be slow or deep, in every language with a grammar: work is bounded, nothing
recurses, nothing is lost. How definitions are written in each is code_forms'.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from chunkwright import CodeChunker, Document
from chunkwright.parsing.syntax import MAX_BYTES
from code_forms import FORMS, Forms, forms_of
from promises import violations
from repeatability import count_steps
from trial import Asked

LENGTH = 50_000
"""Code points of a text: what is quadratic shows in how long these tests take."""

Shape = tuple[str, str, str]
"""What a text begins with, what is repeated, and what is repeated as often behind all that."""


def shapes_of(forms: Forms) -> dict[str, Shape]:
    """Name -> a shape of text that is hard to parse or to cut."""
    return {
        **shapes_of_characters(),
        **shapes_of_definitions(forms),
        **{f"open {text!r}": ("", text, "") for text in forms.open},
        **{f"open {text!r} lines": ("", text + "\n", "") for text in forms.open},
        **{f"{text!r} once": (text, "a b\n", "") for text in forms.open},
    }


def shapes_of_characters() -> dict[str, Shape]:
    brackets = (("(", ")"), ("[", "]"), ("{", "}"), ("<", ">"))
    runs = [*list("a1,.:;='\"#*@$-! \\\t\n\r\0"), "a ", "a, ", "a.", "a + ", "a = ", "a: "]
    return {
        **{f"nested {one}": ("", one, other) for one, other in brackets},
        **{f"unclosed {one}": ("", one, "") for one, _ in brackets},
        **{f"unopened {other}": ("", other, "") for _, other in brackets},
        **{f"pairs {one}{other}": ("", one + other, "") for one, other in brackets},
        **{f"run of {unit!r}": ("", unit, "") for unit in runs},
        "marks on a letter": ("", "a" + "\u0301" * 30, ""),
        "marks without end": ("a", "\u0301", ""),
        "emoji": ("", "👨‍👩‍👧‍👦🇳🇴", ""),
    }


def shapes_of_definitions(forms: Forms) -> dict[str, Shape]:
    one, half = forms.one, forms.one[: len(forms.one) * 2 // 3]
    doubled = one.replace("(", "((", 1).replace("{", "{{", 1)
    marks = forms.marks or forms.remark
    return {
        "definitions": ("", f"{one}\n", ""),
        "definitions on one line": ("", f"{one} ", ""),
        "definitions and CR": ("", f"{one}\r", ""),
        "definitions and CRLF": ("", f"{one}\r\n", ""),
        "definitions and NUL": ("", f"\0{one}\n", ""),
        "definitions and BOM": ("", f"\ufeff{one}\n", ""),
        "indented definitions": ("", f"  {one}\n", ""),
        "halves of definitions": ("", f"{half}\n", ""),
        "doubled brackets": ("", f"{doubled}\n", ""),
        "definitions and stray brackets": ("", f"{one}\n)\n", ""),
        "definitions in each other": ("", f"{forms.inner}\n", f"{forms.end}\n"),
        "definitions in each other on one line": ("", f"{forms.inner} ", f"{forms.end} "),
        "definitions that do not end": ("", f"{forms.inner}\n", ""),
        "comments": ("", f"{forms.remark}\n", ""),
        "comments and blank lines": ("", f"{forms.remark}\n\n", ""),
        "comments on one line": ("", f"{forms.remark} ", ""),
        "decorators": ("", f"{marks}\n", ""),
        "decorators on one line": ("", f"{marks} ", ""),
    }


def text_of(forms: Forms, shape: Shape, length: int) -> str:
    """About so many code points of a shape; `%` is a number."""
    begin, unit, behind = shape
    head = f"{forms.head}\n" if forms.head else ""
    # In fours: an even number of quotes is another text than an odd one.
    count = max(1, length // len(unit + behind) // 4) * 4
    middle = (
        "".join(unit.replace("%", str(number)) for number in range(count))
        if "%" in unit
        else unit * count
    )
    return head + begin + middle + behind * count


SLOW_GRAMMARS = {"elixir": ("'fn a -> ' once", "open '\"a ' lines", 'open "\'a " lines')}
"""Shapes that tree-sitter itself takes quadratic time for, going neither back nor on: 0.1 s for
12 KB and 1 s for 50 KB, of `fn` 24 s. Nothing that can be counted tells."""


def cut_whole(language: str, shapes: dict[str, Shape], length: int) -> None:
    """Cut each shape, all of it."""
    forms = forms_of(language)
    for name, shape in shapes.items():
        if name not in SLOW_GRAMMARS.get(language, ()):
            check_whole(text_of(forms, shape, length), forms.path)


@pytest.mark.parametrize("language", ["python", "go", "c"])
def test_definitions_made_to_be_slow_are_cut_whole(language: str) -> None:
    """Definitions on one line, in each other and broken, decorators, comments and line ends."""
    cut_whole(language, shapes_of_definitions(forms_of(language)), LENGTH)


A_SHARE = 6
"""Of so many shapes each language is given one, by turns: each shape comes in several languages."""


@pytest.mark.integration
@pytest.mark.parametrize("language", FORMS)
def test_source_made_to_be_slow_is_cut_whole_in_every_language(language: str) -> None:
    """Also brackets, strings and comments that are not closed, marks, control characters and long
    runs of anything."""
    turn = list(FORMS).index(language) % A_SHARE
    cut_whole(language, dict(list(shapes_of(forms_of(language)).items())[turn::A_SHARE]), LENGTH)


@pytest.mark.parametrize("language", ["python", "go", "c"])
def test_steps_grow_as_the_source_does(language: str) -> None:
    """Four times the text takes about four times as many; what is compiled is not counted."""
    forms, chunker = forms_of(language), CodeChunker()
    chunker.chunk(Document("", forms.path))  # loading a grammar is not the text's cost

    def steps(shape: Shape, length: int) -> int:
        document = Document(text_of(forms, shape, length), forms.path)
        return count_steps(lambda: chunker.chunk(document))

    for name, shape in shapes_of_definitions(forms).items():
        assert steps(shape, 16_000) < 6 * steps(shape, 4_000), name


PROMISED = ("definitions in each other", "halves of definitions", "definitions and CR")


@pytest.mark.parametrize("language", FORMS)
def test_hostile_source_is_cut_by_every_promise(language: str) -> None:
    """Deep, broken and with other line ends."""
    forms = forms_of(language)
    shapes = shapes_of(forms)
    for name in (*PROMISED, "nested (", "definitions and BOM", "marks on a letter", "emoji"):
        document = Document(text_of(forms, shapes[name], 1_500), forms.path)
        for granularity in ("packed", "symbol"):
            chunking = CodeChunker(size=120, granularity=granularity).chunk(document)
            assert violations(document, chunking, Asked(size=120, whole_lines=True)) == [], name


@pytest.mark.parametrize("language", sorted(set(FORMS) - {"json", "yaml", "xml"}))
def test_every_definition_of_many_is_found(language: str) -> None:
    """Each on lines of its own, in order, with LF, CRLF and lone CR; three languages have none."""
    forms, count = forms_of(language), 300
    for end in ("\n", "\r\n", "\r"):
        text = "".join([f"{forms.head}\n" if forms.head else "", *forms.definitions(count)])
        chunking = CodeChunker(size=80).chunk(Document(text.replace("\n", end), forms.path))
        named = set(forms.names(count))
        assert [item.title for item in chunking.outline if item.title in named] == forms.names(
            count
        )


DEEP = 100_000


@pytest.mark.parametrize("nest", ["(", "[", "{"])
@pytest.mark.parametrize("language", ["python", "go", "typescript", "json"])
def test_deep_nesting_never_recurses(language: str, nest: str) -> None:
    """A hundred thousand brackets, closed and not, come out whole."""
    check_deep(language, nest)


@pytest.mark.integration
@pytest.mark.parametrize("language", FORMS)
def test_deep_nesting_never_recurses_in_any_language(language: str) -> None:
    """Brackets of every kind, and definitions in each other."""
    for nest in "([{<":
        check_whole(nest * DEEP, forms_of(language).path)
    forms = forms_of(language)
    for end in ("", forms.end):
        text = (forms.inner + "\n") * 5_000 + (end + "\n") * 5_000
        check_whole(text, forms.path)


def check_deep(language: str, nest: str) -> None:
    forms = forms_of(language)
    closing = {"(": ")", "[": "]", "{": "}", "<": ">"}[nest]
    for text in (nest * DEEP, nest * DEEP + closing * DEEP, (nest + "\n") * DEEP):
        check_whole(text, forms.path)


def check_whole(text: str, path: str) -> None:
    """Cut, and nothing lost."""
    chunking = CodeChunker().chunk(Document(text, path))
    assert sum(len(chunk.text.split()) for chunk in chunking) >= len(text.split())
    assert all(len(chunk.text) <= 1500 for chunk in chunking)


STAIRS = {
    "stairs of lists": "".join(f"{' ' * level}-\n" for level in range(400)),
    "stairs of tables": "".join(f"{' ' * level}a:\n" for level in range(400)),
    "on one line": "- " * 400,
    "on one line, two sorts": "- ? " * 200,
}
"""YAML nested deeper than its grammar (0.7.2) can hold, which ends the process."""


@pytest.mark.parametrize("name", STAIRS)
def test_yaml_that_its_grammar_cannot_hold_is_cut_by_lines(name: str) -> None:
    """In another process, lest this one should end."""
    code = (
        "import sys; from chunkwright import CodeChunker, Document\n"
        "chunking = CodeChunker().chunk(Document(sys.argv[1], 'a.yaml'))\n"
        "print(*(one.code for one in chunking.diagnostics), chunking.covered)\n"
    )
    arguments = [sys.executable, "-c", code, STAIRS[name]]
    ran = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split()[0] == "input_too_large"


@pytest.mark.parametrize("language", ["go", "json"])
def test_a_source_over_the_bound_is_still_cut(language: str) -> None:
    """Over two mebibytes no grammar is asked, which is said, and every line is in a chunk."""
    forms = forms_of(language)
    text = text_of(forms, ("", f"{forms.one}\n", ""), MAX_BYTES + 1_000)
    document = Document(text, forms.path)
    chunking = CodeChunker().chunk(document)
    assert [one.code for one in chunking.diagnostics] == ["input_too_large"]
    assert chunking.outline == ()
    assert violations(document, chunking, Asked(size=1500, whole_lines=True)) == []
