"""Who judged what, when and how long; which assessors are strict, and whether that changes."""

from __future__ import annotations

from pyramidion.options import AssessorOptions
from pyramidion.present.judgments.assessors import section
from pyramidion.present.section import Section
from pyramidion.reports.context import Context


def make(context: Context) -> Section | None:
    """None without several assessors or times."""
    judgments = context.campaign.judgments
    has_times = any(judgment.time or judgment.seconds is not None for judgment in judgments)
    if len({judgment.assessor for judgment in judgments}) < 2 and not has_times:
        return None
    options = AssessorOptions(confidence=context.options.confidence)
    return section(context.evaluation.describe_assessors(options), context.sections)
