"""A filter as SQL. Which chunks a caller means by it is not known here."""

from __future__ import annotations

import json

from chunkwright.store.rows import Filter


def condition(allowed: Filter) -> tuple[str, list[str | int]]:
    """A filter as SQL over `chunks`, and its values."""
    parts: list[str] = ["1"]
    values: list[str | int] = []
    for column in ("language", "kind", "is_test"):
        wanted = getattr(allowed, column)
        if wanted is not None:
            parts.append(f"chunks.{column} = ?")
            values.append(wanted)
    if allowed.files is not None:
        parts.append("chunks.file IN (SELECT value FROM json_each(?))")
        values.append(json.dumps(list(allowed.files)))
    if allowed.namespace is not None:
        parts.append("chunks.file IN (SELECT id FROM files WHERE namespace = ?)")
        values.append(allowed.namespace)
    for key, wanted in allowed.facts:
        parts.append(
            "chunks.file IN (SELECT file FROM facts WHERE key = ?"
            " AND value IN (SELECT value FROM json_each(?)))"
        )
        values += [key, json.dumps(list(wanted))]
    return " AND ".join(parts), values
