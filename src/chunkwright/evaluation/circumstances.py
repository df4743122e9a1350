"""In which circumstances an evaluation was made: versions that decide its numbers, the machine."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version

DISTRIBUTIONS = ("chunkwright", "numpy", "pyromark", "regex", "tokenizers", "tree-sitter")
"""Those that cut, count and embed in the base install."""


def versions() -> dict[str, str]:
    """Of Python and of what decides the numbers."""
    found = {"python": platform.python_version()}
    for name in DISTRIBUTIONS:
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # run from its source
            continue
    return found


def machine() -> dict[str, str | int]:
    """What seconds depend on."""
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "processors": os.cpu_count() or 1,
    }
