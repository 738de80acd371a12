"""How many references and topics it takes: the studies of both, with the human score that counts most."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pyramidion.errors import InputError, UsageError
from pyramidion.measures.names import parse
from pyramidion.measures.registry import select
from pyramidion.options import GrowthOptions, TopicsOptions
from pyramidion.present.section import Figure, Section
from pyramidion.reports.context import Context
from pyramidion.reports.figures.growth import draw_growth
from pyramidion.show.tables import grouped
from pyramidion.show.wording import listed, number
from pyramidion.studies.growth import GrowthStudy
from pyramidion.studies.growth.models import why_fixed

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
    if context.reference is None or context.few_systems:
        return None
    found = [part for part in (_models(context, context.reference), _topics(context, context.reference)) if part]
    if not found:
        return None
    return Section(
        id="how-many",
        title="How many references and topics",
        finding=_finding(found),
        mark=context.table.notes.get(context.reference, ""),
        sentences=tuple(sentence for part in found for sentence in part.sentences[:2]),
        parts=tuple(replace(part, sentences=part.sentences[2:]) for part in found),
    )


def _finding(parts: Sequence[Section]) -> str:
    """The sentences that say how many are enough, if there are any."""
    found = [match for part in parts for line in part.sentences[1:2] if (match := _ENOUGH.match(line))]
    if not found:
        return ""
    by_measure = grouped(found, lambda match: match[1])
    said = [f"{measure} needs only {', or '.join(match[2] for match in some)}" for measure, some in by_measure.items()]
    return f"{listed(said)}, to come within {found[0][3]} of its correlation on all data on average"


_ENOUGH = re.compile(r"(\S+) needs only ([\d,]+ of [\d,]+ \w+): .* within (\S+) of")


def _models(context: Context, target: str) -> Section | None:
    measures = _chosen(context, [name for name in context.measures if _uses_references(name)], target)
    if not measures:
        return None
    options = GrowthOptions(with_=(target,), resamples=_resamples(context), confidence=context.options.confidence)
    repeat = context.command("study models", measures, options)
    many = len(context.campaign.summaries)
    if many > MOST_SUMMARIES:
        return _left_out("references", f"{many:,} summaries are too many to sample references for this page", repeat)
    try:
        study = context.evaluation.study_models(measures, **vars(options))
    except (InputError, UsageError):  # a score table, or no topic with two references
        return None
    fixed = [name for name in context.automatic if name != target and not _uses_references(name)]
    notes = [f"Excluded because they do not use references: {listed(fixed)}."] if fixed else []
    return _part(context, study, repeat, [name for name in context.automatic if name not in fixed], notes)


def _topics(context: Context, target: str) -> Section | None:
    measures = _chosen(context, context.measures, target)
    total = len(context.table.topics)
    if total < FEWEST_TOPICS or not measures:
        return None
    options = TopicsOptions(
        with_=(target,),
        resamples=_resamples(context),
        confidence=context.options.confidence,
        sizes=tuple(_sizes(total)),
    )
    repeat = context.command("study topics", measures, options)
    if total > MOST_TOPICS:
        return _left_out("topics", f"{total:,} topics are too many to sample from for this page", repeat)
    return _part(context, context.evaluation.study_topics(measures, **vars(options)), repeat, context.automatic, [])


def _left_out(what: str, why: str, command: str) -> Section:
    sentence = f"{why}; the command does it."
    return Section(id=f"how-many-{what}", title=what.capitalize(), sentences=(sentence,), commands=(command,))


def _chosen(context: Context, known: Sequence[str], target: str) -> list[str]:
    """Some automatic measures of the table, one of each kind first, and the pyramid if it is not the target."""
    automatic = [name for name in context.automatic if name in known]
    bases = [parse(name).base for name in automatic]
    by_turn = sorted(range(len(automatic)), key=lambda place: bases[:place].count(bases[place]))[:MOST_MEASURES]
    return [*(automatic[place] for place in sorted(by_turn)), *(name for name in known if name == PYRAMID != target)]


def _uses_references(name: str) -> bool:
    """Whether the study of references can choose them for this measure."""
    try:
        return not why_fixed(select(name))
    except UsageError:  # a column of someone's own
        return False


def _sizes(total: int) -> list[int]:
    """1, 2, 3, 4, 6, 8, 12, 16 … below all; of very many topics only the powers of two."""
    sizes = sorted(base << shift for shift in range(total.bit_length()) for base in (1, 3) if base << shift < total)
    return sizes if len(sizes) <= _MOST_SIZES else [size for size in sizes if size & (size - 1) == 0]


def _resamples(context: Context) -> int:
    many = len(context.table.summarizers) * len(context.table.topics) > MANY_SUMMARIES
    return FEWER_RESAMPLES if many else GrowthOptions().resamples


def _part(
    context: Context, study: GrowthStudy, command: str, eligible: Sequence[str], notes: Sequence[str]
) -> Section | None:
    answers, means, *_ = study.tables()
    if not answers.sentences:
        return None
    what = f"{study.what}s"
    (target,) = study.targets
    left = [name for name in eligible if name not in (*study.measures, target)]
    ends = [f"{one.measure} by {number(one.gain)}" for one in study.gains if one.gain is not None]
    figure = Figure(
        id=f"how-many-{what}-curves",
        caption=f"Mean {study.coefficient.capitalize()} correlation of system means with {target} by number of {what}, "
        f"over {study.options.resamples:,} samples; bands hold the middle 95 % of the samples. Boxes: correlation of "
        "system means from two disjoint sets (quartiles, and the middle 95 % of the samples).",
        alt=f"From the fewest to all {what} the correlation changes: {', '.join(ends)}.",
        draw=lambda: draw_growth(study),
    )
    if left:
        notes = [*notes, f"Left out because there are more than {MOST_MEASURES} measures: {listed(left)}."]
    return Section(
        id=f"how-many-{what}",
        title=what.capitalize(),
        sentences=(*answers.sentences, *means.sentences),
        blocks=(figure, answers, means),
        commands=(command,),
        notes=tuple(notes),
        mark=context.table.notes.get(target, ""),
    )
