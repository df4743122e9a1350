"""Compiles the rooms where long texts spend their time, from the same Python source, with mypyc.
Where that cannot be done (no C compiler, no mypy), the wheel is made of the plain source: nothing
is missing in it but speed.

CHUNKWRIGHT_PURE=1 asks for the plain wheel; an editable install always is.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "chunkwright"

COMPILED = (
    "characters",
    "chunking/assembling",
    "chunking/bonds",
    "chunking/breaks",
    "chunking/carrying",
    "chunking/clusters",
    "chunking/evening",
    "chunking/grouping",
    "chunking/layouts",
    "chunking/line_packing",
    "chunking/markdown_layout",
    "chunking/overlapping",
    "chunking/prose_windows",
    "chunking/sectioning",
    "chunking/sections",
    "chunking/sentences",
    "chunking/symbol_drafts",
    "chunking/units",
    "chunking/window_cuts",
    "measuring/ruler",
    "parsing/definitions",
    "parsing/describing",
    "parsing/extents",
    "parsing/found_blocks",
    "parsing/frames",
    "parsing/headings",
    "parsing/markdown",
    "parsing/markdown_events",
    "parsing/naming",
    "parsing/node_paths",
    "parsing/positions",
    "parsing/recovery",
    "parsing/rules",
    "parsing/source_bytes",
    "parsing/statements",
    "parsing/waiting",
    "parsing/walking",
)
"""Rooms that every window of prose, section of Markdown or symbol goes through. Their constants are
`Final`: these the compiler binds, others are looked up each time."""

UNTYPED = ("--ignore-missing-imports", "--follow-imports=silent")
"""What the other rooms import is not installed where a wheel is built, and no fault of these."""

LONGEST_BUILD = 600
"""Seconds after which the compiler is given up."""


class CompileHook(BuildHookInterface[Any]):
    """Adds compiled rooms to a wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and say what became of it in the wheel's tag."""
        if version == "editable" or os.environ.get("CHUNKWRIGHT_PURE"):
            return
        self._folder = Path(tempfile.mkdtemp())
        try:
            built = _compile(Path(self.root) / "src", self._folder)
        except (OSError, subprocess.SubprocessError) as error:
            self.app.display_warning(f"not compiled, the wheel is plain Python: {error}")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["force_include"].update(built)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Leave nothing behind."""
        folder = getattr(self, "_folder", None)
        if folder:
            shutil.rmtree(folder, ignore_errors=True)


def _compile(source: Path, folder: Path) -> dict[str, str]:
    """Compiled file -> its place in the wheel. Works on a copy, so that the source stays as it is.

    Raises OSError or SubprocessError where it cannot be done.
    """
    shutil.copytree(source / PACKAGE, folder / PACKAGE)
    rooms = [f"{PACKAGE}/{room}.py" for room in COMPILED]
    program = "import sys; from mypyc.__main__ import main; sys.argv[0] = 'mypyc'; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, *UNTYPED, *rooms],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=LONGEST_BUILD,
        check=False,
    )
    if done.returncode:
        raise subprocess.SubprocessError((done.stdout + done.stderr)[-2000:])
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    return {
        str(file): file.relative_to(folder).as_posix()
        for file in folder.rglob(f"*{suffix}")
        if "build" not in file.relative_to(folder).parts
    }
