"""How scores behave as pyramids grow: orders, errors, rankings (Nenkova & Passonneau 2004, §3.3)."""

from pyramidion.studies.orders.critical import Critical, spearman_critical
from pyramidion.studies.orders.divergence import Divergence, divergence
from pyramidion.studies.orders.errors import ErrorProbabilities, error_probabilities
from pyramidion.studies.orders.ranking import Ranking, ranking
from pyramidion.studies.orders.scores import OrderScores, scores_by_order
from pyramidion.studies.orders.sets import SummarySet
from pyramidion.studies.orders.study import HumanScore, OrdersOptions, OrdersStudy, study_orders
from pyramidion.studies.orders.tables import OptimalCount, ScoreRange, ScuCount, SummaryScores

__all__ = [
    "Critical",
    "Divergence",
    "ErrorProbabilities",
    "HumanScore",
    "OptimalCount",
    "OrderScores",
    "OrdersOptions",
    "OrdersStudy",
    "Ranking",
    "ScoreRange",
    "ScuCount",
    "SummaryScores",
    "SummarySet",
    "divergence",
    "error_probabilities",
    "ranking",
    "scores_by_order",
    "spearman_critical",
    "study_orders",
]
