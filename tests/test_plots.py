"""Plots: marks stand where their numbers say, labels do not overlap, nothing breaks the SVG."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from math import inf, nan
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright.web import ink, labels, scales
from chunkwright.web.histograms import BARS, Bin, bins, histogram
from chunkwright.web.labels import Box
from chunkwright.web.markup import COLOURS
from chunkwright.web.plots import Axis, Plot, Point, Series, inline, lines, scatter, standalone

NUMBERS = st.floats(allow_nan=True, allow_infinity=True) | st.floats(0, 1) | st.integers(0, 4000)
INTERVALS = st.none() | st.tuples(NUMBERS, NUMBERS)
POINTS = st.builds(
    Point,
    x=NUMBERS,
    y=NUMBERS,
    x_interval=INTERVALS,
    y_interval=INTERVALS,
    about=st.text(max_size=9),
    tag=st.text(max_size=9),
)
MANY = st.lists(
    st.builds(Series, st.text(max_size=30), st.lists(POINTS, max_size=6).map(tuple)), max_size=12
)
SVG = "{http://www.w3.org/2000/svg}"


def parsed(plot: Plot) -> ElementTree.Element:
    return ElementTree.fromstring(standalone(plot))  # noqa: S314  # made here


def marks(plot: Plot) -> list[tuple[float, float]]:
    """Where marks stand, those of labels included."""
    found = re.findall(
        r'class="(?:mark|hollow) s\d" transform="translate\((\S+) (\S+)\)"', plot.body
    )
    return [(float(x), float(y)) for x, y in found]


def line(*points: tuple[float, float], name: str = "one") -> Series:
    return Series(name, tuple(Point(x=x, y=y) for x, y in points))


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([0.0, 1.0], (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)),
        ([0.52, 0.74], (0.5, 0.55, 0.6, 0.65, 0.7, 0.75)),
        ([3, 97], (0.0, 20.0, 40.0, 60.0, 80.0, 100.0)),
        ([-1, 1], (-1.0, -0.5, 0.0, 0.5, 1.0)),
        ([7], (2.0, 4.0, 6.0, 8.0, 10.0, 12.0)),
        ([], (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)),
    ],
)
def test_round_numbers_are_marked(values: list[float], ticks: tuple[float, ...]) -> None:
    """Steps are 1, 2 or 5 times a power of ten, and the axis ends at them."""
    assert scales.linear(values, 0, 100).ticks == ticks


def test_a_logarithmic_scale_marks_1_2_and_5() -> None:
    """Equal ratios are equally far; many powers of ten are marked alone, and not all of them."""
    scale = scales.logarithmic([80, 1100], 0, 100)

    assert scale.ticks == (100.0, 200.0, 500.0, 1000.0)
    assert scale.at(200) - scale.at(100) == pytest.approx(scale.at(1000) - scale.at(500))
    assert scales.logarithmic([1, 1e6], 0, 100).ticks == tuple(10.0**n for n in range(7))
    assert len(scales.logarithmic([1e-9, 1e9], 0, 100).ticks) <= scales.CROWDED


@pytest.mark.parametrize("values", [[100, 300], [0, 500], [1e-320, 500], [-5, 500], [4]])
def test_where_ratios_tell_nothing_a_scale_is_linear(values: list[float]) -> None:
    """Values near each other, and 0, have no place on a logarithmic scale."""
    assert not scales.logarithmic(values, 0, 100).logarithmic


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (0.7, "0.7"),
        (0.71249, "0.712"),
        (9.999, "10"),
        (12.34, "12.3"),
        (1234.5, "1,234"),
        (-3, "-3"),
        (1e20, "1e+20"),
        (1e-9, "1e-09"),
        (nan, "–"),
    ],
)
def test_numbers_have_as_many_digits_as_they_need(value: float, text: str) -> None:
    """Three at most behind the first, thousands apart."""
    assert scales.written(value) == text


def test_numbers_along_an_axis_have_equally_many_decimals() -> None:
    """0.70 stands below 0.75."""
    assert scales.linear([0.52, 0.74], 0, 1).marks()[-2:] == ["0.70", "0.75"]


@given(st.lists(st.floats(-1e15, 1e15), min_size=1, max_size=5))
def test_every_value_lies_on_its_scale(values: list[float]) -> None:
    """Whatever the values, they lie between the ends, and ticks rise."""
    for scale in (scales.linear(values, 0, 100), scales.logarithmic(values, 0, 100)):
        assert all(-0.01 <= scale.at(value) <= 100.01 for value in values)
        assert all(one < other for one, other in pairwise(scale.ticks))


def test_marks_stand_where_their_numbers_say() -> None:
    """0 and 100 are the ends of the horizontal axis, 0 and 1 those of the vertical one."""
    plot = scatter([line((0, 0), (50, 0.5), (100, 1))], x=Axis("x"), y=Axis("y"), title="t")
    (left, bottom), (middle, half), (right, top), _ = marks(plot)

    assert (bottom, top) == (284, 30)
    assert half == (bottom + top) / 2
    assert right == 420
    assert middle == pytest.approx((left + right) / 2, abs=0.1)
    assert f"M{ink.place(left)} 284L420 284" in plot.body


def test_intervals_are_bars_in_both_directions() -> None:
    """A bar reaches from the low to the high end, on the axis it belongs to."""
    point = Point(x=0.5, y=0.5, x_interval=(0, 1), y_interval=(0.25, 0.75))
    plot = scatter(
        [Series("a", (point,)), line((0, 0), (1, 1))], x=Axis("x"), y=Axis("y"), title="t"
    )
    bars = re.findall(r'class="interval s0" d="M(\S+) (\S+)L(\S+) (\S+)"', plot.body)
    (x, high, same, low), (left, y, right, level) = [map(float, bar) for bar in bars]

    assert x == same
    assert y == level == 157
    assert (high, low) == (93.5, 220.5)
    assert (right + left) / 2 == pytest.approx(x, abs=0.1)
    assert right == 420


def test_a_line_goes_through_its_points_in_order_with_dashes_of_its_own() -> None:
    """The first line is solid, the second is not; both end at their labels."""
    plot = lines(
        [line((0, 0), (1, 1)), line((0, 1), (1, 0), name="two")],
        x=Axis("x"),
        y=Axis("y"),
        title="t",
    )
    drawn = re.findall(r'class="line s(\d)" d="([^"]+)"( stroke-dasharray)?', plot.body)

    assert [(series, bool(dashes)) for series, _, dashes in drawn] == [("0", False), ("1", True)]
    assert drawn[0][1].endswith(" 30")
    assert drawn[1][1].endswith(" 284")


def test_names_at_the_ends_of_lines_do_not_overlap() -> None:
    """Lines that end at one place have names below each other."""
    many = [line((0, 0), (1, 0.5), name=f"name {number}") for number in range(8)]
    plot = lines(many, x=Axis("x"), y=Axis("y"), title="t")
    heights = [float(y) for y in re.findall(r'class="name s\d" x="\S+" y="(\S+)"', plot.body)]

    assert len(heights) == 8
    assert min(after - before for before, after in pairwise(heights)) >= 17.9


@pytest.mark.parametrize("many", [[line((0, 0), name="n" * 40)], [line((0, 0))] * 9])
def test_long_and_many_names_have_a_legend(many: list[Series]) -> None:
    """The plot grows by the legend; nothing leaves it."""
    plot = lines(many, x=Axis("x"), y=Axis("y"), title="t")
    names = re.findall(r'class="name s\d" x="(\S+)" y="(\S+)">([^<]*)', plot.body)

    assert plot.height > 330
    assert len(names) == len(many)
    for x, y, name in names:
        assert float(y) < plot.height
        assert float(x) + labels.width(name, ink.LETTERS) < plot.width


def test_a_series_keeps_its_mark_where_another_is_empty() -> None:
    """Colour and shape belong to the place in the list; what is empty is not in the legend."""
    plot = scatter(
        [line(name="gone"), line((1, 1), name="two")], x=Axis("x"), y=Axis("y"), title="t"
    )

    assert 'class="mark s1"' in plot.body
    assert "s0" not in plot.body
    assert "gone" not in plot.body


def test_tags_stand_where_nothing_else_does() -> None:
    """Of points in a heap only those are tagged whose tags have room."""
    heap = tuple(Point(x=x / 9, y=y / 9, tag="1,024") for x in range(10) for y in range(10))
    plot = scatter([Series("a", heap)], x=Axis("x"), y=Axis("y"), title="t")
    places = re.findall(r'class="tag" x="(\S+)" y="(\S+)"', plot.body)
    wide = labels.width("1,024", ink.TAG_LETTERS)
    boxes = [Box(float(x), float(y) - 9, float(x) + wide, float(y) + 2) for x, y in places]

    assert 10 < len(boxes) <= 100
    assert not any(one.meets(other) for one, other in combinations(boxes, 2))
    for box in boxes:
        assert not any(
            box.left < x < box.right and box.top < y < box.bottom for x, y in marks(plot)
        )


@given(MANY, st.booleans(), st.text(max_size=80))
def test_any_series_make_a_whole_svg(series: list[Series], ratios: bool, words: str) -> None:
    """Missing and endless numbers, hostile names: well-formed, and no number in it is missing."""
    x, y = Axis(words, ratios=ratios), Axis(words)
    for plot in (
        lines(series, x=x, y=y, title=words, description=words),
        scatter(series, x=x, y=y, title=words, description=words),
    ):
        root = parsed(plot)
        assert root.tag == f"{SVG}svg"
        places = " ".join(re.findall(r' (?:d|x|y|transform)="([^"]*)"', plot.body))
        assert "nan" not in places
        assert "inf" not in places


@given(st.lists(NUMBERS, max_size=60), st.none() | st.integers(1, 5000), st.text(max_size=30))
def test_any_values_make_a_whole_histogram(
    values: list[float], limit: int | None, words: str
) -> None:
    """Of any values: no bar too many, every drawable value of 0 and more in one of them."""
    named = None if limit is None else (float(limit), words)
    assert parsed(histogram(values, label=words, title=words, limit=named)).tag == f"{SVG}svg"
    counted = sorted(value for value in values if 0 <= value <= scales.LARGEST)
    found = bins(counted, limit)
    assert sum(one.number for one in found) == len(counted)
    assert len(found) <= BARS * 1.5 + 3


def test_no_value_at_the_limit_is_shown_beyond_it() -> None:
    """A bar ends at the limit, and what is equal to it lies before."""
    found = bins([1, 32, 33, 512, 513], 512)

    assert found[0] == Bin(0, 32, 2)
    assert found[1] == Bin(32, 64, 1)
    assert [one for one in found if one.high == 512] == [Bin(480, 512, 1)]
    assert found[-1] == Bin(512, 544, 1)


def test_the_last_bar_holds_all_that_is_far_beyond() -> None:
    """One huge value does not squeeze the others into one bar."""
    assert bins([1, 2, 90_000], 4)[-1] == Bin(6, 7, 1, endless=True)
    assert bins([1, 2] * 20 + [90_000], None)[-1].endless
    assert bins([1, 2] * 20 + [90_000], None)[-1].told() == "over 4: 1"


def test_bars_are_as_high_as_their_share() -> None:
    """A quarter of the values is a bar of 25 on an axis that ends at 80%."""
    plot = histogram([1, 2, 2, 2], label="tokens", title="t")
    bars = re.findall(r'<rect class="bar" x="\S+" y="\S+" width="\S+" height="(\S+)">', plot.body)

    assert [float(bar) for bar in bars] == [
        pytest.approx(78 / 80 * high, abs=0.06) for high in (25, 75)
    ]
    assert "over 1 to 2: 3" in plot.body


@given(st.lists(st.floats(0, 300), max_size=12), st.floats(1, 18))
def test_spread_labels_keep_their_order_and_distance(wanted: list[float], apart: float) -> None:
    """Those that have room stay where they are; none overlap, none leave the column."""
    placed = labels.spread(wanted, apart, 0, 300)
    order = sorted(range(len(wanted)), key=wanted.__getitem__)

    assert all(placed[after] - placed[before] >= apart - 1e-6 for before, after in pairwise(order))
    assert all(-1e-6 <= place <= 300 + 1e-6 for place in placed)
    if all(wanted[after] - wanted[before] > apart for before, after in pairwise(order)):
        assert placed == pytest.approx(wanted)


def test_a_long_name_loses_its_middle() -> None:
    """Both ends stay, which is where names differ; the result fits."""
    name = "a.very.long.package:recursive,overlap=50"
    short = labels.shortened(name, 120, 13)

    assert short.startswith("a.very")
    assert short.endswith("lap=50")
    assert labels.width(short, 13) <= 120
    assert labels.shortened("short", 120, 13) == "short"
    assert labels.width(labels.shortened("漢" * 40, 120, 13), 13) <= 120


def test_a_file_stands_alone() -> None:
    """It has a size, a ground, colours for both schemes, and loads nothing."""
    plot = scatter([line((1, 1))], x=Axis("x"), y=Axis("y"), title="T", description="D")
    text = standalone(plot)
    root = parsed(plot)

    assert (root.get("width"), root.get("role")) == ("440", "img")
    assert root.findtext(f"{SVG}title") == "T"
    assert root.findtext(f"{SVG}desc") == "D"
    assert root.get("aria-labelledby") == "plot-title plot-about"
    assert "prefers-color-scheme: dark" in text
    assert 'class="ground"' in text
    assert re.findall(r"https?://[^\"]*", text) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"<script|href|src=|url\(|@import", text)


def test_plots_of_one_page_have_ids_of_their_own() -> None:
    """The key is part of every id, and the page brings style and ground."""
    plot = scatter([line((1, 1))], x=Axis("x"), y=Axis("y"), title="T")

    assert re.findall(r'id="([^"]*)"', inline(plot, "a")) == ["a-title", "a-about"]
    assert "<style>" not in inline(plot, "a")


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize(
    ("colours", "ground"),
    [((*ink.LIGHT, "#5c6270"), "#ffffff"), ((*ink.DARK, "#a0a5b4"), "#16181d")],
)
def test_every_colour_can_be_read_on_its_ground(colours: tuple[str, ...], ground: str) -> None:
    """Of all text the contrast is 4.5 and more, as WCAG's level AA asks."""
    assert colours[-1] in COLOURS
    for colour in colours:
        one, other = sorted([_luminance(colour), _luminance(ground)])
        assert (other + 0.05) / (one + 0.05) >= 4.5


def test_sixteen_series_differ_without_colour() -> None:
    """Shape and filling tell them apart."""
    drawn = [re.sub(r" s\d", "", ink.mark(0, 0, index)) for index in range(16)]

    assert len(set(drawn)) == 16


@pytest.mark.parametrize("value", [nan, inf, -inf, None, 1e16])
def test_what_has_no_place_is_not_drawable(value: float | None) -> None:
    """Missing, endless and absurd numbers are left out."""
    assert not scales.is_drawable(value)
    assert scales.is_drawable(0.0)
