"""The page of an evaluation: every number of the report, whole, harmless, self-contained."""

from __future__ import annotations

import html
import re
from math import nan
from xml.etree import ElementTree

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright.evaluation import Comparison, Estimate, Report, Row
from chunkwright.web import naming
from chunkwright.web.evaluation_page import page
from chunkwright.web.evaluation_plots import by_size, mean_size, plots, sizes_told

RECALL = "budget_recall"


def estimate(value: float) -> Estimate:
    return Estimate(value, value - 0.02, value + 0.02)


def row(strategy: str, size: int | None, recall: float, **fields: object) -> Row:
    facts = {"chunks": 1234.0, "size_mean": 0.8 * (size or 1000)}
    given = {"scores": {RECALL: estimate(recall)}, "facts": facts, "sizes": (1, 2, 3), **fields}
    return Row(strategy=strategy, size=size, **given)  # type: ignore[arg-type]  # by name


def report(*rows: Row, **fields: object) -> Report:
    given: dict[str, object] = {
        "corpus": "docs",
        "files": 12,
        "code_points": 3456,
        "questions": 40,
        "unit": "tokens",
        "embedder": "static",
        "search": "vectors",
        "k": 10,
        "budget": 1000,
        "baseline": "recursive 512",
        "seed": 7,
        "rows": rows,
        **fields,
    }
    return Report(**given)  # type: ignore[arg-type]  # by name


WORSE = {RECALL: Comparison(Estimate(-0.1, -0.15, -0.05), "worse")}
UNCLEAR = {RECALL: Comparison(Estimate(0.01, -0.02, 0.04), "unclear")}
BETTER = {RECALL: Comparison(Estimate(0.1, 0.05, 0.15), "better")}

USUAL = report(
    row("markdown", 256, 0.7, against=UNCLEAR),
    row("markdown", 512, 0.8, against=BETTER),
    row("recursive", 256, 0.6, against=WORSE),
    row("recursive", 512, 0.69),
    conclusion="markdown 512 is best: 0.800. The next is inside the noise.",
    notes=("Questions were made of headings.",),
    versions={"chunkwright": "0.1.0"},
    machine={"processors": 2},
)


def written(told: Report) -> str:
    return "".join(page(told))


def body(told: Report) -> ElementTree.Element:
    """What the page shows, which is well-formed XML too."""
    shown = re.search(r"<main>.*</main>", written(told), re.DOTALL)
    assert shown
    return ElementTree.fromstring(shown[0])  # noqa: S314  # made here


def text(element: ElementTree.Element) -> str:
    return " ".join("".join(element.itertext()).split())


def cells(told: Report, caption: str) -> dict[str, list[str]]:
    """Head of a row -> its cells, of the table with a caption."""
    table = next(one for one in body(told).iter("table") if text(one[0]) == caption)
    return {text(line[0]): [text(cell) for cell in line[1:]] for line in table.iter("tr")}


def test_the_result_comes_first_in_plain_words() -> None:
    """The conclusion sentence by sentence, then how all rows compare with the baseline."""
    answer = body(USUAL)[0]

    assert [text(sentence) for sentence in answer] == [
        "markdown 512 is best: 0.800.",
        "The next is inside the noise.",
        "Compared with recursive 512 by Recall in 1,000 tokens, rows are:"
        " 1 better, 1 worse, 1 inside the noise.",
    ]


def test_every_score_has_its_interval_and_verdict() -> None:
    """The verdict is told in words, the baseline by name, and the best is bold."""
    found = cells(USUAL, "Text that is found")

    assert found == {
        "Strategy, size": ["Recall in 1,000 tokens"],
        "markdown 256": ["≈ inside the noise 0.700 0.680 to 0.720"],
        "markdown 512": ["▲ better 0.800 0.780 to 0.820"],
        "recursive 256": ["▼ worse 0.600 0.580 to 0.620"],
        "recursive 512 baseline": ["0.690 0.670 to 0.710"],
    }
    assert next(body(USUAL).iter("strong")).text == "0.800"


def test_differences_to_the_baseline_are_told_with_their_intervals() -> None:
    """Folded below the scores; the baseline itself has none."""
    (folded,) = body(USUAL).iter("details")
    lines = [[text(cell) for cell in line] for line in folded.iter("tr")]

    assert text(folded[0]) == "Differences to recursive 512"
    assert lines[2] == ["markdown 512", "▲ better +0.100 +0.050 to +0.150"]
    assert lines[4] == ["recursive 512 baseline", "–"]


def test_every_fact_is_in_a_table() -> None:
    """Counts with thousands apart, sizes with the digits they need."""
    found = cells(USUAL, "Number and size")

    assert found["Strategy, size"] == ["Chunks", "Mean size"]
    assert found["markdown 256"] == ["1,234", "205"]


def test_all_that_the_numbers_depend_on_is_told() -> None:
    """Corpus, search, seed, versions and machine, each beside its name; notes too."""
    *_, facts = body(USUAL).iter("dl")
    told = {text(name): text(value) for name, value in zip(facts[::2], facts[1::2], strict=True)}

    assert told == {
        "Corpus": "docs",
        "Files": "12 with 3,456 code points",
        "Questions": "40",
        "Sizes in": "tokens",
        "Embedder": "static",
        "Search": "by meaning (vectors)",
        "First chunks looked at (k)": "10",
        "Budget": "1,000 tokens of retrieved text",
        "Baseline": "recursive 512",
        "Seed": "7",
        "Versions": "chunkwright 0.1.0",
        "Machine": "processors: 2",
    }
    assert [text(note) for note in body(USUAL).iter("li")] == ["Questions were made of headings."]


def test_a_measure_that_is_not_known_has_its_column() -> None:
    """Under its own name, as a plain number, in a table of its own."""
    odd = row("text", 100, 0.5, facts={"time_of_day": 1234.5})

    assert cells(report(odd), "Other measures") == {
        "Strategy, size": ["Time of day"],
        "text 100": ["1,234"],
    }


def test_every_measure_without_questions_has_a_label_and_a_meaning() -> None:
    """What the evaluation counts is not among the others."""
    intrinsic = pytest.importorskip("chunkwright.evaluation.intrinsic")
    groups = naming.grouped(intrinsic.DEFINITIONS)

    assert groups.get(naming.OTHERS, []) == []
    assert all(naming.about(name, USUAL) for name in intrinsic.DEFINITIONS)


def test_other_depths_are_folded_and_say_how_deep_they_are() -> None:
    """`ndcg@5` has a table of its own, and is explained as `ndcg` of five."""
    scores = {"ndcg@5": estimate(0.4), "ndcg": estimate(0.5), "@5": estimate(0.6)}
    told = report(row("text", 100, 0.5, scores=scores, facts={}))
    (folded,) = body(told).iter("details")

    assert cells(told, "Other measures")["Strategy, size"] == ["@5"]
    assert [text(head) for head in folded.iter("th")][:2] == ["Strategy, size", "NDCG@5"]
    assert text(folded[0]) == "The same of the first 5"
    assert "0.400" in text(folded)
    assert naming.about("ndcg@5", told).startswith("How high right chunks stand among the first 5")


def test_without_questions_there_are_facts_and_histograms() -> None:
    """No scores, no plots of them, nothing said about retrieval."""
    bare = [msgspec.structs.replace(one, scores={}, against={}) for one in USUAL.rows]
    told = report(*bare, questions=0, embedder="", search="", baseline="", conclusion="")
    whole = text(body(told))

    assert text(body(told)[0]) == "How the files are cut, in 4 rows."
    assert "12 files, no questions." in whole
    assert "Scores" not in whole
    assert "Embedder" not in whole
    assert len(list(body(told).iter("svg"))) == 4
    assert cells(told, "Number and size")["recursive 512"] == ["1,234", "410"]


def test_a_report_of_one_row_and_of_none() -> None:
    """Nothing to compare is no reason to fail."""
    one = report(row("text", 100, 0.5), conclusion="text 100 is best: 0.500.")

    assert len(list(body(one).iter("svg"))) == 2
    assert text(body(report())[0]) == "How the files are cut, in 0 rows."


def test_what_was_not_measured_is_left_out_of_plots_and_marked_in_tables() -> None:
    """NaN and a missing size have no place; a row without a cap has a name."""
    missing = {RECALL: Estimate(nan, nan, nan)}
    told = report(
        row("text", None, 0.5, facts={"size_mean": nan}, sizes=()),
        row("text", 100, 0.5, scores=missing),
        row("text", 200, 0.6),
    )
    drawn = by_size(told, RECALL)

    assert cells(told, "Text that is found")["text 100"] == [naming.MISSING]
    assert cells(told, "Text that is found")["text no cap"] == ["0.500 0.480 to 0.520"]
    assert "text 200" in drawn.description
    assert "text 100" not in drawn.description
    assert "text none" not in drawn.description


def test_a_mean_size_is_taken_of_the_sizes_where_it_was_not_told() -> None:
    """What the histogram is drawn of tells it as well."""
    assert mean_size(row("text", 1, 0.5, facts={}, sizes=(1, 2, 6))) == 3
    assert mean_size(row("text", 1, 0.5, facts={}, sizes=())) is None


def test_sizes_are_told_in_words() -> None:
    """A median, and where most of them lie, for who sees no histogram."""
    told = sizes_told(row("text", 100, 0.5, sizes=tuple(range(1, 102))), "tokens")

    assert told == "101 chunks, median 51 tokens, eight in ten from 11 to 91."
    assert sizes_told(row("text", 100, 0.5, sizes=()), "tokens") == "No chunks."


def test_points_are_drawn_where_the_scores_are() -> None:
    """Recall against mean size: higher is higher, larger is farther right."""
    (plot,) = plots(USUAL)
    at = re.findall(r'translate\((\S+) (\S+)\)" d="[^"]*"><title>([^:]*): [^<]*</title>', plot.body)
    found = {name: (float(x), float(y)) for x, y, name in at}

    assert list(found) == ["markdown 256", "markdown 512", "recursive 256", "recursive 512"]
    assert found["markdown 256"][0] == found["recursive 256"][0] < found["recursive 512"][0]
    # The axis has its round numbers 0.55 and 0.85 at 284 and 30.
    assert found["markdown 512"][1] == pytest.approx(284 - (0.8 - 0.55) / 0.3 * 254, abs=0.1)


HOSTILE = (
    '</style></svg><script>alert("1")</script><img src=x onerror=alert(1)>&amp;\x1b[31m\x00\u202e'
)


def test_hostile_names_are_only_shown() -> None:
    """Markup, control characters and turned text in any name end up as text."""
    bad = row(HOSTILE, 100, 0.5, scores={RECALL: estimate(0.5), HOSTILE: estimate(0.1)})
    bad = msgspec.structs.replace(bad, facts={HOSTILE: 1.0, "size_mean": 5.0})
    told = report(
        bad,
        row("other", 100, 0.4, against={RECALL: UNCLEAR[RECALL], HOSTILE: WORSE[RECALL]}),
        corpus=HOSTILE,
        unit=HOSTILE,
        embedder=HOSTILE,
        search=HOSTILE,
        baseline=HOSTILE,
        conclusion=HOSTILE,
        versions={HOSTILE: HOSTILE},
        machine={HOSTILE: HOSTILE},
        notes=(HOSTILE,),
    )
    tags = {element.tag for element in body(told).iter()}

    assert tags & {"script", "img", "style"} == set()
    assert not [name for one in body(told).iter() for name in one.attrib if name[:2] == "on"]
    assert not re.search("[\x00\x1b\u202e]", written(told))
    assert "alert(" in text(body(told))


def test_the_page_loads_nothing_and_runs_nothing() -> None:
    """Links lead to the page itself; the policy in its head forbids the rest."""
    whole = written(USUAL)

    assert "default-src 'none'; style-src 'unsafe-inline'" in html.unescape(whole)
    assert not re.search(r"https?:|<script|<link|<iframe|src=|url\(|@import", whole)
    anchors = re.findall(r' id="([^"]*)"', whole)
    assert len(set(anchors)) == len(anchors)
    assert set(re.findall(r'href="#([^"]*)"', whole)) <= set(anchors)


def test_tables_and_plots_can_be_read_aloud() -> None:
    """Heads have scopes, tables captions, wide ones a label and the keyboard; plots a title and a
    description that exist."""
    main = body(USUAL)
    ids = {element.get("id") for element in main.iter()}

    assert {head.get("scope") for head in main.iter("th")} == {"row", "col"}
    assert all(table[0].tag == "caption" for table in main.iter("table"))
    regions = [element for element in main.iter() if element.get("role") in {"region", "img"}]
    assert len(regions) == 3 + 5
    for region in regions:
        assert set((region.get("aria-labelledby") or "").split()) <= ids
    assert all(one.get("tabindex") == "0" for one in regions if one.tag == "div")


NUMBERS = st.floats() | st.floats(0, 1)
NAMES = st.text(max_size=20) | st.sampled_from(
    [RECALL, "recall", "precision", "ndcg@5", "@", "k@x"]
)
ESTIMATES = st.builds(Estimate, NUMBERS, NUMBERS, NUMBERS)
ROWS = st.builds(
    Row,
    strategy=st.text(max_size=20),
    size=st.none() | st.integers(1, 9000),
    scores=st.dictionaries(NAMES, ESTIMATES, max_size=4),
    facts=st.dictionaries(NAMES | st.just("size_mean"), NUMBERS, max_size=4),
    sizes=st.lists(st.integers(0, 9000), max_size=9).map(tuple),
    against=st.dictionaries(
        NAMES,
        st.builds(Comparison, ESTIMATES, st.sampled_from(["better", "worse", "unclear"])),
        max_size=3,
    ),
)


@given(st.lists(ROWS, max_size=5), st.text(max_size=20), st.integers(0, 50))
def test_any_report_makes_a_whole_page(rows: list[Row], name: str, questions: int) -> None:
    """Whatever is in it: well-formed, each row in each table, no number missing in a plot."""
    told = report(*rows, corpus=name, unit=name, conclusion=name, questions=questions)
    main = body(told)

    for table in main.iter("table"):
        assert len(list(table.iter("tr"))) == len(rows) + 1
    for plot in main.iter("svg"):
        for element in plot.iter("path"):
            assert not re.search("nan|inf", f"{element.get('d')}{element.get('transform')}")


def test_sixty_rows_are_drawn_with_a_legend() -> None:
    """Fifteen strategies at four sizes: every name is in the legend of the plot."""
    many = [
        row(f"strategy-{number}", size, number / 20)
        for number in range(15)
        for size in (100, 200, 400, 800)
    ]
    (plot,) = plots(report(*many))

    assert len(re.findall(r'class="name ', plot.body)) == 15
    assert len(re.findall("<title>", plot.body)) == 60
    assert len(list(body(report(*many)).iter("figure"))) == 61
