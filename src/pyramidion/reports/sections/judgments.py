"""What assessors answered, and what predicts their overall scores."""

from __future__ import annotations

from dataclasses import replace

from pyramidion.options import FrequencyOptions, JudgmentRegressionOptions
from pyramidion.present.judgments import frequencies, regression
from pyramidion.present.section import Section
from pyramidion.reports.context import Context

MOST_QUESTIONS = 12


def make(context: Context) -> Section | None:
    """Frequencies of answers by kind of summarizer, and the regression of one question on the others."""
    questions = context.campaign.question_names
    if not context.campaign.judgments:
        return None
    options = FrequencyOptions(question=questions[:MOST_QUESTIONS] if len(questions) > MOST_QUESTIONS else ())
    return frequencies.section(
        context.evaluation.judgment_frequencies(options),
        context.sections,
        options,
        regression=_regression(context) if len(questions) > 1 else None,
    )


def _regression(context: Context) -> Section:
    """What predicts the human score that counts most in this report."""
    question = (context.roles.reference or "").removeprefix("question.")
    target = question if question in context.campaign.question_names else None
    options = JudgmentRegressionOptions(target=target, confidence=context.options.confidence)
    result = context.evaluation.judgment_regression(options)
    return regression.section(result, context.sections, replace(options, target=result.target))
