"""How long a text is: code points, bytes, graphemes, lines, tokens; and how far a cap reaches.
Where to cut within that reach is not decided here.
"""

from __future__ import annotations

from chunkwright.measuring.resolving import MeasureLike, check, identity, resolve
from chunkwright.measuring.ruler import Ruler

__all__ = ["MeasureLike", "Ruler", "check", "identity", "resolve"]
