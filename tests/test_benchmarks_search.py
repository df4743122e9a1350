"""The benchmarks of search: what is searched, what is asked, and how the page shows it."""

from __future__ import annotations

from pathlib import Path

from benchmark_rooms import CIRCUMSTANCES, load
from chunkwright import Index, chunk

page, corpora, retrieval = map(load, ("page", "search_corpora", "page.retrieval"))

SOURCE = "".join(
    f'def take_{name}(amount):\n    """Take {name} from the shelf."""\n    return amount\n\n\n'
    for name in ("apples", "pears", "plums")
)


def test_a_folder_is_filled_until_it_makes_enough_chunks(tmp_path: Path) -> None:
    """Two files are too few: they come again, some names in them changed, line by line alike."""
    source, place = tmp_path / "shop", tmp_path / "place"
    source.mkdir()
    for name in ("one.py", "two.py"):
        (source / name).write_text(SOURCE)
    (source / "notes.txt").write_text("not code")
    repeated = corpora.fill(place, [source], 5)
    files = sorted(place.rglob("*.py"))
    assert len(files) == 5
    assert repeated == 3
    with Index(place, False, index_dir=tmp_path / "index") as index:
        index.refresh()
        assert len(index.chunks()) >= 5
    copy = (place / "shop-1" / "one.py").read_text()
    assert copy != SOURCE
    assert len(copy.splitlines()) == len(SOURCE.splitlines())
    assert not list(place.rglob("*.txt"))


def test_queries_stand_in_the_chunks_and_come_again_the_same() -> None:
    """Names, documentation, stretches of text; at most twelve words, none twice."""
    chunks = list(chunk(SOURCE, path="shop.py", granularity="symbol"))
    asked = corpora.queries(chunks, 5)
    assert asked == corpora.queries(chunks, 5)
    assert len(set(asked)) == 5
    assert asked[0] in {"take_apples", "take_pears", "take_plums"}
    assert asked[1].startswith("Take ")
    assert all(0 < len(query.split()) <= 12 for query in asked)


def test_the_page_says_what_a_query_costs() -> None:
    """A table for each size, in multiples of the bare scan."""
    line = CIRCUMSTANCES | {"what": "search", "engine": "chunkwright", "size": 10, "chunks": 11}
    line |= {"repeated_files": 2, "dim": 384, "queries": 5, "ratio": 4.04, "late_ratio": 8.0}
    shown = page.page([line | {"milliseconds": 3.25, "late_milliseconds": 6.5}])
    assert "### 11 chunks" in shown
    assert "| **chunkwright** | 384 | 4.0 | 8.0 | 3.2 | 6.5 |" in shown


def test_the_page_says_what_is_retrieved_from_text() -> None:
    """Per cent; the index has a table of its own."""
    line = CIRCUMSTANCES | {"what": "retrieval of text", "chunker": "peer", "distribution": "p"}
    line |= {"model": "m", "size": 200, "overlap": 0, "unit": "chars", "chunks": 7}
    line |= {"mean_length": 150.2, "recall": 0.75, "precision": 0.05, "iou": 0.04}
    line |= {"precision_omega": 0.3}
    shown = page.page([line, line | {"chunker": "chunkwright Index", "size": 800}])
    assert "### Retrieval of text: m, 200 chars, overlap 0" in shown
    assert "| peer | 75.0 | 5.0 | 30.0 | 4.0 | 7 | 150 |" in shown
    assert "| m | 800 | 75.0 | 5.0 | 30.0 | 4.0 | 7 | 150 |" in shown


def test_the_page_says_what_a_signal_does_to_either_measure() -> None:
    """Also where one of them was not taken."""
    whole = {"engine": "chunkwright", "ndcg": 0.9, "recall_in_hits": 0.8, "chosen_by": 0.9}
    whole |= {"others": 0.9, "categories": {"symbol": 1.0}}
    without = whole | {"without": "saturation", "recall_in_hits": 0.7}
    old = {name: value for name, value in without.items() if name != "recall_in_hits"}
    shown = "\n".join(retrieval.of_code([whole, without, old]))
    assert "| saturation | 0.900 | 0.700 | 0.900 | 0.900 | 1.000 | +0.000 | -0.100 |" in shown
    assert "| saturation | 0.900 |  | 0.900 | 0.900 | 1.000 | +0.000 |  |" in shown


def test_the_page_says_what_an_index_costs() -> None:
    """A refresh, documents that are put, embedding late."""
    times = {"walk_and_stat": 9.0, "refresh": 12.06}
    refresh = {"what": "refresh", "files": 1000, "milliseconds": times}
    refresh |= {"refresh_to_walk_and_stat": 1.34, "refresh_to_own_walk": 1.1}
    refresh |= {"open_and_refresh_to_walk_and_stat": 2.0}
    entries = {"what": "entries", "work": "put_many", "seconds": 1.25, "of_files": 0.5}
    late = {"what": "late embedding", "contestant": "late 10", "ndcg": 0.92, "embedded": 120.0}
    late |= {"chunks": 540.4, "first_answer_seconds": 0.5, "question_seconds": 0.25}
    lines = [refresh, entries, late | {"all_seconds": 7.0}]
    shown = page.page([CIRCUMSTANCES | line for line in lines])
    assert "| 1,000 | 9.0 | 12.1 | 1.34 | 1.10 | 2.00 |" in shown
    assert "| put_many | 1.250 | 0.5000 |" in shown
    assert "| late 10 | 0.920 | 120 of 540 chunks | 0.5 | 0.25 | 7.0 |" in shown
