"""Studies: what score tables say about summarizers, about measures, and about the evaluation itself."""

from pyramidion.studies.averages import Average, Counts, average, summed_counts
from pyramidion.studies.comparison import Analysis, Comparison, Difference, Pair, Standing, compare
from pyramidion.studies.correlations import Correlations, SystemPoint, correlate, measures_to_score
from pyramidion.studies.correlations_pairs import (
    Accuracy,
    Correlation,
    CorrelationInterval,
    CorrelationTest,
    CorrelationTestMethod,
    SignificantTopics,
)
from pyramidion.studies.growth import Gain, GrowthStudy, Point, default_measures
from pyramidion.studies.growth_tests import ITSELF, GrowthTest, compare_parts
from pyramidion.studies.heterogeneity import Bin, HeterogeneityStudy, MeasureAuc, SetHeterogeneity, study_heterogeneity
from pyramidion.studies.judgments import Frequencies, Frequency, judgment_frequencies
from pyramidion.studies.judgments_agreement import (
    Confusion,
    JudgmentAgreement,
    QuestionAlpha,
    QuestionPair,
    judgment_agreement,
    judgment_confusions,
)
from pyramidion.studies.judgments_regression import (
    JudgmentCoefficient,
    JudgmentFit,
    JudgmentRegression,
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
from pyramidion.studies.orders import OrdersStudy, SummarySet, study_orders
from pyramidion.studies.power import PowerStatement, power_analysis
from pyramidion.studies.topics import study_topics

__all__ = [
    "ITSELF",
    "Accuracy",
    "Analysis",
    "Average",
    "Bin",
    "Comparison",
    "Confusion",
    "Correlation",
    "CorrelationInterval",
    "CorrelationTest",
    "CorrelationTestMethod",
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
    "OrdersStudy",
    "Pair",
    "Point",
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
    "judgment_confusions",
    "judgment_frequencies",
    "judgment_regression",
    "measures_to_score",
    "plan_model_free",
    "power_analysis",
    "study_heterogeneity",
    "study_model_free",
    "study_models",
    "study_orders",
    "study_topics",
    "summed_counts",
]
