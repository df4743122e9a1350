"""How long a text an embedder reads: in whose tokens, and what chunks have to keep to so that
nothing of them is left unread. Cutting text into chunks is not done here.

Of an embedder these are asked for, each optional: `max_tokens`; `special_tokens`, how many of
them it adds itself; `measure`, its tokenizer as a measure.
"""

from __future__ import annotations

from typing import Any

from chunkwright import measuring
from chunkwright.types import Embedder, Measure

UNLIMITED = 2**31 - 1
"""`max_tokens` of an embedder that reads a text of any length."""

USUAL_TOKENS = 480
"""Tokens of a chunk where tokens are what it is cut by. 1,500 code points of source code with
their context, the usual size of a chunk, are 481 of BERT's tokens (the median over click, axios
and gin): the size stays what it would be in code points, whatever a model could take."""

LARGEST_USUAL = 3200
"""Code points of the largest chunk there is by default (a section, a window of lines). Tokens are
longer than a code point but in rare texts, so whoever reads so many reads every chunk."""

BYTES_PER_TOKEN = 2
"""Bytes of UTF-8 taken for a token where nothing counts them: a careful guess. Chunks of source
code have 2.9 of BERT's in the median, and six in seven have more than 2."""


class Estimate:
    """Tokens guessed from bytes."""

    name = "estimated-tokens"

    def count(self, text: str, /) -> int:
        """Half of the bytes, rounded up."""
        return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES_PER_TOKEN)


class Limit:
    """How much of a text an embedder reads."""

    def __init__(self, embedder: Embedder) -> None:
        self.room = room(embedder)
        given = getattr(embedder, "measure", None) if self.room < UNLIMITED else None
        self._measure: Measure = Estimate() if given is None else measuring.resolve(given)
        how = (
            ", guessed from its bytes: set `size`, or say what counts them" if given is None else ""
        )
        self.reason = f"over the {self.room} tokens that the embedder reads{how}"

    def beginning(self, text: str) -> str:
        """The text itself where it is read whole, else as much of its beginning as is."""
        # No tokenizer makes more tokens of a letter than one.
        if self.room >= UNLIMITED or (text.isascii() and len(text) < self.room):
            return text
        found, end = self._measure.count(text), len(text)
        while found > self.room and end > 1:
            end = max(1, min(end - 1, end * self.room // found))
            found = self._measure.count(text[:end])
        return text[:end]


def room(embedder: Embedder) -> int:
    """Tokens that a text may have: what the embedder reads less what it adds itself."""
    most = getattr(embedder, "max_tokens", None)
    if most is None or most >= UNLIMITED:
        return UNLIMITED
    return max(1, int(most) - int(getattr(embedder, "special_tokens", 0)))


def chunk_options(embedder: Embedder | None) -> dict[str, Any]:
    """Options with which every chunk, and its context, is read whole by the embedder; none where
    that is so by default, or nothing counts its tokens.

    There is no overlap then: by default it is told in code points, and is an upper bound.
    """
    measure = getattr(embedder, "measure", None)
    if embedder is None or measure is None or room(embedder) >= LARGEST_USUAL:
        return {}
    return {
        "measure": measure,
        "size": min(room(embedder), USUAL_TOKENS),
        "overlap": 0,
        "budget_includes_context": True,
    }
