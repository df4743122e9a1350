"""How each language writes definitions, comments, strings and brackets, for tests that make source
of their own. The forms are in data/code_forms.toml; what is to be found in them is not known here.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec
import pytest

from chunkwright.languages import find
from chunkwright.parsing.grammars import reader_of


class Forms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One language; what each field is stands in the data file."""

    path: str
    one: str
    inner: str
    remark: str
    open: tuple[str, ...]
    head: str = ""
    name: str = "f%"
    end: str = ""
    marks: str = ""

    def definitions(self, count: int, joint: str = "\n") -> list[str]:
        """So many definitions of one line, each with its own name."""
        return [self.one.replace("%", str(number)) + joint for number in range(count)]

    def names(self, count: int) -> list[str]:
        """The names of so many definitions."""
        return [self.name.replace("%", str(number)) for number in range(count)]


_FILE = Path(__file__).parent / "data" / "code_forms.toml"
FORMS: dict[str, Forms] = msgspec.convert(tomllib.loads(_FILE.read_text("utf-8")), dict[str, Forms])


def forms_of(language: str) -> Forms:
    """The forms of a language whose grammar is installed."""
    row = find(language)
    assert row is not None
    if reader_of(row) is None:
        pytest.skip("its grammar comes with the extra `languages`")
    return FORMS[language]
