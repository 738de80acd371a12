from pyramidion.text.limits import cut as cut
from pyramidion.text.overlap import (
    Kind as Kind,
    Matches as Matches,
    Quirks as Quirks,
    count_overlaps as count_overlaps,
    match_positions as match_positions,
)
from pyramidion.text.sentences import split_sentences as split_sentences
from pyramidion.text.tokens import Token as Token, locate_tokens as locate_tokens, tokenise as tokenise
