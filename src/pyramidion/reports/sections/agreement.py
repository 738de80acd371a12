"""How far assessors agree: Krippendorff's α of each question, and pairs of assessors."""

from __future__ import annotations

from pyramidion.options import JudgmentAgreementOptions
from pyramidion.present.judgments.agreement import section
from pyramidion.present.section import Section
from pyramidion.reports.context import Context

MOST_RESAMPLES = 500


def make(context: Context) -> Section | None:
    """None where no summary was judged twice."""
    if not context.campaign.judgments:
        return None
    resamples = min(context.options.resamples, MOST_RESAMPLES)
    options = JudgmentAgreementOptions(confidence=context.options.confidence, resamples=resamples)
    agreement = context.evaluation.judgment_agreement(options)
    if not any(alpha.n for alpha in agreement.alphas):
        return None
    return section(agreement, context.sections)
