"""The packer's spans: what holds for all of them, and where the cuts fall."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from chunkwright.characters import WHITE_SPACE, is_whitespace_only
from chunkwright.chunking import unspaced
from chunkwright.chunking.packing import CODE, EXACT, PROSE, Layout, Span, layout, pack
from chunkwright.measuring import MeasureLike, Ruler, resolve
from chunkwright.types import Block

PIECES = [
    *("a", "Word ", "word. ", " ", "\n", "\r\n", "\r", "\n\n", "\r\n\r\n", "\t", "    "),
    *(
        "\u0301",
        " \u0301",
        "👨\u200d👩",
        "🇳",
        "🇳🇴",
        "👍🏽",
        "好",
        "。",
        "」",
        "，",
        "नि",
        "क्",
        "ภา",
    ),
    *(".", "!", '"', "_", "# H\n", "\x00", "\x0b", "\u2028", "\xa0", "\u200b", "\u0600"),
    *("e.g. ", "Dr. ", "x" * 30, "q " * 10, "\ufeff", "\u3000"),
]
TEXTS = st.lists(st.sampled_from(PIECES), min_size=3, max_size=60).map("".join)
SIZES = st.one_of(st.integers(1, 8), st.integers(8, 80))
MEASURES = st.sampled_from(
    ["chars", "bytes", "graphemes", "lines", "tokens", len, lambda text: len(text.split())]
)
STYLES = st.sampled_from([PROSE, CODE, EXACT])
CLUSTER = regex.compile(r"\X")


class Looks:
    """Counts code points, and how many it was given to count."""

    name = "looks"

    def __init__(self) -> None:
        self.seen = 0

    def count(self, text: str) -> int:
        self.seen += len(text)
        return len(text)


def cut(
    text: str, size: int, overlap: int = 0, measure: MeasureLike = "chars", **options: object
) -> list[str]:
    ruler = Ruler(text, measure, size)
    spans = pack(ruler, 0, len(text), overlap=overlap, **options)  # type: ignore[arg-type]  # as given
    return [text[span.start : span.end] for span in spans]


def boundaries_of(text: str) -> list[int]:
    return [0, *(match.end() for match in CLUSTER.finditer(text))]


def assert_promises(text: str, spans: Sequence[Span], ruler: Ruler, overlap: int) -> None:
    """COVER, CAP, NOBLANK, ORDER, GRAPHEME and OVERLAP, found without the packer's help."""
    count, size = ruler.measure.count, ruler.size or 0
    boundaries = boundaries_of(text)
    start, end = -1, -1
    held: set[int] = set()
    for span in spans:
        piece = text[span.start : span.end]
        assert not is_whitespace_only(piece)
        assert count(piece) <= size or len(piece) == 1
        assert (span.boundary == "over_cap") == (count(piece) > size)
        assert span.start > start
        assert span.end > end
        assert span.overlap == (max(0, end - span.start) if end >= 0 else 0)
        if span.overlap:
            assert count(text[span.start : end]) <= overlap
            assert not is_whitespace_only(text[end : span.end])
        for edge in {span.start, span.end} - set(boundaries):
            before = max(at for at in boundaries if at < edge)
            after = min(at for at in boundaries if at > edge)
            assert count(text[before:after]) > size
        held.update(range(span.start, span.end))
        start, end = span.start, span.end
    assert all(at in held for at, char in enumerate(text) if char not in WHITE_SPACE)


@given(TEXTS, SIZES, MEASURES, STYLES, st.sampled_from([0, 0, 3, 2]), st.booleans())
@example("🇳🇴🇳🇴，Word", 4, "chars", PROSE, 2, False)
@example("\u0600🇳🇴🇳🇴x", 2, "chars", CODE, 2, False)
@example("a \u0301b", 1, "chars", PROSE, 0, False)
def test_the_promises_hold_for_any_text_size_measure_and_style(
    text: str, size: int, measure: MeasureLike, style: str, share: int, stable: bool
) -> None:
    """Whatever is packed: all of it, within the cap, in order, through no cluster."""
    overlap = size // share if share else 0
    ruler = Ruler(text, measure, size)
    spans = list(pack(ruler, 0, len(text), overlap=overlap, style=style, stable=stable))
    assert_promises(text, spans, ruler, overlap)


@given(TEXTS, SIZES, st.data())
def test_blocks_that_fit_are_never_cut(text: str, size: int, data: st.DataObject) -> None:
    """Promises hold with a layout, and every whole block lies within one span."""
    edges = data.draw(st.lists(st.sampled_from(boundaries_of(text)), max_size=8, unique=True))
    edges.sort()
    blocks = [Block(a, b) for a, b in zip(edges[::2], edges[1::2], strict=False)]
    ruler = Ruler(text, "chars", size)
    plan = layout(blocks, ruler)
    spans = list(pack(ruler, 0, len(text), overlap=size // 3, plan=plan))
    assert_promises(text, spans, ruler, size // 3)
    for start, end in plan.whole:
        kept = text[start:end].strip(WHITE_SPACE)
        assert not kept or any(
            span.start <= text.index(kept, start)
            and text.index(kept, start) + len(kept) <= span.end
            for span in spans
        )


def test_a_stretch_is_cut_and_nothing_beside_it() -> None:
    """Offsets are those of the whole text; what lies outside the stretch is in no span."""
    text = "before. One two three. after"
    spans = list(pack(Ruler(text, "chars", 9), 8, 22))
    assert [text[span.start : span.end] for span in spans] == ["One two", "three."]


def test_spans_come_as_they_are_asked_for() -> None:
    """The first spans of a long text cost no more than those of a short one."""
    looks = Looks()
    ruler = Ruler("some words " * 100_000, looks, 100)
    assert len(list(islice(pack(ruler, 0, len(ruler.text)), 3))) == 3
    assert looks.seen < 10_000


@pytest.mark.parametrize(
    "unit", ["q", "a b ", "ab\ncd\n\n", " ", "\n", "e.g. ", "，", " \u0301", "🇳", "\u0301"]
)
def test_work_grows_with_the_text_and_no_faster(unit: str) -> None:
    """Twice the text needs about twice the counting, whatever it is made of."""

    def work(length: int) -> int:
        looks = Looks()
        ruler = Ruler("a" + unit * (length // len(unit)) + "z", looks, 50)
        for _ in pack(ruler, 0, len(ruler.text), overlap=10):
            pass
        return looks.seen

    assert work(20_000) <= 2.3 * work(10_000)


def test_a_run_without_breaks_is_cut_at_the_cap_with_its_overlap() -> None:
    """Offsets are exact where there is nothing to choose."""
    spans = pack(Ruler("q" * 2500, "chars", 1000), 0, 2500, overlap=100)
    assert [(s.start, s.end, s.overlap) for s in spans] == [
        (0, 1000, 0),
        (900, 1900, 100),
        (1800, 2500, 100),
    ]


def test_the_strongest_break_of_the_last_half_wins() -> None:
    """A blank line late in the window beats a later line end, which beats a later sentence."""
    text = "Aaaa bbbb. Cccc dddd.\n\nEeee ffff.\nGggg. Hhhh iiii jjjj kkkk"
    assert cut(text, 36)[0] == "Aaaa bbbb. Cccc dddd."
    assert cut(text[text.index("Eeee") :], 19)[0] == "Eeee ffff."


def test_an_early_blank_line_does_not_beat_a_late_sentence_end() -> None:
    """A chunk adds a sensible amount of text instead of ending after a short paragraph."""
    text = "Short one.\n\n" + "A sentence of some length stands here. " * 6
    first = cut(text, 120)[0]
    assert first.endswith("here.")
    assert len(first) > 60


def test_a_word_that_fits_is_not_cut_for_an_overlap() -> None:
    """The overlap gives way where the next unit needs the room."""
    text = f"A short one. {'w' * 46} and more words. Final bit."
    assert cut(text, 50, 20) == ["A short one.", f"{'w' * 46} and", "and more words. Final bit."]


def test_an_overlap_begins_at_a_sentence() -> None:
    """The longest overlap within the bound that begins with a whole sentence."""
    text = "One is here. Two is here. Three is here. Four is here. Five is here."
    assert cut(text, 40, 20) == [
        "One is here. Two is here. Three is here.",
        "Three is here. Four is here.",
        "Four is here. Five is here.",
    ]


def test_an_overlap_begins_at_a_line_where_no_sentence_ends() -> None:
    """Lines of a table or a log are repeated whole."""
    text = "".join(f"row {row:02} of the ledger\n" for row in range(1, 13))
    spans = list(pack(Ruler(text, "chars", 88), 0, len(text), overlap=44))
    assert [text[span.start : span.start + 6] for span in spans] == [
        "row 01",
        "row 03",
        "row 05",
        "row 07",
        "row 09",
    ]
    assert {span.overlap for span in spans} == {0, 41}


def test_the_white_space_between_spans_is_not_counted() -> None:
    """Paragraphs that exactly fill the cap come whole, however far apart they stand."""
    paragraphs = [letter * 30 for letter in "MNO"]
    assert cut(("\n" * 50).join(paragraphs), 30, 6) == paragraphs


def test_indentation_of_a_first_line_is_kept() -> None:
    """Where a span begins at a line, it begins with the line's indentation."""
    text = "def f():\n    return 1\n\n    return 2\n"
    assert cut(text, 14, style=CODE) == ["def f():", "    return 1", "    return 2"]


def test_indentation_over_half_of_the_window_is_dropped() -> None:
    """Indentation never crowds out what it indents."""
    assert cut("a\n" + " " * 8 + "bcd efg hij", 10, style=CODE)[1] == "bcd efg"


def test_code_is_cut_between_lines_before_words() -> None:
    """A line end anywhere in the window beats a later space, if the next line fits whole."""
    assert cut("ab\nlong line of code here\n", 24, style=CODE) == ["ab", "long line of code here"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_end_is_one(end: str) -> None:
    """Blank lines and lines are found with LF, CRLF and lone CR."""
    text = f"First para here.{end}{end}Second para.{end}Its line.{end}{end}Third para."
    assert cut(text, 17) == ["First para here.", "Second para.", "Its line.", "Third para."]


def test_a_heading_goes_with_what_follows_it() -> None:
    """A heading that would end a chunk begins the next one."""
    text = "Body text of one that is long enough to fill.\n\n## Two\n\nBody text of two here."
    assert cut(text, 60)[1].startswith("## Two")


def test_a_lonely_title_goes_with_what_follows_it() -> None:
    """A short line between blank lines, without an end mark, is a heading before prose."""
    text = (
        "Body text of one that is long enough to fill.\n\nOf pumps\n\nPumps move water, they say."
    )
    assert cut(text, 60)[1].startswith("Of pumps")


def test_rows_without_end_marks_are_no_headings() -> None:
    """A list of short lines is not shifted about."""
    assert cut("one two\n\nthree four\n\nfive six", 20) == ["one two\n\nthree four", "five six"]


def test_cjk_is_cut_at_its_own_marks() -> None:
    """No space is needed after a full-width stop, and no mark begins a chunk."""
    text = (
        "第一句话说明背景情况。第二句话给出更多细节内容！第三句是一个问题吗？第四句；第五句结束。"
        * 4
    )
    pieces = cut(text, 40)
    assert all(piece[-1] in "。！？；" for piece in pieces)
    assert all(piece[0] not in "。！？；，、" for piece in pieces)


def test_cjk_without_marks_fills_its_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """A space far back is no reason to leave most of the window empty."""
    monkeypatch.setattr(unspaced, "_word_breaker", lambda: None)  # whatever is installed
    assert cut("雪国 " + "列車" * 40, 20)[0] == "雪国 " + "列車" * 8 + "列"


def test_words_without_spaces_stay_whole_where_they_are_known() -> None:
    """With a dictionary, Thai is cut between words, and so is the overlap."""
    pytest.importorskip("icu4py")
    words = ["ภาษา", "ไทย", "เป็น", "ภาษา", "ที่", "ใช้", "ใน", "ประเทศ", "ไทย"] * 4
    edges = {sum(map(len, words[:number])) for number in range(len(words) + 1)}
    text = "".join(words)
    spans = list(pack(Ruler(text, "chars", 24), 0, len(text), overlap=8))
    assert len(spans) > 4
    assert {span.start for span in spans} | {span.end for span in spans} <= edges
    assert {span.boundary for span in spans[:-1]} == {"word"}
    assert all(span.overlap for span in spans[1:])


def test_a_cluster_that_fits_is_never_cut() -> None:
    """Joined emoji, flags, skin tones and marks stay whole."""
    text = ("👨\u200d👩\u200d👧\u200d👦" + "🇳🇴" + "👍🏽" + "e\u0301" + "नि") * 40
    for piece in cut(text, 25):
        assert piece[0] not in "\u200d\ufe0f\u0301\U0001f3fd"
        assert piece.count("🇳") == piece.count("🇴")


def test_one_code_point_over_the_cap_is_a_span_of_its_own() -> None:
    """It says so, and its neighbours are cut as ever."""
    spans = list(pack(Ruler("ab🙂cd", "bytes", 3), 0, 5))
    assert [(s.start, s.end, s.boundary) for s in spans] == [
        (0, 2, "cluster"),
        (2, 3, "over_cap"),
        (3, 5, "end of text"),
    ]


def test_an_exact_style_knows_no_breaks() -> None:
    """Exactly at the cap, but through no cluster."""
    assert cut("one two three", 5, style=EXACT) == ["one t", "wo th", "ree"]
    assert cut("one twe\u0301e", 7, style=EXACT) == ["one tw", "e\u0301e"]


def test_borders_win_by_rank_then_by_place() -> None:
    """The strongest border that leaves a quarter of the window behind, the last of its rank."""
    text = "aaaa bbbb cccc dddd eeee ffff"
    plan = layout(
        [Block(0, 29), Block(10, 19), Block(15, 19), Block(5, 10)], Ruler(text, "chars", 4)
    )
    assert plan.borders == (
        (0, 0, "block"),
        (10, 1, "block"),
        (15, 2, "block"),
        (19, 1, "block"),
        (29, 0, "block"),
    )
    assert cut(text, 24, plan=plan) == ["aaaa bbbb cccc dddd", "eeee ffff"]


def test_a_layout_keeps_whole_what_fits_and_opens_what_does_not() -> None:
    """Blocks inside a whole one are of no interest; a block over the cap gives way to its own."""
    ruler = Ruler("x" * 100, "chars", 20)
    blocks = [Block(0, 60, kind="section"), Block(0, 15, kind="item"), Block(5, 9), Block(15, 60)]
    plan = layout(blocks, ruler)
    assert plan.whole == ((0, 15),)
    assert [tuple(border) for border in plan.borders] == [
        (0, 0, "section"),
        (15, 1, "item"),
        (60, 0, "section"),
    ]
    assert layout([], ruler) == Layout()


def test_an_overlap_gives_way_to_a_whole_block() -> None:
    """A block that fits alone is not cut because something is repeated before it."""
    text = "Some words here. " + "y" * 20 + " z " + "y" * 16
    ruler = Ruler(text, "chars", 40)
    spans = list(pack(ruler, 0, len(text), overlap=15, plan=Layout(whole=((17, 56),))))
    assert [text[span.start : span.end] for span in spans] == ["Some words here.", text[17:]]


def test_stable_cuts_come_back_after_an_edit() -> None:
    """A sentence put in front changes few of the pieces behind it."""
    text = "".join(f"Number {n * n % 97} follows {n % 7} and {n}. " for n in range(600))
    before = set(cut(text, 300, stable=True))
    after = set(cut("A new sentence. " + text, 300, stable=True))
    assert len(before & after) > 0.9 * len(before)


def test_packing_is_deterministic() -> None:
    """The same input gives the same spans, under a measure that learns its rate too."""
    text = "".join(f"word{n} " for n in range(500))
    assert cut(text, 40, 10, resolve("tokens")) == cut(text, 40, 10, resolve("tokens"))
    assert cut(text, 40, 10, len) == cut(text, 40, 10, len)


def test_a_mark_on_a_space_is_not_taken_for_a_word() -> None:
    """With room kept for context, the cluster of a space and its mark stays whole."""
    ruler = Ruler("00000 \u0301", "tokens", 2).capped(1)
    spans = list(pack(ruler, 0, 7))
    assert (spans[-1].start, spans[-1].end) == (5, 7)
