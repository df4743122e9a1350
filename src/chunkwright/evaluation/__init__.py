"""Which cut is best for a corpus: chunks are made, asked and measured. The measures are in
`measures`, the nouns in `nouns`. Nothing is shown here.

    corpus, strategies (foreign) -> cutting      chunks of a corpus
    questions, making -> retrieving -> scoring   what they find
    intrinsic                                    what they are without questions
    statistics -> comparing -> running           the report
"""

from chunkwright.evaluation.boundaries import boundary_strength
from chunkwright.evaluation.corpus import Corpus, of_texts, read_corpus
from chunkwright.evaluation.docstrings import without_documentation
from chunkwright.evaluation.editing import edit_stability
from chunkwright.evaluation.foreign import chunking_of
from chunkwright.evaluation.intrinsic import DEFINITIONS, intrinsic_facts
from chunkwright.evaluation.making import Made, make_questions
from chunkwright.evaluation.measures import (
    Span,
    hit_rate,
    intersection,
    length,
    mean_reciprocal_rank,
    ndcg_at,
    precision_omega,
    recall_at,
    reciprocal_rank,
    span_iou,
    span_precision,
    span_recall,
    union,
)
from chunkwright.evaluation.nouns import (
    Comparison,
    Estimate,
    Question,
    Reference,
    Report,
    Row,
    Verdict,
)
from chunkwright.evaluation.questions import read_questions, write_questions
from chunkwright.evaluation.running import evaluate
from chunkwright.evaluation.statistics import compare, estimate
from chunkwright.evaluation.strategies import Strategy, of_factory, strategy
from chunkwright.evaluation.structure import Structure, structure_of

__all__ = [
    "DEFINITIONS",
    "Comparison",
    "Corpus",
    "Estimate",
    "Made",
    "Question",
    "Reference",
    "Report",
    "Row",
    "Span",
    "Strategy",
    "Structure",
    "Verdict",
    "boundary_strength",
    "chunking_of",
    "compare",
    "edit_stability",
    "estimate",
    "evaluate",
    "hit_rate",
    "intersection",
    "intrinsic_facts",
    "length",
    "make_questions",
    "mean_reciprocal_rank",
    "ndcg_at",
    "of_factory",
    "of_texts",
    "precision_omega",
    "read_corpus",
    "read_questions",
    "recall_at",
    "reciprocal_rank",
    "span_iou",
    "span_precision",
    "span_recall",
    "strategy",
    "structure_of",
    "union",
    "without_documentation",
    "write_questions",
]
