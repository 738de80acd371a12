"""Studies: what score tables say about summarizers, about measures, and about the evaluation itself."""

from pyramidion.studies.averages import Average, Averages, Counts, average
from pyramidion.studies.comparison import Analysis, Comparison, Difference, Pair, Standing, compare
from pyramidion.studies.correlations import (
    Accuracy,
    Correlation,
    Correlations,
    CorrelationTest,
    SignificantTopics,
    SystemPoint,
    correlate,
)
from pyramidion.studies.growth import Gain, GrowthStudy, Point
from pyramidion.studies.heterogeneity import HeterogeneityStudy, MeasureAuc
from pyramidion.studies.judgments import (
    Confusion,
    Frequencies,
    Frequency,
    JudgmentAgreement,
    JudgmentCoefficient,
    JudgmentFit,
    JudgmentRegression,
    QuestionAlpha,
    QuestionPair,
    judgment_agreement,
    judgment_frequencies,
    judgment_regression,
)
from pyramidion.studies.model_free import FeatureCorrelation, FeatureMicro, ModelFreeStudy
from pyramidion.studies.orders import OrdersOptions, OrdersStudy, SummarySet, study_orders
from pyramidion.studies.power import Power, PowerStatement, power_analysis

__all__ = [
    "Accuracy",
    "Analysis",
    "Average",
    "Averages",
    "Comparison",
    "Confusion",
    "Correlation",
    "CorrelationTest",
    "Correlations",
    "Counts",
    "Difference",
    "FeatureCorrelation",
    "FeatureMicro",
    "Frequencies",
    "Frequency",
    "Gain",
    "GrowthStudy",
    "HeterogeneityStudy",
    "JudgmentAgreement",
    "JudgmentCoefficient",
    "JudgmentFit",
    "JudgmentRegression",
    "MeasureAuc",
    "ModelFreeStudy",
    "OrdersStudy",
    "Pair",
    "Point",
    "Power",
    "PowerStatement",
    "QuestionAlpha",
    "QuestionPair",
    "SignificantTopics",
    "Standing",
    "SummarySet",
    "SystemPoint",
    "average",
    "compare",
    "correlate",
    "judgment_agreement",
    "judgment_frequencies",
    "judgment_regression",
    "power_analysis",
    "study_orders",
]
