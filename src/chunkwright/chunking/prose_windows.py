"""The usual windows of prose, cut without detours: they end at a blank line, a line or a sentence,
no cluster and no heading is near, and nothing has to stay whole. Whatever is not so is left to the
packer, whose cuts these are too: this room only finds them sooner.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Final

from chunkwright.characters import WHITE_SPACE, is_edge
from chunkwright.chunking.breaks import (
    LONGEST_HEADING_LINE,
    NO_HEADING_END,
    heading_at_end,
)
from chunkwright.chunking.clusters import Clusters
from chunkwright.chunking.layouts import Span
from chunkwright.chunking.overlapping import Overlaps
from chunkwright.chunking.sentences import last_sentence_end
from chunkwright.measuring import Ruler
from chunkwright.measuring.exact import is_exact

NEAR_THE_END: Final = 64
"""Code points before the end of the text from which on the packer decides."""

MARK_WITHIN: Final = 4
"""Code points from a line's start within which an ATX heading's first mark stands."""

_WHITE: Final = frozenset(WHITE_SPACE)
_BLANKS: Final = frozenset(" \t\f\v")


class ProseWindows:
    """The usual windows of text[start:stop] under one ruler's cap."""

    def __init__(
        self,
        ruler: Ruler,
        stretch: tuple[int, int],
        overlaps: Overlaps,
        clusters: Clusters,
        indentation_start: Callable[[int, int], int],
    ) -> None:
        self._text = text = ruler.text
        self._ruler = ruler
        self._stop = stretch[1]
        self._overlaps = overlaps
        self._floor = clusters.floor
        self._indentation_start = indentation_start
        self._exact = is_exact(ruler.measure)
        self._reach = ruler.reach_of_cap()
        self._has_cr = text.find("\r", *stretch) >= 0
        self._has_marks = text.find("#", *stretch) >= 0
        """Whether there may be ATX headings."""
        self._always = clusters.everywhere

    def after(self, span: Span) -> Generator[Span, None, Span]:  # noqa: C901  # each call saved is a tenth of the time
        """The spans after `span`, one by one, up to the first that takes a closer look; and returns
        the last of them, or `span`."""
        text, stop, always = self._text, self._stop, self._always
        reach, floor, exact = self._reach, self._floor, self._exact
        count, cap = self._ruler.count_once, self._ruler.size or 0
        marks = self._has_marks
        has_cr = self._has_cr
        while span.end < stop:
            position = fresh = span.end
            while fresh < stop and text[fresh] in _WHITE:
                fresh += 1
            if fresh == stop:
                return span
            if not (always or is_edge(text[fresh - 1], text[fresh])):
                fresh = floor(position, fresh)
            begin = self._begin(span, fresh)
            high = reach(begin) if begin >= 0 else stop
            if high + NEAR_THE_END >= stop:
                return span
            if not (always or is_edge(text[high - 1], text[high])):
                high = floor(begin, high)
            new = high - fresh
            if new * 4 < high - begin:
                return span
            low = fresh + new // 2
            edge = high
            while edge < stop and text[edge] in _WHITE:
                edge += 1
            if has_cr and text.find("\r", fresh, edge) >= 0:
                return span
            end, kind = self._last_break(low, edge)
            may_be_heading = marks or text[end - 1] not in NO_HEADING_END
            if end <= low or (may_be_heading and self._has_heading(fresh, end)):
                return span
            if not (always or is_edge(text[end - 1], text[end])):
                return span
            size = -1 if exact else count(begin, end)
            if size > cap:
                return span
            span = Span(begin, end, position - begin if begin < position else 0, kind, size)
            yield span
        return span

    def _last_break(self, low: int, edge: int) -> tuple[int, str]:
        """The strongest break in low < break <= edge and its kind; `low` or less where another
        kind has to be looked for."""
        text = self._text
        line = text.rfind("\n", low, edge)
        if line < 0:
            return last_sentence_end(text, low, edge), "sentence"
        end, kind = line, "line"
        while line > low:
            before = text[line - 1]
            if before == "\n":
                end, kind = line - 1, "blank line"
                break
            if before in _BLANKS and self._is_white_line(low, line):
                return low, ""
            line = text.rfind("\n", low, line)
        while end > low and text[end - 1] in _WHITE:
            end -= 1
        return end, kind

    def _begin(self, previous: Span, fresh: int) -> int:
        """Where the span after `previous` begins; -1 where that takes a closer look."""
        text, high = self._text, previous.end
        if not self._overlaps.most:
            plain = text[fresh - 1] == "\n" or fresh == high + 1
            return fresh if plain else self._indentation_start(high, fresh)
        begin = self._overlaps.start(previous)
        return -1 if begin is None else begin

    def _is_white_line(self, low: int, end: int) -> bool:
        """Whether the line that ends at `end` is blank, though not empty."""
        while end > low and self._text[end - 1] in _BLANKS:
            end -= 1
        return self._text[end - 1] == "\n"

    def _has_heading(self, fresh: int, end: int) -> bool:
        """Whether the last line before `end` may belong to what follows."""
        line = self._text.rfind("\n", fresh, end) + 1 or fresh
        is_none = self._text[end - 1] in NO_HEADING_END or end - line > LONGEST_HEADING_LINE
        if is_none and self._text.find("#", line, line + MARK_WITHIN) < 0:
            return False
        return heading_at_end(self._text, fresh, end, self._stop) >= 0
