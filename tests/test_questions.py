"""Files of questions: each way to say where an answer stands, each mistake with its remedy."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright.errors import ConfigError, ParseError, PathError
from chunkwright.evaluation.nouns import Question, Reference
from chunkwright.evaluation.questions import read_questions, write_questions

DATA = Path(__file__).parent / "data" / "questions"

GUIDE = "# Guide\r\n\r\nBread is baked 🍞 at 230 °C.\r\nWait.\r\n\r\nWait.\r\n"
CODE = "def rise():\n\treturn 'naïve'\n\ndef bake():\n    return 230"
CORPUS = {"docs/guide.md": GUIDE, "src/oven.py": CODE, "empty.md": ""}

WAIT = GUIDE.index("Wait.")


def written(folder: Path, content: str | bytes, name: str = "questions.jsonl") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def asked(folder: Path, *records: object) -> list[Question]:
    lines = "".join(json.dumps(record) + "\n" for record in records)
    return read_questions(written(folder, lines), CORPUS)


def texts(question: Question) -> list[str]:
    """The stretches that answer a question."""
    return [CORPUS[one.path][one.start : one.end] for one in question.references]


def mistake(folder: Path, record: object) -> str:
    """What is said of one record."""
    with pytest.raises(ParseError) as error:
        asked(folder, record)
    return str(error.value)


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ({"path": "src/oven.py", "start": 4, "end": 8}, "rise"),
        ({"path": "src/oven.py", "start_line": 1, "end_line": 2}, CODE[: CODE.index("\n\ndef")]),
        ({"path": "docs/guide.md", "start_line": 3}, "Bread is baked 🍞 at 230 °C."),
        ({"path": "docs/guide.md", "quote": "🍞 at"}, "🍞 at"),
        ({"quote": "'naïve'"}, "'naïve'"),
        ({"path": "docs/guide.md", "quote": "Wait.", "occurrence": 2}, "Wait."),
        ({"path": "src/oven.py"}, CODE),
        ({"path": "./src\\oven.py", "start": 0, "end": 3}, "def"),
        ({"corpus_id": "oven", "content": "bake", "start_index": 33, "end_index": 37}, "bake"),
    ],
)
def test_a_reference_is_said_in_one_of_several_ways(
    tmp_path: Path, place: dict[str, object], text: str
) -> None:
    """Offsets, lines, a quote, a whole file, or a file's name: each is the stretch it means."""
    (question,) = asked(tmp_path, {"question": "How?", **place})
    assert texts(question) == [text]


def test_a_question_has_its_id_and_all_its_references(tmp_path: Path) -> None:
    """A list holds references of any kind; what is said once beside it holds for each."""
    record = {
        "query": "How long?",
        "id": 7,
        "origin": "heading",
        "path": "docs/guide.md",
        "references": [{"start": 0, "end": 1}, {"quote": "230"}, {"path": "src/oven.py"}],
    }
    (question,) = asked(tmp_path, record)
    assert (question.text, question.id, question.origin) == ("How long?", "7", "heading")
    assert texts(question) == ["#", "230", CODE]


def test_an_occurrence_is_the_one_that_is_counted(tmp_path: Path) -> None:
    """Occurrences of a quote are counted from 1."""
    places = [{"path": "docs/guide.md", "quote": "Wait.", "occurrence": n} for n in (1, 2)]
    (question,) = asked(tmp_path, {"text": "When?", "references": places})
    first, second = question.references
    assert first.start == WAIT
    assert second.start == GUIDE.rindex("Wait.")


def test_files_of_other_tools_are_read(tmp_path: Path) -> None:
    """Relevant and secondary paths, with or without lines, below the folder of their repository."""
    record = {
        "repo": "src",
        "query": "oven",
        "category": "symbol",
        "relevant": ["oven.py", {"path": "oven.py", "start_line": 1, "end_line": 1}],
        "secondary": ["docs/guide.md"],
    }
    (question,) = asked(tmp_path, record)
    assert texts(question) == [CODE, "def rise():", GUIDE]


def test_a_table_of_span_lists_is_read_with_its_texts_checked() -> None:
    """The columns question, references and corpus_id: offsets whose text is given, too."""
    corpus = {"corpora/oven.py": CODE, "guide.md": GUIDE}
    first, second = read_questions(DATA / "spans.csv", corpus)
    assert first == Question(
        "What rises,\nand why?",
        (Reference("corpora/oven.py", 4, 8), Reference("corpora/oven.py", 33, 37)),
    )
    assert second == Question("When?", (Reference("guide.md", WAIT, WAIT + 5),))


def test_rows_of_one_id_or_one_text_are_one_question() -> None:
    """A table has a row for each reference; floats of whole numbers and empty cells are read."""
    first, second, third = read_questions(DATA / "rows.csv", CORPUS)
    assert (first.id, first.text, texts(first)) == ("a", "How hot?", ["230", "def rise():"])
    assert (second.id, second.text, texts(second)) == ("", "How long?", ["Wait.", CODE])
    assert (third.id, texts(third)) == ("b", ["#"])


def test_a_byte_order_mark_and_blank_lines_are_passed_over(tmp_path: Path) -> None:
    """Files as other systems write them: a mark, CRLF, no final line end, a separator in text."""
    line = '{"question": "a\u2028b", "path": "src/oven.py"}'
    file = written(tmp_path, b"\xef\xbb\xbf" + f"\r\n{line}\r\n \r\n{line}".encode())
    assert [one.text for one in read_questions(file, CORPUS)] == ["a\u2028b", "a\u2028b"]


@pytest.mark.parametrize(
    ("record", "says"),
    [
        ({"path": "src/oven.py"}, ["no question is asked"]),
        ({"question": " \n", "path": "src/oven.py"}, ["`question` is", "give `question` a text"]),
        ({"question": 5, "path": "src/oven.py"}, ["`question` is 5"]),
        ({"question": "a", "text": "b", "path": "src/oven.py"}, ["given twice"]),
        ({"question": "a", "id": 1.5, "path": "src/oven.py"}, ["`id` is 1.5"]),
        ({"question": "a", "origin": 1, "path": "src/oven.py"}, ["`origin` is 1"]),
        ({"question": "a"}, ["nothing says where the answer stands"]),
        ({"question": "a", "references": []}, ["nothing says where the answer stands"]),
        ({"question": "a", "references": "b"}, ['`references` is "b"', "list of paths"]),
        ({"question": "a", "references": [3]}, ["a reference is 3"]),
        ({"question": "a", "references": [{}]}, ["neither a path nor a quote"]),
        ({"question": "a", "references": [{"pth": "b"}]}, ['"pth"', "did you mean `path`?"]),
        ({"question": "a", "references": ["empty.md"]}, ["empty.md is empty"]),
        ({"question": "a", "quote": "230", "references": ["x"]}, ["given beside a list"]),
        ({"question": "a", "pasth": "b"}, ['"pasth" is not known', "did you mean `path`?"]),
        ({"question": "a", "path": 1}, ["`path` is 1", "give text"]),
        ({"question": "a", "path": "oven.py"}, ['"oven.py"', 'did you mean "src/oven.py"?']),
        ({"question": "a", "path": "docs/giude.md"}, ['did you mean "docs/guide.md"?']),
        ({"question": "a", "corpus_id": "ovn"}, ['did you mean "oven"?']),
        ({"question": "a", "path": "src/oven.py", "start": True, "end": 2}, ["`start` is True"]),
        ({"question": "a", "path": "src/oven.py", "start": "4", "end": 8}, ["a whole number"]),
        ({"question": "a", "path": "src/oven.py", "start": 4}, ["no `end`"]),
        ({"question": "a", "path": "src/oven.py", "end": 4}, ["no `start`"]),
        ({"question": "a", "path": "src/oven.py", "start": 8, "end": 8}, ["start 8 and end 8"]),
        ({"question": "a", "path": "src/oven.py", "start": -1, "end": 8}, ["0 <= start < end"]),
        ({"question": "a", "path": "src/oven.py", "start": 1, "end": 999}, ["55 code points"]),
        ({"question": "a", "path": "src/oven.py", "start_line": 0}, ["it has 5 lines"]),
        ({"question": "a", "path": "src/oven.py", "end_line": 2}, ["no `start_line`"]),
        ({"question": "a", "path": "docs/guide.md", "start_line": 7}, ["it has 6 lines"]),
        ({"question": "a", "path": "docs/guide.md", "start_line": 2}, ["are empty"]),
        ({"question": "a", "path": "src/oven.py", "start": 1, "start_line": 1}, ["both offsets"]),
        ({"question": "a", "quote": "a", "start_line": 1}, ["both lines and a quote"]),
        ({"question": "a", "path": "src/oven.py", "occurrence": 1}, ["without a quote"]),
        ({"question": "a", "quote": " "}, ["the quote is blank"]),
        (
            {"question": "a", "path": "src/oven.py", "start": 4, "end": 8, "quote": "bake"},
            ['has "rise" at 4 to 8, not "bake"', "it stands at 33 to 37"],
        ),
    ],
)
def test_a_mistake_is_told_with_its_question_and_a_remedy(
    tmp_path: Path, record: object, says: list[str]
) -> None:
    """Whatever is wrong with a record: the file, the line and what would be right are named."""
    told = mistake(tmp_path, record)
    assert told.startswith(f"{tmp_path / 'questions.jsonl'}:1: ")
    for part in says:
        assert part in told


def test_an_ambiguous_quote_names_the_places(tmp_path: Path) -> None:
    """Where a quote stands several times, the error says where, and how to tell them apart."""
    told = mistake(tmp_path, {"question": "When?", "quote": "Wait."})
    assert 'question "When?": the quote "Wait." stands in several places' in told
    assert "docs/guide.md line 4, docs/guide.md line 6" in told
    assert "give `path`, give more of the text, or `occurrence`" in told


def test_many_places_of_a_quote_are_not_all_named(tmp_path: Path) -> None:
    """Five places are enough to see what is wrong."""
    told = mistake(tmp_path, {"question": "Which?", "path": "src/oven.py", "quote": "e"})
    assert told.count("src/oven.py line") == 5
    assert "and elsewhere" in told


def test_an_occurrence_that_is_not_there_says_how_many_are(tmp_path: Path) -> None:
    """A number past the last, or below the first, is no occurrence."""
    for number in (0, 3):
        record = {"question": "When?", "quote": "Wait.", "occurrence": number}
        assert "counted from 1; there are 2" in mistake(tmp_path, record)


def test_a_quote_that_differs_in_white_space_says_where_it_would_stand(tmp_path: Path) -> None:
    """A quote is located exactly; the error names what it may have been copied from."""
    told = mistake(tmp_path, {"question": "How?", "quote": "230 °C.\nWait.", "path": "src/oven.py"})
    assert "does not stand in src/oven.py" in told
    assert "but for white space it stands in docs/guide.md, lines 3 to 4" in told


def test_a_quote_of_another_document_says_which(tmp_path: Path) -> None:
    """A wrong path beside a right quote is the likelier mistake."""
    told = mistake(tmp_path, {"question": "How?", "quote": "naïve", "path": "docs/guide.md"})
    assert "it stands in src/oven.py, line 2: correct `path`" in told


def test_a_missing_quote_is_shown_in_short(tmp_path: Path) -> None:
    """A quote that is nowhere is named, 200 characters of it at most."""
    told = mistake(tmp_path, {"question": "How?", "quote": "x" * 5000})
    assert f'"{"x" * 199}…" does not stand in any document' in told
    assert len(told) < 500 + len(str(tmp_path))


def test_white_space_answers_nothing(tmp_path: Path) -> None:
    """Chunks may leave it out: it could not be found, whatever the cut."""
    blank = CORPUS["docs/guide.md"].index("\r\n\r\n")
    for place in ({"start": blank, "end": blank + 4}, {"start_line": 5, "end_line": 5}):
        told = mistake(tmp_path, {"question": "How?", "path": "docs/guide.md", **place})
        assert "white space" in told or "are empty" in told


def test_a_mistake_takes_one_line(tmp_path: Path) -> None:
    """Line ends of what it shows are written as escapes."""
    told = mistake(tmp_path, {"question": "How\r\nso?", "quote": "no\nsuch"})
    assert len(told.splitlines()) == 1
    assert r'"How\r\nso?"' in told
    assert r'"no\nsuch"' in told


def test_all_mistakes_are_told_together(tmp_path: Path) -> None:
    """Not one a run: each with its line, and those of one question all."""
    bad = {"question": "A?", "references": [{"quote": "nowhere"}, "none.md"]}
    with pytest.raises(ParseError) as error:
        asked(tmp_path, bad, {"question": "B?", "path": "src/oven.py"}, {"question": "C?"})
    lines = str(error.value).splitlines()
    assert [line.partition(".jsonl:")[2][:1] for line in lines] == ["1", "1", "3"]
    assert error.value.line == 1


def test_reading_stops_after_ten_mistakes(tmp_path: Path) -> None:
    """A wrong file is not told line by line to its end."""
    with pytest.raises(ParseError) as error:
        asked(tmp_path, *[{"question": f"{n}?", "path": "none"} for n in range(30)])
    lines = str(error.value).splitlines()
    assert len(lines) == 11
    assert lines[-1] == "reading stopped after 10 mistakes; there may be more"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "holds no question"),
        ("\n\n", "holds no question"),
        ("{'question': 1}", "no valid JSON"),
        ("[" * 100_000, "no valid JSON"),
        ('{"question": "\\ud800", "path": "src/oven.py"}', "no valid JSON"),
        ('["a"]', "no JSON object"),
        (b'\n{"question": "\xff"}', ":2: it is not UTF-8"),
    ],
)
def test_a_broken_file_is_told(tmp_path: Path, content: str | bytes, says: str) -> None:
    """What is no JSON, no UTF-8, or nothing at all."""
    with pytest.raises(ParseError, match=r".") as error:
        read_questions(written(tmp_path, content), CORPUS)
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ("", ":1: the file holds no question"),
        ("question,path\n", ":1: the file holds no question"),
        ("question,pth\nHow?,src/oven.py\n", ':1: "pth" is not known; did you mean `path`?'),
        ("question;path\nHow?;src/oven.py\n", "part columns with commas"),
        ("question,text,path\na,b,c\n", "the column `question` is there twice"),
        ("question,path\nHow, then?,src/oven.py\n", ":2: the row has 3 cells, the header 2"),
        ('question,path\n"How?,src/oven.py\n', ":2: no valid CSV"),
        (
            'question,references\nHow?,"[1"\n',
            ":2: no valid JSON: Input data was truncated; write the cell `references` as",
        ),
        ("question,path,start,end\nHow?,src/oven.py,1.5,9\n", '`start` is "1.5"'),
        ("id,question,path\na,A?,src/oven.py\na,B?,src/oven.py\n", ":3: "),
        ("id,question,path\na,,src/oven.py\n", "no question is asked"),
    ],
)
def test_a_broken_table_is_told(tmp_path: Path, table: str, says: str) -> None:
    """Columns that are unknown, rows that do not fit, cells that cannot be read."""
    with pytest.raises(ParseError) as error:
        read_questions(written(tmp_path, table, "questions.csv"), CORPUS)
    assert says in str(error.value)


def test_an_id_is_used_once(tmp_path: Path) -> None:
    """Two lines with one id would be two questions that no one can tell apart."""
    record = {"question": "How?", "id": "a", "path": "src/oven.py"}
    with pytest.raises(ParseError, match='the id "a" is used on line 1 already'):
        asked(tmp_path, record, record)


def test_a_name_that_several_documents_have_is_no_path(tmp_path: Path) -> None:
    """A name without suffix must name one document."""
    corpus = {"a/one.md": "x", "one.txt": "y"}
    file = written(tmp_path, '{"question": "a", "corpus_id": "one"}')
    with pytest.raises(ParseError, match=r'called "one": a/one.md, one.txt; give `path`'):
        read_questions(file, corpus)


def test_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    """What is read is said, where it is neither of the two; so is a file that is not there."""
    with pytest.raises(ConfigError, match=r"JSON lines \(.jsonl\) or as a table \(.csv\)"):
        read_questions(written(tmp_path, "[]", "questions.yaml"), CORPUS)
    with pytest.raises(PathError, match=r"none\.jsonl: No such file"):
        read_questions(tmp_path / "none.jsonl", CORPUS)


TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)


@st.composite
def questions(draw: st.DrawFn) -> list[Question]:
    """Questions that documents of the corpus answer, with ids that differ or none."""
    made: list[Question] = []
    for number in range(draw(st.integers(1, 4))):
        references: list[Reference] = []
        for _ in range(draw(st.integers(1, 3))):
            path = draw(st.sampled_from(["docs/guide.md", "src/oven.py"]))
            ink = [at for at, character in enumerate(CORPUS[path]) if not character.isspace()]
            start = draw(st.sampled_from(ink))
            end = draw(st.integers(start + 1, len(CORPUS[path])))
            references.append(Reference(path, start, end))
        called = draw(st.sampled_from(["", f"{number}", f"é\n{number}"]))
        text = draw(TEXT.filter(lambda text: bool(text.strip())))
        made.append(Question(text, tuple(references), called, draw(st.sampled_from(["", "x"]))))
    return made


@given(questions())
def test_written_questions_are_read_back_equal(
    tmp_path_factory: pytest.TempPathFactory, made: list[Question]
) -> None:
    """Whatever is asked: what is written is what is read."""
    file = tmp_path_factory.mktemp("written") / "questions.jsonl"
    write_questions(made, file)
    assert read_questions(file, CORPUS) == made


@pytest.mark.parametrize(
    "made",
    [
        [Question("How?", ())],
        [Question(" ", (Reference("a", 0, 1),))],
        [
            Question("A?", (Reference("a", 0, 1),), "x"),
            Question("B?", (Reference("a", 0, 1),), "x"),
        ],
    ],
)
def test_questions_that_could_not_be_read_back_are_not_written(
    tmp_path: Path, made: list[Question]
) -> None:
    """No text, no reference, or one id twice: refused, and no file is left."""
    with pytest.raises(ConfigError):
        write_questions(made, tmp_path / "questions.jsonl")
    assert not list(tmp_path.iterdir())


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """The folder must be there."""
    with pytest.raises(PathError, match="none"):
        write_questions([], tmp_path / "none" / "questions.jsonl")
