"""How good an answer is that may come from several documents: lengths are summed over them before
they are compared. Within one document the measures are chunkwright.evaluation's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from chunkwright.evaluation import Reference, Span, intersection, length

Spans = Mapping[str, Sequence[Span]]
"""Path -> spans in it."""


def by_path(places: Iterable[Reference]) -> dict[str, list[Span]]:
    """Spans by the document they are in."""
    found: dict[str, list[Span]] = {}
    for place in places:
        found.setdefault(place.path, []).append((place.start, place.end))
    return found


def recall(found: Sequence[Reference], wanted: Spans) -> float:
    """How much of what is wanted was found, 0 to 1."""
    return _right(by_path(found), wanted) / _length(wanted)


def precision(found: Sequence[Reference], wanted: Spans) -> float:
    """How much of what was found is wanted, 0 to 1; what is found twice counts twice."""
    total = sum(place.end - place.start for place in found)
    return _right(by_path(found), wanted) / total if total else 0.0


def iou(found: Sequence[Reference], wanted: Spans) -> float:
    """What is right over all that was found or wanted, 0 to 1."""
    right = _right(by_path(found), wanted)
    total = sum(place.end - place.start for place in found)
    return right / (total + _length(wanted) - right)


def precision_omega(chunks: Spans, wanted: Spans) -> float:
    """The best precision that the cuts allow, 0 to 1: that of the chunks with some of what is
    wanted in them, and of what of it is in none."""
    touched = {
        path: [
            one for one in chunks.get(path, ()) if any(one[0] < e and s < one[1] for s, e in spans)
        ]
        for path, spans in wanted.items()
    }
    whole = sum(length([*touched[path], *spans]) for path, spans in wanted.items())
    return _right(touched, wanted) / whole


def _right(found: Spans, wanted: Spans) -> int:
    return sum(length(intersection(found.get(path, ()), spans)) for path, spans in wanted.items())


def _length(wanted: Spans) -> int:
    return sum(map(length, wanted.values()))
