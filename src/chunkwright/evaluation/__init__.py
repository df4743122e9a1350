"""Which cut is best for a corpus: chunks are made, asked and measured. The measures are in
`measures`, the nouns in `nouns`, what needs no question in `intrinsic`. Nothing is shown here.
"""

from chunkwright.evaluation.boundaries import boundary_strength
from chunkwright.evaluation.docstrings import without_documentation
from chunkwright.evaluation.editing import edit_stability
from chunkwright.evaluation.intrinsic import DEFINITIONS, chunking_of, intrinsic_facts
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
from chunkwright.evaluation.statistics import compare, estimate
from chunkwright.evaluation.structure import Structure, structure_of

__all__ = [
    "DEFINITIONS",
    "Comparison",
    "Estimate",
    "Made",
    "Question",
    "Reference",
    "Report",
    "Row",
    "Span",
    "Structure",
    "Verdict",
    "boundary_strength",
    "chunking_of",
    "compare",
    "edit_stability",
    "estimate",
    "hit_rate",
    "intersection",
    "intrinsic_facts",
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
    "structure_of",
    "union",
    "without_documentation",
    "write_questions",
]
