"""How diverse the measures are, how far each agrees with quality, and what they are worth together (paper 001)."""

from __future__ import annotations

import math
import shlex
from collections import Counter

from pyramidion.errors import InputError
from pyramidion.measures.hbr import DEFAULT_COLUMNS
from pyramidion.measures.names import parse
from pyramidion.reports.context import Context
from pyramidion.reports.figures.heterogeneity import draw_heterogeneity
from pyramidion.reports.section import Column, Figure, Section, Table
from pyramidion.reports.sections.studied import (
    capital,
    command,
    counted,
    in_words,
    is_derived,
    listed,
    notes_of,
    number,
    percent,
    scores_of,
)
from pyramidion.studies import HeterogeneityStudy, MeasureAuc, study_heterogeneity

MOST_MEASURES = 24
MOST_PAIRS = 4_000_000
"""Ordered pairs of summaries of one topic, over all topics; with more, the section is left out."""
FEWEST_PEERS = 3
LEVEL = 0.05
FEW = 5
"""Worst topics that are too few to say much."""
ID = "heterogeneity"


def make(context: Context) -> Section | None:
    """AUC of each measure and of HBR against the judgment that counts most, robustness, and H against P."""
    quality = context.reference
    if quality is None:
        return None
    measures = _measures(context, quality)
    if len(measures) < 2 or len(context.table.summarizers) < FEWEST_PEERS:
        return None
    context.step("heterogeneity of measures")
    asked = () if set(measures) == set(DEFAULT_COLUMNS) else measures
    repeat = command(context, "study heterogeneity", asked, "--with", shlex.quote(quality))
    pairs = _pairs(context, quality)
    if pairs > MOST_PAIRS:
        said = f"{pairs:,} pairs of summaries are too many for this page; the command compares them."
        return Section(id=ID, title="Heterogeneity of measures", sentences=(said,), commands=(repeat,))
    try:
        table = scores_of(context, [*measures, quality])
        measures = tuple(name for name in measures if name in table.measures)
        study = study_heterogeneity(table, quality, measures=measures)
    except InputError:  # no summary has all of the scores
        return None
    if all(one.auc is None for one in study.aucs):
        return None
    return Section(
        id=ID,
        title="Heterogeneity of measures",
        sentences=tuple(
            filter(None, (_hbr(study), _worst(study), _tests(study), _pattern(study), _consistency(study)))
        ),
        blocks=(_figure(study), _table(study), _sets(study)),
        commands=(repeat,),
        notes=(*_left_out(context, study), *notes_of(study.notes, [*study.measures, quality])),
    )


def _measures(context: Context, quality: str) -> tuple[str, ...]:
    """ROUGE by recall, precision and F where there are models, then the other automatic measures of the table."""
    models = any(summary.kind == "model" for summary in context.campaign.summaries)
    rouge = DEFAULT_COLUMNS if models else ()
    others = (name for name in context.automatic if name != quality and not is_derived(name))
    found = dict.fromkeys([*rouge, *others])
    return tuple(found)[:MOST_MEASURES]


def _pairs(context: Context, quality: str) -> int:
    frame = context.table.only([quality]).frame
    return sum(count * (count - 1) for count in Counter(frame["topic"].to_list()).values())


def _of_hbr(study: HeterogeneityStudy) -> MeasureAuc:
    return next(one for one in study.aucs if one.measure == study.hbr)


def _hbr(study: HeterogeneityStudy) -> str:
    """Where HBR stands, whatever that is."""
    hbr = _of_hbr(study)
    best = next(one for one in study.aucs if one.measure != study.hbr)
    combined = f"HBR, which combines the {in_words(len(study.measures))} measures without judgments,"
    if hbr.auc is None:
        return f"{combined} has no AUC against {study.quality} here."
    among = f"among the {in_words(len(study.aucs))}"
    agreed = f"it agrees with {study.quality} on {percent(hbr.auc)} of the pairs of summaries (AUC {hbr.auc:.3f})"
    if hbr.rank == 1:
        return f"{combined} is first {among}: {agreed}; the best single measure is {best.measure} ({best.auc:.3f})."
    better = sum(one.rank is not None and one.rank < (hbr.rank or 0) for one in study.aucs)
    return (
        f"{combined} ranks {_ordinal(hbr.rank or 0)} {among}: {agreed}; {counted(better, 'single measure')} "
        f"{'does' if better == 1 else 'do'} better, best {best.measure} ({best.auc:.3f})."
    )


def _worst(study: HeterogeneityStudy) -> str:
    hbr = _of_hbr(study)
    if hbr.robustness_rank is None:
        return ""
    worst = max(1, math.ceil(study.worst * study.topics - 1e-9))
    firm = [one.measure for one in study.aucs if one.robustness_rank == 1 and one.measure != study.hbr]
    who = f"; firmest: {listed(firm)}" if hbr.robustness_rank > 1 and firm else ""
    few = " So few topics are not much to rest on." if worst < FEW else ""
    return (
        f"Where each measure fails most, in its worst {percent(study.worst)} of topics ({counted(worst, 'topic')}), "
        f"HBR ranks {_ordinal(hbr.robustness_rank)}{who}.{few}"
    )


def _tests(study: HeterogeneityStudy) -> str:
    """How many measures differ from HBR by the paired test over topics."""
    tested = [one for one in study.aucs if one.p is not None and one.t is not None]
    if not tested:
        return ""
    above = [one for one in tested if (one.p or 0) < LEVEL and (one.t or 0) > 0]
    below = [one for one in tested if (one.p or 0) < LEVEL and (one.t or 0) < 0]
    return (
        f"Over topics (paired t-tests, p < {LEVEL:g}, not corrected) HBR is better than "
        f"{in_words(len(above), none='none')} of the {in_words(len(tested))} measures and worse than "
        f"{in_words(len(below), none='none')}."
    )


def _pattern(study: HeterogeneityStudy) -> str:
    """Figure 1 of the paper: does corroboration by diverse measures speak for quality?"""
    everyone = next((one.value for one in study.sets if set(one.measures) == set(study.measures)), None)
    said = (
        "" if everyone is None else f"On {percent(everyone)} of the pairs two or more measures contradict each other. "
    )
    r = study.bin_correlation
    if r is None or not study.bins:
        return said.strip()
    found = (
        "the more diverse the measures that find a summary at least as good, the more often judgments do, too"
        if r > 0.5
        else "that more diverse measures find a summary at least as good says little about judgments"
        if r > -0.5
        else "the more diverse the measures that find a summary at least as good, the less often judgments do"
    )
    return f"{said}{capital(found)} (Pearson {number(r)} over {counted(len(study.bins), 'bin')} of pairs)."


def _consistency(study: HeterogeneityStudy) -> str:
    there = (
        "every topic"
        if study.consistent == study.topics
        else f"{in_words(study.consistent)} of {in_words(study.topics)} topics"
    )
    return f"In {there} every measure agrees with {study.quality} on more than half of the pairs (AUC > ½)."


def _ordinal(number: int) -> str:
    words = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
    if number < len(words):
        return words[number]
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _figure(study: HeterogeneityStudy) -> Figure:
    shown = ", ".join(f"{_name(one, study)} {one.auc:.2f}" for one in study.aucs if one.auc is not None)
    return Figure(
        id=f"{ID}-figure",
        caption=f"Pairs of summaries by the heterogeneity of the measures that corroborate an increase, against how "
        f"often {study.quality} increases, too; AUC of each measure, shaded by recall, precision and F beside HBR; "
        f"mean rank of AUC in the worst {percent(study.worst)} of topics; AUC on topics where all have AUC > ½.",
        alt=f"AUC from best to worst: {shown}.",
        chart=draw_heterogeneity(study),
    )


def _name(one: MeasureAuc, study: HeterogeneityStudy) -> str:
    return "HBR" if one.measure == study.hbr else one.measure


def _table(study: HeterogeneityStudy) -> Table:
    rows = [
        (
            _name(one, study),
            one.rank,
            one.auc,
            one.pooled,
            one.robustness,
            one.robustness_rank,
            one.on_consistent_topics,
            one.t,
            one.p,
            one.n,
        )
        for one in study.aucs
    ]
    best = {
        (row, column)
        for row, one in enumerate(study.aucs)
        for column, rank in ((2, one.rank), (4, one.robustness_rank))
        if rank == 1
    }
    return Table(
        id=f"{ID}-auc",
        caption=f"AUC against {study.quality}, and robustness",
        columns=(
            Column(name="measure", align="left"),
            Column(name="rank"),
            Column(name="AUC", digits=3),
            Column(name="pooled", digits=3),
            Column(name=f"mean rank in the worst {percent(study.worst)}", digits=2),
            Column(name="rank of that"),
            Column(name="AUC on consistent topics", digits=3),
            Column(name="t", digits=2),
            Column(name="p", digits=4),
            Column(name="topics"),
        ),
        rows=rows,
        marked=frozenset(best),
        below="AUC: how often a measure agrees which of two summaries is better, mean over topics; pooled: over the "
        f"pairs of all topics. Consistent: the {study.consistent} of {study.topics} topics where every measure has "
        "AUC > ½. t and p: paired test HBR − measure over topics, not corrected for their number.",
    )


def _sets(study: HeterogeneityStudy) -> Table:
    """H of all measures and of those of one statistic, then the pairs that contradict each other most and least."""
    wide = [one for one in study.sets if len(one.measures) != 2]
    pairs = sorted((one for one in study.sets if len(one.measures) == 2 and one.value is not None), key=_value)
    apart = [*pairs[:_PAIRS], *pairs[-_PAIRS:]] if len(pairs) > 2 * _PAIRS else pairs
    rows = [(_set_name(one.measures, study), len(one.measures), one.value) for one in (*wide, *reversed(apart))]
    left = len(pairs) - len(apart)
    return Table(
        id=f"{ID}-sets",
        caption="Heterogeneity: share of pairs of summaries on which two measures of a set contradict each other",
        columns=(Column(name="set", align="left"), Column(name="measures"), Column(name="heterogeneity", digits=3)),
        rows=rows,
        below=f"Estimated on {study.pairs:,} pairs of summaries of one topic."
        + (f" Of every two measures, those that contradict each other most and least; {left} between." if left else ""),
    )


_PAIRS = 3


def _value(one: object) -> float:
    return float(getattr(one, "value", None) or 0.0)


def _set_name(measures: tuple[str, ...], study: HeterogeneityStudy) -> str:
    if len(measures) == len(study.measures) and len(measures) > 2:
        return "all measures"
    statistics = {parse(name).statistic or "" for name in measures}
    if len(measures) > 2 and len(statistics) == 1:
        (statistic,) = statistics
        return f"all by {statistic}" if statistic else "those without statistics"
    return " and ".join(measures)


def _left_out(context: Context, study: HeterogeneityStudy) -> list[str]:
    notes = []
    others = [name for name in context.automatic if name not in (*study.measures, study.quality)]
    if others:
        notes.append(f"Not combined here: {listed(others)} (derived from others, or beyond {MOST_MEASURES} measures).")
    if study.left_out:
        notes.append(f"{study.left_out:,} pairs lack a value and are left out.")
    return notes
