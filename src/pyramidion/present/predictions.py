"""Comparisons with predictors in words: what people answered, what was predicted, and what that was worth."""

from __future__ import annotations

import math

import numpy as np

from pyramidion.present.plans import how_drawn
from pyramidion.present.presenter import Presenter
from pyramidion.present.section import Section
from pyramidion.show.tables import Column, Table, notes_of, table_of
from pyramidion.show.wording import capital, counted, listed, number, p_in_words, percent
from pyramidion.studies.predictions.estimates import (
    IntervalGap,
    PredictedComparison,
    PredictedMean,
    PredictedMeasure,
    PredictedPair,
    PredictedPyramidScores,
)
from pyramidion.studies.predictions.plans import HEAVY, PlanRow

_SEVERAL = "there is no single predictor whose value could stand here"

LITTLE_GAIN = 1.05
SECTION_ID = "estimates"
_ANSWERS = "people's answers"
_REMEDY = "Draw more (a larger `share=` of `plan`)"
_EXACT_REMEDY = ', or compare what people answered without `using=`, by `method="bounded"`, which is exact'
"""Where whole summaries were judged: scores of a part of the SCUs are none."""
_ASSUMED = (
    "what was judged was drawn at random with known chances",
    "the predictor did not see these people's answers",
    "people's answers are the truth",
    "nobody looked before and then went on",
)


def predicted_tables(comparison: PredictedComparison) -> list[Table]:
    """For each measure the means, then the pairs."""
    tables: list[Table] = []
    for part in comparison.predicted:
        digits = _digits(part)
        has_predictors = bool(part.frame.predictors)
        name = Column("summarizer", "system", of=lambda row: comparison.label(row.summarizer))
        means = table_of(
            part.means,
            (
                name,
                Column("value", "mean", digits),
                Column("lower", "", digits),
                Column("upper", "", digits),
                "rank",
                Column("ranks", "rank interval", of=lambda row: f"{row.first_rank}–{row.last_rank}"),
                "judged",
                *((Column("alone", "predictor alone", digits),) if has_predictors else ()),
            ),
            title=f"{part.measure}, from {listed([_ANSWERS, *part.frame.predictors])}",
            sentences=predicted_sentences(comparison, part),
            notes=predicted_notes(part),
            about=part.measure,
        )
        pairs = table_of(
            part.pairs,
            (
                Column("a", of=lambda row: comparison.label(row.a)),
                Column("b", of=lambda row: comparison.label(row.b)),
                Column("difference", "", digits),
                Column("lower", "", digits),
                Column("upper", "", digits),
                "p",
                "p_adjusted",
                *((Column("gain", "", 2), Column("alone", "predictor alone", digits)) if has_predictors else ()),
            ),
            title=f"{part.measure}: differences",
            heads=2,
            detail=not comparison.options.asks_for_pairs,
            about=part.measure,
            notes=tuple(note for note in notes_of(part.pairs) if has_predictors or note != f"{capital(_SEVERAL)}."),
        )
        tables += [means, pairs]
    return tables


def predicted_answer(comparison: PredictedComparison) -> tuple[str, ...]:
    """What the terminal prints above the tables."""
    sentences: list[str] = []
    for part in comparison.predicted:
        sentences += predicted_sentences(comparison, part)
    return tuple(sentences)


def halving_sentence(comparison: PredictedComparison) -> str:
    """About how many more answers would halve the intervals of pairs; empty where that is not known."""
    counts = {pair.more_answers for part in comparison.predicted for pair in part.pairs if pair.more_answers}
    if not counts:
        return ""
    return f"About {max(counts):,} more answers would halve the intervals of differences."


def predicted_sentences(comparison: PredictedComparison, part: PredictedMeasure) -> tuple[str, ...]:
    """The pairs, what people answered, and what the prediction is worth."""
    sentences: list[str] = []
    for pair in part.highlighted:
        sentences += [_pair_sentence(comparison, part, pair), _equal_sentence(part, pair)]
    sentences.append(_labels_sentence(part))
    sentences += _worth_sentences(part, part.highlighted)
    return tuple(filter(None, sentences))


def _pair_sentence(comparison: PredictedComparison, part: PredictedMeasure, pair: PredictedPair) -> str:
    digits = _digits(part)
    first, second = pair.a, pair.b
    difference, lower, upper = pair.difference, pair.lower, pair.upper
    is_worse = difference < 0 if part.frame.higher_is_better else difference > 0
    if is_worse:
        first, second, difference, lower, upper = second, first, -difference, -upper, -lower
    a, b = comparison.label(first), comparison.label(second)
    topics = len(part.frame.topics)
    where = "over this topic" if topics == 1 else f"over these {topics} topics"
    if comparison.options.population == "topics" and topics > 1:
        where = f"over topics of which these {topics} are a sample"
    if math.isnan(pair.p) and difference == 0:
        return f"{a} and {b} have the same mean on {part.measure} {where}; {pair.reason}."
    if math.isnan(pair.p):
        return f"{a} is ahead of {b} on {part.measure} by {number(abs(difference), digits)} {where}; {pair.reason}."
    limits = f"{number(lower, digits)} to {number(upper, digits)}"
    if lower <= 0 <= upper:
        more = ""
        if pair.more_answers:
            more = f" About {pair.more_answers:,} more answers would halve the interval."
        return (
            f"{a} and {b} on {part.measure} are undecided: the difference is {limits} {where} "
            f"({comparison.confidence:g} % confidence interval; {p_in_words(pair.p)}).{more}"
        )
    return (
        f"{a} is better than {b} on {part.measure}: by {number(abs(difference), digits)} {where} "
        f"({comparison.confidence:g} % confidence interval {limits}; {p_in_words(pair.p)})."
    )


def _equal_sentence(part: PredictedMeasure, pair: PredictedPair) -> str:
    """That an interval rests on the few answers that differ."""
    if pair.equal is None or math.isnan(pair.p):
        return ""
    plan = part.designed.plan
    where = f"{pair.equal:,} of the {plan.drawn:,} {plan.clusters}"
    return f"People's answers about the two are equal on {where}: the interval may be too short. {_remedy(part)}"


def _remedy(part: PredictedMeasure) -> str:
    exact = "" if part.frame.asks_scus else _EXACT_REMEDY
    return f"{_REMEDY}{exact}."


def _labels_sentence(part: PredictedMeasure) -> str:
    plan = part.designed.plan
    if part.prediction.is_complete:
        return "People answered all questions: nothing was predicted."
    how = how_drawn(plan, is_independent=part.designed.units.strata is None)
    how = how.replace("each to be answered", "each judged").replace("each with", "each judged in")
    if part.designed.is_assumed:
        how = "assumed to be a random sample of topics"
    rest = "nothing predicted the rest"
    if part.frame.predictors:
        rest = f"{listed(part.frame.predictors)} predicted the rest and was corrected by their answers"
    return (
        f"People answered {percent(plan.answers / plan.answers_total)} of the questions ({plan.drawn:,} of "
        f"{plan.total:,} {plan.clusters}, {how}); {rest}."
    )


def _worth_sentences(part: PredictedMeasure, pairs: tuple[PredictedPair, ...]) -> list[str]:
    """What the prediction is worth for the first pair, with the range over all, and what it would have said alone."""
    sentences: list[str] = []
    if part.prediction.is_complete or not pairs or not part.frame.predictors:
        return sentences
    systems = len(part.frame.systems)
    gains = part.prediction.gains[np.triu_indices(systems, k=1)]
    gains = gains[~np.isnan(gains)]
    gain = pairs[0].gain
    if gains.size and not math.isnan(gain):
        typical = float(np.median(gains))
        if typical < LITTLE_GAIN:
            sentences.append(
                f"The predictor hardly helps ({typical:.2f} times the answers): report people's answers "
                'alone, by `using="none"`.'
            )
        else:
            spread = f" ({gains.min():.1f} to {gains.max():.1f} over all pairs)" if gains.size > 1 else ""
            sentences.append(f"The prediction is worth {gain:.2f} times the answers for this difference{spread}.")
    if not math.isnan(pairs[0].alone):
        scale = "" if _is_on_scale(part) else ", on its own scale,"
        alone = number(abs(pairs[0].alone), _digits(part))
        sign = "" if pairs[0].alone * pairs[0].difference >= 0 else "−"
        sentences.append(f"The predictor alone{scale} would have said {sign}{alone}.")
    return sentences


def _is_on_scale(part: PredictedMeasure) -> bool:
    """Whether the predictor's values lie within those that people gave."""
    answers = part.frame.answers[~np.isnan(part.frame.answers)]
    values = part.frame.features[:, 0]
    values = values[~np.isnan(values)]
    slack = 1e-9
    return bool(values.size and values.min() >= answers.min() - slack and values.max() <= answers.max() + slack)


def predicted_notes(part: PredictedMeasure) -> tuple[str, ...]:
    """What was left out, and what is assumed."""
    designed, prediction = part.designed, part.prediction
    notes: list[str] = []
    if designed.is_assumed:
        notes.append("You say that the topics with answers are a random sample of all topics; no plan drew them.")
    if designed.outside:
        notes.append(f"{designed.outside:,} answers are not used: the plan did not draw them.")
    if part.frame.asks_scus:
        answers = designed.units.answers
        disputed = int(((answers > 0) & (answers < 1)).sum())
        if disputed:
            notes.append(f"{counted(disputed, 'answer')} of people who disagree: their mean is used.")
    if designed.unfinished:
        notes.append(
            f"{designed.unfinished:,} drawn {designed.plan.clusters} are not used: some systems lack answers. The "
            "others are treated as a random part of what was drawn."
        )
    if designed.dropped:
        notes.append(f"{counted(designed.dropped, 'topic')} left out: not, or not wholly, in the plan.")
    if part.frame.left_out:
        notes.append(f"{counted(part.frame.left_out, 'topic')} left out: without a pyramid.")
    if designed.filled:
        notes.append(f"{designed.filled:,} predictions were missing; the mean of their system stands for each.")
    if designed.plan.chance_least < HEAVY:
        notes.append(f"The smallest chance is {designed.plan.chance_least:.3f}: one answer stands for more than 20.")
    if prediction.single_strata:
        notes.append(
            f"In {prediction.single_strata} topics one {designed.plan.clusters[:-1]} was judged, so that intervals are "
            "rather too wide than too narrow."
        )
    if part.frame.predictors and not np.any(part.prediction.slopes) and not prediction.is_complete:
        notes.append(
            "The predictor does not vary within topics and systems, so that its slope is 0."
            if len(part.frame.topics) > 1
            else "There is no other topic for the predictor's slope to come from: it is 0, and nothing was predicted."
        )
    mostly_equal = sum(pair.equal is not None for pair in part.pairs)
    if prediction.has_interval and mostly_equal and not all(pair.equal is not None for pair in part.highlighted):
        notes.append(
            f"In {mostly_equal:,} of {len(part.pairs):,} pairs, people's answers are equal on most of the "
            f"{designed.plan.clusters}: their intervals may be too short. {_remedy(part)}"
        )
    if prediction.has_interval and not prediction.is_pooled:
        notes.append(
            "Standard errors of pairs differ by more than half: limits of all pairs together are Bonferroni's."
        )
    notes += notes_of(part.means) if not prediction.has_interval else ()
    if prediction.has_interval:
        notes.append("Rank intervals hold for all pairs together.")
        assumed = [sentence for sentence in _ASSUMED if part.frame.predictors or "predictor" not in sentence]
        notes.append(f"Assumed: {'; '.join(assumed)}.")
    return tuple(notes)


def estimates_section(comparison: PredictedComparison, command: str) -> Section:
    """What people answered, what was predicted and what that was worth, with the means and pairs of each measure."""
    tables = predicted_tables(comparison)
    sentences: list[str] = []
    for part in comparison.predicted:
        sentences += [f"{part.measure}: {sentence}" for sentence in predicted_sentences(comparison, part)]
    plan = comparison.predicted[0].designed.plan
    share = percent(plan.answers / plan.answers_total)
    notes: list[str] = []
    if plan.draws > 1:
        notes.append(f"The sample was drawn in {plan.draws} steps: if results decided on that, this is a second look.")
    return Section(
        id=SECTION_ID,
        title="Estimates from a sample",
        finding=f"People answered {share} of the questions; the estimates combine them with predictions of the rest",
        sentences=tuple(sentences),
        blocks=tuple(tables),
        commands=(command,),
        notes=tuple(notes),
    )


def no_estimates_section(reason: str, command: str) -> Section:
    """Why there is a sample and no estimate from it."""
    return Section(
        id=SECTION_ID,
        title="Estimates from a sample",
        finding="There is a sample, but no estimate from it yet",
        sentences=(f"{reason[:1].upper()}{reason[1:]}.",),
        commands=(command,),
    )


def _digits(part: PredictedMeasure) -> int:
    return 3 if all(abs(row.value) <= 1 for row in part.means) else 2


PREDICTED = Presenter(tables=predicted_tables, answer=predicted_answer)


def predicted_score_tables(scores: PredictedPyramidScores) -> list[Table]:
    """The tables of the comparison behind predicted pyramid scores."""
    return predicted_tables(scores.comparison)


def predicted_score_answer(scores: PredictedPyramidScores) -> tuple[str, ...]:
    """What the terminal prints above the tables of predicted pyramid scores."""
    return predicted_answer(scores.comparison)


PREDICTED_SCORES = Presenter(tables=predicted_score_tables, answer=predicted_score_answer)


def why_no_plan(row: PlanRow) -> str:
    """Why there is no seed of a plan."""
    return "" if row.is_planned else "no plan drew the answers"


def why_no_mean_limits(row: PredictedMean) -> str:
    """Why the mean of a system has no limits, or none by the predictor alone."""
    if row.gap is not None:
        return _why_no_interval(row.gap)
    if math.isnan(row.alone):
        return _SEVERAL
    return "people's answers about the system never differ, so its mean has no standard error"


def why_no_pair_limits(row: PredictedPair) -> str:
    """Why the difference of two systems has no limits, or none by the predictor alone."""
    if row.gap is not None:
        return _why_no_interval(row.gap)
    if math.isnan(row.p):
        return "people's answers about the two never differ, so the pair has no standard error of its own"
    return _SEVERAL


def _why_no_interval(gap: IntervalGap) -> str:
    """Why a measure has no intervals at all."""
    if not gap.clusters:
        return "all answers are there: nothing was predicted, and drawing adds no error"
    return f"too few {gap.clusters} were judged for an interval: {gap.least} or more must be"
