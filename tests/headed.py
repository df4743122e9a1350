"""Options for documents with headings, and the promises held against what they give. Which texts
are cut is each format's own test's business.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from chunkwright import Chunking, Document, MarkdownChunker
from promises import examine
from trial import COUNTERS, Asked, Violation

OPTIONS = st.fixed_dictionaries(
    {
        "size": st.integers(20, 400),
        "overlap": st.integers(0, 60),
        "measure": st.sampled_from(["bytes", "chars"]),
        "budget_includes_context": st.booleans(),
        "code_blocks": st.booleans(),
        "join_table_rows": st.booleans(),
        "merge_small": st.booleans(),
    }
)


def cut_and_examined(
    document: Document, options: dict[str, Any], parser: str
) -> tuple[Chunking, list[Violation]]:
    """What a MarkdownChunker with OPTIONS gives, and every promise that it breaks."""
    size, overlap = options["size"], options["overlap"]
    asked = Asked(
        size=size,
        overlap=overlap if overlap < size else size // 2,
        count=COUNTERS[options["measure"]],
        budgeted=options["budget_includes_context"],
        parser=parser,
    )
    return examine(MarkdownChunker(**options), document, asked)
