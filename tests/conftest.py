"""What tests share: how much generated input they use (`pytest --hypothesis-profile thorough` asks
for more), and the command line.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from chunkwright.cli import main
from command_line import Ran, Run

COMMON: dict[str, Any] = {
    "deadline": None,  # a slow machine is no fault
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large],
}

# The same examples every time: what a change breaks is then its own doing. New ones: `thorough`.
settings.register_profile("default", max_examples=50, derandomize=True, **COMMON)
settings.register_profile("quick", max_examples=15, **COMMON)
settings.register_profile("thorough", max_examples=1_000, **COMMON)
settings.load_profile("default")


@pytest.fixture(autouse=True)
def _no_shared_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the cache in the home of whoever runs it."""
    monkeypatch.setenv("CHUNKWRIGHT_VECTOR_CACHE", "")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command line in this process."""

    def start(*arguments: object) -> Ran:
        code = main([str(argument) for argument in arguments])
        return Ran(code, *capsys.readouterr())

    return start
