"""How many references and topics it takes: the studies of both, with the human score that counts most."""

from __future__ import annotations

from collections.abc import Sequence

from pyramidion.errors import InputError, UsageError
from pyramidion.measures.names import parse
from pyramidion.measures.registry import select
from pyramidion.options import GrowthOptions, TopicsOptions
from pyramidion.present.sample_size import left_out_section, part_section, section
from pyramidion.present.section import Section
from pyramidion.reports.context import Context
from pyramidion.show.wording import listed
from pyramidion.studies.sample_size import SampleSizeStudy
from pyramidion.studies.sample_size.models import explain_fixed_references

MOST_MEASURES = 6
"""Automatic measures that are studied; the pyramid comes on top."""
FEWEST_TOPICS = 4
FEWER_RESAMPLES = 300
MANY_SUMMARIES = 2_000
"""With more, fewer samples are drawn."""
MOST_SUMMARIES = 50_000
"""With more, sampling references takes too much memory for a report."""
MOST_TOPICS = 5_000
PYRAMID = "pyramid.modified"
_MOST_SIZES = 12


def make(context: Context) -> Section | None:
    """Curves for references where topics have two or more, and for topics where there are four or more."""
    target = context.roles.reference
    if target is None or context.sections.has_few_systems:
        return None
    parts: list[Section] = []
    studies: list[SampleSizeStudy] = []
    for part, study in (_study_references(context, target), _study_topics(context, target)):
        if part is not None:
            parts.append(part)
        if study is not None:
            studies.append(study)
    return section(parts, studies, context.sections, target) if parts else None


def _study_references(context: Context, target: str) -> tuple[Section | None, SampleSizeStudy | None]:
    """The section about references, and its result; None where there is nothing to study."""
    automatic = context.roles.automatic
    measures = _choose_measures(context, [name for name in context.roles.measures if _uses_references(name)], target)
    if not measures:
        return None, None
    options = GrowthOptions(with_=(target,), resamples=_resamples(context), confidence=context.options.confidence)
    command = context.sections.command("study models", measures, options)
    summaries = len(context.campaign.summaries)
    if summaries > MOST_SUMMARIES:
        reason = f"{summaries:,} summaries are too many to sample references for this page"
        return left_out_section("references", reason, command), None
    try:
        study = context.evaluation.study_models(measures, options)
    except (InputError, UsageError):  # a score table, or no topic with two references
        return None, None
    fixed = [name for name in automatic if name != target and not _uses_references(name)]
    notes = [f"Excluded because they do not use references: {listed(fixed)}."] if fixed else []
    notes += _left_out_notes(study, [name for name in automatic if name not in fixed])
    return part_section(study, context.sections, command, notes), study


def _study_topics(context: Context, target: str) -> tuple[Section | None, SampleSizeStudy | None]:
    """The section about topics, and its result; None where there are too few."""
    measures = _choose_measures(context, context.roles.measures, target)
    total = len(context.table.topics)
    if total < FEWEST_TOPICS or not measures:
        return None, None
    options = TopicsOptions(
        with_=(target,),
        resamples=_resamples(context),
        confidence=context.options.confidence,
        sizes=tuple(_sizes(total)),
    )
    command = context.sections.command("study topics", measures, options)
    if total > MOST_TOPICS:
        reason = f"{total:,} topics are too many to sample from for this page"
        return left_out_section("topics", reason, command), None
    study = context.evaluation.study_topics(measures, options)
    notes = _left_out_notes(study, context.roles.automatic)
    return part_section(study, context.sections, command, notes), study


def _left_out_notes(study: SampleSizeStudy, eligible: Sequence[str]) -> list[str]:
    """Which measures could have been studied, but were not, because there are too many."""
    left_out = [name for name in eligible if name not in (*study.measures, *study.targets)]
    if not left_out:
        return []
    return [f"Left out because there are more than {MOST_MEASURES} measures: {listed(left_out)}."]


def _choose_measures(context: Context, candidates: Sequence[str], target: str) -> list[str]:
    """Some automatic measures of the table, one of each kind first, and the pyramid if it is not the target."""
    automatic = [name for name in context.roles.automatic if name in candidates]
    bases = [parse(name).base for name in automatic]
    by_turn = sorted(range(len(automatic)), key=lambda place: bases[:place].count(bases[place]))
    measures = [automatic[place] for place in sorted(by_turn[:MOST_MEASURES])]
    if PYRAMID in candidates and target != PYRAMID:
        measures.append(PYRAMID)
    return measures


def _uses_references(name: str) -> bool:
    """Whether the study of references can choose them for this measure."""
    try:
        return not explain_fixed_references(select(name))
    except UsageError:  # a column of someone's own
        return False


def _sizes(total: int) -> list[int]:
    """1, 2, 3, 4, 6, 8, 12, 16 … below all; of very many topics only the powers of two."""
    candidates = [base << shift for shift in range(total.bit_length()) for base in (1, 3)]
    sizes = sorted(size for size in candidates if size < total)
    if len(sizes) <= _MOST_SIZES:
        return sizes
    return [size for size in sizes if size & (size - 1) == 0]


def _resamples(context: Context) -> int:
    """Fewer samples where the campaign is large."""
    summaries = len(context.table.summarizers) * len(context.table.topics)
    return FEWER_RESAMPLES if summaries > MANY_SUMMARIES else GrowthOptions().resamples
