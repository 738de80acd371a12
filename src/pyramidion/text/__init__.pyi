from pyramidion.text.limits import cut as cut, cut_sentences as cut_sentences
from pyramidion.text.overlap import (
    Kind as Kind,
    Matches as Matches,
    Quirks as Quirks,
    count_be_overlaps as count_be_overlaps,
    count_overlaps as count_overlaps,
    count_rouge_score as count_rouge_score,
    count_token_overlaps as count_token_overlaps,
    match_positions as match_positions,
)
from pyramidion.text.sentences import sentence_spans as sentence_spans, split_sentences as split_sentences
from pyramidion.text.tokens import (
    UNICODE_VERSION as UNICODE_VERSION,
    Token as Token,
    locate_tokens as locate_tokens,
    tokenise as tokenise,
)
