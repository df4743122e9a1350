"""parsing.recovery and parsing.members: a definition that is damaged takes none of its neighbours
with it, and they keep their names."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

from chunkwright import Document
from chunkwright.characters import Lines
from chunkwright.parsing.code import parse


class Language(NamedTuple):
    """How five definitions are written, and by which owner they are named."""

    path: str
    head: str
    member: Callable[[int], str]
    tail: str
    owner: str


PYTHON = Language(
    "a.py", "class A:\n", lambda n: f"    def m{n}(self):\n        return {n}\n\n", "", "A."
)
JAVA = Language(
    "A.java",
    "class A {\n",
    lambda n: f"    int m{n}() {{\n        return {n};\n    }}\n\n",
    "}\n",
    "A.",
)
TYPESCRIPT = Language(
    "a.ts",
    "class A {\n",
    lambda n: f"  m{n}(a: number) {{\n    return {n};\n  }}\n\n",
    "}\n",
    "A.",
)
CPP = Language(
    "a.cpp",
    "class A {\n",
    lambda n: f"    int m{n}() {{\n        return {n};\n    }}\n\n",
    "};\n",
    "A.",
)
RUST = Language(
    "a.rs",
    "impl A {\n",
    lambda n: f"    fn m{n}(&self) -> i32 {{\n        {n}\n    }}\n\n",
    "}\n",
    "A.",
)
GO = Language(
    "a.go", "package p\n\n", lambda n: f"func m{n}() int {{\n\treturn {n}\n}}\n\n", "", ""
)

DAMAGE = [
    (PYTHON, "    def m2(self):\n        return (1\n\n"),
    (PYTHON, "    def m2(self:\n        return 1\n\n"),
    (PYTHON, "    def m2(self):\n        return '''x\n\n"),
    (PYTHON, "    def m2(self):\n        x = = 1\n\n"),
    (PYTHON, "    def m2(self\n\n"),
    (PYTHON, "    def m2(self):\n        d = {1: [2,\n\n"),
    (JAVA, "    int m2() {\n        if (x) {\n        return 1;\n    }\n\n"),
    (JAVA, "    int m2() {\n        return (1;\n    }\n\n"),
    (JAVA, "    int m2() {\n        return 1;\n    }}\n\n"),
    (JAVA, "    int m2( {\n        return 1;\n    }\n\n"),
    (JAVA, '    int m2() {\n        return "x;\n    }\n\n'),
    (TYPESCRIPT, "  m2() {\n    if (x) {\n    return 1;\n  }\n\n"),
    (TYPESCRIPT, "  m2() {\n    return (1;\n  }\n\n"),
    (TYPESCRIPT, "  m2() {\n    return 1;\n  }}\n\n"),
    (TYPESCRIPT, "  m2( {\n    return 1;\n  }\n\n"),
    (TYPESCRIPT, "  m2() {\n    return `x;\n  }\n\n"),
    (CPP, "    int m2() {\n        if (x) {\n        return 1;\n    }\n\n"),
    (CPP, "    int m2() {\n        return (1;\n    }\n\n"),
    (CPP, "    int m2() {\n        return 1;\n    }}\n\n"),
    (CPP, "    FOO_API int m2() {\n        return 1;\n    }\n\n"),
    (RUST, "    fn m2(&self) -> i32 {\n        if x {\n        1\n    }\n\n"),
    (RUST, "    fn m2(&self) {\n        f(1;\n    }\n\n"),
    (RUST, "    fn m2() {\n    }}\n\n"),
    (GO, "func m2() {\n\tif x {\n\treturn\n}\n\n"),
    (GO, "func m2() {\n\tf(1\n}\n\n"),
    (GO, "func m2() {\n}}\n\n"),
    (GO, "func m2() {\n\tx := `abc\n}\n\n"),
]


@pytest.mark.parametrize(
    ("language", "damage"),
    DAMAGE,
    ids=[f"{one.path}-{number}" for number, (one, _) in enumerate(DAMAGE)],
)
def test_neighbours_of_a_broken_definition_keep_name_and_lines(
    language: Language, damage: str
) -> None:
    """Four of five definitions are sound: each is a symbol of its owner, from its first line to
    its last."""
    members = [damage if number == 2 else language.member(number) for number in range(5)]
    text = language.head + "".join(members) + language.tail
    lines = Lines(text)
    found = {
        block.name: (lines.number(block.start), lines.number(block.end - 1))
        for block in parse(Document(text, language.path)).blocks
        if block.name
    }
    line = language.head.count("\n") + 1
    for number, member in enumerate(members):
        if number != 2:
            name = f"{language.owner}m{number}"
            assert found.get(name) == (line, line + member.count("\n") - 2), (name, found)
        line += member.count("\n")


def test_text_in_comments_and_strings_is_no_definition() -> None:
    """Where a source is read anew, from one beginning of a definition to the next."""
    text = 'def f(:\n    pass\n\nx = """\ndef said():\n    pass\n"""\n\ndef g():\n    pass\n'
    names = [block.name for block in parse(Document(text, "a.py")).blocks if block.name]
    assert "said" not in names
    assert "g" in names


def test_what_is_sound_in_a_broken_namespace_keeps_its_name_and_its_lines() -> None:
    """Only what is broken in a container is read anew, and is named by it all the same."""
    broken = "int g() {\n  return (1;\n}\n\ntemplate <class T>\nint f() {\n  return 1;\n}\n"
    text = f"#ifndef A_H\nnamespace a {{\n\n{broken}\n#define M 1\n\n}}\n#endif\n"
    found = {one.name: one for one in parse(Document(text, "a.cpp")).blocks if one.name}
    assert set(found) == {"a", "a.f", "a.g", "M"}
    assert text[found["a"].start : found["a"].end].endswith("\n}")
    assert text[found["a.f"].start : found["a.f"].end].startswith("template")


def test_of_two_functions_the_one_that_is_not_closed_does_not_swallow_the_other() -> None:
    """A bracket of the namespace closes the function; then the namespace's own is missing."""
    text = "namespace a {\n\nint f() {\n  if (x) {\n}\n\nint g() {\n  return 1;\n}\n\n}\n"
    found = {one.name: one for one in parse(Document(text, "a.cpp")).blocks if one.name}
    assert {name.rpartition(".")[2] for name in found} >= {"f", "g"}
    assert not any(name.endswith("f.g") for name in found)


MASKED = [
    ("a.c", "API_X int f(int a) {\n  return a;\n}\n\nint g(void) {\n  return 1;\n}\n", {"f", "g"}),
    ("a.c", "int f(void)\n    NO_RETURN(1) {\n  return 1;\n}\n\nTEST_X(a b)\n\nint g;\n", {"f"}),
    ("a.cpp", "class API_X A : public B {\n  int f() API_Y;\n};\n", {"A", "A.f"}),
    (
        "a.h",
        '#ifdef __cplusplus\nextern "C" {\n#endif\n\nint f(int a);\n\n'
        "#if defined(__cplusplus)\n}\n#endif\n",
        {"f"},
    ),
    ("a.m", "typedef NS_ENUM(NSInteger, Colour) {\n  Red,\n  Blue,\n};\n", {"Colour"}),
    (
        "A.groovy",
        "class A {\n    def f() {\n        final x = 1\n        x\n    }\n}\n",
        {"A", "A.f"},
    ),
    ("a.kt", "context(Scope)\nfun f() {\n    g { 1 }\n}\n", {"f"}),
]


@pytest.mark.parametrize(("path", "text", "names"), MASKED, ids=[one[1][:20] for one in MASKED])
def test_macros_that_a_grammar_cannot_know_hide_no_definition(
    path: str, text: str, names: set[str]
) -> None:
    """They are blanked out where the source does not parse with them."""
    parsed = parse(Document(text, path))
    if any(said.code == "grammar_missing" for said in parsed.diagnostics):
        pytest.skip("its grammar comes with the extra `languages`")
    assert names <= {block.name for block in parsed.blocks}


def test_the_last_line_of_a_macro_belongs_to_it() -> None:
    """A mask takes no line that the one above goes on in."""
    text = "#define F(a) \\\n  BODY_OF(a)\n\nAPI_X int f(int a, API_Y int b) {\n  return a;\n}\n"
    found = {one.name: one for one in parse(Document(text, "a.c")).blocks if one.name}
    assert text[found["F"].start : found["F"].end].endswith("BODY_OF(a)")


@pytest.mark.parametrize("unit", ["A_B", "A_B ", "A_B(", "A_B() ", "A_B\n", " A_B(a) int f("])
def test_macros_without_end_are_read_in_time(unit: str) -> None:
    """A mask that could part a run of words in many ways would try them all."""
    text = "int f() " + unit * (20_000 // len(unit)) + " ?\n"
    assert parse(Document(text, "a.c")).parser
