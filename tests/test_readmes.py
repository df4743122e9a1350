"""READMEs of packages that are installed here, cut as they were when a person last read the
chunks. Their texts are not ours and stay where they are; `tests/data/readmes` holds the outcome.

`python tests/test_readmes.py` writes the snapshots anew, for the versions installed. Read the
chunks before you commit them: `chunkwright chunk` shows them.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

import msgspec
import pytest

from chunkwright import Document, MarkdownChunker
from promises import examine
from trial import Asked

FOLDER = Path(__file__).parent / "data" / "readmes"

PACKAGES = ("charset-normalizer", "rich", "tokenizers", "typer")
"""Tables, HTML of every sort, badges, fences, nested lists, quotes; all pinned in the lock file."""

SIZE = 1_200
"""Code points: so small that every one of them has sections that are cut."""


def readme(package: str) -> Document:
    """The package's own description, as installed."""
    return Document(metadata(package)["Description"], path="README.md")


def snapshot(package: str) -> dict[str, Any]:
    """What is remembered of a README: where and why it was cut, and none of its words."""
    chunking = MarkdownChunker(size=SIZE, overlap=0).chunk(readme(package))
    return {
        "package": package,
        "version": metadata(package)["Version"],
        "size": SIZE,
        "chunks": [
            {
                "kind": chunk.kind,
                "breadcrumb": list(chunk.breadcrumb),
                "start_line": chunk.start_line,
                "end_line": chunk.end_line,
                "size": chunk.size,
                "boundary": chunk.boundary,
                "sha256": chunk.content_hash,
            }
            for chunk in chunking
        ],
    }


def remembered(package: str) -> dict[str, Any]:
    """The snapshot, where it is of the version that is installed."""
    wanted: dict[str, Any] = msgspec.json.decode((FOLDER / f"{package}.json").read_bytes())
    try:
        installed = metadata(package)["Version"]
    except PackageNotFoundError:
        pytest.skip(f"{package} is not installed")
    if installed != wanted["version"]:
        pytest.skip(f"{package} {installed} is installed, the snapshot is of {wanted['version']}")
    return wanted


@pytest.mark.parametrize("package", PACKAGES)
def test_a_readme_is_cut_as_it_was_when_it_was_read(package: str) -> None:
    """Every chunk has the place, the headings and the text that a person found right."""
    wanted = remembered(package)
    assert snapshot(package) == wanted


@pytest.mark.parametrize("overlap", [0, 200])
@pytest.mark.parametrize("package", PACKAGES)
def test_every_promise_on_a_readme(package: str, overlap: int) -> None:
    """Whichever version is installed."""
    try:
        document = readme(package)
    except PackageNotFoundError:
        pytest.skip(f"{package} is not installed")
    asked = Asked(size=SIZE, overlap=overlap, parser="pyromark")
    _, broken = examine(MarkdownChunker(size=SIZE, overlap=overlap), document, asked)
    assert broken == []


def test_every_snapshot_is_of_a_package() -> None:
    """No file is left of one that is not read any more."""
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted(PACKAGES)


def write() -> None:
    """Every snapshot, for what is installed here."""
    FOLDER.mkdir(exist_ok=True)
    for package in PACKAGES:
        written = msgspec.json.format(msgspec.json.encode(snapshot(package)), indent=1)
        (FOLDER / f"{package}.json").write_bytes(written + b"\n")


if __name__ == "__main__":
    write()
