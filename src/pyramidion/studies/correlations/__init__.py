"""How measures agree with human scores, and with each other."""

from pyramidion.studies.correlations.clusters import Cluster, MeanRank
from pyramidion.studies.correlations.correlations import Correlations, SystemPoint, correlate
from pyramidion.studies.correlations.pairs import Accuracy, Correlation, SignificantTopics
from pyramidion.studies.correlations.parts import PartCorrelations, correlate_parts
from pyramidion.studies.correlations.tests import CorrelationTest

__all__ = [
    "Accuracy",
    "Cluster",
    "Correlation",
    "CorrelationTest",
    "Correlations",
    "MeanRank",
    "PartCorrelations",
    "SignificantTopics",
    "SystemPoint",
    "correlate",
    "correlate_parts",
]
