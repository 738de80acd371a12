"""How measures agree with human scores, and with each other."""

from pyramidion.studies.correlations.correlations import Correlations, SystemPoint, correlate
from pyramidion.studies.correlations.pairs import Accuracy, Correlation, SignificantTopics
from pyramidion.studies.correlations.tests import CorrelationTest

__all__ = [
    "Accuracy",
    "Correlation",
    "CorrelationTest",
    "Correlations",
    "SignificantTopics",
    "SystemPoint",
    "correlate",
]
