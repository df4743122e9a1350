"""Text in the word pieces of uncased BERT, from the vocabulary that lies beside this module. What
becomes of the pieces is not here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

VOCABULARY = Path(__file__).parent / "vocabularies" / "bert-uncased.txt"

START, END, UNKNOWN = "[CLS]", "[SEP]", "[UNK]"

LONGEST_WORD = 100
"""Code points; BERT takes a longer word for one unknown piece."""


class WordPieces:
    """A measure that counts BERT's word pieces, none added. It holds nothing, so that it pickles;
    the vocabulary is read when something is first counted."""

    name = "bert-uncased"

    def count(self, text: str, /) -> int:
        """Number of pieces."""
        return len(_tokenizer().encode(text).ids)

    def ends(self, text: str, /) -> list[int]:
        """End of every piece, in code points."""
        return [end for _, end in _tokenizer().encode(text).offsets]


def framed(texts: Sequence[str]) -> list[list[int]]:
    """Ids of the pieces of each text, between those of its start and its end."""
    start, end = (_tokenizer().token_to_id(token) for token in (START, END))
    return [[start, *found.ids, end] for found in _tokenizer().encode_batch_fast(list(texts))]


@cache
def _tokenizer() -> Any:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    pieces = VOCABULARY.read_text("utf-8").split("\n")
    vocabulary = {piece: number for number, piece in enumerate(pieces) if piece}
    model = models.WordPiece(vocabulary, unk_token=UNKNOWN, max_input_chars_per_word=LONGEST_WORD)
    # No special tokens are added: text that spells one is text.
    tokenizer = Tokenizer(model)
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer
