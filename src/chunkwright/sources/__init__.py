"""Files of a tree: which are taken, which are not and by what rule, and the text of each. Nothing
here knows about chunks.

    patterns -> ignoring -> deciding -> walking    which files
    decoding -> reading                            their text

The walk is our own, not a library's: a library that walks cannot name the rule that decided, nor
report what the system refused, and none that was tried agrees with git on every pattern.
"""

from chunkwright.sources.paths import relative
from chunkwright.sources.reading import read
from chunkwright.sources.rules import (
    CHOSEN,
    DEFAULT_RULES,
    FAILURES,
    MAX_FILE_SIZE,
    REASONS,
    Keep,
    Rules,
    Skip,
    Source,
)
from chunkwright.sources.secrets import HARMLESS, SECRETS
from chunkwright.sources.walking import decide, walk

__all__ = [
    "CHOSEN",
    "DEFAULT_RULES",
    "FAILURES",
    "HARMLESS",
    "MAX_FILE_SIZE",
    "REASONS",
    "SECRETS",
    "Keep",
    "Rules",
    "Skip",
    "Source",
    "decide",
    "read",
    "relative",
    "walk",
]
