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
from pyramidion.studies.growth import Gain, GrowthStudy, Point, default_measures
from pyramidion.studies.growth_tests import ITSELF, GrowthTest, compare_parts
from pyramidion.studies.heterogeneity import Bin, HeterogeneityStudy, MeasureAuc, SetHeterogeneity, study_heterogeneity
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
from pyramidion.studies.model_free import (
    ModelFreeColumn,
    ModelFreePlan,
    ModelFreeRow,
    ModelFreeStudy,
    plan_model_free,
    study_model_free,
)
from pyramidion.studies.models import study_models
from pyramidion.studies.orders import OrdersOptions, OrdersStudy, SummarySet, study_orders
from pyramidion.studies.power import Power, PowerStatement, power_analysis
from pyramidion.studies.topics import study_topics

__all__ = [
    "ITSELF",
    "Accuracy",
    "Analysis",
    "Average",
    "Averages",
    "Bin",
    "Comparison",
    "Confusion",
    "Correlation",
    "CorrelationTest",
    "Correlations",
    "Counts",
    "Difference",
    "Frequencies",
    "Frequency",
    "Gain",
    "GrowthStudy",
    "GrowthTest",
    "HeterogeneityStudy",
    "JudgmentAgreement",
    "JudgmentCoefficient",
    "JudgmentFit",
    "JudgmentRegression",
    "MeasureAuc",
    "ModelFreeColumn",
    "ModelFreePlan",
    "ModelFreeRow",
    "ModelFreeStudy",
    "OrdersOptions",
    "OrdersStudy",
    "Pair",
    "Point",
    "Power",
    "PowerStatement",
    "QuestionAlpha",
    "QuestionPair",
    "SetHeterogeneity",
    "SignificantTopics",
    "Standing",
    "SummarySet",
    "SystemPoint",
    "average",
    "compare",
    "compare_parts",
    "correlate",
    "default_measures",
    "judgment_agreement",
    "judgment_frequencies",
    "judgment_regression",
    "plan_model_free",
    "power_analysis",
    "study_heterogeneity",
    "study_model_free",
    "study_models",
    "study_orders",
    "study_topics",
]
