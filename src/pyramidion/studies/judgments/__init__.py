"""What assessors answered, what predicts their overall scores, how far they agree, and how strict each of them is."""

from pyramidion.studies.judgments.agreement import (
    Confusion,
    JudgmentAgreement,
    QuestionAlpha,
    QuestionPair,
    judgment_agreement,
)
from pyramidion.studies.judgments.assessors import (
    AssessorDescription,
    AssessorDrift,
    AssessorSeverity,
    AssessorTopic,
    AssessorWork,
    UnusualTime,
)
from pyramidion.studies.judgments.describing import describe_assessors
from pyramidion.studies.judgments.frequencies import Frequencies, Frequency, judgment_frequencies
from pyramidion.studies.judgments.preferences import Ability, Preferences, rank_by_preferences
from pyramidion.studies.judgments.regression import (
    JudgmentCoefficient,
    JudgmentFit,
    JudgmentRegression,
    judgment_regression,
)

__all__ = [
    "AssessorDescription",
    "AssessorDrift",
    "AssessorSeverity",
    "AssessorTopic",
    "AssessorWork",
    "Confusion",
    "Frequencies",
    "Frequency",
    "JudgmentAgreement",
    "JudgmentCoefficient",
    "JudgmentFit",
    "JudgmentRegression",
    "Ability",
    "Preferences",
    "QuestionAlpha",
    "QuestionPair",
    "UnusualTime",
    "describe_assessors",
    "judgment_agreement",
    "judgment_frequencies",
    "judgment_regression",
    "rank_by_preferences",
]
