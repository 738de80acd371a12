"""How the numbers of a report were computed, and what to cite."""

from __future__ import annotations

import re
from collections import Counter
from importlib import resources

from pyramidion.present.methods import ReportSettings, has_correlations, methods_section
from pyramidion.present.section import Section
from pyramidion.reports.context import Context
from pyramidion.reports.sections import agreement, correlations
from pyramidion.reports.sections.pyramids import SCU
from pyramidion.version import VERSION


def make(context: Context) -> Section:
    """Every signature, seed and version."""
    settings = ReportSettings(
        data_name=context.evaluation.data.name,
        choice=context.evaluation.choice,
        other_resamples=_other_resamples(context),
        papers=read_papers(),
        scu_sentence=SCU,
    )
    return methods_section(context.sections, settings)


def read_papers() -> dict[str, str]:
    """What stands behind what a report shows, as BibTeX by key."""
    text = resources.files("pyramidion.reports").joinpath("templates", "papers.bib").read_text(encoding="utf-8")
    entries = text.replace("VERSION", VERSION).strip().split("\n\n")
    return {re.split("[{,]", entry)[1]: entry for entry in entries}


def _other_resamples(context: Context) -> dict[str, int]:
    """Where the page resamples more often or less often than it was asked to."""
    resamples: dict[str, int] = {}
    if has_correlations(context.sections):
        resamples["topic-level correlations"] = max(context.options.resamples, correlations.FEWEST_RESAMPLES)
    judgments = context.campaign.judgments
    answers = Counter((judgment.question, judgment.topic, judgment.summarizer) for judgment in judgments)
    if any(count > 1 for count in answers.values()):
        resamples["Krippendorff's α"] = min(context.options.resamples, agreement.MOST_RESAMPLES)
    return {what: count for what, count in resamples.items() if count != context.options.resamples}
