"""Signals by hand, and their fusion."""

from __future__ import annotations

from collections.abc import Container, Iterable
from math import fsum

import msgspec
import pytest

from chunkwright.ranking import Candidate, Query, rank
from chunkwright.ranking.places import STRETCH
from chunkwright.ranking.scoring import (
    FILE_BOOST,
    FULL_CHUNK,
    MEANING_WEIGHT,
    MOST_SATURATION,
    SATURATION,
    WORDS_WEIGHT,
)
from chunkwright.ranking.signals import (
    ASIDE_PENALTY,
    DEFINITION_BOOST,
    DEPTH_PENALTY,
    FEW_TERMS,
    FILE_NAME_BOOST,
    OTHER_SPELLING,
    PATH_BOOST,
    SUMMARY_BOOST,
    SYMBOL_BOOST,
    TEST_PENALTY,
    defines,
    in_depth,
    in_file_name,
    in_path,
    is_aside,
    is_summary,
    is_symbol,
    is_unasked_prose,
    is_unasked_test,
)
from chunkwright.ranking.words import Asked
from chunkwright.search.candidates import candidate
from chunkwright.types import Chunk, Hit


def ranked(query: Query, candidates: Iterable[Candidate], apart: Container[str] = ()) -> list[Hit]:
    return list(rank(query, candidates, apart))


def chunk(path: str = "a.py", start: int = 0, end: int = 10, *, is_test: bool = False) -> Chunk:
    text = path.ljust(end - start, "x")[: end - start]
    return Chunk(text, start, end, 1, 1, path=path, is_test=is_test)


def full_chunk(path: str, at: int) -> Candidate:
    """The `at`th of a row of chunks that crowd as much as any."""
    return Candidate(chunk(path, at * FULL_CHUNK, (at + 1) * FULL_CHUNK), words=1.0)


def lost(hits: Iterable[Hit]) -> list[float]:
    """The share of each score of 1 that saturation took."""
    whole = WORDS_WEIGHT * (1 + FILE_BOOST)
    return [round(-hit.reasons.get("saturation", 0.0) / whole, 4) for hit in hits]


def test_a_definition_counts_by_how_much_of_the_query_it_names() -> None:
    """All of it: 1; half of it: a quarter; a name with a part nobody asked for: nothing."""
    named = Candidate(chunk(), defines=(("read", "file"),))
    assert defines(Query(("readfile",), symbol="readfile"), named) == 1.0
    assert defines(Query(("read", "file")), named) == 1.0
    assert defines(Query(("read", "file", "line", "fast")), named) == 0.25
    assert defines(Query(("read",)), named) == 0.0


def test_a_path_counts_by_the_words_in_it() -> None:
    """A file's name fully, its folders half; a longer form of a word is the word."""
    candidate = Candidate(chunk(), file_words=("session",), folder_words=("server",))
    assert in_path(Query(("sessions",)), candidate) == 1.0
    assert in_path(Query(("session", "server")), candidate) == 0.75
    assert in_path(Query(("fog",)), candidate) == 0.0
    assert in_path(Query(()), candidate) == 0.0


def test_a_query_that_is_a_name_asks_for_its_definition() -> None:
    """Not for what defines a part of it: `session` is not what `ClientSession` asks for."""
    query = Query(("clientsession", "client", "session"), "ClientSession", "clientsession")
    parts = (("client", "session"),)
    spelled = Candidate(chunk(), defines=parts, spellings=("ClientSession",))
    assert is_symbol(query, spelled) == 1.0
    other = Candidate(chunk(), defines=parts, spellings=("client_session",))
    assert is_symbol(query, other) == OTHER_SPELLING
    part = Candidate(chunk(), defines=(("session",),))
    assert is_symbol(query, part) == 0.0
    assert defines(query, part) == pytest.approx(1 / 9)
    assert is_symbol(Query(("client", "session")), part) == 0.0


def test_a_file_counts_by_how_much_of_its_name_is_asked_for() -> None:
    """All of `routing.py`, half of `client_ws.py`, less in a long query; a file without a name in
    words: nothing."""
    query = Query(("client", "routes"))
    assert in_file_name(query, Candidate(chunk(), file_parts=("routing",))) == 1.0
    assert in_file_name(query, Candidate(chunk(), file_parts=("client", "ws"))) == 0.5
    assert in_file_name(query, Candidate(chunk())) == 0.0
    long = Query(("client", *("word",) * (2 * FEW_TERMS - 1)))
    assert in_file_name(long, Candidate(chunk(), file_parts=("client",))) == 0.5
    named = Query(("clientws", "client", "ws"), "ClientWs", "clientws")
    assert in_file_name(named, Candidate(chunk(), file_parts=("client",))) == 0.0
    assert in_file_name(named, Candidate(chunk(), file_parts=("client", "ws"))) == 1.0


def test_prose_loses_beside_code_unless_it_is_asked_for() -> None:
    """Among prose alone nothing changes."""
    manual = Candidate(msgspec.structs.replace(chunk("a.md"), kind="section"))
    code = Candidate(msgspec.structs.replace(chunk("a.py"), kind="code"))
    assert is_unasked_prose(Query(("fog",), among_code=True), manual) == -1.0
    assert is_unasked_prose(Query(("fog", "docs"), among_code=True), manual) == 0.0
    assert is_unasked_prose(Query(("fog",)), manual) == 0.0
    assert is_unasked_prose(Query(("fog",), among_code=True), code) == 0.0


def test_endings_do_not_make_another_word() -> None:
    """By stem, or by a common beginning of four letters."""
    assert Asked(("routing", "logic")).same("routes") == {"routing"}
    assert Asked(("authentication", "data")).same("auth") == {"authentication"}
    assert Asked(("auth", "authors")).same("authentication") == {"auth"}
    assert Asked(("logic", "logs")).same("log") == {"logs"}
    assert Asked(("date",)).same("data") == set()


def test_prose_loses_only_where_real_code_answers_too() -> None:
    """A manual stands before a test of the same thing."""
    manual = Candidate(msgspec.structs.replace(chunk("a.md"), kind="section"), words=1.0)
    test = Candidate(msgspec.structs.replace(chunk("b.py", is_test=True), kind="code"), words=1.0)
    code = Candidate(msgspec.structs.replace(chunk("c.py"), kind="code"), words=1.0)
    paths = [hit.chunk.path for hit in ranked(Query(("fog",)), [test, manual])]
    assert paths == ["a.md", "b.py"]
    paths = [hit.chunk.path for hit in ranked(Query(("fog",)), [test, manual, code])]
    assert paths[0] == "c.py"


def test_tests_lose_unless_they_are_asked_for() -> None:
    """By name of what they are."""
    test = Candidate(chunk(is_test=True))
    assert is_unasked_test(Query(("fog",)), test) == -1.0
    assert is_unasked_test(Query(("fog", "test")), test) == 0.0
    assert is_unasked_test(Query(("fog",)), Candidate(chunk())) == 0.0


def test_scores_are_sums_of_shares_best_first() -> None:
    """Words and meaning give the base, a definition adds its part of it."""
    plain = Candidate(chunk("a.py"), words=2.0)
    named = Candidate(chunk("b.py"), words=2.0, defines=(("fog",),), spellings=("fog",))
    hits = ranked(Query(("fog",), "fog", "fog"), [plain, named])
    assert [hit.chunk.path for hit in hits] == ["b.py", "a.py"]
    assert hits[0].reasons["definition"] == pytest.approx(DEFINITION_BOOST)
    assert hits[0].reasons["symbol"] == pytest.approx(SYMBOL_BOOST)
    for hit in hits:
        assert fsum(hit.reasons.values()) == pytest.approx(hit.score, abs=1e-9)


def test_equal_scores_are_ordered_by_id() -> None:
    """Whatever the order they come in."""
    candidates = [Candidate(chunk(f"{name}.py"), words=1.0) for name in "abcdef"]
    one = ranked(Query(("x",)), candidates)
    other = ranked(Query(("x",)), reversed(candidates))
    assert one == other
    assert [hit.chunk.id for hit in one] == sorted(hit.chunk.id for hit in one)


def test_overlapping_hits_of_a_file_are_one() -> None:
    """The better one stays; neighbours that share little stay both."""
    better = Candidate(chunk("a.py", 0, 100), words=2.0)
    inside = Candidate(chunk("a.py", 10, 90), words=1.0)
    beside = Candidate(chunk("a.py", 95, 200), words=1.0)
    hits = ranked(Query(("x",)), [inside, beside, better])
    assert [(hit.chunk.start, hit.chunk.end) for hit in hits] == [(0, 100), (95, 200)]


def test_kinds_that_stand_apart_are_no_place() -> None:
    """They neither displace what they overlap nor are displaced by it."""
    whole = Candidate(msgspec.structs.replace(chunk("a.py", 0, 100), kind="file"), words=2.0)
    pieces = [Candidate(chunk("a.py", at, at + 10), words=1.0 + at) for at in (0, 50)]
    assert len(ranked(Query(("x",)), [whole, *pieces])) == 2
    hits = ranked(Query(("x",)), [whole, *pieces], apart={"file"})
    assert sorted(hit.chunk.start for hit in hits) == [0, 0, 50]


def test_one_file_does_not_crowd_out_the_rest() -> None:
    """Further chunks of a file lose, the more of them the more."""
    many = [full_chunk("long.py", at) for at in range(6)]
    other = Candidate(chunk("other.py"), words=0.8)
    places = [hit.chunk.path for hit in ranked(Query(("x",)), [*many, other])]
    assert places.index("other.py") < 5


def test_each_share_is_what_its_constant_says() -> None:
    """One candidate with every signal, worked out by hand."""
    one = Candidate(
        chunk(is_test=True),
        words=3.0,
        meaning=0.5,
        defines=(("fog",),),
        spellings=("fog",),
        file_parts=("fog",),
        file_words=("fog",),
    )
    (hit,) = ranked(Query(("fog",), "fog", "fog"), [one])
    base = WORDS_WEIGHT + 0.5 * MEANING_WEIGHT
    raised = base * (
        1 + DEFINITION_BOOST + SYMBOL_BOOST + PATH_BOOST + FILE_NAME_BOOST - TEST_PENALTY
    )
    assert hit.reasons == {
        "words": WORDS_WEIGHT,
        "meaning": 0.5 * MEANING_WEIGHT,
        "definition": pytest.approx(base * DEFINITION_BOOST),
        "symbol": pytest.approx(base * SYMBOL_BOOST),
        "path": pytest.approx(base * PATH_BOOST),
        "file_name": pytest.approx(base * FILE_NAME_BOOST),
        "test": pytest.approx(-base * TEST_PENALTY),
        "file": pytest.approx(raised * FILE_BOOST),
    }


def test_words_count_in_proportion_and_an_opposite_meaning_counts_nothing() -> None:
    """The best BM25 score is the measure; a cosine below zero is no reason against."""
    candidates = [
        Candidate(chunk("a.py"), words=4.0),
        Candidate(chunk("b.py"), words=1.0, meaning=-0.9),
    ]
    best, other = ranked(Query(("x",)), candidates)
    assert best.reasons["words"] == WORDS_WEIGHT
    assert other.reasons["words"] == WORDS_WEIGHT / 4
    assert "meaning" not in other.reasons


def test_saturation_grows_by_each_chunk_to_a_limit() -> None:
    """The first loses nothing, the second a share, the last the most there is to lose."""
    losses = lost(ranked(Query(("x",)), [full_chunk("a.py", at) for at in range(8)]))
    assert losses == [round(min(MOST_SATURATION, SATURATION * at), 4) for at in range(8)]


def test_a_short_chunk_takes_less_from_those_after_it() -> None:
    """In proportion to its text: ten chunks of a tenth are one."""
    tenth = FULL_CHUNK // 10
    many = [Candidate(chunk("a.py", at * tenth, at * tenth + tenth), words=1.0) for at in range(11)]
    losses = lost(ranked(Query(("x",)), many))
    assert losses[:2] == [0.0, round(SATURATION / 10, 4)]
    assert losses[10] == SATURATION


def test_a_longer_form_of_a_short_word_is_another_word() -> None:
    """`test` is in `tests`, but `at` is not in `atlas`."""
    assert in_path(Query(("test",)), Candidate(chunk(), file_words=("tests",))) == 1.0
    assert in_path(Query(("at",)), Candidate(chunk(), file_words=("atlas",))) == 0.0


def test_hits_that_overlap_across_a_stretch_are_one() -> None:
    """Wherever in the file they lie, and however long they are."""
    for start in (STRETCH - 5, STRETCH, 7 * STRETCH - 1):
        better = Candidate(chunk("a.py", start, start + 10), words=2.0)
        around = Candidate(chunk("a.py", 0, 20 * STRETCH), words=1.0)
        assert len(ranked(Query(("x",)), [around, better])) == 1
    elsewhere = Candidate(chunk("b.py", STRETCH, STRETCH + 10), words=1.0)
    assert len(ranked(Query(("x",)), [elsewhere, better])) == 2


def test_a_file_of_very_many_chunks_is_ranked_in_linear_time() -> None:
    """Comparing each with each would take minutes."""
    many = [Candidate(chunk("a.py", at * 10, at * 10 + 10), words=1.0) for at in range(10_000)]
    assert len(ranked(Query(("x",)), many)) == 10_000


def test_nothing_to_rank_is_no_answer() -> None:
    """And asks for nothing."""
    assert ranked(Query(()), []) == []
    (hit,) = ranked(Query(()), [Candidate(chunk())])
    assert (hit.score, hit.reasons) == (0.0, {})


@pytest.mark.parametrize(
    ("path", "terms", "value"),
    [
        ("vendor/zlib/inflate.c", ("inflate",), -1),
        ("third_party/zlib/inflate.c", ("inflate",), -1),
        ("web/node_modules/left/pad.js", ("pad",), -1),
        ("examples/chat.go", ("chat", "server"), -1),
        ("examples/chat.go", ("example", "chat"), 0),
        ("proto/api_pb2.py", ("api",), -1),
        ("dist/app.min.js", ("app",), -1),
        ("src/vendoring.py", ("vendoring",), 0),
        ("src/min.py", ("least",), 0),
        ("src/server.py", ("server",), 0),
    ],
)
def test_what_stands_aside_comes_after_unless_asked_for(
    path: str, terms: tuple[str, ...], value: float
) -> None:
    """A copy, an example or a generated file is told by its path."""
    assert is_aside(Query(terms), candidate(chunk(path), 1.0, 0.0)) == value


def test_a_summary_counts_a_tenth_more() -> None:
    """The factor 1.1 for what sums a document up."""
    summary = msgspec.structs.replace(chunk("b.md"), kind="summary", is_summary=True)
    hits = ranked(Query(("x",)), [Candidate(chunk("a.md"), 1.0), Candidate(summary, 1.0)])
    assert [hit.chunk.path for hit in hits] == ["b.md", "a.md"]
    assert is_summary(Query(()), Candidate(summary)) * SUMMARY_BOOST == pytest.approx(0.1)


@pytest.mark.parametrize(("depth", "factor"), [(0, 1.0), (1, 1.0), (2, 0.98), (4, 0.94), (6, 0.9)])
def test_each_level_of_headings_takes_a_fiftieth(depth: int, factor: float) -> None:
    """The factor 1 - 0.02 (depth - 1)."""
    section = msgspec.structs.replace(chunk("a.md"), kind="section", depth=depth)
    value = 1 + in_depth(Query(()), Candidate(section)) * DEPTH_PENALTY
    assert value == pytest.approx(factor)


def test_the_penalty_for_what_stands_aside_is_a_part_of_the_base() -> None:
    """Its share is told with the others."""
    (hit,) = ranked(Query(("x",)), [candidate(chunk("vendor/a.py"), 1.0, 0.0)])
    assert hit.reasons["aside"] == pytest.approx(-ASIDE_PENALTY * hit.reasons["words"])
