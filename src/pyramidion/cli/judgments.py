"""`pyramidion judgments frequencies|regression|agreement|describe`: what assessors answered, and how they judge."""

from __future__ import annotations

from pyramidion.cli.options import Program, group
from pyramidion.cli.run import Run, analysis
from pyramidion.options import (
    AssessorOptions,
    FrequencyOptions,
    JudgmentAgreementOptions,
    JudgmentRegressionOptions,
    PreferenceOptions,
)
from pyramidion.show.tables import Finding

judgments: Program = group(
    "judgments",
    "Analyse human judgments: the answers, what predicts the overall score, agreement and severity of assessors.",
)


@judgments.add
@analysis(FrequencyOptions, figure=True)
def frequencies(run: Run, options: FrequencyOptions) -> Finding:
    """Count how often each answer was given, by kind of summarizer.

    Example: pyramidion judgments frequencies demo --figure frequencies.svg
    """
    return run.evaluation.judgment_frequencies(options)


@judgments.add
@analysis(JudgmentRegressionOptions, figure=True)
def regression(run: Run, options: JudgmentRegressionOptions) -> Finding:
    """Regress one question on the others, for each assessor and for all together.

    Example: pyramidion judgments regression demo --target overall-responsiveness
    """
    return run.evaluation.judgment_regression(options)


@judgments.add
@analysis(
    JudgmentAgreementOptions,
    shows="studies.judgments.agreement:JudgmentAgreement",
    figure=True,
)
def agreement(run: Run, options: JudgmentAgreementOptions) -> Finding:
    """Measure how far assessors agree: Krippendorff's α with intervals, and each pair of assessors.

    Example: pyramidion judgments agreement demo --metric ordinal
    """
    return run.evaluation.judgment_agreement(options)


@judgments.add
@analysis(PreferenceOptions)
def preferences(run: Run, options: PreferenceOptions) -> Finding:
    """Rank systems by preferences between pairs of summaries: Davidson's model, which allows for ties.

    Example: pyramidion judgments preferences my-campaign
    """
    return run.evaluation.preferences(options)


@judgments.add
@analysis(
    AssessorOptions,
    shows="studies.judgments.assessors:AssessorDescription",
    figure=True,
)
def describe(run: Run, options: AssessorOptions) -> Finding:
    """Describe assessors: who judged what, when, and how long it took; who is strict, and whether that changes.

    Example: pyramidion judgments describe demo --question overall-responsiveness
    """
    return run.evaluation.describe_assessors(options)
