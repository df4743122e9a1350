"""The commands that work with an index: `index`, `search`, `status`, `verify`, `clean`. How an
index is made and searched is not here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from chunkwright import configuration
from chunkwright.characters import is_whitespace_only
from chunkwright.cli import answers, folders, outcome, printing, progress
from chunkwright.errors import ConfigError
from chunkwright.index import FOLDER, Index, remove_index
from chunkwright.types import Hit, RefreshReport


class Place(msgspec.Struct, frozen=True):
    """Which index: of which folder, lying where, with which embedder."""

    root: Path
    index_dir: Path | None = None
    embedder: str | None = None
    late: bool | None = None
    """Whether vectors are left for later; None: as the index was made."""


class Work(msgspec.Struct, frozen=True):
    """What is done to an index, beside bringing it up to date."""

    rebuild: bool = False
    verify: bool = False
    """Read every file, whatever its size and time say."""
    embed: bool = False
    """Embed what was left for later."""


class Question(msgspec.Struct, frozen=True):
    """What is looked for."""

    query: str
    count: int
    refresh: bool = True
    tests: str = "mixed"
    """One of TESTS."""
    options: Mapping[str, Any] = {}
    """Filters, and how answers are shown: arguments of `Index.search`."""


APART = "apart"
TESTS = {"mixed": None, APART: None, "only": True, "without": False}
"""How tests may answer -> the filter it means."""


def _open(place: Place) -> Index:
    settings = configuration.load(
        folders.existing(place.root), embedder=place.embedder, late_embedding=place.late
    )
    return Index(place.root, config=settings, index_dir=place.index_dir)


def index(place: Place, work: Work, talk: printing.Talk, *, as_json: bool) -> int:
    """Make the index or bring it up to date, and say what was done."""
    with _open(place) as opened:
        refresh = partial(opened.refresh, verify=work.verify)
        report = _work(opened.rebuild if work.rebuild else refresh, place, talk)
        if work.embed:
            report = _both(report, _work(opened.embed, place, talk, " --embed"))
    if as_json:
        printing.json_line(report)
    talk.note(summary(report))
    return outcome.PARTIAL if report.failed else outcome.OK


def _both(refreshed: RefreshReport, embedded: RefreshReport) -> RefreshReport:
    """One report of a refresh and of what was embedded after it."""
    return msgspec.structs.replace(
        refreshed,
        embedded=refreshed.embedded + embedded.embedded,
        reused=refreshed.reused + embedded.reused,
        failed=tuple(sorted({*refreshed.failed, *embedded.failed})),
    )


def _work(
    work: Callable[..., RefreshReport], place: Place, talk: printing.Talk, flag: str = ""
) -> RefreshReport:
    """Refresh, rebuild or embed, with a progress bar; list what failed; on Ctrl-C say what is left,
    and with which flag it is done."""
    try:
        with progress.shown(quiet=talk.quiet) as report:
            done = work(progress=report)
    except KeyboardInterrupt:
        kept = f"interrupted: what was done is kept; `chunkwright index{flag} {place.root}` goes on"
        raise KeyboardInterrupt(kept) from None
    for path, reason, rule in done.failed:
        talk.error(": ".join(filter(None, (path, reason, rule))))
    for path, reason, rule in done.skipped:
        talk.detail(": ".join(filter(None, (path, "skipped", reason, rule))))
    return done


def summary(report: RefreshReport) -> str:
    """A refresh in one line: only what happened is named."""
    counts = {
        "added": len(report.added),
        "changed": len(report.changed),
        "renamed": len(report.renamed),
        "removed": len(report.removed),
        "failed": len(report.failed),
        "skipped": len(report.skipped),
    }
    files = [f"{number:,} {name}" for name, number in counts.items() if number]
    changed = any(counts[name] for name in ("added", "changed", "renamed", "removed"))
    embedded = printing.counted(report.embedded, "text")
    texts = [f"{embedded} embedded"] if report.embedded else []
    return ", ".join([*([] if changed else ["nothing changed"]), *files, *texts])


def wanted(conditions: Iterable[str]) -> dict[str, list[str]]:
    """Values by key, of `key=value` each. Raises ConfigError for one without either."""
    found: dict[str, list[str]] = {}
    for condition in conditions:
        key, sign, value = condition.partition("=")
        if not key or not sign:
            raise ConfigError("where", condition, "a key and a value, such as status=draft")
        found.setdefault(key, []).append(value)
    return found


def search(place: Place, question: Question, talk: printing.Talk, *, as_json: bool) -> int:
    """Answer a query from an index that is up to date, unless asked not to refresh it."""
    if is_whitespace_only(question.query):
        talk.error("the query is blank: nothing can be found; give a word or a sentence")
        return outcome.NOTHING_FOUND
    if question.tests not in TESTS:
        raise ConfigError("tests", question.tests, f"one of {', '.join(TESTS)}")
    with _open(place) as opened:
        report = _work(opened.refresh, place, talk) if question.refresh else RefreshReport()
        if report != RefreshReport(skipped=report.skipped, reused=report.reused):
            talk.note(f"index: {summary(report)}")
        lists = _ask(opened, question, place, talk)
    _show(lists, question, as_json=as_json)
    if report.failed:
        return outcome.PARTIAL
    return outcome.OK if any(lists.values()) else outcome.NOTHING_FOUND


def _ask(
    opened: Index, question: Question, place: Place, talk: printing.Talk
) -> dict[str, list[Hit]]:
    """The hits, by list; how many there are, of what and how soon, is said on stderr."""
    started = time.perf_counter()
    lists = _lists(opened, question)
    milliseconds = 1000 * (time.perf_counter() - started)
    asked = f"for {question.query!r} in {place.root}"
    if count := sum(map(len, lists.values())):
        talk.note(f"{printing.counted(count, 'answer')} {asked} ({milliseconds:.0f} ms)")
    else:
        talk.note(f"nothing found {asked}; {_advice(opened, question)}")
    stale = {hit.chunk.path for hits in lists.values() for hit in hits if hit.stale}
    if stale:
        files = printing.counted(len(stale), "file")
        talk.warning(f"{files} changed since the index was made; `--stale refresh` asks anew")
    return lists


FILTERS = ("language", "kind", "path", "namespace", "where")
"""Arguments of `Index.search` that are options of the same name."""

SHOWN_VALUES = 8
"""Values a filter could have that are named: a line's worth."""


def _advice(opened: Index, question: Question) -> str:
    """What may help where nothing was found: a filter that nothing fits helps no words."""
    given = {name: question.options.get(name) for name in FILTERS}
    unmatched = opened.unmatched(**{name: value for name, value in given.items() if value})
    said = []
    for name, known in unmatched.items():
        some = ", ".join(known[:SHOWN_VALUES]) + (", …" if len(known) > SHOWN_VALUES else "")
        said.append(f"nothing in the index fits --{name}{f' (there is {some})' if some else ''}")
    return "; ".join(said) or "try other words"


def _lists(opened: Index, question: Question) -> dict[str, list[Hit]]:
    if question.tests == APART:
        apart = opened.search_apart(question.query, question.count, **question.options)
        return apart._asdict()
    is_test = TESTS[question.tests]
    hits = opened.search(question.query, question.count, is_test=is_test, **question.options)
    return {"hits": hits}


def _show(lists: Mapping[str, Sequence[Hit]], question: Question, *, as_json: bool) -> None:
    is_apart = question.tests == APART
    for name, hits in lists.items():
        more = {"list": name} if is_apart else {}
        if as_json:
            for rank, hit in enumerate(hits, 1):
                printing.json_line(answers.as_json(hit, rank, **more))
        elif hits:
            if name == "tests":
                printing.line("tests:")
            answers.show(hits, question.query)
            if question.options.get("explain"):
                answers.show_signals(hits)


def status(place: Place, *, as_json: bool) -> int:
    """What an index holds, one fact a line."""
    with _open(place) as opened:
        facts: dict[str, Any] = msgspec.to_builtins(opened.status())
    if as_json:
        printing.json_line(facts)
    else:
        printing.table((name.replace("_", " "), _shown(value)) for name, value in facts.items())
    return outcome.OK


def _shown(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return "-" if value is None else str(value)


def verify(place: Place, talk: printing.Talk, *, as_json: bool) -> int:
    """Check an index as a whole: one problem a line."""
    with _open(place) as opened:
        problems = opened.verify()
    for problem in problems:
        if as_json:
            printing.json_line(problem)
        else:
            printing.line(f"{problem.place}: {problem.reason}")
    if problems:
        found = printing.counted(len(problems), "problem")
        talk.error(f"{found}; `chunkwright index --rebuild {place.root}` makes the index anew")
        return outcome.STORE_OR_EMBEDDER
    talk.note("the index is whole")
    return outcome.OK


def index_folder(place: Place) -> Path:
    """Where the index lies, or would lie."""
    return place.index_dir or place.root / FOLDER


def clean(place: Place, talk: printing.Talk) -> int:
    """Remove an index; other files in its folder stay, and so does the folder then."""
    folders.existing(place.root)
    folder = index_folder(place)
    if remove_index(folder):
        left = " (other files are left there)" if folder.exists() else ""
        talk.note(f"removed the index in {folder}{left}")
    else:
        talk.note(f"no index in {folder}")
    return outcome.OK
