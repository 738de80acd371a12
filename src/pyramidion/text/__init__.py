"""Text: tokens, sentences, stems, stop words, length limits, and the counts that measures are made of.

The counting itself is native (native/); `overlap` (peers beside models) and `inputs` (summaries beside what they
summarize) are the only doors to it.
"""

from pyramidion.text.limits import cut, cut_sentences
from pyramidion.text.overlap import (
    Kind,
    Matches,
    Quirks,
    count_be_overlaps,
    count_overlaps,
    count_rouge_score,
    count_token_overlaps,
    match_positions,
)
from pyramidion.text.sentences import sentence_spans, split_sentences
from pyramidion.text.tokens import UNICODE_VERSION, Token, locate_tokens, tokenise

__all__ = [
    "UNICODE_VERSION",
    "Kind",
    "Matches",
    "Quirks",
    "Token",
    "count_be_overlaps",
    "count_overlaps",
    "count_rouge_score",
    "count_token_overlaps",
    "cut",
    "cut_sentences",
    "locate_tokens",
    "match_positions",
    "sentence_spans",
    "split_sentences",
    "tokenise",
]
