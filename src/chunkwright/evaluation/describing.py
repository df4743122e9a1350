"""What is known of a cutting without any question, and what its vectors cost. Each of it is counted
in a room of its own; here it is put together, so that what rows share is made once.
"""

from __future__ import annotations

from functools import cached_property

from chunkwright.chunking.many import one_by_one
from chunkwright.embedding.static import StaticEmbedder
from chunkwright.evaluation.boundaries import boundary_strength
from chunkwright.evaluation.cutting import Cutting
from chunkwright.evaluation.editing import edit_stability
from chunkwright.evaluation.intrinsic import intrinsic_facts
from chunkwright.evaluation.plans import Plan
from chunkwright.evaluation.remembering import RememberingEmbedder
from chunkwright.evaluation.structure import Structure, structure_of
from chunkwright.rendering import embed_text
from chunkwright.types import Chunking, Document

Facts = dict[str, float]


class Describer:
    """Describes cuttings of one corpus."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    def facts(self, cutting: Cutting) -> Facts:
        """All of them, once its chunks were embedded."""
        measure, seed = self._plan.measure, self._plan.seed
        facts = intrinsic_facts(
            cutting.chunkings, self._structures, cap=cutting.size, measure=measure
        )
        if self._plan.embeds:
            near = self._neutral
            facts |= boundary_strength(cutting.chunkings, self._structures, near, seed=seed)
        return {**facts, **self._stability(cutting), **self._cost(cutting)}

    @cached_property
    def _structures(self) -> list[Structure]:
        return [structure_of(document) for document in self._plan.corpus.documents]

    @cached_property
    def _neutral(self) -> RememberingEmbedder:
        """The default embedder, whichever one finds chunks: thousands of texts are embedded for
        each row, and cuts are to be judged alike whatever is asked."""
        return RememberingEmbedder(StaticEmbedder())

    def _stability(self, cutting: Cutting) -> Facts:
        """Of documents that are their own text: a notebook cannot be edited like one."""
        texts = self._plan.corpus.texts
        plain = [one for one in self._plan.corpus.documents if one.text == texts[one.path]]

        def safely(document: Document) -> Chunking:
            return next(one_by_one(cutting.cut, [document]))

        return edit_stability(plain, safely, seed=self._plan.seed)

    def _cost(self, cutting: Cutting) -> Facts:
        """Of the vectors of this row, as if it were the only one."""
        if self._plan.embedder is None:
            return {}
        texts = (embed_text(chunk) for chunk in cutting.chunks)
        tokens, seconds = self._plan.embedder.cost(texts)
        return {"embed_tokens": float(tokens), "embed_seconds": seconds}
