"""What a result line has: the fields of all, and those of each measurement. Lines are dicts where
they are made and shown; here they are held to their shape. Files are read by saving.py.
"""

from __future__ import annotations

from typing import Any

import msgspec

Shares = dict[str, float]
Scores = tuple[float, ...]
"""One a question, rounded to 4 places, always in the same order."""


class Machine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What it ran on."""

    processor: str
    cores: int
    system: str


class Result(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every line has."""

    what: str
    """The measurement: a key of SHAPES."""
    command: str
    """The command line that makes such lines, at the root of the repository; of paths the last
    part."""
    versions: dict[str, str]
    """Distribution, or `python` -> version of all that took part; `unknown` where it was not
    noted."""
    machine: Machine
    seed: int
    commit: str = ""
    """Of this repository, with a + where files were changed; "" where it was not noted."""


class OfChunker(Result, frozen=True, kw_only=True):
    """Somebody who cuts, and what was asked for."""

    chunker: str
    distribution: str
    """"" for what is written out here, as a loop."""
    returned: str = ""
    note: str = ""
    unit: str
    """Of `size` and `overlap`: chars, cl100k or lines."""
    size: int
    overlap: int


class OfText(OfChunker, frozen=True, kw_only=True):
    """Of one text; `failed` instead of what was not to be measured."""

    corpus: str
    digest: str
    """Start of the text's SHA-256."""
    megabytes: float
    """Millions of code points that were cut."""
    chunks: int | None = None
    failed: str = ""


class Speed(OfText, frozen=True, kw_only=True):
    """How fast a text is cut, and what the output keeps."""

    megabytes_per_second: float | None
    ratio: float | None
    """To the first contestant's speed."""
    rounds: int
    mean_overlap: float | None = None
    promises: dict[str, bool | str | None]
    """Name of a check -> whether it holds, or why not; None where there is nothing to check."""


class Growth(OfText, frozen=True, kw_only=True):
    """Time for each megabyte at one length."""

    megabytes_per_second: float
    relative: float
    """To that of the shortest text."""
    rounds: int


class Memory(OfText, frozen=True, kw_only=True):
    """Multiples of `text_bytes`."""

    text_bytes: int
    traced_peak: float
    traced_kept: float
    resident_peak: float | None


class Stability(OfText, frozen=True, kw_only=True):
    """Shares of chunks that are left after an edit."""

    told_apart_by: str
    edits: int | None = None
    kept: float | None = None
    kept_behind: float | None = None
    promises: dict[str, bool | str | None] = {}


class OfFiles(OfChunker, frozen=True, kw_only=True):
    """Of a folder's files of one language."""

    corpus: str
    digest: str
    language: str
    files: int


class CodeSpeed(OfFiles, frozen=True, kw_only=True):
    """How fast files are cut one after another."""

    megabytes: float | None
    megabytes_per_second: float | None
    ratio: float | None
    speed_of_bare_parse: float | None
    rounds: int
    chunks: int | None
    mean_overlap: float | None = None
    promises: dict[str, bool | str | None]
    failed_files: int = 0
    failed: str = ""


class Processes(OfFiles, frozen=True, kw_only=True):
    """The same by several processes."""

    megabytes: float
    megabytes_per_second: float
    speed_of_one_process: float
    rounds: int


class WholeFunctions(OfFiles, frozen=True, kw_only=True):
    """How many functions one chunk has all of."""

    failed_files: int
    first_failure: str | None
    functions: int
    whole: float | None
    under_100: float | None
    lost: int
    visible: int
    over_cap: int
    chunks: int
    median_fill: float | None


class Symbols(Result, frozen=True, kw_only=True):
    """What our parser finds, against another's."""

    corpus: str
    digest: str
    language: str
    files: int
    files_unread_by_other: int
    files_with_syntax_errors: int
    functions: int
    function_recall: float | None
    types: int
    type_recall: float | None
    of_other_kind: int
    symbols: int
    precision: float | None


class CodeRetrieval(Result, frozen=True, kw_only=True):
    """Whether files are found."""

    engine: str
    without: str = ""
    """The signal that was left out."""
    questions: int
    ndcg: float
    chosen_by: float
    others: float
    recall_in_hits: float
    categories: Shares
    repositories: Shares


class TextRetrieval(OfChunker, frozen=True, kw_only=True):
    """How much of the answer is in the first chunks."""

    model: str
    questions: int
    retrieved: int
    chunks: int
    mean_length: float
    recall: float
    precision: float
    precision_omega: float
    iou: float


class PublishedTable(Result, frozen=True, kw_only=True):
    """One measure of a row that others published, made anew; in per cent."""

    model: str
    chunker: str
    distribution: str
    unit: str
    size: int
    overlap: int
    questions: int
    retrieved: int
    chunks: int
    mean_tokens: float
    published_mean_tokens: float | None
    measure: str
    published: float
    published_deviation: float
    ours: float
    low: float
    high: float
    deviation: float
    within: bool
    """Whether the published mean lies in our interval."""
    their_way: float | None = None
    """PrecisionOmega with two things that the report's code does otherwise."""


class Query(Result, frozen=True, kw_only=True):
    """What a query costs, in multiples of the bare scan and in milliseconds."""

    engine: str
    size: int
    chunks: int
    repeated_files: int
    dim: int
    queries: int
    ratio: float
    late_ratio: float
    milliseconds: float
    late_milliseconds: float


class Frontier(OfChunker, frozen=True, kw_only=True):
    """One contestant at one size: a point of its curve, with the scores of each question."""

    corpus: str
    digest: str
    model: str
    """Whose vectors chunks are ranked by."""
    ranking: str
    """`cosine`, or `cosine and words`."""
    embedded: str
    """`text`, or `context` where breadcrumbs stand before it."""
    questions: int
    chunks: int
    mean_tokens: float
    """Of a chunk, in cl100k."""
    cut_short: int
    """Chunks of which the model read the beginning only."""
    budget: int
    """Tokens of cl100k that `recall_at_budget` may spend."""
    recall_at_budget: Scores
    precision_omega: Scores
    recall_at_5: Scores


class Late(Result, frozen=True, kw_only=True):
    """What embedding late gives and costs."""

    contestant: str
    ndcg: float
    indexed_seconds: float
    first_answer_seconds: float
    question_seconds: float
    all_seconds: float
    questions: float
    chunks: float
    embedded: float
    repositories: dict[str, Shares]


class Entries(Result, frozen=True, kw_only=True):
    """What documents that are put cost."""

    work: str
    seconds: float
    of_files: float
    """As a share of indexing as many files."""


class Refresh(Result, frozen=True, kw_only=True):
    """A refresh of an unchanged tree."""

    files: int
    rounds: int
    milliseconds: Shares
    refresh_to_walk_and_stat: float
    refresh_to_own_walk: float
    open_and_refresh_to_walk_and_stat: float


class Pattern(Result, frozen=True, kw_only=True):
    """A regular expression that takes more than linear time."""

    pattern: str
    text: str


class Default(Result, frozen=True, kw_only=True):
    """A default of chunkwright and what it follows from."""

    option: str
    value: str
    measured: str
    """Which measurement it follows from, a heading of the page."""
    because: str


SHAPES: dict[str, type[Result]] = {
    **dict.fromkeys(("characters", "document", "tokens", "lines", "markdown"), Speed),
    "growth": Growth,
    "memory": Memory,
    "stability": Stability,
    "code": CodeSpeed,
    "code in processes": Processes,
    "whole functions": WholeFunctions,
    "symbols": Symbols,
    "retrieval of code": CodeRetrieval,
    "retrieval of text": TextRetrieval,
    "published table": PublishedTable,
    "search": Query,
    "frontier of text": Frontier,
    "frontier of code": Frontier,
    "late embedding": Late,
    "entries": Entries,
    "refresh": Refresh,
    "patterns": Pattern,
    "defaults": Default,
}
"""Name of a measurement -> what its lines have."""


def checked(line: dict[str, Any]) -> dict[str, Any]:
    """The line, if it has its shape; raises msgspec.ValidationError, which names the field."""
    shape = SHAPES.get(line.get("what", ""))
    if shape is None:
        raise msgspec.ValidationError(f"no measurement is called {line.get('what')!r}")
    msgspec.convert(line, shape)
    return line
