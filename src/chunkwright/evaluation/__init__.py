"""Which cut is best for a corpus: chunks are made, asked and measured. The measures are in
`measures`, the nouns in `nouns`. Nothing is shown here.
"""

from chunkwright.evaluation.docstrings import without_documentation
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

__all__ = [
    "Comparison",
    "Estimate",
    "Made",
    "Question",
    "Reference",
    "Report",
    "Row",
    "Span",
    "Verdict",
    "hit_rate",
    "intersection",
    "length",
    "make_questions",
    "mean_reciprocal_rank",
    "ndcg_at",
    "precision_omega",
    "read_questions",
    "recall_at",
    "reciprocal_rank",
    "span_iou",
    "span_precision",
    "span_recall",
    "union",
    "without_documentation",
    "write_questions",
]
