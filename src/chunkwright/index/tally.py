"""The report of a refresh in the making. What happened is said by the one who does it."""

from __future__ import annotations

import msgspec

from chunkwright.sources import FAILURES
from chunkwright.types import RefreshReport


class Tally(msgspec.Struct):
    """The report in the making."""

    added: list[str] = []
    changed: list[str] = []
    renamed: list[str] = []
    removed: list[str] = []
    embedded: int = 0
    reused: int = 0
    skipped: list[tuple[str, str, str]] = []
    failed: list[tuple[str, str, str]] = []

    def skip(self, path: str, reason: str, rule: str) -> None:
        """Note a file that was not taken: by choice, or because the system refused."""
        kind = self.failed if reason in FAILURES else self.skipped
        kind.append((path, reason, rule))

    def report(self) -> RefreshReport:
        """What is known now, sorted, each path once."""
        lists = ("added", "changed", "renamed", "removed", "skipped", "failed")
        found = {name: tuple(sorted(set(getattr(self, name)))) for name in lists}
        return RefreshReport(**found, embedded=self.embedded, reused=self.reused)
