"""What people and judges answered: `pyramidion.judgments.agreement("demo")`.

Each takes what the other verbs take and returns a Finding.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from pyramidion.options import (
    AssessorOptions,
    Choice,
    FrequencyOptions,
    JudgmentAgreementOptions,
    JudgmentRegressionOptions,
    PreferenceOptions,
    with_options,
)
from pyramidion.study import open_evaluation

if TYPE_CHECKING:  # the rooms are imported inside, so that `pyramidion --help` stays quick
    from pyramidion.options.keywords import (
        AssessorVerbKeywords,
        FrequencyVerbKeywords,
        JudgmentAgreementVerbKeywords,
        JudgmentRegressionVerbKeywords,
        PreferenceVerbKeywords,
    )
    from pyramidion.run.data import UserData
    from pyramidion.studies import AssessorDescription, Frequencies, JudgmentAgreement, JudgmentRegression, Preferences

__all__ = ["agreement", "describe", "frequencies", "preferences", "regression"]


@with_options(FrequencyOptions, Choice)
def frequencies(data: UserData, **keywords: Unpack[FrequencyVerbKeywords]) -> Frequencies:
    """Count how often each answer was given, by kind of summarizer."""
    evaluation, options = open_evaluation(data, FrequencyOptions, keywords)
    return evaluation.judgment_frequencies(options)


@with_options(JudgmentRegressionOptions, Choice)
def regression(data: UserData, **keywords: Unpack[JudgmentRegressionVerbKeywords]) -> JudgmentRegression:
    """Regress one question on the others, for each assessor and for all of them together."""
    evaluation, options = open_evaluation(data, JudgmentRegressionOptions, keywords)
    return evaluation.judgment_regression(options)


@with_options(JudgmentAgreementOptions, Choice)
def agreement(data: UserData, **keywords: Unpack[JudgmentAgreementVerbKeywords]) -> JudgmentAgreement:
    """Measure how far assessors agree: Krippendorff's α, pairs of assessors, confusion."""
    evaluation, options = open_evaluation(data, JudgmentAgreementOptions, keywords)
    return evaluation.judgment_agreement(options)


@with_options(PreferenceOptions, Choice)
def preferences(data: UserData, **keywords: Unpack[PreferenceVerbKeywords]) -> Preferences:
    """Count who is preferred to whom, by assessor and position, and rank summarizers (Davidson's model)."""
    evaluation, options = open_evaluation(data, PreferenceOptions, keywords)
    return evaluation.preferences(options)


@with_options(AssessorOptions, Choice)
def describe(data: UserData, **keywords: Unpack[AssessorVerbKeywords]) -> AssessorDescription:
    """Describe assessors: who judged what, when, and how long it took; who is strict, and whether that changes."""
    evaluation, options = open_evaluation(data, AssessorOptions, keywords)
    return evaluation.describe_assessors(options)
