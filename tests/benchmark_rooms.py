"""The benchmarks, for tests of what they measure and show."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent


def load(room: str) -> Any:
    """A room of the benchmarks, which are found at the root of the repository."""
    sys.path.insert(0, str(ROOT))
    try:
        return import_module(f"benchmarks.{room}")
    finally:
        sys.path.remove(str(ROOT))


CIRCUMSTANCES: dict[str, Any] = {
    "command": "python -m benchmarks it",
    "versions": {"python": "3"},
    "machine": {"processor": "P", "cores": 2, "system": "S"},
    "seed": 1,
}
"""What every line has besides its measurement."""
