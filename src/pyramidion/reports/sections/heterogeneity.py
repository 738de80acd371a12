"""How diverse the measures are, how far each agrees with quality, and what they are worth together."""

from __future__ import annotations

from pyramidion.errors import InputError, UsageError
from pyramidion.measures import Derived, select
from pyramidion.measures.hbr import DEFAULT_COLUMNS
from pyramidion.options import HeterogeneityOptions
from pyramidion.present.heterogeneity import left_out_section, section
from pyramidion.present.section import Section
from pyramidion.reports.context import Context
from pyramidion.show.wording import listed

MOST_MEASURES = 24
MOST_PAIRS = 4_000_000
"""Ordered pairs of summaries of one topic, over all topics; with more, the section is left out."""


def make(context: Context) -> Section | None:
    """The measures of the report with the human score that counts most; None if there is nothing to combine."""
    quality = context.roles.reference
    if quality is None:
        return None
    measures = _choose_measures(context, quality)
    if len(measures) < 2 or context.sections.has_few_systems:
        return None
    options = HeterogeneityOptions(with_=quality)
    named = () if set(measures) == set(DEFAULT_COLUMNS) else measures
    command = context.sections.command("study heterogeneity", named, options)
    summaries_by_topic = context.table.only([quality]).frame["topic"].value_counts()["count"]
    pairs = sum(count * (count - 1) for count in summaries_by_topic)
    if pairs > MOST_PAIRS:
        return left_out_section(pairs, command)
    try:
        study = context.evaluation.study_heterogeneity(measures, options)
    except InputError:  # no summary has all of the scores
        return None
    if all(row.auc is None for row in study.aucs):
        return None
    notes = []
    left_out = [name for name in context.roles.automatic if name not in (*study.measures, quality)]
    if left_out:
        reason = f"derived from others, or more than {MOST_MEASURES} measures"
        notes.append(f"Not combined here: {listed(left_out)} ({reason}).")
    return section(study, context.sections, command, notes)


def _choose_measures(context: Context, quality: str) -> list[str]:
    """ROUGE by recall, precision and F where there are references, then the other automatic measures of the table."""
    has_references = any(summary.kind == "model" for summary in context.campaign.summaries)
    defaults = DEFAULT_COLUMNS if has_references else ()
    automatic = [name for name in context.roles.automatic if name != quality]
    computed = [name for name in automatic if not _is_derived(name)]
    return list(dict.fromkeys([*defaults, *computed]))[:MOST_MEASURES]


def _is_derived(name: str) -> bool:
    """Whether a measure is computed from others; a column of someone's own is not."""
    try:
        return isinstance(select(name).measure, Derived)
    except UsageError:
        return False
