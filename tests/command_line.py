"""What a run of the command line gives back, for the tests that run it in their own process."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple


class Ran(NamedTuple):
    """What a run of the command line gave."""

    code: int
    out: str
    err: str

    @property
    def objects(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


Run = Callable[..., Ran]
