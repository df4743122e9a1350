"""Questions that are made without anyone to ask them: of documentation, headings and history."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from chunkwright.characters import LINE_END
from chunkwright.errors import ConfigError, PathError
from chunkwright.evaluation.docstrings import without_documentation
from chunkwright.evaluation.making import KINDS, NOTES, Made, make_questions
from chunkwright.evaluation.nouns import Question
from chunkwright.evaluation.questions import read_questions, write_questions
from chunkwright.evaluation.wording import LONGEST_QUESTION, opening, plain
from chunkwright.parsing import parse
from chunkwright.types import Document

CODE = Path(__file__).parent / "data" / "code"

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

OVEN = '''"""Ovens."""
import time


# Above, and no documentation.
@cached
def heat(to: int) -> None:
    """Heat the oven up to a temperature.

    Waits until it is there: naïve 🔥, but enough.
    """
    while now() < to:
        time.sleep(1)


class Oven:
    \'\'\'Where bread of every kind is baked.\'\'\'

    def bake(self, bread):
        "Bake one bread until it is brown."
        heat(230)
        return bread
'''

SERVER = """package server

// Listen waits for guests on an address, and greets
// each of them. It never ends.
//
//go:noinline
func (s *Server) Listen(address string) error {
\tfor {
\t}
}
"""

CORPUS = {"oven.py": OVEN, "server.go": SERVER}


def texts(made: Made, question: Question) -> list[str]:
    """The stretches that answer a question, of the documents that are asked."""
    return [made.documents[one.path][one.start : one.end] for one in question.references]


def by_text(made: Made) -> dict[str, Question]:
    return {question.text: question for question in made.questions}


# Documentation.


def test_a_symbol_is_asked_for_by_its_documentation() -> None:
    """The first sentence is the question, without the name where it begins with that; the
    definition is the answer, without comments above it that documented it."""
    made = make_questions(CORPUS, kinds=["docstring"])
    asked = by_text(made)
    assert set(asked) == {
        "Heat the oven up to a temperature.",
        "Where bread of every kind is baked.",
        "Bake one bread until it is brown.",
        "Waits for guests on an address, and greets each of them.",
    }
    (listen,) = texts(made, asked["Waits for guests on an address, and greets each of them."])
    assert listen.startswith("//go:noinline\nfunc (s *Server) Listen(")
    assert listen.endswith("\n}")
    (bake,) = texts(made, asked["Bake one bread until it is brown."])
    assert bake.split() == [
        "def",
        "bake(self,",
        "bread):",
        '"',
        '"',
        "heat(230)",
        "return",
        "bread",
    ]
    assert {one.origin for one in made.questions} == {"docstring"}
    assert asked["Bake one bread until it is brown."].id == "docstring:oven.py:19"


def test_documentation_is_blanked_and_nothing_moves() -> None:
    """Where a question is found by its own words, nothing is measured; offsets and lines stay."""
    made = make_questions(CORPUS, kinds=["docstring"])
    for path, text in CORPUS.items():
        blanked = made.documents[path]
        assert len(blanked) == len(text)
        assert LINE_END.findall(blanked) == LINE_END.findall(text)
        assert all(now in (was, " ") for now, was in zip(blanked, text, strict=True))
    kept = "".join(made.documents.values())
    for gone in ("temperature", "naïve", "🔥", "every kind", "brown", "greets", "never"):
        assert gone not in kept
    for stays in ('"""Ovens."""', "# Above, and no documentation.", "//go:noinline", "heat(230)"):
        assert stays in kept


def test_documentation_can_be_kept() -> None:
    """Then answers have it, and a note says what it costs."""
    made = make_questions(CORPUS, kinds=["docstring"], keep_docs=True)
    assert made.documents == CORPUS
    (answer,) = texts(made, by_text(made)["Heat the oven up to a temperature."])
    assert answer.startswith("# Above")
    assert "naïve 🔥" in answer
    assert any("finding it shows hardly more" in note for note in made.notes)


@pytest.mark.parametrize("fixture", sorted(CODE.glob("*.fixture")), ids=lambda path: path.stem)
def test_blanking_leaves_every_symbol(fixture: Path) -> None:
    """Whatever the language: what is blanked is documentation, so that the code means the same."""
    text = fixture.read_bytes().decode()
    documents = without_documentation({fixture.stem: text})
    before, after = (
        [(block.name, block.kind, block.start, block.end) for block in parsed.blocks if block.name]
        for parsed in (
            parse(Document(one, path=fixture.stem)) for one in (text, documents[fixture.stem])
        )
    )
    assert [symbol[:2] for symbol in before] == [symbol[:2] for symbol in after]
    assert len(documents[fixture.stem]) == len(text)


LONG = "\n".join(f"    value = step({number})" for number in range(400))


@pytest.mark.parametrize(
    ("path", "code", "reason"),
    [
        ("a.py", 'def f():\n    """Bake."""\n    a()\n    b()\n', "says too little"),
        ("a.py", 'def f():\n    """Bake until it is brown."""\n', "fewer than 3 lines"),
        ("a.py", f'def f():\n    """Bake until it is brown."""\n{LONG}\n', "more than 6000"),
        ("test_a.py", 'def f():\n    """Bake until it is brown."""\n    a()\n    b()\n', "test"),
        (
            "a.py",
            "# Code generated by oven. DO NOT EDIT.\n\n"
            'def f():\n    """Bake until it is brown."""\n    a()\n    b()\n',
            "generated",
        ),
    ],
)
def test_what_asks_nothing_is_left_out_and_counted(path: str, code: str, reason: str) -> None:
    """Short texts, short or long definitions, tests and generated files: each is told."""
    made = make_questions({path: code}, kinds=["docstring"])
    assert made.questions == ()
    ((told, count),) = made.left_out["docstring"].items()
    assert reason in told
    assert count == 1
    assert "No docstring question could be made." in made.notes


def test_tests_are_asked_for_where_wanted() -> None:
    """Symbols of test files are left out by default only."""
    code = 'def f():\n    """Bake until it is brown."""\n    a()\n    b()\n'
    made = make_questions({"test_a.py": code}, kinds=["docstring"], tests=True)
    assert [question.text for question in made.questions] == ["Bake until it is brown."]


def test_a_question_with_several_answers_is_left_out() -> None:
    """The same documentation in two places asks for both, and for neither."""
    code = 'def f():\n    """Bake until it is brown."""\n    a()\n    b()\n'
    made = make_questions({"a.py": code, "b.py": code.replace("brown", "BROWN")})
    assert made.questions == ()
    assert made.left_out["docstring"] == {"several places have the same question": 2}


@pytest.mark.parametrize(
    ("documentation", "question"),
    [
        ("Heat the oven. Then wait.", "Heat the oven. Then wait."),
        ("Heat the oven up, e.g. to 230 degrees. Wait.", "Heat the oven up, e.g. to 230 degrees."),
        ("Heat the\n  oven up\n\nAnd more of it.", "Heat the oven up"),
        ("Heat the :class:`~a.Oven` by ``to`` degrees.", "Heat the a.Oven by to degrees."),
        ("Heat the {@link Oven oven} by <b>some</b> degrees.", "Heat the Oven by some degrees."),
        ("<summary>\nHeat the oven up &amp; wait.\n</summary>", "Heat the oven up & wait."),
        ('Heat <see cref="T:Oven"/> by <degrees> now.', "Heat Oven by degrees now."),
        ("@brief Heat the oven up now.", "Heat the oven up now."),
        ("Heat the oven up now.\n@param to degrees", "Heat the oven up now."),
        (": What the oven bakes in", "What the oven bakes in"),
        ("    f(x)\n\nHeat the oven up now.", "Heat the oven up now."),
        ("Heat the [oven](https://oven.org) up [now].", "Heat the oven up now."),
        ("Args:\n    to: what the oven is heated to", ""),
        ("Copyright 2024 by the people who bake", ""),
        ("TODO heat the oven up now", ""),
        ("See the other function for this", ""),
        ("Heat the oven up like this:", ""),
        ("x = f(a, b); y[0] += {c: d} and more", ""),
        ("", ""),
    ],
)
def test_documentation_opens_with_what_can_be_asked(documentation: str, question: str) -> None:
    """Sentences without markup; what says nothing, or is code, is no question."""
    assert opening(documentation) == question


def test_a_long_question_ends_at_a_word() -> None:
    """A question is short enough for any embedder."""
    question = opening("Heat the oven " + "and the other oven " * 100)
    assert len(question) <= LONGEST_QUESTION
    assert question.endswith(("and", "the", "other", "oven"))


def test_markup_takes_linear_time() -> None:
    """Marks that are never closed are no work: this would take minutes otherwise."""
    for mark in ("{@link a ", ":a:`", "[", "**a ", "<a ", "`", "\\p "):
        assert plain(mark * 20_000)


# Headings.

GUIDE = """Before any heading, there is some text that nobody asks for at all, is there?

# Baking

Bread needs an oven, a baker, some flour, water, salt, and above all it needs time.

## Baking at home

### Ovens and *stones*

Any oven will do, if it is hot enough: some 250 degrees, and with a stone to bake upon.

```
## no heading, but a line of code among the others here
```

## Usage

Short.

## 1.2.0 (2024)

Everything has been made better in this version, and more than that has been made faster.
"""


def test_a_section_is_asked_for_by_its_headings() -> None:
    """The chain of headings is the question; the text up to the next heading is the answer."""
    made = make_questions({"guide.md": GUIDE}, kinds=["heading"])
    asked = by_text(made)
    assert set(asked) == {"Baking at home: Ovens and stones"}
    question = asked["Baking at home: Ovens and stones"]
    (answer,) = texts(made, question)
    assert answer.startswith("Any oven will do")
    assert answer.endswith("here\n```")
    assert (question.id, question.origin) == ("heading:guide.md:9", "heading")
    assert made.left_out["heading"] == {
        "the headings say too little": 1,
        "little text stands under the heading itself": 2,
        "the headings tell of a release": 1,
    }


def test_headings_of_other_formats_are_read() -> None:
    """Every format with headings has sections to ask for."""
    text = "Hot ovens\n=========\n\n" + "Any oven will do, if it is hot enough for some bread. " * 2
    made = make_questions({"guide.rst": text, "code.py": "# Hot ovens\n"}, kinds=["heading"])
    assert [question.text for question in made.questions] == ["Hot ovens"]


# History.


class Repository:
    """A small git repository in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.git("init", "--quiet", "--initial-branch=main")
        self.commit("Begin with nothing much at all", {"readme.txt": "Bread.\n"})

    def git(self, *arguments: str) -> str:
        environment = {name: value for name, value in os.environ.items() if name[:4] != "GIT_"}
        name = ["-c", "user.name=Baker", "-c", "user.email=baker@oven.example"]
        options = ["-c", "commit.gpgsign=false", "-c", "core.autocrlf=false"]
        done = subprocess.run(
            ["git", *name, *options, *arguments],
            cwd=self.folder,
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip()

    def write(self, files: dict[str, str]) -> None:
        for path, text in files.items():
            file = self.folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode())

    def commit(self, subject: str, files: dict[str, str]) -> str:
        self.write(files)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", subject)
        return self.git("rev-parse", "HEAD")[:12]

    def corpus(self, below: str = "") -> dict[str, str]:
        root = self.folder / below
        return {
            file.relative_to(root).as_posix(): file.read_bytes().decode()
            for file in sorted(root.rglob("*"))
            if file.is_file() and ".git" not in file.relative_to(self.folder).parts
        }

    def asked(self, below: str = "", **options: object) -> Made:
        corpus = self.corpus(below)
        root = self.folder / below
        return make_questions(corpus, root=root, kinds=["commit"], **options)  # type: ignore[arg-type]


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "bakery")


def lines(name: str, count: int = 5) -> str:
    """Lines of code that nothing else has."""
    return "".join(f"{name}_{number} = bake({name!r}, {number})\n" for number in range(count))


@needs_git
def test_a_commit_is_asked_for_by_its_subject(repository: Repository) -> None:
    """The answer is what still stands of it: lines that were changed since are another's."""
    first = repository.commit(
        "feat(oven): bake white bread in the oven (#12)", {"a.py": lines("white", 9)}
    )
    changed = lines("white", 9).replace("white_4 = bake('white', 4)\n", lines("brown", 3) * 2)
    second = repository.commit("[BAKE-3] Bake brown bread, too", {"a.py": changed})
    made = repository.asked()
    asked = by_text(made)
    assert set(asked) == {"Bake white bread in the oven", "Bake brown bread, too"}
    white, brown = asked["Bake white bread in the oven"], asked["Bake brown bread, too"]
    assert "\n".join(texts(made, white)) == lines("white", 9).replace(
        "white_4 = bake('white', 4)\n", ""
    ).rstrip("\n")
    assert texts(made, brown) == [(lines("brown", 3) * 2).rstrip("\n")]
    assert (white.id, brown.id) == (f"commit:{first}", f"commit:{second}")


@needs_git
def test_a_change_is_followed_through_renames_and_blank_lines(repository: Repository) -> None:
    """A file may be called otherwise today; blank lines part no stretch; offsets are code points
    of the text with its own line ends."""
    text = "é🍞\r\n" * 3 + "\n" + lines("white").replace("\n", "\r\n")
    repository.commit("Bake white bread in the oven", {"old/a.py": text})
    (repository.folder / "new").mkdir()
    (repository.folder / "old" / "a.py").rename(repository.folder / "new" / "b.py")
    repository.commit("Move it", {})
    made = repository.asked()
    (question,) = made.questions
    assert [one.path for one in question.references] == ["new/b.py"]
    assert texts(made, question) == [text.rstrip()]


@needs_git
def test_paths_are_those_below_the_root(repository: Repository) -> None:
    """The corpus may be a folder of a repository."""
    repository.commit("Bake white bread in the oven", {"src/é a.py": lines("white"), "b.py": "b\n"})
    made = repository.asked("src")
    (question,) = made.questions
    assert [one.path for one in question.references] == ["é a.py"]


@needs_git
@pytest.mark.parametrize(
    ("subject", "files", "reason"),
    [
        ("Bake bread", {"a.py": lines("a")}, "says too little"),
        ('Revert "Bake white bread in the oven"', {"a.py": lines("a")}, "says too little"),
        ("Bump flour from 1.2 to 1.3 in oven", {"a.py": lines("a")}, "says too little"),
        ("Fix typos in all the recipes", {"a.py": lines("a")}, "says too little"),
        ("Bake white bread in the oven", {f"{n}.py": lines("a") for n in range(11)}, "10 files"),
        ("Bake white bread in the oven", {"test_a.py": lines("a")}, "only tests"),
        ("Bake white bread in the oven", {"a.py": "a = 1\n"}, "little text"),
        ("Bake white bread in the oven", {"a.py": lines("a", 400)}, "more than 6000"),
        ("Bake white bread in the oven", {"readme.txt": ""}, "removed more"),
    ],
)
def test_commits_that_ask_nothing_are_left_out(
    repository: Repository, subject: str, files: dict[str, str], reason: str
) -> None:
    """Reverts, releases, large and small changes, tests alone: each is told."""
    repository.commit(subject, files)
    made = repository.asked()
    assert made.questions == ()
    ((told, count),) = made.left_out["commit"].items()
    assert reason in told
    assert count == 1


@needs_git
def test_a_change_that_was_undone_or_scattered_is_left_out(repository: Repository) -> None:
    """Where less than half still stands, or it stands in too many places, there is no answer."""
    repository.commit("Bake white bread in the oven", {"a.py": lines("white", 10)})
    rows = [
        row + "  # and a comment that makes it long enough" for row in lines("w", 40).split("\n")
    ]
    repository.commit("Bake brown bread in the oven", {"b.py": "\n".join(rows)})
    rows[::3] = [row + " indeed" for row in rows[::3]]
    repository.commit("Scatter some seeds over it", {"b.py": "\n".join(rows)})
    repository.commit("Cut the white bread down", {"a.py": lines("white", 4)})
    made = repository.asked()
    assert made.questions == ()
    assert made.left_out["commit"] == {
        "it is scattered over more than 12 places": 2,
        "less than half of its lines still stand": 1,
        "it removed more than it added": 1,
    }


@needs_git
@pytest.mark.parametrize(
    ("subject", "question"),
    [
        ("fix(oven)!: bake more of it (fixes #1, #2)", "Bake more of it"),
        ("[oven] BAKE-12: bake more of it #7", "Bake more of it"),
        (":bread: Bake more of it. (#12) (#13)", "Bake more of it"),
        ("Bake more `bread` (" + "1" * 60 + "x", "Bake more bread (" + "1" * 60 + "x"),
        ("chore: bake more of it", ""),
    ],
)
def test_subjects_are_asked_without_prefixes_and_tickets(
    repository: Repository, subject: str, question: str
) -> None:
    """What stands around a subject for tools is no part of a question."""
    repository.commit(subject, {"a.py": lines("white")})
    made = repository.asked()
    assert [one.text for one in made.questions] == ([question] if question else [])


@needs_git
def test_merges_and_the_first_commit_are_not_asked_for(repository: Repository) -> None:
    """A merge has no change of its own; the first commit has no one subject."""
    repository.git("checkout", "--quiet", "-b", "side")
    repository.commit("Bake white bread in the oven", {"a.py": lines("white")})
    repository.git("checkout", "--quiet", "main")
    repository.commit("Bake brown bread in the oven", {"b.py": lines("brown")})
    repository.git("merge", "--quiet", "--no-ff", "-m", "Join both kinds of bread here", "side")
    assert len(repository.asked().questions) == 2


@needs_git
def test_only_documents_of_the_corpus_are_answers(repository: Repository) -> None:
    """What the corpus leaves out is no answer, whatever commits say."""
    repository.commit("Bake white bread in the oven", {"a.py": lines("white"), "b.py": "b\n"})
    made = make_questions({"readme.txt": "Bread.\n"}, root=repository.folder, kinds=["commit"])
    assert made.left_out["commit"] == {"no document of the corpus was changed": 1}


@needs_git
def test_what_git_cannot_say_is_an_error(repository: Repository) -> None:
    """A list of commits to be ignored that is not there stops git, and is told in its words."""
    repository.commit("Bake white bread in the oven", {"a.py": lines("white")})
    repository.git("config", "blame.ignoreRevsFile", "none")
    with pytest.raises(PathError, match="could not open object name list: none"):
        repository.asked()


@needs_git
def test_a_document_that_is_not_as_committed_has_no_answers(repository: Repository) -> None:
    """Lines that git does not know could not be placed."""
    repository.commit("Bake white bread in the oven", {"a.py": lines("white")})
    repository.write({"a.py": "# not committed\n" + lines("white")})
    made = repository.asked()
    assert made.questions == ()
    assert made.left_out["commit"] == {"less than half of its lines still stand": 1}


@needs_git
def test_a_shallow_clone_is_told(repository: Repository, tmp_path: Path) -> None:
    """What lies before its first commit is not known; that one is not taken for a change."""
    repository.commit("Bake white bread in the oven", {"a.py": lines("white")})
    repository.commit("Bake brown bread in the oven", {"b.py": lines("brown")})
    origin = repository.folder.as_uri()
    repository.git("clone", "--quiet", "--depth=2", origin, str(tmp_path / "shallow"))
    clone = Repository.__new__(Repository)
    clone.folder = tmp_path / "shallow"
    made = clone.asked()
    assert [question.text for question in made.questions] == ["Bake brown bread in the oven"]
    assert any("The clone is shallow" in note for note in made.notes)


@needs_git
def test_nothing_of_the_repository_is_run(repository: Repository, tmp_path: Path) -> None:
    """Its configuration may name programs for filters, comparisons, watching, signatures and
    hooks: none of them is called."""
    repository.commit("Bake white bread in the oven", {"a.py": lines("white")})
    mark = tmp_path / "ran"
    program = tmp_path / "program.sh"
    program.write_text(f"#!/bin/sh\ntouch '{mark}'\ncat\n")
    program.chmod(0o755)
    (repository.folder / ".git" / "info" / "attributes").write_text("* filter=evil diff=evil\n")
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    shutil.copy(program, hooks / "post-index-change")
    for name, value in {
        "filter.evil.clean": program,
        "filter.evil.smudge": program,
        "filter.evil.process": program,
        "diff.evil.textconv": program,
        "diff.evil.command": program,
        "diff.external": program,
        "core.fsmonitor": program,
        "core.hooksPath": hooks,
        "core.pager": program,
        "log.showSignature": "true",
        "gpg.program": program,
        "color.ui": "always",
        "diff.orderFile": tmp_path / "none",
    }.items():
        repository.git("config", name, str(value))
    before = (repository.folder / ".git" / "index").read_bytes()
    assert len(repository.asked().questions) == 1
    assert not mark.exists()
    assert (repository.folder / ".git" / "index").read_bytes() == before


@needs_git
def test_what_is_missing_in_a_partial_clone_is_not_fetched(
    repository: Repository, tmp_path: Path
) -> None:
    """A clone without all contents would ask its origin for them; no network is used."""
    repository.commit("Bake white bread in the oven", {"a.py": lines("white")})
    repository.commit("Bake brown bread in the oven", {"a.py": lines("white") + lines("brown")})
    repository.git("config", "uploadpack.allowFilter", "true")
    origin = repository.folder.as_uri()
    target = tmp_path / "partial"
    repository.git("clone", "--quiet", "--filter=blob:none", "--no-checkout", origin, str(target))
    with pytest.raises(PathError, match="partial"):
        make_questions(repository.corpus(), root=target, kinds=["commit"])


@needs_git
def test_the_environment_of_a_hook_leads_nowhere_else(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Git sets variables for what it runs; they are about another repository."""
    repository.commit("Bake white bread in the oven", {"a.py": lines("white")})
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    assert len(repository.asked().questions) == 1


@needs_git
def test_without_history_a_note_says_so(tmp_path: Path) -> None:
    """A corpus in no repository, or in an empty one, has other questions; where commits alone are
    asked for, it is an error."""
    folder = tmp_path / "folder"
    folder.mkdir()
    made = make_questions(CORPUS, root=folder)
    assert {question.origin for question in made.questions} == {"docstring"}
    (note,) = [note for note in made.notes if note.startswith("No commit questions: ")]
    assert "not a git repository" in note
    with pytest.raises(PathError, match="not a git repository"):
        make_questions(CORPUS, root=folder, kinds=["commit"])
    subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
    with pytest.raises(PathError, match="folder: fatal: "):
        make_questions(CORPUS, root=folder, kinds=["commit"])
    with pytest.raises(ConfigError, match="root"):
        make_questions(CORPUS, kinds=["commit"])


def test_without_git_a_note_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other kinds need none."""
    monkeypatch.setenv("PATH", str(tmp_path))
    made = make_questions(CORPUS, root=tmp_path)
    assert any("git is not installed" in note for note in made.notes)
    assert len(made.questions) == 4


# All kinds.


def many(count: int) -> dict[str, str]:
    code = "".join(
        f'def f{number}():\n    """Bake bread number {"x" * number} in the oven."""\n    a()\n'
        "    b()\n\n"
        for number in range(1, count)
    )
    return {"a.py": code}


def test_the_same_seed_gives_the_same_questions() -> None:
    """A sample is stable, in the order of the corpus; a higher limit adds to it; another seed is
    another sample."""
    corpus = many(40)
    few = make_questions(corpus, limit=5, seed=7).questions
    more = make_questions(corpus, limit=10, seed=7).questions
    assert (len(few), len(more)) == (5, 10)
    assert set(few) < set(more)
    assert few == make_questions(corpus, limit=5, seed=7).questions
    assert set(few) != set(make_questions(corpus, limit=5, seed=8).questions)
    starts = [question.references[0].start for question in more]
    assert starts == sorted(starts)


@needs_git
def test_every_kind_says_what_it_can_show(repository: Repository, tmp_path: Path) -> None:
    """Each kind has a note, limits hold for each kind, and what was made can be written and read:
    for the documents and for the corpus itself."""
    repository.commit(
        "Bake white bread in the oven",
        {"a.py": lines("white"), "guide.md": GUIDE.replace("Short.", GUIDE), **CORPUS},
    )
    corpus = repository.corpus()
    made = make_questions(corpus, root=repository.folder, limit=1)
    assert [question.origin for question in made.questions] == list(KINDS)
    for kind in KINDS:
        assert NOTES[kind] in made.notes
    file = tmp_path / "questions.jsonl"
    write_questions(made.questions, file)
    assert read_questions(file, made.documents) == list(made.questions)
    assert read_questions(file, corpus) == list(made.questions)


@pytest.mark.parametrize(
    ("options", "option"),
    [
        ({"kinds": ["docstrings"]}, "kinds"),
        ({"kinds": []}, "kinds"),
        ({"limit": 0}, "limit"),
        ({"limit": True}, "limit"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, object], option: str) -> None:
    """What is allowed is said."""
    with pytest.raises(ConfigError, match=option):
        make_questions(CORPUS, **options)  # type: ignore[arg-type]
