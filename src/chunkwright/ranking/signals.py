"""What raises or lowers a candidate: each signal a small pure function with its weight. How shares
become a score is not known here.
"""

from __future__ import annotations

from collections.abc import Callable

from chunkwright.ranking.candidates import Candidate, Query
from chunkwright.ranking.words import stem
from chunkwright.types import Chunk, is_entry

DEFINITION_BOOST = 0.5
"""For the chunk that defines what the query names."""

SYMBOL_BOOST = 1.5
"""The same, where the query is that name and nothing else."""

OTHER_SPELLING = 0.7
"""What a name counts that is `axios` where `Axios` is asked for, or `read_file` for `readFile`."""

PATH_BOOST = 0.4
"""For a file whose path holds every word of the query."""

FOLDER_SHARE = 0.5
"""A word found in a folder's name counts half of one in the file's own."""

FILE_NAME_BOOST = 0.6
"""For a file all of whose name is in the query."""

FEW_TERMS = 3
"""Words of a query up to which a file's name in it counts in full. In a long one it may stand by
chance, for files are called `types` or `core`. Of passages that a sentence of 10 to 25 words asks
for, about two in a hundred more are found so, and files as well as before."""

PROSE_PENALTY = 0.4
"""Taken from prose beside code: a manual says much of everything, and is asked for by name."""

TEST_PENALTY = 0.5
"""Taken from tests, unless the query asks for them: they use what others define."""

ASIDE_PENALTY = 0.3
"""Taken from copies of others' code, examples and generated files, unless the query asks for them:
what they show is defined elsewhere."""

SUMMARY_BOOST = 0.1
"""For the summary of a document: it was written to say what the whole is about."""

DEPTH_PENALTY = 0.1
"""Taken from a section at the deepest level of headings, 0.02 for each level after the first."""

DEEPEST = 6
"""Levels of headings there are."""

TEST_WORDS = frozenset({"test", "tests", "testing", "spec"})

PROSE_WORDS = frozenset(
    {"changelog", "doc", "docs", "documentation", "guide", "manual", "readme", "tutorial"}
)

ASIDE_FOLDERS = frozenset(
    {"demo", "demos", "example", "examples", "generated", "nodemodules", "sample", "samples"}
    | {"thirdparty", "vendor", "vendored"}
)
"""Names of folders, without what parts them."""

GENERATED_ENDS = frozenset({"generated", "min", "pb", "pb2"})
"""Last parts of the names of generated files: `api_pb2.py`, `app.min.js`."""

CODE_KINDS = frozenset({"symbol", "symbol_part", "code", "file_header", "file"})
"""Kinds of chunks that hold source code."""

WHOLE = "file"
"""Kind of the view of a whole document."""

Signal = Callable[[Query, Candidate], float]
"""From 0 to 1 for a boost, from -1 to 0 for a penalty; times its weight, a part of the base."""


def defines(query: Query, candidate: Candidate) -> float:
    """How much of the query a name defined here answers; 0 where a part of the name is not asked
    for."""
    told, most = query.told, 0.0
    for name in candidate.defines:
        share = told.get(name)
        if share is None:
            share = told[name] = _answered(query, name)
        most = max(most, share)
    return most


def is_symbol(query: Query, candidate: Candidate) -> float:
    """1 for the chunk that defines the one name which the query is; less for another spelling."""
    if not query.symbol:
        return 0.0
    if query.spelling in candidate.spellings:
        return 1.0
    names = ("".join(name) for name in candidate.defines)
    return OTHER_SPELLING if query.symbol in names else 0.0


def in_path(query: Query, candidate: Candidate) -> float:
    """Share of the query's words in the path."""
    if not query.terms:
        return 0.0
    words = candidate.file_words, candidate.folder_words
    share = query.told.get(words)
    if share is None:
        share = query.told[words] = _share_in_path(query, *words)
    return share


def in_file_name(query: Query, candidate: Candidate) -> float:
    """Share of the file name's words that the query holds: a file called what is asked for is about
    it, the less surely the more the query says. Where the query is one name, the file must be
    called that."""
    parts = candidate.file_parts
    if query.symbol:
        return float(stem("".join(parts)) == stem(query.symbol))
    if not parts:
        return 0.0
    same = query.asked.same
    named = sum([bool(same(part)) for part in parts]) / len(parts)
    return named * min(1.0, FEW_TERMS / max(1, len(query.terms)))


def is_unasked_prose(query: Query, candidate: Candidate) -> float:
    """-1 for prose that code stands beside, where no documentation was asked for."""
    if not query.among_code or is_code(candidate.chunk):
        return 0.0
    return -1.0 if PROSE_WORDS.isdisjoint(query.terms) else 0.0


def is_code(chunk: Chunk) -> bool:
    """Whether it holds source code. Of files only code has a view of the whole; of documents that
    were put, prose has one too."""
    return chunk.kind in CODE_KINDS and not (chunk.kind == WHOLE and is_entry(chunk.path))


def is_unasked_test(query: Query, candidate: Candidate) -> float:
    """-1 for a test where no test was asked for."""
    return -1.0 if candidate.chunk.is_test and TEST_WORDS.isdisjoint(query.terms) else 0.0


def is_aside(query: Query, candidate: Candidate) -> float:
    """-1 for a copy of others' code, an example or a generated file that was not asked for."""
    aside = ASIDE_FOLDERS.intersection(candidate.folder_words)
    aside |= GENERATED_ENDS.intersection(candidate.file_parts[1:][-1:])
    return -1.0 if aside and not any(map(query.asked.same, aside)) else 0.0


def is_summary(_query: Query, candidate: Candidate) -> float:
    """1 for the summary of a document."""
    return float(candidate.chunk.is_summary)


def in_depth(_query: Query, candidate: Candidate) -> float:
    """-1 for a section under the deepest of headings, 0 for one under the highest."""
    return -max(0, candidate.chunk.depth - 1) / (DEEPEST - 1)


SIGNALS: dict[str, tuple[Signal, float]] = {
    "definition": (defines, DEFINITION_BOOST),
    "symbol": (is_symbol, SYMBOL_BOOST),
    "path": (in_path, PATH_BOOST),
    "file_name": (in_file_name, FILE_NAME_BOOST),
    "prose": (is_unasked_prose, PROSE_PENALTY),
    "test": (is_unasked_test, TEST_PENALTY),
    "aside": (is_aside, ASIDE_PENALTY),
    "summary": (is_summary, SUMMARY_BOOST),
    "depth": (in_depth, DEPTH_PENALTY),
}
"""Name in `Hit.reasons` -> signal and weight."""

FILE_SIGNALS = frozenset({"path", "file_name", "aside"})
"""Those that look at nothing but the path."""


def silent_for(query: Query) -> frozenset[str]:
    """Signals that say nothing of any candidate for such a query."""
    silent = set() if query.symbol else {"symbol"}
    return frozenset(silent if query.among_code else silent | {"prose"})


def _answered(query: Query, name: tuple[str, ...]) -> float:
    if not name or not query.terms:
        return 0.0
    joined = "".join(name)
    is_named = joined in query.terms
    if joined == query.symbol or (is_named and len(name) > 1 and not query.symbol):
        return 1.0
    if is_named or all(map(query.asked.same, name)):
        # Squared: with each word that the name leaves open, it is less likely what was meant.
        return (len(name) / max(len(name), len(query.terms))) ** 2
    return 0.0


def _share_in_path(
    query: Query, file_words: tuple[str, ...], folder_words: tuple[str, ...]
) -> float:
    """Of the words of a query; the same for every chunk of a file."""
    same, terms = query.asked.same, query.terms
    in_file = frozenset().union(*map(same, file_words))
    in_folder = frozenset().union(*map(same, folder_words))
    # Repeated terms count each time.
    counts = [1.0 if term in in_file else FOLDER_SHARE * (term in in_folder) for term in terms]
    return sum(counts) / len(terms)
