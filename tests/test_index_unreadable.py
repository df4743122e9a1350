"""What the system will not show is not gone: its chunks stay until it can be looked at again."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.embedding.hashing import HashingEmbedder

DENIED = "PermissionError: Permission denied"


@pytest.fixture
def index(tmp_path: Path) -> Iterator[cw.Index]:
    """Two files, one of them in a folder, indexed."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "ship.py").write_text("def anchor():\n    return 2\n", "utf-8")
    (tmp_path / "log.md").write_text("# Log\n\nFog at noon.\n", "utf-8")
    with cw.Index(tmp_path, embedder=HashingEmbedder(dim=32)) as made:
        made.refresh()
        yield made


def shut(monkeypatch: pytest.MonkeyPatch, call: str, place: Path) -> None:
    """Have a call of the system refuse one place, as it does to anyone but the superuser."""
    real = getattr(os, call)

    def refusing(path: Any, *rest: Any, **named: Any) -> Any:
        if Path(path) == place:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return real(path, *rest, **named)

    monkeypatch.setattr(os, call, refusing)


def paths(index: cw.Index) -> list[str]:
    return sorted({chunk.path for chunk in index.chunks()})


def test_what_lies_in_an_unreadable_folder_stays(
    index: cw.Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder has failed, each time anew; nothing below it was removed."""
    with monkeypatch.context() as patch:
        shut(patch, "scandir", index.root / "sub")
        for _ in range(2):
            report = index.refresh()
            assert report.failed == (("sub/", "unreadable", DENIED),)
            assert report.removed == ()
            assert paths(index) == ["log.md", "sub/ship.py"]
    assert index.refresh() == cw.RefreshReport()


def test_other_files_are_indexed_beside_an_unreadable_folder(
    index: cw.Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It costs what is in it no more than its news."""
    (index.root / "log.md").unlink()
    (index.root / "new.md").write_text("# New\n", "utf-8")
    with monkeypatch.context() as patch:
        shut(patch, "scandir", index.root / "sub")
        report = index.refresh()
    assert (report.added, report.removed) == (("new.md",), ("log.md",))
    assert paths(index) == ["new.md", "sub/ship.py"]


def test_a_folder_that_went_after_it_was_unreadable_is_removed(
    index: cw.Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Staying was for as long as nobody could tell."""
    with monkeypatch.context() as patch:
        shut(patch, "scandir", index.root / "sub")
        index.refresh()
    (index.root / "sub" / "ship.py").unlink()
    (index.root / "sub").rmdir()
    assert index.refresh().removed == ("sub/ship.py",)


def test_an_unreadable_file_keeps_its_former_chunks(
    index: cw.Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has failed, its answers are marked, and it is read as soon as that is possible."""
    place = index.root / "sub" / "ship.py"
    place.write_text("def anchor():\n    return 3000\n", "utf-8")
    with monkeypatch.context() as patch:
        shut(patch, "open", place)
        for _ in range(2):
            report = index.refresh(verify=True)
            assert report.failed == (("sub/ship.py", "unreadable", DENIED),)
            assert report.removed == ()
        [hit] = [hit for hit in index.search("anchor") if hit.chunk.path == "sub/ship.py"]
        assert hit.stale == "changed"
    assert index.refresh().changed == ("sub/ship.py",)
    assert "3000" in index.chunks("sub/ship.py")[0].text
