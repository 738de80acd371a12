"""Where something in a row is undefined for one reason only: that reason, by the class of the row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ONLY_REASONS: Final[Mapping[str, str]] = {
    "AssessorTopic": "the times of the answers are not known",
    "AssessorWork": "the times of the answers are not known",
    "ChoicePair": "texts are not cut, or the differences do not vary",
    "Cluster": "its correlation is undefined",
    "Divergence": "no pair diverges, none separates, or all do",
    "Gain": "the full correlation, or that at the smallest k, is undefined",
    "HeterogeneityTopics": "the bins do not vary",
    "InconsistentTopic": "no measure has an AUC in this topic",
    "JudgeOffset": "people judged a single topic, or all differences are equal",
    "LabelDesign": "no `difference=` or `margin=` was named, so that there is no power",
    "LabelPoint": "too few topics are drawn at this share",
    "MeanRank": "its correlation is undefined",
    "PredictorFit": "the answers never differ within topics and systems",
    "QuestionIcc": (
        "fewer than two summaries were judged by every assessor, all answers are the same, or the assessors "
        "contradict each other exactly"
    ),
    "QuestionPair": "one of the two gave the same answer to all",
    "Separation": "no pair is separated",
    "SetHeterogeneity": "there is no pair of summaries",
    "SettingRow": "texts are not cut",
    "TrustDisagreement": "",
    "TrustDrift": "all scores are equal, or the change is the same in all topics",
    "TrustPairSize": "",
    "TrustPairs": "people separate no two systems",
    "TrustPerson": "",
    "TrustPrompts": "",
    "TrustResolution": "scores do not vary between topics, or its means fall as people's rise",
    "TrustSeverity": "the difference is the same in all topics",
    "TrustWorth": "scores do not vary within topics and systems, or are the human scores themselves",
}
"""Empty: nothing in such a row can be undefined."""
