"""The command that compares cuts: `eval`. How they are made and judged is for the evaluation, how a
report looks for `evaluation_tables` and the page.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import msgspec

from chunkwright import configuration
from chunkwright.cli import evaluation_tables, outcome, printing, progress, writing
from chunkwright.errors import ConfigError, ParseError, PathError, did_you_mean
from chunkwright.evaluation import Question, Report
from chunkwright.evaluation.corpus import Corpus, read_corpus
from chunkwright.evaluation.making import BLANKED, KINDS, NOTES, OF_ALL, make_questions
from chunkwright.evaluation.questions import read_questions, write_questions
from chunkwright.evaluation.running import evaluate
from chunkwright.sources import Rules
from chunkwright.web.evaluation_page import page

STANDING = {*NOTES.values(), BLANKED, OF_ALL}
"""What the report itself says of questions that were made."""

NONE = "none"
"""A size without a cap, and no embedder."""


class Asked(msgspec.Struct, frozen=True):
    """Which questions: of a file, made of the corpus, or none."""

    file: Path | None = None
    kinds: str | None = None
    """What they are made of, between commas."""
    limit: int | None = None
    """At most so many of a kind are made, drawn by the seed."""
    seed: int = 0
    save: Path | None = None
    """Where those that were made are written."""


class Shown(msgspec.Struct, frozen=True):
    """In which forms the report is given."""

    as_json: bool = False
    page: Path | None = None


def run(
    place: Path,
    asked: Asked,
    options: Mapping[str, Any],
    shown: Shown,
    talk: printing.Talk,
) -> int:
    """Evaluate cuts of a corpus, and show how they compare."""
    _check(asked)
    if shown.page is not None:
        writing.require_place(shown.page)
    if "" not in sys.path:
        sys.path.append("")  # splitters of the user's lie where the command is run
    settings = _settings(place, options["embedder"])
    corpus = read_corpus(place, Rules(**settings.rule_options()))
    try:
        questions = _questions(corpus, asked, talk)
    except ParseError as error:
        for mistake in str(error).split("\n"):
            talk.error(mistake)
        return outcome.WRONG_USAGE
    own = {"embedder": settings.embedder, "embedder_options": settings.embedder_options}
    with progress.shown(quiet=talk.quiet) as told, redirect_stdout(sys.stderr):
        # what a splitter of others prints is no part of the report
        report = evaluate(corpus, questions, progress=told, **{**options, **own})
    _show(report, shown, talk)
    return outcome.OK


def sizes(given: str) -> list[int | None]:
    """`100,200,none` as sizes. Raises ConfigError for what is none."""
    return [_size(part.strip(), given) for part in given.split(",") if part.strip()]


def _size(part: str, given: str) -> int | None:
    if part == NONE:
        return None
    if not part.isdecimal():
        raise ConfigError("sizes", given, f"whole numbers between commas, or {NONE} for no cap")
    return int(part)


def _check(asked: Asked) -> None:
    if asked.file is not None and asked.kinds is not None:
        raise ConfigError("make-questions", asked.kinds, "used without --questions")
    if asked.save is not None and asked.kinds is None:
        raise ConfigError("save-questions", str(asked.save), "used with --make-questions")


def _settings(place: Path, embedder: str | None) -> configuration.Settings:
    """Which files there are, and what embeds them, is as in an index of the folder."""
    if not place.exists():
        raise PathError(str(place), "there is no such file or folder", "check the path")
    return configuration.load(place if place.is_dir() else place.parent, embedder=embedder)


def _questions(corpus: Corpus, asked: Asked, talk: printing.Talk) -> Sequence[Question]:
    if asked.file is not None:
        return read_questions(asked.file, corpus.texts)
    if asked.kinds is None:
        return ()
    made = make_questions(
        corpus.texts,
        root=corpus.root,
        kinds=_kinds(asked.kinds),
        limit=asked.limit,
        seed=asked.seed,
    )
    for note in made.notes:
        if note not in STANDING:
            talk.warning(note)
    for kind, reasons in made.left_out.items():
        for reason, count in reasons.items():
            talk.detail(f"{kind}: {count:,} left out: {reason}")
    if not made.questions:
        remedy = f"give other kinds ({', '.join(KINDS)}), or your own with --questions"
        raise PathError(corpus.name, "no question could be made of it", remedy)
    talk.note(f"{printing.counted(len(made.questions), 'question')} made of {corpus.name}")
    if asked.save is not None:
        write_questions(made.questions, asked.save)
        talk.note(f"wrote them to {asked.save}")
    return made.questions


def _kinds(given: str) -> list[str]:
    """Raises ConfigError for what is none."""
    kinds = [kind.strip() for kind in given.split(",")]
    for kind in kinds:
        if kind not in KINDS:
            hint = did_you_mean(kind, KINDS)
            raise ConfigError("make-questions", kind, f"{hint}some of {', '.join(KINDS)}")
    return kinds


def _show(report: Report, shown: Shown, talk: printing.Talk) -> None:
    if shown.page is not None:
        writing.write(shown.page, page(report))
        talk.note(f"wrote {shown.page}")
    if shown.as_json:
        printing.json_line(report)
        return
    evaluation_tables.show(report)
    if talk.verbose:
        evaluation_tables.show_all(report)
    evaluation_tables.conclude(report)
