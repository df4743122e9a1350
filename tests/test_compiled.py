"""The compiled wheel and the plain one: the same chunks, and one is always to be had."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from chunkwright.chunking import prose_windows

ROOT = Path(__file__).parent.parent

DIGEST = """
import hashlib, sys
sys.path.insert(0, {tests!r})
import msgspec
from corpus import FILES, GIANTS
from test_promises import CHUNKERS, SIZED, prepared
from chunkwright.chunking import prose_windows
digest = hashlib.sha256()
for name in CHUNKERS:
    for size in ("120 with overlap", "tokens", "bytes", "defaults"):
        cutter, _ = prepared(name, SIZED[size])
        for document in FILES.values():
            digest.update(msgspec.json.encode(cutter.chunk(document)))
print(prose_windows.__file__.endswith(".py"), digest.hexdigest())
"""


def digest(**environment: str) -> list[str]:
    """Whether the rooms were plain source, and the digest of every fixture's chunks."""
    done = subprocess.run(
        [sys.executable, "-c", DIGEST.format(tests=str(Path(__file__).parent))],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **environment},
    )
    return done.stdout.split()


@pytest.mark.skipif(
    str(prose_windows.__file__).endswith(".py"), reason="this installation is not compiled"
)
def test_compiled_and_plain_rooms_cut_alike() -> None:
    """Every fixture, every chunker, byte for byte."""
    assert digest() == ["False", digest(PYTHONPATH=str(ROOT / "src"))[1]]
    assert digest(PYTHONPATH=str(ROOT / "src"))[0] == "True"


def built(folder: Path, **environment: str) -> str:
    """The name of the wheel that pip builds of this tree."""
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "-w",
        str(folder),
        str(ROOT),
    ]
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, **environment})
    (wheel,) = folder.iterdir()
    return wheel.name


@pytest.mark.integration
@pytest.mark.parametrize("environment", [{"CC": "false"}, {"CHUNKWRIGHT_PURE": "1"}])
def test_a_plain_wheel_is_always_to_be_had(tmp_path: Path, environment: dict[str, str]) -> None:
    """Without a compiler, and on request: the build says so and succeeds."""
    assert built(tmp_path, **environment).endswith("-py3-none-any.whl")


@pytest.mark.integration
@pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler here")
def test_a_compiler_is_used_where_there_is_one(tmp_path: Path) -> None:
    """From this tree alone, with what the build asks for."""
    assert not built(tmp_path).endswith("-py3-none-any.whl")
