"""Which language a file is in, and which files are tests."""

from __future__ import annotations

import pytest

from chunkwright.languages import LANGUAGES, doc_kind, find, is_test, language_of


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a/b.py", "python"),
        ("a.PY", "python"),
        ("server.go", "go"),
        ("card.tsx", "tsx"),
        ("card.ts", "typescript"),
        ("card.jsx", "javascript"),
        ("vault.sol", "solidity"),
        ("README.md", "markdown"),
        ("study.ipynb", "notebook"),
        ("Dockerfile", "dockerfile"),
        ("Makefile", "make"),
        (".bashrc", "bash"),
        ("nothing.known-to-man", "unknown"),
        ("", "unknown"),
    ],
)
def test_language_by_path(path: str, language: str) -> None:
    """By suffix, in any case of letters, or by the whole name."""
    assert language_of(path) == language


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("#!/usr/bin/env python3", "python"),
        ("#!/usr/bin/python3.11 -u", "python"),
        ("#!/usr/bin/env -S node --flag", "javascript"),
        ("#!/bin/sh", "bash"),
        ("# no shebang", "unknown"),
    ],
)
def test_language_by_shebang(line: str, language: str) -> None:
    """Where the name says nothing, the first line may."""
    assert language_of("bin/tool", f"{line}\nx\n") == language


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("pkg/server_test.go", True),
        ("pkg/server.go", False),
        ("a.test.ts", True),
        ("a.spec.js", True),
        ("contest.js", False),
        ("Vault.t.sol", True),
        ("test/Vault.sol", True),
        ("src/Vault.sol", False),
        ("test_a.py", True),
        ("a_test.py", True),
        ("attest.py", False),
        ("BoatTest.java", True),
        ("BoatTests.kt", True),
        ("Contest.cs", False),
        ("Latest.java", False),
    ],
)
def test_test_files(path: str, expected: bool) -> None:
    """Each language names its tests in its own way."""
    assert is_test(path, language_of(path)) is expected


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("docs/adr/0001-use-x.md", "decision_record"),
        ("adr-7.md", "decision_record"),
        ("docs/madrid.md", ""),
    ],
)
def test_decision_records(path: str, kind: str) -> None:
    """By name or folder."""
    assert doc_kind(path) == kind


def test_every_row_can_be_found_by_its_name() -> None:
    """Names are unique, and no suffix or alias leads two ways."""
    assert len({row.name for row in LANGUAGES}) == len(LANGUAGES)
    for row in LANGUAGES:
        assert find(row.name) is row
    suffixes = [suffix for row in LANGUAGES for suffix in row.suffixes]
    assert len(set(suffixes)) == len(suffixes)
