"""What the measures of an evaluation are called on a page, in a sentence each, and how their values
are written. How they are computed is in `evaluation`.

A measure that is not listed is shown under its own name, as a plain number. Of `ndcg@5` the first
five are meant, of `ndcg` the report's first k.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from chunkwright.evaluation import Report, Verdict
from chunkwright.evaluation.structure import KINDS
from chunkwright.web.scales import is_drawable, written

Form = Literal["share", "count", "number", "seconds"]
"""0 to 1 with three decimals; whole; as many digits as it needs; the same with the unit."""

Better = Literal["higher", "lower", ""]

MISSING = "–"
"""Shown where nothing was measured."""

VERDICTS: Mapping[Verdict, str] = {
    "better": "▲ better",
    "worse": "▼ worse",
    "unclear": "≈ inside the noise",
}


class Measure(NamedTuple):
    """A measure as it is shown. `{k}`, `{budget}` and `{unit}` are the report's."""

    label: str
    about: str
    form: Form = "share"
    better: Better = "higher"


RECALL = ("budget_recall", "recall")
"""How much is found, of text: the first that was measured is drawn and leads."""


RANKS = ("file_ndcg", "ndcg")
"""How high what is right stands: the first that was measured is drawn."""

TEXT_RECALL, TEXT_PRECISION, OMEGA = "recall", "precision", "precision_omega"
"""Drawn, the first two against each other."""

MAIN = (*RECALL, OMEGA)
"""By which rows are counted in the headline: the first that was measured."""

BY_SIZE = (RECALL, (OMEGA,), RANKS)
"""What is drawn against the mean size of a chunk, of each the first that was measured."""

MEAN_SIZE = "size_mean"
"""What the horizontal axis is, where it was measured."""


def _count(label: str, about: str, better: Better = "") -> Measure:
    return Measure(label, about, "count", better)


def _size(label: str, about: str) -> Measure:
    return Measure(label, about, "number", "")


def _share(label: str, about: str, better: Better = "higher") -> Measure:
    return Measure(label, about, "share", better)


GROUPS: Mapping[str, Mapping[str, Measure]] = {
    "Text that is found": {
        "budget_recall": Measure(
            "Recall in {budget} {unit}",
            "How much of what answers a question lies in the first chunks, as many as fit into"
            " {budget} {unit}: fair to sizes, since all are given the same room.",
        ),
        TEXT_RECALL: Measure(
            "Recall@{k}", "How much of what answers a question lies in the first {k} chunks."
        ),
        TEXT_PRECISION: Measure(
            "Precision@{k}",
            "How much of the first {k} chunks answers the question; repeated text counts again.",
        ),
        "iou": Measure(
            "IoU@{k}",
            "What lies in the first {k} chunks and answers, over all that lies there or answers.",
        ),
        OMEGA: Measure(
            "PrecisionOmega",
            "Precision of a search that would find just the chunks with part of the answer: it"
            " judges the cuts alone.",
        ),
    },
    "Chunks that are found": {
        "hit_rate": Measure(
            "Hit rate@{k}", "Share of questions with a right chunk among the first {k}."
        ),
        "mrr": Measure("MRR", "One over the place of the first right chunk; 0 without one."),
        "ndcg": Measure(
            "NDCG@{k}", "How high right chunks stand among the first {k}: 1 in the best order."
        ),
        "chunk_recall": Measure(
            "Chunk recall@{k}", "Share of the right chunks that are among the first {k}."
        ),
    },
    "Files that are found": {
        "file_hit_rate": Measure(
            "File hit rate@{k}", "Share of questions with a right file among the first {k}."
        ),
        "file_mrr": Measure(
            "File MRR", "One over the place of the first right file; 0 without one."
        ),
        "file_ndcg": Measure(
            "File NDCG@{k}", "How high right files stand among the first {k}: 1 in the best order."
        ),
        "file_recall": Measure(
            "File recall@{k}", "Share of the right files that are among the first {k}."
        ),
    },
    "Number and size": {
        "documents": _count("Documents", "Documents that were cut."),
        "chunks": _count("Chunks", "How many there are."),
        "size_mean": _size("Mean size", "Of a chunk, in {unit}."),
        "size_median": _size("Median size", "Half of the chunks are no larger, in {unit}."),
        "size_p95": _size("95% up to", "The size that 95% of the chunks do not exceed."),
        "size_max": _size("Largest", "Size of the largest chunk."),
        "over_cap": _count("Over the cap", "Chunks that are larger than asked for.", "lower"),
        "fragments": _count(
            "Fragments", "Chunks under a tenth of the cap that are not all of a document.", "lower"
        ),
        "fragment_share": _share("Fragments, share", "How many of all chunks those are.", "lower"),
    },
    "Kept whole": {
        f"{kind}_whole": _share(
            f"{kind.capitalize()} whole", f"Of the {kind} that fit a chunk, those that lie in one."
        )
        for kind in KINDS
    },
    "What there is to keep whole": {
        name: _count(label, about)
        for kind in KINDS
        for name, label, about in (
            (kind, kind.capitalize(), f"How many {kind} fit a chunk."),
            (f"{kind}_too_large", f"{kind.capitalize()} too large", f"How many {kind} do not fit."),
        )
    },
    "Where chunks are cut": {
        "begins_inside_word": _share("Begin in a word", "Of all chunks.", "lower"),
        "begins_inside_sentence": _share(
            "Begin in a sentence", "Of all chunks; of code, in a line.", "lower"
        ),
        "ends_inside_word": _share("End in a word", "Of all chunks.", "lower"),
        "ends_inside_sentence": _share(
            "End in a sentence", "Of all chunks; of code, in a line.", "lower"
        ),
        "fences_open": _share(
            "Fences open", "Of chunks with some of a fence, those that lack an end of it.", "lower"
        ),
        "tables_headless": _share(
            "Tables headless", "Of chunks with some of a table, those without its head.", "lower"
        ),
        "boundary_strength": _share(
            "Boundary strength",
            "How often the topic changes more at a cut than at the borders around it.",
        ),
    },
    "What is repeated, and what stays": {
        "repeated": _share("Repeated", "Text that an earlier chunk of the document holds too.", ""),
        "equal_chunks": _share("Equal chunks", "Chunks with the text of an earlier one.", ""),
        "kept_after_edit_at_start": _share(
            "Same after an edit at the start", "Chunks with the same id after a small edit."
        ),
        "kept_after_edit_in_middle": _share(
            "Same after an edit in the middle", "Chunks with the same id after a small edit."
        ),
    },
    "Cost": {
        "embed_tokens": _count("Tokens embedded", "What an embedder reads, context included."),
        "embed_seconds": Measure(
            "Embedding", "Time of the embedder, as if this row were the only one.", "seconds", ""
        ),
    },
}
"""Title of a table -> name of a measure -> how it is shown, in the order of the page."""

OTHERS = "Other measures"
"""Title of the table of what is not listed."""

_KNOWN = {name: one for group in GROUPS.values() for name, one in group.items()}


def depth_of(name: str) -> str:
    """`5` of `ndcg@5`; "" of what is looked at as deep as the report says."""
    base, _, depth = name.partition("@")
    return depth if base in _KNOWN and depth.isdecimal() else ""


def measure(name: str) -> Measure:
    """How a measure is shown, be it known or not."""
    depth = depth_of(name)
    known = _KNOWN.get(name.partition("@")[0] if depth else name)
    if known is None:
        plain = name.replace("_", " ").strip() or name
        return Measure(plain[:1].upper() + plain[1:], "", "number", "")
    label, about = (text.replace("{k}", depth or "{k}") for text in known[:2])
    return known._replace(label=label, about=about)


def grouped(names: Iterable[str]) -> dict[str, list[str]]:
    """Title of a table -> names in it, each once: known ones in the order of `GROUPS`, unknown ones
    last and as they came."""
    left = dict.fromkeys(names)
    found: dict[str, list[str]] = {}
    for title, group in GROUPS.items():
        known = [
            name
            for base in group
            for name in left
            if name.removesuffix(f"@{depth_of(name)}") == base
        ]
        found[title] = known
        left = {name: None for name in left if name not in known}
    found[OTHERS] = list(left)
    return {title: names for title, names in found.items() if names}


def measured(report: Report, names: Iterable[str]) -> str | None:
    """The first of the names that any row has a value of."""
    for name in names:
        if any(name in row.scores and is_drawable(row.scores[name].value) for row in report.rows):
            return name
    return None


def label(name: str, report: Report) -> str:
    """What a measure is called in a report."""
    return _filled(measure(name).label, report)


def about(name: str, report: Report) -> str:
    """What a measure means in a report; "" where that is not known."""
    told = measure(name)
    better = f" {told.better.capitalize()} is better." if told.better else ""
    return _filled(told.about, report) + better


def valued(value: float | None, form: Form) -> str:
    """A value in the form of its measure."""
    if value is None or not is_drawable(value):
        return MISSING
    if form == "share":
        return f"{value:.3f}"
    if form == "seconds":
        return f"{written(value)} s"
    return f"{value:,.0f}" if form == "count" else written(value)


def _filled(text: str, report: Report) -> str:
    """A text with the report's numbers in it; the unit last, which may say anything."""
    numbers = {"{k}": str(report.k), "{budget}": f"{report.budget:,}", "{unit}": report.unit}
    for name, value in numbers.items():
        text = text.replace(name, value)
    return text
