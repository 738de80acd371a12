"""What assessors answered, what predicts their overall scores, and how far they agree."""

from pyramidion.studies.judgments.agreement import (
    Confusion,
    JudgmentAgreement,
    QuestionAlpha,
    QuestionPair,
    judgment_agreement,
)
from pyramidion.studies.judgments.frequencies import Frequencies, Frequency, judgment_frequencies
from pyramidion.studies.judgments.regression import (
    JudgmentCoefficient,
    JudgmentFit,
    JudgmentRegression,
    judgment_regression,
)

__all__ = [
    "Confusion",
    "Frequencies",
    "Frequency",
    "JudgmentAgreement",
    "JudgmentCoefficient",
    "JudgmentFit",
    "JudgmentRegression",
    "QuestionAlpha",
    "QuestionPair",
    "judgment_agreement",
    "judgment_frequencies",
    "judgment_regression",
]
