"""A whole evaluation, with a deterministic embedder: what is asked, found, compared and told."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
import pytest

import chunkwright as cw
from chunkwright.embedding.hashing import HashingEmbedder
from chunkwright.errors import ConfigError, EmbedError
from chunkwright.evaluation import Question, Reference, Report
from chunkwright.evaluation.corpus import of_texts
from chunkwright.evaluation.making import BLANKED, NOTES, OF_ALL, make_questions
from chunkwright.evaluation.remembering import RememberingEmbedder
from chunkwright.evaluation.running import evaluate
from chunkwright.evaluation.strategies import of_factory

TOPICS = ("anchor", "berth", "cargo", "draught", "engine", "ferry", "galley", "hull")

MANUAL = "# Manual\n\nKeep it dry.\n\n" + "\n".join(
    f"## The {topic}\n\nWhoever looks after the {topic} reads this first.\n\n"
    f"The {topic} is checked on days of the letter {topic[0]}.\n"
    for topic in TOPICS
)
TEXTS = {"manual.md": MANUAL, "log.txt": "Fog at noon. The horn was heard.\n" * 30}


def questions() -> list[Question]:
    found = []
    for topic in TOPICS:
        start = MANUAL.index(f"## The {topic}\n")
        end = MANUAL.index(f"letter {topic[0]}.", start) + len("letter x.")
        found.append(Question(f"looks after the {topic}", (Reference("manual.md", start, end),)))
    return found


class Recorder(HashingEmbedder):
    """Remembers the texts it was given."""

    def __init__(self) -> None:
        super().__init__(dim=256)
        self.seen: list[str] = []

    def embed(self, texts: Sequence[str], /) -> npt.NDArray[np.float32]:
        self.seen += texts
        return super().embed(texts)


def run(**options: Any) -> Report:
    given = {
        "strategies": "auto,lines",
        "sizes": (120, 400),
        "unit": "chars",
        "embedder": HashingEmbedder(256),
        "budget": 300,
    }
    return evaluate(TEXTS, questions(), **{**given, **options})


def without_times(report: Report) -> bytes:
    rows = [
        msgspec.structs.replace(
            row, facts={name: value for name, value in row.facts.items() if "seconds" not in name}
        )
        for row in report.rows
    ]
    return msgspec.json.encode(msgspec.structs.replace(report, rows=tuple(rows)))


# the report


def test_a_report_says_what_was_done() -> None:
    """A row for every strategy and size, in order, and the circumstances."""
    report = run(baseline="lines:400", k=3, seed=7)

    assert [row.name for row in report.rows] == ["auto 120", "auto 400", "lines 120", "lines 400"]
    assert (report.files, report.code_points) == (2, sum(map(len, TEXTS.values())))
    assert (report.questions, report.unit, report.embedder) == (8, "chars", "hashing-256")
    assert (report.search, report.k, report.budget, report.seed) == ("vectors", 3, 300, 7)
    assert report.baseline == "lines 400"
    assert report.versions["chunkwright"] == cw.__version__
    assert report.machine["processors"]
    for row in report.rows:
        assert row.facts["chunks"] == len(row.sizes)
        assert row.facts["size_mean"] == sum(row.sizes) / len(row.sizes)
        assert row.size is not None
        assert max(row.sizes) <= row.size
        assert all(
            0 <= score.low <= score.value <= score.high <= 1 for score in row.scores.values()
        )


def test_the_same_question_gets_the_same_report() -> None:
    """But for seconds; and it survives JSON."""
    report = run()
    assert without_times(run()) == without_times(report)
    assert msgspec.json.decode(msgspec.json.encode(report), type=Report) == report


def test_sections_answer_what_was_written_of_them() -> None:
    """A cut by headings finds each section with one chunk: recall is full, the rest is right."""
    report = run(strategies="markdown", sizes=(200,), k=1)
    scores = report.rows[0].scores
    assert report.conclusion.startswith("markdown 200 has a recall within 300 chars of")
    assert (scores["recall"].value, scores["mrr"].value, scores["hit_rate"].value) == (1, 1, 1)
    assert scores["precision"].value == scores["precision_omega"].value == 1


def test_every_row_is_compared_with_the_baseline() -> None:
    """But itself; without a baseline the best row is it."""
    report = run()
    best = max(report.rows, key=lambda row: row.scores["budget_recall"].value)
    assert report.baseline == best.name
    for row in report.rows:
        assert set(row.against) == (set() if row is best else set(row.scores))
    assert report.conclusion.startswith(best.name)
    assert "The next, " in report.conclusion

    named = run(baseline="lines:120")
    assert named.baseline == "lines 120"
    assert named.rows[0].against["recall"].verdict in {"better", "worse", "unclear"}
    assert "The next and the baseline, lines 120, is behind by" in named.conclusion


def test_a_difference_of_nothing_is_inside_the_noise() -> None:
    """Two names for one cut: unclear in every measure, and said so."""
    report = run(strategies="markdown,markdown:merge_small=false", sizes=(200,))
    assert {found.verdict for found in report.rows[1].against.values()} == {"unclear"}
    both = "markdown 200 and markdown:merge_small=false 200 have the same recall within 300 chars"
    assert report.conclusion.startswith(both)
    assert " behind " not in report.conclusion


def test_the_best_row_is_named_and_how_far_the_next_is_behind() -> None:
    """Of rows that share the best mean none is called best, and the next is the one below them."""
    apart = run(strategies="auto,lines", sizes=(120,)).conclusion
    assert apart.startswith("auto 120 is best by recall within 300 chars of retrieved text: 1.000")
    assert "The next, lines 120, is behind by 0.071" in apart
    tied = run(strategies="auto,markdown,markdown:merge_small=false,lines", sizes=(120,)).conclusion
    assert tied.startswith("auto 120, markdown 120 and 1 more have the same recall within 300")
    assert "The next, lines 120, is behind by 0.071" in tied


def test_notes_say_what_the_numbers_cannot_show() -> None:
    """Few questions, and questions that were made of what they ask for."""
    notes = run().notes
    assert any("fewer than 50 questions" in note for note in notes)
    made = [msgspec.structs.replace(one, origin="heading") for one in questions()]
    told = evaluate(TEXTS, made, embedder=HashingEmbedder(8)).notes
    assert {NOTES["heading"], OF_ALL} <= set(told)


def test_a_budget_that_holds_everything_is_told() -> None:
    """Whatever is found first, all of it is affordable: rows are not told apart."""
    said = "The budget of 5,000 chars has room for all there is"
    assert any(note.startswith(said) for note in run(budget=5000).notes)
    assert not any("has room for all" in note for note in run().notes)
    assert not any("has room for all" in note for note in run(budget=5000, embedder=False).notes)


def test_documentation_that_questions_were_made_of_is_not_there_to_be_found() -> None:
    """It is blanked, which is noted; other texts stay as they are."""
    source = {"ship.py": 'def moor(ship):\n    """Tie the ship up."""\n    x = 1\n    return x\n'}
    made = make_questions(source, kinds=["docstring"]).questions
    embedder = Recorder()
    report = evaluate(source, made, strategies="auto", sizes=(100,), embedder=embedder)
    assert BLANKED in report.notes
    assert not any("Tie the ship up." in text for text in embedder.seen if "moor" in text)
    assert report.rows[0].scores["precision_omega"].value > 0


# without questions, without an embedder


def test_an_embedder_that_is_none_is_refused_without_questions_too() -> None:
    """A name that is mistyped is told at once, not when there are questions."""
    with pytest.raises(ConfigError, match="embedders are"):
        evaluate(TEXTS, embedder="nope")
    with pytest.raises(ConfigError, match="words where there is no embedder"):
        evaluate(TEXTS, embedder=False, search="both")


def test_without_questions_only_the_cuts_are_measured() -> None:
    """Nothing is embedded, nothing concluded."""
    embedder = Recorder()
    report = evaluate(TEXTS, strategies="auto", sizes=(120, None), unit="chars", embedder=embedder)

    assert embedder.seen == []
    assert [row.name for row in report.rows] == ["auto 120", "auto none"]
    assert [row.scores for row in report.rows] == [{}, {}]
    assert (report.embedder, report.search, report.baseline, report.conclusion) == ("", "", "", "")
    assert any("nothing here tells how well answers are found" in note for note in report.notes)


def test_without_an_embedder_the_best_that_cuts_allow_is_left() -> None:
    """PrecisionOmega is about cuts alone, and decides then."""
    report = run(embedder=False)
    assert all(set(row.scores) == {"precision_omega"} for row in report.rows)
    assert (report.embedder, report.search) == ("", "")
    assert "have the same PrecisionOmega, and none a better one: 1.000" in report.conclusion


def test_every_cut_is_described_too() -> None:
    """What needs no question is told in any case; what needs vectors, unless none may be made."""
    for asked in ([], questions()):
        with_vectors, without = (
            evaluate(TEXTS, asked, strategies="auto", sizes=(120,), unit="chars", embedder=embedder)
            for embedder in (HashingEmbedder(64), False)
        )
        facts = with_vectors.rows[0].facts
        assert facts["sections_whole"] == 1
        assert 0 <= facts["boundary_strength"] <= 1
        assert "kept_after_edit_in_middle" in facts
        assert set(facts) - set(without.rows[0].facts) == {
            "boundary_strength",
            *(("embed_tokens", "embed_seconds") if asked else ()),
        }


def test_a_document_that_could_not_be_cut_is_described_as_uncut() -> None:
    """Its row is there, with a note."""

    def split(text: str) -> list[str]:
        if "Manual" in text:
            raise RuntimeError("no manuals")
        return text.splitlines()

    report = run(strategies=[of_factory("mine", lambda size: split)], sizes=(120,))
    assert report.rows[0].facts["sections_whole"] == 0
    assert report.rows[0].scores["file_recall"].value == 0
    assert report.notes[0] == "mine 120 made no chunks of manual.md (RuntimeError: no manuals)."


# how chunks are found


@pytest.mark.parametrize("search", ["words", "both"])
def test_an_index_finds_what_it_finds_for_users(search: str, tmp_path: Path) -> None:
    """The order of chunks is that of an index of the folder with the same options."""
    for path, text in TEXTS.items():
        (tmp_path / path).write_text(text, "utf-8")
    embedder = False if search == "words" else HashingEmbedder(256)
    report = evaluate(
        tmp_path, questions(), strategies="auto", sizes=(200,), unit="chars", search=search,
        embedder=embedder or HashingEmbedder(256), k=3,
    )  # fmt: skip
    with cw.Index(tmp_path, embedder=embedder, config={"size": 200, "overlap": 0}) as index:
        index.refresh()
        assert len(index.chunks()) == report.rows[0].facts["chunks"]
        ranks = [_rank(index, one) for one in questions()]
    expected = sum(1 / rank if rank else 0 for rank in ranks) / len(ranks)
    assert report.rows[0].scores["mrr"].value == pytest.approx(expected)
    assert report.embedder == ("" if search == "words" else "hashing-256")
    assert not (tmp_path / ".chunkwright" / "eval").exists()


def _rank(index: cw.Index, question: Question) -> int:
    (wanted,) = question.references
    hits = index.search(question.text, k=100)
    chunks = [chunk for hit in hits for chunk in (hit.chunk, *hit.merged)]
    for rank, chunk in enumerate(chunks, start=1):
        if chunk.path == wanted.path and chunk.start < wanted.end and wanted.start < chunk.end:
            return rank
    return 0


def test_a_splitter_of_others_is_ranked_by_an_index_too() -> None:
    """Its chunks are in the index as they are."""
    mine = of_factory("mine", lambda size: lambda text: text.split("\n\n"))
    report = run(strategies=["auto", mine], sizes=(200,), search="words")
    assert report.rows[1].scores["hit_rate"].value > 0.5


def test_a_corpus_of_any_files_can_be_asked_as_an_index(tmp_path: Path) -> None:
    """Settings, ignore files and what looks like a secret are documents like others here."""
    corpus = {"chunkwright.toml": "embedder = 3\n", ".gitignore": "*.md\n", "a.md": "# Horn\n"}
    asked = [Question("horn", (Reference("a.md", 0, 6),))]
    report = evaluate(corpus, asked, strategies="auto", sizes=(100,), search="words")
    assert report.rows[0].scores["mrr"].value == 1


# what is embedded


def test_each_text_is_embedded_once_for_all_rows() -> None:
    """Rows share what they have in common, and each is told what it would cost alone."""
    embedder = Recorder()
    report = run(embedder=embedder, strategies="auto,markdown", sizes=(400,))

    assert len(embedder.seen) == len(set(embedder.seen))
    for row in report.rows:
        assert row.facts["embed_tokens"] > 0
        assert row.facts["embed_seconds"] > 0


class TwoSided(Recorder):
    """Puts queries to another side than documents."""

    max_tokens = 12
    special_tokens = 2

    def __init__(self) -> None:
        super().__init__()
        self.queries: list[str] = []

    def embed_query(self, texts: Sequence[str], /) -> npt.NDArray[np.float32]:
        self.queries += texts
        return HashingEmbedder(256).embed(texts)


def test_queries_are_put_to_their_own_side_once() -> None:
    """However many rows ask them."""
    embedder = TwoSided()
    run(embedder=embedder)
    assert len(embedder.queries) == len(set(embedder.queries)) == len(TOPICS)


def test_chunks_that_are_not_read_whole_are_noted() -> None:
    """The embedder reads their beginnings only."""
    notes = run(embedder=TwoSided(), strategies="lines", sizes=(400,)).notes
    assert any("are longer than the embedder reads" in note for note in notes)


class Broken(HashingEmbedder):
    """Is down, or cannot take one text."""

    def __init__(self, refused: str) -> None:
        super().__init__(64)
        self._refused = refused

    def embed(self, texts: Sequence[str], /) -> npt.NDArray[np.float32]:
        if any(self._refused in text for text in texts):
            raise RuntimeError("refused")
        return super().embed(texts)


def test_an_embedder_that_is_down_ends_it() -> None:
    """And one that refuses a text costs that text."""
    with pytest.raises(EmbedError, match="down"):
        run(embedder=Broken(""))
    report = run(embedder=Broken("the letter a"), strategies="markdown", sizes=(200,))
    assert any("1 of the" in note and "are never found" in note for note in report.notes)
    assert report.rows[0].scores["mrr"].value == 7 / 8


def test_nothing_is_found_for_a_question_without_meaning() -> None:
    """Equal cosines of 0 would give it the first chunks there are."""
    asked = [Question(text, (Reference("a.txt", 0, 4),)) for text in ("horn", "???")]
    embedder = HashingEmbedder(64)
    report = evaluate({"a.txt": "horn"}, asked, strategies="text", sizes=(9,), embedder=embedder)
    assert report.rows[0].scores["mrr"].value == 1 / 2


def test_a_remembering_embedder_is_the_one_it_remembers() -> None:
    """Same vectors, same attributes, the same text once."""
    own = TwoSided()
    remembering = RememberingEmbedder(own)
    texts = ["one two", "three", "one two"]
    np.testing.assert_array_equal(remembering.embed(texts), HashingEmbedder(256).embed(texts))
    remembering.embed(texts)
    assert own.seen == ["one two", "three"]
    assert (remembering.max_tokens, remembering.dim, remembering.name) == (12, 256, own.name)
    assert remembering.embed([]).shape == (0, 256)
    cost = remembering.cost(texts)
    assert cost.tokens == 3
    assert cost.seconds > 0


# progress and refusals


def test_a_strategy_that_does_not_fit_is_known_before_anything_is_embedded() -> None:
    """Wherever it stands."""
    embedder = Recorder()
    with pytest.raises(ConfigError, match="keep_separator"):
        run(strategies="auto,recursive:keep_separatr=true", embedder=embedder)
    assert embedder.seen == []


def test_progress_tells_of_every_stage() -> None:
    """Stages, and how far each is, in order."""
    told: list[tuple[str, int, int, str]] = []
    run(progress=lambda *one: told.append(one), strategies="auto", sizes=(120, 400))

    assert [one for one in told if one[0] == "rows"] == [
        ("rows", 0, 2, "auto 120"),
        ("rows", 1, 2, "auto 400"),
        ("rows", 2, 2, ""),
    ]
    chunks = [done for stage, done, total, _ in told if stage == "embed" and done == total]
    assert len(chunks) == 2
    assert ("ask", 8, 8, "auto 400") in told


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"sizes": ()}, "different whole numbers"),
        ({"sizes": (0,)}, "1 or more"),
        ({"sizes": (100, 100)}, "different whole numbers"),
        ({"sizes": "100"}, "different whole numbers"),
        ({"unit": "tokenz"}, "^unit="),
        ({"overlap": -1}, "0 or more"),
        ({"k": 0}, "1 or more"),
        ({"budget": 0}, "1 or more"),
        ({"seed": -1}, "0 or more"),
        ({"search": "vector"}, "did you mean 'vectors'"),
        ({"search": "both", "embedder": False}, "words where there is no embedder"),
        ({"embedder": "statik"}, "did you mean 'static'"),
        ({"baseline": "auto"}, "one of the rows: auto:120, auto:400, lines:120, lines:400"),
        ({"baseline": "auto:7"}, "one of the rows"),
    ],
)
def test_what_cannot_be_meant_is_refused(options: dict[str, Any], said: str) -> None:
    """By the option's name, with what is allowed."""
    with pytest.raises(ConfigError, match=said):
        run(**options)


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ((), "at least one reference"),
        ((Reference("gone.md", 0, 1),), "files of the corpus"),
        ((Reference("log.txt", 0, 10_000),), "places in the"),
        ((Reference("log.txt", 3, 3),), "places in the"),
    ],
)
def test_questions_without_an_answer_here_are_refused(
    reference: tuple[Reference, ...], said: str
) -> None:
    """Before anything is cut."""
    with pytest.raises(ConfigError, match=said):
        evaluate(of_texts(TEXTS), [Question("horn", reference)])
