"""The commands that look at chunkwright itself: `--version`, `languages`, `config show`."""

from __future__ import annotations

from importlib.metadata import version as installed
from pathlib import Path
from typing import Any

import msgspec

from chunkwright import configuration
from chunkwright.cli import folders, outcome, printing
from chunkwright.languages import LANGUAGES, Language

WAYS = {"markdown": "headings", "notebook": "cells", "prose": "prose"}
"""Families with a parser of their own that is no grammar -> what they are cut by."""


def version() -> None:
    """One line: the name and the version."""
    printing.line(f"chunkwright {installed('chunkwright')}")


def languages(*, as_json: bool) -> int:
    """Every language: its name, how it is cut, its files."""
    if as_json:
        for language in LANGUAGES:
            printing.json_line(_facts(language))
    else:
        rows = ((row.name, _way(row), " ".join((*row.suffixes, *row.names))) for row in LANGUAGES)
        printing.table(rows, header=("language", "cut by", "files"))
    return outcome.OK


def _facts(language: Language) -> dict[str, Any]:
    return {
        "name": language.name,
        "family": language.family,
        "cut_by": _way(language),
        "suffixes": language.suffixes,
        "names": language.names,
        "aliases": language.aliases,
    }


def _way(language: Language) -> str:
    """What a language is cut by: its grammar, what its family is made of, or lines."""
    if language.grammar is not None:
        return language.grammar.package
    return WAYS.get(language.family, "lines")


def settings(root: Path, *, as_json: bool) -> int:
    """Every setting of a root with its value, and the file they come from."""
    values: dict[str, Any] = msgspec.to_builtins(configuration.load(folders.existing(root)))
    origin = configuration.find(root)
    if as_json:
        printing.json_line({"file": str(origin.path) if origin else None, "settings": values})
        return outcome.OK
    printing.line(f"# {printing.one_line(str(origin.path)) if origin else 'no file: defaults'}")
    for name, value in values.items():
        printing.line(_toml(name, value))
    return outcome.OK


def _toml(name: str, value: object) -> str:
    """A setting as a line of TOML; what is unset, as a comment, for TOML has no null."""
    if value is None:
        return f"# {name} is not set"
    if isinstance(value, dict):
        items = ", ".join(_toml(msgspec.json.encode(key).decode(), value[key]) for key in value)
        return f"{name} = {{ {items} }}" if items else f"{name} = {{}}"
    return f"{name} = {printing.one_line(msgspec.json.encode(value).decode())}"
