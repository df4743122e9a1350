"""How much generated input the tests use. `pytest --hypothesis-profile thorough` asks for more."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, settings

COMMON: dict[str, Any] = {
    "deadline": None,  # a slow machine is no fault
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large],
}

# The same examples every time: what a change breaks is then its own doing. New ones: `thorough`.
settings.register_profile("default", max_examples=50, derandomize=True, **COMMON)
settings.register_profile("quick", max_examples=15, **COMMON)
settings.register_profile("thorough", max_examples=1_000, **COMMON)
settings.load_profile("default")
