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
