"""The benchmarks, for tests of what they measure and show."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"


def load(rooms: Iterable[str]) -> dict[str, Any]:
    """Rooms of the benchmarks, which import one another as scripts beside each other do."""
    sys.path.insert(0, str(BENCHMARKS))
    try:
        return {name: import_module(name) for name in rooms}
    finally:
        sys.path.remove(str(BENCHMARKS))
