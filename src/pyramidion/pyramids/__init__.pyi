from pyramidion.options import Rounding as Rounding
from pyramidion.pyramids.diagnosis import (
    Diagnosis as Diagnosis,
    Difficulty as Difficulty,
    diagnose as diagnose,
    difficulty as difficulty,
)
from pyramidion.pyramids.incidence import Annotated as Annotated, gather as gather
from pyramidion.pyramids.incidence import Incidence as Incidence, WeightFunction as WeightFunction
from pyramidion.pyramids.optimal import optimal_summaries as optimal_summaries
from pyramidion.pyramids.reliability.agreement import PyramidAgreement as PyramidAgreement
from pyramidion.pyramids.reliability.alpha import word_agreement as word_agreement
from pyramidion.pyramids.scores import (
    PyramidScores as PyramidScores,
    score_order as score_order,
    score_subsets as score_subsets,
)
from pyramidion.pyramids.scores import PyramidScoring as PyramidScoring
from pyramidion.pyramids.suggestions import (
    Idf as Idf,
    ScuProposal as ScuProposal,
    ScuSuggestion as ScuSuggestion,
    SpanSuggestion as SpanSuggestion,
    candidate_spans as candidate_spans,
    presence as presence,
    propose_scus as propose_scus,
    similar_scus as similar_scus,
)
from pyramidion.pyramids.view import PyramidView as PyramidView
