from pyramidion.text.clauses import split_clauses as split_clauses
from pyramidion.text.overlap import (
    OverlapKind as OverlapKind,
    Quirks as Quirks,
    count_overlaps as count_overlaps,
    match_positions as match_positions,
)
from pyramidion.text.sentences import split_sentences as split_sentences
from pyramidion.text.tokens import tokenise as tokenise
