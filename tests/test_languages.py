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
        ("Dockerfile.dev", "dockerfile"),
        ("LICENSE-MIT", "text"),
        ("build-all", "unknown"),
        ("types.d.ts", "typescript"),
        (".eslintrc.json", "json"),
        ("CMakeLists.txt", "cmake"),
        ("a/b.c/README", "text"),
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
        ("BoatTests.cs", True),
        ("Contest.cs", False),
        ("a.spec.tsx", True),
        ("src/__tests__/a.js", True),
        ("lib/boat_spec.rb", True),
        ("tests/it.rs", True),
        ("BoatTest.php", True),
        ("BoatTests.swift", True),
        ("boat_test.dart", True),
        ("t/boat.t", True),
        ("boat.bats", True),
        ("Boat.Tests.ps1", True),
        ("BoatSpec.hs", True),
        ("boat_test.exs", True),
        ("boat_SUITE.erl", True),
        ("boat_unittest.cc", True),
        ("tests/Vault.sol", True),
        ("tests/helper.py", False),
        ("test.md", False),
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
        ("docs/ADR/7.markdown", "decision_record"),
        ("docs/madrid.md", ""),
        ("adr/tool.py", ""),
        ("", ""),
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


@pytest.mark.parametrize(
    ("name", "row"), [("Golang", "go"), ("JS", "javascript"), ("c++", "cpp"), ("tsx", "tsx")]
)
def test_names_that_people_use_find_the_row(name: str, row: str) -> None:
    """Aliases, in any case of letters; a name that nobody knows finds none."""
    found = find(name)
    assert found is not None
    assert found.name == row
    assert find("klingon") is None


def test_a_file_in_a_language_nobody_knows_is_no_test() -> None:
    """Without a row there is no habit to go by."""
    assert not is_test("test_a.py", "klingon")
