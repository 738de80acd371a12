"""What one does with pyramids: scores, sub-pyramids, optimal summaries, diagnosis, checks, reliability."""

from pyramidion.options import Rounding
from pyramidion.pyramids.diagnosis import Diagnosis, Difficulty, diagnose, difficulty
from pyramidion.pyramids.gathering import Annotated, gather
from pyramidion.pyramids.incidence import Incidence, WeightFunction
from pyramidion.pyramids.optimal import optimal_summaries
from pyramidion.pyramids.reliability.agreement import PyramidAgreement
from pyramidion.pyramids.reliability.alpha import word_agreement
from pyramidion.pyramids.scores import PyramidScores, score_order, score_subsets
from pyramidion.pyramids.scoring import PyramidScoring
from pyramidion.pyramids.view import PyramidView

__all__ = [
    "Annotated",
    "Diagnosis",
    "Difficulty",
    "Incidence",
    "PyramidAgreement",
    "PyramidScores",
    "PyramidScoring",
    "PyramidView",
    "Rounding",
    "WeightFunction",
    "diagnose",
    "difficulty",
    "gather",
    "optimal_summaries",
    "score_order",
    "score_subsets",
    "word_agreement",
]
