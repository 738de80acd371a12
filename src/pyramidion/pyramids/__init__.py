"""What one does with pyramids: scores, sub-pyramids, optimal summaries, diagnosis, checks, reliability."""

from pyramidion.pyramids.checks import WordCounts, check_pyramids, count_words
from pyramidion.pyramids.diagnosis import Diagnosis, Difficulty, ScuStanding, Tier, diagnose, difficulty
from pyramidion.pyramids.gathering import Annotated, gather
from pyramidion.pyramids.incidence import (
    Incidence,
    Rounding,
    WeightFunction,
    all_subsets,
    max_weights,
    subsets,
)
from pyramidion.pyramids.optimal import Optimal, optimal, optimal_summaries
from pyramidion.pyramids.reliability import (
    Agreement,
    AgreementOptions,
    peer_agreement,
    peer_dice,
    pyramid_agreement,
    word_agreement,
)
from pyramidion.pyramids.reliability_merge import merge_topics
from pyramidion.pyramids.reliability_scores import ScoresAcross, models_across, peers_across
from pyramidion.pyramids.reliability_topic import topic_agreement, topic_scores_across
from pyramidion.pyramids.scores import PyramidScores, score_order, score_subsets

__all__ = [
    "Agreement",
    "AgreementOptions",
    "Annotated",
    "Diagnosis",
    "Difficulty",
    "Incidence",
    "Optimal",
    "PyramidScores",
    "Rounding",
    "ScoresAcross",
    "ScuStanding",
    "Tier",
    "WeightFunction",
    "WordCounts",
    "all_subsets",
    "check_pyramids",
    "count_words",
    "diagnose",
    "difficulty",
    "gather",
    "max_weights",
    "merge_topics",
    "models_across",
    "optimal",
    "optimal_summaries",
    "peer_agreement",
    "peer_dice",
    "peers_across",
    "pyramid_agreement",
    "score_order",
    "score_subsets",
    "subsets",
    "topic_agreement",
    "topic_scores_across",
    "word_agreement",
]
