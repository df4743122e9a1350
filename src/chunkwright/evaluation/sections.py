"""Questions from headings: the headings above a section -> what stands under them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise

from chunkwright.characters import Lines, trim
from chunkwright.evaluation.docstrings import LONGEST_ANSWER
from chunkwright.evaluation.nouns import Question, Reference
from chunkwright.evaluation.wording import WORD, essence, plain, shortened
from chunkwright.languages import MARKDOWN, find, language_of
from chunkwright.parsing import parse_headings
from chunkwright.types import Block, Document

ORIGIN = "heading"

FEWEST_WORDS = 2
"""Different words in a chain of headings."""

FEWEST_WORDS_BELOW = 12
"""Words of a section's own text: fewer hold no answer."""

VERSION = re.compile(
    r"\d+\.\d+|\d{4}-\d\d-\d\d|unreleased|change ?log|release notes", re.IGNORECASE
)
"""What headings say that tell of releases: they ask nothing."""


def heading_questions(corpus: Mapping[str, str], left_out: Counter[str]) -> Iterator[Question]:
    """A question for each section with text of its own, in the order of paths and lines."""
    for path in sorted(corpus):
        row = find(language_of(path, corpus[path]))
        if row is None or row.family != MARKDOWN:
            continue
        for made in _of_document(path, corpus[path]):
            if isinstance(made, Question):
                yield made
            else:
                left_out[made] += 1


def _of_document(path: str, text: str) -> Iterator[Question | str]:
    blocks = parse_headings(Document(text, path=path)).blocks
    sections = [block for block in blocks if block.kind == "section"]
    lines = Lines(text)
    above: list[Block] = []
    for section, below in pairwise([*sections, Block(len(text), len(text))]):
        while above and above[-1].end <= section.start:
            above.pop()
        above.append(section)
        start, end = trim(text, section.body, min(section.end, below.start))
        chain = _chain(above)
        reason = _refused(chain, text[start:end])
        if reason:
            yield reason
        else:
            called = f"{ORIGIN}:{path}:{lines.number(section.start)}"
            yield Question(chain, (Reference(path, start, end),), called, ORIGIN)


def _chain(above: list[Block]) -> str:
    """Headings from the outside in, without those that the next one says again."""
    titles = [title for block in above if (title := plain(block.name))]
    told = [title for title, below in pairwise([*titles, ""]) if not below.startswith(title)]
    return shortened(": ".join(told))


def _refused(chain: str, body: str) -> str:
    if VERSION.search(chain):
        return "the headings tell of a release"
    if len(set(essence(chain).split())) < FEWEST_WORDS:
        return "the headings say too little"
    if len(WORD.findall(body)) < FEWEST_WORDS_BELOW:
        return "little text stands under the heading itself"
    if len(body) > LONGEST_ANSWER:
        return f"more than {LONGEST_ANSWER} characters stand under the heading"
    return ""
